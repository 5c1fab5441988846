// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Plans for the tests of flows: networks of the zoo on the chip of the reference constants, and plans made
/// by hand.
#include "backends/dual_mode/flow/flow.h"
#include "backends/dual_mode/plan.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/catalog.h"

#include <QTemporaryDir>

#include <filesystem>

namespace pim::testing {

/// The shipped target, so that its figures stand in one place.
inline DualModeChip dynaplasia() {
    const auto target = TargetCatalog::load().find("dynaplasia");
    if (!target)
        qFatal("%s", target.error().text().c_str());
    return *dualModeChip(**target);
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
inline Result<DualModePlan> planOf(const Graph& graph, const DualModeChip& chip, int cap,
                                   const DualModeOptions& options = {}) {
    DualModePlan plan;
    plan.chip = chip;
    plan.options = options;
    plan.cap = cap;
    PIM_TRY(DualModeWorkload workload, dualModeWorkload(graph));
    plan.workload = std::make_shared<const DualModeWorkload>(std::move(workload));
    PIM_TRY(plan.subOps, splitOperators(*plan.workload, chip, options, cap));
    SegmentationProblem problem;
    problem.subOps = plan.subOps;
    problem.predecessors = predecessorsOf(*plan.workload);
    problem.chip = chip;
    problem.options = options;
    PIM_TRY(plan.segmentation, segmentNetwork(problem));
    plan.placement = placeArrays(plan.subOps, plan.segmentation, chip, *plan.workload);
    return plan;
}

} // namespace pim::testing
