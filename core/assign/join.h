// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The plan of a network from plans of its parts. Flow: subgraph.h -> plans, each for one machine -> [this] -> Plan.
#include "core/plan/plan.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace pim {

/// How long so many bytes are on the way from one machine to another, nanoseconds.
using TransferTime = std::function<double(DeviceId from, DeviceId to, std::int64_t bytes)>;

/// Every tensor that an op of one part makes and an op of a part on another machine reads: one transfer for each machine that
/// does, in the order of tensors. What the user gives and gets lies in the memory of the host and is in the plans of the parts.
std::vector<Transfer> crossings(const Graph& graph, std::span<const PlanPart> parts,
                                const TransferTime& time);

struct JoinRequest {
    std::shared_ptr<const Graph> graph; ///< The whole network.
    std::vector<Device> devices;
    std::vector<PlanPart> parts; ///< In the order in which they run.
    std::vector<Transfer> transfers;
};

/// Of a plan with samples in flight (PlanDetail::firstSampleNs) the times are shares of what lies between two samples; how much longer one
/// sample alone takes through the machine. 1 for other plans.
double requestScale(const Plan& plan);

/// Every op as in its part, its time with that of the transfer that it is the first to wait for (results that come home: that of the op
/// that makes them); sums over all. Times are those of one request: where samples are in flight in a part, by requestScale().
/// Error::Usage where an op is in no part or in two, reads what a later part makes, or where parts have other hosts; where a
/// transfer is of a tensor that nothing reads there.
Result<Plan> joinParts(JoinRequest request);

} // namespace pim
