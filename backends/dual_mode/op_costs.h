// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What each op of a network has to do with the time of the segments.
#include "backends/dual_mode/plan.h"
#include "core/plan/plan.h"

#include <map>

namespace pim {

/// Part of one matrix operator in the plan.
struct DualModeOpShare {
    CostSplit cost;
    int firstSegment = -1, lastSegment = -1;
    int compute = 0, memory = 0; ///< Most arrays any of its pieces has.
    int pieces = 0;
    bool waitsForData = false; ///< The piece that takes longest is limited by memory, not by its arrays.
};

/// Operators of a segment run at the same time, so its latency is shared out by how long
/// each needs with its arrays; the time its arrays compute is compute, what it waits for data on top is input. Write-back is
/// output, switching is mode switch; both are shared out alike. Rewriting goes by the arrays written. How long an operator needs is
/// what the plan is judged by: the formulas, or its piece in the flow (DualModePlan::pieceTimes). Ops of the vector unit take
/// part with what it works for them there; the formulas leave them out.
/// The parts of all operators and ops add up to the segmentation's cycles.
struct DualModeShares {
    std::vector<DualModeOpShare> operators; ///< One an operator of the workload.
    std::map<OpId, CostSplit> vectorOps;
};
DualModeShares shareOutSegments(const DualModePlan& plan);

} // namespace pim
