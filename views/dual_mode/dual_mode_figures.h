// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What arrays of a dual-mode chip do for an op, and how long, for the floorplan. An array counts as taken if it works in
/// a segment of the op, or in any if there is no op. Flow: DualModePlan -> [figures] -> hardware.
#include "views/models/core_figures.h"

namespace pim::views {

/// Kept with projects.
namespace DualModeFigure {
enum : int { BusyTime = 3, ArrayModes, ComputeMode, MemoryMode };
}

ArrayFigures dualModeFigures();

} // namespace pim::views
