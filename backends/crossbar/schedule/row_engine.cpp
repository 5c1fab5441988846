// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/row_engine.h"

#include "backends/crossbar/schedule/running.h"

#include <algorithm>
#include <cmath>

namespace pim {

RowEngine::RowEngine(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                     const ScheduleOptions& options)
    : m_options(options), m_tasks(dealOutTasks(network, chip, mapping,
                                               options.fuse && mapping.mode == CrossbarMode::HighThroughput,
                                               options.mostTwice, options.grouping)),
      m_in{network, chip, mapping, m_options, m_tasks}, m_wide(chip.accumulatorElements()),
      m_writer(chip, mapping.mode, options.rules),
      m_lanes(network, chip, m_writer.program(), options.memoryShare, m_nextGlobal), m_shares(m_in, m_lanes),
      m_traffic(m_in, m_shares, m_lanes, m_writer), m_roundBoundNs(m_in.lowLatency() ? 0 : roundBound()),
      m_rings(m_in, m_shares, m_lanes, m_writer, m_roundBoundNs),
      m_transfers(m_in, m_shares, m_lanes, m_writer), m_early(m_shares.size()) {
    m_nextGlobal = m_traffic.globalEnd();
    for (const ShareId share : m_shares.ids())
        countElements(share);
    std::vector<int> working(network.layers.size(), 0);
    for (const RowShare& share : m_shares)
        working[share.task->layer.index()] += !share.jobs.empty();
    m_host.plan(network, m_tasks, std::move(working));
}

/// What a job in the middle of the map, where nothing it reads is padding, takes in each of its cores at once.
void RowEngine::countElements(ShareId number) {
    const RowShare& share = m_shares[number];
    if (!share.matrix || share.jobs.empty())
        return;
    const RowJob& job = share.jobs[share.jobs.size() / 2];
    const Running running = plan(job);
    const auto& members = share.members;
    for (std::size_t m = 0; m < members.size(); ++m) {
        std::int64_t elements = std::int64_t(running.elements(m));
        for (const RowFeed& feed : members[m].feeds) {
            const Lane& lane = m_lanes[feed.lane];
            const InputWindow window = RowShares::windowOf(
                m_in.layer(share.task->layer), m_in.layer(feed.source.layer).out, feed, job, &members[m]);
            elements += std::int64_t(window.rowEnd - window.rowBegin + window.rowStep - 1) / window.rowStep *
                        window.columns.size() * lane.channels();
        }
        m_rings.needForJob(members[m].core, elements);
    }
}

double RowEngine::roundBound() {
    double longest = 0;
    std::vector<double> products(std::size_t(m_in.chip.cores()), 0);
    std::vector<std::int64_t> elements(std::size_t(m_in.chip.chips()), 0); // of global memory
    for (const RowShare& share : m_shares) {
        const TaskShare& task = *share.task;
        const CrossbarLayer& l = m_in.layer(task.layer);
        const double ofPhase =
            l.matrix() ? double(productsOf(l, task)) / (l.matrix()->window.spreadX * task.rowPhases) : 0;
        for (const RowMember& member : share.members)
            products[member.core.index()] += ofPhase * double(member.groups.size()) * m_in.chip.mvmIssueNs;
        if (share.matrix)
            longest = std::max(longest, std::ceil(ofPhase / double(task.replicas.size())) * m_in.chip.mvmNs);
        if (m_traffic.isStored(task.layer))
            for (std::size_t y = 0; y < task.owned.size(); ++y)
                for (int x = task.owned[y].begin; x < task.owned[y].end; ++x)
                    if (m_traffic.kept().isLoaded(task.layer,
                                                  std::int64_t(y) * m_in.layer(task.layer).out.width + x))
                        elements[std::size_t(m_in.chip.chipOf(task.core))] +=
                            task.channelEnd - task.channelBegin;
    }
    for (const LaneId number : FirstIds<LaneId>(m_lanes.size()))
        if (const Lane& lane = m_lanes[number]; lane.loaded)
            for (int y = 0; y < std::ssize(lane.want); ++y) {
                const ColumnSpan want = lane.want[std::size_t(y)],
                                 kept = want.within(m_traffic.kept().span(number, y));
                elements[std::size_t(m_in.chip.chipOf(lane.core))] +=
                    std::int64_t(want.size() - kept.size()) * lane.channels();
            }
    longest = std::max(longest, *std::ranges::max_element(products));
    return std::max(longest, double(*std::ranges::max_element(elements)) * m_in.chip.activationBytes() /
                                 m_in.chip.globalBytesPerNs);
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

bool RowEngine::ready(const RowJob& job) {
    const RowShare& share = m_shares[job.share];
    const CrossbarLayer& l = m_in.layer(share.task->layer);
    const auto isHere = [&](const RowFeed& feed, const RowMember* member) {
        const Lane& lane = m_lanes[feed.lane];
        if (lane.loaded)
            return !m_in.lowLatency() || m_host.has(lane.layer);
        const InputWindow window =
            RowShares::windowOf(l, m_in.layer(feed.source.layer).out, feed, job, member);
        for (int row = std::max({lane.low, window.rowBegin, share.firstRowOf(job)});
             row < std::min(window.rowEnd, int(lane.rows.size())); ++row)
            if (!lane.has(row, window.columns))
                return false;
        return true;
    };
    for (const RowMember& member : m_shares[job.share].members)
        if (!std::ranges::all_of(member.feeds, [&](const RowFeed& feed) { return isHere(feed, &member); }))
            return false;
    return std::ranges::all_of(m_shares[job.share].feeds,
                               [&](const RowFeed& feed) { return isHere(feed, nullptr); });
}

void RowEngine::keep(const Lanes::PieceName& name, Pieces* kept) {
    if (kept == nullptr)
        return;
    m_lanes.keep(name);
    kept->push_back(name);
}

/// Columns of a row, as far as the core wants them, are in its memory; \p kept: until the job is released.
Result<void> RowEngine::bring(const RowFeed& feed, int row, ColumnSpan columns, LayerId layerOf,
                              Pieces* kept) {
    const Lane& lane = m_lanes[feed.lane];
    const ColumnSpan want = lane.want[std::size_t(row)];
    columns = lane.columns.within(columns);
    if (row < lane.low || columns.empty())
        return {};
    for (int piece = lane.pieceOf(columns.begin); piece <= lane.pieceOf(columns.end - 1); ++piece) {
        PIM_TRY(const bool isNew, m_lanes.ensurePiece(feed.lane, row, piece));
        keep({feed.lane, row, piece}, kept);
        if (const ColumnSpan part = want.within(lane.pieceColumns(piece));
            isNew && lane.loaded && !part.empty())
            m_traffic.load(feed.lane, row, part, layerOf);
    }
    return {};
}

Result<void> RowEngine::bringAll(const RowJob& job, Pieces* kept) {
    const RowShare& share = m_shares[job.share];
    const LayerId position = share.task->layer;
    const CrossbarLayer& l = m_in.layer(position);
    const auto bringRows = [&](const RowFeed& feed, const RowMember* member) -> Result<void> {
        const PixelMap& in = m_in.layer(feed.source.layer).out;
        const InputWindow window = RowShares::windowOf(l, in, feed, job, member);
        for (int row = window.rowBegin; row < std::min(window.rowEnd, in.height); row += window.rowStep)
            if (row >= 0 && row >= share.firstRowOf(job))
                PIM_CHECK(bring(feed, row, window.columns, position, kept));
        return {};
    };
    for (const RowMember& member : m_shares[job.share].members)
        for (const RowFeed& feed : member.feeds)
            PIM_CHECK(bringRows(feed, &member));
    for (const RowFeed& feed : m_shares[job.share].feeds)
        PIM_CHECK(bringRows(feed, nullptr));
    return {};
}

std::vector<std::pair<ShareId, double>> RowEngine::hostReaders() {
    std::vector<std::pair<ShareId, double>> readers;
    for (const auto& [layer, ns] : m_host.takeNew())
        for (const LaneId lane : FirstIds<LaneId>(m_lanes.size()))
            if (m_lanes[lane].loaded && m_lanes[lane].layer == layer)
                for (const ShareId share : m_shares.readersOf(lane))
                    readers.emplace_back(share, ns);
    return readers;
}

CrossbarSchedule RowEngine::finish() {
    m_writer.endGroup();
    CrossbarSchedule result;
    m_traffic.describe(result);
    result.globalElements += m_lanes.elementsAway();
    result.transfers = m_writer.transfers();
    result.program = std::move(m_writer.program());
    for (const CoreId core : FirstIds<CoreId>(m_in.chip.cores()))
        result.program.localPeak.push_back(m_lanes.memory(core).peak());
    return result;
}

} // namespace pim
