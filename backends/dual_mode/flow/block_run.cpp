// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/flow/block_run.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace pim {
namespace {

constexpr int kAhead = 2; ///< Portions a buffer takes: one at work, one coming or going.

enum class Stage : std::uint8_t { Read, Run, Write };

struct Event {
    double at;
    std::int64_t order; ///< Events of one instant come in the order they were made.
    int actor;
    Stage stage;
    friend bool operator>(const Event& a, const Event& b) {
        return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
};

/// Where one actor stands.
struct Progress {
    std::vector<std::int64_t> ends;             ///< Rows done after each portion.
    std::size_t read = 0, ran = 0, written = 0; ///< Portions through each stage.
    bool reading = false, running = false, writing = false;
    double fraction = 0;
    std::size_t size() const { return ends.size(); }
    bool done() const { return written == ends.size(); }
};

/// Small portions first and last, so that filling and draining a pipeline is a matter of rows and not of
/// portions.
std::vector<std::int64_t> portionEnds(std::int64_t rows, std::int64_t granule, int portions) {
    const std::int64_t units = std::max<std::int64_t>(1, (rows + granule - 1) / granule);
    const std::int64_t largest = std::max<std::int64_t>(1, units / std::max(1, portions));
    std::vector<std::int64_t> ends;
    std::int64_t done = 0, size = 1;
    while (done < units) {
        const std::int64_t left = units - done;
        const std::int64_t now = std::max<std::int64_t>(1, std::min({size, largest, (left + 1) / 2}));
        done += now;
        size = std::min(largest, size * 2);
        ends.push_back(std::min(rows, done * granule));
    }
    return ends;
}

class Engine {
public:
    Engine(FlowBlockRun& run, const TaskContext& task) : m_run(run), m_task(task) {}

    int go() {
        const std::size_t count = m_run.actors.size();
        m_progress.resize(count);
        m_readers.resize(static_cast<std::size_t>(m_run.tensors));
        m_makers.resize(static_cast<std::size_t>(m_run.tensors));
        m_followers.resize(count);
        m_run.serverBusy.assign(m_run.servers.size(), {});
        m_run.actorBusy.assign(count, {});
        m_privateFree.assign(m_run.servers.size(), std::vector<double>());
        for (std::size_t i = 0; i < count; ++i) {
            const FlowActor& actor = m_run.actors[i];
            m_progress[i].ends = portionEnds(std::max<std::int64_t>(1, actor.rows),
                                             std::max<std::int64_t>(1, actor.granule), m_run.portions);
            for (const FlowWait& wait : actor.waits)
                m_readers[static_cast<std::size_t>(wait.tensor)].push_back(static_cast<int>(i));
            for (const int tensor : actor.makes)
                m_makers[static_cast<std::size_t>(tensor)].push_back(static_cast<int>(i));
            for (const int before : actor.after)
                m_followers[static_cast<std::size_t>(before)].push_back(static_cast<int>(i));
        }
        for (std::size_t i = 0; i < count; ++i)
            if (m_run.actors[i].notBefore > 0)
                push(m_run.actors[i].notBefore, static_cast<int>(i), Stage::Read, true);
            else
                advance(static_cast<int>(i), 0);
        while (!m_events.empty()) {
            const Event event = m_events.top();
            m_events.pop();
            if ((++m_run.events & 1023) == 0 && m_task.cancelled())
                return -2;
            handle(event);
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (!m_progress[i].done())
                return static_cast<int>(i);
            m_run.end = std::max(m_run.end, m_run.actors[i].end);
        }
        return -1;
    }

private:
    FlowActor& actor(int i) { return m_run.actors[static_cast<std::size_t>(i)]; }
    Progress& progress(int i) { return m_progress[static_cast<std::size_t>(i)]; }

    void push(double at, int i, Stage stage, bool wakeOnly = false) {
        m_events.push({at, wakeOnly ? -(++m_order) : ++m_order, i, stage});
    }

    void handle(const Event& event) {
        Progress& p = progress(event.actor);
        FlowActor& a = actor(event.actor);
        if (event.order < 0) { // only its time has come
            advance(event.actor, event.at);
            return;
        }
        switch (event.stage) {
        case Stage::Read:
            p.reading = false;
            ++p.read;
            break;
        case Stage::Run:
            p.running = false;
            ++p.ran;
            break;
        case Stage::Write:
            p.writing = false;
            ++p.written;
            p.fraction = static_cast<double>(p.ends[p.written - 1]) / static_cast<double>(p.ends.back());
            a.end = event.at;
            break;
        }
        advance(event.actor, event.at);
        if (event.stage != Stage::Write)
            return;
        for (const int tensor : a.makes)
            for (const int reader : m_readers[static_cast<std::size_t>(tensor)])
                advance(reader, event.at);
        if (p.done())
            for (const int follower : m_followers[static_cast<std::size_t>(event.actor)])
                advance(follower, event.at);
    }

