// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Does the program of a chosen mapping compute the kernel? Its commands run on random numbers in the arithmetic of the
/// units, the results are compared with the kernel in double precision. Tolerance: core/execute/numeric_check.h.
#include "app/evaluation/evaluation_report.h"

namespace pim::evaluation {

/// Programs of more multiplications take seconds to minutes each.
inline constexpr double kQuickMacs = 40e6;

/// Errors: Unsupported (the machine has no code for it), Cancelled.
Result<FunctionalResult> checkChosen(Evaluator& evaluator, const Comparison& comparison,
                                     const TaskContext& task);

/// Of every kernel in \p figures, each once. Those of more than \p macsAtMost multiplications are listed as left out.
Result<std::vector<FunctionalResult>> checkAll(Evaluator& evaluator, const std::vector<Figure>& figures,
                                               double macsAtMost, const TaskContext& task);

} // namespace pim::evaluation
