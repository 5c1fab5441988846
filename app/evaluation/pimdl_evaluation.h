// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Tables and figures of PIM-DL (ASPLOS 2024) for UPMEM, computed anew: encoders as look-ups on 1024 DPUs beside products on the same
/// DPUs and on a processor. What was published is data: resources/evaluation/pimdl.csv, pimdl_mappings.csv.
/// Flow: files, targets -> [computePimDl] -> PimDlTable -> document, JSON. Times are of one block of a network.
#include "core/base/task.h"
#include "core/hardware/catalog.h"
#include "core/plan/backend.h"
#include "core/plan/document.h"

#include <optional>

namespace pim::evaluation {

/// One number of the paper beside ours.
struct PimDlRow {
    std::string model;               ///< "bert-base"; "all" for means.
    std::string what;                ///< "look-ups, V = 4"
    std::optional<double> published; ///< By the paper or its artifact.
    std::optional<double> ours;      ///< Cost model and rooflines, nothing fitted here.
    /// The same with what is fitted to measurements of the paper: upmem/lut/calibration.h and end_to_end.h.
    std::optional<double> calibrated;
    std::string reason; ///< Why they differ.
};
struct PimDlTable {
    std::string figure; ///< "10", "12a"
    std::string title, unit;
    std::vector<PimDlRow> rows;
    std::string note; ///< For all rows.
};
struct PimDlEvaluation {
    std::vector<PimDlTable> tables;
};

/// 3 and 10 to 15. The others need a training.
std::span<const int> pimDlFigures();

/// \param figures of pimDlFigures(); empty: all. Errors: Usage for another figure; Io and InvalidFile of the data files; NotFound for
/// a target or host that is not there; Cancelled.
Result<PimDlEvaluation> computePimDl(const BackendList& backends, const TargetCatalog& catalog,
                                     std::span<const int> figures, const TaskContext& task);

report::Document pimDlDocument(const PimDlEvaluation& evaluation);
std::string pimDlJson(const PimDlEvaluation& evaluation);

} // namespace pim::evaluation
