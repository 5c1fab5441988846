// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network and a system as a problem of assignment. Flow: Graph + System + a plan of the whole network for each machine ->
/// [systemProblem] -> core/assign/assignment.h.
///
/// Device 0 is the host, device i is machine i - 1 of the system. Values are the tensors that ops make and the inputs of the network;
/// constants lie where they are read.
#include "core/assign/assignment.h"
#include "core/hardware/system.h"
#include "core/plan/host_model.h"
#include "core/plan/plan.h"

namespace pim {

struct SystemPrices {
    std::shared_ptr<const Graph> graph;
    const System* system = nullptr;
    /// The whole network on each machine; null: there is no such plan, and nothing runs there.
    std::vector<std::shared_ptr<const Plan>> alone;
    const HostModel* host = nullptr;
    DataType hostType = DataType::F16; ///< That of ops on the host, and of the network's inputs.
};

/// Ops: on a machine as its own plan prices them (OpPlan::pimCost, of one request), on the host as the host model does. Ops that move
/// nothing (views) take nothing anywhere.
/// Transfers: latency and slowest link of the way; from one element type to another the host's memory reads one and writes the
/// other in addition. A link that carries both directions at once is two links of the problem.
AssignmentProblem systemProblem(const SystemPrices& prices);

/// Links of the problem by name, in its order: "pcie", or "pcie, from host" and "pcie, from crossbar".
std::vector<std::string> linkNames(const System& system);
/// Type in which floating-point tensors are on a device of the problem.
DataType typeOn(const SystemPrices& prices, int device);
/// Tensor of each value of the problem.
std::vector<TensorId> valueTensors(const Graph& graph);

} // namespace pim
