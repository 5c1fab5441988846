// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The five steps of the tour through this program, and whether it was seen.
#include "app/studio/tour.h"

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class MainWindow;

bool isTourSeen();
void setTourSeen(bool seen);
/// Opens the smallest sample if nothing is open when the first step is left.
Tour* startTour(MainWindow& window, views::Workspace& workspace);

} // namespace pim::studio
