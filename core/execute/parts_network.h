// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A plan over several machines on numbers: each part by the programs of its machine, what one makes handed to the next. Flow:
/// joined Plan + options -> [networkOfParts] -> outputs; -> [checkParts] -> how far each machine is from the network.
///
/// Numbers cross borders as fractions, as the host reads them; ops on the host are computed in float32.
#include "core/plan/backend.h"
#include "core/plan/number_facet.h"

namespace pim {

/// \p plan of a network whose weights are all there (core/execute/sample_weights.h); it and \p backends outlive the result.
/// NumberOptions::calibration is of the whole network; where it is empty, a few random inputs of NumberOptions::seed stand in. Errors:
/// Usage (a plan that has no parts), those of NumberFacet::prepare() and runReal(). Machines whose programs cannot be run on numbers are
/// computed in float32, which notes() says.
Result<std::unique_ptr<NumericNetwork>> networkOfParts(const BackendList& backends, const Plan& plan,
                                                       const NumberOptions& options,
                                                       const TaskContext& task = {});

/// Runs random inputs of NumberOptions::seed through all parts. NumberReport::problem: cut and joined in float32 they do not compute what
/// the network does, to the bit (Internal), or a part made numbers that are not finite. Errors as networkOfParts().
Result<NumberReport> checkParts(const BackendList& backends, const Plan& plan, const NumberOptions& options,
                                const TaskContext& task = {});

} // namespace pim
