// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plot.h"

namespace pim::views {

Plot::Plot(QWidget* parent) : QCustomPlot(parent) {
    setPlottingHint(QCP::phImmediateRefresh, false);
}

void Plot::resizeEvent(QResizeEvent*) {
    setViewport(rect());
    replot(rpQueuedReplot);
}

} // namespace pim::views
