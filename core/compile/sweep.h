// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The same network compiled for many values of its open dimensions: sequence lengths, batches, cached tokens.
#include "core/compile/backend.h"
#include "core/graph/import.h"

#include <functional>

namespace pim {

struct SweepAxis {
    std::string symbol;               ///< Open dimension of the model.
    std::vector<std::int64_t> values; ///< Positive.
};

struct SweepPoint {
    std::vector<std::int64_t> values; ///< One an axis.
    double totalNs = 0, hostOnlyNs = 0;
    std::vector<Baseline> baselines;
    std::vector<std::pair<std::string, double>> figures; ///< PlanDetail::figures().
    double compileMs = 0;
    std::string problem;              ///< Why there is no result for these values; empty: there is one.
};

/// Calls \p done for every combination, the last axis fastest. A combination that cannot be built or compiled is a point with
/// a problem. \p request: its graph is not used. Errors: Usage (a dimension the model does not have, no or more than 10 000
/// combinations), Cancelled.
Result<void> sweep(const BackendList& backends, const ImportedModel& model, const GraphOptions& graphOptions, PlanRequest request,
                   const std::vector<SweepAxis>& axes, const std::function<void(SweepPoint)>& done, const TaskContext& task = {});

/// "seq=32,64,128" or "seq=32..2048" (powers of two); axes separated by ";".
Result<std::vector<SweepAxis>> parseSweep(std::string_view text);

} // namespace pim
