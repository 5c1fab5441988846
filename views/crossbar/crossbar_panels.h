// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Chips of crossbar cores in the window: the map of the chips, their words and figures.
#include "views/models/family_panels.h"

namespace pim::views {

FamilyPanels crossbarPanels();

} // namespace pim::views
