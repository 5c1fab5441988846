// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// cinm -> cim: products cut into pieces that fit the tiles of an accelerator, in an order of loops that decides how
/// often tiles are written (CINM section 3.2.5; orders after the Open CIM Compiler).
#include "core/ir/rewrite.h"

#include <array>
#include <optional>
#include <string>

namespace pim::ir {

/// How a product [m][k] x [k][n] runs on tiles of size x size cells.
struct TileMapping {
    std::int64_t size = 64; ///< Rows and columns of a tile.
    int tiles = 4;          ///< Of the accelerator.
    /// Loops, outermost first: "mnk" is the usual order, "knm" writes each tile once (min-writes).
    std::array<char, 3> order{'m', 'n', 'k'};
    /// Rows that meet a tile at a time: \ref size (a box), or all of them (whole rows; the loop over m has one turn).
    bool wholeRows = false;
    /// The left operand is held in the tiles instead: C^T = B^T A^T.
    bool holdLeft = false;
    /// Tiles that work on neighbouring pieces of k at the same time; at most \ref tiles, and so many as divide the pieces.
    int unroll = 1;
    friend bool operator==(const TileMapping&, const TileMapping&) = default;
};
/// "order knm, whole rows, right operand held, 4 tiles at a time"
std::string text(const TileMapping& mapping);

struct GemmShape {
    std::int64_t m = 1, k = 1, n = 1;
    friend bool operator==(const GemmShape&, const GemmShape&) = default;
};

using TileMappingOf = std::function<std::optional<TileMapping>(OperationId, const GemmShape&)>;
/// Every cinm.gemm and cinm.gemv of integers for which \p mappingOf gives a mapping; tiles hold integers, so products of reals stay
/// as they are.
Rewriter::Rule toCim(TileMappingOf mappingOf);
Result<Module> lowerToCim(const Module& cinm, TileMappingOf mappingOf);

} // namespace pim::ir
