// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A plan over two machines whose parts are planned by their own backends: the first half of a network on AiM, the second half
/// on HBM-PIM, whatever they can run not on the host.
#include "core/compile/compiler.h"
#include "tests/support/two_devices.h"

namespace pim::test {

inline Result<std::shared_ptr<const Plan>> plannedOnTwo(const BackendList& backends,
                                                        std::shared_ptr<const Graph> graph) {
    JoinRequest joined{.graph = graph,
                       .devices = {{"aim", knownTarget("aim")}, {"hbm-pim", knownTarget("hbm-pim")}},
                       .parts = {},
                       .transfers = {}};
    const std::size_t half = graph->ops.size() / 2;
    for (std::size_t d = 0; d < 2; ++d) {
        std::vector<OpId> ops;
        for (std::size_t i = d * half; i < (d == 0 ? half : graph->ops.size()); ++i)
            ops.emplace_back(static_cast<std::int64_t>(i));
        PIM_TRY(Subgraph cut, subgraphOf(*graph, ops));
        PlanRequest request{cut.graph, joined.devices[d].target, {}, {}};
        PIM_TRY(const auto free, compile(backends, request));
        for (const OpPlan& op : free->ops)
            if (op.pimCost)
                request.overrides.set({cut.graph->op(op.op).name, "placement", "pim"});
        PIM_TRY(auto plan, compile(backends, request));
        joined.parts.push_back({DeviceId(d), std::move(cut.ops), std::move(cut.tensors), std::move(plan)});
    }
    joined.transfers = crossings(*graph, joined.parts, [](DeviceId, DeviceId, std::int64_t bytes) {
        return static_cast<double>(bytes) / 2;
    });
    PIM_TRY(Plan plan, joinParts(std::move(joined)));
    return std::make_shared<const Plan>(std::move(plan));
}

} // namespace pim::test
