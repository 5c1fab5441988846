// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Plans judged by what the simulator charges (CostRule::Flow). Flow: Graph + DualModeWorkload + chip -> [planByFlow] -> DualModePlan
/// whose segments, total and baselines are simulated cycles.
///
/// The formulas of CMSwitch leave out that weights come over the bus, that operators share it, that pipelines fill and what the vector
/// unit does: 1.7 to 9 times the time that they predict for ResNet-50 and BERT on the chips we have. No factor mends that, as the share of
/// each cause differs from network to network. So formulas propose, and the simulator decides: each strategy is planned under the
/// reading asked for and under the one that comes nearest to the simulator (weights once over the bus, main memory shared,
/// traffic without weights); the flow of each proposal is timed by simulateFlow(), the very function that simulates the plan later.
/// CostRule::Once leaves it at the latter reading without joint borders, at three caps, at dual-mode and all-compute, and at the first
/// flow of each (emitTimedFlow()).
#include "backends/dual_mode/planner.h"

namespace pim {

struct Graph;

/// The proposal whose flow takes the fewest cycles. Proposals that only compute (all-compute, PUMA-like, OCC-like) stand for
/// dual-mode as well, unless a cap or a piece is decided, so that it is never slower than any of them. Baselines are the fastest
/// proposals of each strategy, without decisions on pieces. Errors: as planDualMode(), and those of emitFlow() and simulateFlow().
Result<std::shared_ptr<const DualModePlan>> planByFlow(const Graph& graph, DualModeWorkload workload,
                                                       const DualModeChip& chip,
                                                       const DualModeOptions& options,
                                                       const std::vector<Override>& decisions = {},
                                                       const TaskContext& task = {});

} // namespace pim
