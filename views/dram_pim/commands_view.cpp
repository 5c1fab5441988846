// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dram_pim/commands_view.h"

#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_tools.h"
#include "views/dram_pim/command_picture.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pim::views {
namespace {

Figure meanFigure(double ticks) {
    return {ticks < 100 ? QString::number(ticks, 'f', 1) : text(exactText(std::int64_t(std::llround(ticks)))),
            ticks,
            {}};
}

constexpr std::array kBusRoles{Role::Compute, Role::Transfer, Role::MemoryIn};

} // namespace

CommandsView::CommandsView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("bars"))),
      m_page(new QWidget), m_canvas(new TimelineCanvas), m_splitter(new QSplitter(Qt::Horizontal)),
      m_ops(new QComboBox), m_title(new LineLabel), m_status(new LineLabel), m_areaTitle(new QLabel),
      m_tabs(new QTabWidget), m_counts(new TableView), m_waits(new TableView), m_modes(new TableView),
      m_banks(new TableView), m_buses(new Plot),
      m_inTicks(toolButton({}, tr("Times in ticks of the memory's clock"))),
      m_closeArea(toolButton(QStringLiteral("cancel"), tr("Figures of the whole run again (Esc)"))),
      m_note(new NoteLine(m_canvas)), m_laneFilter(newLaneFilter(m_canvas)) {
    setObjectName(QStringLiteral("CommandsView"));
    setAccessibleName(tr("Commands"));
    TimelineStyle style;
    style.marks = tr("refresh, switch");
    style.cycle = tr("tick");
    style.cycles = tr("ticks");
    style.showsShares = false;
    style.leastRow = 13;
    style.leastForLegend = 260; // the table beside it has the colours as well
    style.elide = Qt::ElideRight;
    m_canvas->setStyle(style);
    m_canvas->setShowsCycles(true);
    m_canvas->setAccessibleName(tr("Commands over time"));
    m_canvas->setSpanFacts([this](std::size_t span) { return facts(span); });

    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_canvas);
    m_splitter->addWidget(buildSide());
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({620, 380}); // shares of what there is
    layout->addWidget(m_splitter, 1);
    m_status->setContentsMargins(10, 2, 10, 3);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setAccessibleName(tr("Command the keys are on"));
    layout->addWidget(m_status);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);

    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* bar = new QWidget;
    buildBar(bar);
    outer->addWidget(bar);
    outer->addWidget(m_pages, 1);

    ExportSource source = m_canvas->exportSource();
    source.name = QStringLiteral("commands");
    source.csv = [this] { return m_picture ? text(commandTraceCsv(m_picture->trace())) : QString(); };
    m_canvas->installMenu(source);
    setFocusProxy(m_canvas);
    setTabOrder(m_canvas, m_laneFilter);
    m_canvas->setAllFolded(true);
    connect(m_canvas, &TimelineCanvas::flagClicked, this, &CommandsView::noteClicked);
    connect(m_canvas, &TimelineCanvas::areaChanged, this, &CommandsView::updateArea);
    connect(m_canvas, &TimelineCanvas::windowChanged, this, [this] {
        updateTitle();
        markWindow();
    });
    connect(m_canvas, &TimelineCanvas::currentSpanChanged, this, &CommandsView::showSpan);
    setEmptyText(tr("No commands to show"),
                 tr("Choose an operator that runs on PIM; its commands with their times appear here."));
    setPicture(nullptr);
}

CommandsView::~CommandsView() = default;

