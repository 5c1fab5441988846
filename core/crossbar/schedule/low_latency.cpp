// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/schedule/low_latency.h"

#include "core/crossbar/schedule/running.h"

#include <algorithm>
#include <memory>
#include <queue>

namespace pim {
namespace {

/// What may come next, the earliest first. A step is a window of a matrix layer, a stretch of a vector layer, the end of a stretch
/// or a transfer; cores meet their steps in the order in which the clocks say they can begin, so that they wait for each other as
/// little as an order known beforehand allows. Transfers are emitted for both cores at once: in one order for all, they cannot
/// wait for each other in a circle.
class LowLatency {
public:
    LowLatency(RowEngine& engine, const CrossbarChip& chip)
        : m_engine(engine), m_chip(chip), m_shares(engine.shares().size()), m_taken(std::size_t(chip.cores()), 0),
          m_blocked(std::size_t(chip.cores())) {}

    Result<void> run(const TaskContext& task) {
        for (std::size_t share = 0; share < m_shares.size(); ++share) {
            m_shares[share].replicaFree.assign(std::max<std::size_t>(1, m_engine.shares()[share].task->replicas.size()), 0);
            wake(int(share));
        }
        for (std::uint64_t steps = 0; !m_steps.empty(); ++steps) {
            if (steps % 4096 == 0 && task.cancelled())
                return TaskContext::cancelledError("scheduling");
            Step step = m_steps.top();
            m_steps.pop();
            if (const double now = earliest(step); now > step.ns && !m_steps.empty() && m_steps.top().ns < now) {
                step.ns = now;
                m_steps.push(step);
                continue;
            }
            PIM_CHECK(perform(step));
        }
        PIM_ASSERT(std::ranges::all_of(m_engine.shares(), &RowEngine::Share::done), "a layer of the low-latency pipeline waits for pixels that nobody computes");
        return {};
    }

private:
    enum class Kind : std::uint8_t { Transfer, End, Work };
    struct Step {
        double ns = 0;
        int layer = 0;
        Kind kind = Kind::Work;
        int share = 0;
        RowEngine::Transfer transfer;
        std::uint64_t number = 0;
        /// The earliest is on top; later layers go first, they are nearer to the result.
        bool operator<(const Step& other) const {
            if (ns != other.ns)
                return ns > other.ns;
            if (layer != other.layer)
                return layer < other.layer;
            if (kind != other.kind)
                return kind > other.kind;
            return number > other.number;
        }
    };
    struct ShareState {
        bool queued = false;                       ///< Its next piece of work is among the steps.
        std::unique_ptr<RowEngine::Running> issuing;
        int window = 0;                            ///< Next of the one that is issued.
        struct Ending {
            std::unique_ptr<RowEngine::Running> running;
            double productsNs = 0; ///< When the last product is done.
        };
        std::deque<Ending> ending;
        std::vector<double> replicaFree;           ///< [replica of the share] ns
        double arrivedNs = 0;                      ///< The last of what came to it.
    };

    void push(Step step) {
        step.number = m_number++;
        step.ns = earliest(step);
        m_steps.push(step);
    }
    void wake(int share) {
        if (m_shares[std::size_t(share)].queued || (m_engine.shares()[std::size_t(share)].done() && !m_shares[std::size_t(share)].issuing))
            return;
        m_shares[std::size_t(share)].queued = true;
        push({0, m_engine.shares()[std::size_t(share)].task->layer, Kind::Work, share, {}, 0});
    }

    double earliest(const Step& step) {
        CoreClocks& clocks = m_engine.clocks();
        if (step.kind == Kind::Transfer)
            return std::max(clocks.front(m_engine.laneCore(step.transfer.from)), m_chip.synchronous ? clocks.front(m_engine.laneCore(step.transfer.to)) : 0);
        const RowEngine::Share& share = m_engine.shares()[std::size_t(step.share)];
        const ShareState& state = m_shares[std::size_t(step.share)];
        if (step.kind == Kind::End)
            return std::max(clocks.front(share.task->core), state.ending.front().productsNs);
        double ns = std::max(clocks.front(share.task->core), state.arrivedNs);
        for (const TaskMember& member : share.task->members)
            ns = std::max(ns, clocks.front(member.core));
        return share.matrix ? std::max(ns, state.replicaFree[share.turn % state.replicaFree.size()]) : ns;
    }

    Result<void> perform(const Step& step) {
        switch (step.kind) {
        case Kind::Transfer: {
            PIM_TRY(const double arrived, m_engine.exchange(step.transfer));
            for (const int reader : m_engine.readersOf(step.transfer.to)) {
                m_shares[std::size_t(reader)].arrivedNs = std::max(m_shares[std::size_t(reader)].arrivedNs, arrived);
                wake(reader);
            }
            return {};
        }
        case Kind::End:
            return end(step.share);
        case Kind::Work:
            m_shares[std::size_t(step.share)].queued = false;
            return m_engine.shares()[std::size_t(step.share)].matrix ? window(step.share) : vectors(step.share);
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
            push({0, share.task->layer, Kind::End, number, {}, 0});
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
            const auto busy = std::ranges::find_if(members, [&](const TaskMember& member) { return m_taken[std::size_t(member.core)] > 0; });
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
        for (const RowEngine::Transfer& transfer : m_engine.transfers())
            push({0, m_engine.shares()[std::size_t(number)].task->layer, Kind::Transfer, number, transfer, 0});
        m_engine.transfers().clear();
        if (const int lane = m_engine.shares()[std::size_t(number)].outLane; lane >= 0)
            for (const int reader : m_engine.readersOf(lane))
                wake(reader);
    }

    RowEngine& m_engine;
    const CrossbarChip& m_chip;
    std::vector<ShareState> m_shares;
    std::priority_queue<Step> m_steps;
    std::vector<std::uint64_t> m_taken;       ///< [core] elements of local memory of what runs.
    std::vector<std::vector<int>> m_blocked;  ///< [core] shares that wait for room in it.
    std::uint64_t m_number = 0;
};

} // namespace

Result<void> scheduleLowLatency(RowEngine& engine, const CrossbarChip& chip, const TaskContext& task) {
    return LowLatency(engine, chip).run(task);
}

} // namespace pim
