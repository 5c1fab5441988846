// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a report says about the simulation of a plan.
#include "core/plan/document.h"
#include "core/plan/simulation.h"

namespace pim::report {

/// Predicted against simulated, phase by phase. No blocks where nothing was simulated.
Section simulationSection(const Simulation* simulation);

} // namespace pim::report
