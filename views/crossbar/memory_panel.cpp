// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/crossbar/memory_panel.h"

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

QString bytes(double value) {
    return withoutTrailingZeros(QString::fromStdString(bytesText(value)));
}
QSharedPointer<QCPAxisTicker> byteTicks() {
    return QSharedPointer<FigureTicker>::create(bytes, 2);
}

} // namespace

MemoryPanel::MemoryPanel(QWidget* parent)
    : QWidget(parent), m_peaks(new Plot), m_overTime(new Plot), m_title(new LineLabel) {
    m_peaks->setAccessibleName(tr("Peak local memory of each core"));
    m_overTime->setAccessibleName(tr("Local memory of a core in use over time"));
    m_title->setAccessibleName(tr("Core whose memory is shown"));
    m_title->setTextFormat(Qt::RichText);
    m_title->setContentsMargins(12, 2, 8, 0);
    m_peaks->setToolTip(tr("Click a core to see its memory over time"));
    installPlotExport(m_peaks, QStringLiteral("local-memory"));
    installPlotExport(m_overTime, QStringLiteral("memory-over-time"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_peaks, 2);
    layout->addWidget(m_title);
    layout->addWidget(m_overTime, 3);
    connect(m_peaks, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        const int core = int(std::lround(m_peaks->xAxis->pixelToCoord(event->position().x())));
        if (m_facts && event->button() == Qt::LeftButton && core >= 0 && core < int(m_facts->cores.size()))
            emit coreChosen(core);
    });
}

void MemoryPanel::setFacts(std::shared_ptr<const ChipFacts> facts) {
    m_facts = std::move(facts);
    m_occupancy.reset();
    m_asked = false;
    if (m_facts && m_core >= int(m_facts->cores.size()))
        m_core = -1;
    fillPeaks();
    fillOverTime();
    if (isVisible())
        askOnce();
}

void MemoryPanel::setOccupancy(std::shared_ptr<const MemoryOccupancy> occupancy) {
    m_occupancy = std::move(occupancy);
    fillOverTime();
}

void MemoryPanel::setCore(int core) {
    if (core == m_core)
        return;
    m_core = core;
    fillPeaks();
    fillOverTime();
}

int MemoryPanel::core() const {
    if (!m_facts || m_facts->cores.empty())
        return -1;
    if (m_core >= 0)
        return m_core;
    const auto most = std::ranges::max_element(m_facts->cores, {}, &ChipCore::memoryBytes);
    return int(most - m_facts->cores.begin());
}

void MemoryPanel::askOnce() {
    if (!m_facts || std::exchange(m_asked, true))
        return;
    emit occupancyWanted();
}

void MemoryPanel::fillPeaks() {
    m_peaks->clearPlottables();
    if (m_facts) {
        const int chosen = core();
        const auto addBars = [this](const QVector<double>& at, const QVector<double>& most, Role role,
                                    const QString& name) {
            auto* bars = new QCPBars(m_peaks->xAxis, m_peaks->yAxis);
            bars->setName(name);
            bars->setData(at, most, true);
            bars->setWidth(0.9);
            bars->setPen(Qt::NoPen);
            bars->setBrush(color(role));
        };
        QVector<double> cores, most;
        for (int i = 0; i < int(m_facts->cores.size()); ++i)
            if (i != chosen) {
                cores << i;
                most << m_facts->cores[std::size_t(i)].memoryBytes;
            }
        addBars(cores, most, Role::MemoryIn, tr("highest address"));
        if (chosen >= 0)
            addBars({double(chosen)}, {m_facts->cores[std::size_t(chosen)].memoryBytes}, Role::Accent,
                    tr("highest address, shown core"));
        m_peaks->xAxis->setLabel(tr("core"));
        m_peaks->yAxis->setLabel(tr("highest address"));
        m_peaks->yAxis->setTicker(byteTicks());
        m_peaks->xAxis->setRange(-0.5, double(m_facts->cores.size()) - 0.5);
        m_peaks->yAxis->rescale();
        m_peaks->yAxis->setRangeLower(0);
    }
    stylePlot(m_peaks);
    m_peaks->replot(QCustomPlot::rpQueuedReplot);
}

void MemoryPanel::fillOverTime() {
    m_overTime->clearPlottables();
    const int shown = core();
    if (!m_occupancy || shown < 0 || std::size_t(shown) >= m_occupancy->cores.size()) {
        m_title->setText(m_facts ? tr("Computing memory over time…") : QString());
    } else {
        const CoreOccupancy& of = m_occupancy->cores[std::size_t(shown)];
        const double capacity = double(m_occupancy->capacityBytes);
        QVector<double> ns, most;
        for (std::size_t step = 0; step < of.mostBytes.size(); ++step) {
            ns << double(step) * m_occupancy->stepNs;
            most << double(of.mostBytes[step]);
        }
        const double end = std::max(1.0, double(m_occupancy->stepNs) * double(of.mostBytes.size()));
        QCPGraph* graph = m_overTime->addGraph();
        graph->setName(tr("in use"));
        if (!ns.isEmpty()) {
            ns << end;
            most << most.back();
        }
        graph->setData(ns, most, true);
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(QPen(color(Role::MemoryIn), 1.5));
        QColor under = color(Role::MemoryIn);
        under.setAlphaF(0.25F);
        graph->setBrush(under);
        QCPGraph* limit = m_overTime->addGraph();
        limit->setName(tr("capacity"));
        limit->setData({0, end}, {capacity, capacity}, true);
        limit->setPen(QPen(color(Role::Bad), 1.5, Qt::DashLine));
        m_overTime->xAxis->setLabel(tr("time"));
        m_overTime->xAxis->setTicker(QSharedPointer<FigureTicker>::create(
            [](double value) { return withoutTrailingZeros(QString::fromStdString(timeText(value))); }));
        m_overTime->yAxis->setLabel(tr("in use"));
        m_overTime->yAxis->setTicker(byteTicks());
        m_overTime->xAxis->setRange(0, end);
        // Where there is far more room than is used, the capacity is left to the title.
        constexpr double kWorthShowing = 0.2;
        const double peak = std::max(1.0, double(of.peakBytes));
        m_overTime->yAxis->setRange(
            0, 1.05 * (peak < kWorthShowing * capacity ? peak : std::max(capacity, peak)));
        m_title->setText(of.mostBytes.empty()
                             ? tr("<b>Core %1</b> has no instructions").arg(shown)
                             : tr("<b>Core %1</b>: %2 at once, %3 with gaps, of %4")
                                   .arg(shown)
                                   .arg(bytes(double(of.peakBytes)),
                                        bytes(m_facts->cores[std::size_t(shown)].memoryBytes),
                                        bytes(capacity)));
    }
    stylePlot(m_overTime);
    m_overTime->replot(QCustomPlot::rpQueuedReplot);
}

void MemoryPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    askOnce();
}

void MemoryPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && m_facts) {
        fillPeaks();
        fillOverTime();
    }
    QWidget::changeEvent(event);
}

} // namespace pim::views
