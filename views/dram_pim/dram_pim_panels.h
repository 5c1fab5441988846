// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// DRAM-PIM in the window: commands, the layout in the banks, and where they stand.
#include "views/models/family_panels.h"

namespace pim::views {

FamilyPanels dramPimPanels();

} // namespace pim::views
