// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A program of crossbar cores that computes any inputs: fixed point chosen once, then sample after sample through every core, on
/// exact arrays or on real devices. Flow: CrossbarProgramOf + options + calibration -> [NumericNetwork] -> outputs.
#include "backends/crossbar/numeric/check.h"
#include "core/plan/number_facet.h"

namespace pim {

/// \p program outlives the result. \param options what is about samples does not apply. \param calibration inputs of each sample;
/// empty: random ones. Errors: those of quantiseNetwork() and checkDevice().
Result<std::unique_ptr<NumericNetwork>> crossbarOnNumbers(const CrossbarProgramOf& program,
                                                          const CrossbarCheckOptions& options,
                                                          const std::vector<std::vector<Value>>& calibration,
                                                          const TaskContext& task = {});

/// Fixed point of a program: from \p calibration, or from random inputs of \p options.
Result<CrossbarNumbers> numbersOf(const CrossbarProgramOf& program, const CrossbarCheckOptions& options,
                                  const std::vector<std::vector<Value>>& calibration,
                                  const TaskContext& task);

} // namespace pim
