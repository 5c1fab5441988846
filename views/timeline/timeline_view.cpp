// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_view.h"

#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/empty_state.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/plot_export.h"
#include "views/common/table_view.h"
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_levels.h"
#include "views/common/timeline_tools.h"
#include "views/timeline/area_model.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>

namespace pim::views {
TimelineView::TimelineView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("bars"))),
      m_page(new QWidget), m_canvas(new TimelineCanvas), m_splitter(new QSplitter(Qt::Horizontal)),
      m_title(new LineLabel), m_status(new LineLabel), m_areaPanel(new QWidget), m_areaTitle(new QLabel),
      m_kinds(new TableView), m_ops(new TableView), m_kindsModel(new AreaModel(AreaModel::Rows::Kinds, this)),
      m_opsModel(new AreaModel(AreaModel::Rows::Ops, this)),
      m_cycles(toolButton({}, tr("Times in cycles of the chip"))),
      m_path(
          toolButton({}, tr("Critical path: the chain of work that reaches from the beginning of the run to "
                            "its end without a pause (C); [ and ] go along it"))),
      m_previous(toolButton(QStringLiteral("previous"), tr("Previous switch (Shift+N)"))),
      m_next(toolButton(QStringLiteral("next"), tr("Next switch (N)"))), m_note(new NoteLine(m_canvas)),
      m_limit(new QPushButton(tr("Limit Views to These Ops"))), m_laneFilter(newLaneFilter(m_canvas)) {
    setObjectName(QStringLiteral("TimelineView"));
    setAccessibleName(tr("Timeline"));
    m_empty->setText(tr("Nothing simulated yet"),
                     tr("Run a simulation; what every unit did when appears here."));
    connect(m_empty, &EmptyState::actionTriggered, this, &TimelineView::emptyActionTriggered);

    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* bar = new QWidget;
    buildBar(bar);
    layout->addWidget(bar);

    buildArea();
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_canvas);
    m_splitter->addWidget(m_areaPanel);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    layout->addWidget(m_splitter, 1);

    m_status->setContentsMargins(10, 2, 10, 3);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setAccessibleName(tr("Span the keys are on"));
    layout->addWidget(m_status);

    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    m_canvas->installMenu(m_canvas->exportSource());
    setFocusProxy(m_canvas);
    setTabOrder(m_canvas, m_laneFilter);

    connect(m_canvas, &TimelineCanvas::opClicked, this, &TimelineView::opClicked);
    connect(m_canvas, &TimelineCanvas::flagClicked, this, &TimelineView::noteClicked);
    connect(m_canvas, &TimelineCanvas::areaChanged, this, &TimelineView::updateArea);
    connect(m_canvas, &TimelineCanvas::lanesChanged, this, [this] {
        if (m_canvas->area()) // which lanes lie between its edges has changed
            m_canvas->setArea(m_canvas->area());
    });
    connect(m_canvas, &TimelineCanvas::windowChanged, this, &TimelineView::updateTitle);
    connect(m_canvas, &TimelineCanvas::currentSpanChanged, this, [this] {
        const auto span = m_canvas->currentSpan();
        m_status->setText(
            span ? m_canvas->spanText(*span)
                 : tr("W S zoom · A D pan · F all · , . along a track · Shift+drag: figures of an area "
                      "· ? all keys"));
        m_status->setToolTip(span ? m_status->text() : QString());
    });
    const auto chooseOp = [this](const QModelIndex& row) {
        if (!row.isValid())
            return;
        const int op = m_opsModel->row(row.row()).op;
        m_canvas->setSelectedOp(op);
        emit opClicked(op);
    };
    connect(m_ops, &QAbstractItemView::clicked, this, chooseOp);
    connect(m_ops, &QAbstractItemView::activated, this, chooseOp);
    setTimeline(nullptr);
}

void TimelineView::buildArea() {
    auto* areaLayout = new QVBoxLayout(m_areaPanel);
    areaLayout->setContentsMargins(6, 4, 6, 4);
    m_areaTitle->setTextFormat(Qt::RichText);
    m_areaTitle->setWordWrap(true);
    m_areaTitle->setAccessibleName(tr("Chosen area"));
    m_kinds->setModel(m_kindsModel);
    m_ops->setModel(m_opsModel);
    m_kinds->setAccessibleName(tr("Time of each kind in the area"));
    m_ops->setAccessibleName(tr("Ops in the area, busiest first"));
    m_kinds->setExportName(QStringLiteral("area_kinds"));
    m_ops->setExportName(QStringLiteral("area_ops"));
    for (TableView* table : {m_kinds, m_ops}) {
        table->setSelectionBehavior(QAbstractItemView::SelectRows);
        table->verticalHeader()->hide();
    }
    auto* close = toolButton(QStringLiteral("cancel"), tr("Close the area (Esc)"));
    connect(close, &QToolButton::clicked, m_canvas, [this] { m_canvas->setArea({}); });
    auto* head = new QHBoxLayout;
    head->addWidget(m_areaTitle, 1);
    head->addWidget(close, 0, Qt::AlignTop);
    areaLayout->addLayout(head);
    areaLayout->addWidget(m_note);
    areaLayout->addWidget(m_kinds, 1);
    areaLayout->addWidget(m_ops, 1);
    m_limit->setToolTip(
        tr("Other views show only the ops of this area; the chip above the panels takes it back"));
    m_limit->setAccessibleName(tr("Limit the views to the ops of this area"));
    connect(m_limit, &QPushButton::clicked, this, &TimelineView::limitRequested);
    areaLayout->addWidget(m_limit);
    m_areaPanel->hide();
}

