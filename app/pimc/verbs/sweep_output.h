// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Points of a sweep as table and CSV, times in ns in the latter; as JSON: core/compile/sweep_json.h. Axes are those that have columns: the
/// first ones of the sweep, without its conditions.
#include "core/compile/sweep.h"

#include <string>

namespace pim::cli {

std::string sweepTable(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                       const SweepMarks& marks);
std::string sweepCsv(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                     const SweepMarks& marks);

} // namespace pim::cli
