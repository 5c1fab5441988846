// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a report says about the simulation of a plan, and what would make it faster.
#include "core/compile/what_if.h"
#include "core/plan/document.h"
#include "core/plan/simulation.h"

namespace pim::report {

/// Predicted against simulated, phase by phase. No blocks where nothing was simulated.
Section simulationSection(const Simulation* simulation);
/// The run with one resource at a time faster, or more of it. No blocks where nobody asked.
Section helpSection(const WhatIf* help);

} // namespace pim::report
