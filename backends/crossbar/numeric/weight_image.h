// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is programmed into the crossbars: a binary file of cells and a manifest that says which physical
/// crossbar of which core holds which of them. Replicas hold the same cells, so these are stored once.
///
/// weights.bin: one piece after the other. A piece is an array group as one physical array after another
/// (CellCode: slices, lowest bits first; the negative parts second where signs are differential); of each the
/// used rows, row by row, cells of a row packed lowest bits first, each row filled up to whole bytes.
/// weights.json: format, code of the cells, pieces (offset, bytes, sha256, rows, columns, layer, part), and
/// for each array group its number, piece, replica, core and first physical crossbar. Where a model has no
/// weights the manifest says why, has places and sizes all the same, and there is no weights.bin.
/// Flow: CrossbarMapping + CrossbarNumbers -> [CrossbarWeightImage] -> bundle.
#include "backends/crossbar/mapping.h"
#include "backends/crossbar/numeric/array_cells.h"

#include <filesystem>
#include <string>
#include <vector>

namespace pim {

struct WeightPiece {
    LayerId layer;
    GroupId part; ///< Of one replica: all have the same weights.
    int rows = 0, columns = 0;
    std::int64_t offset = 0, bytes = 0;
    std::string sha256;
};
struct WeightPlace {
    ArrayGroupId group;
    int piece = 0; ///< Position in CrossbarWeightImage::pieces.
    ReplicaId replica;
    CoreId core;
    int firstCrossbar = 0, crossbars = 0; ///< Physical, numbered in the core.
};

struct CrossbarWeightImage {
    CellCode code;
    std::vector<WeightPiece> pieces;
    std::vector<WeightPlace> places; ///< By array group.
    std::int64_t bytes = 0;          ///< Of weights.bin.
    std::string missing;             ///< Why there are no cells; empty: they are there.
};

/// Bytes of a row of \p columns cells.
inline std::int64_t packedRowBytes(const CellCode& code, int columns) {
    return (std::int64_t(columns) * code.cellBits + 7) / 8;
}

/// Writes weights.bin and weights.json into \p folder, which exists. Weights that are not in \p numbers are
/// read from the model, some channels of a layer at a time. Errors: Usage (numbers are real), Io, Cancelled.
Result<CrossbarWeightImage> writeWeightImage(const CrossbarNetwork& network, const CrossbarChip& chip,
                                             const CrossbarMapping& mapping, const CrossbarNumbers& numbers,
                                             const std::filesystem::path& folder,
                                             const TaskContext& task = {});
/// Writes weights.json alone: where weights would go, and \p why they are not there.
Result<CrossbarWeightImage> writeWeightPlaces(const CrossbarNetwork& network, const CrossbarChip& chip,
                                              const CrossbarMapping& mapping, std::string why,
                                              const std::filesystem::path& folder);

/// Reads both files back and checks every sum. Errors: InvalidFile with the piece, Io.
Result<CrossbarWeightImage> readWeightImage(const std::filesystem::path& folder);
/// Weights of a piece, [row * columns + column], put together from their cells.
Result<std::vector<int>> weightsOfPiece(const CrossbarWeightImage& image, const std::filesystem::path& folder,
                                        int piece);

} // namespace pim
