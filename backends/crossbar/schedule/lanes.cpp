// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/lanes.h"

#include "backends/crossbar/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim {

void Lane::arrive(int row, ColumnSpan span, int channels) {
    std::vector<int>& counts = rows[std::size_t(row)].arrived;
    if (counts.empty())
        counts.assign(std::size_t(columns.size()), 0);
    for (int column = std::max(span.begin, columns.begin); column < std::min(span.end, columns.end); ++column)
        counts[std::size_t(column - columns.begin)] += channels;
}

bool Lane::has(int row, ColumnSpan span) const {
    const ColumnSpan wanted = want[std::size_t(row)];
    for (int column = std::max(span.begin, wanted.begin); column < std::min(span.end, wanted.end); ++column)
        if (arrived(row, column) < channels())
            return false;
    return true;
}

Lanes::Lanes(const CrossbarNetwork& network, const CrossbarChip& chip, CrossbarProgram& program,
             int memoryShare, std::uint32_t& nextGlobal)
    : m_network(network), m_chip(chip), m_program(program), m_nextGlobal(nextGlobal),
      m_memoryShare(memoryShare), m_wanting(network.layers.size()), m_here(std::size_t(chip.cores())) {
    const std::int64_t elements = chip.localBytes / chip.activationBytes();
    m_memories.assign(std::size_t(chip.cores()),
                      LocalMemory(std::uint32_t(
                          std::min<std::int64_t>(elements, std::numeric_limits<std::uint32_t>::max() / 2))));
}

int Lanes::findOrAdd(int core, int layer, int channelBegin, int channelEnd, bool loaded, int stage) {
    const auto [at, isNew] = m_index.emplace(
        std::tuple{core, layer, loaded ? stage : -1, channelBegin, channelEnd}, int(m_lanes.size()));
    if (isNew) {
        Lane& made = m_lanes.emplace_back();
        made.core = core;
        made.layer = layer;
        made.loaded = loaded;
        made.stage = stage;
        const PixelMap& map = m_network.layers[std::size_t(layer)].out;
        made.channelBegin = channelBegin;
        made.channelEnd = channelEnd;
        made.width = map.width;
        made.setBlock(columnsOfPiece(map, m_chip, m_memoryShare));
        made.want.resize(std::size_t(map.height));
        made.rows.resize(std::size_t(map.height));
    }
    return at->second;
}

void Lanes::listWanting() {
    for (std::size_t layer = 0; layer < m_wanting.size(); ++layer)
        m_wanting[layer].resize(std::size_t(m_network.layers[layer].out.height));
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane)
        for (std::size_t row = 0; !m_lanes[lane].loaded && row < m_lanes[lane].want.size(); ++row)
            if (!m_lanes[lane].want[row].empty())
                m_wanting[std::size_t(m_lanes[lane].layer)][row].push_back(int(lane));
}

Result<std::uint32_t> Lanes::take(int core, std::uint32_t elements, int layer) {
    LocalMemory& memory = m_memories[std::size_t(core)];
    std::uint32_t address = memory.take(std::max(1u, elements));
    while (address == LocalMemory::kFull && ((m_whenFull && m_whenFull(core, false)) || makeRoom(core) ||
                                             (m_whenFull && m_whenFull(core, true))))
        address = memory.take(std::max(1u, elements));
    if (address == LocalMemory::kFull) {
        m_full = {core, layer};
        const auto bytes = [&](std::uint64_t count) {
            return count * std::uint64_t(m_chip.activationBytes());
        };
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("needs {} bytes more of the local memory of core {}, of which {} of {} bytes "
                                "are in use at once",
                                bytes(elements), core, bytes(memory.used()), bytes(memory.capacity())),
                    m_network.layers[std::size_t(layer)].name,
                    "use cores with more local memory, or more replicas of the layer");
    }
    return address;
}

