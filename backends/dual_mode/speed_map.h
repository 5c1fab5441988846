// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How fast a network could be with c compute and m memory arrays, for every c + m <= N (CMSwitch Fig. 5,
/// §3.1: "theoretical performance normalised to the optimal performance with the same amount of total
/// arrays").
///
/// Operators run one after the other, each on all c + m arrays, whole and unsplit:
///   time(c, m) = sum over operators of max( computeWork / c , traffic / (D_main + m * D_cim) )
/// with computeWork = minimum arrays * M * cycles of one product (blocks that are not full count whole) and
/// traffic as DualModeOptions::traffic says. Nothing else is counted: no minimum of arrays, no rewriting, no
/// switching, no pipelining. It is what the mix of arrays alone can give, and says which mix a network wants,
/// not how fast it will run.
#include "backends/dual_mode/workload.h"

namespace pim {

struct SpeedMap {
    int arrays = 0;                      ///< N
    std::vector<float> performance;      ///< Rows of c = 1 … N, each with m = 0 … N - c; 1 is the best.
    int bestCompute = 0, bestMemory = 0; ///< Fewest arrays that reach the best.
    double bestCycles = 0;
    double intensity = 0; ///< 2 MACs / traffic, operations a byte: what the preference comes from.

    /// 0 outside 1 <= compute, 0 <= memory, compute + memory <= N.
    double at(int compute, int memory) const;
};

/// \param op Position in the workload; -1: the whole network.
/// Errors: InvalidTarget (checkDualModeChip, or more than 4096 arrays), Unsupported (no operators), NotFound (no
/// such op).
Result<SpeedMap> speedMap(const DualModeWorkload& workload, const DualModeChip& chip,
                          const DualModeOptions& options, int op = -1);

} // namespace pim
