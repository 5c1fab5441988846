// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lut/lut_front.h"

#include "core/base/number_text.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"
#include "views/lut/lut_what_if.h"
#include "views/models/lut_calibration.h"

#include <fmt/format.h>

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim::views {
namespace {

constexpr int kLeastForLegend = 170; ///< Pixels of height below which dots need the room.
constexpr double kDotReach = 12;     ///< Pixels around a dot that a click takes for it.

QString costText(LutFront::Cost cost, double value) {
    return text(cost == LutFront::Cost::Time     ? timeText(value)
                : cost == LutFront::Cost::Energy ? energyText(value)
                                                 : bytesText(value));
}

} // namespace

std::vector<std::size_t> lutFront(const std::vector<double>& cost, const std::vector<double>& accuracy) {
    std::vector<std::size_t> order(cost.size()), front;
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return cost[a] != cost[b] ? cost[a] < cost[b] : accuracy[a] > accuracy[b];
    });
    for (const std::size_t at : order)
        if (front.empty() || accuracy[at] > accuracy[front.back()])
            front.push_back(at);
    return front;
}

LutFront::LutFront(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_calibration(LutCalibration::of(workspace)),
      m_costs(new QComboBox), m_status(new LineLabel), m_plot(new Plot), m_plans(LutPlans::of(workspace)),
      m_whatIf(new LutWhatIf(workspace)) {
    setAccessibleName(tr("Accuracy over cost"));
    m_costs->setAccessibleName(tr("What calibrations cost"));
    m_status->setAccessibleName(tr("Calibration that is shown"));
    m_plot->setAccessibleName(tr("Accuracy of every calibration over what it costs, with the Pareto front"));
    m_plot->setAccessibleDescription(tr("Left and Right go from dot to dot"));
    m_plot->setMinimumSize(200, 110);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->installEventFilter(this);
    m_plot->yAxis->setLabel(tr("test accuracy"));
    m_plot->yAxis->setSubTicks(false);
    m_plot->yAxis->setTicker(QSharedPointer<FigureTicker>::create(
        [](double share) { return QStringLiteral("%1 %").arg(share * 100, 0, 'g', 4); }));
    m_plot->xAxis->setScaleType(QCPAxis::stLogarithmic);
    m_plot->xAxis->setSubTicks(false);
    const auto graph = [this](const QString& name) {
        QCPGraph* made = m_plot->addGraph();
        made->setName(name);
        return made;
    };
    m_dense = graph(tr("as it is"));
    m_front = graph(tr("front"));
    m_others = graph(tr("others"));
    m_marked = graph(tr("shown"));
    m_asked = graph(tr("what if"));
    m_plot->legend->setVisible(true);
    m_plot->plotLayout()->insertRow(0); // in a row of its own: inside, it would hide dots
    m_plot->plotLayout()->addElement(0, 0, m_plot->legend);
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    m_plot->legend->setWrap(5);
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst, true);
    installPlotExport(m_plot, QStringLiteral("lut_front"));
    setCanvasItems(
        m_plot, this,
        {[this] { return static_cast<int>(m_dots.size()); },
         [this](int item) {
             constexpr double kAround = 5; // pixels
             const Dot& dot = m_dots[static_cast<std::size_t>(item)];
             const QPointF at = pixelOf(dot), corner(kAround, kAround);
             const QString all = tip(dot);
             return CanvasItem{all.section(u'\n', 0, 0), spoken(all.section(u'\n', 1)),
                               QRectF(at - corner, at + corner), dot.outcome == m_calibration->shownIndex()};
         },
         [this] {
             const auto found = std::ranges::find(m_dots, m_calibration->shownIndex(), &Dot::outcome);
             return found == m_dots.end() ? -1 : static_cast<int>(found - m_dots.begin());
         },
         [this](int item) { m_calibration->show(m_dots[static_cast<std::size_t>(item)].outcome); }});
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 2);
    bar->setSpacing(8);
    bar->addWidget(m_costs);
    bar->addWidget(m_status, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_plot, 1);
    column->addWidget(m_whatIf);
    connect(m_whatIf, &LutWhatIf::changed, this, &LutFront::drawWhatIf);
    connect(m_plans, &LutPlans::changed, this, &LutFront::refill);
    connect(m_costs, &QComboBox::activated, this, &LutFront::refill);
    connect(m_calibration, &LutCalibration::outcomesChanged, this, &LutFront::refill);
    connect(&workspace, &Workspace::targetChanged, this, &LutFront::takeMachine);
    connect(&workspace, &Workspace::graphChanged, this, &LutFront::takeMachine);
    takeMachine();
}

LutFront::Cost LutFront::cost() const {
    return static_cast<Cost>(m_costs->currentData().toInt());
}

