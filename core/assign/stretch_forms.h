// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Stretches that are alike. Flow: stretch -> its form and its prices; what was found of one -> what that says of another one of the same form.
///
/// Layers of a network repeat, with prices that differ by little: that of the place of a matrix on a chip, that of a longer cache.
#include "core/assign/stretch_search.h"

#include <string>

namespace pim {

/// All that decides which schedules a stretch has: ops, values, devices that run an op in no time, in some or not at all.
std::string formOf(const Stretch& stretch);
/// All else that decides the answer, on the same devices and links.
std::string pricesOf(const Stretch& stretch);

/// \p found made better by what is known of \p known, which has the same form: its schedule is one here as well, and none here is shorter than
/// what none there is shorter than, less all that costs less here, since a longest way has each op and transfer once.
void carryOver(const SolvedStretch& known, const Stretch& stretch, StretchFound& found);

} // namespace pim
