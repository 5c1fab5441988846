// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Kernels of HBM-PIM on real numbers: lays the operands out over channels, banks, rows and columns, runs the
/// very commands whose clocks were counted, collects the result.
#include "core/dram/hbm_pim/hbm_pim_blocks.h"
#include "core/dram/hbm_pim/hbm_pim_run.h"

#include <functional>

namespace pim {

/// Operands as FP16 bit patterns, asked for element by element.
struct HbmPimOperands {
    std::function<HalfBits(std::int64_t row, std::int64_t column)> weights; ///< GEMV: W[out][in]
    std::function<HalfBits(std::int64_t batch, std::int64_t i)> x;          ///< GEMV: x[batch][in]
    std::function<HalfBits(std::int64_t i)> first, second;                  ///< Other kernels.

    /// Small fractions, all exact in FP16, that depend on the place only.
    static HbmPimOperands sample();
};

struct HbmPimOutcome {
    HbmPimCost cost;
    HbmPimSteps steps;            ///< Of one channel.
    std::vector<HalfBits> result; ///< GEMV: [batch][out]; RED: [channel][block][lane]; others: [length]
    std::uint64_t fnv64 = 0;      ///< FNV-1a of the result's bytes, low byte first.
    /// Clocks in which the weights or vectors are written first, and those of the kernel when it starts right
    /// after: refresh then falls elsewhere than in cost, where the kernel starts at clock 0.
    std::int64_t preloadCycles = 0, cyclesAfterPreload = 0;
    double maxAbsError = 0; ///< Against sums in double precision; RED: of the total of all partial sums.
};

/// Error::Usage as of checkHbmPimShape(). Where shape.isResultValid() is false the result is wrong as it is
/// in the simulator; HbmPimShape::padded avoids that.
Result<HbmPimOutcome> runHbmPimFunctional(const HbmPimShape& shape, const HbmPimOperands& operands,
                                          const HbmPimTiming& timing = {},
                                          std::vector<HbmPimCommand>* log = nullptr,
                                          const TaskContext& task = {});

/// FNV-1a, 64 bits, offset basis 1469598103934665603 as the reference data uses it.
std::uint64_t fnv64(std::span<const HalfBits> values);

} // namespace pim
