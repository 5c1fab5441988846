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
    int replicas(int entry) const { return int(m_cores[std::size_t(entry)].size()) / groups(entry); }
    int groups(int entry) const { return m_model->layers[std::size_t(entry)].groups; }
    /// Core of each group of a replica.
    std::span<const int> replica(int entry, int index) const {
        return {m_cores[std::size_t(entry)].data() + std::size_t(index) * std::size_t(groups(entry)),
                std::size_t(groups(entry))};
    }
    const std::vector<int>& cores(int entry) const { return m_cores[std::size_t(entry)]; }
    int free(int kind, int core) const { return m_free[std::size_t(kind)][std::size_t(core)]; }
    std::int64_t freeInAll(int kind) const;
    bool fitsWhole(int entry, int core) const;

    const MappedTiles& tiles() const { return m_tiles; }
    void setTiles(const MappedTiles& tiles) { m_tiles = tiles; }
    bool isTiled(int entry) const; ///< LL.

    /// \p cores: one a group; there must be room.
    void add(int entry, std::span<const int> cores);
    void addWhole(int entry, int core);
    /// The last replica takes the place of the one that goes.
    void remove(int entry, int index);

    /// The mapping this is, replicas in the order of their first cores. \p place: where each core goes;
    /// empty: where it is.
    CrossbarMapping mapping(CrossbarMode mode, std::string strategy,
                            const std::vector<int>& place = {}) const;

private:
    void take(int entry, std::span<const int> cores, int sign);

    const CrossbarLayoutModel* m_model;
    MappedTiles m_tiles;
    std::vector<std::vector<int>> m_cores; ///< [entry][replica * groups + group]
    std::vector<std::vector<int>> m_free;  ///< [kind][core]
};

bool areSame(const CrossbarLayout& a, const CrossbarLayout& b);

/// Cores for one more replica of \p entry, split over as few as are needed, or empty where there is no room.
/// Whole where a core has room: the one with least left over. Split: groups that read the same channels side
/// by side, so that each core reads a part of the input. \p allowed: cores that may be used; empty: all.
std::vector<int> bestFit(const CrossbarLayout& layout, int entry, std::span<const int> allowed = {});

} // namespace pim
