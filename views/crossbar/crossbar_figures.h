// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What arrays of crossbar cores hold weights of an op, and how long each computes, for the floorplan. An array counts as
/// taken if it holds weights. Flow: CrossbarPlan -> [figures] -> hardware.
#include "views/models/core_figures.h"

namespace pim::views {

/// Kept with projects.
namespace CrossbarFigure {
enum : int { ArraysOfOp = 4, ComputeTime };
}

ArrayFigures crossbarFigures();

} // namespace pim::views
