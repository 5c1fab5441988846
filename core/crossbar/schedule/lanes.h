// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which rows of which maps lie in which core, and until when. A lane is the part of a map one core has to do with: some columns
/// (padding included, written as zeros) and channels; rows come as they are loaded, received or computed and go when the last
/// reader in the core is past them. [PIMCOMP §VII-B, pixel-level runtime management, by rows of a strip]
#include "core/crossbar/instruction.h"
#include "core/crossbar/schedule/local_memory.h"
#include "core/crossbar/schedule/tasks.h"

#include <deque>
#include <map>
#include <tuple>

namespace pim {

inline constexpr std::uint32_t kNoRow = 0xffffffff;

struct LaneRow {
    std::uint32_t address = kNoRow;
    std::vector<int> arrived; ///< [column from the first wanted] channels that are here; empty: none.
    int holds = 0;   ///< Transfers that still read it, and who still writes it.
};

struct Lane {
    int core = 0, layer = 0;
    bool loaded = false;          ///< From global memory: another sample (HT), or a network input.
    ColumnSpan columns;           ///< Of a row in memory; may reach over the borders of the map.
    int channelBegin = 0, channelEnd = 0;
    std::vector<ColumnSpan> want; ///< [row] what readers in the core need, within the map.
    std::vector<LaneRow> rows;
    std::vector<int> readers;     ///< Positions in Lanes::lows.
    int low = 0;                  ///< No reader needs rows before this.

    int channels() const { return channelEnd - channelBegin; }
    /// Columns of a row are here.
    void arrive(int row, ColumnSpan span, int channels);
    /// Are those of \p span that are wanted?
    bool has(int row, ColumnSpan span) const;
    std::uint32_t rowElements() const { return std::uint32_t(columns.size()) * std::uint32_t(channels()); }
    std::uint32_t at(int row, int column, int channel) const {
        return rows[std::size_t(row)].address + std::uint32_t((column - columns.begin) * channels() + channel - channelBegin);
    }
};

/// All lanes and the memories they lie in. Emits nothing but the zeros of padding.
class Lanes {
public:
    Lanes(const CrossbarNetwork& network, const CrossbarChip& chip, CrossbarProgram& program);

    /// \param stage of the reader: readers of different stages load different samples.
    int findOrAdd(int core, int layer, bool loaded, int stage = 0);
    Lane& operator[](int lane) { return m_lanes[std::size_t(lane)]; }
    const std::vector<int>& of(int layer) const { return m_ofLayer[std::size_t(layer)]; } ///< Those that are not loaded.

    /// Space for a row, if it has none yet. Error::InvalidTarget with the numbers.
    Result<void> ensureRow(int lane, int row);
    /// A reader is past all rows before \p low.
    void advance(int reader, int low);
    int addReader(int lane); ///< \returns its number for advance().
    void hold(int lane, int row) { ++m_lanes[std::size_t(lane)].rows[std::size_t(row)].holds; }
    void letGo(int lane, int row);

    Result<std::uint32_t> take(int core, std::uint32_t elements, int layer);
    void give(int core, std::uint32_t address, std::uint32_t elements) { m_memories[std::size_t(core)].give(address, elements); }
    const LocalMemory& memory(int core) const { return m_memories[std::size_t(core)]; }

private:
    void settle(Lane& lane, int row); ///< Frees it if nobody needs it.

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    CrossbarProgram& m_program;
    std::vector<LocalMemory> m_memories;
    std::deque<Lane> m_lanes;
    std::map<std::tuple<int, int, int>, int> m_index; ///< Core, layer, stage of readers or -1 where it is not loaded.
    std::vector<std::vector<int>> m_ofLayer;
    struct Reader {
        int lane = 0, low = 0;
    };
    std::vector<Reader> m_readers;
};

} // namespace pim
