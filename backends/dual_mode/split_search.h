// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Further than CMSwitch: which way to cut each operator is searched as well. One cap for the whole network
/// is what the evaluation of the paper needs; a cap and a height for each kind of operator moves fewer bytes,
/// because pieces as wide as high read the inputs less often (at the price of partial sums, which count with
/// all their bytes here).
#include "backends/dual_mode/segmentation.h"

namespace pim {

/// Cycles are those without DualModeOptions::jointBorders; with it, the cuts found give these or fewer.
struct DualModeSplitSearch {
    double defaultCycles = 0; ///< Best default cap.
    int defaultCap = 0;
    double fineCycles = 0; ///< Best cap of fineDualModeCaps().
    int fineCap = 0;
    double cycles = 0;             ///< Each operator cut its own way; not above the others.
    std::vector<DualModeCut> cuts; ///< One an operator of the workload, that give \ref cycles.
    int plansTried = 0;            ///< Of the whole network.
};

/// Coordinate descent for options.strategy: from the best single cap, the kinds of operators (same extents)
/// try in turn the cuts that suit them best by themselves, as long as the network gets faster. \param rounds
/// over all kinds, at most. Errors: InvalidTarget, Unsupported (nothing to cut, no cap works), Cancelled.
Result<DualModeSplitSearch> searchDualModeSplits(const DualModeWorkload& workload, const DualModeChip& chip,
                                                 const DualModeOptions& options, const TaskContext& task = {},
                                                 int rounds = 2);

} // namespace pim
