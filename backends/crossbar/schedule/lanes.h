// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which rows of which maps lie in which core, and until when. A lane is the part of a map one core has to do with: some columns
/// (padding included, written as zeros) and channels; its rows lie in pieces of some columns each, which come as they are loaded,
/// received or computed and go when the last reader in the core is past them. Where a core has no room, pieces that nothing under
/// way needs give way: what was loaded is loaded again, other pieces lie in global memory until they are needed.
/// [PIMCOMP §VII-B, pixel-level runtime management, by pieces of rows of a strip]
#include "backends/crossbar/instruction.h"
#include "backends/crossbar/schedule/local_memory.h"
#include "backends/crossbar/schedule/tasks.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <tuple>

namespace pim {

/// Share that reads a lane: position in Lanes.
using LaneReaderId = Id<struct CrossbarLaneReaderTag>;

inline constexpr std::uint32_t kNoRow = 0xffffffff;

/// Columns of a row that lie side by side.
struct LanePiece {
    std::uint32_t address = kNoRow; ///< In local memory.
    std::uint32_t away = kNoRow;    ///< In global memory, while it had to give way.
    std::uint32_t touched = 0;      ///< Operation that used it last, see Lanes::nextOperation().
    std::uint32_t position = 0;     ///< Among the pieces in the core.
    int pins = 0;                   ///< Jobs under way that use it.
};

struct LaneRow {
    std::vector<LanePiece> pieces; ///< By column over Lane::block; empty until the first is here.
    /// [column of the lane] channels that are here, or in global memory with their piece; empty: none.
    std::vector<int> arrived;
    int holds = 0; ///< Transfers that still read it, and who is writing it.
};

struct Lane {
    CoreId core;
    LayerId layer;
    bool loaded = false; ///< From global memory: another sample (HT), or a network input.
    int stage = 0;       ///< Of its readers, where it is loaded.
    bool stays = false;  ///< Parts come from rows kept in the core, once: it cannot give way.
    /// Of a row in memory; may reach over the borders of the map. See include().
    ColumnSpan columns;
    int channelBegin = 0, channelEnd = 0;
    int width = 0, block = 1;   ///< Columns of the map and of a piece, the same for all lanes of a layer.
    std::uint64_t perBlock = 0; ///< See pieceOf().
    int firstPiece = 0, lastPiece = 0; ///< That have columns.
    std::vector<ColumnSpan> want;      ///< [row] what readers in the core need, within the map.
    std::vector<LaneRow> rows;
    std::vector<LaneReaderId> readers;
    int low = 0;             ///< No reader needs rows before this.
    std::int64_t window = 0; ///< Elements of the rows a reader needs for one of its own.

    int channels() const { return channelEnd - channelBegin; }
    /// Columns of a row are here.
    void arrive(int row, ColumnSpan span, int channels);
    int arrived(int row, int column) const {
        const auto& counts = rows[std::size_t(row)].arrived;
        return counts.empty() ? 0 : counts[std::size_t(column - columns.begin)];
    }
    /// Are those of \p span that are wanted?
    bool has(int row, ColumnSpan span) const;

    void include(ColumnSpan span) {
        columns.include(span);
        firstPiece = pieceOf(columns.begin);
        lastPiece = pieceOf(columns.end - 1);
    }
    void setBlock(int columnsOfPiece) {
        block = columnsOfPiece;
        perBlock = (std::uint64_t(1) << kFraction) / std::uint64_t(block) + 1;
    }
    /// Padding belongs to the first or last piece. Asked several times an instruction, so it does not divide: exact
    /// while column times block is below 2^kFraction.
    int pieceOf(int column) const {
        return int((std::uint64_t(std::clamp(column, 0, width - 1)) * perBlock) >> kFraction);
    }
    ColumnSpan pieceColumns(int piece) const {
        return {piece == firstPiece ? columns.begin : piece * block,
                piece == lastPiece ? columns.end : (piece + 1) * block};
    }
    static constexpr int kFraction = 40;
    bool inOnePiece(ColumnSpan one, ColumnSpan next) const {
        return pieceOf(one.begin) == pieceOf(next.end - 1);
    }
    std::uint32_t pieceElements(int piece) const {
        return std::uint32_t(pieceColumns(piece).size()) * std::uint32_t(channels());
    }
    /// Columns from \p column on that lie side by side.
    int together(int column) const { return pieceColumns(pieceOf(column)).end - column; }
    bool isHere(int row, int piece) const {
        const auto& pieces = rows[std::size_t(row)].pieces;
        return !pieces.empty() && pieces[std::size_t(piece)].address != kNoRow;
    }
    std::uint32_t at(int row, int column, int channel) const {
        const int piece = pieceOf(column);
        return rows[std::size_t(row)].pieces[std::size_t(piece)].address +
               std::uint32_t((column - pieceColumns(piece).begin) * channels() + channel - channelBegin);
    }
};

/// All lanes and the memories they lie in. Emits nothing but the zeros of padding.
class Lanes {
public:
    /// \param memoryShare for columnsOfPiece().
    /// \param nextGlobal first free address of global memory, moved on as it is taken.
    Lanes(const CrossbarNetwork& network, const CrossbarChip& chip, CrossbarProgram& program, int memoryShare,
          std::uint32_t& nextGlobal);

