// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/which/tornado_plot.h"

#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/text.h"

#include <QEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim::views {
namespace {

/// What has no end is drawn this much further than all that has one.
constexpr double kBeyond = 3;

QCPGraph* invisibleInLegend(QCustomPlot* plot) {
    QCPGraph* graph = plot->addGraph();
    graph->removeFromLegend();
    return graph;
}

} // namespace

TornadoPlot::TornadoPlot(QWidget* parent)
    : Plot(parent), m_ahead(invisibleInLegend(this)), m_behind(invisibleInLegend(this)),
      m_now(invisibleInLegend(this)), m_even(invisibleInLegend(this)) {
    setAccessibleName(tr("How far the first machine leads"));
    setMinimumSize(260, 90);
    legend->setVisible(false);
    xAxis->setScaleType(QCPAxis::stLogarithmic);
    xAxis->setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    xAxis->setNumberFormat(QStringLiteral("gb"));
    xAxis->setNumberPrecision(3);
    yAxis->setSubTicks(false);
    installPlotExport(this, QStringLiteral("decides"));
    style();
}

void TornadoPlot::setAnswer(const Sensitivity& answer) {
    clearItems();
    m_bars.clear();
    double low = 1, high = std::isfinite(answer.now.lead) ? std::max(1.0, answer.now.lead) : 1;
    for (const DecidingInput& input : answer.inputs)
        for (const DecidingValue& value : input.values)
            if (value.problem.empty() && value.lead > 0 && std::isfinite(value.lead)) {
                low = std::min(low, value.lead);
                high = std::max(high, value.lead);
            }
    low /= kBeyond;
    high *= kBeyond;
    const auto shown = [&](double lead) { return std::clamp(lead, low, high); };
    const double now = shown(answer.now.lead);
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    const double nothing = std::numeric_limits<double>::quiet_NaN(); // ends a line
    QVector<double> aheadX, aheadY, behindX, behindY;
    const auto line = [&](double from, double to, double y) {
        const auto part = [&](QVector<double>& xs, QVector<double>& ys, double a, double b) {
            if (a < b) {
                xs << a << b << nothing;
                ys << y << y << nothing;
            }
        };
        part(behindX, behindY, from, std::min(to, 1.0));
        part(aheadX, aheadY, std::max(from, 1.0), to);
    };
    for (const DecidingInput& input : answer.inputs) {
        const DecidingValue *least = nullptr, *most = nullptr;
        for (const DecidingValue& value : input.values) {
            if (!value.problem.empty())
                continue;
            least = !least || value.lead < least->lead ? &value : least;
            most = !most || value.lead > most->lead ? &value : most;
        }
        if (!least)
            continue;
        const double y = -double(m_bars.size());
        names->addTick(y, text(input.input.name));
        Bar bar{std::min(now, shown(least->lead)), std::max(now, shown(most->lead))};
        line(bar.low, bar.high, y);
        const auto write = [&](double x, const std::string& value, Qt::Alignment side) {
            auto* item = new QCPItemText(this);
            item->position->setCoords(x, y);
            item->setPositionAlignment(side | Qt::AlignVCenter);
            item->setText(text(value));
            item->setPadding({6, 0, 6, 0});
            item->setClipToAxisRect(false);
            return item;
        };
        if (bar.low < now)
            bar.lowText = write(bar.low, least->value, Qt::AlignRight);
        if (bar.high > now)
            bar.highText = write(bar.high, most->value, Qt::AlignLeft);
        m_bars.push_back(bar);
    }
    m_ahead->setData(aheadX, aheadY, true);
    m_behind->setData(behindX, behindY, true);
    const double bottom = 0.6 - std::max(1.0, double(m_bars.size()));
    m_now->setData({now, now}, {bottom, 0.6});
    m_even->setData({1, 1}, {bottom, 0.6});
    yAxis->setTicker(names);
    yAxis->setRange(bottom, 0.6);
    xAxis->setRange(low / 5, high * 5); // room for the words beside the bars
    xAxis->setLabel(tr("lead of %1").arg(text(answer.now.first)));
    style();
}

void TornadoPlot::style() {
    stylePlot(this);
    legend->setVisible(false);
    const auto bar = [](QCPGraph* graph, Role role) {
        QPen pen(color(role), 11);
        pen.setCapStyle(Qt::FlatCap);
        graph->setPen(pen);
    };
    bar(m_ahead, Role::Compute);
    bar(m_behind, Role::Bad);
    m_now->setPen(QPen(color(Role::Muted), 1, Qt::DashLine));
    m_even->setPen(QPen(palette().color(QPalette::Text), 1));
    for (const Bar& each : m_bars)
        for (QCPItemText* item : {each.lowText, each.highText})
            if (item) {
                item->setColor(palette().color(QPalette::Text));
                item->setFont(font());
            }
    replot(QCustomPlot::rpQueuedReplot);
}

void TornadoPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    Plot::changeEvent(event);
}

} // namespace pim::views
