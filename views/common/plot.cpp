// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plot.h"

#include "views/common/palette.h"
#include "views/common/plot_ticks.h"

#include <QKeyEvent>
#include <QToolTip>

#include <cmath>

namespace pim::views {
namespace {

/// As written at the axis, though between the ticks.
QString valueText(const QCPAxis* axis, double value) {
    const QSharedPointer<QCPAxisTicker> ticker = axis->ticker();
    if (const auto* figures = dynamic_cast<const FigureTicker*>(ticker.data()))
        return figures->text(value);
    if (auto* names = dynamic_cast<QCPAxisTickerText*>(ticker.data())) {
        const QString name = names->ticks().value(value);
        return name.isEmpty() ? QLocale().toString(value, 'g', 4) : name;
    }
    return QLocale().toString(value, 'g', 4);
}

QString labelled(const QCPAxis* axis, double value) {
    return axis->label().isEmpty() ? valueText(axis, value)
                                   : QStringLiteral("%1 %2").arg(axis->label(), valueText(axis, value));
}

} // namespace

Plot::Plot(QWidget* parent) : QCustomPlot(parent) {
    setPlottingHint(QCP::phImmediateRefresh, false);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QCustomPlot::afterLayout, this, &Plot::fitLegend);
    setCanvasItems(this, this,
                   {[this] { return points(); }, [this](int item) { return spoken(pointAt(item)); },
                    [this] { return m_current ? itemOf(*m_current) : -1; },
                    [this](int item) { goTo(pointAt(item)); },
                    [this](const QPointF& at) { return nearest(at); }});
}

QString Plot::currentText() const {
    if (!m_current || itemOf(*m_current) < 0)
        return {};
    const CanvasItem item = spoken(*m_current);
    return item.name + u'\n' + item.value;
}

int Plot::pointsOf(int series) const {
    QCPAbstractPlottable* of = const_cast<Plot*>(this)->plottable(series);
    const QCPPlottableInterface1D* held = of && of->realVisibility() ? of->interface1D() : nullptr;
    return held ? held->dataCount() : 0;
}

int Plot::points() const {
    int count = 0;
    for (int series = 0; series < plottableCount(); ++series)
        count += pointsOf(series);
    return count;
}

Plot::Point Plot::pointAt(int item) const {
    int series = 0;
    for (; series + 1 < plottableCount() && item >= pointsOf(series); ++series)
        item -= pointsOf(series);
    return {series, item};
}

int Plot::itemOf(const Point& point) const {
    if (point.index >= pointsOf(point.series))
        return -1;
    int item = point.index;
    for (int series = 0; series < point.series; ++series)
        item += pointsOf(series);
    return item;
}

QPointF Plot::pixelOf(const Point& point) const {
    return const_cast<Plot*>(this)->plottable(point.series)->interface1D()->dataPixelPosition(point.index);
}

int Plot::nearest(const QPointF& position) const {
    constexpr double kReach = 9;
    int found = -1, item = 0;
    double least = kReach;
    for (int series = 0; series < plottableCount(); ++series)
        for (int index = 0, count = pointsOf(series); index < count; ++index, ++item) {
            const QPointF off = pixelOf({series, index}) - position;
            if (const double distance = std::hypot(off.x(), off.y()); distance < least) {
                least = distance;
                found = item;
            }
        }
    return found;
}

CanvasItem Plot::spoken(const Point& point) const {
    constexpr double kAround = 5; // pixels
    auto* plot = const_cast<Plot*>(this);
    QCPAbstractPlottable* series = plot->plottable(point.series);
    const QCPPlottableInterface1D* held = series->interface1D();
    const QString key = labelled(series->keyAxis(), held->dataMainKey(point.index));
    const QString value = labelled(series->valueAxis(), held->dataMainValue(point.index));
    const bool isNamed = legend && plot->legend->hasItemWithPlottable(series);
    const QPointF at = pixelOf(point);
    return {isNamed ? QStringLiteral("%1, %2").arg(series->name(), key) : key, value,
            QRectF(at.x() - kAround, at.y() - kAround, 2 * kAround, 2 * kAround), m_current == point};
}

std::optional<Plot::Point> Plot::after(int key) const {
    if (!m_current || itemOf(*m_current) < 0)
        return pointAt(0);
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const int next = m_current->index + (key == Qt::Key_Right ? 1 : -1);
        return Point{m_current->series, std::clamp(next, 0, pointsOf(m_current->series) - 1)};
    }
    const int by = key == Qt::Key_Down ? 1 : -1;
    for (int series = m_current->series + by; series >= 0 && series < plottableCount(); series += by)
        if (const int count = pointsOf(series); count > 0)
            return Point{series, std::min(m_current->index, count - 1)};
    return m_current;
}

void Plot::goTo(std::optional<Point> point) {
    constexpr double kRadius = 8;
    m_current = point;
    if (m_ring)
        m_ring->setVisible(point.has_value());
    if (point) {
        if (!m_ring) {
            m_ring = new QCPItemEllipse(this);
            m_ring->setSelectable(false);
            m_ring->setClipToAxisRect(false);
            for (QCPItemPosition* position : {m_ring->topLeft, m_ring->bottomRight})
                position->setType(QCPItemPosition::ptAbsolute);
        }
        const QPointF at = pixelOf(*point), corner(kRadius, kRadius);
        m_ring->topLeft->setCoords(at - corner);
        m_ring->bottomRight->setCoords(at + corner);
        m_ring->setPen(QPen(color(Role::Selection), 2));
        QToolTip::showText(mapToGlobal(at.toPoint()), currentText(), this);
        announceCurrent(this);
    }
    replot(rpQueuedReplot);
}

void Plot::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (points() > 0)
            return goTo(after(event->key()));
        break;
    case Qt::Key_Escape:
        if (m_current)
            return goTo({});
        break;
    default:
        break;
    }
    QCustomPlot::keyPressEvent(event);
}

void Plot::focusOutEvent(QFocusEvent* event) {
    if (m_current)
        goTo({});
    QCustomPlot::focusOutEvent(event);
}

void Plot::resizeEvent(QResizeEvent*) {
    setViewport(rect());
    if (m_current)
        goTo({}); // it is elsewhere now
    replot(rpQueuedReplot);
}

void Plot::fitLegend() {
    constexpr double kMostOfWidth = 0.6;
    if (!legend || !axisRect() || !axisRect()->insetLayout()->elements(false).contains(legend))
        return;
    const QSize needed = legend->outerRect().size(), room = axisRect()->size();
    // By its layer: whether there is one at all is the business of those who draw.
    legend->layer()->setVisible(needed.height() <= room.height() &&
                                needed.width() <= kMostOfWidth * room.width());
}

} // namespace pim::views