QCustomPlot* LutFront::plot() const {
    return m_plot;
}

std::optional<double> LutFront::costOf(const LutSizes& sizes, QString& why) {
    const Result<LutCost>* const found = m_plans->costOf(sizes);
    if (!found)
        why = tr("Planning the network with these tables …");
    else if (!*found)
        why = text(found->error().text());
    else if (cost() == Cost::Time)
        return (*found)->ns;
    else if ((*found)->energyPj)
        return (*found)->energyPj;
    else
        why = tr("The energy of this machine is not known");
    return std::nullopt;
}

void LutFront::takeMachine() {
    const auto wanted = cost();
    const bool chosen = m_costs->count() > 1; // where there was a choice
    m_costs->clear();
    if (m_workspace.target()) {
        const QString machine = text(m_workspace.target()->id);
        m_costs->addItem(tr("Time of a request on %1").arg(machine), int(Cost::Time));
        m_costs->addItem(tr("Energy of a request on %1").arg(machine), int(Cost::Energy));
    }
    m_costs->addItem(tr("Size of the tables"), int(Cost::Bytes));
    if (chosen)
        m_costs->setCurrentIndex(std::max(0, m_costs->findData(int(wanted))));
    refill();
}

void LutFront::refill() {
    m_dots.clear();
    QString why;
    std::vector<double> costs, accuracies;
    const auto& outcomes = m_calibration->outcomes();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        double value = double(outcomes[i].tableBytes());
        if (cost() != Cost::Bytes) {
            const auto known = costOf(outcomes[i].sizes(), why);
            if (!known)
                continue;
            value = *known;
        }
        m_dots.push_back({static_cast<int>(i), value, outcomes[i].converted, false});
        costs.push_back(value);
        accuracies.push_back(outcomes[i].converted);
    }
    QVector<double> frontX, frontY, x, y;
    for (const std::size_t at : lutFront(costs, accuracies)) {
        m_dots[at].isOnFront = true;
        frontX << costs[at];
        frontY << accuracies[at];
    }
    m_plot->clearItems();
    for (const Dot& dot : m_dots) {
        if (!dot.isOnFront) {
            x << dot.cost;
            y << dot.accuracy;
        }
        if (!dot.isOnFront) // the others have tips
            continue;
        auto* name = new QCPItemText(m_plot);
        const auto& table = lut::conversionTable();
        const OptionTexts& options = outcomes[static_cast<std::size_t>(dot.outcome)].options;
        name->setText(
            QStringLiteral("%1, %2").arg(text(table.value(options, "v")), text(table.value(options, "ct"))));
        name->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
        name->setPadding(QMargins(5, 0, 0, 3));
        name->position->setCoords(dot.cost, dot.accuracy);
    }
    m_front->setData(frontX, frontY, true);
    m_others->setData(x, y);
    m_plot->xAxis->setLabel(cost() == Cost::Time     ? tr("time of a request (labels: V, CT)")
                            : cost() == Cost::Energy ? tr("energy of a request (labels: V, CT)")
                                                     : tr("size of all tables (labels: V, CT)"));
    m_plot->xAxis->setTicker(
        QSharedPointer<LogFigureTicker>::create([of = cost()](double value) { return costText(of, value); }));
    drawWhatIf();
    style();
    mark();
    if (m_dots.empty())
        m_status->setText(why.isEmpty() ? tr("Nothing is calibrated yet") : why);
}

/// Hidden it would keep its row.
void LutFront::showLegend(bool isWanted) {
    QCPLegend* const legend = m_plot->legend;
    if (isWanted == (legend->layout() != nullptr))
        return;
    legend->setVisible(isWanted);
    if (isWanted)
        m_plot->plotLayout()->addElement(0, 0, legend);
    else
        m_plot->plotLayout()->take(legend);
}

/// A line where the sizes that the sliders say would be; how often they are right only a calibration tells.
void LutFront::drawWhatIf() {
    m_asked->data()->clear();
    QString why;
    std::optional<double> at;
    const LutSizes sizes = m_whatIf->sizes();
    if (!sizes.empty() && m_whatIf->isTouched())
        at = cost() == Cost::Bytes ? std::optional(m_whatIf->tableBytes()) : costOf(sizes, why);
    if (at)
        m_asked->setData({*at, *at}, {0, 1});
    m_whatIf->tell(m_whatIf->isTouched() ? m_plans->costOf(sizes) : nullptr);
    fit();
}

