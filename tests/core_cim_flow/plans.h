// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Plans for the tests of flows: networks of the zoo on the chip of the reference constants, and plans made
/// by hand.
#include "core/cim/flow/flow.h"
#include "core/cim/plan.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"

#include <QTemporaryDir>

#include <filesystem>

namespace pim::testing {

/// DynaPlasia with the constants the CMSwitch figures are reproduced best with.
inline CimChip dynaplasia() {
    CimChip chip;
    chip.name = "dynaplasia";
    chip.arrays = 96;
    chip.rows = 320;
    chip.columns = 40;
    chip.arrayBytes = 12800;
    chip.cycleNs = 4;
    chip.cyclesPerMvm = 100;
    chip.arrayBytesPerCycle = 4;
    chip.mainBytesPerCycle = 32;
    chip.writeCyclesPerArray = 32;
    chip.writeBackBytesPerCycle = 32;
    chip.toMemoryCycles = chip.toComputeCycles = 1;
    chip.bufferBytes = 81920;
    chip.vectorLanes = 64;
    return chip;
}

inline std::shared_ptr<const Graph> zooGraph(const std::string& name, ZooOptions options = {}) {
    QTemporaryDir folder;
    const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "model.onnx";
    options.weights = false;
    const auto written = writeZooModel(name, file, options);
    if (!written)
        qFatal("%s", written.error().text().c_str());
    const auto graph = loadGraph(file);
    if (!graph)
        qFatal("%s", graph.error().text().c_str());
    return *graph;
}

/// Workload, pieces of at most \p cap arrays, segments and places; no search over caps.
inline Result<CimPlan> planOf(const Graph& graph, const CimChip& chip, int cap,
                              const CimOptions& options = {}) {
    CimPlan plan;
    plan.chip = chip;
    plan.options = options;
    plan.cap = cap;
    PIM_TRY(plan.workload, cimWorkload(graph));
    PIM_TRY(plan.subOps, splitOperators(plan.workload, chip, options, cap));
    SegmentationProblem problem;
    problem.subOps = plan.subOps;
    for (const CimOp& op : plan.workload.ops)
        problem.predecessors.push_back(op.predecessors);
    problem.chip = chip;
    problem.options = options;
    PIM_TRY(plan.segmentation, segmentNetwork(problem));
    plan.placement = placeArrays(plan.subOps, plan.segmentation, chip, plan.workload);
    return plan;
}

} // namespace pim::testing
