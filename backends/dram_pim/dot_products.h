// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Matrix products, convolutions and reductions as a core sees them: vectors in the bank against vectors in a small
/// buffer. Flow: kernel + draft -> [DotProducts] -> [DotNest: how often rows open, the buffer is loaded, results leave]
/// -> time, program.
#include "core/tiling/tiling.h"

#include <vector>

namespace pim::dram {

/// For each of `batches`: every one of `bankVectors` in the bank times every one of `bufferVectors`, each `bursts` long.
struct DotProducts {
    std::int64_t batches = 1;       ///< Both operands change (heads, groups of a convolution).
    std::int64_t bankVectors = 1;   ///< Weights of as many outputs.
    std::int64_t bufferVectors = 1; ///< Rows of the other operand.
    std::int64_t elements = 1;      ///< Of a vector.
    std::int64_t bursts = 1;        ///< Of a vector, lanes padded.
    int bankTensor = -1;            ///< Kernel tensor that lies in the bank,
    int bufferTensor = -1;          ///< and the one that comes from the buffer; -1: a vector of ones.

    std::int64_t results() const { return batches * bankVectors * bufferVectors; }
    std::int64_t macs() const { return results() * bursts; }
};
/// What a loop does to the vectors: changes both operands, one of them, or runs along them.
enum class DotPart : std::uint8_t { Batch, Bank, Buffer, Summed };

/// Which tensors of a Mac or Reduce kernel play which part. Fixed for all drafts of a kernel: what is resident lies in the
/// bank; if both or none are, the larger one does.
class DotOperands {
public:
    /// \param resident one a kernel tensor.
    DotOperands(const Kernel& kernel, const std::vector<bool>& resident);
    /// The work of the busiest core.
    DotProducts of(const DraftSummary& draft, int lanes) const;

    int bank() const { return m_bank; }
    int buffer() const { return m_buffer; }
    const std::vector<DotPart>& parts() const { return m_part; }

private:
    std::vector<DotPart> m_part; ///< One a loop.
    int m_bank = -1, m_buffer = -1;
};

/// What limits a core. All in bursts (one multi-data operation) or vectors.
struct DotUnit {
    std::int64_t bufferBursts = 64; ///< Capacity of the operand buffer.
    std::int64_t accumulators = 1;  ///< Results that can be under way at once.
    std::int64_t rowBursts = 32;    ///< Of a DRAM row.
};
/// Cost of the events that a nest trades against each other, in cycles.
struct DotCosts {
    double load = 1;    ///< One burst into the buffer.
    double rowOpen = 1; ///< Closing a row and opening the next.
    double result = 1;  ///< One result (or partial result) out of its accumulator.
};

/// The nest a core runs: `passes` times { load the buffer; `fullRows` rows of `rowMacs`; a last row of `lastMacs`; results
/// out }.
struct DotNest {
    std::int64_t passes = 1;
    /// passes = batches * revisits * parts: a batch has rows of its own, a revisit starts again at the first of them, a
    /// part goes on where the one before stopped.
    std::int64_t batches = 1, revisits = 1, parts = 1;
    std::int64_t loads = 0; ///< Bursts into the buffer a pass.
    std::int64_t fullRows = 0;
    std::int64_t rowMacs = 0;  ///< Operations on a full row: each burst once for every vector in the buffer.
    std::int64_t lastMacs = 0; ///< On the last row; 0: there is none.
    std::int64_t results = 0;  ///< Out a pass; partial ones included.
    std::int64_t firstLoads = 0;  ///< Of passes*loads, those that bring an operand in for the first time.
    std::int64_t resultParts = 1; ///< Partial results of one element that leave one after the other.
    std::int64_t midPasses = 0;   ///< Passes (of all) after which nothing leaves: accumulation goes on.
    std::int64_t rowsOfPass() const { return fullRows + (lastMacs > 0 ? 1 : 0); }
    /// Parts that add to the same results before they leave.
    std::int64_t piecesOfResult() const { return passes > midPasses ? passes / (passes - midPasses) : 1; }

    std::int64_t rows() const { return passes * rowsOfPass(); }
    std::int64_t macs() const { return passes * (fullRows * rowMacs + lastMacs); }
    std::int64_t allLoads() const { return passes * loads; }
    std::int64_t allResults() const { return passes * results - midPasses * results; }
};

/// The cheapest of: keep as many operand vectors in the buffer as fit and pass over the bank once for them; if not even one
/// fits, reload its pieces for every set of outputs (outputs stay) or keep a piece and spill partial results (inputs stay).
/// [output- and input-stationary GEMV of AiM: aim_simulator 0f28a07; output-stationary GEMV of HBM-PIM: PIMSimulator b464dde]
DotNest nestOf(const DotProducts& work, const DotUnit& unit, const DotCosts& costs);

} // namespace pim::dram
