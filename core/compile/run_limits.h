// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What limits a simulated run, what sets the time of each op and, if asked, what would help: the same for `pimc limits` and Python.
/// Flow: PlanRequest, Plan, Simulation -> [limitsOfRun] -> RunLimits -> text, [limitsJson].
#include "core/compile/what_if.h"
#include "core/plan/roofline.h"
#include "core/timeline/limits.h"

#include <utility>

namespace pim {

struct LimitsQuestion {
    bool whatHelps = false;
    bool roofline = false;
    /// Looks at this stretch of the run alone, nanoseconds; \ref whatHelps is about the whole all the same.
    std::optional<std::pair<double, double>> withinNs;
};

struct RunLimits {
    Limits limits;                    ///< Of the run, or of the stretch that was asked for.
    std::optional<WhatIf> help;       ///< Where it was asked for.
    std::optional<Roofline> roofline; ///< Likewise.
    std::map<int, std::int64_t> path; ///< Of the chain, by op: pathByOp().
};

/// \param request what led to \p plan. \param simulation of \p plan.
/// Errors: Unsupported (nothing of it shows in time), Usage (a stretch outside of the run), those of whatIf() and ReportFacet::roofline().
Result<RunLimits> limitsOfRun(const BackendList& backends, const PlanRequest& request, const Plan& plan,
                              const Simulation& simulation, const LimitsQuestion& question,
                              const TaskContext& task = {});

/// The ops under their roofs, those that take most time first.
std::vector<const OpUnderRoof*> byTime(const Roofline& roofline);

/// Resources and the chain of work, in nanoseconds.
std::string limitsJson(const Limits& limits);
/// Times in nanoseconds. \param only of the roofline's ops; invalid: all.
std::string limitsJson(const Plan& plan, const Simulation& simulation, const RunLimits& run, OpId only = {});

} // namespace pim
