// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lut/training_plot.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kLeastLoss = 1e-6; ///< A logarithm takes no 0.

QString lossText(double loss) {
    return QString::number(loss, 'g', 3);
}

} // namespace

TrainingPlot::TrainingPlot(QWidget* parent) : Plot(parent) {
    setAccessibleName(tr("Loss and agreement over the steps of training"));
    setMinimumSize(220, 130);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    const auto graph = [this](QCPAxis* values, const QString& name) {
        QCPGraph* made = addGraph(xAxis, values);
        made->setName(name);
        return made;
    };
    m_loss = graph(yAxis, tr("loss of a step"));
    m_agreement = graph(yAxis2, tr("agreement of a step"));
    m_meanLoss = graph(yAxis, tr("loss"));
    m_meanAgreement = graph(yAxis2, tr("agreement with the network as it is"));
    m_dense = graph(yAxis2, tr("test accuracy as it is"));
    m_converted = graph(yAxis2, tr("test accuracy converted"));
    m_loss->removeFromLegend();
    m_agreement->removeFromLegend();
    yAxis2->setVisible(true);
    xAxis->setLabel(tr("step"));
    yAxis->setLabel(tr("loss (divergence of the logits)"));
    yAxis2->setLabel(tr("share of samples"));
    yAxis->setScaleType(QCPAxis::stLogarithmic);
    yAxis->setTicker(QSharedPointer<LogFigureTicker>::create([](double loss) { return lossText(loss); }));
    yAxis->setSubTicks(false);
    yAxis2->setSubTicks(false);
    yAxis2->setTicker(QSharedPointer<FigureTicker>::create(
        [](double share) { return QStringLiteral("%1 %").arg(share * 100, 0, 'g', 4); }));
    legend->setVisible(true);
    plotLayout()->insertRow(0); // in a row of its own: inside, it would hide the curve
    plotLayout()->addElement(0, 0, legend);
    plotLayout()->setRowStretchFactor(0, 0.001);
    legend->setWrap(2);
    legend->setFillOrder(QCPLegend::foColumnsFirst, true);
    installPlotExport(this, QStringLiteral("lut_training"));
    style();
}

void TrainingPlot::setCurve(TrainingCurve curve) {
    m_curve = std::move(curve);
    const auto fill = [](QCPGraph* graph, const std::vector<lut::CalibrationStep>& points,
                         double lut::CalibrationStep::*figure, double least) {
        QVector<double> x, y;
        for (const lut::CalibrationStep& point : points) {
            x << point.step;
            y << std::max(point.*figure, least);
        }
        graph->setData(x, y);
    };
    fill(m_loss, m_curve.steps, &lut::CalibrationStep::loss, kLeastLoss);
    fill(m_agreement, m_curve.steps, &lut::CalibrationStep::agreement, 0);
    fill(m_meanLoss, m_curve.means, &lut::CalibrationStep::loss, kLeastLoss);
    fill(m_meanAgreement, m_curve.means, &lut::CalibrationStep::agreement, 0);
    double last = m_curve.lastStep, low = HUGE_VAL, high = 0, least = 1;
    for (const auto* points : {&m_curve.steps, &m_curve.means})
        for (const lut::CalibrationStep& point : *points) {
            last = std::max(last, double(point.step));
            low = std::min(low, std::max(point.loss, kLeastLoss));
            high = std::max(high, std::max(point.loss, kLeastLoss));
            least = std::min(least, point.agreement);
        }
    last = std::max(last, 1.0);
    const auto level = [&](QCPGraph* graph, std::optional<double> share) {
        if (share)
            graph->setData({0, last}, {*share, *share});
        else
            graph->data()->clear();
        least = std::min(least, share.value_or(1));
    };
    level(m_dense, m_curve.dense);
    level(m_converted, m_curve.converted);
    xAxis->setRange(0, last * 1.02);
    if (low <= high)
        yAxis->setRange(low / 1.3, high * 1.3);
    const double floor = std::floor(least * 20 - 0.2) / 20;
    yAxis2->setRange(std::max(0.0, floor), 1.01);
    replot(rpQueuedReplot);
}

QString TrainingPlot::tipAt(const QPoint& position) const {
    if (isEmpty() || !axisRect()->rect().contains(position))
        return {};
    const double at = xAxis->pixelToCoord(position.x());
    const auto& points = m_curve.steps.empty() ? m_curve.means : m_curve.steps;
    const auto nearest = std::ranges::min_element(
        points, {}, [at](const lut::CalibrationStep& point) { return std::abs(point.step - at); });
    QStringList lines{tr("step %1").arg(nearest->step), tr("loss %1").arg(lossText(nearest->loss)),
                      tr("%1 choose as the unconverted network").arg(text(percentText(nearest->agreement)))};
    if (m_curve.dense)
        lines << tr("test accuracy as the network is: %1").arg(text(percentText(*m_curve.dense)));
    if (m_curve.converted)
        lines << tr("test accuracy converted: %1").arg(text(percentText(*m_curve.converted)));
    return lines.join(u'\n');
}

bool TrainingPlot::event(QEvent* event) {
    return answerToolTip(event, this, [this](const QPoint& at) { return tipAt(at); }) || Plot::event(event);
}

void TrainingPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    Plot::changeEvent(event);
}

void TrainingPlot::style() {
    stylePlot(this);
    const QColor loss = color(Role::Compute), agreement = color(Role::MemoryIn), canvas = color(Role::Canvas);
    m_loss->setPen(QPen(mix(canvas, loss, 0.45), 1));
    m_agreement->setPen(QPen(mix(canvas, agreement, 0.45), 1));
    m_meanLoss->setPen(QPen(loss, 2));
    m_meanLoss->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, loss, loss, 6));
    m_meanAgreement->setPen(QPen(agreement, 2));
    m_meanAgreement->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssSquare, agreement, agreement, 6));
    m_dense->setPen(QPen(color(Role::NodeText), 1.2, Qt::DashLine));
    m_converted->setPen(QPen(color(Role::Accent), 1.6, Qt::DashDotLine));
    replot(rpQueuedReplot);
}

} // namespace pim::views
