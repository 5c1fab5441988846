// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Puts the parts together: cuts with every cap, plans each for the strategy asked for and for the baselines,
/// keeps the best. Flow: CimWorkload + CimChip + CimOptions + decisions -> [CimPlan].
#include "core/cim/decisions.h"

#include <memory>

namespace pim {

/// Caps tried where CimOptions::caps is empty: 1, 5/6, 2/3, 1/2, 5/12, 1/3, 1/4 of the chip, largest first.
std::vector<int> defaultCimCaps(const CimChip& chip);

/// A finer list: the default caps and the smallest cap of every way the operators can be cut, at most \p most
/// of them, spread evenly. Largest first.
std::vector<int> fineCimCaps(const CimWorkload& workload, const CimChip& chip, int most = 48);

/// The best plan of the strategy in force over all caps (or, with the decision cap = search, over what
/// searchCimSplits() finds), with the trials and the three all-compute baselines (each with its own best cap,
/// none of them with the user's pins). Errors: InvalidTarget, IllegalOverride, Unsupported (no matrix
/// operators, or no cap works), Cancelled.
Result<std::shared_ptr<const CimPlan>> planCim(CimWorkload workload, const CimChip& chip,
                                               const CimOptions& options,
                                               const std::vector<CimDecision>& decisions = {},
                                               const TaskContext& task = {});

} // namespace pim
