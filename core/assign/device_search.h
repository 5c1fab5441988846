// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who runs what first, in which order afterwards. Flow: stretch, its bounds, the best schedule so far -> [searchDevices] -> a better one, and
/// a better bound.
#include "core/assign/stretch_bounds.h"

namespace pim {

/// Branch and bound over the devices of ops, the most promising choice first: an op that several devices may run is given to each of them,
/// where most time depends on it first; ops whose order matters little stand in nobody's way. Every choice is made a schedule of by lists, the op with the longest
/// tail first. Where all devices are chosen, order alone is open; its bound stays. \param found is made better, never worse; it counts choices as
/// its states. \param choicesAtMost that are looked at.
void searchDevices(StretchBounds& bounds, const AssignmentProblem& problem, std::int64_t choicesAtMost,
                   double gapAtMostNs, StretchFound& found, const TaskContext& task);

} // namespace pim
