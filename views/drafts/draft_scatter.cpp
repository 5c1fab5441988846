// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/drafts/draft_scatter.h"

#include "core/base/number_text.h"
#include "views/common/origin_style.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/tool_tips.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <cmath>

namespace pim::views {
namespace {

constexpr double kSmallest = 1e-3; ///< What an axis of powers of ten shows for nothing.
constexpr double kReach = 12;      ///< Pixels around a dot that a click takes for it.

constexpr const char* kWords[kDraftAxes] = {
    QT_TRANSLATE_NOOP("pim::views::DraftScatter", "total time"),
    QT_TRANSLATE_NOOP("pim::views::DraftScatter", "compute"),
    QT_TRANSLATE_NOOP("pim::views::DraftScatter", "rearrangement in + out"),
    QT_TRANSLATE_NOOP("pim::views::DraftScatter", "input rearrangement"),
    QT_TRANSLATE_NOOP("pim::views::DraftScatter", "output rearrangement"),
    QT_TRANSLATE_NOOP("pim::views::DraftScatter", "mode switch"),
    QT_TRANSLATE_NOOP("pim::views::DraftScatter", "memory of the fullest core"),
    QT_TRANSLATE_NOOP("pim::views::DraftScatter", "bytes moved"),
    QT_TRANSLATE_NOOP("pim::views::DraftScatter", "cores with work"),
};

QString axisText(DraftAxis axis, double value) {
    return QString::fromStdString(isTime(axis)               ? timeText(value)
                                  : axis == DraftAxis::Cores ? exactText(static_cast<std::int64_t>(value))
                                                             : bytesText(value));
}

/// A million overlapping dots tell no more than one a pixel: keep the first of every cell of a fine grid.
std::vector<std::size_t> onePerPixel(const std::vector<double>& x, const std::vector<double>& y,
                                     std::size_t from, std::size_t to) {
    constexpr int kCells = 600;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (std::size_t i = from; i < to; ++i) {
        const double at[2] = {x[i], y[i]};
        for (int axis = 0; axis < 2; ++axis) {
            low[axis] = std::min(low[axis], at[axis]);
            high[axis] = std::max(high[axis], at[axis]);
        }
    }
    const auto cell = [&](double value, int axis) {
        const double range = std::log(high[axis] / low[axis]);
        return range > 0 ? static_cast<int>(std::log(value / low[axis]) / range * (kCells - 1)) : 0;
    };
    std::vector<bool> taken(kCells * kCells);
    std::vector<std::size_t> shown;
    for (std::size_t i = from; i < to; ++i) {
        auto at = taken.begin() + cell(x[i], 0) * kCells + cell(y[i], 1);
        if (!*at) {
            *at = true;
            shown.push_back(i);
        }
    }
    return shown;
}

} // namespace

double timeOn(DraftAxis axis, const CostSplit& cost) {
    switch (axis) {
    case DraftAxis::Compute:
        return cost.computeNs;
    case DraftAxis::Rearrangement:
        return cost.inputNs + cost.outputNs;
    case DraftAxis::Input:
        return cost.inputNs;
    case DraftAxis::Output:
        return cost.outputNs;
    case DraftAxis::ModeSwitch:
        return cost.modeSwitchNs;
    default:
        return cost.totalNs();
    }
}

std::vector<std::size_t> paretoFront(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<std::size_t> order(x.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(x[a], y[a]) < std::pair(x[b], y[b]);
    });
    std::vector<std::size_t> front;
    double lowest = HUGE_VAL;
    for (const std::size_t i : order)
        if (y[i] < lowest) {
            lowest = y[i];
            front.push_back(i);
        }
    return front;
}

