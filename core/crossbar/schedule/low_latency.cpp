// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/schedule/low_latency.h"

#include "core/crossbar/schedule/running.h"

#include <algorithm>
#include <memory>
#include <queue>

namespace pim {
namespace {

/// A step is a window of a matrix layer, a stretch of a vector layer, the end of a stretch or a transfer;
/// cores meet their steps in the order in which the clocks say they can begin, so that they wait for each
/// other as little as an order known beforehand allows. Transfers are emitted for both cores at once: in one
/// order for all, they cannot wait for each other in a circle.
///
/// Steps wait at the core that holds them up; the place whose time comes first gives its best one
/// away. So a step is looked at when what it waits for changes, not whenever any clock moves on.
class LowLatency {
public:
    LowLatency(RowEngine& engine, const CrossbarChip& chip)
        : m_engine(engine), m_chip(chip), m_shares(engine.shares().size()),
          m_places(std::size_t(chip.cores())), m_taken(std::size_t(chip.cores()), 0),
          m_blocked(std::size_t(chip.cores())) {}

    Result<void> run(const TaskContext& task) {
        for (std::size_t share = 0; share < m_shares.size(); ++share) {
            m_shares[share].replicaFree.assign(
                std::max<std::size_t>(1, m_engine.shares()[share].task->replicas.size()), 0);
            wake(int(share));
        }
        for (std::uint64_t steps = 0; !m_turns.empty(); ++steps) {
            if (steps % 4096 == 0 && task.cancelled())
                return TaskContext::cancelledError("scheduling");
            const Turn turn = m_turns.top();
            m_turns.pop();
            Place& place = m_places[std::size_t(turn.place)];
            if (turn.ns != place.turnNs)
                continue; // it has another turn
            place.turnNs = -1;
            const double ns = timeOf(turn.place);
            for (; !place.timed.empty() && place.timed.top().ns <= std::max(ns, turn.ns); place.timed.pop())
                place.ready.push({place.timed.top().step});
            if (!place.ready.empty()) {
                Step step = place.ready.top().step;
                place.ready.pop();
                const auto [at, when, waits] = whereAndWhen(step);
                if (when <= std::max(ns, turn.ns) || (!waits && step.moves >= kMostMoves)) {
                    PIM_CHECK(perform(step));
                } else {
                    step.moves += at != turn.place;
                    put(step, at, when);
                }
            }
            setTurn(turn.place);
        }
        PIM_ASSERT(std::ranges::all_of(m_engine.shares(), &RowEngine::Share::done),
                   "a layer of the low-latency pipeline waits for pixels that nobody computes");
        return {};
    }

private:
    /// Two busy cores, each a little ahead of the other in turn, would pass a step to and fro for ever; after
    /// so many times one waits for the other. Much less often makes cores wait for nothing, much more often
    /// keeps results back. [measured on five networks and three chips: 32 is within 2 % of the best of 1, 2,
    /// 4, … 256]
    static constexpr int kMostMoves = 32;

    enum class Kind : std::uint8_t { Transfer, End, Work };
    struct Step {
        Kind kind = Kind::Work;
        int layer = 0, share = 0;
        int moves = 0;            ///< From place to place.
        std::size_t transfer = 0; ///< Position in m_transfers.
        std::uint64_t number = 0;
    };
    /// What is done is handed on before anything new begins, in the order in which it is done. Of what may
    /// begin, later layers go first: they are nearer to the result.
    struct ByRank {
        Step step;
        bool operator<(const ByRank& other) const {
            const Step &a = step, &b = other.step;
            const bool works = a.kind == Kind::Work, otherWorks = b.kind == Kind::Work;
            if (works != otherWorks)
                return works;
            return works && a.layer != b.layer ? a.layer < b.layer : a.number > b.number;
        }
    };
    struct ByTime {
        double ns = 0;
        Step step;
        bool operator<(const ByTime& other) const {
            return ns != other.ns ? ns > other.ns : step.number > other.step.number;
        }
    };
    /// What waits at a core.
    struct Place {
        std::priority_queue<ByRank> ready;
        std::priority_queue<ByTime> timed;
        double turnNs = -1; ///< -1: none.
    };
    struct Turn {
        double ns = 0;
        int place = 0;
        bool operator<(const Turn& other) const {
            return ns != other.ns ? ns > other.ns : place > other.place;
        }
    };
    struct ShareState {
        bool queued = false; ///< Its next piece of work is among the steps.
        std::unique_ptr<RowEngine::Running> issuing;
        int window = 0; ///< Next of the one that is issued.
        struct Ending {
            std::unique_ptr<RowEngine::Running> running;
            double productsNs = 0; ///< When the last product is done.
        };
        std::deque<Ending> ending;
        std::vector<double> replicaFree; ///< [replica of the share] ns
        double arrivedNs = 0;            ///< The last of what came to it.
    };

