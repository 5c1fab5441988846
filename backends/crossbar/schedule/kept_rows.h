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

/// Rows that stay in one core: position in KeptRows.
using ChainId = Id<struct CrossbarChainTag>;

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
        CoreId core;
        LayerId layer;
        int channelBegin = 0, channelEnd = 0;
        LaneId fromLane; ///< Loaded rows come from it; invalid: they are computed.
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
        ChainId chain;
        int rounds = 0;
    };

    /// When rows are made by a share, and read by a lane.
    struct Times {
        std::function<RowsInRound(const TaskShare&)> made;
        std::function<RowsInRound(LaneId lane)> read;
    };
    /// Takes room in the lanes' memories, at most \p part of that of a core, for what saves most of global
    /// memory's traffic for its room. \p late: every reader may be later in the round than who renews the row.
    void plan(const CrossbarNetwork& network, const CrossbarTasks& tasks, Lanes& lanes,
              const std::function<double(CoreId core)>& part, bool late, const Times& times);

    Chain& chain(ChainId number) { return m_chains[number.index()]; }
    /// Chains of what \p core computes of \p layer; null: none.
    const std::vector<ChainId>* computed(CoreId core, LayerId layer) const {
        const auto at = m_computed.find({core, layer});
        return at == m_computed.end() ? nullptr : &at->second;
    }
    /// The chain that what \p lane loads goes into; invalid: none.
    ChainId loadedInto(LaneId lane) const {
        return m_loadedInto.empty() ? ChainId() : m_loadedInto[lane.index()];
    }
    Reader reader(LaneId lane) const { return m_readers.empty() ? Reader() : m_readers[lane.index()]; }
    /// Columns of a row that \p lane takes from its chain.
    ColumnSpan span(LaneId lane, int row) const {
        const Reader from = reader(lane);
        return !from.chain.valid() ? ColumnSpan() : m_chains[from.chain.index()].rows[std::size_t(row)].span;
    }
    /// Does any core load this pixel of the map?
    bool isLoaded(LayerId layer, std::int64_t pixel) const {
        const auto& loaded = m_loaded[layer.index()];
        return loaded.empty() || loaded[std::size_t(pixel)] != 0;
    }
    /// Somebody else reads all of it: the host, or the user.
    void loadAll(LayerId layer) { m_loaded[layer.index()].clear(); }

private:
    friend class KeptRowsPlan;

    std::vector<Chain> m_chains;
    std::map<std::pair<CoreId, LayerId>, std::vector<ChainId>> m_computed;
    std::vector<ChainId> m_loadedInto;               ///< [lane]
    std::vector<Reader> m_readers;                   ///< [lane]
    std::vector<std::vector<std::uint8_t>> m_loaded; ///< [layer][pixel]; empty: all.
};

} // namespace pim
