// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/row_engine.h"

#include "backends/crossbar/schedule/running.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pim {
namespace {

ColumnSpan meet(ColumnSpan a, ColumnSpan b) {
    return a.within(b);
}

bool isVirtual(const CrossbarLayer& layer) {
    const auto* concat = layer.as<ConcatWork>();
    return concat && concat->axis == ConcatAxis::Channels;
}

} // namespace

RowEngine::RowEngine(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                     const ScheduleOptions& options)
    : m_network(network), m_chip(chip), m_mapping(mapping), m_options(options),
      m_tasks(dealOutTasks(network, chip, mapping,
                           options.fuse && mapping.mode == CrossbarMode::HighThroughput, options.mostTwice,
                           options.grouping)),
      m_lanes(network, chip, m_result.program, options.memoryShare, m_nextGlobal),
      m_sharesOf(network.layers.size()), m_stored(network.layers.size(), false),
      m_rings(std::size_t(chip.cores())), m_clocks(m_result.program, chip, options.rules) {
    m_result.program.accumulatorElements = chip.accumulatorElements();
    m_result.program.cores.resize(std::size_t(chip.cores()));
    m_result.program.groupEnds.resize(std::size_t(chip.cores()));
    for (const auto& shares : m_tasks.shares)
        for (const TaskShare& task : shares)
            addShare(task);
    m_lanes.listWanting();
    m_readersOf.resize(m_lanes.size());
    m_unsent.resize(m_shares.size());
    for (const ShareId share : FirstIds<ShareId>(std::ssize(m_shares))) {
        countProducts(share);
        countElements(share);
    }
    for (const LaneId lane : FirstIds<LaneId>(m_lanes.size()))
        m_rings[m_lanes[lane].core.index()].rows += m_lanes[lane].window;
    planKept();
    placeMaps();
    std::vector<int> working(network.layers.size(), 0);
    for (const Share& share : m_shares)
        working[share.task->layer.index()] += !share.jobs.empty();
    m_host.plan(network, m_tasks, std::move(working));
}

/// Position of a share among those of its layer.
std::size_t RowEngine::indexOf(ShareId share) const {
    return std::size_t(share.value - m_sharesOf[m_shares[share.index()].task->layer.index()].front().value);
}

void RowEngine::addShare(const TaskShare& task) {
    const ShareId number(std::ssize(m_shares));
    m_sharesOf[task.layer.index()].push_back(number);
    Share& share = m_shares.emplace_back();
    share.task = &task;
    share.matrix = !task.members.empty();
    share.mapping = m_mapping.of(task.layer);
    m_members.emplace_back();
    m_feeds.emplace_back();
    m_early.emplace_back();
    m_pieces.emplace_back();
    if (share.matrix && spansWindows(*layer(task.layer).matrix(), task.unfolding))
        m_pieces.back().emplace(layer(task.layer), task.unfolding, task.rows);
    if (share.matrix) {
        m_members.back().reserve(task.members.size());
        for (const TaskMember& member : task.members)
            addMember(share, task, member);
        findStretches(number);
    } else {
        const CrossbarLayer& l = layer(task.layer);
        for (std::size_t input = 0; input < l.inputs.size(); ++input)
            for (PixelSource source : m_tasks.sources[l.inputs[input].index()]) {
                const bool all = task.channelEnd - task.channelBegin == l.out.channels;
                if (!all) { // one pixel dealt out by channels
                    const int begin = std::max(source.at, task.channelBegin),
                              end = std::min(source.at + source.end - source.begin, task.channelEnd);
                    if (end <= begin)
                        continue;
                    source = {source.layer, source.begin + begin - source.at, source.begin + end - source.at,
                              begin};
                }
                Feed feed{source, int(input), LaneId()};
                feed.lane = addFeed(share, task, task.core, int(input), source, nullptr);
                m_feeds.back().push_back(feed);
            }
    }
    const bool lowLatency = this->lowLatency();
    const bool kept = lowLatency || m_tasks.handedOn[task.layer.index()] ||
                      std::ranges::any_of(layer(task.layer).readers, [&](LayerId reader) {
                          return m_tasks.fusedWith[reader.index()] == task.layer;
                      });
    if (kept) {
        share.outLane = m_lanes.findOrAdd(task.core, task.layer, task.channelBegin, task.channelEnd, false);
        Lane& lane = m_lanes[share.outLane];
        for (const ColumnSpan span : task.rows)
            lane.include(span);
    }
    cutJobs(share);
    for (const Member& member : m_members.back())
        for (const auto& groups : member.ofPhase)
            share.turns = std::max(share.turns, int(groups.size()));
}

