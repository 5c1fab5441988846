// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What limits a simulated run and, if asked, what would help: the same for `pimc limits` and Python.
/// Flow: PlanRequest, Simulation -> [limitsOfRun] -> RunLimits -> text, [limitsJson].
#include "core/compile/what_if.h"
#include "core/timeline/limits.h"

namespace pim {

struct RunLimits {
    Limits limits;
    std::optional<WhatIf> help; ///< Where it was asked for.
};

/// \param simulation of the plan that \p request leads to.
/// Errors: Unsupported (nothing of it shows in time), and those of whatIf().
Result<RunLimits> limitsOfRun(const BackendList& backends, const PlanRequest& request,
                              const Simulation& simulation, bool asksWhatHelps, const TaskContext& task = {});

/// Times in nanoseconds.
std::string limitsJson(const Simulation& simulation, const RunLimits& run);

} // namespace pim
