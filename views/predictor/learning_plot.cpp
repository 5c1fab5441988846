// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/predictor/learning_plot.h"

#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/tool_tips.h"

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr int kTwoNames = 420;       ///< Pixels that names of both curves need side by side.
constexpr double kLeastError = 1e-7; ///< A logarithm takes no 0.

QString errorShare(double error) {
    return QStringLiteral("%1 %").arg(100 * error, 0, 'g', 3);
}

} // namespace

LearningPlot::LearningPlot(QWidget* parent) : Plot(parent), m_trained(addGraph()), m_heldOut(addGraph()) {
    setAccessibleName(tr("Mean error of predicted times over the rounds of training"));
    setMinimumSize(220, 130);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_trained->setName(tr("drafts learned"));
    m_heldOut->setName(tr("drafts of sizes held out"));
    xAxis->setLabel(tr("trees"));
    yAxis->setLabel(tr("mean error"));
    yAxis->setScaleType(QCPAxis::stLogarithmic);
    yAxis->setTicker(QSharedPointer<LogFigureTicker>::create(errorShare));
    yAxis->setSubTicks(false);
    xAxis->setSubTicks(false);
    legend->setVisible(true);
    plotLayout()->insertRow(0); // in a row of its own: inside, it would hide the curve
    plotLayout()->addElement(0, 0, legend);
    plotLayout()->setRowStretchFactor(0, 0.001);
    legend->setFillOrder(QCPLegend::foColumnsFirst, true);
    installPlotExport(this, QStringLiteral("predictor_training"));
    style();
}

void LearningPlot::setCurve(const LearningCurve& curve) {
    m_curve = curve;
    double low = HUGE_VAL, high = 0;
    const auto fill = [&](QCPGraph* graph, const std::vector<double>& errors) {
        QVector<double> x, y;
        for (const double error : errors) {
            x << x.size();
            y << std::max(error, kLeastError);
            low = std::min(low, y.back());
            high = std::max(high, y.back());
        }
        graph->setData(x, y);
    };
    fill(m_trained, curve.trained);
    fill(m_heldOut, curve.heldOut);
    xAxis->setRange(0, std::max<double>(1, static_cast<double>(curve.trained.size()) - 1) * 1.02);
    if (low <= high)
        yAxis->setRange(low / 1.3, high * 1.3);
    replot(rpQueuedReplot);
}

QString LearningPlot::tipAt(const QPoint& position) const {
    if (m_curve.trained.empty() || !axisRect()->rect().contains(position))
        return {};
    const auto last = static_cast<double>(m_curve.trained.size()) - 1;
    const auto round =
        static_cast<std::size_t>(std::clamp(std::round(xAxis->pixelToCoord(position.x())), 0.0, last));
    QString tip = tr("%1 trees: drafts learned %2").arg(round).arg(errorShare(m_curve.trained[round]));
    if (round < m_curve.heldOut.size())
        tip += tr(", held out %1").arg(errorShare(m_curve.heldOut[round]));
    return tip;
}

bool LearningPlot::event(QEvent* event) {
    if (event->type() == QEvent::Resize) {
        legend->setWrap(width() < kTwoNames ? 1 : 2);
        legend->setFillOrder(QCPLegend::foColumnsFirst, true); // those that are in it too
    }
    return answerToolTip(event, this, [this](const QPoint& at) { return tipAt(at); }) || Plot::event(event);
}

void LearningPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    Plot::changeEvent(event);
}

void LearningPlot::style() {
    stylePlot(this);
    m_trained->setPen(QPen(color(Role::MemoryIn), 2, Qt::DashLine));
    m_heldOut->setPen(QPen(color(Role::Compute), 2));
    replot(rpQueuedReplot);
}

} // namespace pim::views