void RowEngine::addMember(Share& share, const TaskShare& task, const TaskMember& member) {
    const CrossbarLayer& l = layer(task.layer);
    const MatrixWork& work = *l.matrix();
    const LayerPartition& partition = share.mapping->partition;
    Member made;
    made.core = member.core;
    made.groups = member.groups;
    made.ofPhase.resize(std::size_t(work.window.phases()));
    made.kernelRowBegin = work.window.kernelY;
    made.kernelRowEnd = 0;
    made.kernelColumnBegin = work.window.kernelX;
    made.kernelColumnEnd = 0;
    made.channelBegin = work.inChannels;
    made.outBegin = work.outChannels;
    Rings& rings = m_rings[member.core.index()];
    for (const GroupId number : member.groups) {
        const ArrayGroupShape& group = partition.groups[number.index()];
        rings.vectorSize = std::max(rings.vectorSize, std::uint32_t(group.rows));
        rings.partialSize =
            std::max(rings.partialSize, std::uint32_t(group.columns * m_result.program.accumulatorElements));
        const int base = group.blockBegin * work.inOfGroup(), width = group.blocks * work.inOfGroup();
        made.places.push_back({group, phaseWindow(work.window, group.phase).window, base, width,
                               group.blockBegin * work.outOfGroup() + group.columnBegin});
        // places of the kernel
        const int first = group.rowBegin / width, last = (group.rowBegin + group.rows - 1) / width;
        const bool onePlace = first == last,
                   oneRow = first / work.window.kernelX == last / work.window.kernelX;
        // Rows are those of phases or of a part of the window, windows those of all.
        const bool whole = work.window.phases() > 1 || spansWindows(work, partition.unfolding);
        made.ofPhase[std::size_t(group.phase)].push_back(made.first.size());
        made.kernelRowBegin = whole ? 0 : std::min(made.kernelRowBegin, first / work.window.kernelX);
        made.kernelRowEnd =
            whole ? work.window.kernelY : std::max(made.kernelRowEnd, last / work.window.kernelX + 1);
        made.kernelColumnBegin =
            whole ? 0 : std::min(made.kernelColumnBegin, oneRow ? first % work.window.kernelX : 0);
        made.kernelColumnEnd = whole || !oneRow
                                   ? work.window.kernelX
                                   : std::max(made.kernelColumnEnd, last % work.window.kernelX + 1);
        made.channelBegin = std::min(made.channelBegin, onePlace ? base + group.rowBegin % width : base);
        made.channelEnd = std::max(
            made.channelEnd, onePlace ? base + (group.rowBegin + group.rows - 1) % width + 1 : base + width);
        const auto [outBegin, outEnd] = outputChannels(work, group);
        made.outBegin = std::min(made.outBegin, outBegin);
        made.outEnd = std::max(made.outEnd, outEnd);
        made.first.push_back(std::ranges::none_of(member.groups, [&](GroupId other) {
            const ArrayGroupShape& before = partition.groups[other.index()];
            return other < number && before.phase == group.phase && before.blockBegin == group.blockBegin &&
                   before.columnBegin == group.columnBegin;
        }));
    }
    for (PixelSource source : m_tasks.sources[l.inputs[0].index()]) {
        const int begin = std::max(source.at, made.channelBegin),
                  end = std::min(source.at + source.end - source.begin, made.channelEnd);
        if (end <= begin)
            continue;
        source = {source.layer, source.begin + begin - source.at, source.begin + end - source.at, begin};
        Feed feed{source, 0, LaneId()};
        feed.lane = addFeed(share, task, member.core, 0, source, &made);
        made.feeds.push_back(feed);
    }
    m_members.back().push_back(std::move(made));
}

