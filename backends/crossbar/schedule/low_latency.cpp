// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/low_latency.h"

#include "backends/crossbar/schedule/pending_transfers.h"
#include "backends/crossbar/schedule/running.h"
#include "backends/crossbar/schedule/step_queue.h"

#include <algorithm>
#include <memory>

namespace pim {
namespace {

/// A step is a window of a matrix layer, a stretch of a vector layer, the end of a stretch or a transfer;
/// cores meet their steps in the order in which the clocks say they can begin, so that they wait for each
/// other as little as an order known beforehand allows. Transfers are emitted for both cores at once: in one
/// order for all, they cannot wait for each other in a circle.
class LowLatency {
public:
    LowLatency(RowEngine& engine, const CrossbarChip& chip)
        : m_engine(engine), m_chip(chip), m_shares(engine.shares().size()), m_steps(*this, chip.cores()),
          m_taken(std::size_t(chip.cores()), 0), m_pending(chip.cores()),
          m_blocked(std::size_t(chip.cores())) {}

    Result<void> run(const TaskContext& task) {
        for (const ShareId share : FirstIds<ShareId>(std::ssize(m_shares))) {
            m_shares[share.index()].replicaFree.assign(m_engine.shares().takers(share), 0);
            wake(share);
        }
        std::uint64_t steps = 0;
        for (Step step; m_steps.next(step);) {
            if (steps++ % 4096 == 0 && task.cancelled())
                return TaskContext::cancelledError("scheduling");
            PIM_CHECK(perform(step));
        }
        PIM_ASSERT(std::ranges::all_of(m_engine.shares(), &RowShare::done),
                   "a layer of the low-latency pipeline waits for pixels that nobody computes");
        return {};
    }

private:
    enum class Kind : std::uint8_t { Transfer, End, Work };
    struct Step {
        Kind kind = Kind::Work;
        ShareId share;
        std::size_t transfer = 0; ///< Position in m_transfers.
        bool works() const { return kind == Kind::Work; }
        bool drains() const { return kind == Kind::Transfer; }
    };
    friend class StepQueue<Step, LowLatency>;
    struct ShareState {
        bool queued = false; ///< Its next piece of work is among the steps.
        std::unique_ptr<RowEngine::Running> issuing;
        int window = 0; ///< Next step of the one that is issued.
        struct Ending {
            std::unique_ptr<RowEngine::Running> running;
            double productsNs = 0; ///< When the last product is done.
        };
        std::deque<Ending> ending;
        std::vector<double> replicaFree; ///< [see RowShares::takers()] ns
        double arrivedNs = 0;            ///< The last of what came to it.
    };

    void wake(ShareId share) {
        if (m_shares[share.index()].queued ||
            (m_engine.shares()[share].done() && !m_shares[share.index()].issuing))
            return;
        m_shares[share.index()].queued = true;
        m_steps.push({Kind::Work, share});
    }

    double front(CoreId core) { return m_engine.clocks().front(core); }
    double drained(CoreId core) { return m_engine.clocks().drained(core); }
    StepWait waitOf(const Step& step) {
        StepWait wait;
        if (step.kind == Kind::Transfer) {
            const RowTransfer& transfer = m_transfers[step.transfer];
            for (const CoreId core : {m_engine.lane(transfer.from).core, m_engine.lane(transfer.to).core})
                if (m_chip.synchronous || m_engine.clocks().drains() || !wait.core.valid())
                    wait.atCore(core, m_engine.clocks().drained(core));
            return wait;
        }
        const RowShare& share = m_engine.shares()[step.share];
        const ShareState& state = m_shares[step.share.index()];
        wait.atCore(share.task->core, front(share.task->core));
        if (step.kind == Kind::End) {
            wait.until(state.ending.front().productsNs);
            return wait;
        }
        for (const TaskMember& member : share.task->members)
            wait.atCore(member.core, productFront(member.core, step.share));
        if (share.matrix)
            wait.until(state.replicaFree[share.taker]);
        wait.until(state.arrivedNs);
        return wait;
    }