DraftScatter::DraftScatter(DraftBoard& board, QWidget* parent)
    : QWidget(parent), m_board(board), m_plot(new Plot) {
    setObjectName(QStringLiteral("DraftScatter"));
    m_plot->setAccessibleName(tr("Scatter of drafts"));
    m_plot->setAccessibleDescription(tr("Left and Right walk along the Pareto front"));
    m_plot->setMinimumSize(180, 120);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->installEventFilter(this);
    const auto graph = [this](const QString& name) {
        QCPGraph* made = m_plot->addGraph();
        made->setName(name);
        return made;
    };
    m_rejected = graph(tr("rejected"));
    m_points = graph(tr("drafts ≈"));
    m_frontLine = graph(tr("Pareto front"));
    m_simulated = graph(tr("simulated"));
    m_current = graph(tr("in force"));
    m_selected = graph(tr("selected"));
    m_plot->legend->setVisible(true);
    // In a row of its own above the points: inside, it would hide the slow drafts.
    m_plot->plotLayout()->insertRow(0);
    m_plot->plotLayout()->addElement(0, 0, m_plot->legend);
    m_plot->plotLayout()->setRowStretchFactor(0, 0.001);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setSubTicks(false);
    }
    installPlotExport(m_plot, QStringLiteral("drafts"));
    setCanvasItems(
        m_plot, this,
        {[this] { return static_cast<int>(walked().size()); },
         [this](int item) {
             const std::size_t position = walked()[static_cast<std::size_t>(item)];
             constexpr double kAround = 6; // pixels
             const QPointF at = pixelOf(position), corner(kAround, kAround);
             const QStringList lines = tip(position).split(u'\n');
             return CanvasItem{
                 tr("draft %1").arg(lines.front()),
                 QStringList(lines.mid(1) << (position == m_inForce ? tr("in force") : QString()))
                     .join(QStringLiteral(", ")),
                 QRectF(at - corner, at + corner), position == m_selectedAt};
         },
         [this] {
             const auto all = walked();
             const auto found = m_selectedAt ? std::find(all.begin(), all.end(), *m_selectedAt) : all.end();
             return found == all.end() ? -1 : static_cast<int>(found - all.begin());
         },
         [this](int item) { emit picked(walked()[static_cast<std::size_t>(item)]); },
         {},
         [this](int item) { return static_cast<qint64>(walked()[static_cast<std::size_t>(item)]); }});

    auto* bar = new QHBoxLayout;
    const QString names[] = {tr("X"), tr("Y")};
    const QString accessible[] = {tr("What the X axis shows"), tr("What the Y axis shows")};
    for (std::size_t i = 0; i < 2; ++i) {
        m_boxes[i] = new QComboBox;
        for (int axis = 0; axis < kDraftAxes; ++axis)
            m_boxes[i]->addItem(tr(kWords[axis]));
        m_boxes[i]->setCurrentIndex(static_cast<int>(m_axes[i]));
        m_boxes[i]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_boxes[i]->setMinimumContentsLength(6);
        m_boxes[i]->setAccessibleName(accessible[i]);
        m_boxes[i]->setToolTip(accessible[i]);
        auto* label = new QLabel(names[i]);
        label->setBuddy(m_boxes[i]);
        bar->addWidget(label);
        bar->addWidget(m_boxes[i], 1);
        connect(m_boxes[i], &QComboBox::currentIndexChanged, this, [this] {
            setAxes(static_cast<DraftAxis>(m_boxes[0]->currentIndex()),
                    static_cast<DraftAxis>(m_boxes[1]->currentIndex()));
            emit axesChanged();
        });
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(bar);
    layout->addWidget(m_plot, 1);
    connect(&board, &DraftBoard::changed, this, [this] {
        if (m_exploration && std::min(m_values[0].size(), m_values[1].size()) < m_exploration->drafts.size())
            refill(); // the figures that were worked out are there
        else
            refillSimulated();
    });
    style();
    labelAxes();
}

void DraftScatter::setExploration(std::shared_ptr<const Exploration> exploration) {
    m_exploration = std::move(exploration);
    m_inForce.reset();
    m_selectedAt.reset();
    refill();
}

void DraftScatter::setAxes(DraftAxis x, DraftAxis y) {
    m_axes = {x, y};
    for (std::size_t i = 0; i < 2; ++i) {
        const QSignalBlocker quiet(m_boxes[i]);
        m_boxes[i]->setCurrentIndex(static_cast<int>(m_axes[i]));
    }
    labelAxes();
    refill();
}

std::vector<double> DraftScatter::figures(DraftAxis axis) const {
    if (isTime(axis)) {
        std::vector<double> values;
        values.reserve(m_exploration->costs.size());
        for (const CostSplit& cost : m_exploration->costs)
            values.push_back(std::max(timeOn(axis, cost), kSmallest));
        return values;
    }
    const auto shapes = m_board.shapes();
    if (!shapes || shapes->exploration != m_exploration)
        return {};
    std::vector<double> values = axis == DraftAxis::Memory  ? shapes->bytesPerCore
                                 : axis == DraftAxis::Cores ? shapes->coresUsed
                                                            : shapes->movedBytes;
    for (double& value : values)
        value = std::max(value, kSmallest);
    return values;
}

