// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The drawings of a report.
#include "core/plan/backend.h"
#include "core/plan/document.h"
#include "core/plan/draft_facet.h"

namespace pim::report {

/// Positions in Plan::ops, most expensive first; ops that cost nothing are left out.
std::vector<std::size_t> opsByTime(const Plan& plan);

/// Two bars: this plan in its parts against the host alone.
Drawing totalsChart(const Plan& plan);
/// One bar an op, stacked by part, with a mark where the host alone would be.
Drawing topOpsChart(const Plan& plan, std::size_t most);
/// Speed of the most expensive ops over arithmetic intensity, under the roof of the host.
Drawing rooflineChart(const Plan& plan, DataType computeType, std::size_t most);
/// Compute against rearrangement of all drafts of an op.
Drawing draftsChart(const Plan& plan, const Exploration& exploration);

} // namespace pim::report
