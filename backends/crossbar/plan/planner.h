// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// From a network to a program and its figures. Flow: CrossbarNetwork + options + wishes -> mapping ->
/// schedule -> profile = CrossbarPlan.
#include "backends/crossbar/occupancy.h"
#include "backends/crossbar/plan/plan.h"

namespace pim {

/// \param base of the same network, chip and options (but for CrossbarOptions::layersAStage) without wishes:
/// wishes change its mapping as little as they ask for, and nothing is searched. Null: the mapping is
/// searched, with the wishes in it.
/// Errors: as mapNetwork(), scheduleCrossbar() and profileProgram().
Result<std::shared_ptr<const CrossbarPlan>>
planCrossbar(std::shared_ptr<const CrossbarNetwork> network, const CrossbarChip& chip,
             const CrossbarOptions& options, const std::vector<LayerWish>& wishes, const CrossbarPlan* base,
             unsigned seed, int threads, const TaskContext& task);

/// How full local memories are over time, see occupancy.h.
Result<MemoryOccupancy> occupancyOfPlan(const CrossbarPlan& plan, int steps, const TaskContext& task);

/// Profile of the plan's program. \param timeline with the spans of cores, memories and links.
Result<CrossbarProfile> profilePlan(const CrossbarPlan& plan, bool timeline, const TaskContext& task);

} // namespace pim
