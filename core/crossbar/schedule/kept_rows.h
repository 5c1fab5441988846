// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// HT: results that the same core reads in the next round stay in it, all rows of its strip, instead of going
/// through global memory. A row is taken out before the next sample's is put in its place: both walk over the
/// map at one pace, the reader a little ahead. What none but such readers need is not stored at all. [PIMCOMP
/// §VII-A: intermediate results kept on chip] Flow: CrossbarTasks + Lanes -> [KeptRows] -> RowEngine.
#include "core/crossbar/schedule/lanes.h"

namespace pim {

class KeptRows {
public:
    /// Room of one row, side by side: columns of \ref span, channels of the lane that reads it.
    struct Row {
        ColumnSpan span;
        std::uint32_t address = 0;
        bool renewed = false; ///< In this round: what the reader wants is gone.
    };
    struct Strip {
        int lane = -1; ///< Of the reader.
        std::vector<Row> rows;
    };

    /// Takes room in the lanes' memories, at most \p share of each. \p inTime: does a lane read every row
    /// before the next sample's is computed?
    void plan(const CrossbarNetwork& network, const CrossbarTasks& tasks, Lanes& lanes, double share,
              const std::function<bool(int lane, const TaskShare& producer)>& inTime);
    /// Strip of \p layer that \p core keeps; null: none.
    Strip* of(int core, int layer) {
        const auto at = m_index.find({core, layer});
        return at == m_index.end() ? nullptr : &m_strips[at->second];
    }
    /// Does any core load this pixel of the map?
    bool isLoaded(int layer, std::int64_t pixel) const {
        const auto& loaded = m_loaded[std::size_t(layer)];
        return loaded.empty() || loaded[std::size_t(pixel)] != 0;
    }
    /// Somebody else reads all of it: the host, or the user.
    void loadAll(int layer) { m_loaded[std::size_t(layer)].clear(); }

private:
    std::vector<Strip> m_strips;
    std::map<std::pair<int, int>, std::size_t> m_index; ///< Core, layer.
    std::vector<std::vector<std::uint8_t>> m_loaded;    ///< [layer][pixel]; empty: all.
};

} // namespace pim
