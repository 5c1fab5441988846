// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/row_pipeline.h"

#include "backends/crossbar/instruction.h"
#include "backends/crossbar/schedule/host_results.h"
#include "backends/crossbar/schedule/pending_transfers.h"
#include "backends/crossbar/schedule/schedule.h"
#include "backends/crossbar/schedule/step_queue.h"
#include "backends/crossbar/search/pipeline_clocks.h"
#include "backends/crossbar/search/pipeline_shares.h"

#include <cmath>

namespace pim {
namespace {

/// Pieces of a share for a lane that are sent together.
struct PipelineTransfer {
    CoreId from;
    LaneId lane;
    int row = 0;                    ///< The last one.
    std::size_t begin = 0, end = 0; ///< Of RowPipeline::m_pieces.
};

/// A window of a matrix layer or a job of a vector layer, the end of a job whose products are under way, or a
/// transfer.
struct PipelineStep {
    enum class Kind : std::uint8_t { Transfer, End, Work };
    Kind kind = Kind::Work;
    std::uint32_t number = 0; ///< Share, or position in RowPipeline::m_transfers.
    bool works() const { return kind == Kind::Work; }
    bool drains() const { return kind == Kind::Transfer; }
};

class RowPipeline {
public:
    RowPipeline(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                CrossbarReferee rules)
        : m_network(network), m_chip(chip), m_tasks(dealOutTasks(network, chip, mapping, false)),
          m_wide(CrossbarProgram{}.accumulatorElements * chip.activationBytes()), m_clocks(chip, rules),
          m_pending(chip.cores()), m_parts(pipelineShares(network, chip, mapping, m_tasks)),
          m_lanes(m_parts.lanes), m_shares(m_parts.shares), m_steps(*this, chip.cores()) {
        m_times.layerBeginNs.assign(network.layers.size(), 0);
        m_times.layerEndNs.assign(network.layers.size(), 0);
        std::vector<int> working(network.layers.size(), 0);
        for (PipelineShare& share : m_shares) {
            nextRow(share);
            working[share.task->layer.index()] += !share.done;
        }
        m_host.plan(network, m_tasks, std::move(working));
    }

    RowPipelineTimes run(double limitNs) {
        for (const ShareId share : FirstIds<ShareId>(std::ssize(m_shares)))
            wake(share);
        for (PipelineStep step; m_steps.next(step);) {
            // No core ends before it could begin something.
            if (m_clocks.front(coreOf(step)) > limitNs) {
                m_times.ns = std::numeric_limits<double>::infinity();
                return std::move(m_times);
            }
            perform(step);
        }
        for (const CoreId core : FirstIds<CoreId>(m_chip.cores()))
            m_times.ns = std::max(m_times.ns, m_clocks.done(core));
        m_times.ns = std::max(m_times.ns, m_lastStore);
        return std::move(m_times);
    }

private:
    friend class StepQueue<PipelineStep, RowPipeline>;

    const CrossbarLayer& layer(LayerId position) const { return m_network.layers[position.index()]; }
    double passNs(double bytes) const { return std::ceil(bytes / m_chip.vectorBytes) * m_chip.vectorNs; }

