// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// HT: rows that a core has in one round and reads again in later ones stay in it, instead of going through
/// global memory: results of its own, or what it loaded for a reader of an earlier stage, as the shortcut of
/// a residual block. A chain has a buffer for each round between; as a row of a newer sample comes, those
/// before it move one buffer on. What none but such readers need is not stored at all. [PIMCOMP §VII-A:
/// intermediate results kept on chip] Flow: CrossbarTasks + Lanes -> [KeptRows] -> RowEngine.
#include "backends/crossbar/schedule/lanes.h"

namespace pim {

/// Part of the round, by row of a map; 2 for rows that are not needed or made.
struct RowsInRound {
    std::vector<double> first, last; ///< Of all who read or make the row.
};

class KeptRows {
public:
    /// Room of one row, side by side: columns of \ref span, channels of the chain.
    struct Row {
        ColumnSpan span;
        std::uint32_t offset = 0;          ///< In a buffer.
        std::vector<std::uint8_t> renewed; ///< [column of the span] in this round: buffers have moved on.
    };
    struct Chain {
        int core = 0, layer = 0;
        int channelBegin = 0, channelEnd = 0;
        int fromLane = -1; ///< Loaded rows come from it; -1: they are computed.
        std::uint32_t address = 0, elements = 0;
        int buffers = 0;
        std::vector<Row> rows;

        int channels() const { return channelEnd - channelBegin; }
        std::uint32_t at(int buffer, int row, int column) const {
            const Row& r = rows[std::size_t(row)];
            return address + std::uint32_t(buffer) * elements + r.offset +
                   std::uint32_t((column - r.span.begin) * channels());
        }
    };
    /// A lane takes rows from a chain so many rounds after they came into it.
    struct Reader {
        int chain = -1, rounds = 0;
    };

    /// When rows are made by a share, and read by a lane.
    struct Times {
        std::function<RowsInRound(const TaskShare&)> made;
        std::function<RowsInRound(int lane)> read;
    };
    /// Takes room in the lanes' memories, at most \p part of that of a core, for what saves most of global
    /// memory's traffic for its room. \p late: every reader may be later in the round than who renews the row.
    void plan(const CrossbarNetwork& network, const CrossbarTasks& tasks, Lanes& lanes,
              const std::function<double(int core)>& part, bool late, const Times& times);

    Chain& chain(int number) { return m_chains[std::size_t(number)]; }
    /// Chains of what \p core computes of \p layer; null: none.
    const std::vector<int>* computed(int core, int layer) const {
        const auto at = m_computed.find({core, layer});
        return at == m_computed.end() ? nullptr : &at->second;
    }
    /// The chain that what \p lane loads goes into; -1: none.
    int loadedInto(int lane) const { return m_loadedInto.empty() ? -1 : m_loadedInto[std::size_t(lane)]; }
    Reader reader(int lane) const { return m_readers.empty() ? Reader() : m_readers[std::size_t(lane)]; }
    /// Columns of a row that \p lane takes from its chain.
    ColumnSpan span(int lane, int row) const {
        const Reader from = reader(lane);
        return from.chain < 0 ? ColumnSpan() : m_chains[std::size_t(from.chain)].rows[std::size_t(row)].span;
    }
    /// Does any core load this pixel of the map?
    bool isLoaded(int layer, std::int64_t pixel) const {
        const auto& loaded = m_loaded[std::size_t(layer)];
        return loaded.empty() || loaded[std::size_t(pixel)] != 0;
    }
    /// Somebody else reads all of it: the host, or the user.
    void loadAll(int layer) { m_loaded[std::size_t(layer)].clear(); }

private:
    friend class KeptRowsPlan;

    std::vector<Chain> m_chains;
    std::map<std::pair<int, int>, std::vector<int>> m_computed; ///< Core, layer.
    std::vector<int> m_loadedInto;                              ///< [lane]
    std::vector<Reader> m_readers;                              ///< [lane]
    std::vector<std::vector<std::uint8_t>> m_loaded;            ///< [layer][pixel]; empty: all.
};

} // namespace pim
