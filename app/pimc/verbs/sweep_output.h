// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Points of a sweep as table, CSV and JSON. Times are ns where a machine reads them. Axes are those that have columns: the first ones of
/// the sweep, without its conditions.
#include "core/compile/sweep.h"

#include <string>

namespace pim::cli {

std::string sweepTable(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                       const SweepMarks& marks);
std::string sweepCsv(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                     const SweepMarks& marks);
std::string sweepJson(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                      const SweepMarks& marks);

} // namespace pim::cli