/// What of an input a member reads, its part of the kernel alone.
InputWindow RowEngine::windowOf(const CrossbarLayer& layer, const PixelMap& in, int input, int y,
                                ColumnSpan span, const Member* member) {
    InputWindow window = inputWindow(layer, in, std::size_t(input), y, span);
    if (member && layer.matrix()->window.phases() == 1) {
        const PixelWindow& w = layer.matrix()->window;
        window.rowEnd = window.rowBegin + (member->kernelRowEnd - 1) * w.dilationY + 1;
        window.rowBegin += member->kernelRowBegin * w.dilationY;
        window.columns.end -= (w.kernelX - member->kernelColumnEnd) * w.dilationX;
        window.columns.begin += member->kernelColumnBegin * w.dilationX;
    }
    return window;
}

LaneId RowEngine::addFeed(Share& share, const TaskShare& task, CoreId core, int input,
                          const PixelSource& source, const Member* member) {
    const CrossbarLayer& l = layer(task.layer);
    const CrossbarLayer& from = layer(source.layer);
    const bool inGlobal = from.as<InputWork>() || from.as<HostWork>();
    const bool loaded = inGlobal || (!lowLatency() && !m_tasks.together(task.layer, source.layer));
    const LaneId number = m_lanes.findOrAdd(core, source.layer, source.begin, source.end, loaded,
                                            m_tasks.stage[task.layer.index()]);
    Lane& lane = m_lanes[number];
    const PixelMap& in = from.out;
    const int firstKernelRow = member ? member->kernelRowBegin * l.matrix()->window.dilationY : 0;
    for (int y = 0; y < std::ssize(task.rows); ++y) {
        const ColumnSpan span = task.rows[std::size_t(y)];
        if (span.empty())
            continue;
        const InputWindow window = windowOf(l, in, input, y, span, member);
        const ColumnSpan columns = meet(window.columns, {0, in.width});
        lane.include(window.columns);
        std::int64_t rows = 0;
        for (int row = window.rowBegin; row < window.rowEnd; row += window.rowStep)
            if (row >= 0 && row < in.height) {
                lane.want[std::size_t(row)].include(columns);
                ++rows;
            }
        lane.window = std::max(lane.window, rows * columns.size() * lane.channels());
    }
    share.readers.push_back(m_lanes.addReader(number));
    m_readersOf.resize(std::max(m_readersOf.size(), number.index() + 1));
    m_readersOf[number.index()].push_back(ShareId(std::ssize(m_shares) - 1));
    share.readerRows.emplace_back(input, firstKernelRow);
    m_stored[source.layer.index()] = m_stored[source.layer.index()] || loaded;
    return number;
}

RowEngine::MemoryShares RowEngine::memoryShares(CoreId core) const {
    constexpr std::array<MemoryShares, 5> kLevels{
        {{1, 1, true}, {4, 1, false}, {4, 2, false}, {16, 4, false}, {16, 32, false}}};
    const std::size_t level = m_options.tight.empty() ? 0 : m_options.tight[core.index()];
    return kLevels[std::min(level, kLevels.size() - 1)];
}

std::set<CoreId> RowEngine::fullCores() const {
    std::set<CoreId> cores;
    const auto [core, layer] = m_lanes.full();
    if (!core.valid())
        return cores;
    cores.insert(core);
    for (const TaskShare& share : m_tasks.shares[layer.index()]) {
        cores.insert(share.core);
        for (const TaskMember& member : share.members)
            cores.insert(member.core);
    }
    return cores;
}

void RowEngine::cutJobs(Share& share) {
    const TaskShare& task = *share.task;
    const std::int64_t elements = m_chip.localBytes / m_chip.activationBytes();
    const std::int64_t each = std::int64_t(layer(task.layer).out.channels) *
                              (share.matrix ? m_result.program.accumulatorElements : 1);
    int stretches = memoryShares(task.core).stretch;
    for (const TaskMember& member : task.members)
        stretches = std::max(stretches, memoryShares(member.core).stretch);
    const int most = int(std::clamp<std::int64_t>(
        elements / m_options.memoryShare / stretches / std::max<std::int64_t>(1, each), 1, 1 << 20));
    const ShareId number(std::ssize(m_shares) - 1);
    // A result lies in one piece of its lane.
    const int block = !share.outLane.valid() ? 1 << 30 : m_lanes[share.outLane].block;
    for (int y = 0; y < std::ssize(task.rows); ++y)
        for (int x = task.rows[std::size_t(y)].begin, end = 0; x < task.rows[std::size_t(y)].end; x = end) {
            end = std::min({x + most, (x / block + 1) * block, task.rows[std::size_t(y)].end});
            share.jobs.push_back({number, y, {x, end}});
        }
}

