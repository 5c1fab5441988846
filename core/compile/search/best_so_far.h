// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How a search or a sweep got on: the best of each objective, and the hypervolume of the front, after each point in the order they were computed.
/// Flow: figures of points -> [bestSoFar] -> curves that rise or fall in steps.
#include <cstdint>
#include <vector>

namespace pim {

/// From this many points on, the value is this.
struct ProgressStep {
    std::int64_t points = 0; ///< Computed, those without a result too; the first is 1.
    double value = 0;
    friend bool operator==(const ProgressStep&, const ProgressStep&) = default;
};

struct BestSoFar {
    std::int64_t points = 0;  ///< Computed.
    std::int64_t refused = 0; ///< Of these without a result.
    std::vector<std::vector<ProgressStep>>
        best; ///< By objective: each point that was better than all before it.
    /// The part of the box between the best and the worst of every objective, over all points, that is at least as bad as one of the points so far:
    /// 0 to 1, as hypervolume() has it. Each time the front has changed, but at most kVolumeSteps times, evenly spread, and after the last point. Objectives
    /// that are the same everywhere add nothing and are left out; empty where fewer than two or more than kMostVolumeObjectives are left.
    std::vector<ProgressStep> volume;
};

inline constexpr std::int64_t kVolumeSteps = 256;
/// From four on a hypervolume takes time exponential in the objectives.
inline constexpr std::size_t kMostVolumeObjectives = 3;

/// \param figures one row a point, in the order they were computed; less is better, all of one length; an empty row, or one with a NaN, has no result.
/// Linear in the points times the size of the front.
BestSoFar bestSoFar(const std::vector<std::vector<double>>& figures);

} // namespace pim
