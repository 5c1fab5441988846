// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/assign/stretch_search.h"

#include "core/assign/schedule_state.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace pim {
namespace {

constexpr std::size_t kBeam = 24;
/// Schedules kept to compare with, of those with the same ops done and the same devices.
constexpr std::size_t kKeptForComparison = 24;

/// Some ops taken, and what is left to be done.
struct PartialSchedule {
    ScheduleState state;
    std::vector<int> device;   ///< One an op; -1: not taken.
    std::vector<int> order;    ///< Taken so far.
    std::vector<int> waitsFor; ///< Producers of each op that are not taken.
    double workLeftNs = 0;     ///< Of the ops that are not taken, each on its fastest device.
    double boundNs = 0;
};

class StretchSearch {
public:
    StretchSearch(const Stretch& stretch, std::int64_t statesAtMost, const TaskContext& task)
        : m_stretch(stretch), m_problem(stretch.problem), m_statesAtMost(statesAtMost), m_task(task) {
        fillTails();
    }

    StretchFound find() {
        PartialSchedule root = start();
        m_found.best.ns = kNever;
        m_found.boundNs = root.boundNs;
        if (root.boundNs == kNever)
            return m_found;
        beam(root);
        root.boundNs = std::max(root.boundNs, bound(root)); // there is a schedule to beat now
        m_found.boundNs = root.boundNs;
        m_open = kNever;
        branch(root);
        // Nothing was left out: the best is the optimum. Else no schedule is shorter than the most promising one left out.
        m_found.boundNs = std::max(m_found.boundNs, std::min(m_open, m_found.best.ns));
        return m_found;
    }

private:
    bool canRun(int op, int device) const {
        const bool last = op + 1 == static_cast<int>(m_problem.ops.size());
        if (last && m_stretch.lastDevice >= 0 && device != m_stretch.lastDevice)
            return false;
        return m_problem.ops[index(op)].ns[index(device)] < kNever;
    }
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    /// [op][device]: least time from the start of the op there to the end of all that follows from it.
    void fillTails() {
        const int devices = m_problem.devices;
        m_tail.assign(m_problem.ops.size() * index(devices), kNever);
        m_fastest.assign(m_problem.ops.size(), kNever);
        std::vector<bool> isResult(m_problem.values.size());
        for (const int value : m_problem.results)
            isResult[index(value)] = true;
        for (int op = static_cast<int>(m_problem.ops.size()) - 1; op >= 0; --op)
            for (int device = 0; device < devices; ++device) {
                if (!canRun(op, device))
                    continue;
                double after = 0;
                for (const int value : m_problem.ops[index(op)].outputs) {
                    if (isResult[index(value)])
                        after = std::max(after, m_problem.transferNs(value, device, 0));
                    for (const int reader : m_problem.values[index(value)].readers)
                        after = std::max(after, onwards(value, device, reader));
                }
                const double ns = m_problem.ops[index(op)].ns[index(device)];
                m_tail[index(op * devices + device)] = ns + after;
                m_fastest[index(op)] = std::min(m_fastest[index(op)], ns);
            }
    }
    double onwards(int value, int device, int reader) const {
        double best = kNever;
        for (int to = 0; to < m_problem.devices; ++to)
            best = std::min(best, m_problem.transferNs(value, device, to) + tail(reader, to));
        return best;
    }
    double tail(int op, int device) const { return m_tail[index(op * m_problem.devices + device)]; }

    PartialSchedule start() const {
        PartialSchedule root{ScheduleState(m_problem, m_stretch.startDevice),
                             std::vector<int>(m_problem.ops.size(), -1),
                             {},
                             std::vector<int>(m_problem.ops.size()),
                             0,
                             0};
        for (std::size_t op = 0; op < m_problem.ops.size(); ++op) {
            for (const int value : m_problem.ops[op].inputs)
                root.waitsFor[op] += m_problem.values[index(value)].producer >= 0 ? 1 : 0;
            root.workLeftNs += m_fastest[op];
        }
        root.boundNs = bound(root);
        return root;
    }