void CommandsView::buildBar(QWidget* into) {
    auto* bar = new QHBoxLayout(into);
    bar->setContentsMargins(8, 4, 6, 1);
    bar->setSpacing(4);
    m_ops->setAccessibleName(tr("Operator whose commands are shown"));
    m_ops->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_ops->setMinimumContentsLength(14);
    m_ops->setPlaceholderText(tr("Operator"));
    connect(m_ops, &QComboBox::activated, this,
            [this](int row) { emit opChosen(OpId(m_ops->itemData(row).toInt())); });
    bar->addWidget(m_ops);
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("Length of the run, device and controller"));
    bar->addWidget(m_title, 1);
    m_inTicks->setText(tr("ticks"));
    m_inTicks->setCheckable(true);
    m_inTicks->setChecked(true);
    connect(m_inTicks, &QToolButton::toggled, this, [this](bool on) {
        m_canvas->setShowsCycles(on);
        updateArea();
        showSpan();
    });
    auto* previous = toolButton(QStringLiteral("previous"), tr("Previous refresh or mode switch (Shift+N)"));
    auto* next = toolButton(QStringLiteral("next"), tr("Next refresh or mode switch (N)"));
    connect(previous, &QToolButton::clicked, m_canvas, [this] { m_canvas->goToSwitch(true); });
    connect(next, &QToolButton::clicked, m_canvas, [this] { m_canvas->goToSwitch(false); });
    auto* fit = toolButton(QStringLiteral("zoom-fit"), tr("Show all (F)"));
    connect(fit, &QToolButton::clicked, m_canvas, &TimelineCanvas::fit);
    auto* keys = new KeysCard(m_canvas, tr("refresh or switch"), tr("command"), tr("rows"));
    bar->addWidget(m_laneFilter);
    for (QToolButton* button : {m_inTicks, previous, next, fit, keys->newButton()})
        bar->addWidget(button);
}

void CommandsView::buildTables() {
    m_countsModel = new FiguresModel(
        {{tr("Command"), QStringLiteral("command"), false, {}},
         {tr("Count"), QStringLiteral("count"), true, {}},
         {tr("Bus taken"), QStringLiteral("bus_ticks"), true, tr("Ticks of its command bus")},
         {tr("Share"), QStringLiteral("bus_share"), true, tr("Of the time shown")}},
        this);
    m_waitsModel = new FiguresModel(
        {{tr("Waited for"), QStringLiteral("reason"), false,
          tr("Rule of the device: the command before, the command that waits, the timing")},
         {tr("Ticks"), QStringLiteral("ticks"), true, tr("In which nothing was issued")},
         {tr("Share"), QStringLiteral("share"), true, tr("Of the time shown")},
         {tr("Times"), QStringLiteral("count"), true, {}},
         {tr("Mean"), QStringLiteral("mean_ticks"), true, tr("Ticks of one wait")},
         {tr("p50"), QStringLiteral("p50_ticks"), true, tr("Half of the waits are no longer")},
         {tr("p95"), QStringLiteral("p95_ticks"), true, tr("95 % of the waits are no longer")}},
        this);
    m_modesModel = new FiguresModel(
        {{tr("Mode"), QStringLiteral("mode"), false, tr("What the channel is for, told from its commands")},
         {tr("Times"), QStringLiteral("count"), true, tr("Stretches in this mode")},
         {tr("Ticks"), QStringLiteral("ticks"), true, {}},
         {tr("Share"), QStringLiteral("share"), true, tr("Of the time shown")},
         {tr("Mean"), QStringLiteral("mean_ticks"), true, tr("Ticks of one stretch")},
         {tr("p50"), QStringLiteral("p50_ticks"), true, tr("Half of the stretches are no longer")},
         {tr("p95"), QStringLiteral("p95_ticks"), true, tr("95 % of the stretches are no longer")},
         {tr("Commands"), QStringLiteral("commands"), true, tr("Issued in it")}},
        this);
    m_banksModel = new FiguresModel(
        {{tr("Bank"), QStringLiteral("bank"), true, tr("Number in the channel")},
         {tr("Node"), QStringLiteral("node"), false, {}},
         {tr("Opened"), QStringLiteral("activations"), true, tr("Activations")},
         {tr("Hits"), QStringLiteral("hits"), true, tr("Accesses to a row an earlier access had been to")},
         {tr("Misses"), QStringLiteral("misses"), true,
          tr("First accesses after the bank was closed by a refresh or idle")},
         {tr("Conflicts"), QStringLiteral("conflicts"), true,
          tr("First accesses after another row was open")},
         {tr("Row open"), QStringLiteral("open_ticks"), true, tr("Ticks with a row open")},
         {tr("Share"), QStringLiteral("open_share"), true, tr("Of the run")}},
        this);
    m_sortedBanks = new QSortFilterProxyModel(this);
    m_sortedBanks->setSourceModel(m_banksModel);
    m_sortedBanks->setSortRole(Qt::EditRole);
    m_counts->setModel(m_countsModel);
    m_waits->setModel(m_waitsModel);
    m_modes->setModel(m_modesModel);
    m_modes->setAccessibleName(tr("Modes of the channel"));
    m_modes->setExportName(QStringLiteral("modes"));
    m_banks->setModel(m_sortedBanks);
    m_banks->setSortingEnabled(true);
    m_banks->sortByColumn(0, Qt::AscendingOrder);
    m_counts->setAccessibleName(tr("Commands by kind"));
    m_waits->setAccessibleName(tr("What was waited for"));
    m_banks->setAccessibleName(tr("Banks of the channel"));
    m_counts->setExportName(QStringLiteral("command_counts"));
    m_waits->setExportName(QStringLiteral("waits"));
    m_banks->setExportName(QStringLiteral("banks"));
    for (TableView* table : {m_counts, m_modes, m_waits, m_banks})
        table->setSelectionBehavior(QAbstractItemView::SelectRows);
}