/// Maps that somebody loads, what the host reads, and results.
void RowEngine::placeMaps() {
    const std::size_t layers = m_network.layers.size();
    m_result.mapAddress.assign(layers, CrossbarSchedule::kNowhere);
    m_result.copies.assign(layers, 1);
    m_result.stage = m_tasks.stage;
    if (lowLatency())
        m_result.stage.assign(layers, 0);
    for (std::size_t i = 0; i < layers; ++i) {
        const CrossbarLayer& l = layer(LayerId(i));
        if (l.isOutput || l.as<HostWork>())
            for (const LayerId input : l.isOutput && !l.as<HostWork>() ? std::vector{LayerId(i)} : l.inputs)
                for (const PixelSource& source : m_tasks.sources[input.index()]) {
                    m_stored[source.layer.index()] = true;
                    m_kept.loadAll(source.layer);
                }
        if (l.as<HostWork>() || l.as<InputWork>())
            m_stored[i] = true;
    }
    if (m_chip.chips() > 1)
        m_homes.resize(layers);
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < layers; ++i) {
        const CrossbarLayer& l = layer(LayerId(i));
        for (const LayerId input : l.inputs)
            for (const PixelSource& source : m_tasks.sources[input.index()]) {
                int& copies = m_result.copies[source.layer.index()];
                copies = std::max(copies, m_result.stage[i] - m_result.stage[source.layer.index()] + 1);
            }
    }
    for (std::size_t i = 0; i < layers; ++i) {
        const CrossbarLayer& l = layer(LayerId(i));
        if (!m_stored[i] || isVirtual(l))
            continue;
        m_result.mapAddress[i] = std::uint32_t(next);
        next += std::uint64_t(l.out.elements());
        m_result.globalElements += std::uint64_t(l.out.elements()) * std::uint64_t(m_result.copies[i]);
        if (m_homes.empty())
            continue;
        m_homes[i].resize(std::size_t(l.out.height));
        for (const TaskShare& share : m_tasks.shares[i])
            for (std::size_t y = 0; y < share.owned.size(); ++y)
                if (!share.owned[y].empty())
                    m_homes[i][y].emplace_back(share.owned[y], m_chip.chipOf(share.core));
    }
    m_nextGlobal = std::uint32_t(next);
}

bool RowEngine::ready(const RowJob& job) {
    const Share& share = m_shares[job.share.index()];
    const CrossbarLayer& l = layer(share.task->layer);
    const auto isHere = [&](const Feed& feed, const Member* member) {
        const Lane& lane = m_lanes[feed.lane];
        if (lane.loaded)
            return !lowLatency() || m_host.has(lane.layer);
        const InputWindow window =
            windowOf(l, layer(feed.source.layer).out, feed.input, job.y, job.span, member);
        for (int row = std::max({lane.low, window.rowBegin, firstRowOf(job)});
             row < std::min(window.rowEnd, int(lane.rows.size())); ++row)
            if (!lane.has(row, window.columns))
                return false;
        return true;
    };
    for (const Member& member : m_members[job.share.index()])
        if (!std::ranges::all_of(member.feeds, [&](const Feed& feed) { return isHere(feed, &member); }))
            return false;
    return std::ranges::all_of(m_feeds[job.share.index()],
                               [&](const Feed& feed) { return isHere(feed, nullptr); });
}

