// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a report says about a plan for a dual-mode chip, beside what it says about every plan.
#include "core/compile/simulation.h"
#include "core/report/document.h"

namespace pim::report {

/// Empty if \p plan is not of a dual-mode chip.
std::vector<Section> dualModeSections(const Plan& plan);
/// Predicted against simulated, phase by phase. No blocks where nothing was simulated.
Section simulationSection(const Simulation* simulation);

} // namespace pim::report
