// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Does the program of a chosen mapping compute the kernel? Its commands run on random numbers in the arithmetic of the
/// units, the results are compared with the kernel in double precision. Tolerance: core/execute/numeric_check.h.
///
/// All channels get the same commands. Products of more than kWholeMacs multiplications are run on the first channels
/// only, as many as fit that bound, and those results are compared that get all of their parts from these channels: the
/// others would be computed by the same commands on other data.
#include "app/evaluation/evaluation_report.h"

namespace pim::evaluation {

inline constexpr double kWholeMacs = 40e6;

/// Errors: Unsupported (the machine has no code for it), Cancelled.
Result<FunctionalResult> checkChosen(Evaluator& evaluator, const Comparison& comparison, const TaskContext& task);

/// Of every kernel in \p figures, each once.
Result<std::vector<FunctionalResult>> checkAll(Evaluator& evaluator, const std::vector<Figure>& figures, const TaskContext& task);

} // namespace pim::evaluation