void TimelineView::buildBar(QWidget* into) {
    auto* bar = new QHBoxLayout(into);
    bar->setContentsMargins(12, 5, 6, 1);
    bar->setSpacing(4);
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("Length of the run"));
    bar->addWidget(m_title, 1);
    m_cycles->setText(tr("cycles"));
    m_cycles->setCheckable(true);
    connect(m_cycles, &QToolButton::toggled, this, [this](bool on) {
        m_canvas->setShowsCycles(on);
        updateArea();
    });
    m_path->setText(tr("critical path"));
    m_path->setCheckable(true);
    connect(m_canvas, &TimelineCanvas::pathRequested, m_path, &QToolButton::toggle);
    connect(m_previous, &QToolButton::clicked, m_canvas, [this] { m_canvas->goToSwitch(true); });
    connect(m_next, &QToolButton::clicked, m_canvas, [this] { m_canvas->goToSwitch(false); });
    auto* fit = toolButton(QStringLiteral("zoom-fit"), tr("Show all (F)"));
    connect(fit, &QToolButton::clicked, m_canvas, &TimelineCanvas::fit);
    auto* keys = new KeysCard(m_canvas, tr("switch"), tr("span"), tr("tracks"), true);
    bar->addWidget(m_laneFilter);
    for (QToolButton* button : {m_path, m_cycles, m_previous, m_next, fit, keys->newButton()})
        bar->addWidget(button);
}

void TimelineView::setTimeline(std::shared_ptr<const Timeline> timeline, double cycleNs,
                               std::shared_ptr<const TimelineLevels> levels) {
    const bool any = timeline && !timeline->spans.empty() && timeline->endNs > 0;
    m_canvas->setCycleNs(cycleNs);
    m_cycles->setVisible(m_canvas->cycleNs() > 0);
    m_limits.reset(); // of the one before
    m_canvas->setTimeline(any ? std::move(timeline) : nullptr, any ? std::move(levels) : nullptr);
    m_pages->setCurrentWidget(any ? m_page : static_cast<QWidget*>(m_empty));
    bool switches = false;
    if (any)
        for (const SpanKind& kind : m_canvas->timeline()->kinds)
            switches = switches || kind.role == SpanRole::Switching;
    m_previous->setVisible(switches);
    m_next->setVisible(switches);
    updateTitle();
    updateArea();
}

void TimelineView::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
}

void TimelineView::setEmptyAction(const QString& action) {
    m_empty->setAction(action);
}

void TimelineView::setStale(bool stale) {
    m_isStale = stale;
    updateTitle();
}

void TimelineView::setPath(std::shared_ptr<const Limits> limits, std::shared_ptr<const TimelinePart> part) {
    m_limits = std::move(limits);
    if (m_limits)
        m_canvas->setPath({m_limits, &m_limits->path}, std::move(part));
    else
        m_canvas->setPath(nullptr, nullptr);
    updateTitle();
}

void TimelineView::setSelectedOp(OpId op) {
    m_canvas->setSelectedOp(op.valid() ? op.value : -1);
}

void TimelineView::showStretch(double fromNs, double toNs) {
    if (!m_canvas->timeline())
        return;
    const double margin = std::max((toNs - fromNs) * 0.25, 1e-3);
    m_canvas->setWindow(fromNs - margin, toNs + margin);
    m_canvas->setArea(TimelineArea{fromNs, toNs, -1, static_cast<int>(m_canvas->timeline()->tracks.size())});
}

std::vector<int> TimelineView::areaOps() const {
    std::vector<int> ops;
    for (int row = 0; m_canvas->area() && row < m_opsModel->rowCount(); ++row)
        if (const int op = m_opsModel->row(row).op; op >= 0)
            ops.push_back(op);
    std::sort(ops.begin(), ops.end());
    ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
    return ops;
}