QWidget* CommandsView::buildSide() {
    buildTables();
    m_buses->setAccessibleName(tr("Share of time the command and data buses are taken, over the run"));
    m_buses->setMinimumSize(120, 80);
    m_buses->yAxis->setRange(0, 100);
    m_buses->yAxis->setLabel(tr("taken, %"));
    for (const QString& name : {tr("column commands"), tr("row commands"), tr("data")}) {
        QCPGraph* graph = m_buses->addGraph();
        graph->setName(name);
        graph->setLineStyle(QCPGraph::lsStepLeft);
    }
    m_window = new QCPItemRect(m_buses);
    m_buses->legend->setVisible(true);
    m_buses->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    installPlotExport(m_buses, QStringLiteral("bus_use"));
    m_tabs->addTab(m_counts, tr("Commands"));
    m_tabs->addTab(m_modes, tr("Modes"));
    m_tabs->addTab(m_waits, tr("Waits"));
    m_tabs->addTab(m_banks, tr("Banks"));
    m_tabs->addTab(m_buses, tr("Buses"));
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Figures of the commands"));
    m_tabs->tabBar()->setAccessibleName(tr("Figures of the commands"));

    m_areaTitle->setTextFormat(Qt::RichText);
    m_areaTitle->setWordWrap(true);
    m_areaTitle->setAccessibleName(tr("What the figures are of"));
    connect(m_closeArea, &QToolButton::clicked, m_canvas, [this] { m_canvas->setArea({}); });
    auto* side = new QWidget;
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(6, 4, 6, 2);
    auto* head = new QHBoxLayout;
    head->addWidget(m_areaTitle, 1);
    head->addWidget(m_closeArea, 0, Qt::AlignTop);
    layout->addLayout(head);
    layout->addWidget(m_note);
    layout->addWidget(m_tabs, 1);
    return side;
}

void CommandsView::setOps(const std::vector<std::pair<OpId, QString>>& ops) {
    const QSignalBlocker quiet(m_ops);
    const QVariant chosen = m_ops->currentData();
    m_ops->clear();
    for (const auto& [op, name] : ops)
        m_ops->addItem(name, op.value);
    m_ops->setCurrentIndex(m_ops->findData(chosen));
    m_ops->setEnabled(!ops.empty());
}

void CommandsView::setSelectedOp(OpId op) {
    m_ops->setCurrentIndex(op.valid() ? m_ops->findData(op.value) : -1);
}

