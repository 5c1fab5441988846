// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a machine that is planned as a whole decided beside its ops: segments and array modes, replication, …
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pim {

/// Immutable, part of a Plan. Who shows it knows its type.
struct PlanDetail {
    virtual ~PlanDetail() = default;
    virtual std::string_view kind() const = 0; ///< "dual-mode"
    virtual std::string json() const = 0;      ///< Canonical; part of plan.json.
    /// What tables and comparisons show beside the times: {"segments", 20}, {"memory_share", 0.11}.
    virtual std::vector<std::pair<std::string, double>> figures() const { return {}; }
    /// Samples are in flight side by side: Plan::total is then the time between two of them, and this is when the first
    /// is through, nanoseconds. Absent: one sample after the other, each takes Plan::total.
    virtual std::optional<double> firstSampleNs() const { return {}; }
    /// Ops work at the same time: their times are shares of Plan::total by what they keep busy, not times one after the
    /// other.
    virtual bool isSharedOut() const { return false; }
};

} // namespace pim
