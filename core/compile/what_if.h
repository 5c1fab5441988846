// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What would help: the same network on the same machine with one kind of resource faster, or with more of it, planned again with the same
/// options and decisions and simulated again. Flow: PlanRequest, Simulation -> [whatIf] -> `pimc limits --what-if`.
#include "core/plan/backend.h"
#include "core/plan/speed_up.h"

#include <array>

namespace pim {

/// Stand for "infinitely fast": the largest with which the target is still one. Checks of targets and times in picoseconds end not far beyond
/// the first, with which a thousandth of the resource's busy time is left.
inline constexpr std::array<double, 3> kFastest{1000, 100, 10};

/// One value of the target, as its file has it.
struct ChangedValue {
    TargetValue value;
    std::string unit; ///< Of the file.
    double now = 0, twice = 0;
};

/// "4 → 8", "8.000 GiB → 16.00 GiB", "14 → 7 cycles" with \p arrow between them.
std::string amountsText(const ChangedValue& change, std::string_view arrow);

struct WhatIfRow {
    std::string resource; ///< SpeedUp::resource.
    SpeedUp::Way way = SpeedUp::Way::Fast;
    std::vector<ChangedValue> changes;
    double fastestFactor = 0; ///< Of kFastest; 0: the target cannot be faster, or \ref way is Many.
    /// Simulation::totalNs twice as fast, or as many, and fastestFactor times as fast. More than now is possible where a plan is the best of a search by another
    /// measure. Absent where it could not be planned (problem).
    std::optional<double> twiceNs, fastestNs;
    std::string problem;

    SpeedUp change() const; ///< Whose target was simulated.
};

struct WhatIf {
    double totalNs = 0; ///< As it is.
    /// Busy time of the busiest track: no other order of the same work on the same units can be shorter. Absent where the timeline is
    /// not that of the total: a part of the run, or a period of samples in flight. Work moved to other units may beat it.
    std::optional<double> boundNs;
    std::string boundBy; ///< Track.
    std::vector<WhatIfRow>
        rows; ///< By time twice as fast or many, then by time fastest, least first; those with problems last.
};

void sortByGain(std::vector<WhatIfRow>& rows); ///< As in WhatIf::rows.

/// \p target with the values of \p change made faster, or more, \p factor times (> 0), times in cycles rounded up and at least one; its id
/// stays. Error::InvalidTarget where a value is not there or the changed target contradicts itself.
Result<std::shared_ptr<const Target>> changedTarget(const Target& target, const SpeedUp& change,
                                                    double factor);

/// Two plans and simulations a resource, one where there are more of it, one after the other. \param now of the plan that \p request leads to.
/// Errors: Unsupported (its family names no values), NotFound (no such backend), Cancelled.
Result<WhatIf> whatIf(const BackendList& backends, const PlanRequest& request, const Simulation& now,
                      const TaskContext& task = {});

} // namespace pim
