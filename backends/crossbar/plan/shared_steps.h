// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Steps of a plan that another one has made already. Neighbouring points of a sweep differ in one figure of the machine, and no step
/// depends on all of them: by what is compared here, what comes out is the same to the last byte. Flow: plan of the point before ->
/// [shared steps] -> planCrossbar().
#include "backends/crossbar/plan/plan.h"

namespace pim {

/// \p plan has chip, options, seed and network, and wishes nothing: its mapping is that of \p other, which was made without wishes.
bool shareMapping(const CrossbarPlan& other, const CrossbarPlan& plan);
/// \p plan has its mapping too: its program is that of \p other.
bool shareProgram(const CrossbarPlan& other, const CrossbarPlan& plan);
/// \p plan has its schedule too: its profile is that of \p other.
bool shareProfile(const CrossbarPlan& other, const CrossbarPlan& plan);

} // namespace pim
