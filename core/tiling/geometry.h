// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How one part of a draft cuts a loop, and which indices a range of loop values reaches. Used only inside
/// core/tiling.
#include "core/tiling/tiling.h"

#include <cstdint>

namespace pim::tiling {

constexpr std::size_t kMaxLoops = 32; // loops are bits of a 32-bit mask

template <class T>
std::size_t at(T i) {
    return static_cast<std::size_t>(i);
}

/// Half-open range of a loop variable.
using Range = std::pair<std::int64_t, std::int64_t>;
inline std::int64_t lengthOf(const Range& range) {
    return range.second - range.first;
}

inline std::int64_t floorDiv(std::int64_t a, std::int64_t b) { // b > 0
    return a / b - (a % b < 0 ? 1 : 0);
}
inline std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { // b > 0
    return a / b + (a % b > 0 ? 1 : 0);
}

/// A dimension of length \ref extent cut into tiles of \ref length; the loop follows by F(v) = coefficient *
/// v + constant. Iterations whose F(v) lies outside the tensor (padding) go to the nearest tile, so that each
/// has exactly one owner.
struct Cut {
    std::int64_t coefficient = 1;
    std::int64_t constant = 0;
    std::int64_t loopExtent = 1;
    std::int64_t extent = 1;
    std::int64_t length = 1; ///< ceil(extent / parts) [DCC §IV-B.4]
    std::int64_t tiles = 1;  ///< Tiles that are not empty.

    static Cut make(const Mapping& mapping, std::int64_t loopExtent, std::int64_t extent, std::int64_t parts);
    std::int64_t tileOf(std::int64_t value) const;
    Range range(std::int64_t tile) const;
};

/// Which tiles of a cut have iterations, and how many.
struct WorkingTiles {
    std::int64_t first = 0, last = 0; ///< Tiles with work.
    std::int64_t count = 1;
    std::int64_t longest = 1, shortest = 1; ///< Loop range of a tile with work.
    std::int64_t groupsUsed = 1;            ///< Blocks of \p perGroup tiles with work.
    std::int64_t coresUsed = 1;             ///< Tiles with work in the fullest block.
    static WorkingTiles of(const Cut& cut, std::int64_t perGroup);
};

/// A dimension of a tensor with all functions that reach it.
struct DimGeometry {
    std::int64_t extent = 1;
    bool gathered = false;         ///< Looked up in: every tile has all of it.
    std::vector<AffineExpr> exprs; ///< Distinct, in order of appearance.
    std::uint32_t loops = 0;       ///< Loops that occur in any of them.
    int onlyLoop = -1;   ///< Set where index and loop value are the same and stay inside; the fast case.
    bool skewed = false; ///< Functions of different slope meet: sizes depend on where the range lies.
    std::int64_t wholeCount = 0; ///< Indices reached by the whole loops, expanded.
    std::int64_t wholeExact = 0; ///< The same as an exact set.
};

struct TensorGeometry {
    std::vector<DimGeometry> dims;
    std::int64_t elementBytes = 0;
    bool used = false;
    bool written = false;
    std::uint32_t loops = 0;        ///< Loops that occur in any index.
    std::uint32_t writtenLoops = 0; ///< Loops that occur in an index it is written with.
};

/// What is precomputed for a kernel.
struct Geometry {
    std::vector<TensorGeometry> tensors;
    std::vector<std::vector<int>> sameFunction; ///< [set][mapping]: first mapping equal to it (rule 1).
    std::vector<bool> trivial;                  ///< [set]: all its loops have one value.
    std::uint32_t scoreLoops = 0;               ///< Attention: loops the scores are summed over.
    bool strategiesMayDiffer = false;
};

/// Indices of a dimension reached from \p ranges (one a loop), sorted and disjoint, appended to \p out.
/// Without \p inside the tensor is taken as endless. An exact set of more than kMaxIrregular pieces is
/// expanded.
void collectIndices(const std::vector<AffineExpr>& exprs, const std::vector<Range>& ranges,
                    IndexStrategy strategy, std::int64_t extent, bool inside, std::vector<IndexRun>& out);
inline constexpr std::size_t kMaxIrregular = 4096;
/// Those of a dimension of a tensor.
inline void collectIndices(const DimGeometry& dim, const std::vector<Range>& ranges, IndexStrategy strategy,
                           bool inside, std::vector<IndexRun>& out) {
    if (dim.gathered)
        out.push_back({0, dim.extent, 1});
    else
        collectIndices(dim.exprs, ranges, strategy, dim.extent, inside, out);
}

} // namespace pim::tiling