    bool ready(int i, std::size_t portion, double now) {
        const FlowActor& a = actor(i);
        if (now < a.notBefore)
            return false;
        for (const int before : a.after)
            if (!progress(before).done())
                return false;
        const Progress& p = progress(i);
        const auto rows = static_cast<double>(p.ends.back()), last = static_cast<double>(p.ends[portion]);
        for (const FlowWait& wait : a.waits) {
            if (m_run.ignoreWaits)
                break;
            const double needed = std::min(1.0, std::max(wait.lead + (last - 1) / rows, last / rows));
            for (const int maker : m_makers[static_cast<std::size_t>(wait.tensor)])
                if (maker != i && progress(maker).fraction < needed - 1e-12)
                    return false;
        }
        return true;
    }

    /// Time a request made now is served.
    double serve(int server, int who, double now, double amount, bool write) {
        FlowServer& s = m_run.servers[static_cast<std::size_t>(server)];
        if (amount <= 0 || std::isinf(s.bytesPerCycle))
            return now;
        double* freeAt = &s.freeAt;
        const auto index = static_cast<std::size_t>(server);
        const bool isPrivate = index < m_run.privateServer.size() && m_run.privateServer[index] != 0;
        if (isPrivate) {
            auto& all = m_privateFree[index];
            all.resize(m_run.actors.size(), 0);
            freeAt = &all[static_cast<std::size_t>(who)];
        }
        const double start = std::max(now, *freeAt);
        *freeAt = start + amount / s.bytesPerCycle;
        if (m_run.keepBusy && !isPrivate)
            m_run.serverBusy[index].push_back({start, *freeAt, who, write});
        return *freeAt;
    }

    double transfers(int i, const std::vector<FlowTransfer>& list, std::size_t portion, double now) {
        const Progress& p = progress(i);
        const std::int64_t before = portion == 0 ? 0 : p.ends[portion - 1];
        const double part =
            static_cast<double>(p.ends[portion] - before) / static_cast<double>(p.ends.back());
        double end = now;
        for (const FlowTransfer& transfer : list)
            end = std::max(end, serve(transfer.server, i, now, transfer.bytes * part, transfer.write));
        return end;
    }

    /// Starts whatever can start.
    void advance(int i, double now) {
        Progress& p = progress(i);
        FlowActor& a = actor(i);
        if (!p.reading && p.read < p.size() && p.read < p.ran + kAhead && ready(i, p.read, now)) {
            p.reading = true;
            if (a.start < 0)
                a.start = now;
            push(transfers(i, a.in, p.read, now), i, Stage::Read);
        }
        if (!p.running && p.ran < p.read && p.ran < p.written + kAhead) {
            p.running = true;
            const std::int64_t before = p.ran == 0 ? 0 : p.ends[p.ran - 1], rows = p.ends[p.ran] - before;
            double end = now;
            if (a.runServer >= 0) {
                const double work =
                    a.runWork * static_cast<double>(rows) / static_cast<double>(p.ends.back());
                end = serve(a.runServer, i, now, work, false);
                const double rate = m_run.servers[static_cast<std::size_t>(a.runServer)].bytesPerCycle;
                a.busy += std::isinf(rate) ? 0 : work / rate;
            } else {
                const std::int64_t granules = (rows + a.granule - 1) / a.granule;
                end = now + static_cast<double>(granules) * a.cyclesPerGranule;
                a.busy += end - now;
                if (m_run.keepBusy && end > now)
                    m_run.actorBusy[static_cast<std::size_t>(i)].push_back({now, end, i, false});
            }
            push(end, i, Stage::Run);
        }
        if (!p.writing && p.written < p.ran) {
            p.writing = true;
            push(transfers(i, a.out, p.written, now), i, Stage::Write);
        }
    }

    FlowBlockRun& m_run;
    const TaskContext& m_task;
    std::vector<Progress> m_progress;
    std::vector<std::vector<int>> m_readers, m_makers; ///< [tensor] -> actors
    std::vector<std::vector<int>> m_followers;         ///< [actor]
    std::vector<std::vector<double>> m_privateFree;    ///< [server][actor]
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
    std::int64_t m_order = 0;
};

} // namespace

int FlowBlockRun::run(const TaskContext& task) {
    end = 0;
    events = 0;
    for (FlowServer& server : servers)
        server.freeAt = std::max(0.0, server.freeAt);
    for (FlowActor& actor : actors) {
        actor.start = -1;
        actor.end = actor.busy = 0;
    }
    return Engine(*this, task).go();
}

} // namespace pim