void CommandsView::setPicture(std::shared_ptr<const CommandPicture> picture, const QString& channels) {
    m_picture = std::move(picture);
    m_channels = channels;
    m_isStale = false;
    const bool any = m_picture && !m_picture->trace().commands.empty();
    m_canvas->setCycleNs(any ? m_picture->nsOf(1) : 0);
    // The timeline lives as long as the picture it is a part of.
    if (any)
        m_canvas->setTimeline({m_picture, &m_picture->timeline()}, m_picture->levels());
    else
        m_canvas->setTimeline(nullptr);
    m_pages->setCurrentWidget(any ? m_page : static_cast<QWidget*>(m_empty));
    for (QToolButton* button : findChildren<QToolButton*>())
        if (button->parentWidget() == m_inTicks->parentWidget())
            button->setEnabled(any);
    updateTitle();
    updateArea();
    fillBanks();
    fillBuses();
    showSpan();
    emit pictureChanged();
    showWantedStretch();
}

QString CommandsView::opName() const {
    return m_picture ? text(m_picture->trace().op) : QString();
}

void CommandsView::showStretch(const QString& op, double fromNs, double toNs) {
    m_wantedStretch = Stretch{op, fromNs, toNs};
    showWantedStretch();
}

void CommandsView::showWantedStretch() {
    if (!m_wantedStretch || m_wantedStretch->op != opName() || !m_canvas->timeline())
        return;
    const Stretch wanted = *std::exchange(m_wantedStretch, std::nullopt);
    const double margin = (wanted.toNs - wanted.fromNs) * 0.25;
    m_canvas->setWindow(wanted.fromNs - margin, wanted.toNs + margin);
    m_canvas->setArea(
        TimelineArea{wanted.fromNs, wanted.toNs, -1, static_cast<int>(m_canvas->timeline()->tracks.size())});
}

void CommandsView::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
}

void CommandsView::setStale(bool stale) {
    m_isStale = stale;
    updateTitle();
}

void CommandsView::setSeen(bool seen) {
    emit seenChanged(seen);
}

void CommandsView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        updateArea(); // swatches
        fillBuses();
    }
    QWidget::changeEvent(event);
}

QString CommandsView::ticksText(std::int64_t ticks) const {
    return tr("%1 ticks (%2)").arg(text(exactText(ticks)), text(timeText(m_picture->nsOf(ticks))));
}

void CommandsView::updateTitle() {
    if (!m_picture || !m_canvas->timeline()) {
        m_title->clear();
        m_title->setToolTip({});
        return;
    }
    const CommandTrace& trace = m_picture->trace();
    const SequenceTiming& timing = trace.timing;
    QStringList parts{QStringLiteral("<b>%1</b>").arg(ticksText(timing.ticks)),
                      tr("%1 on %2").arg(text(trace.controller), text(trace.device.name)).toHtmlEscaped()};
    if (!m_channels.isEmpty())
        parts << m_channels;
    if (trace.truncated)
        parts << tr("first %1 commands only").arg(text(exactText(std::int64_t(trace.commands.size()))));
    else
        parts << tr("%1 commands").arg(text(exactText(std::int64_t(trace.commands.size()))));
    if (timing.refreshTicks > 0)
        parts << tr("refresh %1").arg(text(percentText(double(timing.refreshTicks) / double(timing.ticks))));
    if (m_canvas->toNs() - m_canvas->fromNs() < m_canvas->timeline()->endNs * 0.9999)
        parts << tr("shown: %1 from %2")
                     .arg(m_canvas->timeLabel(m_canvas->toNs() - m_canvas->fromNs()),
                          m_canvas->timeLabel(m_canvas->fromNs()));
    if (m_isStale)
        parts.prepend(QStringLiteral("<i>%1</i>").arg(tr("out of date")));
    m_title->setText(parts.join(QStringLiteral(" · ")));
    QString phases;
    for (const SequencePhase& phase : timing.phases)
        phases += QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>")
                      .arg(coreWord(phase.name).toHtmlEscaped(), ticksText(phase.end - phase.begin));
    m_title->setToolTip(m_title->text() + QStringLiteral("<table>%1</table>").arg(phases));
}

