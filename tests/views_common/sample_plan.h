// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A graph of residual blocks and a plan for it with figures that differ from op to op, made without a
/// compiler.
#include "core/plan/simulation.h"

#include <QString>

#include <cstring>

namespace pim::test {

inline std::shared_ptr<const Graph> sampleGraph(int blocks) {
    auto graph = std::make_shared<Graph>();
    graph->name = "sample";
    const auto tensor = [&](std::string name, Shape shape) {
        Tensor made;
        made.name = std::move(name);
        made.dtype = DataType::F16;
        made.shape = std::move(shape);
        graph->tensors.push_back(std::move(made));
        return TensorId(static_cast<std::int64_t>(graph->tensors.size() - 1));
    };
    const auto op = [&](const std::string& name, const std::string& type, OpClass opClass,
                        std::vector<TensorId> inputs) {
        const OpId id(static_cast<std::int64_t>(graph->ops.size()));
        const std::int64_t size = 64 + 16 * (id.value % 7);
        const TensorId output = tensor(name + "_out", {1, size, 56, 56});
        graph->tensors[output.index()].producer = id;
        Op made;
        made.name = name;
        made.type = type;
        made.opClass = opClass;
        made.work = {true,        opClass == OpClass::Elementwise ? 0 : size * size * 56 * 56,
                     size,        size * 6272,
                     size * 6272, 0};
        for (const TensorId input : inputs)
            graph->tensors[input.index()].consumers.push_back(id);
        made.inputs = std::move(inputs);
        made.outputs = {output};
        graph->ops.push_back(std::move(made));
        return output;
    };
    const TensorId image = tensor("image", {1, 3, 224, 224});
    graph->tensors[image.index()].isInput = true;
    graph->inputs = {image};
    TensorId tail = op("stem", "Conv", OpClass::Conv, {image});
    for (int b = 0; b < blocks; ++b) {
        const std::string at = "/layer" + std::to_string(b) + "/";
        const TensorId first = op(at + "conv1/Conv", "Conv", OpClass::Conv, {tail});
        const TensorId relu = op(at + "relu/Relu", "Relu", OpClass::Elementwise, {first});
        const TensorId second = op(at + "conv2/Conv", "Conv", OpClass::Conv, {relu});
        tail = op(at + "Add", "Add", OpClass::Elementwise, {second, tail});
    }
    const TensorId logits = op("fc", "Gemm", OpClass::MatMul, {tail});
    tail = op("mystery", "Mystery", OpClass::Other, {logits});
    graph->ops.back().work = {};
    graph->tensors[tail.index()].isOutput = true;
    graph->outputs = {tail};
    return graph;
}

/// Every third op on PIM; the last one of unknown cost.
inline std::shared_ptr<const Plan> samplePlan(std::shared_ptr<const Graph> graph, double factor = 1) {
    auto plan = std::make_shared<Plan>();
    plan->graph = graph;
    auto target = std::make_shared<Target>();
    target->id = "sample-pim";
    target->host.id = "a100";
    plan->target = target;
    for (std::size_t i = 0; i < graph->ops.size(); ++i) {
        OpPlan op;
        op.op = OpId(static_cast<std::int64_t>(i));
        op.hostKnown = graph->ops[i].work.known;
        op.hostNs =
            op.hostKnown ? 1000.0 + 37 * static_cast<double>(i % 11) * static_cast<double>(i % 11) : 0;
        if (i % 3 == 0 && op.hostKnown) {
            op.placement = DeviceId::first();
            op.cost = {120.5 * factor, op.hostNs / 4, 60.25 * static_cast<double>(i % 5), 12, 0};
            op.reason = "PIM faster than a100: memory-bound";
        } else {
            op.cost.hostNs = op.hostNs;
            op.reason = "host faster";
        }
        for (double CostSplit::*part : {&CostSplit::inputNs, &CostSplit::computeNs, &CostSplit::outputNs,
                                        &CostSplit::modeSwitchNs, &CostSplit::hostNs})
            plan->total.*part += op.cost.*part;
        plan->hostOnlyNs += op.hostNs;
        plan->ops.push_back(std::move(op));
    }
    return plan;
}

/// Every third op simulated, as samplePlan() places them: 4 predicted, 5 found, 10 nJ an index.
inline std::shared_ptr<const Simulation> sampleSimulation(const Graph& graph) {
    auto simulation = std::make_shared<Simulation>();
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        SimulatedOp op;
        op.op = OpId(static_cast<std::int64_t>(i));
        if (i % 3 == 0) {
            op.origin = Origin::Simulated;
            op.predicted.computeNs = 4;
            op.cost.computeNs = 5;
            op.energyPj = 10000.0 * static_cast<double>(i);
        } else {
            op.note = "no command of it is known";
        }
        simulation->ops.push_back(op);
    }
    return simulation;
}

/// Fails the running test on any Qt warning; install in initTestCase().
inline void failOnWarnings() {
    static QtMessageHandler before = nullptr;
    before =
        qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& message) {
            // The offscreen platform says this for every drag, tool tip and raise; it is not about us.
            const bool platform = message.contains(QLatin1String("This plugin does not support"));
            if (type == QtWarningMsg && !platform)
                qFatal("Qt warning: %s", qPrintable(message));
            if (!platform)
                before(type, context, message);
        });
}

} // namespace pim::test
