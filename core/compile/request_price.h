// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a request of a plan takes: time, and energy. Flow: Plan -> [requestPrice] -> what tables of machines and of conversions show.
#include "core/compile/plan_energy.h"
#include "core/plan/backend.h"

namespace pim {

struct RequestPrice {
    double ns = 0;                     ///< From its first byte to its last result, nothing else under way.
    double streamNs = 0;               ///< From one result to the next, as many in flight as the machine can.
    Origin origin = Origin::Predicted; ///< Of both.
    PlanEnergy energy;
};

/// One request after the other. \param simulation may be null.
double requestNs(const Plan& plan, const Simulation* simulation);

/// By the simulator of its family where it has one and \p simulates, else as predicted. Error::Cancelled.
Result<RequestPrice> requestPrice(const Backend& backend, const Plan& plan, bool simulates,
                                  const TaskContext& task = {});

} // namespace pim