void CommandsView::updateArea() {
    m_closeArea->setVisible(m_canvas->area().has_value());
    m_note->setVisible(m_canvas->area().has_value());
    if (!m_picture || !m_canvas->timeline()) {
        m_countsModel->setRows({});
        m_waitsModel->setRows({});
        m_modesModel->setRows({});
        return;
    }
    const auto& area = m_canvas->area();
    const double endNs = m_canvas->timeline()->endNs;
    const DramTick from = area ? m_picture->tickOf(area->fromNs) : 0;
    const DramTick to = std::max(from + 1, m_picture->tickOf(area ? area->toNs : endNs));
    const CommandSummary summary = summarizeCommands(*m_picture, from, to);
    const CommandTrace& trace = m_picture->trace();
    const double ticks = double(to - from);
    DramTick waited = 0;
    std::vector<std::vector<Figure>> counts, waits, modes;
    for (const CommandSummary::Count& row : summary.commands)
        counts.push_back({{text(trace.device.commands[std::size_t(row.command)].name),
                           {},
                           m_canvas->kindColor(std::size_t(row.command))},
                          countFigure(row.count),
                          countFigure(row.ticks),
                          shareFigure(double(row.ticks) / ticks)});
    for (const CommandSummary::Wait& row : summary.waits) {
        waited += row.stretches.ticks;
        waits.push_back({{text(trace.timing.reasons[std::size_t(row.reason)]),
                          {},
                          m_canvas->kindColor(std::size_t(m_picture->kindOfReason(row.reason)))},
                         countFigure(row.stretches.ticks),
                         shareFigure(double(row.stretches.ticks) / ticks),
                         countFigure(row.stretches.count),
                         meanFigure(row.stretches.mean()),
                         countFigure(row.stretches.median),
                         countFigure(row.stretches.p95)});
    }
    for (const CommandSummary::Mode& row : summary.modes) {
        const auto kind = std::size_t(m_picture->kindOfMode(row.mode));
        modes.push_back({{coreWord(m_picture->timeline().kinds[kind].name), {}, m_canvas->kindColor(kind)},
                         countFigure(row.stretches.count),
                         countFigure(row.stretches.ticks),
                         shareFigure(double(row.stretches.ticks) / ticks),
                         meanFigure(row.stretches.mean()),
                         countFigure(row.stretches.median),
                         countFigure(row.stretches.p95),
                         countFigure(row.commands)});
    }
    m_countsModel->setRows(std::move(counts));
    m_waitsModel->setRows(std::move(waits));
    m_modesModel->setRows(std::move(modes));
    m_modes->fitColumns(200);
    m_counts->fitColumns(220);
    m_waits->fitColumns(260);
    const auto percent = [](double share) { return text(percentText(share)); };
    m_areaTitle->setText(
        (area ? tr("<b>%1</b> from %2")
                    .arg(m_canvas->timeLabel(area->toNs - area->fromNs), m_canvas->timeLabel(area->fromNs))
              : tr("<b>Whole run</b>")) +
        tr(" · %1 commands · waiting %2<br>Taken: column bus %3 · row bus %4 · data bus %5")
            .arg(text(exactText(summary.issued)), percent(double(waited) / ticks), percent(summary.columnBus),
                 percent(summary.rowBus), percent(summary.dataBus)));
}

void CommandsView::fillBanks() {
    std::vector<std::vector<Figure>> rows;
    if (m_picture) {
        const double ticks = double(std::max<DramTick>(1, m_picture->trace().timing.ticks));
        for (std::size_t bank = 0; bank < m_picture->banks().size(); ++bank) {
            const BankUse& use = m_picture->banks()[bank];
            rows.push_back({countFigure(qint64(bank)),
                            {text(m_picture->nodeText(int(bank))), {}, {}},
                            countFigure(use.activations),
                            countFigure(use.hits),
                            countFigure(use.misses),
                            countFigure(use.conflicts),
                            countFigure(use.open),
                            shareFigure(double(use.open) / ticks)});
        }
    }
    m_banksModel->setRows(std::move(rows));
    m_banks->fitColumns(160);
}

