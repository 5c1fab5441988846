// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/pipeline_shares.h"

#include "backends/crossbar/instruction.h"
#include "backends/crossbar/schedule/schedule.h"

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

class SharesBuilder {
public:
    SharesBuilder(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                  const CrossbarTasks& tasks)
        : m_network(network), m_chip(chip), m_mapping(mapping), m_tasks(tasks),
          m_wide(CrossbarProgram{}.accumulatorElements * chip.activationBytes()),
          m_laneOf(2 * network.layers.size() * std::size_t(chip.cores())), m_lanesOf(network.layers.size()) {}

    PipelineShares build() {
        for (const auto& shares : m_tasks.shares)
            for (const TaskShare& task : shares)
                addShare(task);
        for (PipelineLane& lane : m_lanes)
            for (std::size_t row = 0; row < lane.want.size(); ++row)
                lane.missing[row] = lane.want[row].size() * lane.channels();
        for (PipelineShare& share : m_shares) {
            findTargets(share);
            // One a replica, and of a transposed convolution one a phase: see RowShares::takers().
            const std::size_t phases =
                share.layer->matrix() ? std::size_t(share.layer->matrix()->window.spreadX) : 1;
            share.replicaFree.assign(std::max<std::size_t>(1, share.task->replicas.size()) * phases, 0);
        }
        return {std::move(m_lanes), std::move(m_lanesOf), std::move(m_shares)};
    }

private:
    const CrossbarLayer& layer(LayerId position) const { return m_network.layers[position.index()]; }
    double passNs(double bytes) const { return std::ceil(bytes / m_chip.vectorBytes) * m_chip.vectorNs; }

    /// \param dealt: some channels of one that others of the core may have all of.
    LaneId laneIn(CoreId core, LayerId position, bool global, bool dealt) {
        const std::size_t cores = std::size_t(m_chip.cores());
        LaneId& lane = m_laneOf[(position.index() * 2 + std::size_t(dealt)) * cores + core.index()];
        if (!lane.valid()) {
            lane = LaneId(std::ssize(m_lanes));
            PipelineLane& made = m_lanes.emplace_back();
            made.core = core;
            made.layer = position;
            made.global = global;
            const auto height = std::size_t(layer(position).out.height);
            made.want.resize(height);
            made.missing.resize(height);
            m_lanesOf[position.index()].push_back(lane);
        }
        return lane;
    }

    void addShare(const TaskShare& task) {
        PipelineShare share;
        share.task = &task;
        share.head = task.core;
        share.layer = &layer(task.layer);
        const bool all = task.channelEnd - task.channelBegin == share.layer->out.channels;
        if (share.layer->matrix())
            addParts(share);
        else // one pixel may be dealt out by channels
            for (std::size_t input = 0; input < share.layer->inputs.size(); ++input)
                addFeeds(share, task.core, int(input), all ? 0 : task.channelBegin,
                         all ? 1 << 30 : task.channelEnd);
        share.outLane = laneIn(task.core, task.layer, false, false);
        PipelineLane& out = m_lanes[share.outLane.index()];
        out.channelBegin = std::min(out.channelBegin, task.channelBegin);
        out.channelEnd = std::max(out.channelEnd, task.channelEnd);
        const double each =
            double(share.layer->out.channels) * (share.parts.empty() ? m_chip.activationBytes() : m_wide);
        share.piece = std::max(
            1, int(double(m_chip.localBytes) / memoryShareOf(m_chip, CrossbarMode::LowLatency) / each));
        share.block =
            columnsOfPiece(share.layer->out, m_chip, memoryShareOf(m_chip, CrossbarMode::LowLatency));
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
            for (const GroupId number : member.groups) {
                const ArrayGroupShape& group = partition.groups[number.index()];
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
                const bool adds = spans || std::ranges::any_of(member.groups, [&](GroupId other) {
                                      const ArrayGroupShape& before = partition.groups[other.index()];
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
    void addFeeds(PipelineShare& share, CoreId core, int input, int channelBegin, int channelEnd) {
        const TaskShare& task = *share.task;
        const bool dealt =
            !share.layer->matrix() && task.channelEnd - task.channelBegin < share.layer->out.channels;
        for (const PixelSource& source : m_tasks.sources[share.layer->inputs[std::size_t(input)].index()]) {
            const int begin = std::max(source.at, channelBegin),
                      end = std::min(source.at + source.end - source.begin, channelEnd);
            if (end <= begin)
                continue;
            const CrossbarLayer& from = layer(source.layer);
            const LaneId number =
                laneIn(core, source.layer, from.as<InputWork>() || from.as<HostWork>(), dealt);
            PipelineLane& lane = m_lanes[number.index()];
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
            lane.readers.push_back(ShareId(std::ssize(m_shares)));
            lane.feeds.emplace_back(ShareId(std::ssize(m_shares)), int(share.feeds.size()));
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
        for (const LaneId number : m_lanesOf[task.layer.index()]) {
            const PipelineLane& lane = m_lanes[number.index()];
            if (number != share.outLane && !meet(lane.columns, columns).empty() && lane.rowBegin < rowEnd &&
                rowBegin < lane.rowEnd &&
                std::max(lane.channelBegin, task.channelBegin) < std::min(lane.channelEnd, task.channelEnd))
                share.targets.push_back(number);
        }
    }

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    const CrossbarMapping& m_mapping;
    const CrossbarTasks& m_tasks;
    double m_wide;                ///< Bytes of an accumulator.
    std::vector<LaneId> m_laneOf; ///< [(layer, dealt out by channels) * cores + core]
    std::vector<PipelineLane> m_lanes;
    std::vector<std::vector<LaneId>> m_lanesOf; ///< [layer]
    std::vector<PipelineShare> m_shares;
};

} // namespace

PipelineShares pipelineShares(const CrossbarNetwork& network, const CrossbarChip& chip,
                              const CrossbarMapping& mapping, const CrossbarTasks& tasks) {
    return SharesBuilder(network, chip, mapping, tasks).build();
}

} // namespace pim
