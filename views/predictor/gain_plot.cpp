// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/predictor/gain_plot.h"

#include "core/predict/features.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/tool_tips.h"

#include <algorithm>
#include <cmath>

namespace pim::views {

GainPlot::GainPlot(QWidget* parent) : Plot(parent), m_bars(new QCPBars(yAxis, xAxis)) {
    setAccessibleName(tr("Features by the share of what the trees gained by them"));
    setMinimumSize(220, 130);
    m_bars->setName(tr("share of the gain"));
    m_bars->setWidth(0.7);
    xAxis->setLabel(tr("share of what the trees gained"));
    xAxis->setTicker(QSharedPointer<FigureTicker>::create(
        [](double share) { return QStringLiteral("%1 %").arg(100 * share, 0, 'g', 3); }));
    xAxis->setSubTicks(false);
    yAxis->setSubTicks(false);
    installPlotExport(this, QStringLiteral("predictor_features"));
    style();
}

void GainPlot::setGains(std::vector<FeatureGain> gains) {
    m_gains = std::move(gains);
    QVector<double> places, shares;
    const auto names = QSharedPointer<QCPAxisTickerText>::create();
    double most = 0;
    for (std::size_t i = 0; i < m_gains.size(); ++i) {
        const auto place = static_cast<double>(m_gains.size() - i); // the greatest on top
        places << place;
        shares << m_gains[i].share;
        most = std::max(most, m_gains[i].share);
        names->addTick(place, QString::fromStdString(m_gains[i].feature));
    }
    m_bars->setData(places, shares);
    yAxis->setTicker(names);
    yAxis->setRange(0.3, static_cast<double>(std::max<std::size_t>(1, m_gains.size())) + 0.7);
    xAxis->setRange(0, most > 0 ? most * 1.05 : 1);
    replot(rpQueuedReplot);
}

QString GainPlot::tipAt(const QPoint& position) const {
    const double place = std::round(yAxis->pixelToCoord(position.y()));
    const auto count = static_cast<double>(m_gains.size());
    if (m_gains.empty() || place < 1 || place > count)
        return {};
    const FeatureGain& gain = m_gains[static_cast<std::size_t>(count - place)];
    const auto& all = draftFeatureList();
    const auto info = std::ranges::find(all, gain.feature, &FeatureInfo::name);
    return tr("%1: %2 % of the gain\n%3 (%4)")
        .arg(QString::fromStdString(gain.feature))
        .arg(100 * gain.share, 0, 'f', 1)
        .arg(info == all.end() ? QString() : QString::fromStdString(info->meaning),
             info == all.end() ? QString() : QString::fromStdString(info->unit));
}

bool GainPlot::event(QEvent* event) {
    return answerToolTip(event, this, [this](const QPoint& at) { return tipAt(at); }) || Plot::event(event);
}

void GainPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    Plot::changeEvent(event);
}

void GainPlot::style() {
    stylePlot(this);
    m_bars->setPen(Qt::NoPen);
    m_bars->setBrush(color(Role::Compute));
    replot(rpQueuedReplot);
}

} // namespace pim::views