/// What was used longest ago gives way; of what waits for its readers in the low-latency pipeline, that is what is farthest ahead.
bool Lanes::makeRoom(int core) {
    const PieceName* victim = nullptr;
    std::uint32_t oldest = m_operation;
    int ahead = 0;
    for (const PieceName& name : m_here[std::size_t(core)]) {
        const Lane& lane = m_lanes[std::size_t(name.lane)];
        const LanePiece& piece = lane.rows[std::size_t(name.row)].pieces[std::size_t(name.piece)];
        if (piece.touched >= m_operation || piece.pins > 0 || lane.stays)
            continue;
        const int rows = lane.loaded ? 0 : name.row - lane.low;
        if ((!victim || rows > ahead || (rows == ahead && piece.touched < oldest)) &&
            canGiveWay(lane, name.row, name.piece)) {
            victim = &name;
            oldest = piece.touched;
            ahead = rows;
        }
    }
    if (!victim)
        return false;
    const PieceName name = *victim;
    const Lane& lane = m_lanes[std::size_t(name.lane)];
    LanePiece& piece =
        m_lanes[std::size_t(name.lane)].rows[std::size_t(name.row)].pieces[std::size_t(name.piece)];
    if (!lane.loaded) {
        const std::uint32_t elements = lane.pieceElements(name.piece);
        if (auto& free = m_freeAway[{core, elements}]; !free.empty()) {
            piece.away = free.back();
            free.pop_back();
        } else {
            piece.away = m_nextGlobal;
            m_nextGlobal += elements;
            m_elementsAway += elements;
        }
        move(lane, name.row, name.piece, CrossbarOpcode::Store);
    }
    remove(name.lane, name.row, name.piece);
    return true;
}

void Lanes::remove(int lane, int row, int piece) {
    const Lane& l = m_lanes[std::size_t(lane)];
    LanePiece& p = m_lanes[std::size_t(lane)].rows[std::size_t(row)].pieces[std::size_t(piece)];
    give(l.core, p.address, l.pieceElements(piece));
    p.address = kNoRow;
    auto& here = m_here[std::size_t(l.core)];
    const PieceName last = here.back();
    here[p.position] = last;
    m_lanes[std::size_t(last.lane)].rows[std::size_t(last.row)].pieces[std::size_t(last.piece)].position =
        p.position;
    here.pop_back();
}

/// What lacks channels cannot be told from what was never written.
bool Lanes::canGiveWay(const Lane& lane, int row, int piece) const {
    const ColumnSpan span = lane.pieceColumns(piece);
    for (int column = span.begin; column < span.end && !lane.loaded; ++column)
        if (const int arrived = lane.arrived(row, column); arrived > 0 && arrived < lane.channels())
            return false;
    return true;
}

void Lanes::move(const Lane& lane, int row, int piece, CrossbarOpcode opcode) {
    const LanePiece& p = lane.rows[std::size_t(row)].pieces[std::size_t(piece)];
    const ColumnSpan span = lane.pieceColumns(piece);
    for (int begin = span.begin, end = 0; begin < span.end; begin = end) {
        end = begin + 1;
        if (lane.arrived(row, begin) == 0)
            continue;
        while (end < span.end && lane.arrived(row, end) > 0)
            ++end;
        const auto offset = std::uint32_t((begin - span.begin) * lane.channels()),
                   length = std::uint32_t((end - begin) * lane.channels());
        if (opcode == CrossbarOpcode::Store)
            put(lane, opcode, p.away + offset, p.address + offset, length);
        else
            put(lane, opcode, p.address + offset, p.away + offset, length);
    }
}

void Lanes::put(const Lane& lane, CrossbarOpcode opcode, std::uint32_t dst, std::uint32_t src,
                std::uint32_t length) {
    CrossbarInstruction made;
    made.opcode = opcode;
    made.stage = CrossbarStage::Input;
    made.layer = std::uint32_t(lane.layer);
    made.dst = dst;
    made.src1 = src;
    made.length = length;
    if (opcode != CrossbarOpcode::Write)
        made.peer = std::uint32_t(m_chip.chipOf(lane.core));
    m_program.cores[std::size_t(lane.core)].push_back(made);
}