void CommandsView::fillBuses() {
    stylePlot(m_buses);
    QColor veil = color(Role::Selection);
    veil.setAlpha(36);
    m_window->setBrush(veil);
    m_window->setPen(QPen(color(Role::Selection), 1));
    const bool any = m_picture && m_canvas->timeline();
    const BusUse none;
    const BusUse& use = any ? m_picture->buses() : none;
    const std::array<const std::vector<double>*, 3> shares{&use.column, &use.row, &use.data};
    // One unit for the axis, chosen by the length of the run.
    const double end = any ? m_picture->nsOf(m_picture->trace().timing.ticks) : 1;
    const double unit = end >= 1e6 ? 1e6 : end >= 1e3 ? 1e3 : 1;
    m_buses->xAxis->setLabel(unit == 1 ? tr("time, ns") : unit == 1e3 ? tr("time, µs") : tr("time, ms"));
    for (std::size_t bus = 0; bus < shares.size(); ++bus) {
        QVector<double> x, y;
        for (std::size_t slice = 0; slice < shares[bus]->size(); ++slice) {
            x.append(double(slice) * end / double(shares[bus]->size()) / unit);
            y.append(100 * (*shares[bus])[slice]);
        }
        QCPGraph* graph = m_buses->graph(int(bus));
        graph->setData(x, y, true);
        graph->setPen(QPen(color(kBusRoles[bus]), 1.4));
    }
    m_buses->xAxis->setRange(0, end / unit);
    m_buses->setProperty("unit", unit);
    markWindow();
}

void CommandsView::markWindow() {
    const double unit = std::max(1.0, m_buses->property("unit").toDouble());
    const bool isPart =
        m_canvas->timeline() && m_canvas->toNs() - m_canvas->fromNs() < m_canvas->timeline()->endNs * 0.9999;
    m_window->setVisible(isPart);
    m_window->topLeft->setCoords(m_canvas->fromNs() / unit, 100);
    m_window->bottomRight->setCoords(m_canvas->toNs() / unit, 0);
    m_buses->replot(QCustomPlot::rpQueuedReplot);
}

void CommandsView::showSpan() {
    const auto span = m_canvas->currentSpan();
    m_status->setText(
        span ? m_canvas->spanText(*span)
             : tr("W S zoom · A D pan · F all · , . along a row · E banks · Shift+drag: figures of "
                  "an area · ? all keys"));
    m_status->setToolTip(span ? m_status->text() : QString());
}

std::vector<std::pair<QString, QString>> CommandsView::facts(std::size_t span) const {
    std::vector<std::pair<QString, QString>> made;
    const auto found = m_picture->commandOf(span);
    const CommandPicture::Span what = m_picture->what(span);
    if (what == CommandPicture::Span::OpenRow)
        made.emplace_back(tr("open"),
                          text(m_picture->timeline().labels[m_picture->timeline().spans[span].label]));
    if (!found)
        return made;
    const CommandTrace& trace = m_picture->trace();
    const SequencedCommand& command = trace.commands[*found];
    const QString name = text(trace.device.commands[std::size_t(command.command)].name);
    made.emplace_back(what == CommandPicture::Span::Command ? tr("addresses") : tr("by"),
                      (what == CommandPicture::Span::Command ? QString() : name + QStringLiteral(" ")) +
                          text(m_picture->banksText(command)));
    if (command.row >= 0 && what != CommandPicture::Span::OpenRow)
        made.emplace_back(tr("row"), QString::number(command.row));
    if (command.column >= 0)
        made.emplace_back(tr("column"), QString::number(command.column));
    made.emplace_back(tr("at"), ticksText(command.tick));
    if (command.reason >= 0)
        made.emplace_back(tr("waited"),
                          tr("%1: %2").arg(ticksText(command.waited),
                                           text(trace.timing.reasons[std::size_t(command.reason)])));
    if (std::size_t(command.phase) < trace.timing.phases.size())
        made.emplace_back(tr("phase"), coreWord(trace.timing.phases[std::size_t(command.phase)].name));
    return made;
}

} // namespace pim::views
