// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/roofline_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScopeGuard>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim::views {
namespace {

constexpr int kOpsWidth = 470;     ///< All columns are seen.
constexpr int kLeastForOps = 1000; ///< Pixels of the panel from which the table stands beside the plot.
constexpr double kDotReach = 14;   ///< Pixels around a dot that a click takes for it.

/// Four significant digits, as of all figures without a prefix of their own.
QString figure(double value) {
    return QString::number(value, 'g', 4);
}

} // namespace

RooflineView::RooflineView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("bars"))),
      m_page(new QWidget), m_split(new QSplitter(Qt::Horizontal)), m_title(new LineLabel),
      m_status(new LineLabel), m_plot(new Plot), m_table(new TableView) {
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
    m_plot->setMinimumSize(200, 130);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->installEventFilter(this);
    const auto graph = [this](const QString& name) {
        QCPGraph* made = m_plot->addGraph();
        made->setName(name);
        return made;
    };
    m_pipeline = graph(tr("pipeline"));
    m_tasklets = graph(tr("tasklets"));
    m_mram = graph(tr("MRAM bandwidth"));
    m_roof = graph(tr("roof of the selected op"));
    m_points = graph(tr("ops"));
    m_selected = graph(tr("selected op"));
    m_roof->removeFromLegend();
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setSubTicks(false);
        axis->setTicker(QSharedPointer<LogFigureTicker>::create([](double value) { return figure(value); }));
    }
    m_plot->xAxis->setLabel(tr("operations per byte of MRAM"));
    m_plot->yAxis->setLabel(tr("operations per cycle"));
    m_plot->legend->setVisible(true);
    m_plot->plotLayout()->insertRow(0); // in a row of its own: inside, it would hide the roof
    m_plot->plotLayout()->addElement(0, 0, m_plot->legend);
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst, true);
    installPlotExport(m_plot, QStringLiteral("dpu_roofline"));
    setCanvasItems(m_plot, this,
                   {[this] { return int(m_dots.size()); }, [this](int dot) { return spokenDot(dot); },
                    [this] {
                        const int dot = shownDot();
                        return dot >= 0 && m_dots[std::size_t(dot)].op == m_op ? dot : -1;
                    },
                    [this](int dot) { choose(dot); }, [this](const QPointF& at) { return nearest(at); }});
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
                    choose(row.row());
            });
}

