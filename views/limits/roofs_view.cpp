// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/limits/roofs_view.h"

#include "core/base/number_text.h"
#include "core/compile/run_limits.h"
#include "views/common/core_sentences.h"
#include "views/common/figures_model.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"
#include "views/models/workspace.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QScopeGuard>
#include <QSplitter>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace pim::views {
namespace {

constexpr double kReach = 14;                       ///< Pixels around a dot that a click takes for it.
constexpr double kBehindAll = 10;                   ///< Times the greatest intensity: ops that move nothing.
constexpr double kFarLeft = 1e-9, kFarRight = 1e12; ///< Wherever one drags to.
constexpr int kLegendColumn = 300;                  ///< Pixels of an entry, about.

/// Arithmetic of machine and host, then memories in their order.
QColor colorOf(const Roofline& roofline, int ceiling) {
    constexpr std::array kMemories{Role::MemoryIn, Role::Rewriting, Role::MemoryOut, Role::Transfer,
                                   Role::Switching};
    if (ceiling < 0)
        return color(Role::Muted);
    const Ceiling& of = roofline.ceilings[static_cast<std::size_t>(ceiling)];
    if (!of.isMemory && of.ofHost)
        return color(Role::HostTime);
    const auto before = std::count_if(
        roofline.ceilings.begin(), roofline.ceilings.begin() + ceiling, [&](const Ceiling& other) {
            return other.isMemory == of.isMemory && (of.isMemory || !other.ofHost);
        });
    if (!of.isMemory)
        return color(before == 0 ? Role::Compute : Role::VectorUnit);
    return color(kMemories[static_cast<std::size_t>(before) % kMemories.size()]);
}

QString figureOf(double value) {
    return QString::number(value, 'g', 3);
}

} // namespace

RoofsView::RoofsView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_sentence(new QLabel), m_plot(new Plot), m_table(new TableView) {
    setObjectName(QStringLiteral("RoofsView"));
    setAccessibleName(tr("Roofline of all ops"));
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::RichText);
    m_sentence->setContentsMargins(10, 4, 10, 4);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setAccessibleName(tr("What sets the time of the selected op"));
    buildPlot();
    buildTable();
    auto* across = new QSplitter(Qt::Horizontal);
    across->setChildrenCollapsible(false);
    across->addWidget(m_plot);
    across->addWidget(m_table);
    across->setStretchFactor(0, 1);
    across->setSizes({600, 500});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_sentence);
    column->addWidget(across, 1);
    connect(this, &RoofsView::opChosen, &workspace, &Workspace::selectOp);
    connect(&workspace, &Workspace::selectionChanged, this,
            [this, &workspace] { setSelectedOp(workspace.selection().op); });
    style();
}

void RoofsView::buildPlot() {
    m_plot->setAccessibleName(tr("Roofline: operations a second over operations a byte"));
    m_plot->setAccessibleDescription(tr("Left and Right go from op to op"));
    m_plot->setMinimumSize(200, 120);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->installEventFilter(this);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setSubTicks(false);
    }
    m_plot->xAxis->setTicker(
        QSharedPointer<LogFigureTicker>::create([](double value) { return figureOf(value); }));
    m_plot->yAxis->setTicker(QSharedPointer<LogFigureTicker>::create(
        [](double perNs) { return withoutTrailingZeros(text(countText(perNs * 1e9))); }));
    m_plot->xAxis->setLabel(tr("operations a byte of the memory that limits the op"));
    m_plot->yAxis->setLabel(tr("operations a second"));
    m_plot->legend->setVisible(true);
    m_plot->plotLayout()->insertRow(0); // in a row of its own: inside, it would hide the roofs
    m_plot->plotLayout()->addElement(0, 0, m_plot->legend);
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst, true);
    m_roof = m_plot->addGraph();
    m_ring = m_plot->addGraph();
    m_roof->removeFromLegend();
    m_ring->removeFromLegend();
    installPlotExport(m_plot, QStringLiteral("roofline"));
}

