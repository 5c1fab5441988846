// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/map_traffic.h"

#include <algorithm>

namespace pim {
namespace {

/// Nowhere itself: readers take what it joins.
bool isJoined(const CrossbarLayer& layer) {
    const auto* concat = layer.as<ConcatWork>();
    return concat && concat->axis == ConcatAxis::Channels;
}

} // namespace

MapTraffic::MapTraffic(const ScheduleInput& in, const RowShares& shares, Lanes& lanes, ProgramWriter& writer)
    : m_in(in), m_shares(shares), m_lanes(lanes), m_writer(writer) {
    for (const LayerId layer : FirstIds<LayerId>(std::ssize(in.network.layers)))
        m_stored.push_back(shares.isLoaded(layer));
    planKept();
    storeForOthers();
    countCopies();
    placeMaps();
}

void MapTraffic::describe(CrossbarSchedule& schedule) const {
    schedule.mapAddress = m_mapAddress;
    schedule.copies = m_copies;
    schedule.stage = m_stage;
    schedule.globalElements = m_globalElements;
}

void MapTraffic::publish(const TaskShare& task, int row, ColumnSpan span, std::uint32_t address) {
    if (isStored(task.layer))
        store(task, row, span, address);
    keepResult(task, row, span, address);
}

/// What the host reads, and results; other maps only where somebody loads them.
void MapTraffic::storeForOthers() {
    for (const LayerId layer : FirstIds<LayerId>(std::ssize(m_stored))) {
        const CrossbarLayer& l = m_in.layer(layer);
        if (l.isOutput || l.as<HostWork>())
            for (const LayerId input : l.isOutput && !l.as<HostWork>() ? std::vector{layer} : l.inputs)
                for (const PixelSource& source : m_in.tasks.sources[input.index()]) {
                    m_stored[source.layer.index()] = true;
                    m_kept.loadAll(source.layer);
                }
        if (l.as<HostWork>() || l.as<InputWork>())
            m_stored[layer.index()] = true;
    }
}

void MapTraffic::countCopies() {
    const std::size_t layers = m_stored.size();
    m_copies.assign(layers, 1);
    m_stage = m_in.tasks.stage;
    if (m_in.lowLatency())
        m_stage.assign(layers, 0);
    for (const LayerId layer : FirstIds<LayerId>(std::int64_t(layers)))
        for (const LayerId input : m_in.layer(layer).inputs)
            for (const PixelSource& source : m_in.tasks.sources[input.index()]) {
                int& copies = m_copies[source.layer.index()];
                copies = std::max(copies, m_stage[layer.index()] - m_stage[source.layer.index()] + 1);
            }
}

void MapTraffic::placeMaps() {
    const std::size_t layers = m_stored.size();
    m_mapAddress.assign(layers, CrossbarSchedule::kNowhere);
    if (m_in.chip.chips() > 1)
        m_homes.resize(layers);
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < layers; ++i) {
        const CrossbarLayer& l = m_in.network.layers[i];
        if (!m_stored[i] || isJoined(l))
            continue;
        m_mapAddress[i] = std::uint32_t(next);
        next += std::uint64_t(l.out.elements());
        m_globalElements += std::uint64_t(l.out.elements()) * std::uint64_t(m_copies[i]);
        if (m_homes.empty())
            continue;
        m_homes[i].resize(std::size_t(l.out.height));
        for (const TaskShare& share : m_in.tasks.shares[i])
            for (std::size_t y = 0; y < share.owned.size(); ++y)
                if (!share.owned[y].empty())
                    m_homes[i][y].emplace_back(share.owned[y], m_in.chip.chipOf(share.core));
    }
    m_globalEnd = std::uint32_t(next);
}

void MapTraffic::loadGlobal(const Lane& lane, int row, ColumnSpan span, LayerId layerOf) {
    const PixelMap& map = m_in.layer(lane.layer).out;
    const std::uint32_t base = m_mapAddress[lane.layer.index()];
    const auto emitLoads = [&](ColumnSpan part, int chip) {
        const bool whole = lane.channels() == map.channels;
        for (int column = part.begin; column < part.end; column += whole ? part.size() : 1) {
            const auto from =
                std::uint32_t((std::int64_t(row) * map.width + column) * map.channels + lane.channelBegin);
            m_writer
                .emit({lane.core, layerOf, CrossbarStage::Input}, CrossbarOpcode::Load,
                      lane.at(row, column, lane.channelBegin), base + from,
                      std::uint32_t(whole ? part.size() * map.channels : lane.channels()))
                .peer = std::uint32_t(chip);
        }
    };
    if (m_homes.empty() || m_homes[lane.layer.index()][std::size_t(row)].empty())
        emitLoads(span, m_in.chip.chipOf(lane.core));
    else
        for (const auto& [home, chip] : m_homes[lane.layer.index()][std::size_t(row)])
            if (const ColumnSpan part = home.within(span); !part.empty())
                emitLoads(part, chip);
}

/// Pixels that somebody loads go to global memory.
void MapTraffic::store(const TaskShare& task, int row, ColumnSpan span, std::uint32_t address) {
    const PixelMap& map = m_in.layer(task.layer).out;
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
        m_writer
            .emit({task.core, task.layer, CrossbarStage::Output}, CrossbarOpcode::Store,
                  m_mapAddress[task.layer.index()] + to,
                  address + std::uint32_t((begin - span.begin) * channels),
                  std::uint32_t((end - begin) * channels))
            .peer = std::uint32_t(m_in.chip.chipOf(task.core));
    }
}

} // namespace pim
