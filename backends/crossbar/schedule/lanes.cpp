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

LaneId Lanes::findOrAdd(CoreId core, LayerId layer, int channelBegin, int channelEnd, bool loaded,
                        int stage) {
    const auto [at, isNew] = m_index.emplace(
        std::tuple{core, layer, loaded ? stage : -1, channelBegin, channelEnd}, LaneId(std::ssize(m_lanes)));
    if (isNew) {
        Lane& made = m_lanes.emplace_back();
        made.core = core;
        made.layer = layer;
        made.loaded = loaded;
        made.stage = stage;
        const PixelMap& map = m_network.layers[layer.index()].out;
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
                m_wanting[m_lanes[lane].layer.index()][row].push_back(LaneId(std::int64_t(lane)));
}

Result<std::uint32_t> Lanes::take(CoreId core, std::uint32_t elements, LayerId layer) {
    LocalMemory& memory = m_memories[core.index()];
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
                                bytes(elements), core.value, bytes(memory.used()), bytes(memory.capacity())),
                    m_network.layers[layer.index()].name,
                    "use cores with more local memory, or more replicas of the layer");
    }
    return address;
}

/// What was used longest ago gives way; of what waits for its readers in the low-latency pipeline, that is what is farthest ahead.
bool Lanes::makeRoom(CoreId core) {
    const PieceName* victim = nullptr;
    std::uint32_t oldest = m_operation;
    int ahead = 0;
    for (const PieceName& name : m_here[core.index()]) {
        const Lane& lane = m_lanes[name.lane.index()];
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
    const Lane& lane = m_lanes[name.lane.index()];
    LanePiece& piece = m_lanes[name.lane.index()].rows[std::size_t(name.row)].pieces[std::size_t(name.piece)];
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

void Lanes::remove(LaneId lane, int row, int piece) {
    const Lane& l = m_lanes[lane.index()];
    LanePiece& p = m_lanes[lane.index()].rows[std::size_t(row)].pieces[std::size_t(piece)];
    give(l.core, p.address, l.pieceElements(piece));
    p.address = kNoRow;
    auto& here = m_here[l.core.index()];
    const PieceName last = here.back();
    here[p.position] = last;
    m_lanes[last.lane.index()].rows[std::size_t(last.row)].pieces[std::size_t(last.piece)].position =
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
    made.layer = std::uint32_t(lane.layer.value);
    made.dst = dst;
    made.src1 = src;
    made.length = length;
    if (opcode != CrossbarOpcode::Write)
        made.peer = std::uint32_t(m_chip.chipOf(lane.core));
    m_program.cores[lane.core.index()].push_back(made);
}

Result<bool> Lanes::ensurePiece(LaneId lane, int row, int piece) {
    Lane& l = m_lanes[lane.index()];
    LaneRow& r = l.rows[std::size_t(row)];
    if (r.pieces.empty())
        r.pieces.resize(std::size_t(l.pieceOf(l.width - 1)) + 1);
    LanePiece& p = r.pieces[std::size_t(piece)];
    p.touched = m_operation;
    if (p.address != kNoRow)
        return false;
    const std::uint32_t elements = l.pieceElements(piece);
    PIM_TRY(p.address, take(l.core, elements, l.layer));
    auto& here = m_here[l.core.index()];
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

Result<void> Lanes::ensure(LaneId lane, int row, ColumnSpan span) {
    const Lane& l = m_lanes[lane.index()];
    for (int piece = l.pieceOf(span.begin); piece <= l.pieceOf(span.end - 1); ++piece)
        PIM_CHECK(ensurePiece(lane, row, piece));
    return {};
}

void Lanes::release(LaneId lane, int row) {
    for (LanePiece& piece : m_lanes[lane.index()].rows[std::size_t(row)].pieces)
        piece.touched = 0;
}

LaneReaderId Lanes::addReader(LaneId lane) {
    const LaneReaderId made(std::ssize(m_readers));
    m_readers.push_back({lane});
    m_lanes[lane.index()].readers.push_back(made);
    return made;
}

void Lanes::advance(LaneReaderId reader, int low, int next, int column) {
    Reader& r = m_readers[reader.index()];
    r.low = std::max(r.low, low);
    r.next = next;
    r.column = column;
    Lane& lane = m_lanes[r.lane.index()];
    int lowest = r.low;
    for (const LaneReaderId other : lane.readers)
        lowest = std::min(lowest, m_readers[other.index()].low);
    const int rows = int(lane.rows.size()), from = lane.low;
    lane.low = std::clamp(lowest, lane.low, rows);
    for (int row = from; row < std::min(rows, std::max(lane.low, next)); ++row)
        settle(r.lane, row);
}

void Lanes::letGo(LaneId lane, int row) {
    --m_lanes[lane.index()].rows[std::size_t(row)].holds;
    settle(lane, row);
}

bool Lanes::isPast(const Lane& lane, int row, int columnEnd) const {
    return std::ranges::all_of(lane.readers, [&](LaneReaderId number) {
        const Reader& reader = m_readers[number.index()];
        return row < reader.low || (row < reader.next && columnEnd <= reader.column);
    });
}

void Lanes::settle(LaneId lane, int row) {
    const Lane& l = m_lanes[lane.index()];
    LaneRow& r = m_lanes[lane.index()].rows[std::size_t(row)];
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
