// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that stay in a core for later rounds.
#include "backends/crossbar/schedule/map_traffic.h"

#include <algorithm>

namespace pim {

/// HT: part of the round that is over when a share first needs a row of an input, or (\p ends) when it hands
/// on a row of its result, as its turns are spread; 2 for rows it has nothing to do with.
std::vector<double> MapTraffic::rowTimes(ShareId number, int input, bool ends) const {
    const RowShare& share = m_shares[number];
    const CrossbarLayer& l = m_in.layer(share.task->layer);
    const PixelMap& map = ends ? l.out : m_in.layer(l.inputs[std::size_t(input)]).out;
    std::vector<double> times(std::size_t(map.height), 2);
    const auto& placed = m_in.tasks.times[share.task->layer.index()];
    const bool fused = m_in.tasks.fusedWith[share.task->layer.index()].valid();
    double all = 0, done = 0;
    for (const RowJob& job : share.jobs)
        all += share.matrix ? m_shares.turns(job) : 1;
    for (const RowJob& job : share.jobs) {
        const double length = share.matrix ? m_shares.turns(job) : 1;
        const double at = placed.empty() ? (done + (fused  ? 1
                                                    : ends ? length - 0.5
                                                           : 0.5)) /
                                               all
                                         : placed[m_shares.indexOf(number)][std::size_t(job.y)].begin;
        done += length;
        int begin = job.y, end = job.y + 1;
        if (!ends) {
            const InputWindow window = inputWindow(l, map, std::size_t(input), job.y, job.span);
            begin = std::max(0, window.rowBegin);
            end = std::min(window.rowEnd, map.height);
        }
        for (int row = begin; row < end; ++row)
            times[std::size_t(row)] = std::min(times[std::size_t(row)], at);
    }
    return times;
}

RowsInRound MapTraffic::rowsMade(const TaskShare& task) const {
    const auto& numbers = m_shares.of(task.layer);
    const auto number =
        std::ranges::find_if(numbers, [&](ShareId share) { return m_shares[share].task == &task; });
    std::vector<double> times = rowTimes(*number, 0, true);
    return {times, times};
}

RowsInRound MapTraffic::rowsRead(LaneId lane) const {
    const LayerId from = m_lanes[lane].layer;
    const auto rows = std::size_t(m_in.layer(from).out.height);
    RowsInRound all{std::vector<double>(rows, 2), std::vector<double>(rows, 2)};
    for (const ShareId reader : m_shares.readersOf(lane)) {
        const auto& inputs = m_in.layer(m_shares[reader].task->layer).inputs;
        for (std::size_t input = 0; input < inputs.size(); ++input) {
            const auto& sources = m_in.tasks.sources[inputs[input].index()];
            if (std::ranges::find(sources, from, &PixelSource::layer) == sources.end())
                continue;
            const std::vector<double> times = rowTimes(reader, int(input), false);
            for (std::size_t y = 0; y < rows; ++y)
                if (times[y] < 2) {
                    all.first[y] = std::min(all.first[y], times[y]);
                    all.last[y] = all.last[y] < 2 ? std::max(all.last[y], times[y]) : times[y];
                }
        }
    }
    return all;
}

void MapTraffic::planKept() {
    constexpr double kKeptPart = 0.125; // of a local memory: more would make rows of other maps give way
    std::function<double(CoreId)> part; // none in low latency
    if (!m_in.lowLatency() && m_in.options.keep)
        part = [this](CoreId core) { return memoryShares(m_in.options, core).keep ? kKeptPart : 0; };
    m_kept.plan(m_in.network, m_in.tasks, m_lanes, part, m_in.options.keepLate,
                {[this](const TaskShare& task) { return rowsMade(task); },
                 [this](LaneId lane) { return rowsRead(lane); }});
}

/// From what the core kept of rounds before, the rest from global memory.
void MapTraffic::load(LaneId number, int row, ColumnSpan span, LayerId layerOf) {
    const Lane& lane = m_lanes[number];
    const ColumnSpan kept = span.within(m_kept.span(number, row));
    if (kept.empty()) {
        loadGlobal(lane, row, span, layerOf);
    } else {
        takeKept(number, row, kept, layerOf);
        for (const ColumnSpan rest : {ColumnSpan{span.begin, kept.begin}, ColumnSpan{kept.end, span.end}})
            if (!rest.empty())
                loadGlobal(lane, row, rest, layerOf);
    }
    if (const ChainId into = m_kept.loadedInto(number); into.valid()) {
        KeptRows::Chain& chain = m_kept.chain(into);
        renew(chain, row, span, layerOf, [&](ColumnSpan part) {
            m_writer.copy({lane.core, layerOf, CrossbarStage::Output}, chain.at(0, row, part.begin),
                          lane.at(row, part.begin, lane.channelBegin),
                          std::uint32_t(part.size() * lane.channels()));
        });
    }
}

/// Columns whose buffers have moved on in this round lie one buffer further.
void MapTraffic::takeKept(LaneId number, int row, ColumnSpan span, LayerId layerOf) {
    const KeptRows::Reader reader = m_kept.reader(number);
    const KeptRows::Chain& chain = m_kept.chain(reader.chain);
    const KeptRows::Row& kept = chain.rows[std::size_t(row)];
    const Lane& lane = m_lanes[number];
    const auto renewed = [&](int x) {
        return !kept.renewed.empty() && kept.renewed[std::size_t(x - kept.span.begin)] != 0;
    };
    for (int begin = span.begin, end = begin; begin < span.end; begin = end) {
        while (end < span.end && renewed(end) == renewed(begin))
            ++end;
        const int buffer = reader.rounds - 1 + renewed(begin);
        m_keptInTime = m_keptInTime && buffer < chain.buffers;
        m_writer.copy({lane.core, layerOf, CrossbarStage::Input}, lane.at(row, begin, lane.channelBegin),
                      chain.at(std::min(buffer, chain.buffers - 1), row, begin),
                      std::uint32_t((end - begin) * lane.channels()));
    }
}

/// Columns of a row that come for the first time in this round: the ones of the samples before move on.
void MapTraffic::renew(KeptRows::Chain& chain, int row, ColumnSpan span, LayerId layerOf,
                       const std::function<void(ColumnSpan)>& copyIn) {
    KeptRows::Row& kept = chain.rows[std::size_t(row)];
    span = span.within(kept.span);
    if (span.empty())
        return;
    kept.renewed.resize(std::size_t(kept.span.size()), 0);
    const auto isNew = [&](int x) { return kept.renewed[std::size_t(x - kept.span.begin)] == 0; };
    for (int begin = span.begin, end = begin; begin < span.end; begin = end) {
        while (end < span.end && isNew(end) == isNew(begin))
            ++end;
        if (!isNew(begin)) // loaded again
            continue;
        const ColumnSpan part{begin, end};
        for (int buffer = chain.buffers - 1; buffer > 0; --buffer)
            m_writer
                .emit({chain.core, layerOf, CrossbarStage::Output}, CrossbarOpcode::Copy,
                      chain.at(buffer, row, begin), chain.at(buffer - 1, row, begin),
                      std::uint32_t(part.size() * chain.channels()))
                .index = std::uint32_t(buffer);
        copyIn(part);
        std::fill(kept.renewed.begin() + (begin - kept.span.begin),
                  kept.renewed.begin() + (end - kept.span.begin), 1);
    }
}

void MapTraffic::keepResult(const TaskShare& task, int row, ColumnSpan span, std::uint32_t address) {
    const std::vector<ChainId>* chains = m_kept.computed(task.core, task.layer);
    if (!chains)
        return;
    const int channels = task.channelEnd - task.channelBegin;
    for (const ChainId number : *chains) {
        KeptRows::Chain& chain = m_kept.chain(number);
        const bool whole = chain.channels() == channels;
        renew(chain, row, span, task.layer, [&](ColumnSpan part) {
            for (int x = part.begin; x < part.end; x += whole ? part.size() : 1)
                m_writer.copy({task.core, task.layer, CrossbarStage::Output}, chain.at(0, row, x),
                              address + std::uint32_t((x - span.begin) * channels + chain.channelBegin),
                              std::uint32_t((whole ? part.size() : 1) * chain.channels()));
        });
    }
}

} // namespace pim
