// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The kernels of tiles, one for each structure, with their instructions chosen once. Used by tile.cpp alone.
#include "backends/upmem/lut/lut_code.h"
#include "backends/upmem/tile.h"

namespace pim::upmem {

inline constexpr std::int64_t kTileUnrolled = 8; ///< Elements; rows are padded to as many.
inline constexpr std::int64_t kMergedSums = 64;  ///< Added up at a time, where tasklets share sums.

/// What makes another kernel of a tile, rather than other sizes of the same.
struct TileStructure {
    TileShape::Form form = TileShape::Form::Product;
    Element type = Element::I8;
    TileShape::Function function = TileShape::Function::Add;
    int inputs = 2;
    std::int64_t vectorsAtOnce = 1;
    bool wholeRows = true; ///< Sums are complete after one chunk.
    bool readsVectorsAgain = false;
    bool merges = false;       ///< Tasklets share sums.
    LutStructure lookUps = {}; ///< Of look-ups.
    friend auto operator<=>(const TileStructure&, const TileStructure&) = default;
};

struct Tile::Kernel {
    explicit Kernel(std::string name) : code(std::move(name)) {}
    TaskletCode code;
    std::unique_ptr<LoweredCode> lowered;
};

/// Made when first asked for; thread-safe.
std::shared_ptr<const Tile::Kernel> tileKernel(const TileStructure& structure);

/// Sizes of the kernels, in the order in which all of them declare theirs.
enum class TileSize : std::uint8_t {
    Batches,
    Passes,
    Vectors,
    Blocks,
    Rows,
    Pieces, ///< DMAs of w to a block and chunk.
    PieceRows,
    Chunk,
    Chunks,
    RowElements,
    VectorTasklets,
    OutputTasklets,
    SumTasklets,
    Tasklets,
    XBytes,
    WBytes,
    YBytes
};
inline constexpr int kTileSizes = int(TileSize::YBytes) + 1;

} // namespace pim::upmem
