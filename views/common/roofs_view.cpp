// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/roofs_view.h"

#include "core/base/number_text.h"
#include "core/compile/run_limits.h"
#include "views/common/core_sentences.h"
#include "views/common/core_words.h"
#include "views/common/figures_model.h"
#include "views/common/palette.h"
#include "views/common/plot_ticks.h"
#include "views/common/roofline_plot.h"
#include "views/common/table_view.h"
#include "views/common/text.h"

#include <QBoxLayout>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QScopeGuard>
#include <QSplitter>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::views {
namespace {

/// Arithmetic of machine and host, then memories in their order.
QColor ceilingColor(const Roofline& roofline, int ceiling) {
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

QString intensityText(double value) {
    return QString::number(value, 'g', 3);
}

} // namespace

RoofsView::RoofsView(QWidget* parent)
    : QWidget(parent), m_sentence(new QLabel), m_plot(new RooflinePlot(QStringLiteral("roofline"))),
      m_table(new TableView) {
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
}

void RoofsView::buildPlot() {
    m_plot->setAccessibleName(tr("Roofline: operations a second over operations a byte"));
    m_plot->setAccessibleDescription(tr("Left and Right go from op to op"));
    m_plot->xAxis->setTicker(QSharedPointer<LogFigureTicker>::create(intensityText));
    m_plot->yAxis->setTicker(QSharedPointer<LogFigureTicker>::create(
        [](double perNs) { return withoutTrailingZeros(text(countText(perNs * 1e9))); }));
    m_plot->xAxis->setLabel(tr("operations a byte of the memory that limits the op"));
    m_plot->yAxis->setLabel(tr("operations a second"));
    m_plot->setTips([this](int dot) { return tip(m_plot->dots()[static_cast<std::size_t>(dot)].op); });
    connect(m_plot, &RooflinePlot::opChosen, this, &RoofsView::choose);
    connect(m_plot, &RooflinePlot::opHovered, this, &RoofsView::opHovered);
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
                    choose(m_ops[static_cast<std::size_t>(row.row())]->op);
            });
    m_table->setMouseTracking(true);
    connect(m_table, &TableView::rowHovered, this, [this](int row) {
        m_plot->setHoveredOp(row < 0 ? OpId() : m_ops[static_cast<std::size_t>(row)]->op);
    });
    connect(m_plot, &RooflinePlot::opHovered, this, [this](OpId op) { m_table->setMarkedRow(rowOf(op)); });
}

void RoofsView::setRoofline(std::shared_ptr<const Roofline> roofline, std::function<OpText(OpId)> textOf) {
    m_roofline = std::move(roofline);
    m_textOf = std::move(textOf);
    m_ops = m_roofline ? byTime(*m_roofline) : std::vector<const OpUnderRoof*>();
    fill();
    m_plot->fit();
}

void RoofsView::fill() {
    for (QCPGraph* graph : std::exchange(m_ceilings, {}))
        m_plot->removeGraph(graph);
    fillTable();
    drawCeilings();
    drawDots();
    showSelected();
}

void RoofsView::drawCeilings() {
    for (std::size_t c = 0; m_roofline && c < m_roofline->ceilings.size(); ++c) {
        const Ceiling& ceiling = m_roofline->ceilings[c];
        QCPGraph* const line = m_plot->addGraph();
        line->setName(
            tr("%1: %2").arg(coreWord(ceiling.name), text(rateText(ceiling.perNs, ceiling.isMemory))));
        line->setPen(QPen(ceilingColor(*m_roofline, static_cast<int>(c)), 1.5,
                          ceiling.ofHost ? Qt::DashLine : Qt::SolidLine));
        RooflinePlot::draw(line, ceiling.isMemory ? ceiling.perNs : 0, ceiling.isMemory ? 0 : ceiling.perNs);
        m_ceilings.push_back(line);
    }
}

void RoofsView::drawDots() {
    std::vector<RooflinePlot::Dot> dots;
    double finite = 1; // where roofs are put that are above no dot
    for (const OpUnderRoof* op : m_ops)
        if (isDrawn(*op)) {
            const double intensity = m_roofline->intensityOf(*op);
            dots.push_back({op->op, intensity, Roofline::speedOf(*op), m_textOf(op->op).name,
                            ceilingColor(*m_roofline, m_roofline->lowestRoof(*op)), op->onHost});
            if (std::isfinite(intensity))
                finite = intensity;
        }
    std::vector<QPointF> corners;
    for (const RooflinePlot::Dot& dot : dots)
        if (const double roof = m_roofline->roofOf(*m_roofline->find(dot.op)); roof > 0)
            corners.emplace_back(std::isfinite(dot.intensity) ? dot.intensity : finite, roof);
    if (!dots.empty())
        for (const Ceiling& ceiling : m_roofline->ceilings)
            if (!ceiling.isMemory)
                corners.emplace_back(finite, ceiling.perNs);
    m_plot->setDots(std::move(dots));
    m_plot->setCorners(std::move(corners));
}