    /// Where transfers drain their cores a band is computed without a break: it begins when all it reads is
    /// here and the transfers of its core are through. [measured by the rules of PIMCOMP-NN, ResNet-18 with
    /// maps of 56 rows in tiles: these layers take 217 us, 292 us where each row begins by itself]
    bool isWhole(ShareId share) {
        return m_engine.clocks().drains() &&
               m_engine.tasks().rowsAtOnce[m_engine.shares()[share].task->layer.index()] > 1;
    }
    /// The band its next job is in.
    bool hasBegun(ShareId number) const {
        const RowShare& share = m_engine.shares()[number];
        if (m_shares[number.index()].issuing)
            return true;
        return share.next > 0 && !share.done() &&
               share.jobs[share.next].y <
                   m_engine.tasks().handedAfter(*share.task, share.jobs[share.next - 1].y);
    }
    bool ready(ShareId number) {
        const RowShare& share = m_engine.shares()[number];
        if (!isWhole(number))
            return m_engine.ready(share.jobs[share.next]);
        if (hasBegun(number))
            return true;
        const int end = m_engine.tasks().handedAfter(*share.task, share.jobs[share.next].y);
        for (std::size_t i = share.next; i < share.jobs.size() && share.jobs[i].y < end; ++i)
            if (!m_engine.ready(share.jobs[i]))
                return false;
        return true;
    }
    /// When a core can begin a product of a share.
    double productFront(CoreId core, ShareId share) {
        const bool whole = isWhole(share);
        if (!m_engine.clocks().drains() || (whole && hasBegun(share)))
            return front(core);
        const auto drained = [this](CoreId other) { return m_engine.clocks().drained(other); };
        if (whole)
            return m_pending.bandHeldUntil(core, front(core), drained);
        return m_pending.productHeldUntil(
            core, front(core), m_chip.mvmNs, drained,
            [this](std::size_t transfer) { return isUrgent(m_transfers[transfer]); });
    }
    /// Of the map of layer \p from that \p job reads.
    int lastRow(const RowJob& job, LayerId from) {
        const CrossbarLayer& l = m_engine.layer(m_engine.shares()[job.share].task->layer);
        int last = -1;
        for (std::size_t input = 0; input < l.inputs.size(); ++input) {
            const auto& sources = m_engine.tasks().sources[l.inputs[input].index()];
            if (std::ranges::find(sources, from, &PixelSource::layer) == sources.end())
                continue;
            const PixelMap& in = m_engine.layer(l.inputs[input]).out;
            last = std::max(last, std::min(in.height, inputWindow(l, in, input, job.y, job.span).rowEnd) - 1);
        }
        return last;
    }
    /// Does the next job of a reader wait for this row last?
    bool isUrgent(const RowTransfer& transfer) {
        return std::ranges::any_of(m_engine.shares().readersOf(transfer.to), [&](ShareId reader) {
            const RowShare& share = m_engine.shares()[reader];
            return !m_shares[reader.index()].issuing && !share.done() &&
                   lastRow(share.jobs[share.next], m_engine.lane(transfer.to).layer) == transfer.row;
        });
    }
    PendingTransfers::Pair pairOf(std::size_t transfer) {
        return {m_engine.lane(m_transfers[transfer].from).core, m_engine.lane(m_transfers[transfer].to).core,
                transfer};
    }

    Result<void> perform(const Step& step) {
        switch (step.kind) {
        case Kind::Transfer: {
            const RowTransfer transfer = m_transfers[step.transfer];
            if (m_engine.clocks().drains())
                m_pending.remove(pairOf(step.transfer));
            m_freeTransfers.push_back(step.transfer);
            PIM_TRY(const double arrived, m_engine.transfers().exchange(transfer));
            for (const ShareId reader : m_engine.shares().readersOf(transfer.to)) {
                m_shares[reader.index()].arrivedNs = std::max(m_shares[reader.index()].arrivedNs, arrived);
                wake(reader);
            }
            return {};
        }
        case Kind::End:
            return end(step.share);
        case Kind::Work:
            m_shares[step.share.index()].queued = false;
            return m_engine.shares()[step.share].matrix ? window(step.share) : vectors(step.share);
        }
        return {};
    }

    Result<void> vectors(ShareId number) {
        RowShare& share = m_engine.shares()[number];
        if (!m_engine.ready(share.jobs[share.next]))
            return {};
        PIM_CHECK(m_engine.run({share.jobs[share.next++]}));
        handedOn(number);
        wake(number);
        return {};
    }

    Result<void> window(ShareId number) {
        RowShare& share = m_engine.shares()[number];
        ShareState& state = m_shares[number.index()];
        if (!state.issuing) {
            PIM_TRY(const bool began, begin(number));
            if (!began)
                return {};
        }
        const std::size_t taker = share.taker;
        PIM_CHECK(m_engine.windowAgain(*state.issuing, state.window++));
        state.replicaFree[taker] =
            issueNs(share) - double(m_engine.shares().turns(number) - 1) * m_chip.mvmIssueNs + m_chip.mvmNs;
        if (state.window == share.steps(state.issuing->job)) {
            state.ending.push_back({std::move(state.issuing), issueNs(share) + m_chip.mvmNs});
            m_steps.push({Kind::End, number});
        }
        wake(number);
        return {};
    }
    /// When the last product of a share was issued.
    double issueNs(const RowShare& share) {
        double ns = 0;
        for (const TaskMember& member : share.task->members)
            ns = std::max(ns, m_engine.clocks().lastProduct(member.core));
        return ns;
    }