    /// Of the band that share.y is in.
    int lastRow(const PipelineShare& share) const {
        int y = std::min(int(share.task->rows.size()), m_tasks.handedAfter(*share.task, share.y)) - 1;
        while (share.task->rows[std::size_t(y)].empty())
            --y;
        return y;
    }
    static ColumnSpan jobFrom(const PipelineShare& share, int begin) {
        return {begin, std::min({share.task->rows[std::size_t(share.y)].end, begin + share.piece,
                                 (begin / share.block + 1) * share.block})};
    }
    void nextRow(PipelineShare& share) {
        const auto& rows = share.task->rows;
        for (++share.y; share.y < std::ssize(rows) && rows[std::size_t(share.y)].empty();)
            ++share.y;
        share.done = share.y >= std::ssize(rows);
        if (share.done)
            return;
        const int atOnce = m_tasks.rowsAtOnce[share.task->layer.index()];
        share.begun = (share.y - share.task->firstRow()) % atOnce != 0;
        const ColumnSpan row = rows[std::size_t(share.y)];
        share.span = jobFrom(share, row.begin);
        const int last = !share.parts.empty() && isWhole(share) ? lastRow(share) : share.y;
        for (PipelineFeed& feed : share.feeds) {
            const PixelMap& in = layer(feed.source).out;
            feed.need =
                std::min(in.height, inputWindow(*share.layer, in, std::size_t(feed.input), last, row).rowEnd);
        }
    }
    void nextJob(PipelineShare& share) {
        const ColumnSpan row = share.task->rows[std::size_t(share.y)];
        if (share.span.end >= row.end)
            nextRow(share);
        else
            share.span = jobFrom(share, share.span.end);
    }

    bool ready(PipelineShare& share) const {
        const auto isHere = [&](const PipelineFeed& feed) {
            const PipelineLane& lane = m_lanes[feed.lane.index()];
            return lane.global ? m_host.has(lane.layer) : lane.complete >= feed.need;
        };
        if (share.missing < share.feeds.size() && !isHere(share.feeds[share.missing]))
            return false;
        for (share.missing = 0; share.missing < share.feeds.size(); ++share.missing)
            if (!isHere(share.feeds[share.missing]))
                return false;
        return true;
    }
    /// Rows of global memory that the next job reads first.
    void loadInputs(PipelineShare& share) {
        for (const PipelineFeed& feed : share.feeds) {
            PipelineLane& lane = m_lanes[feed.lane.index()];
            for (; lane.global && lane.complete < feed.need; ++lane.complete)
                m_clocks.load(lane.core,
                              double(lane.missing[std::size_t(lane.complete)]) * m_chip.activationBytes());
        }
    }

    double front(CoreId core) const { return m_clocks.front(core); }
    double drained(CoreId core) const { return m_clocks.drained(core); }
    CoreId coreOf(const PipelineStep& step) const {
        return step.kind == PipelineStep::Kind::Transfer ? m_transfers[step.number].from
                                                         : m_shares[step.number].head;
    }
    /// As the schedule has it: bands that are computed without a break.
    bool isWhole(const PipelineShare& share) const {
        return m_clocks.drains() && m_tasks.rowsAtOnce[share.task->layer.index()] > 1;
    }
    /// When a core can begin a product of a share.
    double productFront(CoreId core, const PipelineShare& share) const {
        const bool whole = isWhole(share);
        if (!m_clocks.drains() || (whole && share.begun))
            return front(core);
        const auto drained = [this](CoreId other) { return m_clocks.drained(other); };
        if (whole)
            return m_pending.bandHeldUntil(core, front(core), drained);
        return m_pending.productHeldUntil(
            core, front(core), m_chip.mvmNs, drained,
            [this](std::size_t transfer) { return isUrgent(m_transfers[transfer]); });
    }
    /// Does the next job of a reader wait for this row last?
    bool isUrgent(const PipelineTransfer& transfer) const {
        const PipelineLane& lane = m_lanes[transfer.lane.index()];
        return std::ranges::any_of(lane.feeds, [&](const std::pair<ShareId, int>& at) {
            const PipelineShare& share = m_shares[at.first.index()];
            return transfer.row + 1 == share.feeds[std::size_t(at.second)].need;
        });
    }
    StepWait waitOf(const PipelineStep& step) const {
        StepWait wait;
        if (step.kind == PipelineStep::Kind::Transfer) {
            const PipelineTransfer& transfer = m_transfers[step.number];
            wait.atCore(transfer.from, m_clocks.drained(transfer.from));
            if (const CoreId to = m_lanes[transfer.lane.index()].core;
                m_chip.synchronous || m_clocks.drains())
                wait.atCore(to, m_clocks.drained(to));
            return wait;
        }
        const PipelineShare& share = m_shares[step.number];
        wait.atCore(share.head, front(share.head));
        if (step.kind == PipelineStep::Kind::End) {
            wait.until(share.ending[share.ended].productsNs);
            return wait;
        }
        for (const PipelinePart& part : share.parts)
            wait.atCore(part.core, productFront(part.core, share));
        if (!share.parts.empty())
            wait.until(share.replicaFree[share.taker]);
        wait.until(share.arrivedNs);
        return wait;
    }
    void wake(ShareId number) {
        PipelineShare& share = m_shares[number.index()];
        if (share.queued || share.done || (share.window == 0 && !ready(share)))
            return;
        share.queued = true;
        m_steps.push({PipelineStep::Kind::Work, std::uint32_t(number.value)});
    }