std::optional<QPointF> RoofsView::pixelOf(OpId op) const {
    const int dot = m_plot->dotOf(op);
    return dot < 0 ? std::nullopt : std::optional(m_plot->pixelOf(dot));
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
            {{m_textOf(op->op).name, {}, {}},
             shareFigure(m_roofline->shareOfRoof(*op)),
             {lowest < 0 ? tr("nothing")
                         : coreWord(m_roofline->ceilings[static_cast<std::size_t>(lowest)].name),
              {},
              ceilingColor(*m_roofline, lowest)},
             {text(timeText(op->ns)), op->ns, {}},
             isDrawn(*op) ? Figure{moves ? intensityText(intensity) : tr("no bytes"),
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

int RoofsView::rowOf(OpId op) const {
    const auto found = std::ranges::find(m_ops, op, [](const OpUnderRoof* each) { return each->op; });
    return op.valid() && found != m_ops.end() ? static_cast<int>(found - m_ops.begin()) : -1;
}

void RoofsView::setSelectedOp(OpId op) {
    if (op == m_selected)
        return;
    m_selected = op;
    showSelected();
}

void RoofsView::setHoveredOp(OpId op) {
    m_plot->setHoveredOp(op);
}

void RoofsView::showSelected() {
    m_plot->setSelectedOp(m_selected);
    const int row = rowOf(m_selected);
    const auto guard = qScopeGuard([this, told = std::exchange(m_isTold, true)] { m_isTold = told; });
    if (row < 0) {
        m_plot->setRoof(0, 0);
        m_table->clearSelection();
        m_sentence->setText(
            m_ops.empty() ? QString()
                          : tr("Each dot is an op in the colour of its lowest roof, a square one on the "
                               "host. Click one, or go along with Left and Right; drag and wheel move "
                               "and zoom, a double click shows all."));
        return;
    }
    const OpUnderRoof& op = *m_ops[static_cast<std::size_t>(row)];
    if (m_table->currentIndex().row() != row)
        m_table->selectRow(row);
    m_table->scrollTo(m_rows->index(row, 0));
    m_sentence->setText(tr("<b>%1</b> %2.")
                            .arg(m_textOf(op.op).name.toHtmlEscaped(),
                                 coreSentence(sentenceOf(*m_roofline, op)).toHtmlEscaped()));
    if (!isDrawn(op))
        return m_plot->setRoof(0, 0);
    // What it could do with more or fewer operations a byte: along its memory up to the arithmetic it needs.
    double flat = 0;
    for (std::size_t c = 0; c < m_roofline->ceilings.size(); ++c)
        if (const Ceiling& ceiling = m_roofline->ceilings[c]; !ceiling.isMemory && op.amounts[c] > 0) {
            const double atMost = op.operations / op.amounts[c] * ceiling.perNs;
            flat = flat > 0 ? std::min(flat, atMost) : atMost;
        }
    const int memory = m_roofline->memoryOf(op);
    m_plot->setRoof(memory < 0 ? 0 : m_roofline->ceilings[static_cast<std::size_t>(memory)].perNs, flat);
}

QString RoofsView::tip(OpId id) const {
    const OpUnderRoof* const op = m_roofline ? m_roofline->find(id) : nullptr;
    if (!op)
        return {};
    const OpText of = m_textOf(id);
    const double intensity = m_roofline->intensityOf(*op);
    QStringList lines{
        tr("%1 (%2), %3").arg(of.name, of.kind, op->onHost ? tr("on the host") : tr("on the machine")),
        tr("%1 of %2 under its roof")
            .arg(text(rateText(Roofline::speedOf(*op), false)),
                 text(rateText(m_roofline->roofOf(*op), false))),
        std::isfinite(intensity)
            ? tr("%1 operations a byte of %2")
                  .arg(intensityText(intensity),
                       coreWord(
                           m_roofline->ceilings[static_cast<std::size_t>(m_roofline->memoryOf(*op))].name))
            : tr("no byte is moved"),
        tr("%1: %2").arg(text(timeText(op->ns)), coreSentence(sentenceOf(*m_roofline, *op)))};
    return lines.join(u'\n');
}

void RoofsView::choose(OpId op) {
    setSelectedOp(op);
    emit opChosen(op);
}

void RoofsView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        fill();
    QWidget::changeEvent(event);
}

} // namespace pim::views
