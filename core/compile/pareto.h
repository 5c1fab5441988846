// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What nothing else beats: the Pareto front of points by any number of figures.
#include <cstddef>
#include <span>
#include <vector>

namespace pim {

/// Whether no other point is at least as good in all figures and better in one; less is better. Points that are equal stand or fall together.
/// \param figures one row a point, all of one length; a point with a NaN is never on the front. Sorts, then compares each point with the
/// front so far: n log n for two figures, n times the size of the front for more.
std::vector<bool> paretoFront(const std::vector<std::vector<double>>& figures);

/// Which points are on the front by two figures, \p x and \p y of each: by x ascending, equal ones in their order. Linear time but for the points
/// that come close to the front. Those with a figure that is not finite are never on it.
std::vector<std::size_t> paretoFrontInOrder(std::span<const double> x, std::span<const double> y);

} // namespace pim