QString TimelineView::areaText() const {
    const auto& area = m_canvas->area();
    return area ? tr("%1 … %2").arg(m_canvas->timeLabel(area->fromNs), m_canvas->timeLabel(area->toNs))
                : QString();
}

void TimelineView::updateTitle() {
    const Timeline* line = m_canvas->timeline();
    if (!line) {
        m_title->clear();
        return;
    }
    const QString end = m_canvas->timeLabel(line->endNs);
    QString shown =
        tr("<b>%1</b> simulated · %2 tracks · %3 spans")
            .arg(line->runNs > line->endNs
                     ? tr("The first %1 of %2").arg(end, m_canvas->timeLabel(line->runNs))
                     : end,
                 QString::fromStdString(exactText(static_cast<std::int64_t>(line->tracks.size()))),
                 QString::fromStdString(exactText(static_cast<std::int64_t>(line->spans.size()))));
    if (!line->bands.empty())
        shown += QStringLiteral(" · %1 %2")
                     .arg(QString::fromStdString(exactText(static_cast<std::int64_t>(line->bands.size()))),
                          coreWord(line->bandWord + (line->bands.size() == 1 ? "" : "s")));
    if (m_limits) {
        QStringList shares;
        for (const ResourceUse& use : m_limits->resources)
            if (use.pathPs > 0)
                shares << QStringLiteral("%1 %2").arg(
                    QString::fromStdString(use.name).toHtmlEscaped(),
                    QString::fromStdString(percentText(double(use.pathPs) / double(m_limits->totalPs))));
        shown += tr(" · critical path: %1").arg(shares.join(QStringLiteral(", ")));
    }
    if (m_canvas->toNs() - m_canvas->fromNs() < line->endNs * 0.9999)
        shown += tr(" · shown: %1 from %2")
                     .arg(m_canvas->timeLabel(m_canvas->toNs() - m_canvas->fromNs()),
                          m_canvas->timeLabel(m_canvas->fromNs()));
    if (m_isStale)
        shown = QStringLiteral("<i>%1</i> · ").arg(tr("of an older plan")) + shown;
    m_title->setText(shown);
}

void TimelineView::updateArea() {
    const auto& area = m_canvas->area();
    if (!area || !m_canvas->timeline()) {
        m_areaPanel->hide();
        return;
    }
    const Timeline& line = *m_canvas->timeline();
    AreaSummary summary = summarize(line, area->fromNs, area->toNs, m_canvas->areaTracks());
    updateAreaTitle(summary);
    std::vector<QColor> colors;
    for (std::size_t kind = 0; kind < line.kinds.size(); ++kind)
        colors.push_back(m_canvas->kindColor(kind));
    m_kindsModel->setRows(std::move(summary.kinds), colors);
    m_opsModel->setRows(std::move(summary.ops), colors);
    m_limit->setEnabled(!areaOps().empty());
    m_kinds->fitColumns(180);
    m_ops->fitColumns(180);
    // No empty rows below the last kind: the ops get the room.
    m_kinds->setMaximumHeight(m_kinds->horizontalHeader()->sizeHint().height() +
                              m_kinds->verticalHeader()->length() + 2 * m_kinds->frameWidth() +
                              m_kinds->horizontalScrollBar()->sizeHint().height());
    if (m_areaPanel->isHidden()) {
        m_areaPanel->show();
        // As wide as the tables, within reason.
        const int wanted =
            std::max(m_kinds->horizontalHeader()->length(), m_ops->horizontalHeader()->length()) + 20;
        const int wide = std::clamp(wanted, m_splitter->width() * 2 / 5, m_splitter->width() / 2);
        m_splitter->setSizes({m_splitter->width() - wide, wide});
    }
}

void TimelineView::updateAreaTitle(const AreaSummary& summary) {
    const Timeline& line = *m_canvas->timeline();
    const auto& area = m_canvas->area();
    const double all = (area->toNs - area->fromNs) * summary.tracks;
    const QString tracks =
        summary.tracks == 1
            ? QString::fromStdString(line.tracks[static_cast<std::size_t>(area->firstTrack)].name)
            : tr("%1 tracks").arg(QString::fromStdString(exactText(summary.tracks)));
    QString title = tr("<b>%1</b> from %2 · %3 · busy %4")
                        .arg(m_canvas->timeLabel(area->toNs - area->fromNs),
                             m_canvas->timeLabel(area->fromNs), tracks.toHtmlEscaped(),
                             QString::fromStdString(percentText(all > 0 ? summary.busyNs / all : 0)));
    if (!summary.ops.empty())
        title += tr("<br>Busiest: <b>%1</b>, %2 of the busy time")
                     .arg(QString::fromStdString(summary.ops.front().name).toHtmlEscaped(),
                          QString::fromStdString(percentText(summary.ops.front().share)));
    m_areaTitle->setText(title);
}

} // namespace pim::views
