// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a plan over several machines consists of: an ordinary plan for each of its parts, and what moves between them.
/// Made by core/assign.
#include "core/base/ids.h"
#include "core/hardware/target.h"
#include "core/plan/device.h"

#include <memory>
#include <string>
#include <vector>

namespace pim {

struct Plan;

/// One of the machines of a plan.
struct Device {
    std::string name; ///< Unique in its plan: "aim", or "aim 2" for the second of its kind.
    std::shared_ptr<const Target> target;
};

/// Some ops of the network, planned for one machine as if they were a network of their own.
struct PlanPart {
    DeviceId device;       ///< The host, or where those ops run that its plan does not leave on the host.
    std::vector<OpId> ops; ///< Of the whole network, ascending: op i of \ref plan is ops[i].
    std::vector<TensorId> tensors;    ///< Likewise for tensors.
    std::shared_ptr<const Plan> plan; ///< Over the subgraph of these ops, on the target of \ref device.
};

/// A tensor that one machine makes and another one reads.
struct Transfer {
    TensorId tensor; ///< Of the whole network.
    DeviceId from, to;
    std::int64_t bytes = 0; ///< In the compute type of the part that makes it.
    double ns =
        0; ///< On the way: bringing it out of one machine and into the other is in the plans of the parts.
};

} // namespace pim
