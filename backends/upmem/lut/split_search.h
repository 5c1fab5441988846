// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Search within one split of a LUT layer. Private to the tuner.
#include "backends/upmem/lut/tuner.h"

namespace pim::upmem::detail {

std::vector<std::int64_t> divisors(std::int64_t number);

/// What all splits of a layer share.
class LutSpace {
public:
    LutSpace(const LutLayer& layer, LutReading reading);

    /// A coarse load that was measured and whose pieces are whole.
    struct CoarseLoad {
        std::int64_t features = 0, codebooks = 0, bytes = 0;
        /// Cycles for each row x feature x codebook of a DPU: adding up, and bringing the table, the latter still to be
        /// divided by the rows of a tile.
        double reduce = 0, load = 0;
        int log2Features = 0, log2Codebooks = 0;
    };

    const LutLayer& layer;
    LutReading reading;
    std::vector<std::int64_t> rowDivisors, featureDivisors, codebookTiles;
    std::vector<CoarseLoad> coarse;

    bool isPiece(std::int64_t bytes) const;
};

/// The best kernel of a tile: every load and order of the space by the cost model, the first of the least.
struct BestKernel {
    LutKernel kernel;
    LutTimes times;
};
std::optional<BestKernel> bestKernel(const LutSpace& space, const LutSplit& split, const LutTimes& transfers,
                                     const LutKernel& tile);
/// Why there is none.
std::string whyNoKernel(const LutSpace& space, const LutSplit& split, const LutKernel& tile);

/// A mapping that is refused; the further down the list of rules, the closer.
struct NearMiss {
    LutMapping mapping;
    LutRefusal refusal;
    bool isCloserThan(const NearMiss& other) const {
        return refusal.rule != other.refusal.rule ? refusal.rule > other.refusal.rule
                                                  : refusal.seen < other.refusal.seen;
    }
};
/// Of all loads of a tile; nothing if one is possible.
std::optional<NearMiss> nearestMiss(const LutSpace& space, const LutSplit& split, const LutKernel& tile);

/// Tiles of one split.
class SplitSearch {
public:
    SplitSearch(const LutSpace& space, const LutSplit& split);

    const LutSplit& split() const { return m_split; }
    const LutTimes& transfers() const { return m_transfers; }
    /// No mapping of the split takes less, seconds.
    double bound() const { return m_bound; }
    /// Least kernel time, up to rounding, seconds; infinite if there is none.
    double search();
    /// The first of the least by the cost model, once search() has run; without it, of all tiles.
    std::optional<BestKernel> winner() const;
    std::optional<BestKernel> winnerOfAll() const;
    template <class Visit>
    void forEachTile(const Visit& visit) const {
        for (const std::int64_t rows : m_rowTiles)
            for (const std::int64_t features : m_featureTiles)
                for (const std::int64_t codebooks : m_space.codebookTiles)
                    visit(LutKernel{{}, {}, rows, features, codebooks, 0, 0});
    }

private:
    struct Candidate {
        double cycles = 0;
        LutKernel tile;
    };
    struct RowTile;
    void searchFeatures(const RowTile& row, std::int64_t features);
    double leastReduce() const;

    const LutSpace& m_space;
    LutSplit m_split;
    LutTimes m_transfers;
    std::vector<std::int64_t> m_rowTiles, m_featureTiles;
    double m_work = 0; ///< Rows x features x codebooks.
    double m_bound = 0, m_least = 0;
    std::vector<Candidate> m_candidates;
};

} // namespace pim::upmem::detail