Result<bool> Lanes::ensurePiece(int lane, int row, int piece) {
    Lane& l = m_lanes[std::size_t(lane)];
    LaneRow& r = l.rows[std::size_t(row)];
    if (r.pieces.empty())
        r.pieces.resize(std::size_t(l.pieceOf(l.width - 1)) + 1);
    LanePiece& p = r.pieces[std::size_t(piece)];
    p.touched = m_operation;
    if (p.address != kNoRow)
        return false;
    const std::uint32_t elements = l.pieceElements(piece);
    PIM_TRY(p.address, take(l.core, elements, l.layer));
    auto& here = m_here[std::size_t(l.core)];
    p.position = std::uint32_t(here.size());
    here.push_back({lane, row, piece});
    const ColumnSpan span = l.pieceColumns(piece);
    const auto zeros = [&](int from, int to) {
        if (to > from)
            put(l, CrossbarOpcode::Write, p.address + std::uint32_t((from - span.begin) * l.channels()), 0,
                std::uint32_t((to - from) * l.channels()));
    };
    zeros(span.begin, std::min(0, span.end));
    zeros(std::max(l.width, span.begin), span.end);
    if (p.away == kNoRow)
        return true;
    move(l, row, piece, CrossbarOpcode::Load);
    m_freeAway[{l.core, elements}].push_back(p.away);
    p.away = kNoRow;
    return false;
}

Result<void> Lanes::ensure(int lane, int row, ColumnSpan span) {
    const Lane& l = m_lanes[std::size_t(lane)];
    for (int piece = l.pieceOf(span.begin); piece <= l.pieceOf(span.end - 1); ++piece)
        PIM_CHECK(ensurePiece(lane, row, piece));
    return {};
}

void Lanes::release(int lane, int row) {
    for (LanePiece& piece : m_lanes[std::size_t(lane)].rows[std::size_t(row)].pieces)
        piece.touched = 0;
}

int Lanes::addReader(int lane) {
    m_readers.push_back({lane});
    m_lanes[std::size_t(lane)].readers.push_back(int(m_readers.size()) - 1);
    return int(m_readers.size()) - 1;
}

void Lanes::advance(int reader, int low, int next, int column) {
    Reader& r = m_readers[std::size_t(reader)];
    r.low = std::max(r.low, low);
    r.next = next;
    r.column = column;
    Lane& lane = m_lanes[std::size_t(r.lane)];
    int lowest = r.low;
    for (const int other : lane.readers)
        lowest = std::min(lowest, m_readers[std::size_t(other)].low);
    const int rows = int(lane.rows.size()), from = lane.low;
    lane.low = std::clamp(lowest, lane.low, rows);
    for (int row = from; row < std::min(rows, std::max(lane.low, next)); ++row)
        settle(r.lane, row);
}

void Lanes::letGo(int lane, int row) {
    --m_lanes[std::size_t(lane)].rows[std::size_t(row)].holds;
    settle(lane, row);
}

bool Lanes::isPast(const Lane& lane, int row, int columnEnd) const {
    return std::ranges::all_of(lane.readers, [&](int number) {
        const Reader& reader = m_readers[std::size_t(number)];
        return row < reader.low || (row < reader.next && columnEnd <= reader.column);
    });
}

void Lanes::settle(int lane, int row) {
    const Lane& l = m_lanes[std::size_t(lane)];
    LaneRow& r = m_lanes[std::size_t(lane)].rows[std::size_t(row)];
    if (r.holds > 0)
        return;
    for (int piece = 0; piece < std::ssize(r.pieces); ++piece) {
        LanePiece& p = r.pieces[std::size_t(piece)];
        if ((p.address == kNoRow && p.away == kNoRow) || !isPast(l, row, l.pieceColumns(piece).end))
            continue;
        const ColumnSpan span = l.pieceColumns(piece);
        for (int column = span.begin; column < span.end && !r.arrived.empty(); ++column)
            // what comes here from now on lies elsewhere
            r.arrived[std::size_t(column - l.columns.begin)] = 0;
        if (p.address != kNoRow)
            remove(lane, row, piece);
        if (p.away != kNoRow) {
            m_freeAway[{l.core, l.pieceElements(piece)}].push_back(p.away);
            p.away = kNoRow;
        }
    }
}

} // namespace pim
