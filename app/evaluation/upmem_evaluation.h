// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What was published about UPMEM modules, computed anew: where cycles of a DPU go (uPIMulator, figure 6), and products on 4 to
/// 16 modules (CINM, figure 11). Numbers of the papers are data: resources/evaluation. Flow: files -> [computeUpmem] -> document,
/// JSON.
#include "core/base/task.h"
#include "core/hardware/catalog.h"
#include "core/plan/backend.h"
#include "core/plan/document.h"

#include <array>
#include <optional>

namespace pim::evaluation {

/// Shares of all cycles of a DPU, in the order in which the figure stacks them.
inline constexpr std::array<std::string_view, 4> kCycleShares{"issuing", "memory", "revolver", "registers"};

struct CycleShareRow {
    std::string benchmark;
    int tasklets = 0;
    std::array<double, 4> published{};
    std::optional<std::array<double, 4>> ours;
    std::string reason; ///< Why they differ, or why there is no row of ours.
};

struct ModuleTimeRow {
    std::string benchmark; ///< "mm"
    int modules = 0;
    std::optional<double> cinmMs, cinmOptMs; ///< As published, without and with its optimisations.
    std::optional<double> predictedMs, simulatedMs;
    std::string draft, reason;
};

struct UpmemEvaluation {
    std::vector<CycleShareRow> shares;
    std::vector<ModuleTimeRow> times;
};

/// Errors: Io and InvalidFile of the data files; Cancelled.
Result<UpmemEvaluation> computeUpmem(const BackendList& backends, const TargetCatalog& catalog,
                                     const TaskContext& task);

report::Document upmemDocument(const UpmemEvaluation& evaluation);
std::string upmemJson(const UpmemEvaluation& evaluation);

} // namespace pim::evaluation
