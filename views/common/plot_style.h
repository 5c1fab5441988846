// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Gives a QCustomPlot the colours and fonts of the theme. Call again on QEvent::PaletteChange.

class QCustomPlot;

namespace pim::views {

/// Background, axes, grid, legend and colour scales; graphs and other plottables keep their own pens.
void stylePlot(QCustomPlot* plot);

} // namespace pim::views
