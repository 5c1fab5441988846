// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Dot products of one channel of AiM: how vectors lie in the rows, and how often what is done. Price and
/// code are made from the same numbers.
///
/// A MAC16 takes the word of the global buffer at its own column [aim_simulator 0f28a07: MAC_ABK]. So a
/// vector that lies further right in a row needs its partner further right in the buffer: short vectors lie
/// side by side, and the buffer holds the partner as often. Longer ones are cut into pieces of at most a row,
/// one row each.
#include "backends/dram_pim/dot_products.h"

#include <algorithm>

namespace pim::aim {

struct Dots {
    std::int64_t batches = 1, bankVectors = 1, bufferVectors = 1;
    bool ones = false;       ///< There is no second operand: the buffer holds ones.
    std::int64_t pieces = 1; ///< Of a vector.
    std::int64_t piece = 1;  ///< Bursts of one; pieces * piece >= those of the vector, the rest is padding.
    std::int64_t perRow = 1; ///< Vectors side by side; 1 if they are cut.
    /// The buffer keeps a piece while all bank vectors pass by, and partial results leave; else a result
    /// stays in its accumulator and the buffer changes.
    bool inputsStay = false;

    std::int64_t copies() const { return std::min(perRow, bankVectors); } ///< Of a vector in the buffer.
    std::int64_t vectorBursts() const { return pieces * piece; }
    std::int64_t rowsOfBatch() const {
        return pieces > 1 ? bankVectors * pieces : (bankVectors + perRow - 1) / perRow;
    }
    std::int64_t bankRows() const { return batches * rowsOfBatch(); } ///< That the operand takes.
    std::int64_t sweeps() const { return batches * bufferVectors; }
    std::int64_t resultsOfVector() const { return inputsStay ? pieces : 1; }

    // What cores that share the buffer operand do, all sweeps.
    std::int64_t rows() const { return sweeps() * rowsOfBatch(); }
    std::int64_t macs() const { return sweeps() * bankVectors * vectorBursts(); }
    std::int64_t results() const { return sweeps() * bankVectors * resultsOfVector(); }
    /// Pieces after which accumulation goes on with another one from the host.
    std::int64_t midPieces() const { return ones || inputsStay ? 0 : sweeps() * bankVectors * (pieces - 1); }
    /// Rows after another of the same result, with nothing between that hides their opening.
    std::int64_t unhiddenRows() const { return ones ? sweeps() * bankVectors * (pieces - 1) : 0; }
    /// Of passes over the rows of a batch, each after a load.
    std::int64_t starts() const { return sweeps() * (inputsStay ? pieces : 1); }
    std::int64_t loads() const {
        if (ones)
            return copies() * piece;
        return sweeps() * (pieces == 1 ? copies() * piece : (inputsStay ? 1 : bankVectors) * pieces * piece);
    }
};

/// \param work of the busiest core. \param rowBursts of a row, and of the global buffer.
/// \param stationary false: results stay, even where pieces that stay were quicker.
Dots dotsOf(const dram::DotProducts& work, std::int64_t rowBursts, const dram::DotCosts& costs,
            bool stationary = true);

} // namespace pim::aim
