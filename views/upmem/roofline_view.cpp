// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/roofline_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot_ticks.h"
#include "views/common/roofline_plot.h"
#include "views/common/table_view.h"
#include "views/common/text.h"

#include <QEvent>
#include <QHeaderView>
#include <QScopeGuard>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pim::views {
namespace {

constexpr int kOpsWidth = 470;     ///< All columns are seen.
constexpr int kLeastForOps = 1000; ///< Pixels of the panel from which the table stands beside the plot.

/// Four significant digits, as of all figures without a prefix of their own.
QString figure(double value) {
    return QString::number(value, 'g', 4);
}

} // namespace

RooflineView::RooflineView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("bars"))),
      m_page(new QWidget), m_split(new QSplitter(Qt::Horizontal)), m_title(new LineLabel),
      m_status(new LineLabel), m_plot(new RooflinePlot(QStringLiteral("dpu_roofline"))),
      m_table(new TableView) {
    setObjectName(QStringLiteral("RooflineView"));
    setAccessibleName(tr("Roofline of a DPU"));
    setProperty("helpTopic", QStringLiteral("upmem#panels"));
    buildPlot();
    buildTable();
    m_title->setTextFormat(Qt::RichText);
    m_title->setContentsMargins(12, 5, 8, 2);
    m_title->setAccessibleName(tr("Op whose ceilings are drawn"));
    m_status->setContentsMargins(10, 2, 10, 3);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setAccessibleName(tr("Chosen op"));
    m_status->setText(
        tr("Click a dot to select its operator · Left and Right go along · drag and wheel move and zoom, "
           "double click shows all"));
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_plot);
    m_split->addWidget(m_table);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 0);
    m_split->setSizes({900, kOpsWidth});
    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_title);
    layout->addWidget(m_split, 1);
    layout->addWidget(m_status);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    connect(m_empty, &EmptyState::actionTriggered, this, &RooflineView::actionTriggered);
    setEmptyText(tr("No roofline to show"), tr("Open a model and choose UPMEM modules as its target."));
    style();
    setDots({});
}

void RooflineView::buildPlot() {
    m_plot->setAccessibleName(tr("Roofline: operations a cycle over operations a byte of MRAM"));
    m_plot->setAccessibleDescription(tr("Left and Right go from op to op"));
    for (const auto& [graph, name] : {std::pair(&m_pipeline, tr("pipeline")),
                                      {&m_tasklets, tr("tasklets")},
                                      {&m_mram, tr("MRAM bandwidth")}}) {
        *graph = m_plot->addGraph();
        (*graph)->setName(name);
    }
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis})
        axis->setTicker(QSharedPointer<LogFigureTicker>::create([](double value) { return figure(value); }));
    m_plot->xAxis->setLabel(tr("operations per byte of MRAM"));
    m_plot->yAxis->setLabel(tr("operations per cycle"));
    m_plot->setTips([this](int dot) { return tip(dot); });
    connect(m_plot, &RooflinePlot::opChosen, this, &RooflineView::choose);
}

void RooflineView::buildTable() {
    m_rows = new FiguresModel(
        {{tr("Operator"), QStringLiteral("op"), false, {}},
         {tr("Ops/B"), QStringLiteral("operations per byte of MRAM"), true,
          tr("Operations for a byte that MRAM moves")},
         {tr("Ops/cycle"), QStringLiteral("operations per cycle"), true, tr("Products and sums, two a MAC")},
         {tr("Of ceiling"), QStringLiteral("share of the ceiling"), true,
          tr("Of the least of pipeline, tasklets and MRAM bandwidth")},
         {tr("Bound by"), QStringLiteral("bound by"), false, tr("The lowest ceiling over it")},
         {tr("Cycles"), QStringLiteral("cycles"), true, tr("Of its DPU")}},
        this);
    m_table->setModel(m_rows);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTextElideMode(Qt::ElideMiddle); // names begin alike
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Ops under the roofline"));
    m_table->setExportName(QStringLiteral("dpu_roofline"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (row.isValid() && !m_isTold)
                    choose(m_dots[std::size_t(row.row())].op);
            });
    m_table->setMouseTracking(true);
    connect(m_table, &TableView::rowHovered, this,
            [this](int row) { m_plot->setHoveredOp(row < 0 ? OpId() : m_dots[std::size_t(row)].op); });
    connect(m_plot, &RooflinePlot::opHovered, this,
            [this](OpId op) { m_table->setMarkedRow(m_plot->dotOf(op)); });
}

void RooflineView::setDots(std::vector<RooflineDot> dots) {
    m_dots = std::move(dots);
    std::erase_if(m_dots, [](const RooflineDot& dot) { return dot.operationsPerCycle() <= 0; });
    m_pages->setCurrentIndex(m_dots.empty() ? 0 : 1);
    m_page->setEnabled(true);
    fillTable();
    fillPlot();
    m_plot->fit();
}

void RooflineView::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
}

void RooflineView::setEmptyAction(const QString& action) {
    m_empty->setAction(action);
}

QString RooflineView::emptyText() const {
    return m_empty->text();
}

void RooflineView::setStale(bool stale) {
    m_page->setEnabled(!stale);
}

void RooflineView::setSeen(bool seen) {
    emit seenChanged(seen);
}