void RooflineView::setDots(std::vector<RooflineDot> dots) {
    m_dots = std::move(dots);
    std::erase_if(m_dots, [](const RooflineDot& dot) { return dot.operationsPerCycle() <= 0; });
    m_pages->setCurrentIndex(m_dots.empty() ? 0 : 1);
    m_page->setEnabled(true);
    fillTable();
    fillPlot();
    fitAxes();
    announceItems(m_plot);
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
    fillPlot();
    announceCurrent(m_plot);
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

double RooflineView::shownIntensity(const RooflineDot& dot) const {
    if (std::isfinite(dot.intensity()))
        return dot.intensity();
    double most = 1;
    for (const RooflineDot& other : m_dots)
        if (std::isfinite(other.intensity()))
            most = std::max(most, other.intensity());
    return most * 10;
}

QPointF RooflineView::pixelOf(int dot) const {
    const RooflineDot& at = m_dots[std::size_t(dot)];
    return {m_plot->xAxis->coordToPixel(shownIntensity(at)),
            m_plot->yAxis->coordToPixel(at.operationsPerCycle())};
}

void RooflineView::fillPlot() {
    QVector<double> x, y;
    for (const RooflineDot& dot : m_dots) {
        x << shownIntensity(dot);
        y << dot.operationsPerCycle();
    }
    m_points->setData(x, y);
    const int shown = shownDot();
    if (shown >= 0 && m_dots[std::size_t(shown)].op == m_op)
        m_selected->setData({x[shown]}, {y[shown]});
    else
        m_selected->data()->clear();
    drawCeilings();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void RooflineView::drawCeilings() {
    for (QCPGraph* graph : {m_pipeline, m_tasklets, m_mram, m_roof})
        graph->data()->clear();
    const int shown = shownDot();
    if (shown < 0)
        return m_title->clear();
    const RooflineDot& dot = m_dots[std::size_t(shown)];
    const upmem::DpuRoofline& of = dot.roofline;
    constexpr double kFarLeft = 1e-6, kFarRight = 1e9; // wherever one drags to
    const double pipeline = of.operationsPerCycleMost, few = pipeline * std::min(1.0, of.taskletCeiling);
    m_pipeline->setData({kFarLeft, kFarRight}, {pipeline, pipeline}, true);
    m_tasklets->setData({kFarLeft, kFarRight}, {few, few}, true);
    m_tasklets->setVisible(few < pipeline);
    m_mram->setData({kFarLeft, kFarRight},
                    {of.bytesPerCycleMost * kFarLeft, of.bytesPerCycleMost * kFarRight}, true);
    const double ridge = few / of.bytesPerCycleMost;
    m_roof->setData({kFarLeft, ridge, kFarRight}, {of.bytesPerCycleMost * kFarLeft, few, few}, true);
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

/// All dots and the ridge, with room around.
void RooflineView::fitAxes() {
    const int shown = shownDot();
    if (shown < 0)
        return;
    const upmem::DpuRoofline& of = m_dots[std::size_t(shown)].roofline;
    const double roof = of.operationsPerCycleMost, ridge = roof / of.bytesPerCycleMost;
    double left = ridge, right = ridge, low = roof, high = roof;
    for (const RooflineDot& dot : m_dots) {
        left = std::min(left, shownIntensity(dot));
        right = std::max(right, shownIntensity(dot));
        low = std::min(low, dot.operationsPerCycle());
        high = std::max(high, dot.operationsPerCycle());
    }
    m_plot->xAxis->setRange(left / 3, right * 3);
    m_plot->yAxis->setRange(low / 2.5, high * 2);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
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

CanvasItem RooflineView::spokenDot(int number) const {
    constexpr double kAround = 5; // pixels
    const RooflineDot& dot = m_dots[std::size_t(number)];
    const QPointF at = pixelOf(number), corner(kAround, kAround);
    return {dot.name, spoken(tip(number)), QRectF(at - corner, at + corner), dot.op == m_op};
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

void RooflineView::choose(int dot) {
    if (dot < 0 || dot >= int(m_dots.size()))
        return;
    const OpId op = m_dots[std::size_t(dot)].op;
    setSelectedOp(op);
    emit opChosen(op);
}

int RooflineView::nearest(const QPointF& position) const {
    int found = -1;
    double least = kDotReach;
    for (int dot = 0; dot < int(m_dots.size()); ++dot) {
        const QPointF by = pixelOf(dot) - position;
        const double off = std::hypot(by.x(), by.y());
        // Where several stand at one place, the one that is selected stays so.
        if (off < least || (off <= least && m_dots[std::size_t(dot)].op == m_op)) {
            least = off;
            found = dot;
        }
    }
    return found;
}

/// Along the intensity, then in the order of the network.
void RooflineView::step(int by) {
    if (m_dots.empty())
        return;
    std::vector<int> order(m_dots.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [this](int dot) { return shownIntensity(m_dots[std::size_t(dot)]); });
    const auto at = std::ranges::find(order, shownDot()) - order.begin();
    const bool isSelected = m_op.valid() && m_dots[std::size_t(order[std::size_t(at)])].op == m_op;
    choose(
        order[std::size_t(std::clamp<std::ptrdiff_t>(isSelected ? at + by : at, 0, std::ssize(order) - 1))]);
}

bool RooflineView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonPress &&
        static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
        choose(nearest(static_cast<QMouseEvent*>(event)->position()));
    if (event->type() == QEvent::MouseButtonDblClick)
        fitAxes();
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Left || key == Qt::Key_Right) {
            step(key == Qt::Key_Right ? 1 : -1);
            return true;
        }
        if (key == Qt::Key_F) {
            fitAxes();
            return true;
        }
    }
    if (event->type() == QEvent::Resize) {
        m_plot->legend->setWrap(m_plot->width() < 420 ? 2 : 6);
        m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst, true); // those that are in it too
    }
    const auto tipAt = [this](const QPoint& at) {
        const int dot = nearest(at);
        return dot < 0 ? QString() : tip(dot);
    };
    return answerToolTip(event, m_plot, tipAt) || QWidget::eventFilter(watched, event);
}

void RooflineView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

void RooflineView::resizeEvent(QResizeEvent* event) {
    m_table->setVisible(width() >= kLeastForOps);
    QWidget::resizeEvent(event);
}

void RooflineView::style() {
    stylePlot(m_plot);
    m_pipeline->setPen(QPen(color(Role::Compute), 1.5, Qt::DashLine));
    m_tasklets->setPen(QPen(color(Role::Switching), 1.5, Qt::DotLine));
    m_mram->setPen(QPen(color(Role::MemoryIn), 1.5, Qt::DashDotLine));
    m_roof->setPen(QPen(color(Role::NodeText), 2));
    m_points->setLineStyle(QCPGraph::lsNone);
    m_points->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color(Role::OnPim), 8));
    m_selected->setLineStyle(QCPGraph::lsNone);
    m_selected->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color(Role::Selection), 2.5), Qt::NoBrush, 15));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace pim::views
