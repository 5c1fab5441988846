// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The drawings of a report.
#include "core/plan/backend.h"
#include "core/plan/document.h"
#include "core/plan/draft_facet.h"
#include "core/plan/roofline.h"

namespace pim::report {

/// Positions in Plan::ops, most expensive first; ops that cost nothing are left out.
std::vector<std::size_t> opsByTime(const Plan& plan);

/// Two bars: this plan in its parts against the host alone.
Drawing totalsChart(const Plan& plan);
/// One bar an op, stacked by part, with a mark where the host alone would be.
Drawing topOpsChart(const Plan& plan, std::size_t most);
/// Of a plan that was not simulated: speed of the most expensive ops over arithmetic intensity, under the roof of the host.
Drawing rooflineChart(const Plan& plan, std::size_t most);
/// All ops that compute, each under the ceilings of machine and host; nothing where none does.
Drawing underRoofsChart(const Graph& graph, const Roofline& roofline);
/// Compute against rearrangement of all drafts of an op.
Drawing draftsChart(const Plan& plan, const Exploration& exploration);

} // namespace pim::report
