// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Points of a sweep for programs that read on: values, figures and marks, times in ns. Axes are those that have columns: the first ones
/// of the sweep, without its own figures and conditions.
#include "core/compile/sweep.h"

#include <string>

namespace pim {

/// Axes that have columns.
std::vector<SweepAxis> variedAxes(const std::vector<SweepAxis>& axes);
/// One point on one line, without marks: they depend on the other points.
std::string sweepPointJson(const std::vector<SweepAxis>& axes, const SweepPoint& point);
/// An array of points, indented.
std::string sweepJson(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                      const SweepMarks& marks);

} // namespace pim
