// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a report says about the machines that a plan is spread over.
#include "core/plan/document.h"
#include "core/plan/plan.h"

namespace pim::report {

/// Machines, parts in the order in which they run, transfers between them. No blocks where there is one machine.
Section devicesSection(const Plan& plan);
/// "AiM and HBM-PIM": the machines of the plan by \p text of their targets.
std::string machinesOf(const Plan& plan, std::string Target::*text);

} // namespace pim::report