double RowEngine::roundBound() {
    double longest = 0;
    std::vector<double> products(std::size_t(m_chip.cores()), 0);
    std::vector<std::int64_t> elements(std::size_t(m_chip.chips()), 0); // of global memory
    for (std::size_t number = 0; number < m_shares.size(); ++number) {
        const TaskShare& task = *m_shares[number].task;
        const CrossbarLayer& l = layer(task.layer);
        const double ofPhase =
            l.matrix() ? double(productsOf(l, task)) / (l.matrix()->window.spreadX * task.rowPhases) : 0;
        for (const Member& member : m_members[number])
            products[member.core.index()] += ofPhase * double(member.groups.size()) * m_chip.mvmIssueNs;
        if (m_shares[number].matrix)
            longest = std::max(longest, std::ceil(ofPhase / double(task.replicas.size())) * m_chip.mvmNs);
        if (m_stored[task.layer.index()])
            for (std::size_t y = 0; y < task.owned.size(); ++y)
                for (int x = task.owned[y].begin; x < task.owned[y].end; ++x)
                    if (m_kept.isLoaded(task.layer, std::int64_t(y) * layer(task.layer).out.width + x))
                        elements[std::size_t(m_chip.chipOf(task.core))] +=
                            task.channelEnd - task.channelBegin;
    }
    for (const LaneId number : FirstIds<LaneId>(m_lanes.size()))
        if (const Lane& lane = m_lanes[number]; lane.loaded)
            for (int y = 0; y < std::ssize(lane.want); ++y) {
                const ColumnSpan want = lane.want[std::size_t(y)], kept = meet(want, m_kept.span(number, y));
                elements[std::size_t(m_chip.chipOf(lane.core))] +=
                    std::int64_t(want.size() - kept.size()) * lane.channels();
            }
    longest = std::max(longest, *std::ranges::max_element(products));
    return std::max(longest, double(*std::ranges::max_element(elements)) * m_chip.activationBytes() /
                                 m_chip.globalBytesPerNs);
}

constexpr int kAhead = 8; // instructions, four lines of a cache

CrossbarInstruction& RowEngine::emit(CoreId core, CrossbarOpcode opcode, CrossbarStage stage, LayerId layer,
                                     std::uint32_t dst, std::uint32_t src1, std::uint32_t length) {
    // In place: a copy would wait for these stores, and for all before them. Where the core's next instructions come
    // is far from the caches, as it goes round all cores. [a seventh of the time of a schedule, VGG16 on ISAAC]
    CrossbarInstruction& made = m_result.program.cores[core.index()].emplace_back();
    __builtin_prefetch(&made + kAhead, 1);
    made.opcode = opcode;
    made.stage = stage;
    made.layer = std::uint32_t(layer.value);
    made.dst = dst;
    made.src1 = src1;
    made.length = length;
    return made;
}

void RowEngine::copy(CoreId core, CrossbarStage stage, LayerId layer, std::uint32_t dst, std::uint32_t src,
                     std::uint32_t length) {
    emit(core, CrossbarOpcode::Copy, stage, layer, dst, src, length);
}

double RowEngine::sendAcross(CoreId from, CoreId to, LayerId layer, CrossbarStage stage, std::uint32_t src,
                             std::uint32_t dst, std::uint32_t length, bool wide) {
    const std::uint8_t flags = wide ? CrossbarInstruction::kWideSource | CrossbarInstruction::kWideResult : 0;
    CrossbarInstruction& send = emit(from, CrossbarOpcode::Send, stage, layer, 0, src, length);
    send.peer = std::uint32_t(to.value);
    send.index = m_result.transfers;
    send.flags = flags;
    CrossbarInstruction& receive = emit(to, CrossbarOpcode::Recv, stage, layer, dst, 0, length);
    receive.peer = std::uint32_t(from.value);
    receive.index = m_result.transfers;
    receive.flags = flags;
    ++m_result.transfers;
    return lowLatency() ? m_clocks.transfer(from, to, length, wide) : 0;
}

void RowEngine::loadGlobal(const Lane& lane, int row, ColumnSpan span, LayerId layerOf) {
    const PixelMap& map = layer(lane.layer).out;
    const std::uint32_t base = m_result.mapAddress[lane.layer.index()];
    const auto emitLoads = [&](ColumnSpan part, int chip) {
        const bool whole = lane.channels() == map.channels;
        for (int column = part.begin; column < part.end; column += whole ? part.size() : 1) {
            const auto from =
                std::uint32_t((std::int64_t(row) * map.width + column) * map.channels + lane.channelBegin);
            emit(lane.core, CrossbarOpcode::Load, CrossbarStage::Input, layerOf,
                 lane.at(row, column, lane.channelBegin), base + from,
                 std::uint32_t(whole ? part.size() * map.channels : lane.channels()))
                .peer = std::uint32_t(chip);
        }
    };
    if (m_homes.empty() || m_homes[lane.layer.index()][std::size_t(row)].empty())
        emitLoads(span, m_chip.chipOf(lane.core));
    else
        for (const auto& [home, chip] : m_homes[lane.layer.index()][std::size_t(row)])
            if (const ColumnSpan part = meet(home, span); !part.empty())
                emitLoads(part, chip);
}

