// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The one list of families of hardware that the window knows.
#include "core/plan/host_model.h"
#include "views/models/family_panels.h"

#include <memory>

namespace pim::studio {

views::FamilyList families();
/// Of hosts that stand alone beside machines.
std::shared_ptr<const HostModel> hostModel();

} // namespace pim::studio