void DraftScatter::refill() {
    for (QCPGraph* graph : {m_rejected, m_points, m_frontLine, m_simulated, m_current, m_selected})
        graph->data()->clear();
    m_front.clear();
    m_values = {};
    if (m_exploration)
        m_values = {figures(m_axes[0]), figures(m_axes[1])};
    const std::size_t kept = m_exploration ? m_exploration->drafts.size() : 0,
                      known = std::min(m_values[0].size(), m_values[1].size());
    if (known < kept || kept == 0)
        return m_plot->replot(QCustomPlot::rpQueuedReplot);
    const auto fill = [this](QCPGraph* graph, const std::vector<std::size_t>& positions) {
        QVector<double> x, y;
        for (const std::size_t i : positions) {
            x << m_values[0][i];
            y << m_values[1][i];
        }
        graph->setData(x, y);
    };
    fill(m_points, onePerPixel(m_values[0], m_values[1], 0, kept));
    fill(m_rejected, onePerPixel(m_values[0], m_values[1], kept, known));
    m_front = paretoFront({m_values[0].begin(), m_values[0].begin() + static_cast<std::ptrdiff_t>(kept)},
                          {m_values[1].begin(), m_values[1].begin() + static_cast<std::ptrdiff_t>(kept)});
    fill(m_frontLine, m_front);
    announceItems(m_plot);
    refillSimulated();
    m_plot->rescaleAxes();
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->scaleRange(1.15);
        // Drafts that differ in one figure only would leave the other axis without extent.
        if (axis->range().upper < axis->range().lower * 1.5)
            axis->setRange(axis->range().lower / 1.5, axis->range().upper * 1.5);
    }
    setMarked(m_inForce, m_selectedAt);
}

