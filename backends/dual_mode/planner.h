// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Puts the parts together: cuts with every cap, plans each for the strategy asked for and for the baselines,
/// keeps the best. Flow: DualModeWorkload + DualModeChip + DualModeOptions + decisions -> [DualModePlan].
#include "backends/dual_mode/decisions.h"

#include <memory>
#include <span>

namespace pim {

/// Caps tried where DualModeOptions::caps is empty: 1, 5/6, 2/3, 1/2, 5/12, 1/3, 1/4 of the chip, largest first.
std::vector<int> defaultDualModeCaps(const DualModeChip& chip);

/// A finer list: the default caps and the smallest cap of every way the operators can be cut, at most \p most
/// of them, spread evenly. Largest first.
std::vector<int> fineDualModeCaps(const DualModeWorkload& workload, const DualModeChip& chip, int most = 48);

/// Chips whose arrays all compute, in the three ways of CMSwitch section 6.1.
inline constexpr DualModeStrategy kDualModeBaselines[]{DualModeStrategy::AllCompute, DualModeStrategy::Puma,
                                                       DualModeStrategy::Occ};

/// The best plan of the strategy in force over all caps (or, with the decision cap = search, over what
/// searchDualModeSplits() finds), with the trials and the three all-compute baselines (each with its own best cap,
/// none of them with the user's pins). \param baselines of those, the ones that are wanted. Errors: InvalidTarget, IllegalOverride, Unsupported (no matrix
/// operators, or no cap works), Cancelled.
Result<std::shared_ptr<const DualModePlan>>
planDualMode(DualModeWorkload workload, const DualModeChip& chip, const DualModeOptions& options,
             const std::vector<Override>& decisions = {}, const TaskContext& task = {},
             std::span<const DualModeStrategy> baselines = kDualModeBaselines);

/// A plan among several under one reading.
struct DualModeWish {
    DualModeStrategy strategy = DualModeStrategy::DualMode; ///< Unless a decision says another.
    std::vector<Override> decisions;
    std::span<const DualModeStrategy> baselines; ///< That are wanted with it.
};
/// planDualMode() of each wish, \p options otherwise alike; what they have in common is cut, allocated and segmented once. Errors of a
/// wish stand in its place. No arrays are placed: plans that are only compared are many.
std::vector<Result<std::shared_ptr<DualModePlan>>>
planDualModes(std::shared_ptr<const DualModeWorkload> workload, const DualModeChip& chip,
              const DualModeOptions& options, std::span<const DualModeWish> wishes,
              const TaskContext& task = {});

} // namespace pim
