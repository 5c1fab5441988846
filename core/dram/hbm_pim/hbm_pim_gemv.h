// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A GEMV for HBM-PIM of our own, faster than the one Samsung's public simulator brings (PIMSimulator
/// b464dde). What it does differently:
///   - a tile of 64 bursts lies in one row of the even and one of the odd banks, so that one row opens while
///   the other
///     is computed on (the simulator's takes two rows of the same bank);
///   - registers are written through the bank that has nothing to do at the time (the bank bits of the
///   register row
///     decide only which bank is activated);
///   - PIM mode stays on from the first tile to the last: one write clears the sums and starts the program
///   over;
///   - where there are outputs enough, a burst of weights holds 16 outputs of one input, which comes from a
///   scalar
///     register: 8 inputs cost one write in place of 8 for 128, and the lanes need no adding up. Channels
///     then share the inputs out, and the host adds their partial results.
/// Results are those of FP16 arithmetic in another order than the simulator's.
#include "core/dram/hbm_pim/hbm_pim_writer.h"

namespace pim {

/// How the better GEMV shares a matrix out. Sizes of any kind; what is missing of a tile is zero.
struct HbmPimGemvPlan {
    /// Of each file: results of a block that are under way, a burst each.
    static constexpr int kRegisters = 8;

    bool scalars = false;      ///< x comes from scalar registers, a burst of weights is 16 outputs.
    int inputParts = 1;        ///< Channels that share the inputs of the same outputs.
    int outputParts = 1;       ///< inputParts * outputParts == channels
    std::int64_t outTiles = 1; ///< One after the other on each channel.
    std::int64_t inTiles = 1;  ///< Of 8 (scalars) or 128 inputs; 64 bursts of weights in each block.

    /// The one of fewest clocks for the shape, by the clocks of a tile.
    static HbmPimGemvPlan of(const HbmPimShape& shape);

    /// Banks (0 even, 1 odd) that are computed on first and second take turns from tile to tile.
    static int firstBank(std::int64_t inTile) { return inTile % 2 == 0 ? 1 : 0; }
    std::int64_t row(std::int64_t outTile, std::int64_t inTile, int parity) const {
        const std::int64_t tile = outTile * inTiles + inTile;
        // The register a burst of x is taken from follows from the parity of the row.
        return scalars || parity == 0 ? tile : tile ^ 1;
    }
    struct Element {
        std::int64_t output = 0, input = 0; ///< May lie beyond the matrix: padding.
    };
    /// A lane of a burst in a bank, \ref parity 0 even, 1 odd.
    struct WeightPlace {
        int channel = 0, block = 0;
        std::int64_t outTile = 0, inTile = 0;
        int parity = 0, column = 0, lane = 0;
    };
    Element weight(const WeightPlace& at) const;
    /// First column of results in the odd banks, one a register, counted along the rows.
    std::int64_t resultColumn(std::int64_t outTile, std::int64_t batches, std::int64_t batch) const;
    std::int64_t columnsOfBank(std::int64_t batches) const { return resultColumn(outTiles, batches, 0); }
    /// Of a channel and output tile; scalars: of a lane.
    std::int64_t output(int channel, int block, std::int64_t outTile, int reg, int lane) const;
};

std::vector<std::uint32_t> optimisedGemvProgram(const HbmPimGemvPlan& plan);

/// Everything between entering and leaving all-bank mode, with the data of \p channel.
void optimisedGemv(const HbmPimShape& shape, std::span<const std::uint16_t> x, int channel, HbmPimWriter& to);

} // namespace pim
