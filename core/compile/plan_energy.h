// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What one request of a plan costs in energy: the machine by its causes, and its host while it computes, moves operands or waits.
#include "core/energy/figures.h"
#include "core/plan/plan.h"
#include "core/plan/simulation.h"

namespace pim {

struct PlanEnergy {
    EnergyBudget
        budget; ///< Empty: nothing is known of the machine; a host's share alone would pass for the whole.
    std::string note; ///< What is left out.
};

/// The machine by what the simulation counted, else by the plan's own figure "energy_pj", else by the power of a machine that draws the same
/// all the time. \param simulation may be null. \param ns from one result to the next.
PlanEnergy energyOf(const Plan& plan, const Simulation* simulation, double ns);

} // namespace pim