void LutFront::fit() {
    if (m_dots.empty())
        return m_dense->data()->clear();
    double left = HUGE_VAL, right = 0, low = 1;
    for (const Dot& dot : m_dots) {
        left = std::min(left, dot.cost);
        right = std::max(right, dot.cost);
        low = std::min(low, dot.accuracy);
    }
    if (!m_asked->data()->isEmpty()) {
        left = std::min(left, m_asked->data()->begin()->key);
        right = std::max(right, m_asked->data()->begin()->key);
    }
    const double dense = m_calibration->outcomes().back().dense;
    constexpr double kFar = 1e3; // wherever one drags to
    m_dense->setData({left / kFar, right * kFar}, {dense, dense}, true);
    const double margin = std::max(0.02, (std::max(dense, low) - low) * 0.12);
    const double beside = std::clamp(std::pow(right / left, 0.1), 1.01, 1.6);
    m_plot->xAxis->setRange(left / beside, right * beside * beside); // room for the label of the last
    m_plot->yAxis->setRange(low - margin, std::max(dense, low) + margin);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LutFront::mark() {
    m_marked->data()->clear();
    for (const Dot& dot : m_dots)
        if (dot.outcome == m_calibration->shownIndex()) {
            m_marked->setData({dot.cost}, {dot.accuracy});
            m_status->setText(tip(dot).replace(u'\n', QStringLiteral(" · ")));
        }
    announceCurrent(m_plot);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QPointF LutFront::pixelOf(const Dot& dot) const {
    return {m_plot->xAxis->coordToPixel(dot.cost), m_plot->yAxis->coordToPixel(dot.accuracy)};
}

QString LutFront::tip(const Dot& dot) const {
    const LutOutcome& outcome = m_calibration->outcomes()[static_cast<std::size_t>(dot.outcome)];
    return tr("%1\n%2 of the test samples right, %3 percentage points lost\n%4%5")
        .arg(outcome.text(), text(percentText(dot.accuracy)))
        .arg(100 * (outcome.dense - outcome.converted), 0, 'f', 2)
        .arg(costText(cost(), dot.cost), dot.isOnFront ? tr(" · on the front") : QString());
}

const LutFront::Dot* LutFront::nearest(const QPointF& position) const {
    const Dot* found = nullptr;
    double least = kDotReach;
    for (const Dot& dot : m_dots) {
        const QPointF by = pixelOf(dot) - position;
        if (std::hypot(by.x(), by.y()) < least) {
            least = std::hypot(by.x(), by.y());
            found = &dot;
        }
    }
    return found;
}

bool LutFront::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::Resize) {
        m_plot->legend->setWrap(m_plot->width() < 520 ? 3 : 5);
        m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst, true);
        showLegend(m_plot->height() >= kLeastForLegend);
    }
    if (event->type() == QEvent::MouseButtonPress &&
        static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
        if (const Dot* const dot = nearest(static_cast<QMouseEvent*>(event)->position()))
            m_calibration->show(dot->outcome);
    if (event->type() == QEvent::MouseButtonDblClick)
        fit();
    if (event->type() == QEvent::KeyPress && !m_dots.empty()) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_F) {
            fit();
            return true;
        }
        if (key == Qt::Key_Left || key == Qt::Key_Right) {
            std::vector<Dot> order = m_dots;
            std::ranges::stable_sort(order, {}, &Dot::cost);
            const auto now = std::ranges::find(order, m_calibration->shownIndex(), &Dot::outcome);
            const auto at = now == order.end() ? 0 : now - order.begin() + (key == Qt::Key_Right ? 1 : -1);
            m_calibration->show(
                order[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ssize(order) - 1))]
                    .outcome);
            return true;
        }
    }
    const auto tipAt = [this](const QPoint& at) {
        const Dot* const dot = nearest(at);
        return dot ? tip(*dot) : QString();
    };
    return answerToolTip(event, m_plot, tipAt) || QWidget::eventFilter(watched, event);
}

void LutFront::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

void LutFront::style() {
    stylePlot(m_plot);
    const QColor front = color(Role::Compute), other = color(Role::Muted), ink = color(Role::NodeText);
    m_front->setPen(QPen(front, 1.6));
    m_front->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, front, front, 8));
    m_others->setLineStyle(QCPGraph::lsNone);
    m_others->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(other, 1.6), Qt::NoBrush, 7));
    m_dense->setPen(QPen(ink, 1.2, Qt::DashLine));
    m_asked->setPen(QPen(color(Role::Selection), 1.6, Qt::DotLine));
    m_marked->setLineStyle(QCPGraph::lsNone);
    m_marked->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color(Role::Selection), 2.5), Qt::NoBrush, 15));
    for (int i = 0; i < m_plot->itemCount(); ++i)
        if (auto* name = qobject_cast<QCPItemText*>(m_plot->item(i))) {
            name->setColor(ink);
            name->setFont(m_plot->font());
        }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace pim::views