void RoofsView::buildTable() {
    m_rows = new FiguresModel(
        {{tr("Op"), QStringLiteral("op"), false, {}},
         {tr("Of Its Roof"), QStringLiteral("share of its roof"), true,
          tr("Of its time, what its lowest roof needs at least")},
         {tr("Set by"), QStringLiteral("set by"), false, tr("Its lowest roof")},
         {tr("Time"), QStringLiteral("time (ns)"), true, tr("In which it is under way, simulated")},
         {tr("Op/B"), QStringLiteral("operations per byte"), true,
          tr("Operations for a byte that the slowest of its memories moves")},
         {tr("Speed"), QStringLiteral("operations per ns"), true,
          tr("Operations a second; two a multiply-accumulate")},
         {tr("Its Roof"), QStringLiteral("roof, operations per ns"), true,
          tr("Operations a second under its lowest roof")}},
        this);
    m_table->setModel(m_rows);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTextElideMode(Qt::ElideMiddle); // names begin alike
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Ops under their roofs, those that take most time on top"));
    m_table->setExportName(QStringLiteral("roofline"));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (row.isValid() && !m_isTold)
                    choose(row.row());
            });
}

void RoofsView::setRoofline(std::shared_ptr<const Plan> plan, std::shared_ptr<const Roofline> roofline) {
    m_plan = std::move(plan);
    m_roofline = m_plan ? std::move(roofline) : nullptr;
    m_ops = m_roofline ? byTime(*m_roofline) : std::vector<const OpUnderRoof*>();
    fill();
    fitAxes();
}

void RoofsView::fill() {
    for (QCPGraph* graph : m_ceilings)
        m_plot->removeGraph(graph);
    for (QCPGraph* graph : m_dots)
        m_plot->removeGraph(graph);
    m_ceilings.clear();
    m_dots.clear();
    fillTable();
    if (m_roofline) {
        drawCeilings();
        drawDots();
    }
    style();
    showSelected();
}

void RoofsView::drawCeilings() {
    for (const Ceiling& ceiling : m_roofline->ceilings) {
        QCPGraph* const line = m_plot->addGraph();
        line->setName(tr("%1: %2").arg(text(ceiling.name), text(rateText(ceiling.perNs, ceiling.isMemory))));
        if (ceiling.isMemory)
            line->setData({kFarLeft, kFarRight}, {ceiling.perNs * kFarLeft, ceiling.perNs * kFarRight}, true);
        else
            line->setData({kFarLeft, kFarRight}, {ceiling.perNs, ceiling.perNs}, true);
        m_ceilings.push_back(line);
    }
}

void RoofsView::drawDots() {
    for (int ceiling = -1; ceiling < static_cast<int>(m_roofline->ceilings.size()); ++ceiling)
        for (const bool onHost : {false, true}) {
            QVector<double> x, y;
            for (const OpUnderRoof* op : m_ops)
                if (isDrawn(*op) && op->onHost == onHost && m_roofline->lowestRoof(*op) == ceiling) {
                    x << place(*op).x();
                    y << place(*op).y();
                }
            QCPGraph* const dots = m_plot->addGraph();
            dots->setData(x, y);
            dots->removeFromLegend();
            m_dots.push_back(dots);
        }
}

double RoofsView::shownIntensity(const OpUnderRoof& op) const {
    const double intensity = m_roofline->intensityOf(op);
    if (std::isfinite(intensity))
        return intensity;
    double most = 1;
    for (const OpUnderRoof* other : m_ops)
        if (isDrawn(*other) && std::isfinite(m_roofline->intensityOf(*other)))
            most = std::max(most, m_roofline->intensityOf(*other));
    return most * kBehindAll;
}

QPointF RoofsView::place(const OpUnderRoof& op) const {
    return {shownIntensity(op), Roofline::speedOf(op)};
}

std::optional<QPointF> RoofsView::pixelOf(OpId op) const {
    const OpUnderRoof* const under = m_roofline ? m_roofline->find(op) : nullptr;
    if (!under || !isDrawn(*under))
        return {};
    const QPointF at = place(*under);
    return QPointF(m_plot->xAxis->coordToPixel(at.x()), m_plot->yAxis->coordToPixel(at.y()));
}

