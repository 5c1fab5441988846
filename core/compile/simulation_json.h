// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a simulation found, for programs that read on.
#include "core/plan/simulation.h"

#include <string>

namespace pim {

/// On one line. \p plan is the one that was simulated; the timeline is left out.
std::string simulationJson(const Simulation& simulation, const Plan& plan);

} // namespace pim
