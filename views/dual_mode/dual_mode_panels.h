// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Dual-mode chips in the window: segments, the map of array counts, their words and figures.
#include "views/models/family_panels.h"

namespace pim::views {

FamilyPanels dualModePanels();

} // namespace pim::views
