// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Time, energy and wear of memristor tiles: the device model of the Open CIM Compiler (OCC; Siemieniuk et al., IEEE TCAD
/// 2022), which CINM's measurements use (ASPLOS 2025, section 4.2), with the constants of the results its authors
/// publish (github.com/adam-smnk/Open-CIM-Compiler, branch sim_build).
///
/// Words have 32 bits and hold four 8-bit numbers; every row begins a word. Writing a matrix [k][n] to a tile takes its
/// weights and one bias for each column, (k + 1) ceil(n / 4) words; a product with m rows takes m ceil(k / 4) words in and
/// gives m ceil(n / 4) out. The rule was found by fitting the published counters; it gives all 65 pairs of the programs in
/// occBenchmarks() that are products exactly, and those of convolutions within 5 %: rows of three filters that lie across
/// the end of a cache line count twice there, which depends on where the arrays happened to lie.
#include "core/base/result.h"
#include "core/ir/lower/cinm_to_cim.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pim::memristor {

using ir::GemmShape;
using ir::TileMapping;

struct OccDevice {
    double readWordNs = 1000, writeWordNs = 2500;
    double readWordPj = 0.2, writeWordPj = 200;
    double mixedSignalPjPerCycle = 2100; ///< While a tile is busy, at \ref clockGhz.
    double clockGhz = 1;
    double hostWordNs = 1; ///< Of a 32-bit sum that the host adds: an assumption, one a cycle at 1 GHz.
    double enduranceWrites = 32e6; ///< Of a cell.
    double wearBytes = 131072;     ///< Over which wear is spread.
};

/// What a program does to the tiles.
struct TileCounts {
    std::int64_t tileWrites = 0, products = 0, merges = 0;
    std::int64_t wordsWritten = 0, wordsRead = 0; ///< To and from the accelerator, rows of products included.
    std::int64_t matrixBytes = 0;                 ///< Written into cells.
    TileCounts& operator+=(const TileCounts& more);
    friend bool operator==(const TileCounts&, const TileCounts&) = default;
};
/// \p mapping.order with the tiles of \p mapping; pieces at the edges are as large as what is left. \p mapping of one
/// piece (size beyond all extents) gives the counts of an untiled product.
/// \param bytes of an element: more than one are as many digits (core/ir/lower/digits.h), each in a tile of its own; results
/// are read with as many bytes, at most four.
TileCounts countsOf(const GemmShape& shape, const TileMapping& mapping, std::int64_t bytes = 1);
/// How TileCounts::tileWrites come about: "⌈k/64⌉ ⌈n/64⌉ = 16 × 16 = 256 tile writes". Extents are those of the matrix that
/// the tiles hold and of what meets it.
std::string writesFormula(const GemmShape& shape, const TileMapping& mapping);
/// The product as lowerToCim() makes it: edges filled up with zeros to whole pieces.
GemmShape paddedShape(const GemmShape& shape, const TileMapping& mapping);

struct TileCost {
    double ns = 0, pj = 0;
    /// Until cells wear out if the program runs again and again; none where nothing is written.
    std::optional<double> lifetimeYears;
};
TileCost costOf(const TileCounts& counts, const OccDevice& device = {});

enum class TileGoal : std::uint8_t { Time, Energy, Writes };
struct TileChoice {
    TileMapping mapping;
    TileCounts counts; ///< As numbers of 8 bits, edges as they are; so is \ref cost.
    TileCost cost;
    TileCost wide; ///< Of all bits, edges filled up: what the driver is called for.
    int tried = 0;
};
/// What of a mapping is settled before the search; all else is searched.
struct TileWish {
    std::optional<std::array<char, 3>> order; ///< Then the right operand is held, as the letters say.
    std::optional<bool> wholeRows;
    std::optional<int> unroll; ///< At most; what divides the pieces of k.
};
/// \param order "search", or its letters: "knm". \param rows "search", "box", "whole". \param unroll 0: search. Error::Usage.
Result<TileWish> tileWish(const std::string& order, const std::string& rows, int unroll);

/// The best by TileChoice::wide, or by tile writes, of all orders, both operands held, boxes and whole rows, and unrollings that are as
/// wished; of equals the first found. \param bytes of an element.
TileChoice searchMapping(const GemmShape& shape, std::int64_t size, int tiles, TileGoal goal,
                         const TileWish& wish = {}, const OccDevice& device = {}, std::int64_t bytes = 1);
/// Tile writes no order can do without while each product is cut to tiles: ceil(k/S) min(ceil(m/S), ceil(n/S)).
std::int64_t leastTileWrites(const GemmShape& shape, std::int64_t size);

/// A program of the published results as products.
struct OccBenchmark {
    std::string name; ///< "1mm"
    std::vector<GemmShape> gemms;
    std::string reading; ///< Where the shapes come from, in a sentence.
    bool exact = true;   ///< The model gives the published words exactly, not only nearly.
};
/// Shapes as the sources of the programs have them (benchmarks/NAME in the repository above), the sizes that are macros there
/// found by the counters.
const std::vector<OccBenchmark>& occBenchmarks();
/// "cim", "cim-tiled", "cim-min-writes", "cim-unroll", "cim-opt": as the published rows name them (reference sheet: unroll
/// counts as tiled, opt as min-writes). nullopt for another name.
std::optional<TileMapping> occConfiguration(std::string_view name);

} // namespace pim::memristor
