// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/high_throughput.h"

#include "backends/crossbar/event_order.h"
#include "backends/crossbar/schedule/running.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

namespace pim {
namespace {

constexpr int kPollEvery = 1 << 12; // turns

/// Instruction groups of a program. By the rules of PIMCOMP-NN all that was issued is done at their
/// beginning, so sums of cores that share a replica are handed over there, see HighThroughputDriver::m_meets.
/// In few groups cores wait longer for memory at once, as they are visited one by one; in many longer for the
/// first product of each. So a group is as long as some products. [measured on five networks, four chips,
/// products of 800 and 4000 ns]
int groupsOf(double roundNs, double mvmNs) {
    constexpr double kProducts = 16;
    constexpr int kFewest = 5, kMost = 40;
    return std::clamp(int(roundNs / (kProducts * mvmNs)), kFewest, kMost);
}

class HighThroughputDriver {
public:
    HighThroughputDriver(RowEngine& engine, const CrossbarChip& chip)
        : m_engine(engine), m_turns(2 * int(engine.shares().size())),
          m_underWay(std::int64_t(std::ceil(chip.mvmNs / chip.mvmIssueNs))),
          m_through(engine.tasks().roundNs > 0 ? chip.mvmNs / engine.tasks().roundNs : 0),
          m_groups(groupsOf(engine.roundBoundNs(), chip.mvmNs)),
          m_meets(engine.clocks().drains() || !chip.synchronous), m_works(engine.shares().size()),
          m_cores(std::size_t(chip.cores())) {
        for (const ShareId share : allShares())
            prepare(share);
        engine.whenFull([this](CoreId core, bool underWay) { return makeRoom(core, underWay); });
    }

    Result<void> run(const TaskContext& task) {
        int groups = 1;
        for (int count = 0; m_turns.ns() < FirstInTime::kNever && m_engine.keptInTime(); ++count) {
            const double at = m_turns.ns();
            const int number = m_turns.number();
            const ShareId share(number / 2);
            if (count % kPollEvery == 0) {
                if (task.cancelled())
                    return TaskContext::cancelledError("scheduling");
                task.report("scheduling", std::int64_t(std::min(1.0, at) * 1000), 1000);
            }
            for (; groups < m_groups && groups <= at * m_groups; ++groups) {
                m_engine.endGroup();
                for (const ShareId other : allShares())
                    endAllDue(other);
                PIM_CHECK(followAll());
            }
            if (number == turnOf(share)) {
                PIM_CHECK(take(share, at));
            } else {
                auto& ends = m_works[share.index()].endsAt;
                ends.pop_front();
                m_turns.set(endOf(share), ends.empty() ? FirstInTime::kNever : ends.front());
                endDue(share);
                PIM_CHECK(followAll());
            }
        }
        if (!m_engine.keptInTime())
            return {}; // to be made again
        for (const ShareId share : allShares())
            while (!m_works[share.index()].ending.empty()) {
                end(share);
                PIM_CHECK(followAll());
            }
        PIM_ASSERT(std::ranges::all_of(m_engine.shares(), &RowShare::done),
                   "a layer of the high-throughput pipeline waits for rows that nobody computes");
        return {};
    }

private:
    // In m_turns, by when it comes, as part of the round: the oldest stretch of a paced share ends; a share has
    // its turn.
    static int endOf(ShareId share) { return 2 * share.value; }
    static int turnOf(ShareId share) { return 2 * share.value + 1; }
    struct Work {
        std::int64_t turns = 0, done = 0; ///< Of the round.
        std::optional<RowEngine::Running> running;
        int left = 0, next = 0;                ///< Turns of the stretch under way.
        std::deque<RowEngine::Running> ending; ///< Stretches whose last products are under way.
        int endedBefore = 0;                   ///< Of those, to make room.
        int due = 0;                    ///< Of those, through, but sums are handed over with the next group.
        bool handsSums = false;         ///< Several cores have sums of it.
        std::vector<ShareId> followers; ///< Of the same core that take its results at once.
        bool follows = false;           ///< It is one of them.
        bool waits = false;             ///< For rows of its stage; they bring its turn back.
        std::deque<double> endsAt;      ///< Of stretches of a paced share, parts of the round.
    };
    struct Core {
        std::int64_t products = 0;
        std::deque<std::pair<ShareId, std::int64_t>>
            ends;                    ///< Share whose oldest stretch ends after so many products.
        std::vector<ShareId> shares; ///< Of matrix layers that have array groups here.
    };