void RowEngine::keep(const Lanes::PieceName& name, Pieces* kept) {
    if (kept == nullptr)
        return;
    m_lanes.keep(name);
    kept->push_back(name);
}

/// Columns of a row, as far as the core wants them, are in its memory; \p kept: until the job is released.
Result<void> RowEngine::bring(const Feed& feed, int row, ColumnSpan columns, LayerId layerOf, Pieces* kept) {
    const Lane& lane = m_lanes[feed.lane];
    const ColumnSpan want = lane.want[std::size_t(row)];
    columns = meet(lane.columns, columns);
    if (row < lane.low || columns.empty())
        return {};
    for (int piece = lane.pieceOf(columns.begin); piece <= lane.pieceOf(columns.end - 1); ++piece) {
        PIM_TRY(const bool isNew, m_lanes.ensurePiece(feed.lane, row, piece));
        keep({feed.lane, row, piece}, kept);
        if (const ColumnSpan part = meet(want, lane.pieceColumns(piece));
            isNew && lane.loaded && !part.empty())
            load(feed.lane, row, part, layerOf);
    }
    return {};
}

Result<void> RowEngine::bringAll(const RowJob& job, Pieces* kept) {
    const LayerId position = m_shares[job.share.index()].task->layer;
    const CrossbarLayer& l = layer(position);
    const auto bringRows = [&](const Feed& feed, const Member* member) -> Result<void> {
        const PixelMap& in = layer(feed.source.layer).out;
        const InputWindow window = windowOf(l, in, feed.input, job.y, job.span, member);
        for (int row = window.rowBegin; row < std::min(window.rowEnd, in.height); row += window.rowStep)
            if (row >= 0 && row >= firstRowOf(job))
                PIM_CHECK(bring(feed, row, window.columns, position, kept));
        return {};
    };
    for (const Member& member : m_members[job.share.index()])
        for (const Feed& feed : member.feeds)
            PIM_CHECK(bringRows(feed, &member));
    for (const Feed& feed : m_feeds[job.share.index()])
        PIM_CHECK(bringRows(feed, nullptr));
    return {};
}

/// Room for the results of a job: in the lane others in the core read, or for as long as it runs.
Result<RowEngine::Output> RowEngine::openOutput(const RowJob& job) {
    const Share& share = m_shares[job.share.index()];
    const TaskShare& task = *share.task;
    Output output;
    if (!share.outLane.valid()) {
        PIM_TRY(output.temporary,
                m_lanes.take(task.core,
                             std::uint32_t(job.span.size() * (task.channelEnd - task.channelBegin)),
                             task.layer));
        output.address = output.temporary;
        return output;
    }
    PIM_CHECK(m_lanes.ensure(share.outLane, job.y, job.span));
    m_lanes.hold(share.outLane, job.y);
    output.address = m_lanes[share.outLane].at(job.y, job.span.begin, task.channelBegin);
    return output;
}

void RowEngine::closeOutput(const RowJob& job, const Output& output) {
    const Share& share = m_shares[job.share.index()];
    const TaskShare& task = *share.task;
    if (share.outLane.valid())
        m_lanes.letGo(share.outLane, job.y);
    else
        m_lanes.give(task.core, output.temporary,
                     std::uint32_t(job.span.size() * (task.channelEnd - task.channelBegin)));
}

/// Pixels that somebody loads go to global memory.
void RowEngine::store(const TaskShare& task, int row, ColumnSpan span, std::uint32_t address) {
    const PixelMap& map = layer(task.layer).out;
    const int channels = task.channelEnd - task.channelBegin;
    const auto isLoaded = [&](int x) {
        return m_kept.isLoaded(task.layer, std::int64_t(row) * map.width + x);
    };
    for (int begin = span.begin, end = begin; begin < span.end; begin = end) {
        while (end < span.end && isLoaded(end) == isLoaded(begin))
            ++end;
        if (!isLoaded(begin))
            continue;
        const auto to =
            std::uint32_t((std::int64_t(row) * map.width + begin) * map.channels + task.channelBegin);
        emit(task.core, CrossbarOpcode::Store, CrossbarStage::Output, task.layer,
             m_result.mapAddress[task.layer.index()] + to,
             address + std::uint32_t((begin - span.begin) * channels),
             std::uint32_t((end - begin) * channels))
            .peer = std::uint32_t(m_chip.chipOf(task.core));
    }
}

