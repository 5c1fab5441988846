// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/schedule/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim {

void Lane::arrive(int row, ColumnSpan span, int channels) {
    const ColumnSpan wanted = want[std::size_t(row)];
    std::vector<int>& arrived = rows[std::size_t(row)].arrived;
    if (arrived.empty())
        arrived.assign(std::size_t(wanted.size()), 0);
    for (int column = std::max(span.begin, wanted.begin); column < std::min(span.end, wanted.end); ++column)
        arrived[std::size_t(column - wanted.begin)] += channels;
}

bool Lane::has(int row, ColumnSpan span) const {
    const ColumnSpan wanted = want[std::size_t(row)];
    const std::vector<int>& arrived = rows[std::size_t(row)].arrived;
    for (int column = std::max(span.begin, wanted.begin); column < std::min(span.end, wanted.end); ++column)
        if (arrived.empty() || arrived[std::size_t(column - wanted.begin)] < channels())
            return false;
    return true;
}

Lanes::Lanes(const CrossbarNetwork& network, const CrossbarChip& chip, CrossbarProgram& program)
    : m_network(network), m_chip(chip), m_program(program), m_ofLayer(network.layers.size()) {
    const std::int64_t elements = chip.localBytes / chip.activationBytes();
    m_memories.assign(std::size_t(chip.cores()), LocalMemory(std::uint32_t(std::min<std::int64_t>(elements, std::numeric_limits<std::uint32_t>::max() / 2))));
}

int Lanes::findOrAdd(int core, int layer, bool loaded, int stage) {
    const auto [at, isNew] = m_index.emplace(std::tuple{core, layer, loaded ? stage : -1}, int(m_lanes.size()));
    if (isNew) {
        Lane& made = m_lanes.emplace_back();
        made.core = core;
        made.layer = layer;
        made.loaded = loaded;
        const PixelMap& map = m_network.layers[std::size_t(layer)].out;
        made.channelBegin = map.channels;
        made.want.resize(std::size_t(map.height));
        made.rows.resize(std::size_t(map.height));
        if (!loaded)
            m_ofLayer[std::size_t(layer)].push_back(at->second);
    }
    return at->second;
}

Result<std::uint32_t> Lanes::take(int core, std::uint32_t elements, int layer) {
    LocalMemory& memory = m_memories[std::size_t(core)];
    const std::uint32_t address = memory.take(std::max(1u, elements));
    if (address == LocalMemory::kFull) {
        const auto bytes = [&](std::uint64_t count) { return count * std::uint64_t(m_chip.activationBytes()); };
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("needs {} bytes more of the local memory of core {}, of which {} of {} bytes are taken", bytes(elements), core,
                                bytes(memory.used()), bytes(memory.capacity())),
                    m_network.layers[std::size_t(layer)].name, "use cores with more local memory, or more replicas of the layer");
    }
    return address;
}

Result<void> Lanes::ensureRow(int lane, int row) {
    Lane& l = m_lanes[std::size_t(lane)];
    LaneRow& r = l.rows[std::size_t(row)];
    if (r.address != kNoRow)
        return {};
    PIM_TRY(r.address, take(l.core, l.rowElements(), l.layer));
    const int width = m_network.layers[std::size_t(l.layer)].out.width;
    const auto zeros = [&](int from, int to) {
        if (to <= from)
            return;
        CrossbarInstruction made;
        made.opcode = CrossbarOpcode::Write;
        made.stage = CrossbarStage::Input;
        made.layer = std::uint32_t(l.layer);
        made.dst = l.at(row, from, l.channelBegin);
        made.length = std::uint32_t((to - from) * l.channels());
        m_program.cores[std::size_t(l.core)].push_back(made);
    };
    zeros(l.columns.begin, std::min(0, l.columns.end));
    zeros(std::max(width, l.columns.begin), l.columns.end);
    return {};
}

int Lanes::addReader(int lane) {
    m_readers.push_back({lane, 0});
    m_lanes[std::size_t(lane)].readers.push_back(int(m_readers.size()) - 1);
    return int(m_readers.size()) - 1;
}

void Lanes::advance(int reader, int low) {
    Reader& r = m_readers[std::size_t(reader)];
    if (low <= r.low)
        return;
    r.low = low;
    Lane& lane = m_lanes[std::size_t(r.lane)];
    int lowest = low;
    for (const int other : lane.readers)
        lowest = std::min(lowest, m_readers[std::size_t(other)].low);
    lowest = std::min(lowest, int(lane.rows.size()));
    const int from = lane.low;
    lane.low = std::max(lane.low, lowest);
    for (int row = from; row < lane.low; ++row)
        settle(lane, row);
}

void Lanes::letGo(int lane, int row) {
    Lane& l = m_lanes[std::size_t(lane)];
    --l.rows[std::size_t(row)].holds;
    settle(l, row);
}

void Lanes::settle(Lane& lane, int row) {
    LaneRow& r = lane.rows[std::size_t(row)];
    if (r.holds > 0 || r.address == kNoRow || (row >= lane.low && !lane.readers.empty()))
        return;
    m_memories[std::size_t(lane.core)].give(r.address, std::max(1u, lane.rowElements()));
    r.address = kNoRow;
}

} // namespace pim