    FirstIds<ShareId> allShares() const { return FirstIds<ShareId>(std::ssize(m_works)); }
    RowShare& shareOf(ShareId share) { return m_engine.shares()[share]; }
    /// When a share has its next turn; never: all went before, to make room.
    double nextTurn(ShareId share) const {
        const Work& work = m_works[share.index()];
        if (!m_engine.shares().isPaced(share))
            return (double(work.done) + 0.5) / double(work.turns);
        if (work.running)
            return m_engine.shares().timeOf(work.running->job, (work.next + 0.5) / work.left);
        const RowShare& paced = m_engine.shares()[share];
        return paced.done() ? FirstInTime::kNever : m_engine.shares().timeOf(paced.jobs[paced.next], 0);
    }

    /// A turn of a share, unless it went before to make room, or rows of its stage are not here yet.
    Result<void> take(ShareId number, double at) {
        Work& work = m_works[number.index()];
        if (at == nextTurn(number)) {
            const RowShare& share = shareOf(number);
            work.waits =
                m_engine.shares().isPaced(number) && !work.running && !m_engine.ready(share.jobs[share.next]);
            if (work.waits) {
                m_turns.set(turnOf(number), FirstInTime::kNever);
                return {};
            }
            PIM_CHECK(share.matrix ? product(number) : vectors(number));
            PIM_CHECK(followAll());
        }
        m_turns.set(turnOf(number), work.done < work.turns ? nextTurn(number) : FirstInTime::kNever);
        return {};
    }

    void prepare(ShareId number) {
        const RowShare& share = shareOf(number);
        Work& work = m_works[number.index()];
        if (share.jobs.empty())
            return;
        if (const LayerId source = m_engine.tasks().fusedWith[share.task->layer.index()]; source.valid()) {
            work.follows = true;
            for (const ShareId other : m_engine.shares().of(source))
                if (shareOf(other).task->core == share.task->core)
                    m_works[other.index()].followers.push_back(number);
            return;
        }
        work.turns = std::ssize(share.jobs);
        if (share.matrix) {
            work.turns = 0;
            for (const RowJob& job : share.jobs)
                work.turns += m_engine.shares().turns(job);
            for (const TaskMember& member : share.task->members)
                m_cores[member.core.index()].shares.push_back(number);
            work.handsSums = m_meets && share.task->members.size() > 1 && !m_engine.shares().isPaced(number);
        }
        m_turns.set(turnOf(number), nextTurn(number));
    }

    Result<void> product(ShareId number) {
        if (!m_works[number.index()].running)
            PIM_CHECK(begin(number));
        turn(number);
        Core& head = m_cores[shareOf(number).task->core.index()];
        while (!head.ends.empty() && head.ends.front().second <= head.products) {
            const ShareId share = head.ends.front().first;
            head.ends.pop_front();
            endDue(share);
        }
        return {};
    }
    /// The oldest stretch of a share that was not is through, unless it ended before to make room.
    void endDue(ShareId number) {
        Work& work = m_works[number.index()];
        if (work.endedBefore > 0)
            --work.endedBefore;
        else
            ++work.due;
        if (!work.handsSums)
            endAllDue(number);
    }

    void endAllDue(ShareId number) {
        while (m_works[number.index()].due > 0)
            end(number);
    }

    Result<void> begin(ShareId number) {
        RowShare& share = shareOf(number);
        Work& work = m_works[number.index()];
        const RowJob& job = share.jobs[share.next++];
        RowEngine::Running running = m_engine.plan(job);
        m_engine.nextOperation();
        auto begun = m_engine.begin(running);
        if (!begun && begun.error().code == ErrorCode::InvalidTarget) {
            m_engine.release(running);
            m_engine.nextOperation();
            begun = m_engine.begin(running, true);
        }
        if (begun)
            begun = m_engine.openFor(running);
        if (!begun) {
            m_engine.release(running);
            return begun;
        }
        work.running = std::move(running);
        work.left = m_engine.shares().turns(job);
        work.next = 0;
        return {};
    }

