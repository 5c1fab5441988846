// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One CM.mvm: all rows of an operator through the arrays of a piece.
#include "backends/dual_mode/execute/chip_memory.h"
#include "core/numeric/quantized_model.h"

namespace pim {

/// Weights of \p block of a piece as an array holds them. \param weights whole operand. Error where it has
/// too little room.
Result<ArrayTile> weightTile(const DualModeFlow& flow, const MatrixForm& form, int piece, int block,
                             std::span<const std::int8_t> weights);

struct PieceMultiply {
    const DualModeFlow& flow;
    const QuantizedModel& model;
    const MatrixForm& form;
    int piece = 0;
    int copies = 1;
    std::span<const std::int8_t> streamed; ///< Whole tensor.
    std::vector<const ArrayTile*> tiles;   ///< copies * blocks.
    std::span<std::int32_t> sums; ///< Where complete sums go, [MatrixForm::outIndex]; empty: not wanted.
    int threads = 0;
};

/// Errors of ChipMemory.
Result<void> multiplyPiece(const PieceMultiply& job, ChipMemory& memory, const TaskContext& task);

} // namespace pim