    void perform(const PipelineStep& step) {
        if (step.kind == PipelineStep::Kind::Transfer) {
            exchange(step.number);
            return;
        }
        const ShareId number(step.number);
        PipelineShare& share = m_shares[step.number];
        if (step.kind == PipelineStep::Kind::End) {
            const PipelineEnding job = share.ending[share.ended++];
            m_clocks.waitUntil(share.head, job.productsNs);
            finish(number, job.y, job.span);
            return;
        }
        share.queued = false;
        share.begun = true;
        if (double& begin = m_times.layerBeginNs[share.task->layer.index()]; begin == 0)
            begin = front(share.head);
        m_clocks.waitUntil(share.head, share.arrivedNs);
        for (const PipelinePart& part : share.parts)
            m_clocks.waitUntil(part.core, share.arrivedNs);
        if (share.window == 0)
            loadInputs(share);
        if (share.parts.empty()) {
            vector(number);
        } else {
            // Nothing comes between the windows of a band in one core.
            const bool whole = isWhole(share) && share.parts.size() == 1;
            bool goesOn = true;
            do
                goesOn = window(number, whole);
            while (whole && goesOn);
        }
        wake(number);
    }

    void vector(ShareId number) {
        PipelineShare& share = m_shares[number.index()];
        const double ns = vectorNs(share);
        m_clocks.vectorWork(share.head, ns, share.layer->as<ElementWork>() ? ns : 0);
        publish(number, share.y, share.span);
        nextJob(share);
    }
    /// One window, or the pieces it is the first to read: products of all cores of a replica are issued.
    /// \param whole: the end of a row that is not the last of its band need not wait for its turn.
    /// \returns whether the band goes on.
    bool window(ShareId number, bool whole) {
        PipelineShare& share = m_shares[number.index()];
        const int x = share.span.begin + share.window;
        const std::size_t steps = share.pieces ? share.pieces->of(share.y, {x, x + 1}).size() : 1;
        for (std::size_t step = 0; step < steps; ++step)
            share.issuedNs = issue(share);
        if (++share.window < share.span.size())
            return true;
        share.window = 0;
        const PipelineEnding job{share.y, share.span, share.issuedNs + m_chip.mvmNs};
        nextJob(share);
        const bool goesOn = share.begun && !share.done;
        if (whole && goesOn) {
            finish(number, job.y, job.span);
            return true;
        }
        share.ending.push_back(job);
        m_steps.push({PipelineStep::Kind::End, std::uint32_t(number.value)});
        return goesOn;
    }
    /// \returns when the last product is issued.
    double issue(PipelineShare& share) {
        double& replicaFree = share.replicaFree[share.taker];
        if (++share.taker == share.replicaFree.size())
            share.taker = 0;
        double issued = 0, most = 0, chain = 0;
        for (const PipelinePart& part : share.parts) {
            const PipelineClocks::Issued products =
                m_clocks.products(part.core, replicaFree, part.issueNs, part.sumNs);
            issued = std::max(issued, products.last);
            most = std::max(most, part.issueNs - m_chip.mvmIssueNs);
            chain = std::max(chain, products.first + part.chainNs);
        }
        replicaFree = std::max(issued - most + m_chip.mvmNs, chain);
        return issued;
    }

