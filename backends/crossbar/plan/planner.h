// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// From a network to a program and its figures. Flow: CrossbarNetwork + options + wishes -> mapping ->
/// schedule -> profile = CrossbarPlan.
#include "backends/crossbar/occupancy.h"
#include "backends/crossbar/plan/plan.h"

namespace pim {

/// What a network is planned for.
struct CrossbarPlanRequest {
    std::shared_ptr<const CrossbarNetwork> network;
    const CrossbarChip& chip;
    const CrossbarOptions& options;
    std::vector<LayerWish> wishes;
    /// Of the same network, chip and options (but for CrossbarOptions::layersAStage) without wishes: wishes change its
    /// mapping as little as they ask for, and nothing is searched. Null: the mapping is searched, with the wishes in it.
    const CrossbarPlan* base = nullptr;
    /// Made without wishes: steps it has made already are not made again, see shared_steps.h. May be null.
    const CrossbarPlan* neighbour = nullptr;
    unsigned seed = 1;
    int threads = 0; ///< 0: as many as the machine has.
};
/// Errors: as mapNetwork(), scheduleCrossbar() and profileProgram().
Result<std::shared_ptr<const CrossbarPlan>> planCrossbar(const CrossbarPlanRequest& request,
                                                         const TaskContext& task);

/// How full local memories are over time, see occupancy.h.
Result<MemoryOccupancy> occupancyOfPlan(const CrossbarPlan& plan, int steps, const TaskContext& task);

/// Profile of the plan's program. \param timeline with the spans of cores, memories and links.
Result<CrossbarProfile> profilePlan(const CrossbarPlan& plan, bool timeline, const TaskContext& task);

} // namespace pim
