// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plot_style.h"

#include "views/common/palette.h"

#include <qcustomplot.h>

namespace pim::views {
namespace {

void styleAxis(QCPAxis* axis, const QFont& font) {
    const QPen line(color(Role::NodeBorder));
    axis->setBasePen(line);
    axis->setTickPen(line);
    axis->setSubTickPen(line);
    axis->setTickLabelColor(color(Role::Muted));
    axis->setLabelColor(color(Role::NodeText));
    axis->setTickLabelFont(font);
    axis->setLabelFont(font);
    axis->setSelectedBasePen(line);
    axis->grid()->setPen(QPen(color(Role::GridLine), 1));
    axis->grid()->setSubGridPen(
        QPen(mix(QGuiApplication::palette().color(QPalette::Base), color(Role::GridLine), 0.5), 1));
    axis->grid()->setZeroLinePen(QPen(color(Role::NodeBorder), 1));
}

} // namespace

void stylePlot(QCustomPlot* plot) {
    const QFont font = plot->font();
    plot->setBackground(QBrush(QGuiApplication::palette().color(QPalette::Base)));
    for (QCPAxisRect* rect : plot->axisRects())
        for (QCPAxis* axis : rect->axes())
            styleAxis(axis, font);
    for (int i = 0; i < plot->plotLayout()->elementCount(); ++i) {
        QCPLayoutElement* element = plot->plotLayout()->elementAt(i);
        if (auto* scale = qobject_cast<QCPColorScale*>(element))
            styleAxis(scale->axis(), font);
        else if (auto* title = qobject_cast<QCPTextElement*>(element))
            title->setTextColor(color(Role::NodeText));
    }
    if (plot->legend) {
        QColor background = QGuiApplication::palette().color(QPalette::Base);
        background.setAlpha(225);
        plot->legend->setBrush(background);
        plot->legend->setBorderPen(QPen(color(Role::GridLine)));
        plot->legend->setTextColor(color(Role::NodeText));
        plot->legend->setFont(font);
    }
}

} // namespace pim::views
