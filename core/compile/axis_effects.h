// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How much one axis of a sweep moves a figure, over the points there are: all combinations, a part of them, or those that a search chose.
#include <cstdint>
#include <span>
#include <vector>

namespace pim {

/// The figure over all points with one value of the axis.
struct ValueMean {
    std::int64_t points = 0;
    double mean = 0,
           deviation = 0; ///< Standard deviation of the points, not of the mean; in the unit of the figure.
    double least = 0, most = 0;
};

/// The main effect of an axis: what its values change on average over everything else.
struct AxisEffect {
    std::int64_t points = 0;       ///< That have a value and a figure; no others count.
    std::vector<ValueMean> values; ///< By place; those without points stay empty.
    /// Variance of the means per value, each weighted by its points, over the variance of all points: 0 to 1 (the correlation ratio of Pearson, Proc. R. Soc.
    /// London 71, 1903). Where every combination is there once, it is the first-order index of Sobol (Math. Comput. Simulation 55, 2001), the sum over all axes is at most
    /// 1, and what it lacks are interactions. 0 where the figure does not vary.
    double share = 0;
    /// What share would be expected of an axis that moves nothing, if the points were drawn at random: (values - 1) / (points - 1). Shares of few
    /// points that are not well above it say nothing.
    double chance = 0;
    double range = 0; ///< Largest mean less the smallest, in the unit of the figure.
};

/// \param places of each point: which value of the axis it has, 0 to count - 1; negative: none. \param figure of each point; NaN: it has none.
/// Linear in the points.
AxisEffect axisEffect(std::span<const int> places, int count, std::span<const double> figure);

} // namespace pim
