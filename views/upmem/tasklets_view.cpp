// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/tasklets_view.h"

#include "core/base/number_text.h"
#include "views/common/icons.h"
#include "views/common/plot_export.h"
#include "views/common/text.h"
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_levels.h"
#include "views/common/timeline_tools.h"
#include "views/upmem/share_bars.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QResizeEvent>
#include <QSplitter>
#include <QToolButton>

namespace pim::views {
namespace {

constexpr int kLeastBesides =
    620; ///< Pixels of the panel from which the bars stand beside the timeline, not below.

} // namespace

TaskletsView::TaskletsView(QWidget* parent)
    : OpPanel(QStringLiteral("TaskletsView"), tr("Tasklets"), QStringLiteral("bars"), parent),
      m_split(new QSplitter(Qt::Horizontal)), m_canvas(new TimelineCanvas), m_bars(new ShareBars),
      m_cycles(toolButton({}, tr("Times in cycles of the DPU"))) {
    m_canvas->setAccessibleName(tr("Timeline of the tasklets"));
    TimelineStyle style;
    style.cycle = tr("cycle");
    style.cycles = tr("cycles");
    m_canvas->setStyle(style);
    m_canvas->installMenu(m_canvas->exportSource());
    m_cycles->setText(tr("cycles"));
    m_cycles->setCheckable(true);
    connect(m_cycles, &QToolButton::toggled, m_canvas, &TimelineCanvas::setShowsCycles);
    m_cycles->setChecked(true);
    auto* fit = toolButton(QStringLiteral("zoom-fit"), tr("Show all (F)"));
    connect(fit, &QToolButton::clicked, m_canvas, &TimelineCanvas::fit);
    auto* keys = new KeysCard(m_canvas, tr("span"), tr("span"), tr("tasklets"));
    for (QToolButton* button : {m_cycles, fit, keys->newButton()})
        bar()->addWidget(button);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_canvas);
    m_split->addWidget(m_bars);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    m_split->setSizes({600, 400});
    body()->addWidget(m_split, 1);
    setFocusProxy(m_canvas);

    connect(m_canvas, &TimelineCanvas::currentSpanChanged, this, &TaskletsView::tell);
    connect(m_bars, &ShareBars::chosen, this, [this](int bar) { status()->setText(m_bars->describe(bar)); });
    setEmptyText(tr("No tasklets to show"), tr("Select an operator that runs on DPUs."));
    setShown(nullptr);
}

TaskletsView::TaskletsView(Workspace& workspace, QWidget* parent) : TaskletsView(parent) {
    joinOpRuns(this, workspace);
}

void TaskletsView::showRun(const OpShown* shown) {
    m_canvas->setCycleNs(shown ? shown->run->cycleNs : 0);
    m_canvas->setTimeline(shown ? shown->timeline : nullptr, shown ? shown->levels : nullptr);
    m_canvas->setShowsCycles(m_cycles->isChecked());
    m_bars->setRun(shown ? shown->run : nullptr);
    if (shown) {
        const upmem::OpOnDpu& run = *shown->run;
        QString line = headline(run);
        if (run.predictedCycles > 0)
            line += tr(" · <i>≈ %1 predicted</i>").arg(text(exactText(std::int64_t(run.predictedCycles))));
        title()->setText(line);
    }
    tell();
}

void TaskletsView::tell() {
    const auto span = m_canvas->currentSpan();
    status()->setText(span ? m_canvas->spanText(*span)
                           : tr("W S zoom · A D pan · F all · , . along a tasklet · ? all keys"));
}

void TaskletsView::resizeEvent(QResizeEvent* event) {
    m_split->setOrientation(width() >= kLeastBesides ? Qt::Horizontal : Qt::Vertical);
    OpPanel::resizeEvent(event);
}

} // namespace pim::views
