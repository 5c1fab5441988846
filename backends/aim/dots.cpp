// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/aim/dots.h"

#include "backends/dram_pim/machine.h"

#include <algorithm>

namespace pim::aim {

Dots dotsOf(const dram::DotProducts& work, std::int64_t rowBursts, const dram::DotCosts& costs,
            bool stationary) {
    Dots dots;
    dots.ones = work.bufferTensor < 0;
    dots.batches = work.batches;
    dots.bankVectors = work.bankVectors;
    dots.bufferVectors = work.bufferVectors;
    dots.pieces = dram::ceilDiv(work.bursts, rowBursts);
    dots.piece = dram::ceilDiv(work.bursts, dots.pieces);
    dots.perRow = dots.pieces > 1 ? 1 : rowBursts / dots.piece;
    // One accumulator a bank: what stays when a vector does not fit is the choice of nestOf.
    const dram::DotNest nest = dram::nestOf(work, {rowBursts, 1, rowBursts}, costs);
    dots.inputsStay = stationary && dots.pieces > 1 && !dots.ones && nest.midPasses == 0;
    return dots;
}

} // namespace pim::aim
