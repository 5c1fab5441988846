// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Compiled networks on any inputs, for machines that compute some ops and leave the others to the host. Flow: Plan + options ->
/// [NumericNetwork] -> outputs.
#include "core/numeric/real_run.h"
#include "core/plan/command_facet.h"
#include "core/plan/number_facet.h"

namespace pim {

/// One op in the numbers of its machine: sets RealStep::results. \returns empty, or why it was left to the host.
using OpOnUnits = std::function<Result<std::string>(const RealStep& step, const TaskContext& task)>;

/// Ops of \p onUnits by it, all others in float32. \param what as NumericNetwork::numbers().
std::unique_ptr<NumericNetwork> networkOfOps(std::shared_ptr<const Graph> graph,
                                             std::map<OpId, OpOnUnits> onUnits, std::string what,
                                             int threads);

/// Ops on PIM by their commands. Errors: those of withSampleWeights().
Result<std::unique_ptr<NumericNetwork>> networkOfCommands(const CommandFacet& commands, const Plan& plan,
                                                          const NumberOptions& options);

/// One op by its commands; nothing where it cannot be, with \p note set. Errors: Cancelled, and commands that the hardware cannot
/// run; those of kernelOperands() are a note.
Result<std::optional<Value>> runOpOnUnits(const CommandFacet& commands, const Plan& plan, const Graph& graph,
                                          const RealStep& step, int threads, const TaskContext& task,
                                          std::string& note);

} // namespace pim