void RowEngine::publish(const RowJob& job, const Output& output) {
    const Share& share = m_shares[job.share.index()];
    const TaskShare& task = *share.task;
    const int channels = task.channelEnd - task.channelBegin;
    const ColumnSpan owned = meet(job.span, task.owned[std::size_t(job.y)]);
    if (!owned.empty()) {
        const std::uint32_t address =
            output.address + std::uint32_t((owned.begin - job.span.begin) * channels);
        if (m_stored[task.layer.index()])
            store(task, job.y, owned, address);
        keepResult(task, job.y, owned, address);
    }
    if (share.outLane.valid()) {
        m_lanes[share.outLane].arrive(job.y, job.span, channels);
        if (lowLatency() || m_tasks.handedOn[task.layer.index()])
            sendOn(job, owned);
    }
    closeOutput(job, output);
    advance(job);
    handOn(job.share);
}

/// The job is done: what none of the next ones of the share reads may go.
void RowEngine::advance(const RowJob& job) {
    Share& share = m_shares[job.share.index()];
    const CrossbarLayer& l = layer(share.task->layer);
    const std::size_t at = ++share.ended;
    if (lowLatency() && at == share.jobs.size())
        m_host.shareEnded(share.task->layer, m_clocks.front(share.task->core));
    for (std::size_t i = 0; i < share.readers.size(); ++i) {
        const auto [input, kernelRow] = share.readerRows[i];
        const PixelMap& in = layer(l.inputs[std::size_t(input)]).out;
        if (at == share.jobs.size()) {
            m_lanes.advance(share.readers[i], in.height, in.height, 0);
            continue;
        }
        const RowJob& next = share.jobs[at];
        if (const auto* view = l.as<ViewWork>()) { // its rows need not come in their order
            const int low = view->rows[std::size_t(next.y)].later;
            m_lanes.advance(share.readers[i], low, low, 0);
            continue;
        }
        const InputWindow window = inputWindow(l, in, std::size_t(input), next.y, next.span);
        if (const auto& pieces = m_pieces[job.share.index()]) {
            m_lanes.advance(share.readers[i], pieces->firstRow(next.y), pieces->firstRow(next.y + 1),
                            window.columns.begin);
            continue;
        }
        const int below = inputWindow(l, in, std::size_t(input), next.y + 1, next.span).rowBegin;
        m_lanes.advance(share.readers[i], window.rowBegin + kernelRow, below + kernelRow,
                        window.columns.begin);
    }
}

/// The job that runs has read its first \p rows rows of the input; what the next ones do not read either may go.
void RowEngine::pass(const RowJob& job, int rows) {
    Share& share = m_shares[job.share.index()];
    const CrossbarLayer& l = layer(share.task->layer);
    const bool last = share.ended + 1 == share.jobs.size();
    for (std::size_t i = 0; i < share.readers.size(); ++i) {
        const int input = share.readerRows[i].first;
        const PixelMap& in = layer(l.inputs[std::size_t(input)]).out;
        const RowJob& next = last ? job : share.jobs[share.ended + 1];
        const int low =
            last ? rows : std::min(rows, inputWindow(l, in, std::size_t(input), next.y, next.span).rowBegin);
        m_lanes.advance(share.readers[i], low, low, 0);
    }
}

std::vector<std::pair<ShareId, double>> RowEngine::hostReaders() {
    std::vector<std::pair<ShareId, double>> readers;
    for (const auto& [layer, ns] : m_host.takeNew())
        for (const LaneId lane : FirstIds<LaneId>(m_lanes.size()))
            if (m_lanes[lane].loaded && m_lanes[lane].layer == layer)
                for (const ShareId share : m_readersOf[lane.index()])
                    readers.emplace_back(share, ns);
    return readers;
}

void RowEngine::endGroup() {
    for (std::size_t core = 0; core < m_result.program.cores.size(); ++core)
        m_result.program.groupEnds[core].push_back(std::uint32_t(m_result.program.cores[core].size()));
}

CrossbarSchedule RowEngine::finish() {
    endGroup();
    m_result.globalElements += m_lanes.elementsAway();
    for (std::size_t core = 0; core < m_result.program.cores.size(); ++core)
        m_result.program.localPeak.push_back(m_lanes.memory(CoreId(core)).peak());
    return std::move(m_result);
}

} // namespace pim