    /// Emits a turn of the stretch under way; after the last one its results are waited for.
    void turn(ShareId number) {
        Work& work = m_works[number.index()];
        m_engine.turn(*work.running, work.next++);
        ++work.done;
        const TaskShare& task = *shareOf(number).task;
        for (const TaskMember& member : task.members)
            ++m_cores[member.core.index()].products;
        if (work.next < work.left)
            return;
        const double last =
            m_engine.shares().isPaced(number) ? m_engine.shares().timeOf(work.running->job, 1) : 0;
        work.ending.push_back(std::move(*work.running));
        work.running.reset();
        if (m_engine.shares().isPaced(number)) { // others wait for it, whatever its core does meanwhile
            work.endsAt.push_back(last + m_through);
            m_turns.set(endOf(number), work.endsAt.front());
            return;
        }
        Core& head = m_cores[task.core.index()];
        head.ends.emplace_back(number, head.products + m_underWay);
    }

    void end(ShareId number) {
        Work& work = m_works[number.index()];
        const auto ended = m_engine.end(work.ending.front());
        PIM_ASSERT(ended.has_value(), "room for the result was there from the beginning");
        work.ending.pop_front();
        if (work.due > 0)
            --work.due;
        else
            ++work.endedBefore;
        handedOn(number);
    }
    /// A share has new results. It may be another's emission that has to make room: they are passed on later.
    void handedOn(ShareId number) {
        if (!m_works[number.index()].followers.empty() || m_engine.shares().isPaced(number))
            m_toFollow.push_back(number);
    }

    /// Another stretch in the core ends now. \returns false: there is none.
    bool makeRoom(CoreId core, bool underWay) {
        for (const ShareId share : m_cores[core.index()].shares) {
            Work& work = m_works[share.index()];
            if (work.ending.empty() && !(underWay && work.running))
                continue;
            while (work.ending.empty())
                turn(share);
            end(share);
            return true;
        }
        return false;
    }

    Result<void> vectors(ShareId number) {
        RowShare& share = shareOf(number);
        ++m_works[number.index()].done;
        PIM_CHECK(m_engine.run(share.jobs[share.next++]));
        handedOn(number);
        return {};
    }

    /// What takes results at once runs as far as they are there; results others of the stage read are sent to
    /// them.
    Result<void> followAll() {
        while (!m_toFollow.empty() || !m_engine.transfers().ready().empty() || !m_arrived.empty()) {
            if (!m_toFollow.empty()) {
                const ShareId number = m_toFollow.back();
                m_toFollow.pop_back();
                for (const ShareId follower : m_works[number.index()].followers)
                    PIM_CHECK(follow(follower));
                if (const LaneId lane = shareOf(number).outLane;
                    lane.valid() && m_engine.shares().isPaced(number))
                    arrived(lane);
            } else if (!m_arrived.empty()) {
                const ShareId follower = m_arrived.back();
                m_arrived.pop_back();
                PIM_CHECK(follow(follower));
            } else {
                for (const RowTransfer& transfer : std::exchange(m_engine.transfers().ready(), {})) {
                    PIM_CHECK(m_engine.transfers().exchange(transfer));
                    arrived(transfer.to);
                }
            }
        }
        return {};
    }
    Result<void> follow(ShareId follower) {
        while (!shareOf(follower).done() && m_engine.ready(shareOf(follower).jobs[shareOf(follower).next]))
            PIM_CHECK(vectors(follower));
        return {};
    }
    /// Rows have come to a lane.
    void arrived(LaneId lane) {
        for (const ShareId reader : m_engine.shares().readersOf(lane)) {
            Work& work = m_works[reader.index()];
            if (work.follows)
                m_arrived.push_back(reader);
            else if (std::exchange(work.waits, false))
                m_turns.set(turnOf(reader), nextTurn(reader));
        }
    }

    RowEngine& m_engine;
    FirstInTime m_turns;     ///< By turnOf() and endOf() of a share: part of the round that is over then.
    std::int64_t m_underWay; ///< Products a core issues while one computes.
    double m_through;        ///< Part of the round a product takes.
    int m_groups;
    /// Sums are handed over with instruction groups, not stretch by stretch. [measured by the profiler, five
    /// networks, a stage for every layer: stretch by stretch 4 % faster on six chips whose transfers hold
    /// their cores, up to a quarter; GoogLeNet and SqueezeNet 5 % slower on PCM-64, where they do not]
    bool m_meets;
    std::vector<Work> m_works; ///< [share]
    std::vector<Core> m_cores;
    std::vector<ShareId> m_toFollow; ///< They have new results for others.
    std::vector<ShareId> m_arrived;  ///< They take results at once and have new operands.
};

} // namespace

Result<void> runHighThroughput(RowEngine& engine, const CrossbarChip& chip, const TaskContext& task) {
    return HighThroughputDriver(engine, chip).run(task);
}

} // namespace pim
