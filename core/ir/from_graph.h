// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network as a cinm program: linear algebra becomes cinm ops, what is nothing of the kind stays a `host.run`
/// with the reason. Fractions are f32 unless wanted otherwise, as in the reference runs of networks.
#include "core/base/task.h"
#include "core/ir/interpret.h"
#include "core/ir/module.h"

namespace pim::ir {

struct ProgramOfGraph {
    std::shared_ptr<const Graph> graph;
    Module module; ///< Level "cinm", one function "main".
    /// What the arguments of "main" are: the inputs of the network, then the constants that cinm ops read.
    std::vector<TensorId> arguments;
};

/// \param fractions what they become. Integers show how a quantised network would be lowered; the program then cannot
/// run, since nobody chose scales. Errors: Unsupported with the op for a shape that is open, an extent of 0, or
/// elements that are texts or complex.
Result<ProgramOfGraph> fromGraph(std::shared_ptr<const Graph> graph, Scalar fractions = Scalar::F32);

/// The arguments of "main" for the inputs of the network. Error::NotFound where weights are absent.
Result<std::vector<Array>> argumentsOf(const ProgramOfGraph& program, std::span<const Value> inputs);

/// Runs what stays on the host. \p graph outlives the options.
InterpreterOptions onHost(const Graph& graph, const TaskContext& task = {});

} // namespace pim::ir
