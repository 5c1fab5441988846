// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/roofline_plot.h"

#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/tool_tips.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace pim::views {
namespace {

constexpr double kDotReach = 14;                    ///< Pixels around a dot that the mouse takes for it.
constexpr double kBehindAll = 10;                   ///< Times the greatest intensity: ops that move nothing.
constexpr double kFarLeft = 1e-9, kFarRight = 1e12; ///< Wherever one drags to.

} // namespace

RooflinePlot::RooflinePlot(const QString& exportName, QWidget* parent) : Plot(parent) {
    setMinimumSize(200, 120);
    setMouseTracking(true);
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setScaleType(QCPAxis::stLogarithmic);
        axis->setSubTicks(false);
    }
    legend->setVisible(true);
    plotLayout()->insertRow(0); // in a row of its own: inside, it would hide the roofs
    plotLayout()->addElement(0, 0, legend);
    plotLayout()->setRowStretchFactor(0, 0.001);
    connect(this, &QCustomPlot::beforeReplot, this, &RooflinePlot::foldLegend);
    for (QCPGraph** graph : {&m_roof, &m_ring, &m_hoverRing}) {
        *graph = addGraph();
        (*graph)->removeFromLegend();
    }
    for (QCPGraph* ring : {m_ring, m_hoverRing})
        ring->setLineStyle(QCPGraph::lsNone);
    installPlotExport(this, exportName);
    setCanvasItems(this, this,
                   {[this] { return static_cast<int>(m_dots.size()); },
                    [this](int dot) {
                        const QPointF at = pixelOf(dot), corner(kDotReach / 2, kDotReach / 2);
                        return CanvasItem{m_dots[static_cast<std::size_t>(dot)].name,
                                          m_tipOf ? views::spoken(m_tipOf(dot)) : QString(),
                                          QRectF(at - corner, at + corner), dot == dotOf(m_selected)};
                    },
                    [this] { return dotOf(m_selected); }, [this](int dot) { choose(dot); },
                    [this](const QPointF& at) { return nearest(at); }});
    style();
}

void RooflinePlot::setDots(std::vector<Dot> dots) {
    m_dots = std::move(dots);
    double most = 0;
    for (const Dot& dot : m_dots)
        if (std::isfinite(dot.intensity))
            most = std::max(most, dot.intensity);
    m_edge = most > 0 ? most * kBehindAll : 1;
    for (QCPGraph* look : std::exchange(m_looks, {}))
        removeGraph(look);
    std::map<std::pair<QRgb, bool>, QCPGraph*> looks;
    for (int dot = 0; dot < std::ssize(m_dots); ++dot) {
        const Dot& of = m_dots[static_cast<std::size_t>(dot)];
        QCPGraph*& look = looks[{of.color.rgb(), of.isSquare}];
        if (!look) {
            look = addGraph();
            look->removeFromLegend();
            look->setLineStyle(QCPGraph::lsNone);
            look->setScatterStyle(of.isSquare
                                      ? QCPScatterStyle(QCPScatterStyle::ssSquare, of.color, of.color, 7)
                                      : QCPScatterStyle(QCPScatterStyle::ssDisc, of.color, 8));
            m_looks.push_back(look);
        }
        look->addData(place(dot).x(), place(dot).y());
    }
    m_hovered = {};
    showRings();
    announceItems(this);
}

QPointF RooflinePlot::place(int dot) const {
    const Dot& of = m_dots[static_cast<std::size_t>(dot)];
    return {std::isfinite(of.intensity) ? of.intensity : m_edge, of.speed};
}

QPointF RooflinePlot::pixelOf(int dot) const {
    const QPointF at = place(dot);
    return {xAxis->coordToPixel(at.x()), yAxis->coordToPixel(at.y())};
}

int RooflinePlot::dotOf(OpId op) const {
    const auto found = std::ranges::find(m_dots, op, &Dot::op);
    return op.valid() && found != m_dots.end() ? static_cast<int>(found - m_dots.begin()) : -1;
}

/// With room around.
void RooflinePlot::fit() {
    std::vector<QPointF> all = m_corners;
    for (int dot = 0; dot < std::ssize(m_dots); ++dot)
        all.push_back(place(dot));
    if (all.empty())
        return;
    const auto [left, right] = std::ranges::minmax(all, {}, &QPointF::x);
    const auto [low, high] = std::ranges::minmax(all, {}, &QPointF::y);
    xAxis->setRange(left.x() / 3, right.x() * 6);
    yAxis->setRange(low.y() / 3, high.y() * 3);
    replot(rpQueuedReplot);
}

void RooflinePlot::setSelectedOp(OpId op) {
    m_selected = op;
    showRings();
    announceCurrent(this);
}

