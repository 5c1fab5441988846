// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A plan over several machines as one of them has it. Flow: Plan + machine -> Plan for that machine alone.
#include "core/plan/plan.h"

namespace pim::views {

/// \p plan itself where it is for one machine. Else a plan over the whole network on the machine's own target: what runs on
/// another one is elsewhere as the host's ops are, without draft and price; times are of the whole plan.
std::shared_ptr<const Plan> shareOf(const std::shared_ptr<const Plan>& plan, DeviceId machine);

} // namespace pim::views