    void push(Step step) {
        step.number = m_number++;
        const Wait wait = whereAndWhen(step);
        put(step, wait.place, wait.ns);
    }
    void put(const Step& step, int place, double ns) {
        if (ns > timeOf(place))
            m_places[std::size_t(place)].timed.push({ns, step});
        else
            m_places[std::size_t(place)].ready.push({step});
        setTurn(place);
    }
    void setTurn(int number) {
        Place& place = m_places[std::size_t(number)];
        if (place.ready.empty() && place.timed.empty())
            return;
        const double now = timeOf(number),
                     ns = place.ready.empty() ? std::max(now, place.timed.top().ns) : now;
        if (place.turnNs >= 0 && place.turnNs <= ns)
            return; // it is looked at by then
        place.turnNs = ns;
        m_turns.push({ns, number});
    }
    void wake(int share) {
        if (m_shares[std::size_t(share)].queued ||
            (m_engine.shares()[std::size_t(share)].done() && !m_shares[std::size_t(share)].issuing))
            return;
        m_shares[std::size_t(share)].queued = true;
        push({Kind::Work, m_engine.shares()[std::size_t(share)].task->layer, share});
    }

    double timeOf(int place) { return m_engine.clocks().front(place); }
    struct Wait {
        int place = -1;
        double ns = -1;
        bool forData = false; ///< Not for a core alone.
    };
    /// The core that holds a step up longest, and when the step can begin.
    Wait whereAndWhen(const Step& step) {
        Wait wait;
        const auto consider = [&](int place) {
            if (const double ns = timeOf(place); ns > wait.ns)
                wait = {place, ns, false};
        };
        const auto until = [&](double ns) {
            if (ns > wait.ns)
                wait = {wait.place, ns, true};
            return wait;
        };
        if (step.kind == Kind::Transfer) {
            const RowEngine::Transfer& transfer = m_transfers[step.transfer];
            consider(m_engine.laneCore(transfer.from));
            if (m_chip.synchronous)
                consider(m_engine.laneCore(transfer.to));
            return wait;
        }
        const RowEngine::Share& share = m_engine.shares()[std::size_t(step.share)];
        const ShareState& state = m_shares[std::size_t(step.share)];
        consider(share.task->core);
        if (step.kind == Kind::End)
            return until(state.ending.front().productsNs);
        for (const TaskMember& member : share.task->members)
            consider(member.core);
        if (share.matrix)
            until(state.replicaFree[share.turn % state.replicaFree.size()]);
        return until(state.arrivedNs);
    }

    Result<void> perform(const Step& step) {
        switch (step.kind) {
        case Kind::Transfer: {
            const RowEngine::Transfer transfer = m_transfers[step.transfer];
            m_freeTransfers.push_back(step.transfer);
            PIM_TRY(const double arrived, m_engine.exchange(transfer));
            for (const int reader : m_engine.readersOf(transfer.to)) {
                m_shares[std::size_t(reader)].arrivedNs =
                    std::max(m_shares[std::size_t(reader)].arrivedNs, arrived);
                wake(reader);
            }
            return {};
        }
        case Kind::End:
            return end(step.share);
        case Kind::Work:
            m_shares[std::size_t(step.share)].queued = false;
            return m_engine.shares()[std::size_t(step.share)].matrix ? window(step.share)
                                                                     : vectors(step.share);
        }
        return {};
    }

    Result<void> vectors(int number) {
        RowEngine::Share& share = m_engine.shares()[std::size_t(number)];
        if (!m_engine.ready(share.jobs[share.next]))
            return {};
        PIM_CHECK(m_engine.run({share.jobs[share.next++]}));
        handedOn(number);
        wake(number);
        return {};
    }

