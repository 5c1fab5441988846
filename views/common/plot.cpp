// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plot.h"

namespace pim::views {

Plot::Plot(QWidget* parent) : QCustomPlot(parent) {
    setPlottingHint(QCP::phImmediateRefresh, false);
    connect(this, &QCustomPlot::afterLayout, this, &Plot::fitLegend);
}

void Plot::resizeEvent(QResizeEvent*) {
    setViewport(rect());
    replot(rpQueuedReplot);
}

void Plot::fitLegend() {
    constexpr double kMostOfWidth = 0.6;
    if (!legend || !axisRect() || !axisRect()->insetLayout()->elements(false).contains(legend))
        return;
    const QSize needed = legend->outerRect().size(), room = axisRect()->size();
    // By its layer: whether there is one at all is the business of those who draw.
    legend->layer()->setVisible(needed.height() <= room.height() &&
                                needed.width() <= kMostOfWidth * room.width());
}

} // namespace pim::views