void RooflinePlot::setHoveredOp(OpId op) {
    if (op == std::exchange(m_hovered, op))
        return;
    showRings();
}

void RooflinePlot::showRings() {
    for (const auto& [ring, op] : {std::pair(m_ring, m_selected), std::pair(m_hoverRing, m_hovered)}) {
        ring->data()->clear();
        if (const int dot = dotOf(op); dot >= 0)
            ring->addData(place(dot).x(), place(dot).y());
    }
    replot(rpQueuedReplot);
}

void RooflinePlot::draw(QCPGraph* line, double slope, double flat) {
    if (slope > 0 && flat > 0)
        line->setData({kFarLeft, flat / slope, kFarRight}, {kFarLeft * slope, flat, flat}, true);
    else if (slope > 0)
        line->setData({kFarLeft, kFarRight}, {kFarLeft * slope, kFarRight * slope}, true);
    else if (flat > 0)
        line->setData({kFarLeft, kFarRight}, {flat, flat}, true);
    else
        line->data()->clear();
}

void RooflinePlot::setRoof(double slope, double flat) {
    draw(m_roof, slope, flat);
    replot(rpQueuedReplot);
}

int RooflinePlot::nearest(const QPointF& position) const {
    int found = -1;
    double least = kDotReach;
    for (int dot = 0; dot < std::ssize(m_dots); ++dot) {
        const QPointF by = pixelOf(dot) - position;
        const double off = std::hypot(by.x(), by.y());
        // Where several stand at one place, the one that is selected stays so.
        if (off < least || (off <= least && m_dots[static_cast<std::size_t>(dot)].op == m_selected)) {
            least = off;
            found = dot;
        }
    }
    return found;
}

void RooflinePlot::choose(int dot) {
    if (dot < 0 || dot >= std::ssize(m_dots))
        return;
    const OpId op = m_dots[static_cast<std::size_t>(dot)].op;
    setSelectedOp(op);
    emit opChosen(op);
}

/// Along the intensity, then in the order of the dots.
void RooflinePlot::step(int by) {
    if (m_dots.empty())
        return;
    std::vector<int> order(m_dots.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [this](int dot) { return place(dot).x(); });
    const auto at = std::ranges::find(order, dotOf(m_selected));
    const std::ptrdiff_t next = at == order.end() ? 0 : at - order.begin() + by;
    choose(order[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, std::ssize(order) - 1))]);
}

void RooflinePlot::hover(OpId op) {
    if (op == m_hovered)
        return;
    setHoveredOp(op);
    emit opHovered(op);
}

bool RooflinePlot::event(QEvent* event) {
    const auto tipAt = [this](const QPoint& at) {
        const int dot = nearest(at);
        return dot < 0 || !m_tipOf ? QString() : m_tipOf(dot);
    };
    return answerToolTip(event, this, tipAt) || Plot::event(event);
}

void RooflinePlot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        return step(event->key() == Qt::Key_Right ? 1 : -1);
    case Qt::Key_F:
        return fit();
    default:
        QCustomPlot::keyPressEvent(event); // that of Plot goes from point to point of ceilings
    }
}

void RooflinePlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        choose(nearest(event->position()));
    Plot::mousePressEvent(event);
}

void RooflinePlot::mouseMoveEvent(QMouseEvent* event) {
    const int dot = event->buttons() == Qt::NoButton ? nearest(event->position()) : -1;
    hover(dot < 0 ? OpId() : m_dots[static_cast<std::size_t>(dot)].op);
    Plot::mouseMoveEvent(event);
}

void RooflinePlot::mouseDoubleClickEvent(QMouseEvent* event) {
    fit();
    Plot::mouseDoubleClickEvent(event);
}

void RooflinePlot::leaveEvent(QEvent* event) {
    hover({});
    Plot::leaveEvent(event);
}

void RooflinePlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    Plot::changeEvent(event);
}

/// As many entries side by side as the width takes.
void RooflinePlot::foldLegend() {
    int widest = 1;
    for (int cell = 0; cell < legend->elementCount(); ++cell)
        if (const QCPLayoutElement* const element = legend->elementAt(cell)) // the last row need not be full
            widest = std::max(widest, element->minimumOuterSizeHint().width() + legend->columnSpacing());
    const int across = std::max(1, width() / widest);
    if (across == legend->wrap())
        return;
    legend->setWrap(across);
    legend->setFillOrder(QCPLegend::foColumnsFirst, true); // those that are in it too
}

void RooflinePlot::style() {
    stylePlot(this);
    m_roof->setPen(QPen(color(Role::NodeText), 2));
    m_ring->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color(Role::Selection), 2.5), Qt::NoBrush, 15));
    m_hoverRing->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(color(Role::NodeText), 1.2), Qt::NoBrush, 15));
    replot(rpQueuedReplot);
}

} // namespace pim::views