void DraftScatter::refillSimulated() {
    QVector<double> x, y;
    const auto at = [this](std::size_t axis, std::size_t i, const CostSplit& cost) {
        return isTime(m_axes[axis]) ? std::max(timeOn(m_axes[axis], cost), kSmallest) : m_values[axis][i];
    };
    const std::size_t known = std::min(m_values[0].size(), m_values[1].size());
    if (m_board.simulatedCount() > 0 && (isTime(m_axes[0]) || isTime(m_axes[1])))
        for (std::size_t i = 0; m_exploration && i < std::min(known, m_exploration->drafts.size()); ++i)
            if (const SimulatedDraft* draft = m_board.simulated(i); draft && draft->problem.empty()) {
                x << at(0, i, draft->cost);
                y << at(1, i, draft->cost);
            }
    m_simulated->setData(x, y);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void DraftScatter::setMarked(std::optional<std::size_t> inForce, std::optional<std::size_t> selected) {
    m_inForce = inForce;
    m_selectedAt = selected;
    const std::size_t known = std::min(m_values[0].size(), m_values[1].size());
    const auto mark = [&](QCPGraph* graph, std::optional<std::size_t> position) {
        if (position && *position < known)
            graph->setData({m_values[0][*position]}, {m_values[1][*position]});
        else
            graph->data()->clear();
    };
    mark(m_current, inForce);
    mark(m_selected, selected);
    announceCurrent(m_plot);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QPointF DraftScatter::pixelOf(std::size_t position) const {
    return {m_plot->xAxis->coordToPixel(m_values[0].at(position)),
            m_plot->yAxis->coordToPixel(m_values[1].at(position))};
}

std::optional<std::size_t> DraftScatter::nearest(const QPointF& position) const {
    std::optional<std::size_t> hit;
    double closest = kReach * kReach;
    const auto look = [&](std::size_t i, double advantage) {
        const QPointF d = pixelOf(i) - position;
        if (const double distance = (d.x() * d.x() + d.y() * d.y()) * advantage; distance < closest) {
            closest = distance;
            hit = i;
        }
    };
    for (const std::size_t i : m_front)
        look(i, 0.5); // where dots crowd, the front is what is meant
    for (std::size_t i = 0; i < std::min(m_values[0].size(), m_values[1].size()); ++i)
        look(i, 1);
    return hit;
}

void DraftScatter::pick(const QPoint& position) {
    if (const auto hit = nearest(position))
        emit picked(*hit);
}

/// The front, and the draft that is selected where it is not on it.
std::vector<std::size_t> DraftScatter::walked() const {
    std::vector<std::size_t> all = m_front;
    if (m_selectedAt && *m_selectedAt < std::min(m_values[0].size(), m_values[1].size()) &&
        std::find(all.begin(), all.end(), *m_selectedAt) == all.end())
        all.push_back(*m_selectedAt);
    return all;
}

void DraftScatter::walkFront(int step) {
    if (m_front.empty())
        return;
    const auto at = m_selectedAt ? std::find(m_front.begin(), m_front.end(), *m_selectedAt) : m_front.end();
    const auto last = static_cast<std::ptrdiff_t>(m_front.size()) - 1;
    const std::ptrdiff_t next = at == m_front.end()
                                    ? (step > 0 ? 0 : last)
                                    : std::clamp<std::ptrdiff_t>(at - m_front.begin() + step, 0, last);
    emit picked(m_front[static_cast<std::size_t>(next)]);
}

QString DraftScatter::tip(std::size_t position) const {
    const std::size_t kept = m_exploration->drafts.size();
    const bool rejected = position >= kept;
    const Draft& draft =
        rejected ? m_exploration->rejected[position - kept].draft : m_exploration->drafts[position];
    QString text = QString::fromStdString(m_exploration->space->draftText(draft));
    if (rejected)
        text += QStringLiteral("\n") + tr("rejected: %1")
                                           .arg(QString::fromStdString(std::string(
                                               name(m_exploration->rejected[position - kept].rule))));
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const double value = m_values[axis][position];
        const QString figure = isTime(m_axes[axis]) ? figureText(m_exploration->origin, timeText(value))
                                                    : axisText(m_axes[axis], value);
        text += QStringLiteral("\n%1: %2").arg(tr(kWords[static_cast<std::size_t>(m_axes[axis])]), figure);
    }
    if (const SimulatedDraft* simulated = rejected ? nullptr : m_board.simulated(position);
        simulated && simulated->problem.empty())
        text += QStringLiteral("\n") +
                tr("simulated total: %1").arg(QString::fromStdString(timeText(simulated->cost.totalNs())));
    return text;
}

/// What is cut off says nothing: a small plot has no legend, and the boxes above it name its axes.
void DraftScatter::labelAxes() {
    const auto label = [&](QCPAxis* axis, std::size_t which, int room) {
        const DraftAxis what = m_axes[which];
        const QString full =
            (isTime(what) ? QStringLiteral("≈ ") : QString()) + tr(kWords[static_cast<std::size_t>(what)]);
        axis->setLabel(QFontMetrics(axis->labelFont()).horizontalAdvance(full) <= room ? full : QString());
        const bool isBytes = !isTime(what) && what != DraftAxis::Cores;
        auto ticks = QSharedPointer<LogFigureTicker>::create(
            [what](double value) { return axisText(what, value); }, isBytes ? 2 : 10);
        ticks->setTickCount(room < 130 ? 2 : 4);
        axis->setTicker(ticks);
    };
    label(m_plot->xAxis, 0, m_plot->width() - 90);
    label(m_plot->yAxis, 1, m_plot->height() - 70);
    const bool legend = m_plot->height() > 230;
    m_plot->legend->setWrap(m_plot->width() < 330 ? 2 : 3);
    m_plot->legend->setFillOrder(QCPLegend::foColumnsFirst, true); // in so many columns
    m_plot->legend->setVisible(legend);
    // What is not seen takes no room either. 0 would mean: as much as its content wants.
    m_plot->legend->setMinimumSize(legend ? QSize(0, 0) : QSize(1, 1));
    m_plot->legend->setMaximumSize(QWIDGETSIZE_MAX, legend ? QWIDGETSIZE_MAX : 1);
}

void DraftScatter::style() {
    stylePlot(m_plot);
    const auto dots = [](QCPGraph* graph, QCPScatterStyle::ScatterShape shape, Role role, double size) {
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(QCPScatterStyle(shape, QPen(color(role), 1.6), Qt::NoBrush, size));
    };
    dots(m_rejected, QCPScatterStyle::ssCross, Role::NoCost, 5);
    dots(m_points, QCPScatterStyle::ssDisc, Role::Muted, 3);
    dots(m_simulated, QCPScatterStyle::ssSquare, Role::Good, 7);
    dots(m_current, QCPScatterStyle::ssDiamond, Role::Accent, 13);
    dots(m_selected, QCPScatterStyle::ssCircle, Role::Selection, 13);
    m_frontLine->setLineStyle(QCPGraph::lsStepLeft);
    m_frontLine->setPen(QPen(color(Role::Compute), 1.5));
    m_frontLine->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color(Role::Compute), 5));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool DraftScatter::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::Resize)
        labelAxes();
    if (event->type() == QEvent::MouseButtonPress &&
        static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
        pick(static_cast<QMouseEvent*>(event)->pos());
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Left || key == Qt::Key_Right) {
            walkFront(key == Qt::Key_Right ? 1 : -1);
            return true;
        }
    }
    const auto tipAt = [this](const QPoint& at) {
        const auto hit = nearest(at);
        return hit ? tip(*hit) : QString();
    };
    if (answerToolTip(event, m_plot, tipAt))
        return true;
    return QWidget::eventFilter(watched, event);
}

void DraftScatter::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

} // namespace pim::views