    Result<void> window(int number) {
        RowEngine::Share& share = m_engine.shares()[std::size_t(number)];
        ShareState& state = m_shares[std::size_t(number)];
        if (!state.issuing) {
            PIM_TRY(const bool began, begin(number));
            if (!began)
                return {};
        }
        const std::size_t replica = share.turn % state.replicaFree.size();
        PIM_CHECK(m_engine.windowAgain(*state.issuing, state.window++));
        std::size_t most = 1;
        for (const TaskMember& member : share.task->members)
            most = std::max(most, member.groups.size());
        state.replicaFree[replica] = issueNs(share) - double(most - 1) * m_chip.mvmIssueNs + m_chip.mvmNs;
        if (state.window == state.issuing->job.span.size()) {
            state.ending.push_back({std::move(state.issuing), issueNs(share) + m_chip.mvmNs});
            push({Kind::End, share.task->layer, number});
        }
        wake(number);
        return {};
    }
    /// When the last product of a share was issued.
    double issueNs(const RowEngine::Share& share) {
        double ns = 0;
        for (const TaskMember& member : share.task->members)
            ns = std::max(ns, m_engine.clocks().front(member.core));
        return ns;
    }

    /// False: what it reads is not here yet, or there is no room beside what runs; it will be woken.
    Result<bool> begin(int number) {
        RowEngine::Share& share = m_engine.shares()[std::size_t(number)];
        ShareState& state = m_shares[std::size_t(number)];
        const RowJob& job = share.jobs[share.next];
        if (!m_engine.ready(job))
            return false;
        auto made = std::make_unique<RowEngine::Running>(m_engine.plan(job));
        const auto& members = share.task->members;
        for (std::size_t m = 0; m < members.size(); ++m) {
            const std::uint64_t taken = m_taken[std::size_t(members[m].core)];
            if (taken > 0 && taken + made->elements(m) > m_engine.capacity() / 2)
                return blockedBy(members[m].core, number);
        }
        m_engine.nextOperation();
        if (auto ok = m_engine.begin(*made); !ok) {
            m_engine.release(*made);
            const auto busy = std::ranges::find_if(
                members, [&](const TaskMember& member) { return m_taken[std::size_t(member.core)] > 0; });
            if (busy == members.end() || ok.error().code != ErrorCode::InvalidTarget)
                return tl::unexpected(ok.error());
            return blockedBy(busy->core, number);
        }
        for (std::size_t m = 0; m < members.size(); ++m)
            m_taken[std::size_t(members[m].core)] += made->elements(m);
        ++share.next;
        state.issuing = std::move(made);
        state.window = 0;
        return true;
    }
    bool blockedBy(int core, int share) {
        m_blocked[std::size_t(core)].push_back(share);
        return false;
    }

    Result<void> end(int number) {
        RowEngine::Share& share = m_engine.shares()[std::size_t(number)];
        ShareState& state = m_shares[std::size_t(number)];
        const ShareState::Ending ending = std::move(state.ending.front());
        state.ending.pop_front();
        m_engine.clocks().waitUntil(share.task->core, ending.productsNs);
        PIM_CHECK(m_engine.end(*ending.running));
        handedOn(number);
        for (std::size_t m = 0; m < share.task->members.size(); ++m) {
            const auto core = std::size_t(share.task->members[m].core);
            m_taken[core] -= ending.running->elements(m);
            for (const int other : std::exchange(m_blocked[core], {}))
                wake(other);
        }
        return {};
    }

    /// Results of a share have been published.
    void handedOn(int number) {
        for (const RowEngine::Transfer& transfer : m_engine.transfers()) {
            std::size_t at = m_transfers.size();
            if (m_freeTransfers.empty()) {
                m_transfers.push_back(transfer);
            } else {
                at = m_freeTransfers.back();
                m_freeTransfers.pop_back();
                m_transfers[at] = transfer;
            }
            push({Kind::Transfer, m_engine.shares()[std::size_t(number)].task->layer, number, 0, at});
        }
        m_engine.transfers().clear();
        if (const int lane = m_engine.shares()[std::size_t(number)].outLane; lane >= 0)
            for (const int reader : m_engine.readersOf(lane))
                wake(reader);
    }

    RowEngine& m_engine;
    const CrossbarChip& m_chip;
    std::vector<ShareState> m_shares;
    std::vector<Place> m_places; ///< Cores.
    std::priority_queue<Turn> m_turns;
    std::vector<RowEngine::Transfer> m_transfers;
    std::vector<std::size_t> m_freeTransfers; ///< Positions nobody uses.
    std::vector<std::uint64_t> m_taken;       ///< [core] elements of local memory of what runs.
    std::vector<std::vector<int>> m_blocked;  ///< [core] shares that wait for room in it.
    std::uint64_t m_number = 0;
};

} // namespace

Result<void> scheduleLowLatency(RowEngine& engine, const CrossbarChip& chip, const TaskContext& task) {
    return LowLatency(engine, chip).run(task);
}

} // namespace pim
