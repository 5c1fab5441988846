// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Plans of any size made by hand, with figures that differ from op to op, for tests of what comes after the
/// compiler.
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"
#include "core/plan/backend.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace pim::sample {

inline std::shared_ptr<const TilingSpace> matmulSpace() {
    auto kernel = parseKernel("def gemv(x[1][256], W[256][1024], y[1][1024]):\n"
                              "    for b in range(1):\n"
                              "        for n in range(1024):\n"
                              "            for k in range(256):\n"
                              "                y[b][n] += x[b][k] * W[k][n]\n");
    if (!kernel)
        throw std::logic_error(kernel.error().text());
    auto space = TilingSpace::create(
        std::move(*kernel), {.groups = 64, .coresPerGroup = 16, .simdLanes = 16, .coreBytes = 1 << 20});
    if (!space)
        throw std::logic_error(space.error().text());
    return *space;
}

/// Splits the outputs over \p groups and \p cores, nothing else.
inline Draft draftOver(const TilingSpace& space, int groups, int cores) {
    Draft draft;
    draft.parts.resize(space.sets().size());
    for (std::size_t set = 0; set < draft.parts.size(); ++set) {
        const auto& loops = space.sets()[set].loops;
        if (std::any_of(loops.begin(), loops.end(), [&](int loop) {
                return space.kernel().loops[static_cast<std::size_t>(loop)].name == "n";
            }))
            draft.parts[set] = {groups, cores, 0};
    }
    return draft;
}

inline std::shared_ptr<const Target> target() {
    auto found = TargetCatalog::load().find("attacc");
    if (!found)
        throw std::logic_error(found.error().text());
    return *found;
}

/// A chain of \p ops matrix products; every third stays on the host, every seventh is of a kind PIM cannot
/// run.
inline std::shared_ptr<Plan> plan(int ops) {
    auto graph = std::make_shared<Graph>();
    graph->name = "chain";
    graph->source.path = "/models/chain.onnx";
    graph->source.producer = "test 1.0";
    graph->source.irVersion = 8;
    graph->source.opsets[""] = 17;
    graph->source.weightBytes = 1 << 20;
    graph->source.structureHash = std::string(64, 'b');
    graph->bindings = {{"batch", 4, false, {"x"}}, {"past", 1, true, {"x"}}};
    graph->passes = {{"fold_constants", "Folds constants.", true, ops + 2, ops, 2, 0.5},
                     {"fuse_gelu", "Finds GELU.", false, ops, ops, 0, 0},
                     {"fuse_attention", "Finds attention.", true, ops, ops, 0, 0.25, {{"mask", "none"}}}};
    for (const auto& [name, shape] :
         {std::pair("W", Shape{256, 1024}), std::pair("x", Shape{1, 256}), std::pair("y", Shape{1, 1024})}) {
        Tensor tensor;
        tensor.name = name;
        tensor.dtype = DataType::F16;
        tensor.shape = shape;
        graph->tensors.push_back(std::move(tensor));
    }
    auto result = std::make_shared<Plan>();
    const auto space = matmulSpace();
    const auto machine = target();
    for (int i = 0; i < ops; ++i) {
        Op op;
        op.inputs = {TensorId(1), TensorId(0)};
        op.outputs = {TensorId(2)};
        op.name = fmt::format("/layer{}/block.{}/MatMul_{}", i / 10, i % 10, i);
        const bool cannot = i % 7 == 6, onHost = cannot || i % 3 == 2;
        op.type = cannot ? "NonZero" : "MatMul";
        op.opClass = cannot ? OpClass::Other : OpClass::MatMul;
        op.sources = {{i, op.name, op.type}};
        op.work = {.known = !cannot,
                   .macs = cannot ? 0 : 256 * 1024,
                   .otherOps = 0,
                   .bytesRead = 2 * (256 + 256 * 1024),
                   .bytesWritten = 2048,
                   .weightBytes = 2 * 256 * 1024};
        graph->ops.push_back(op);

        OpPlan planned;
        planned.op = OpId(i);
        planned.hostKnown = !cannot;
        planned.hostNs = cannot ? 0 : 4000 + 13.25 * (i % 97);
        if (cannot) {
            planned.pimVerdict = "PIM units have no operation for NonZero";
            planned.reason = "host: " + planned.pimVerdict;
        } else {
            planned.space = space;
            planned.draft = draftOver(*space, 64, 1 + i % 16);
            planned.pimCost = CostSplit{200.0 + i % 31, 900.5 + i % 57, 100.25, 30, 7.5, 0};
            planned.draftsEnumerated = 5000 + i;
            planned.draftsKept = 50 + i;
            planned.tensors = {{TensorId(0), "W", Residency::Resident, false, 2 * 256 * 1024, 1234.5},
                               {TensorId(1), "x", Residency::Streamed, false, 512, 0}};
            planned.reason =
                onHost ? "host is as fast" : "PIM 3.20× faster than a100: memory-bound, AI 1.0 FLOP/B";
        }
        planned.placement = onHost ? DeviceId::host() : DeviceId::first();
        planned.cost = onHost ? CostSplit{.hostNs = planned.hostNs} : *planned.pimCost;
        result->total += planned.cost;
        result->hostOnlyNs += planned.hostNs;
        if (!onHost) {
            result->residentLoadNs += 1234.5;
            result->residentBytes += 2 * 256 * 1024;
        }
        result->ops.push_back(std::move(planned));
    }
    result->graph = graph;
    result->target = machine;
    result->stages = {{"search", 12.5, ops, "ops"}, {"placement", 1.25, ops, "ops"}};
    return result;
}

/// \p drafts drafts with random prices, cheapest first.
inline std::shared_ptr<const Exploration> exploration(const Plan& plan, int op, int drafts,
                                                      unsigned seed = 1) {
    auto result = std::make_shared<Exploration>();
    std::mt19937 random(seed);
    result->space = plan.ops[static_cast<std::size_t>(op)].space;
    result->target = plan.target;
    result->op = OpId(op);
    for (int i = 0; i < drafts; ++i) {
        result->drafts.push_back(draftOver(*result->space, static_cast<int>(1 + random() % 64),
                                           static_cast<int>(1 + random() % 16)));
        result->costs.push_back(
            {100.0 + random() % 100000 / 7.0, 50.0 + random() % 100000 / 3.0, 10.0 + random() % 9000, 30, 0});
    }
    std::sort(result->costs.begin(), result->costs.end(),
              [](const CostSplit& a, const CostSplit& b) { return a.totalNs() < b.totalNs(); });
    result->counts.enumerated = 4 * drafts;
    result->counts.byRule = {drafts, 2 * drafts, drafts, 0, 0};
    result->milliseconds = 3.5;
    return result;
}

} // namespace pim::sample
