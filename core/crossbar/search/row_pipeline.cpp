// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/row_pipeline.h"

#include "core/crossbar/instruction.h"
#include "core/crossbar/schedule/host_results.h"
#include "core/crossbar/schedule/input_pieces.h"
#include "core/crossbar/schedule/pending_transfers.h"
#include "core/crossbar/schedule/schedule.h"
#include "core/crossbar/schedule/step_queue.h"
#include "core/crossbar/schedule/tasks.h"
#include "core/crossbar/search/pipeline_clocks.h"

#include <cmath>
#include <optional>

namespace pim {
namespace {

ColumnSpan meet(ColumnSpan a, ColumnSpan b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// What a core has of a map.
struct PipelineLane {
    int core = 0, layer = 0;
    bool global = false; ///< Read from global memory.
    int channelBegin = 1 << 30, channelEnd = 0;
    std::vector<ColumnSpan> want; ///< [row] what readers in the core need, within the map.
    std::vector<int> missing;     ///< [row] elements that are still to come.
    std::vector<int> readers;
    std::vector<std::pair<int, int>> feeds; ///< (share, position in its feeds) that read it.
    int complete = 0;                       ///< Rows before this are here.
    ColumnSpan columns;                     ///< All of \ref want together …
    int rowBegin = 1 << 30, rowEnd = 0;     ///< … and the rows in which there are any.
    int channels() const { return channelEnd - channelBegin; }
};

struct PipelineFeed {
    int lane = 0, input = 0, source = 0;
    int need = 0; ///< Rows before this are read by the next job.
};

/// One core of a share, per window; where products span windows, per piece of the input.
struct PipelinePart {
    int core = 0;
    int width = 0; ///< Output channels its sums are for.
    double issueNs = 0, sumNs = 0, chainNs = 0;
};

/// Columns of a row for a lane.
struct PipelinePiece {
    int lane = 0, row = 0, channels = 0;
    ColumnSpan span;
};

/// Pieces of a share for a lane that are sent together.
struct PipelineTransfer {
    int from = 0, lane = 0, row = 0; ///< The last row.
    std::vector<PipelinePiece> pieces;
};

struct PipelineShare {
    const TaskShare* task = nullptr;
    const CrossbarLayer* layer = nullptr;
    std::vector<PipelinePart> parts; ///< Of a matrix layer.
    std::optional<InputPieces> pieces; ///< Where products span windows: what they are for.
    std::vector<PipelineFeed> feeds;
    int outLane = -1;
    std::vector<int> targets; ///< Lanes of other cores that want some of it.
    std::size_t missing = 0;  ///< Feed that kept it from being ready when that was asked last.
    int piece = 1;            ///< Columns of a job at most.
    int y = 0;
    ColumnSpan span;                 ///< Of the next job.
    double arrivedNs = 0;            ///< The last of what came to it.
    std::vector<double> replicaFree; ///< [replica, phase of a row] ns
    std::size_t turn = 0;            ///< Windows so far: replicas take turns.
    int window = 0;                  ///< Next of the job.
    double issuedNs = 0;             ///< When its last product was.
    bool queued = false;             ///< Its next job is among the steps.
    bool begun = false;              ///< The band its next job is in.
    bool done = false;
    std::int64_t left = 0; ///< Pixels whose results have not been handed on.
    std::vector<PipelinePiece> unsent;
    int head() const { return task->core; }
};

/// A window of a matrix layer or a job of a vector layer, the end of a job whose products are under way, or a
/// transfer.
struct PipelineStep {
    enum class Kind : std::uint8_t { Transfer, End, Work };
    Kind kind = Kind::Work;
    int layer = 0, share = 0;
    int y = 0;                ///< End: the job.
    ColumnSpan span;          ///< End: the job.
    double productsNs = 0;    ///< End: when its last product is done.
    std::size_t transfer = 0; ///< Position in RowPipeline::m_transfers.
    bool works() const { return kind == Kind::Work; }
};

class RowPipeline {
public:
    RowPipeline(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                CrossbarReferee rules)
        : m_network(network), m_chip(chip), m_mapping(mapping),
          m_tasks(dealOutTasks(network, chip, mapping, false)),
          m_wide(CrossbarProgram{}.accumulatorElements * chip.activationBytes()), m_clocks(chip, rules),
          m_pending(chip.cores()), m_laneOf(2 * network.layers.size() * std::size_t(chip.cores()), -1),
          m_lanesOf(network.layers.size()), m_steps(*this, chip.cores()) {
        m_times.layerEndNs.assign(network.layers.size(), 0);
        for (const auto& shares : m_tasks.shares)
            for (const TaskShare& task : shares)
                addShare(task);
        for (PipelineLane& lane : m_lanes)
            for (std::size_t row = 0; row < lane.want.size(); ++row)
                lane.missing[row] = lane.want[row].size() * lane.channels();
        for (PipelineShare& share : m_shares) {
            findTargets(share);
            // One a replica, and of a transposed convolution one a phase: see RowEngine::takers().
            const std::size_t phases =
                share.layer->matrix() ? std::size_t(share.layer->matrix()->window.spreadX) : 1;
            share.replicaFree.assign(std::max<std::size_t>(1, share.task->replicas.size()) * phases, 0);
            share.y = -1;
            nextRow(share);
        }
        std::vector<int> working(network.layers.size(), 0);
        for (const PipelineShare& share : m_shares)
            working[std::size_t(share.task->layer)] += !share.done;
        m_host.plan(network, m_tasks, std::move(working));
    }

    RowPipelineTimes run(double limitNs) {
        for (std::size_t share = 0; share < m_shares.size(); ++share)
            wake(int(share));
        while (const std::optional<PipelineStep> step = m_steps.next()) {
            // No core ends before it could begin something.
            if (m_clocks.front(coreOf(*step)) > limitNs) {
                m_times.ns = std::numeric_limits<double>::infinity();
                return std::move(m_times);
            }
            perform(*step);
        }
        for (int core = 0; core < m_chip.cores(); ++core)
            m_times.ns = std::max(m_times.ns, m_clocks.done(core));
        m_times.ns = std::max(m_times.ns, m_lastStore);
        return std::move(m_times);
    }

private:
    friend class StepQueue<PipelineStep, RowPipeline>;

    const CrossbarLayer& layer(int position) const { return m_network.layers[std::size_t(position)]; }
    double passNs(double bytes) const { return std::ceil(bytes / m_chip.vectorBytes) * m_chip.vectorNs; }

    /// \param dealt: some channels of one that others of the core may have all of.
    int laneIn(int core, int position, bool global, bool dealt) {
        const std::size_t cores = std::size_t(m_chip.cores());
        int& lane = m_laneOf[(std::size_t(position) * 2 + std::size_t(dealt)) * cores + std::size_t(core)];
        if (lane < 0) {
            lane = int(m_lanes.size());
            PipelineLane& made = m_lanes.emplace_back();
            made.core = core;
            made.layer = position;
            made.global = global;
            const auto height = std::size_t(layer(position).out.height);
            made.want.resize(height);
            made.missing.resize(height);
            m_lanesOf[std::size_t(position)].push_back(lane);
        }
        return lane;
    }

    void addShare(const TaskShare& task) {
        PipelineShare share;
        share.task = &task;
        share.layer = &layer(task.layer);
        const bool all = task.channelEnd - task.channelBegin == share.layer->out.channels;
        if (share.layer->matrix())
            addParts(share);
        else // one pixel may be dealt out by channels
            for (std::size_t input = 0; input < share.layer->inputs.size(); ++input)
                addFeeds(share, task.core, int(input), all ? 0 : task.channelBegin,
                         all ? 1 << 30 : task.channelEnd);
        share.outLane = laneIn(task.core, task.layer, false, false);
        PipelineLane& out = m_lanes[std::size_t(share.outLane)];
        out.channelBegin = std::min(out.channelBegin, task.channelBegin);
        out.channelEnd = std::max(out.channelEnd, task.channelEnd);
        const double each =
            double(share.layer->out.channels) * (share.parts.empty() ? m_chip.activationBytes() : m_wide);
        share.piece = std::max(1, int(double(m_chip.localBytes) / memoryShareOf(m_chip, CrossbarMode::LowLatency) / each));
        for (const ColumnSpan row : task.rows)
            share.left += row.size();
        m_shares.push_back(std::move(share));
    }

    void addParts(PipelineShare& share) {
        const TaskShare& task = *share.task;
        const MatrixWork& work = *share.layer->matrix();
        const LayerPartition& partition = m_mapping.of(task.layer)->partition;
        const double underWay = std::ceil(m_chip.mvmNs / m_chip.mvmIssueNs) + 1;
        // A window has products in the groups of one phase.
        const double phases = work.window.spreadX * task.rowPhases;
        const bool spans = spansWindows(work, task.unfolding);
        if (spans)
            share.pieces.emplace(*share.layer, task.unfolding, task.rows);
        // Every column of a group is added to one window.
        double windows = 0;
        for (const ColumnSpan row : task.rows)
            windows += row.size();
        const double perWindow = spans && windows > 0 ? double(share.pieces->count()) / windows : 1;
        const auto slots = [&](double bytes, std::size_t groups) {
            const double room = std::floor(double(m_chip.localBytes) /
                                           memoryShareOf(m_chip, CrossbarMode::LowLatency) / bytes);
            return std::clamp(room, 1.0, std::min(underWay, double(groups * task.replicas.size())));
        };
        for (const TaskMember& member : task.members) {
            PipelinePart part{.core = member.core};
            int outBegin = work.outChannels, outEnd = 0, channelBegin = work.inChannels, channelEnd = 0,
                later = 0, brought = 0;
            double mostRows = 1, mostColumns = 1;
            for (const int number : member.groups) {
                const ArrayGroupShape& group = partition.groups[std::size_t(number)];
                const int base = group.blockBegin * work.inOfGroup(), width = group.blocks * work.inOfGroup();
                const int first = group.rowBegin / width, last = (group.rowBegin + group.rows - 1) / width;
                channelBegin = std::min(channelBegin, first == last ? base + group.rowBegin % width : base);
                channelEnd = std::max(channelEnd, first == last ? base + group.rowBegin % width + group.rows
                                                                : base + width);
                const auto [begin, end] = outputChannels(work, group);
                outBegin = std::min(outBegin, begin);
                outEnd = std::max(outEnd, end);
                mostRows = std::max(mostRows, double(group.rows));
                mostColumns = std::max(mostColumns, double(group.columns));
                brought += first / work.window.kernelX != last / work.window.kernelX;
                const bool adds = spans || std::ranges::any_of(member.groups, [&](int other) {
                                      const ArrayGroupShape& before = partition.groups[std::size_t(other)];
                                      return other < number && before.phase == group.phase &&
                                             before.blockBegin == group.blockBegin &&
                                             before.columnBegin == group.columnBegin;
                                  });
                later += adds;
                part.sumNs += adds ? passNs(group.columns * m_wide) / phases / perWindow : 0;
            }
            part.width = outEnd - outBegin;
            part.issueNs = std::max(1.0, double(member.groups.size()) / phases) * m_chip.mvmIssueNs;
            // An array group takes a window when it is done with the last; places for vectors and sums come
            // free likewise.
            part.chainNs = std::max({m_chip.mvmNs / double(task.replicas.size()) / work.window.spreadX,
                                     later / phases * (m_chip.mvmNs + passNs(mostColumns * m_wide)) /
                                         slots(mostColumns * m_wide, member.groups.size()),
                                     brought / phases * m_chip.mvmNs /
                                         slots(mostRows * m_chip.activationBytes(), member.groups.size())});
            share.parts.push_back(part);
            addFeeds(share, member.core, 0, channelBegin, channelEnd);
        }
    }

    /// What \p core reads of an input for the share.
    void addFeeds(PipelineShare& share, int core, int input, int channelBegin, int channelEnd) {
        const TaskShare& task = *share.task;
        const bool dealt = !share.layer->matrix() &&
                           task.channelEnd - task.channelBegin < share.layer->out.channels;
        for (const PixelSource& source :
             m_tasks.sources[std::size_t(share.layer->inputs[std::size_t(input)])]) {
            const int begin = std::max(source.at, channelBegin),
                      end = std::min(source.at + source.end - source.begin, channelEnd);
            if (end <= begin)
                continue;
            const CrossbarLayer& from = layer(source.layer);
            const int number = laneIn(core, source.layer, from.as<InputWork>() || from.as<HostWork>(), dealt);
            PipelineLane& lane = m_lanes[std::size_t(number)];
            lane.channelBegin = std::min(lane.channelBegin, source.begin + begin - source.at);
            lane.channelEnd = std::max(lane.channelEnd, source.begin + end - source.at);
            for (int y = 0; y < std::ssize(task.rows); ++y) {
                const ColumnSpan span = task.rows[std::size_t(y)];
                if (span.empty())
                    continue;
                const InputWindow window = inputWindow(*share.layer, from.out, std::size_t(input), y, span);
                const ColumnSpan columns = meet(window.columns, {0, from.out.width});
                lane.columns.include(columns);
                lane.rowBegin = std::min(lane.rowBegin, std::max(0, window.rowBegin));
                lane.rowEnd = std::max(lane.rowEnd, std::min(from.out.height, window.rowEnd));
                for (int row = window.rowBegin; row < window.rowEnd; row += window.rowStep)
                    if (row >= 0 && row < from.out.height)
                        lane.want[std::size_t(row)].include(columns);
            }
            lane.readers.push_back(int(m_shares.size()));
            lane.feeds.emplace_back(int(m_shares.size()), int(share.feeds.size()));
            share.feeds.push_back({number, input, source.layer, 0});
        }
    }

    void findTargets(PipelineShare& share) const {
        const TaskShare& task = *share.task;
        ColumnSpan columns;
        int rowBegin = 1 << 30, rowEnd = 0;
        for (int y = 0; y < std::ssize(task.rows); ++y)
            if (!task.rows[std::size_t(y)].empty()) {
                columns.include(task.rows[std::size_t(y)]);
                rowBegin = std::min(rowBegin, y);
                rowEnd = y + 1;
            }
        for (const int number : m_lanesOf[std::size_t(task.layer)]) {
            const PipelineLane& lane = m_lanes[std::size_t(number)];
            if (number != share.outLane && !meet(lane.columns, columns).empty() && lane.rowBegin < rowEnd &&
                rowBegin < lane.rowEnd &&
                std::max(lane.channelBegin, task.channelBegin) < std::min(lane.channelEnd, task.channelEnd))
                share.targets.push_back(number);
        }
    }
    /// Of the band that share.y is in.
    int lastRow(const PipelineShare& share) const {
        int y = std::min(int(share.task->rows.size()), m_tasks.handedAfter(*share.task, share.y)) - 1;
        while (share.task->rows[std::size_t(y)].empty())
            --y;
        return y;
    }
    void nextRow(PipelineShare& share) {
        const auto& rows = share.task->rows;
        for (++share.y; share.y < std::ssize(rows) && rows[std::size_t(share.y)].empty();)
            ++share.y;
        share.done = share.y >= std::ssize(rows);
        if (share.done)
            return;
        const int atOnce = m_tasks.rowsAtOnce[std::size_t(share.task->layer)];
        share.begun = (share.y - share.task->firstRow()) % atOnce != 0;
        const ColumnSpan row = rows[std::size_t(share.y)];
        share.span = {row.begin, std::min(row.end, row.begin + share.piece)};
        const int last = !share.parts.empty() && isWhole(share) ? lastRow(share) : share.y;
        for (PipelineFeed& feed : share.feeds) {
            const PixelMap& in = layer(feed.source).out;
            feed.need = std::min(in.height,
                                 inputWindow(*share.layer, in, std::size_t(feed.input), last, row).rowEnd);
        }
    }
    void nextJob(PipelineShare& share) {
        const ColumnSpan row = share.task->rows[std::size_t(share.y)];
        if (share.span.end >= row.end)
            nextRow(share);
        else
            share.span = {share.span.end, std::min(row.end, share.span.end + share.piece)};
    }

    bool ready(PipelineShare& share) const {
        const auto isHere = [&](const PipelineFeed& feed) {
            const PipelineLane& lane = m_lanes[std::size_t(feed.lane)];
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
            PipelineLane& lane = m_lanes[std::size_t(feed.lane)];
            for (; lane.global && lane.complete < feed.need; ++lane.complete)
                m_clocks.load(lane.core,
                              double(lane.missing[std::size_t(lane.complete)]) * m_chip.activationBytes());
        }
    }

    double front(int core) const { return m_clocks.front(core); }
    int coreOf(const PipelineStep& step) const {
        return step.kind == PipelineStep::Kind::Transfer ? m_transfers[step.transfer].from
                                                         : m_shares[std::size_t(step.share)].head();
    }
    /// As the schedule has it: bands that are computed without a break.
    bool isWhole(const PipelineShare& share) const {
        return m_clocks.drains() && m_tasks.rowsAtOnce[std::size_t(share.task->layer)] > 1;
    }
    /// When a core can begin a product of a share.
    double productFront(int core, const PipelineShare& share) const {
        const bool whole = isWhole(share);
        if (!m_clocks.drains() || (whole && share.begun))
            return front(core);
        const auto drained = [this](int other) { return m_clocks.drained(other); };
        if (whole)
            return m_pending.heldUntil(core, front(core), drained);
        return m_pending.heldUntil(
            core, front(core), m_chip.mvmNs, drained,
            [this](std::size_t transfer) { return isUrgent(m_transfers[transfer]); });
    }
    /// Does the next job of a reader wait for this row last?
    bool isUrgent(const PipelineTransfer& transfer) const {
        const PipelineLane& lane = m_lanes[std::size_t(transfer.lane)];
        return std::ranges::any_of(lane.feeds, [&](const std::pair<int, int>& at) {
            const PipelineShare& share = m_shares[std::size_t(at.first)];
            return transfer.row + 1 == share.feeds[std::size_t(at.second)].need;
        });
    }
    StepWait waitOf(const PipelineStep& step) const {
        StepWait wait;
        if (step.kind == PipelineStep::Kind::Transfer) {
            const PipelineTransfer& transfer = m_transfers[step.transfer];
            wait.atCore(transfer.from, m_clocks.drained(transfer.from));
            if (const int to = m_lanes[std::size_t(transfer.lane)].core;
                m_chip.synchronous || m_clocks.drains())
                wait.atCore(to, m_clocks.drained(to));
            return wait;
        }
        const PipelineShare& share = m_shares[std::size_t(step.share)];
        wait.atCore(share.head(), front(share.head()));
        if (step.kind == PipelineStep::Kind::End) {
            wait.until(step.productsNs);
            return wait;
        }
        for (const PipelinePart& part : share.parts)
            wait.atCore(part.core, productFront(part.core, share));
        if (!share.parts.empty())
            wait.until(share.replicaFree[share.turn % share.replicaFree.size()]);
        wait.until(share.arrivedNs);
        return wait;
    }
    void wake(int number) {
        PipelineShare& share = m_shares[std::size_t(number)];
        if (share.queued || share.done || (share.window == 0 && !ready(share)))
            return;
        share.queued = true;
        m_steps.push({.kind = PipelineStep::Kind::Work, .layer = share.task->layer, .share = number});
    }

    void perform(const PipelineStep& step) {
        if (step.kind == PipelineStep::Kind::Transfer) {
            exchange(step.transfer);
            return;
        }
        PipelineShare& share = m_shares[std::size_t(step.share)];
        if (step.kind == PipelineStep::Kind::End) {
            m_clocks.waitUntil(share.head(), step.productsNs);
            finish(step.share, step.y, step.span);
            return;
        }
        share.queued = false;
        share.begun = true;
        m_clocks.waitUntil(share.head(), share.arrivedNs);
        for (const PipelinePart& part : share.parts)
            m_clocks.waitUntil(part.core, share.arrivedNs);
        if (share.window == 0)
            loadInputs(share);
        if (share.parts.empty()) {
            vector(step.share);
        } else {
            // Nothing comes between the windows of a band in one core.
            const bool whole = isWhole(share) && share.parts.size() == 1;
            bool goesOn = true;
            do
                goesOn = window(step.share, whole);
            while (whole && goesOn);
        }
        wake(step.share);
    }

    void vector(int number) {
        PipelineShare& share = m_shares[std::size_t(number)];
        const double ns = vectorNs(share);
        m_clocks.vectorWork(share.head(), ns, share.layer->as<ElementWork>() ? ns : 0);
        publish(number, share.y, share.span);
        nextJob(share);
    }
    /// One window, or the pieces it is the first to read: products of all cores of a replica are issued.
    /// \param whole: the end of a row that is not the last of its band need not wait for its turn.
    /// \returns whether the band goes on.
    bool window(int number, bool whole) {
        PipelineShare& share = m_shares[std::size_t(number)];
        const int x = share.span.begin + share.window;
        const std::size_t steps = share.pieces ? share.pieces->of(share.y, {x, x + 1}).size() : 1;
        for (std::size_t step = 0; step < steps; ++step)
            share.issuedNs = issue(share);
        if (++share.window < share.span.size())
            return true;
        share.window = 0;
        const PipelineStep end{.kind = PipelineStep::Kind::End,
                               .layer = share.task->layer,
                               .share = number,
                               .y = share.y,
                               .span = share.span,
                               .productsNs = share.issuedNs + m_chip.mvmNs};
        nextJob(share);
        const bool goesOn = share.begun && !share.done;
        if (whole && goesOn)
            finish(number, end.y, end.span);
        else
            m_steps.push(end);
        return goesOn;
    }
    /// \returns when the last product is issued.
    double issue(PipelineShare& share) {
        double& replicaFree = share.replicaFree[share.turn++ % share.replicaFree.size()];
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
    void finish(int number, int y, ColumnSpan span) {
        const PipelineShare& share = m_shares[std::size_t(number)];
        const CrossbarLayer& l = *share.layer;
        const double windows = span.size();
        for (const PipelinePart& part : share.parts) {
            if (&part == &share.parts.front())
                continue;
            const double bytes = windows * part.width * m_wide;
            m_clocks.transfer(part.core, share.head(), bytes);
            m_clocks.vectorWork(share.head(), passNs(bytes), passNs(bytes));
        }
        const double biasNs = passNs(windows * l.out.channels * m_wide);
        m_clocks.vectorWork(share.head(), biasNs, biasNs);
        const VectorOp function = l.activation.op;
        if (function != VectorOp::None && function != VectorOp::Relu && function != VectorOp::Clip)
            m_clocks.vectorWork(share.head(), passNs(windows * l.out.channels * m_chip.activationBytes()), 0);
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

    void publish(int number, int y, ColumnSpan span) {
        PipelineShare& share = m_shares[std::size_t(number)];
        const TaskShare& task = *share.task;
        const int channels = task.channelEnd - task.channelBegin;
        const double now = m_clocks.done(share.head());
        double& end = m_times.layerEndNs[std::size_t(task.layer)];
        end = std::max(end, now);
        if (share.layer->isOutput)
            m_lastStore = std::max(
                m_lastStore,
                m_clocks.store(share.head(), now, double(span.size()) * channels * m_chip.activationBytes()));
        arrive(m_lanes[std::size_t(share.outLane)], y, span, channels, now);
        for (const int target : share.targets) {
            const PipelineLane& lane = m_lanes[std::size_t(target)];
            const ColumnSpan wanted = meet(span, lane.want[std::size_t(y)]);
            const int shared =
                std::min(lane.channelEnd, task.channelEnd) - std::max(lane.channelBegin, task.channelBegin);
            if (wanted.empty())
                continue;
            if (lane.core == share.head())
                arrive(m_lanes[std::size_t(target)], y, wanted, shared, now);
            else
                share.unsent.push_back({target, y, shared, wanted});
        }
        share.left -= span.size();
        const bool rowEnds = span.end >= task.rows[std::size_t(y)].end;
        if (m_tasks.rowsAtOnce[std::size_t(task.layer)] == 1 || share.left == 0 ||
            (rowEnds && y + 1 >= m_tasks.handedAfter(task, y)))
            send(share);
        if (share.left == 0)
            handToHost(share, now);
    }

    /// Core after core gets its part of a band.
    void send(PipelineShare& share) {
        std::ranges::stable_sort(share.unsent, {}, &PipelinePiece::lane);
        for (std::size_t begin = 0, end = 0; begin < share.unsent.size(); begin = end) {
            const int lane = share.unsent[begin].lane;
            while (end < share.unsent.size() && share.unsent[end].lane == lane)
                ++end;
            m_transfers.push_back({share.head(), lane, share.unsent[end - 1].row,
                                   {share.unsent.begin() + std::ptrdiff_t(begin),
                                    share.unsent.begin() + std::ptrdiff_t(end)}});
            if (m_clocks.drains())
                m_pending.add(pairOf(m_transfers.size() - 1), front(share.head()));
            m_steps.push({.kind = PipelineStep::Kind::Transfer,
                          .layer = share.task->layer,
                          .transfer = m_transfers.size() - 1});
        }
        share.unsent.clear();
    }

    /// All of a share is in global memory, where the host may have waited for it, and others for the host.
    void handToHost(const PipelineShare& share, double ns) {
        m_host.shareEnded(share.task->layer, ns);
        for (const auto& [layer, since] : m_host.takeNew())
            for (const int number : m_lanesOf[std::size_t(layer)])
                for (const int reader : m_lanes[std::size_t(number)].readers) {
                    m_shares[std::size_t(reader)].arrivedNs =
                        std::max(m_shares[std::size_t(reader)].arrivedNs, since);
                    wake(reader);
                }
    }

    void arrive(PipelineLane& lane, int row, ColumnSpan span, int channels, double ns) {
        const auto at = std::size_t(row);
        lane.missing[at] -= meet(span, lane.want[at]).size() * channels;
        while (lane.complete < std::ssize(lane.missing) && lane.missing[std::size_t(lane.complete)] <= 0)
            ++lane.complete;
        for (const int reader : lane.readers) {
            m_shares[std::size_t(reader)].arrivedNs = std::max(m_shares[std::size_t(reader)].arrivedNs, ns);
            wake(reader);
        }
    }

    PendingTransfers::Pair pairOf(std::size_t number) const {
        const PipelineTransfer& transfer = m_transfers[number];
        return {transfer.from, m_lanes[std::size_t(transfer.lane)].core, number};
    }
    void exchange(std::size_t number) {
        const PipelineTransfer transfer = std::move(m_transfers[number]);
        PipelineLane& lane = m_lanes[std::size_t(transfer.lane)];
        if (m_clocks.drains())
            m_pending.remove(pairOf(number));
        double bytes = 0;
        for (const PipelinePiece& piece : transfer.pieces)
            bytes += double(piece.span.size()) * piece.channels * m_chip.activationBytes();
        const double end = m_clocks.transfer(transfer.from, lane.core, bytes);
        for (const PipelinePiece& piece : transfer.pieces)
            arrive(lane, piece.row, piece.span, piece.channels, end);
    }

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    const CrossbarMapping& m_mapping;
    CrossbarTasks m_tasks;
    double m_wide; ///< Bytes of an accumulator.
    PipelineClocks m_clocks;
    PendingTransfers m_pending;
    std::vector<int> m_laneOf; ///< [(layer, dealt out by channels) * cores + core]
    std::vector<PipelineLane> m_lanes;
    std::vector<std::vector<int>> m_lanesOf; ///< [layer]
    std::vector<PipelineShare> m_shares;
    HostResults m_host;
    StepQueue<PipelineStep, RowPipeline> m_steps;
    std::vector<PipelineTransfer> m_transfers; ///< All there have been.
    double m_lastStore = 0;
    RowPipelineTimes m_times;
};

} // namespace

RowPipelineTimes rowPipelineTimes(const CrossbarNetwork& network, const CrossbarChip& chip,
                                  const CrossbarMapping& mapping, CrossbarReferee rules, double limitNs) {
    return RowPipeline(network, chip, mapping, rules).run(limitNs);
}

} // namespace pim
