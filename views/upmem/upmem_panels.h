// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// UPMEM modules in the window: their DPUs, and one op looked at on its DPU.
#include "views/models/family_panels.h"

namespace pim::views {

FamilyPanels upmemPanels();

} // namespace pim::views
