// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The evaluation of CMSwitch (ASPLOS 2025, §5) computed anew by its formulas on the chips it names. What was published is data:
/// resources/evaluation/cmswitch.csv. Flow: shapes, models of the zoo -> [computeCmSwitch] -> paper_table.h.
#include "app/evaluation/paper_table.h"
#include "core/base/task.h"
#include "core/hardware/catalog.h"

namespace pim::evaluation {

/// Errors: Io and InvalidFile of the data file; NotFound for a target that is not there; those of planDualMode(); Cancelled.
Result<PaperEvaluation> computeCmSwitch(const TargetCatalog& catalog, const TaskContext& task = {});

} // namespace pim::evaluation
