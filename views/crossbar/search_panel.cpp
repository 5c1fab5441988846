// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/crossbar/search_panel.h"

#include "core/base/number_text.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"

#include <QEvent>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pim::views {
namespace {

QString shortTime(double ns) {
    return withoutTrailingZeros(QString::fromStdString(timeText(ns)));
}
QSharedPointer<QCPAxisTicker> timeTicks(double scale = 1) {
    auto ticks =
        QSharedPointer<FigureTicker>::create([scale](double value) { return shortTime(value * scale); });
    ticks->setTickCount(4); // "3.85 ms" is wide
    return ticks;
}

} // namespace

SearchPanel::SearchPanel(QWidget* parent)
    : QWidget(parent), m_curve(new Plot), m_tradeOffs(new Plot), m_title(new LineLabel) {
    m_curve->setAccessibleName(tr("Best found so far over time"));
    m_tradeOffs->setAccessibleName(
        tr("Layouts that nothing beats in throughput, latency and energy at once"));
    m_title->setAccessibleName(tr("Trade-off shown"));
    m_title->setContentsMargins(12, 2, 8, 0);
    m_tradeOffs->setToolTip(tr("Click a layout to see its figures"));
    installPlotExport(m_curve, QStringLiteral("search"));
    installPlotExport(m_tradeOffs, QStringLiteral("trade-offs"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_curve, 2);
    layout->addWidget(m_title);
    layout->addWidget(m_tradeOffs, 3);
    connect(m_tradeOffs, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        int nearest = -1;
        double distance = 12 * 12; // pixels, squared
        for (int i = 0; m_facts && i < int(m_facts->tradeOffs.size()); ++i) {
            const MappingTradeOff& point = m_facts->tradeOffs[std::size_t(i)];
            const QPointF at(m_tradeOffs->xAxis->coordToPixel(point.periodNs),
                             m_tradeOffs->yAxis->coordToPixel(point.latencyNs));
            const QPointF apart = at - event->position();
            if (const double d = QPointF::dotProduct(apart, apart); d < distance) {
                distance = d;
                nearest = i;
            }
        }
        describe(nearest);
    });
}

void SearchPanel::setFacts(std::shared_ptr<const ChipFacts> facts) {
    m_facts = std::move(facts);
    fillCurve();
    fillTradeOffs();
}

bool SearchPanel::isEmpty() const {
    return !m_facts || (m_facts->history.size() < 2 && m_facts->tradeOffs.empty());
}

void SearchPanel::fillCurve() {
    m_curve->clearPlottables();
    if (m_facts) {
        QCPGraph* graph = m_curve->addGraph();
        graph->setName(m_facts->isHighThroughput ? tr("period") : tr("estimated latency"));
        QVector<double> evaluations, best;
        for (const SearchPoint& point : m_facts->history) {
            evaluations << double(point.evaluations);
            best << point.ns;
        }
        graph->setData(evaluations, best, true);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(QPen(color(Role::Accent), 2));
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 5));
        m_curve->xAxis->setLabel(m_facts->isHighThroughput ? tr("programs timed") : tr("layouts estimated"));
        m_curve->yAxis->setLabel(graph->name());
        m_curve->yAxis->setTicker(timeTicks());
        m_curve->rescaleAxes();
        m_curve->xAxis->scaleRange(1.05);
        m_curve->xAxis->setRangeLower(0);
        m_curve->yAxis->setRange(0, m_curve->yAxis->range().upper * 1.08);
    }
    stylePlot(m_curve);
    m_curve->replot(QCustomPlot::rpQueuedReplot);
}

/// It has the plan's replicas, which may lie elsewhere.
bool SearchPanel::isPlan(const MappingTradeOff& point) const {
    return std::ranges::equal(point.replicas, m_facts->layers, {}, {}, &ChipLayer::replicas);
}

void SearchPanel::fillTradeOffs() {
    m_tradeOffs->clearPlottables();
    if (m_facts && !m_facts->tradeOffs.empty()) {
        const auto& points = m_facts->tradeOffs;
        const auto [least, most] = std::ranges::minmax_element(points, {}, &MappingTradeOff::energyPj);
        for (const MappingTradeOff& point : points) { // a graph each: each has its own shade
            const double spread = most->energyPj - least->energyPj;
            const double share = spread > 0 ? (point.energyPj - least->energyPj) / spread : 0;
            QColor shade = color(Role::Accent);
            shade.setAlphaF(float(1 - 0.75 * share));
            QCPGraph* graph = m_tradeOffs->addGraph();
            graph->setName(point.energyPj > 0 ? QString::fromStdString(energyText(point.energyPj))
                                              : tr("layout"));
            graph->setData({point.periodNs}, {point.latencyNs}, true);
            graph->setLineStyle(QCPGraph::lsNone);
            if (isPlan(point)) {
                QCPGraph* ring = m_tradeOffs->addGraph();
                ring->setName(tr("this plan"));
                ring->setData({point.periodNs}, {point.latencyNs}, true);
                ring->setLineStyle(QCPGraph::lsNone);
                ring->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle,
                                                      QPen(color(Role::EdgeSelected), 2), Qt::NoBrush, 18));
            }
            graph->setScatterStyle(
                QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color(Role::Accent)), QBrush(shade), 10));
        }
        m_tradeOffs->xAxis->setLabel(tr("between samples, estimated"));
        m_tradeOffs->yAxis->setLabel(tr("latency, estimated"));
        m_tradeOffs->xAxis->setTicker(timeTicks());
        m_tradeOffs->yAxis->setTicker(timeTicks());
        m_tradeOffs->rescaleAxes();
        for (QCPAxis* axis : {m_tradeOffs->xAxis, m_tradeOffs->yAxis}) {
            const QCPRange range = axis->range();
            const double margin = std::max(0.1 * range.size(), 0.02 * range.upper);
            axis->setRange(std::max(0.0, range.lower - margin), range.upper + margin);
        }
    }
    describe(-1);
    stylePlot(m_tradeOffs);
    m_tradeOffs->replot(QCustomPlot::rpQueuedReplot);
}

void SearchPanel::describe(int point) {
    if (!m_facts || m_facts->tradeOffs.empty()) {
        m_title->setText(m_facts ? tr("No trade-offs were kept") : QString());
        return;
    }
    if (point < 0) {
        m_title->setText(
            m_facts->tradeOffs.size() == 1 ? tr("One layout beats all others")
            : std::ranges::any_of(m_facts->tradeOffs, [this](const auto& one) { return isPlan(one); })
                ? tr("%1 trade-offs; fuller: less energy, ringed: this plan").arg(m_facts->tradeOffs.size())
                : tr("%1 trade-offs; fuller: less energy").arg(m_facts->tradeOffs.size()));
        return;
    }
    const MappingTradeOff& shown = m_facts->tradeOffs[std::size_t(point)];
    QString text = tr("every %1, first after %2").arg(shortTime(shown.periodNs), shortTime(shown.latencyNs));
    if (shown.energyPj > 0)
        text += tr(", %1").arg(QString::fromStdString(energyText(shown.energyPj)));
    m_title->setText(text);
}

void SearchPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && m_facts) {
        fillCurve();
        fillTradeOffs();
    }
    QWidget::changeEvent(event);
}

} // namespace pim::views