    /// Sums of other cores come to the head, which adds the bias and hands the result on.
    void finish(ShareId number, int y, ColumnSpan span) {
        const PipelineShare& share = m_shares[number.index()];
        const CrossbarLayer& l = *share.layer;
        const double windows = span.size();
        for (const PipelinePart& part : share.parts) {
            if (&part == &share.parts.front())
                continue;
            const double bytes = windows * part.width * m_wide;
            m_clocks.transfer(part.core, share.head, bytes);
            m_clocks.vectorWork(share.head, passNs(bytes), passNs(bytes));
        }
        const double biasNs = passNs(windows * l.out.channels * m_wide);
        m_clocks.vectorWork(share.head, biasNs, biasNs);
        const VectorOp function = l.activation.op;
        if (function != VectorOp::None && function != VectorOp::Relu && function != VectorOp::Clip)
            m_clocks.vectorWork(share.head, passNs(windows * l.out.channels * m_chip.activationBytes()), 0);
        publish(number, y, span);
    }

    double copyNs(double bytes) const { return bytes / m_chip.localBytesPerNs; }

    /// Of the next job of a vector layer.
    double vectorNs(const PipelineShare& share) const {
        const CrossbarLayer& l = *share.layer;
        const double channels = share.task->channelEnd - share.task->channelBegin,
                     element = m_chip.activationBytes();
        const double bytes = share.span.size() * channels * element;
        double ns = l.activation.op != VectorOp::None ? passNs(bytes) : 0;
        if (l.as<ElementWork>())
            ns += double(std::max<std::size_t>(1, l.inputs.size() - 1)) * passNs(bytes);
        else if (const auto* normalise = l.as<NormaliseWork>())
            ns += vectorPasses(vectorOpOf(normalise->kind)) * passNs(bytes);
        else if (const auto* pool = l.as<WindowWork>()) {
            const double places = pool->window.kernel(), pixel = channels * element, wide = channels * m_wide;
            ns += share.span.size() * (pool->kind == PoolKind::Max
                                           ? copyNs(2 * pixel) + (places - 1) * passNs(pixel)
                                           : places * (copyNs(pixel + wide) + passNs(wide)));
        } else {
            ns += copyNs(2 * bytes);
        }
        return ns;
    }

    void publish(ShareId number, int y, ColumnSpan span) {
        PipelineShare& share = m_shares[number.index()];
        const TaskShare& task = *share.task;
        const int channels = task.channelEnd - task.channelBegin;
        const double now = m_clocks.done(share.head);
        double& end = m_times.layerEndNs[task.layer.index()];
        end = std::max(end, now);
        if (share.layer->isOutput)
            m_lastStore = std::max(
                m_lastStore,
                m_clocks.store(share.head, now, double(span.size()) * channels * m_chip.activationBytes()));
        arrive(m_lanes[share.outLane.index()], y, span, channels, now);
        for (const LaneId target : share.targets) {
            const PipelineLane& lane = m_lanes[target.index()];
            const ColumnSpan wanted = meet(span, lane.want[std::size_t(y)]);
            const int shared =
                std::min(lane.channelEnd, task.channelEnd) - std::max(lane.channelBegin, task.channelBegin);
            if (wanted.empty())
                continue;
            if (lane.core == share.head)
                arrive(m_lanes[target.index()], y, wanted, shared, now);
            else
                share.unsent.push_back({target, y, shared, wanted});
        }
        share.left -= span.size();
        const bool rowEnds = span.end >= task.rows[std::size_t(y)].end;
        const bool ends = m_tasks.rowsAtOnce[task.layer.index()] == 1
                              ? rowEnds || span.end % share.block == 0
                              : rowEnds && y + 1 >= m_tasks.handedAfter(task, y);
        if (ends || share.left == 0)
            send(share);
        if (share.left == 0)
            handToHost(share, now);
    }

