// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// CINM's flow in the window: no machine of its own, but a panel for every network.
#include "views/models/family_panels.h"

namespace pim::views {

FamilyPanels cinmPanels();

} // namespace pim::views
