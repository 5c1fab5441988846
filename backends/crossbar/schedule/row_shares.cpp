// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/row_shares.h"

#include <algorithm>
#include <array>
#include <limits>

namespace pim {
namespace {

/// The part of a source that is of these channels of the input; where there are none its end is not behind its begin.
PixelSource cutTo(const PixelSource& source, int channelBegin, int channelEnd) {
    const int begin = std::max(source.at, channelBegin),
              end = std::min(source.at + source.end - source.begin, channelEnd);
    return {source.layer, source.begin + begin - source.at, source.begin + end - source.at, begin};
}

} // namespace

MemoryShares memoryShares(const ScheduleOptions& options, CoreId core) {
    constexpr std::array<MemoryShares, 5> kLevels{
        {{1, 1, true}, {4, 1, false}, {4, 2, false}, {16, 4, false}, {16, 32, false}}};
    const std::size_t level = options.tight.empty() ? 0 : options.tight[core.index()];
    return kLevels[std::min(level, kLevels.size() - 1)];
}

bool RowMember::worksOn(int y, const PixelWindow& window) const {
    for (int x = 0; x < window.spreadX; ++x)
        if (!ofPhase[std::size_t(window.phaseOf(y, x))].empty())
            return true;
    return false;
}

int RowShare::firstRowOf(const RowJob& job) const {
    return pieces ? pieces->firstRow(job.y) : std::numeric_limits<int>::min();
}

std::size_t RowShare::jobOf(int y, int x) const {
    const auto isBefore = [](const RowJob& job, const std::pair<int, int>& at) {
        return job.y < at.first || (job.y == at.first && job.span.end <= at.second);
    };
    return std::size_t(std::lower_bound(jobs.begin(), jobs.end(), std::pair(y, x), isBefore) - jobs.begin());
}

int RowShare::steps(const RowJob& job) const {
    return pieces ? std::max(1, int(pieces->of(job.y, job.span).size())) : job.span.size();
}

RowShares::RowShares(const ScheduleInput& in, Lanes& lanes)
    : m_in(in), m_lanes(lanes), m_ofLayer(in.network.layers.size()),
      m_isLoaded(in.network.layers.size(), false) {
    for (const auto& shares : in.tasks.shares)
        for (const TaskShare& task : shares)
            add(task);
    lanes.listWanting();
    m_readersOf.resize(lanes.size());
}

std::size_t RowShares::indexOf(ShareId share) const {
    return std::size_t(share.value - of((*this)[share].task->layer).front().value);
}

std::size_t RowShares::takers(ShareId share) const {
    const TaskShare& task = *(*this)[share].task;
    const MatrixWork* work = m_in.layer(task.layer).matrix();
    return std::max<std::size_t>(1, task.replicas.size()) * std::size_t(work ? work->window.spreadX : 1);
}

bool RowShares::isPaced(ShareId share) const {
    return !m_in.tasks.times[(*this)[share].task->layer.index()].empty();
}

double RowShares::timeOf(const RowJob& job, double done) const {
    const TaskShare& task = *(*this)[job.share].task;
    const RowTime& row = m_in.tasks.times[task.layer.index()][indexOf(job.share)][std::size_t(job.y)];
    const ColumnSpan whole = task.rows[std::size_t(job.y)];
    return row.begin +
           (row.end - row.begin) * (job.span.begin - whole.begin + done * job.span.size()) / whole.size();
}

InputWindow RowShares::windowOf(const CrossbarLayer& layer, const PixelMap& in, const RowFeed& feed,
                                const RowJob& job, const RowMember* member) {
    InputWindow window = inputWindow(layer, in, std::size_t(feed.input), job.y, job.span);
    if (member && layer.matrix()->window.phases() == 1) {
        const PixelWindow& w = layer.matrix()->window;
        window.rowEnd = window.rowBegin + (member->kernelRowEnd - 1) * w.dilationY + 1;
        window.rowBegin += member->kernelRowBegin * w.dilationY;
        window.columns.end -= (w.kernelX - member->kernelColumnEnd) * w.dilationX;
        window.columns.begin += member->kernelColumnBegin * w.dilationX;
    }
    return window;
}

void RowShares::add(const TaskShare& task) {
    const ShareId number(std::ssize(m_shares));
    m_ofLayer[task.layer.index()].push_back(number);
    const CrossbarLayer& l = m_in.layer(task.layer);
    RowShare& share = m_shares.emplace_back();
    share.task = &task;
    share.matrix = !task.members.empty();
    share.mapping = m_in.mapping.of(task.layer);
    if (share.matrix && spansWindows(*l.matrix(), task.unfolding))
        share.pieces.emplace(l, task.unfolding, task.rows);
    if (share.matrix) {
        share.members.reserve(task.members.size());
        for (const TaskMember& member : task.members)
            addMember(share, member);
        findStretches(share);
    } else {
        addVectorFeeds(share);
    }
    const bool kept = m_in.lowLatency() || m_in.tasks.handedOn[task.layer.index()] ||
                      std::ranges::any_of(l.readers, [&](LayerId reader) {
                          return m_in.tasks.fusedWith[reader.index()] == task.layer;
                      });
    if (kept) {
        share.outLane = m_lanes.findOrAdd(task.core, task.layer, task.channelBegin, task.channelEnd, false);
        Lane& lane = m_lanes[share.outLane];
        for (const ColumnSpan span : task.rows)
            lane.include(span);
    }
    cutJobs(share);
    for (const RowMember& member : share.members)
        for (const auto& groups : member.ofPhase)
            share.turns = std::max(share.turns, int(groups.size()));
}

void RowShares::addVectorFeeds(RowShare& share) {
    const TaskShare& task = *share.task;
    const CrossbarLayer& l = m_in.layer(task.layer);
    const bool all = task.channelEnd - task.channelBegin == l.out.channels;
    for (std::size_t input = 0; input < l.inputs.size(); ++input)
        for (PixelSource source : m_in.tasks.sources[l.inputs[input].index()]) {
            if (!all) // one pixel dealt out by channels
                source = cutTo(source, task.channelBegin, task.channelEnd);
            if (source.end > source.begin)
                addFeed(share, nullptr, task.core, {source, int(input), {}});
        }
}

void RowShares::addMember(RowShare& share, const TaskMember& member) {
    const CrossbarLayer& l = m_in.layer(share.task->layer);
    const MatrixWork& work = *l.matrix();
    RowMember& made = share.members.emplace_back();
    made.core = member.core;
    made.groups = member.groups;
    made.ofPhase.resize(std::size_t(work.window.phases()));
    made.kernelRowBegin = work.window.kernelY;
    made.kernelRowEnd = 0;
    made.kernelColumnBegin = work.window.kernelX;
    made.kernelColumnEnd = 0;
    made.channelBegin = work.inChannels;
    made.outBegin = work.outChannels;
    for (const GroupId number : member.groups)
        addGroup(made, share.mapping->partition, number, work);
    for (const PixelSource& source : m_in.tasks.sources[l.inputs[0].index()])
        if (const PixelSource part = cutTo(source, made.channelBegin, made.channelEnd); part.end > part.begin)
            addFeed(share, &made, member.core, {part, 0, {}});
}

void RowShares::addGroup(RowMember& made, const LayerPartition& partition, GroupId number,
                         const MatrixWork& work) const {
    const ArrayGroupShape& group = partition.groups[number.index()];
    const int base = group.blockBegin * work.inOfGroup(), width = group.blocks * work.inOfGroup();
    made.places.push_back({group, phaseWindow(work.window, group.phase).window, base, width,
                           group.blockBegin * work.outOfGroup() + group.columnBegin});
    // places of the kernel
    const int first = group.rowBegin / width, last = (group.rowBegin + group.rows - 1) / width;
    const bool onePlace = first == last, oneRow = first / work.window.kernelX == last / work.window.kernelX;
    // Rows are those of phases or of a part of the window, windows those of all.
    const bool whole = work.window.phases() > 1 || spansWindows(work, partition.unfolding);
    made.ofPhase[std::size_t(group.phase)].push_back(made.first.size());
    made.kernelRowBegin = whole ? 0 : std::min(made.kernelRowBegin, first / work.window.kernelX);
    made.kernelRowEnd =
        whole ? work.window.kernelY : std::max(made.kernelRowEnd, last / work.window.kernelX + 1);
    made.kernelColumnBegin =
        whole ? 0 : std::min(made.kernelColumnBegin, oneRow ? first % work.window.kernelX : 0);
    made.kernelColumnEnd = whole || !oneRow ? work.window.kernelX
                                            : std::max(made.kernelColumnEnd, last % work.window.kernelX + 1);
    made.channelBegin = std::min(made.channelBegin, onePlace ? base + group.rowBegin % width : base);
    made.channelEnd = std::max(
        made.channelEnd, onePlace ? base + (group.rowBegin + group.rows - 1) % width + 1 : base + width);
    const auto [outBegin, outEnd] = outputChannels(work, group);
    made.outBegin = std::min(made.outBegin, outBegin);
    made.outEnd = std::max(made.outEnd, outEnd);
    made.first.push_back(std::ranges::none_of(made.groups, [&](GroupId other) {
        const ArrayGroupShape& before = partition.groups[other.index()];
        return other < number && before.phase == group.phase && before.blockBegin == group.blockBegin &&
               before.columnBegin == group.columnBegin;
    }));
}

/// To those of the member, or without one to those of the share.
void RowShares::addFeed(RowShare& share, RowMember* member, CoreId core, RowFeed feed) {
    const TaskShare& task = *share.task;
    const PixelSource& source = feed.source;
    const CrossbarLayer &l = m_in.layer(task.layer), &from = m_in.layer(source.layer);
    const bool inGlobal = from.as<InputWork>() || from.as<HostWork>();
    const bool loaded = inGlobal || (!m_in.lowLatency() && !m_in.tasks.together(task.layer, source.layer));
    feed.lane = m_lanes.findOrAdd(core, source.layer, source.begin, source.end, loaded,
                                  m_in.tasks.stage[task.layer.index()]);
    Lane& lane = m_lanes[feed.lane];
    const ShareId number(std::ssize(m_shares) - 1);
    for (int y = 0; y < std::ssize(task.rows); ++y) {
        const RowJob job{number, y, task.rows[std::size_t(y)]};
        if (job.span.empty())
            continue;
        const InputWindow window = windowOf(l, from.out, feed, job, member);
        const ColumnSpan columns = window.columns.within({0, from.out.width});
        lane.include(window.columns);
        std::int64_t rows = 0;
        for (int row = window.rowBegin; row < window.rowEnd; row += window.rowStep)
            if (row >= 0 && row < from.out.height) {
                lane.want[std::size_t(row)].include(columns);
                ++rows;
            }
        lane.window = std::max(lane.window, rows * columns.size() * lane.channels());
    }
    share.readers.push_back(m_lanes.addReader(feed.lane));
    m_readersOf.resize(std::max(m_readersOf.size(), feed.lane.index() + 1));
    m_readersOf[feed.lane.index()].push_back(number);
    share.readerRows.emplace_back(feed.input,
                                  member ? member->kernelRowBegin * l.matrix()->window.dilationY : 0);
    m_isLoaded[source.layer.index()] = m_isLoaded[source.layer.index()] || loaded;
    (member ? member->feeds : share.feeds).push_back(feed);
}

/// For sums of other cores: which channels have one when theirs come.
void RowShares::findStretches(RowShare& share) const {
    if (share.members.size() < 2)
        return;
    const CrossbarLayer& l = m_in.layer(share.task->layer);
    // see RowEngine::clearUncovered(), RowEngine::openSums()
    const bool cleared = l.matrix()->window.phases() > 1 || share.pieces;
    std::vector<bool> covered(std::size_t(l.out.channels), cleared);
    for (RowMember& member : share.members) {
        for (int begin = member.outBegin, end = begin; begin < member.outEnd; begin = end) {
            while (end < member.outEnd && covered[std::size_t(end)] == covered[std::size_t(begin)])
                ++end;
            member.stretches.push_back({{begin, end}, covered[std::size_t(begin)]});
        }
        for (const GroupPlace& place : member.places) {
            const auto [begin, end] = outputChannels(*l.matrix(), place.shape);
            std::fill(covered.begin() + begin, covered.begin() + end, true);
        }
    }
}

void RowShares::cutJobs(RowShare& share) {
    const TaskShare& task = *share.task;
    const std::int64_t elements = m_in.chip.localBytes / m_in.chip.activationBytes();
    const std::int64_t each = std::int64_t(m_in.layer(task.layer).out.channels) *
                              (share.matrix ? m_in.chip.accumulatorElements() : 1);
    int stretches = memoryShares(m_in.options, task.core).stretch;
    for (const TaskMember& member : task.members)
        stretches = std::max(stretches, memoryShares(m_in.options, member.core).stretch);
    const int most = int(std::clamp<std::int64_t>(
        elements / m_in.options.memoryShare / stretches / std::max<std::int64_t>(1, each), 1, 1 << 20));
    const ShareId number(std::ssize(m_shares) - 1);
    // A result lies in one piece of its lane.
    const int block = share.outLane.valid() ? m_lanes[share.outLane].block : 1 << 30;
    for (int y = 0; y < std::ssize(task.rows); ++y)
        for (int x = task.rows[std::size_t(y)].begin, end = 0; x < task.rows[std::size_t(y)].end; x = end) {
            end = std::min({x + most, (x / block + 1) * block, task.rows[std::size_t(y)].end});
            share.jobs.push_back({number, y, {x, end}});
        }
}

} // namespace pim