/// All dots and the bend of each roof above them, with room around.
void RoofsView::fitAxes() {
    double left = 0, right = 0, low = 0, high = 0;
    for (const OpUnderRoof* op : m_ops) {
        if (!isDrawn(*op))
            continue;
        const QPointF at = place(*op);
        left = left > 0 ? std::min(left, at.x()) : at.x();
        right = std::max(right, at.x());
        low = low > 0 ? std::min(low, at.y()) : at.y();
        high = std::max({high, at.y(), m_roofline->roofOf(*op)});
    }
    if (left <= 0)
        return;
    for (const Ceiling& ceiling : m_roofline->ceilings)
        if (!ceiling.isMemory)
            high = std::max(high, ceiling.perNs);
    m_plot->xAxis->setRange(left / 3, right * 10);
    m_plot->yAxis->setRange(low / 3, high * 3);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void RoofsView::fillTable() {
    const auto guard = qScopeGuard([this, told = std::exchange(m_isTold, true)] { m_isTold = told; });
    std::vector<std::vector<Figure>> rows;
    for (const OpUnderRoof* op : m_ops) {
        const int lowest = m_roofline->lowestRoof(*op);
        const double intensity = m_roofline->intensityOf(*op), speed = Roofline::speedOf(*op),
                     roof = m_roofline->roofOf(*op);
        const bool moves = std::isfinite(intensity);
        rows.push_back(
            {{text(m_plan->graph->op(op->op).name), {}, {}},
             shareFigure(m_roofline->shareOfRoof(*op)),
             {lowest < 0 ? tr("nothing") : text(m_roofline->ceilings[static_cast<std::size_t>(lowest)].name),
              {},
              colorOf(*m_roofline, lowest)},
             {text(timeText(op->ns)), op->ns, {}},
             isDrawn(*op) ? Figure{moves ? figureOf(intensity) : tr("no bytes"),
                                   moves ? QVariant(intensity) : QVariant(),
                                   {}}
                          : Figure{},
             isDrawn(*op) ? Figure{text(rateText(speed, false)), speed, {}}
                          : Figure{tr("moves data"), {}, {}},
             isDrawn(*op) && lowest >= 0 ? Figure{text(rateText(roof, false)), roof, {}} : Figure{}});
    }
    m_rows->setRows(std::move(rows));
    m_table->fitColumns(200);
}

int RoofsView::selectedRow() const {
    const auto found = std::ranges::find(m_ops, m_selected, [](const OpUnderRoof* op) { return op->op; });
    return m_selected.valid() && found != m_ops.end() ? static_cast<int>(found - m_ops.begin()) : -1;
}

void RoofsView::setSelectedOp(OpId op) {
    if (op == m_selected)
        return;
    m_selected = op;
    showSelected();
}

void RoofsView::showSelected() {
    const int row = selectedRow();
    m_roof->data()->clear();
    m_ring->data()->clear();
    const auto guard = qScopeGuard([this, told = std::exchange(m_isTold, true)] { m_isTold = told; });
    if (row < 0) {
        m_table->clearSelection();
        m_sentence->setText(
            m_ops.empty() ? QString()
                          : tr("Each dot is an op in the colour of its lowest roof, a square one on the "
                               "host. Click one, or go along with Left and Right; drag and wheel move "
                               "and zoom, a double click shows all."));
    } else {
        const OpUnderRoof& op = *m_ops[static_cast<std::size_t>(row)];
        if (m_table->currentIndex().row() != row)
            m_table->selectRow(row);
        m_table->scrollTo(m_rows->index(row, 0));
        m_sentence->setText(tr("<b>%1</b> %2.")
                                .arg(text(m_plan->graph->op(op.op).name).toHtmlEscaped(),
                                     coreSentence(sentenceOf(*m_roofline, op)).toHtmlEscaped()));
        if (isDrawn(op)) {
            const QPointF at = place(op);
            m_ring->setData({at.x()}, {at.y()});
            // What it could do with more or fewer operations a byte: along its memory up to the arithmetic it needs.
            double flat = 0;
            for (std::size_t c = 0; c < m_roofline->ceilings.size(); ++c)
                if (const Ceiling& ceiling = m_roofline->ceilings[c];
                    !ceiling.isMemory && op.amounts[c] > 0) {
                    const double atMost = op.operations / op.amounts[c] * ceiling.perNs;
                    flat = flat > 0 ? std::min(flat, atMost) : atMost;
                }
            const int memory = m_roofline->memoryOf(op);
            const double slope =
                memory < 0 ? 0 : m_roofline->ceilings[static_cast<std::size_t>(memory)].perNs;
            if (flat > 0 && slope > 0)
                m_roof->setData({kFarLeft, flat / slope, kFarRight}, {kFarLeft * slope, flat, flat}, true);
            else if (slope > 0)
                m_roof->setData({kFarLeft, kFarRight}, {kFarLeft * slope, kFarRight * slope}, true);
            else if (flat > 0)
                m_roof->setData({kFarLeft, kFarRight}, {flat, flat}, true);
        }
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QString RoofsView::tip(OpId id) const {
    const OpUnderRoof* const op = m_roofline ? m_roofline->find(id) : nullptr;
    if (!op)
        return {};
    const Op& of = m_plan->graph->op(id);
    const double intensity = m_roofline->intensityOf(*op);
    QStringList lines{
        tr("%1 (%2), %3")
            .arg(text(of.name), text(of.type), op->onHost ? tr("on the host") : tr("on the machine")),
        tr("%1 of %2 under its roof")
            .arg(text(rateText(Roofline::speedOf(*op), false)),
                 text(rateText(m_roofline->roofOf(*op), false))),
        std::isfinite(intensity)
            ? tr("%1 operations a byte of %2")
                  .arg(figureOf(intensity),
                       text(m_roofline->ceilings[static_cast<std::size_t>(m_roofline->memoryOf(*op))].name))
            : tr("no byte is moved"),
        tr("%1: %2").arg(text(timeText(op->ns)), coreSentence(sentenceOf(*m_roofline, *op)))};
    return lines.join(u'\n');
}

void RoofsView::choose(int row) {
    if (row < 0 || row >= static_cast<int>(m_ops.size()))
        return;
    const OpId op = m_ops[static_cast<std::size_t>(row)]->op;
    setSelectedOp(op);
    emit opChosen(op);
}

int RoofsView::nearest(const QPointF& position) const {
    int found = -1;
    double least = kReach;
    for (std::size_t row = 0; row < m_ops.size(); ++row) {
        const auto pixel = pixelOf(m_ops[row]->op);
        if (!pixel)
            continue;
        const double off = std::hypot(pixel->x() - position.x(), pixel->y() - position.y());
        // Where several stand at one place, the one that is selected stays so.
        if (off < least || (off <= least && m_ops[row]->op == m_selected)) {
            least = off;
            found = static_cast<int>(row);
        }
    }
    return found;
}

/// Along the intensity, then by time.
void RoofsView::step(int by) {
    std::vector<int> order;
    for (std::size_t row = 0; row < m_ops.size(); ++row)
        if (isDrawn(*m_ops[row]))
            order.push_back(static_cast<int>(row));
    if (order.empty())
        return;
    std::ranges::stable_sort(
        order, {}, [this](int row) { return shownIntensity(*m_ops[static_cast<std::size_t>(row)]); });
    const auto at = std::ranges::find(order, selectedRow());
    const std::ptrdiff_t next = at == order.end() ? 0 : at - order.begin() + by;
    choose(order[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, std::ssize(order) - 1))]);
}

bool RoofsView::eventFilter(QObject* watched, QEvent* event) {
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
        m_plot->legend->setWrap(std::max(1, m_plot->width() / kLegendColumn));
        m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst, true); // those that are in it too
    }
    const auto tipAt = [this](const QPoint& at) {
        const int row = nearest(at);
        return row < 0 ? QString() : tip(m_ops[static_cast<std::size_t>(row)]->op);
    };
    return answerToolTip(event, m_plot, tipAt) || QWidget::eventFilter(watched, event);
}

