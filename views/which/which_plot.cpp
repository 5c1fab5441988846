// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/which/which_plot.h"

#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/text.h"

#include <QEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

QCPGraph* dots(QCustomPlot* plot, const QString& name) {
    QCPGraph* graph = plot->addGraph();
    graph->setName(name);
    graph->setLineStyle(QCPGraph::lsNone);
    return graph;
}

} // namespace

WhichPlot::WhichPlot(QWidget* parent)
    : Plot(parent), m_simulated(dots(this, tr("simulated"))), m_predicted(dots(this, tr("predicted"))),
      m_hosts(dots(this, tr("no PIM"))), m_current(addGraph()) {
    setAccessibleName(tr("Time of each machine"));
    setMinimumSize(220, 160);
    m_current->removeFromLegend();
    axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignBottom | Qt::AlignLeft);
    xAxis->setScaleType(QCPAxis::stLogarithmic);
    xAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    xAxis->setNumberFormat(QStringLiteral("gb"));
    xAxis->setNumberPrecision(3);
    yAxis->setSubTicks(false);
    axisRect()->setRangeDrag(Qt::Vertical);
    setInteractions(QCP::iRangeDrag);
    installPlotExport(this, QStringLiteral("which"));
    connect(this, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        const auto line = int(std::lround(-yAxis->pixelToCoord(event->position().y())));
        if (line >= 0 && line < m_times.size())
            emit lineClicked(line);
    });
    style();
}

void WhichPlot::setRows(const std::vector<WhichRow>& rows, const std::vector<std::size_t>& order,
                        WhichBy by) {
    QVector<double> at[3], times[3];
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    m_times.clear();
    for (const std::size_t place : order) {
        const WhichRow& row = rows[place];
        const double ns = row.timeNs(by).value_or(0);
        if (ns <= 0)
            continue;
        const std::size_t kind = row.kind == "host" ? 2 : row.origin == Origin::Simulated ? 0 : 1;
        const auto line = double(m_times.size());
        names->addTick(-line, text(row.machine));
        m_times.append(ns / 1e6);
        times[kind].append(ns / 1e6);
        at[kind].append(-line);
    }
    QCPGraph* const graphs[] = {m_simulated, m_predicted, m_hosts};
    for (std::size_t kind = 0; kind < 3; ++kind) {
        graphs[kind]->setData(times[kind], at[kind]);
        if (times[kind].isEmpty())
            graphs[kind]->removeFromLegend();
        else
            graphs[kind]->addToLegend();
    }
    m_current->setData({}, {});
    yAxis->setTicker(names);
    showLines(0);
    xAxis->setLabel(by == WhichBy::Stream    ? tr("from one result to the next, ms")
                    : by == WhichBy::Request ? tr("a request, ms")
                                             : tr("bringing in the weights, and a request, ms"));
    if (!m_times.isEmpty()) {
        const auto [low, high] = std::minmax_element(m_times.begin(), m_times.end());
        xAxis->setRange(*low / 1.6, *high * 1.6);
    }
    style();
}

void WhichPlot::showLines(double first) {
    constexpr int kAround = 60; // of the axis below, and margins
    const int line = fontMetrics().height() + 2;
    const double fit =
        std::clamp(double(height() - kAround) / line, 2.0, std::max(2.0, double(m_times.size())));
    first = std::clamp(first, 0.0, std::max(0.0, double(m_times.size()) - fit));
    yAxis->setRange(-first - fit + 0.3, -first + 0.7);
}

void WhichPlot::resizeEvent(QResizeEvent* event) {
    constexpr int kLegendHidesDots = 260;
    legend->setVisible(height() >= kLegendHidesDots);
    showLines(0.7 - yAxis->range().upper);
    Plot::resizeEvent(event);
}

void WhichPlot::wheelEvent(QWheelEvent* event) {
    showLines(0.7 - yAxis->range().upper - event->angleDelta().y() / 40.0);
    replot(QCustomPlot::rpQueuedReplot);
    event->accept();
}

void WhichPlot::setCurrent(int line) {
    if (line < 0 || line >= m_times.size())
        m_current->setData({}, {});
    else
        m_current->setData({m_times[line]}, {-double(line)});
    if (line >= 0 && !yAxis->range().contains(-double(line)))
        showLines(line - yAxis->range().size() / 2);
    replot(QCustomPlot::rpQueuedReplot);
}

void WhichPlot::style() {
    stylePlot(this);
    const auto draw = [](QCPGraph* graph, QCPScatterStyle::ScatterShape shape, Role role, bool isFilled) {
        const QColor ink = color(role);
        graph->setPen(QPen(ink, 2));
        graph->setScatterStyle({shape, QPen(ink, 2), isFilled ? QBrush(ink) : QBrush(Qt::NoBrush), 9});
    };
    draw(m_simulated, QCPScatterStyle::ssDisc, Role::Compute, true);
    draw(m_predicted, QCPScatterStyle::ssCircle, Role::Compute, false);
    draw(m_hosts, QCPScatterStyle::ssSquare, Role::HostTime, true);
    m_current->setLineStyle(QCPGraph::lsNone);
    m_current->setScatterStyle(
        {QCPScatterStyle::ssCircle, QPen(palette().color(QPalette::Highlight), 3), Qt::NoBrush, 17});
    replot(QCustomPlot::rpQueuedReplot);
}

void WhichPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    Plot::changeEvent(event);
}

} // namespace pim::views