    /// A lane of channels [channelBegin, channelEnd): what is made in a core and what is read there are two lanes where they differ.
    /// \param stage of the reader: readers of different stages load different samples.
    LaneId findOrAdd(CoreId core, LayerId layer, int channelBegin, int channelEnd, bool loaded,
                     int stage = 0);
    std::size_t size() const { return m_lanes.size(); }
    Lane& operator[](LaneId lane) { return m_lanes[lane.index()]; }
    /// Those that are not loaded and want some of a row; once listWanting() has been called, when all know what they want.
    const std::vector<LaneId>& wanting(LayerId layer, int row) const {
        return m_wanting[layer.index()][std::size_t(row)];
    }
    void listWanting();

    /// The piece is in local memory, with zeros where it is padding: as it was, or new. \returns whether it is new.
    /// Error::InvalidTarget with the numbers.
    Result<bool> ensurePiece(LaneId lane, int row, int piece);
    /// All pieces that have columns of \p span.
    Result<void> ensure(LaneId lane, int row, ColumnSpan span);
    /// A reader is past all rows before \p low, and past columns before \p column of rows before \p next.
    void advance(LaneReaderId reader, int low, int next, int column);
    LaneReaderId addReader(LaneId lane);
    void hold(LaneId lane, int row) { ++m_lanes[lane.index()].rows[std::size_t(row)].holds; }
    void letGo(LaneId lane, int row);

    /// What was ensured and is not ensured again after this may give way, if nobody keeps it.
    void nextOperation() { ++m_operation; }
    struct PieceName {
        LaneId lane;
        int row = 0, piece = 0;
    };
    void keep(const PieceName& name) { ++pieceOf(name).pins; }
    void keepNoLonger(const PieceName& name) { --pieceOf(name).pins; }
    /// All that may give way does, so that what comes lies side by side instead of in gaps.
    void clear(CoreId core) {
        while (makeRoom(core)) {
        }
    }
    /// This row may give way at once.
    void release(LaneId lane, int row);

    /// Asked when a core is full: by ending what is as good as done (before pieces give way), or whatever is under way (after).
    /// \returns whether something was given back.
    using MakeRoom = std::function<bool(CoreId core, bool underWay)>;
    void whenFull(MakeRoom makeRoom) { m_whenFull = std::move(makeRoom); }

    Result<std::uint32_t> take(CoreId core, std::uint32_t elements, LayerId layer);
    void give(CoreId core, std::uint32_t address, std::uint32_t elements) {
        m_memories[core.index()].give(address, std::max(1u, elements));
    }
    const LocalMemory& memory(CoreId core) const { return m_memories[core.index()]; }
    std::pair<CoreId, LayerId> full() const { return m_full; }    ///< That found no room; invalid: none.
    std::uint64_t elementsAway() const { return m_elementsAway; } ///< Global memory for pieces that gave way.

private:
    LanePiece& pieceOf(const PieceName& name) {
        return m_lanes[name.lane.index()].rows[std::size_t(name.row)].pieces[std::size_t(name.piece)];
    }
    void settle(LaneId lane, int row); ///< Frees what nobody needs.
    bool isPast(const Lane& lane, int row, int columnEnd) const;
    void remove(LaneId lane, int row, int piece); ///< From local memory.
    bool makeRoom(CoreId core);                   ///< One piece gives way; false: none can.
    bool canGiveWay(const Lane& lane, int row, int piece) const;
    /// Moves what is in a piece between local and global memory.
    void move(const Lane& lane, int row, int piece, CrossbarOpcode opcode);
    void put(const Lane& lane, CrossbarOpcode opcode, std::uint32_t dst, std::uint32_t src,
             std::uint32_t length);

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    CrossbarProgram& m_program;
    std::uint32_t& m_nextGlobal; ///< First global address that is free.
    int m_memoryShare;
    std::vector<LocalMemory> m_memories;
    std::deque<Lane> m_lanes;
    /// Core, layer, stage of readers or -1 where it is not loaded, channels.
    std::map<std::tuple<CoreId, LayerId, int, int, int>, LaneId> m_index;
    std::vector<std::vector<std::vector<LaneId>>> m_wanting; ///< [layer][row]
    struct Reader {
        LaneId lane;
        int low = 0, next = 0, column = 0;
    };
    std::vector<Reader> m_readers;
    std::vector<std::vector<PieceName>> m_here; ///< [core]
    /// Core and elements -> global addresses. Not for other cores: nothing tells them when the last load is through.
    std::map<std::pair<CoreId, std::uint32_t>, std::vector<std::uint32_t>> m_freeAway;
    MakeRoom m_whenFull;
    std::uint32_t m_operation = 1;
    std::uint64_t m_elementsAway = 0;
    std::pair<CoreId, LayerId> m_full;
};

} // namespace pim