void RoofsView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        fill();
    QWidget::changeEvent(event);
}

void RoofsView::style() {
    stylePlot(m_plot);
    for (std::size_t c = 0; c < m_ceilings.size(); ++c)
        m_ceilings[c]->setPen(QPen(colorOf(*m_roofline, static_cast<int>(c)), 1.5,
                                   m_roofline->ceilings[c].ofHost ? Qt::DashLine : Qt::SolidLine));
    for (std::size_t d = 0; d < m_dots.size(); ++d) {
        m_dots[d]->setLineStyle(QCPGraph::lsNone);
        m_dots[d]->setScatterStyle(
            d % 2 == 0 ? QCPScatterStyle(QCPScatterStyle::ssDisc,
                                         colorOf(*m_roofline, static_cast<int>(d) / 2 - 1), 8)
                       : QCPScatterStyle(QCPScatterStyle::ssSquare,
                                         colorOf(*m_roofline, static_cast<int>(d) / 2 - 1),
                                         colorOf(*m_roofline, static_cast<int>(d) / 2 - 1), 7));
    }
    m_roof->setPen(QPen(color(Role::NodeText), 2));
    m_ring->setLineStyle(QCPGraph::lsNone);
    m_ring->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color(Role::Selection), 2.5), Qt::NoBrush, 15));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace pim::views