void RooflineView::setSelectedOp(OpId op) {
    m_op = op;
    m_plot->setSelectedOp(op);
    drawCeilings();
    m_isTold = true;
    const auto done = qScopeGuard([this] { m_isTold = false; });
    const int dot = shownDot();
    if (dot < 0 || m_dots[std::size_t(dot)].op != op)
        return m_table->selectionModel()->clear();
    const QModelIndex row = m_rows->index(dot, 0);
    m_table->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect |
                                                        QItemSelectionModel::Rows);
    m_table->scrollTo(row);
    m_status->setText(tip(dot).replace(u'\n', QStringLiteral(" · ")));
}

int RooflineView::shownDot() const {
    if (m_dots.empty())
        return -1;
    const auto found = std::ranges::find_if(m_dots, [&](const RooflineDot& dot) { return dot.op == m_op; });
    if (m_op.valid() && found != m_dots.end())
        return int(found - m_dots.begin());
    const auto longest =
        std::ranges::max_element(m_dots, {}, [](const RooflineDot& dot) { return dot.roofline.cycles; });
    return int(longest - m_dots.begin());
}

QPointF RooflineView::pixelOf(int dot) const {
    return m_plot->pixelOf(dot);
}

void RooflineView::fillPlot() {
    std::vector<RooflinePlot::Dot> dots;
    for (const RooflineDot& dot : m_dots)
        dots.push_back(
            {dot.op, dot.intensity(), dot.operationsPerCycle(), dot.name, color(Role::OnPim), false});
    m_plot->setDots(std::move(dots));
    drawCeilings();
}

void RooflineView::drawCeilings() {
    for (QCPGraph* graph : {m_pipeline, m_tasklets, m_mram})
        graph->data()->clear();
    m_plot->setRoof(0, 0);
    m_plot->setCorners({});
    const int shown = shownDot();
    if (shown < 0)
        return m_title->clear();
    const RooflineDot& dot = m_dots[std::size_t(shown)];
    const upmem::DpuRoofline& of = dot.roofline;
    const double pipeline = of.operationsPerCycleMost, few = pipeline * std::min(1.0, of.taskletCeiling);
    RooflinePlot::draw(m_pipeline, 0, pipeline);
    RooflinePlot::draw(m_tasklets, 0, few);
    m_tasklets->setVisible(few < pipeline);
    RooflinePlot::draw(m_mram, of.bytesPerCycleMost, 0);
    m_plot->setRoof(of.bytesPerCycleMost, few);
    m_plot->setCorners({{pipeline / of.bytesPerCycleMost, pipeline}});
    m_tasklets->setName(tr("%1 tasklets").arg(dot.tasklets));
    if (few < pipeline)
        m_tasklets->addToLegend();
    else
        m_tasklets->removeFromLegend();
    const double share = dot.ceiling() > 0 ? dot.operationsPerCycle() / dot.ceiling() : 0;
    m_title->setText(tr("<b>%1</b>: %2 operations a cycle, %3 of its ceiling of %4 (%5)")
                         .arg(dot.name.toHtmlEscaped(), figure(dot.operationsPerCycle()),
                              text(percentText(share)), figure(dot.ceiling()), views::name(dot.bound())));
}

void RooflineView::fillTable() {
    std::vector<std::vector<Figure>> rows;
    for (const RooflineDot& dot : m_dots) {
        const bool reads = std::isfinite(dot.intensity());
        rows.push_back({{dot.name, {}, {}},
                        {reads ? figure(dot.intensity()) : tr("no bytes"),
                         reads ? QVariant(dot.intensity()) : QVariant(),
                         {}},
                        {figure(dot.operationsPerCycle()), dot.operationsPerCycle(), {}},
                        shareFigure(dot.ceiling() > 0 ? dot.operationsPerCycle() / dot.ceiling() : 0),
                        {views::name(dot.bound()), {}, {}},
                        countFigure(qint64(dot.roofline.cycles))});
    }
    m_rows->setRows(std::move(rows));
    m_table->fitColumns(190);
}

QString RooflineView::tip(int number) const {
    const RooflineDot& dot = m_dots[std::size_t(number)];
    const auto same = std::ranges::count_if(m_dots, [&](const RooflineDot& other) {
        return other.operationsPerCycle() == dot.operationsPerCycle() && other.intensity() == dot.intensity();
    });
    QStringList lines{dot.type.isEmpty() ? dot.name : tr("%1 (%2)").arg(dot.name, dot.type),
                      std::isfinite(dot.intensity())
                          ? tr("%1 operations per byte of MRAM").arg(figure(dot.intensity()))
                          : tr("no byte of MRAM is moved"),
                      tr("%1 operations per cycle, ceiling %2")
                          .arg(figure(dot.operationsPerCycle()), figure(dot.ceiling())),
                      tr("bound by: %1").arg(views::name(dot.bound())),
                      tr("%1 cycles, %2 tasklets")
                          .arg(text(exactText(std::int64_t(dot.roofline.cycles))))
                          .arg(dot.tasklets)};
    if (same > 1)
        lines << tr("%1 operators like it at this place").arg(same - 1);
    return lines.join(u'\n');
}

void RooflineView::choose(OpId op) {
    setSelectedOp(op);
    emit opChosen(op);
}

void RooflineView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        style();
        fillPlot();
    }
    QWidget::changeEvent(event);
}

void RooflineView::resizeEvent(QResizeEvent* event) {
    m_table->setVisible(width() >= kLeastForOps);
    QWidget::resizeEvent(event);
}

void RooflineView::style() {
    m_pipeline->setPen(QPen(color(Role::Compute), 1.5, Qt::DashLine));
    m_tasklets->setPen(QPen(color(Role::Switching), 1.5, Qt::DotLine));
    m_mram->setPen(QPen(color(Role::MemoryIn), 1.5, Qt::DashDotLine));
}

} // namespace pim::views