    /// False: what it reads is not here yet, or there is no room beside what runs; it will be woken.
    Result<bool> begin(ShareId number) {
        RowShare& share = m_engine.shares()[number];
        ShareState& state = m_shares[number.index()];
        if (!ready(number))
            return false;
        const RowJob& job = share.jobs[share.next];
        auto made = std::make_unique<RowEngine::Running>(m_engine.plan(job));
        const auto& members = share.task->members;
        for (std::size_t m = 0; m < members.size(); ++m) {
            const std::uint64_t taken = m_taken[members[m].core.index()];
            if (taken > 0 && taken + made->elements(m) > m_engine.capacity() / 2)
                return blockedBy(members[m].core, number);
        }
        m_engine.nextOperation();
        if (auto ok = m_engine.begin(*made); !ok) {
            m_engine.release(*made);
            if (ok.error().code != ErrorCode::InvalidTarget)
                return tl::unexpected(ok.error());
            const auto busy = std::ranges::find_if(
                members, [&](const TaskMember& member) { return m_taken[member.core.index()] > 0; });
            if (busy != members.end())
                return blockedBy(busy->core, number);
            m_engine.nextOperation();
            PIM_CHECK(m_engine.begin(*made, true));
        }
        for (std::size_t m = 0; m < members.size(); ++m)
            m_taken[members[m].core.index()] += made->elements(m);
        ++share.next;
        state.issuing = std::move(made);
        state.window = 0;
        return true;
    }
    bool blockedBy(CoreId core, ShareId share) {
        m_blocked[core.index()].push_back(share);
        return false;
    }

    Result<void> end(ShareId number) {
        RowShare& share = m_engine.shares()[number];
        ShareState& state = m_shares[number.index()];
        const ShareState::Ending ending = std::move(state.ending.front());
        state.ending.pop_front();
        if (!m_engine.clocks().drains())
            m_engine.clocks().waitUntil(share.task->core, ending.productsNs);
        PIM_CHECK(m_engine.end(*ending.running));
        handedOn(number);
        for (std::size_t m = 0; m < share.task->members.size(); ++m) {
            const auto core = share.task->members[m].core.index();
            m_taken[core] -= ending.running->elements(m);
            for (const ShareId other : std::exchange(m_blocked[core], {}))
                wake(other);
        }
        return {};
    }

    /// Results of a share have been published.
    void handedOn(ShareId number) {
        for (const RowTransfer& transfer : m_engine.transfers().ready()) {
            std::size_t at = m_transfers.size();
            if (m_freeTransfers.empty()) {
                m_transfers.push_back(transfer);
            } else {
                at = m_freeTransfers.back();
                m_freeTransfers.pop_back();
                m_transfers[at] = transfer;
            }
            if (m_engine.clocks().drains())
                m_pending.add(pairOf(at), front(m_engine.lane(transfer.from).core));
            m_steps.push({Kind::Transfer, number, at});
        }
        m_engine.transfers().ready().clear();
        for (const auto& [reader, ns] : m_engine.hostReaders()) {
            ShareState& state = m_shares[reader.index()];
            state.arrivedNs = std::max(state.arrivedNs, ns);
            wake(reader);
        }
        if (const LaneId lane = m_engine.shares()[number].outLane; lane.valid())
            for (const ShareId reader : m_engine.shares().readersOf(lane))
                wake(reader);
    }

    RowEngine& m_engine;
    const CrossbarChip& m_chip;
    std::vector<ShareState> m_shares;
    StepQueue<Step, LowLatency> m_steps;
    std::vector<RowTransfer> m_transfers;
    std::vector<std::size_t> m_freeTransfers;    ///< Positions nobody uses.
    std::vector<std::uint64_t> m_taken;          ///< [core] elements of local memory of what runs.
    PendingTransfers m_pending;                  ///< Where transfers drain their cores.
    std::vector<std::vector<ShareId>> m_blocked; ///< [core] that wait for room in it.
};

} // namespace

Result<void> scheduleLowLatency(RowEngine& engine, const CrossbarChip& chip, const TaskContext& task) {
    return LowLatency(engine, chip).run(task);
}

} // namespace pim