    double bound(const PartialSchedule& partial) const {
        double least = partial.state.endNs(), free = partial.workLeftNs;
        for (int device = 0; device < m_problem.devices; ++device)
            free += partial.state.deviceFreeNs(device);
        least = std::max({least, free / m_problem.devices, boundByDevice(partial)});
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op)
            if (isReady(partial, op)) {
                double best = kNever;
                for (int device = 0; device < m_problem.devices; ++device)
                    if (canRun(op, device))
                        best = std::min(best, partial.state.startNs(op, device) + tail(op, device));
                least = std::max(least, best);
            }
        return least;
    }
    /// What is not yet beaten has to be: an op that on all devices but one would alone take as long as the best schedule so far is on that
    /// one, and one device works off its ops one after the other.
    double boundByDevice(const PartialSchedule& partial) const {
        if (m_found.best.ns == kNever)
            return 0;
        double most = 0;
        for (int device = 0; device < m_problem.devices; ++device) {
            double busy = partial.state.deviceFreeNs(device);
            for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op)
                if (partial.device[index(op)] < 0 && isOnlyFor(op, device))
                    busy += m_problem.ops[index(op)].ns[index(device)];
            most = std::max(most, busy);
        }
        return std::min(most, m_found.best.ns);
    }
    bool isOnlyFor(int op, int device) const {
        if (!canRun(op, device))
            return false;
        for (int other = 0; other < m_problem.devices; ++other)
            if (other != device && tail(op, other) < m_found.best.ns)
                return false;
        return true;
    }
    static bool isReady(const PartialSchedule& partial, int op) {
        return partial.device[index(op)] < 0 && partial.waitsFor[index(op)] == 0;
    }

    PartialSchedule extended(const PartialSchedule& from, int op, int device) {
        PartialSchedule next = from;
        next.state.take(op, device);
        next.device[index(op)] = device;
        next.order.push_back(op);
        next.workLeftNs = std::max(0.0, next.workLeftNs - m_fastest[index(op)]);
        for (const int value : m_problem.ops[index(op)].outputs)
            for (const int reader : m_problem.values[index(value)].readers)
                --next.waitsFor[index(reader)];
        ++m_found.states;
        if (next.order.size() == m_problem.ops.size())
            finish(next);
        else
            next.boundNs = std::max(from.boundNs, bound(next));
        return next;
    }
    /// All ops taken: results come home.
    void finish(PartialSchedule& done) {
        for (const int value : m_problem.results)
            done.state.bring(value, 0);
        done.boundNs = done.state.endNs();
        if (done.boundNs < m_found.best.ns)
            m_found.best = {done.device, done.order, done.boundNs};
    }

    /// Every way to go on, the most promising first.
    std::vector<PartialSchedule> children(const PartialSchedule& from) {
        std::vector<PartialSchedule> next;
        for (int op = 0; op < static_cast<int>(m_problem.ops.size()); ++op)
            if (isReady(from, op))
                for (int device = 0; device < m_problem.devices; ++device)
                    if (canRun(op, device))
                        next.push_back(extended(from, op, device));
        std::ranges::stable_sort(next, {}, &PartialSchedule::boundNs);
        return next;
    }

    void beam(const PartialSchedule& root) {
        std::vector<PartialSchedule> level{root};
        while (!level.empty() && !m_task.cancelled()) {
            std::vector<PartialSchedule> next;
            for (const PartialSchedule& partial : level)
                for (PartialSchedule& child : children(partial))
                    if (child.order.size() < m_problem.ops.size())
                        next.push_back(std::move(child));
            std::ranges::stable_sort(next, [](const PartialSchedule& a, const PartialSchedule& b) {
                return a.boundNs != b.boundNs ? a.boundNs < b.boundNs : a.state.endNs() < b.state.endNs();
            });
            m_nowhereLater.clear();
            level.clear();
            for (PartialSchedule& partial : next)
                if (level.size() < kBeam && !isDominated(partial))
                    level.push_back(std::move(partial));
        }
        m_nowhereLater.clear();
    }

    void branch(const PartialSchedule& from) {
        if (from.boundNs >= m_found.best.ns)
            return;
        if (m_found.states >= m_statesAtMost || m_task.cancelled()) {
            m_open = std::min(m_open, from.boundNs);
            return;
        }
        for (const PartialSchedule& child : children(from)) {
            if (child.order.size() == m_problem.ops.size() || child.boundNs >= m_found.best.ns)
                continue;
            if (!isDominated(child))
                branch(child);
        }
    }

    bool isLive(const PartialSchedule& partial, int value) const {
        const AssignmentProblem::Value& one = m_problem.values[index(value)];
        if (one.producer >= 0 && partial.device[index(one.producer)] < 0)
            return false;
        return std::ranges::any_of(one.readers,
                                   [&](int reader) { return partial.device[index(reader)] < 0; }) ||
               std::ranges::find(m_problem.results, value) != m_problem.results.end();
    }

    /// By one with the same ops done, the same live values made on the same devices, and all its times at most as late. Else it is kept to
    /// dominate others.
    bool isDominated(const PartialSchedule& partial) {
        std::string key(m_problem.ops.size(), '\0');
        for (std::size_t op = 0; op < m_problem.ops.size(); ++op)
            key[op] = partial.device[op] < 0 ? '\0' : '\1';
        std::vector<double> times(partial.state.freeNs().begin(), partial.state.freeNs().end());
        times.push_back(partial.state.endNs());
        for (int value = 0; value < static_cast<int>(m_problem.values.size()); ++value)
            if (isLive(partial, value)) {
                key += static_cast<char>(1 + partial.state.deviceOf(value));
                for (int device = 0; device < m_problem.devices; ++device)
                    times.push_back(partial.state.thereNs(value, device));
            }
        auto& known = m_nowhereLater[key];
        const auto nowhereLater = [](const std::vector<double>& a, const std::vector<double>& b) {
            return std::ranges::equal(a, b, std::ranges::less_equal());
        };
        if (std::ranges::any_of(known, [&](const auto& other) { return nowhereLater(other, times); }))
            return true;
        std::erase_if(known, [&](const auto& other) { return nowhereLater(times, other); });
        if (known.size() < kKeptForComparison)
            known.push_back(std::move(times));
        return false;
    }

    const Stretch& m_stretch;
    const AssignmentProblem& m_problem;
    std::int64_t m_statesAtMost;
    const TaskContext& m_task;
    std::vector<double> m_tail, m_fastest;
    StretchFound m_found;
    double m_open = kNever; ///< Least bound of what was not searched.
    std::unordered_map<std::string, std::vector<std::vector<double>>> m_nowhereLater;
};

} // namespace

StretchFound searchStretch(const Stretch& stretch, std::int64_t statesAtMost, const TaskContext& task) {
    return StretchSearch(stretch, statesAtMost, task).find();
}

} // namespace pim
