// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the resident tensors of a plan lie in PIM memory, and where each of their elements is.
/// Flow: Plan -> [layout] -> bundle, programs, loader.
#include "core/compile/plan.h"

namespace pim {

/// One resident tensor. Every core that holds a part of it holds it from the same row on, so that commands for a whole
/// group find it at the same address in all cores. [DCC §IV-C II]
/// In a core the tile is dense and row-major, its dimensions in the order of \ref order; the last of them is padded to a
/// multiple of the SIMD lanes. Where products run out of registers (\ref block > 1), it is cut further: `block` vectors side
/// by side, `block` accesses of each, so that what the registers meet next is next in the row. Rows go over the banks of
/// a core in turn.
struct TensorLayout {
    OpId op;                      ///< First op that uses it this way.
    int kernelTensor = 0;
    std::string tensor;           ///< Name in the graph.
    std::shared_ptr<const TilingSpace> space;
    Draft draft;
    std::vector<int> order;       ///< Dimensions of the tensor, outermost first; the one SIMD runs along is last.
    std::int64_t elementBytes = 2;
    std::int64_t block = 1;       ///< Registers that vectors are loaded into; 1: plain row-major.
    std::int64_t firstRow = 0;    ///< In every core.
    std::int64_t rows = 0;        ///< Of the largest tile.
};

/// Sizes of the memory of one core.
struct CoreGeometry {
    std::int64_t rowBytes = 1024;
    std::int64_t accessBytes = 32; ///< A column.
    std::int64_t banks = 1;
    std::int64_t rows = 0;         ///< Of all banks of a core together; 0: unknown.
};
CoreGeometry coreGeometry(const Target& target);

/// Where an element lies. Several cores may hold a copy; this is the first in order of group and core.
struct ElementPlace {
    int group = 0, core = 0;
    std::int64_t bank = 0;   ///< In the core.
    std::int64_t row = 0;    ///< In the bank.
    std::int64_t column = 0; ///< In the row, one access each.
    std::int64_t byte = 0;   ///< In the column.
    friend bool operator==(const ElementPlace&, const ElementPlace&) = default;
};

struct MemoryLayout {
    CoreGeometry geometry;
    std::vector<TensorLayout> tensors; ///< In order of ops, then of kernel tensors; rows are given out in this order.
    std::int64_t rowsUsed = 0;         ///< Of a core; what is above is free for streamed tensors.
};
MemoryLayout layoutOf(const Plan& plan);

/// Error::NotFound if no core holds the index; looks at one core after the other.
Result<ElementPlace> placeOf(const TensorLayout& layout, const CoreGeometry& geometry,
                             const std::vector<std::int64_t>& index);

/// Canonical JSON of layoutOf(): one entry a tensor, as stored in bundles.
std::string layoutJson(const Plan& plan);

} // namespace pim
