// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The user's decisions in the words of backends/crossbar.
#include "backends/crossbar/plan/decisions.h"
#include "backends/crossbar/plan/plan.h"
#include "core/graph/graph.h"
#include "core/plan/override.h"
#include "core/plan/plan.h"

#include <vector>

namespace pim {

/// Errors: IllegalOverride for an op there is not, and for what no crossbar machine can be told.
Result<std::vector<Override>> crossbarDecisions(const Graph& graph, const Overrides& overrides);

/// What the machine planned as a whole; null if the plan is not one of a crossbar machine.
inline const CrossbarPlan* crossbarPlan(const Plan& plan) {
    return dynamic_cast<const CrossbarPlan*>(plan.detail.get());
}

} // namespace pim
