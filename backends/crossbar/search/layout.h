// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where array groups lie while a strategy works: cores of every replica and the arrays that are still free.
/// Always within capacity. Flow: CrossbarLayoutModel -> [CrossbarLayout] -> CrossbarMapping.
#include "backends/crossbar/search/layout_model.h"

#include <span>

namespace pim {

class CrossbarLayout {
public:
    explicit CrossbarLayout(const CrossbarLayoutModel& model);

    const CrossbarLayoutModel& model() const { return *m_model; }
    int replicas(MatrixId entry) const { return int(m_cores[entry.index()].size()) / groups(entry); }
    int groups(MatrixId entry) const { return m_model->layers[entry.index()].groups; }
    /// Core of each group of a replica.
    std::span<const CoreId> replica(MatrixId entry, ReplicaId index) const {
        return {m_cores[entry.index()].data() + index.index() * std::size_t(groups(entry)),
                std::size_t(groups(entry))};
    }
    const std::vector<CoreId>& cores(MatrixId entry) const { return m_cores[entry.index()]; }
    int free(int kind, CoreId core) const { return m_free[std::size_t(kind)][core.index()]; }
    std::int64_t freeInAll(int kind) const;
    bool fitsWhole(MatrixId entry, CoreId core) const;

    const MappedTiles& tiles() const { return m_tiles; }
    void setTiles(const MappedTiles& tiles) { m_tiles = tiles; }
    bool isTiled(MatrixId entry) const; ///< LL.

    /// \p cores: one a group; there must be room.
    void add(MatrixId entry, std::span<const CoreId> cores);
    void addWhole(MatrixId entry, CoreId core);
    /// The last replica takes the place of the one that goes.
    void remove(MatrixId entry, ReplicaId index);

    /// The mapping this is, replicas in the order of their first cores. \p place: where each core goes;
    /// empty: where it is.
    CrossbarMapping mapping(CrossbarMode mode, std::string strategy,
                            const std::vector<CoreId>& place = {}) const;

private:
    void take(MatrixId entry, std::span<const CoreId> cores, int sign);

    const CrossbarLayoutModel* m_model;
    MappedTiles m_tiles;
    std::vector<std::vector<CoreId>> m_cores; ///< [entry][replica * groups + group]
    std::vector<std::vector<int>> m_free;     ///< [kind][core]
};

bool areSame(const CrossbarLayout& a, const CrossbarLayout& b);

/// Cores for one more replica of \p entry, split over as few as are needed, or empty where there is no room.
/// Whole where a core has room: the one with least left over. Split: groups that read the same channels side
/// by side, so that each core reads a part of the input. \p allowed: cores that may be used; empty: all.
std::vector<CoreId> bestFit(const CrossbarLayout& layout, MatrixId entry,
                            std::span<const CoreId> allowed = {});

} // namespace pim
