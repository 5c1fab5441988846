// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The evaluation of PIMCOMP (arXiv:2411.09159, §VIII-B) computed anew: our mappings against those of the compilers that it compares
/// itself with, on its networks and architectures. What was published is data: resources/evaluation/pimcomp.csv.
/// Flow: models of the zoo, targets -> [computePimComp] -> paper_table.h.
///
/// Programs are timed by the profiler. What passes layer by layer has no program: its time is layerByLayerNs(), its energy that of our
/// program with leakage over its own time, since all compute the same.
#include "app/evaluation/paper_table.h"
#include "core/base/task.h"
#include "core/hardware/catalog.h"

#include <string>
#include <vector>

namespace pim::evaluation {

struct PimCompScope {
    std::vector<std::string> networks{"vgg8", "resnet18", "resnet34", "googlenet"};
    std::vector<std::string> targets{"isaac-12", "puma-16", "arch-c"};
};

/// Cases that cannot be mapped are rows with the reason. Errors: Io and InvalidFile of the data file; NotFound for a model or target
/// that is not there; Cancelled.
Result<PaperEvaluation> computePimComp(const TargetCatalog& catalog, const PimCompScope& scope = {},
                                       const TaskContext& task = {});

} // namespace pim::evaluation