    /// Core after core gets its part of a band.
    void send(PipelineShare& share) {
        if (!std::ranges::is_sorted(share.unsent, {}, &PipelinePiece::lane))
            std::ranges::stable_sort(share.unsent, {}, &PipelinePiece::lane);
        for (std::size_t begin = 0, end = 0; begin < share.unsent.size(); begin = end) {
            const LaneId lane = share.unsent[begin].lane;
            while (end < share.unsent.size() && share.unsent[end].lane == lane)
                ++end;
            m_transfers.push_back({share.head, lane, share.unsent[end - 1].row, m_pieces.size() + begin,
                                   m_pieces.size() + end});
            if (m_clocks.drains())
                m_pending.add(pairOf(m_transfers.size() - 1), front(share.head));
            m_steps.push({PipelineStep::Kind::Transfer, std::uint32_t(m_transfers.size() - 1)});
        }
        m_pieces.insert(m_pieces.end(), share.unsent.begin(), share.unsent.end());
        share.unsent.clear();
    }

    /// All of a share is in global memory, where the host may have waited for it, and others for the host.
    void handToHost(const PipelineShare& share, double ns) {
        m_host.shareEnded(share.task->layer, ns);
        for (const auto& [layer, since] : m_host.takeNew())
            for (const LaneId number : m_parts.lanesOf[layer.index()])
                for (const ShareId reader : m_lanes[number.index()].readers) {
                    m_shares[reader.index()].arrivedNs = std::max(m_shares[reader.index()].arrivedNs, since);
                    wake(reader);
                }
    }

    void arrive(PipelineLane& lane, int row, ColumnSpan span, int channels, double ns) {
        const auto at = std::size_t(row);
        lane.missing[at] -= meet(span, lane.want[at]).size() * channels;
        while (lane.complete < std::ssize(lane.missing) && lane.missing[std::size_t(lane.complete)] <= 0)
            ++lane.complete;
        for (const ShareId reader : lane.readers) {
            m_shares[reader.index()].arrivedNs = std::max(m_shares[reader.index()].arrivedNs, ns);
            wake(reader);
        }
    }

    PendingTransfers::Pair pairOf(std::size_t number) const {
        const PipelineTransfer& transfer = m_transfers[number];
        return {transfer.from, m_lanes[transfer.lane.index()].core, number};
    }
    void exchange(std::size_t number) {
        const PipelineTransfer transfer = m_transfers[number];
        PipelineLane& lane = m_lanes[transfer.lane.index()];
        if (m_clocks.drains())
            m_pending.remove(pairOf(number));
        double bytes = 0;
        for (std::size_t i = transfer.begin; i < transfer.end; ++i) {
            const PipelinePiece& piece = m_pieces[i];
            bytes += double(piece.span.size()) * piece.channels * m_chip.activationBytes();
        }
        const double end = m_clocks.transfer(transfer.from, lane.core, bytes);
        for (std::size_t i = transfer.begin; i < transfer.end; ++i)
            arrive(lane, m_pieces[i].row, m_pieces[i].span, m_pieces[i].channels, end);
    }

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    CrossbarTasks m_tasks;
    double m_wide; ///< Bytes of an accumulator.
    PipelineClocks m_clocks;
    PendingTransfers m_pending;
    PipelineShares m_parts;
    std::vector<PipelineLane>& m_lanes;
    std::vector<PipelineShare>& m_shares;
    HostResults m_host;
    StepQueue<PipelineStep, RowPipeline> m_steps;
    std::vector<PipelineTransfer> m_transfers; ///< All there have been.
    std::vector<PipelinePiece> m_pieces;       ///< Of all transfers.
    double m_lastStore = 0;
    RowPipelineTimes m_times;
};

} // namespace

RowPipelineTimes rowPipelineTimes(const CrossbarNetwork& network, const CrossbarChip& chip,
                                  const CrossbarMapping& mapping, CrossbarReferee rules, double limitNs) {
    return RowPipeline(network, chip, mapping, rules).run(limitNs);
}

} // namespace pim
