// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A plan over two machines, made by hand: a chain of eight matrix products whose first half runs on AiM and whose second half
/// runs on HBM-PIM; the result of the first op is read by the last one as well.
#include "core/assign/join.h"
#include "core/assign/subgraph.h"
#include "core/hardware/catalog.h"
#include "core/plan/plan_totals.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

namespace pim::test {

inline constexpr int kTwoDeviceOps = 8;

inline std::shared_ptr<const Graph> twoDeviceGraph() {
    auto graph = std::make_shared<Graph>();
    graph->name = "two halves";
    graph->source.path = "/models/two_halves.onnx";
    graph->source.structureHash = std::string(64, 'c');
    const auto tensor = [&](std::string name, Shape shape) {
        Tensor made;
        made.name = std::move(name);
        made.dtype = DataType::F16;
        made.shape = std::move(shape);
        graph->tensors.push_back(std::move(made));
        return TensorId(std::ssize(graph->tensors) - 1);
    };
    TensorId tail = tensor("x", {1, 256}), skip;
    graph->tensors[tail.index()].isInput = true;
    graph->inputs = {tail};
    for (int i = 0; i < kTwoDeviceOps; ++i) {
        Op op;
        op.name = "fc" + std::to_string(i);
        op.type = "MatMul";
        op.opClass = OpClass::MatMul;
        op.sources = {{i, op.name, op.type}};
        op.work = {true, 256 * 256, 0, 512 + 512 * 256, 512, 512 * 256};
        const TensorId weight = tensor(op.name + ".weight", {256, 256});
        graph->tensors[weight.index()].data = InitializerRef{};
        op.inputs = {tail, weight};
        if (i == kTwoDeviceOps - 1)
            op.inputs.push_back(skip);
        for (const TensorId input : op.inputs)
            graph->tensors[input.index()].consumers.push_back(OpId(i));
        tail = tensor(op.name + "_out", {1, 256});
        graph->tensors[tail.index()].producer = OpId(i);
        if (i == 0)
            skip = tail;
        op.outputs = {tail};
        graph->ops.push_back(std::move(op));
    }
    graph->tensors[tail.index()].isOutput = true;
    graph->outputs = {tail};
    return graph;
}

/// Its third op stays on the host.
inline PlanPart plannedPart(const Graph& whole, DeviceId device, std::shared_ptr<const Target> target,
                            std::vector<OpId> ops) {
    Subgraph cut = *subgraphOf(whole, ops);
    auto plan = std::make_shared<Plan>();
    plan->graph = cut.graph;
    plan->target = std::move(target);
    for (std::size_t i = 0; i < cut.ops.size(); ++i) {
        OpPlan op;
        op.op = OpId(static_cast<std::int64_t>(i));
        op.hostKnown = true;
        op.hostNs = 5000 + 10 * cut.ops[i].value;
        op.placement = i == 2 ? DeviceId::host() : DeviceId::first();
        op.pimCost = CostSplit{.inputNs = 100, .computeNs = 900.5 + cut.ops[i].value, .outputNs = 50};
        op.cost = op.onHost() ? CostSplit{.hostNs = op.hostNs} : *op.pimCost;
        op.reason = op.onHost() ? "host faster" : "PIM faster";
        op.tensors = {{cut.graph->op(op.op).inputs[1], "w", Residency::Resident, false, 131072, 64}};
        plan->residentBytes += 131072;
        plan->residentLoadNs += 64;
        plan->ops.push_back(std::move(op));
    }
    if (plan->ops.size() > 1)
        plan->ops[1].takesFrom = OpId(0);
    plan->stages = {{"search", 1.5, std::ssize(plan->ops), "ops"}};
    plan->overrides.set({whole.op(cut.ops.front()).name, "placement", "pim"});
    addUp(*plan);
    return {device, std::move(cut.ops), std::move(cut.tensors), std::move(plan)};
}

inline std::shared_ptr<const Target> knownTarget(const std::string& id) {
    auto found = TargetCatalog::load().find(id);
    if (!found)
        throw std::logic_error(found.error().text());
    return *found;
}

/// Transfers take 1 ns for 2 bytes.
inline JoinRequest twoDevices(std::shared_ptr<const Graph> graph) {
    JoinRequest request{.graph = graph,
                        .devices = {{"aim", knownTarget("aim")}, {"hbm-pim", knownTarget("hbm-pim")}},
                        .parts = {},
                        .transfers = {}};
    const int half = static_cast<int>(graph->ops.size()) / 2;
    for (std::size_t d = 0; d < 2; ++d) {
        std::vector<OpId> ops;
        for (int i = d == 0 ? 0 : half; i < (d == 0 ? half : static_cast<int>(graph->ops.size())); ++i)
            ops.emplace_back(i);
        request.parts.push_back(plannedPart(*graph, DeviceId(d), request.devices[d].target, std::move(ops)));
    }
    request.transfers = crossings(*graph, request.parts, [](DeviceId, DeviceId, std::int64_t bytes) {
        return static_cast<double>(bytes) / 2;
    });
    return request;
}

inline std::shared_ptr<const Plan> twoDevicePlan() {
    auto plan = joinParts(twoDevices(twoDeviceGraph()));
    if (!plan)
        throw std::logic_error(plan.error().text());
    return std::make_shared<const Plan>(std::move(*plan));
}

} // namespace pim::test
