// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/parallel_plot.h"

#include "views/common/palette.h"
#include "views/common/plot_export.h"

#include <QEvent>
#include <QHelpEvent>
#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kTop = 40, kBottom = 22, kSide = 58;
constexpr double kReach = 14; ///< Pixels from an axis within which it is meant.

} // namespace

ParallelPlot::ParallelPlot(PointBrushes& points, QWidget* parent) : QWidget(parent), m_points(points) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Every point of the sweep as a line over all axes"));
    setAccessibleDescription(
        tr("Left and right choose an axis, up and down move its brush, Esc takes all brushes away"));
    installPlotExport(this, {QStringLiteral("sweep_parallel"), [this] { return size(); },
                             [this](QPainter& painter) { paint(painter, size()); },
                             [this] { return m_points.csv(); }});
    setCanvasItems(this, this,
                   {[this] { return axes(); }, [this](int axis) { return spokenAxis(axis); },
                    [this] { return axes() > 0 ? m_current : -1; },
                    [this](int axis) {
                        m_current = axis;
                        m_lines = {};
                        announceCurrent(this);
                        update();
                    },
                    [this](const QPointF& at) { return axisAt(at); }});
    connect(&points, &PointBrushes::pointsChanged, this, &ParallelPlot::place);
    connect(&points, &PointBrushes::pointsChanged, this, [this] { announceItems(this); });
    connect(&points, &PointBrushes::brushed, this, &ParallelPlot::sort);
    connect(&points, &PointBrushes::brushed, this, [this] { announceCurrent(this); });
    place();
}

void ParallelPlot::place() {
    m_current = std::clamp(m_current, 0, std::max(0, axes() - 1));
    m_dragged = m_dragged < axes() ? m_dragged : -1;
    const auto rows = static_cast<std::size_t>(m_points.rows());
    m_scales.clear();
    for (const PointColumn& axis : m_points.columns())
        m_scales.push_back(axis.extent());
    m_places.assign(m_scales.size(), std::vector<std::uint8_t>(rows));
    m_isWhole.assign(rows, true);
    for (int axis = 0; axis < axes(); ++axis)
        for (std::size_t row = 0; row < rows; ++row) {
            const double at = share(axis, m_points.column(axis).values[row]);
            m_isWhole[row] = m_isWhole[row] && std::isfinite(at);
            m_places[static_cast<std::size_t>(axis)][row] =
                std::isfinite(at) ? std::uint8_t(std::lround(std::clamp(at, 0.0, 1.0) * (kEnds - 1))) : 0;
        }
    sort();
}

/// Which line is of which kind.
void ParallelPlot::sort() {
    m_kinds.resize(m_isWhole.size());
    for (std::size_t row = 0; row < m_kinds.size(); ++row)
        m_kinds[row] = std::uint8_t(!m_isWhole[row]                ? kKinds
                                    : !m_points.isWithin(int(row)) ? kOutside
                                    : m_points.isMarked(int(row))  ? kMarked
                                                                   : kWithin);
    m_lines = {};
    update();
}

// ---- where things are ----

QRectF ParallelPlot::field(QSize size) const {
    return {kSide, kTop, std::max(1.0, size.width() - 2 * kSide),
            std::max(1.0, size.height() - kTop - kBottom)};
}

double ParallelPlot::axisX(int axis, QSize size) const {
    const QRectF inside = field(size);
    return axes() < 2 ? inside.center().x() : inside.left() + inside.width() * axis / (axes() - 1);
}

double ParallelPlot::axisX(int axis) const {
    return axisX(axis, size());
}

double ParallelPlot::share(int axis, double value) const {
    return m_points.column(axis).share(value, m_scales[static_cast<std::size_t>(axis)]);
}

double ParallelPlot::valueY(int axis, double value) const {
    const QRectF inside = field(size());
    return inside.bottom() - inside.height() * share(axis, value);
}

double ParallelPlot::valueAt(int axis, double y) const {
    const QRectF inside = field(size());
    return m_points.column(axis).valueAt((inside.bottom() - y) / inside.height(),
                                         m_scales[static_cast<std::size_t>(axis)]);
}

int ParallelPlot::axisAt(QPointF position) const {
    for (int axis = 0; axis < axes(); ++axis)
        if (std::abs(position.x() - axisX(axis)) <= kReach)
            return axis;
    return -1;
}

// ---- painting ----

void ParallelPlot::paintLines(QPainter& painter, QSize size) const {
    // Few lines stay lines, also in a vector file; of many, a picture of how many share a pixel.
    constexpr int kFew = 300, kFewInAFile = 5000;
    const bool isScreen = painter.paintEngine()->type() == QPaintEngine::Raster;
    const bool areFew = m_points.rows() <= (isScreen ? kFew : kFewInAFile);
    for (int axis = 0; axis + 1 < axes(); ++axis) {
        const Stretches stretches = stretchesFrom(axis);
        const QRectF inside = field(size);
        const QRectF room(QPointF(axisX(axis, size), inside.top()),
                          QPointF(axisX(axis + 1, size), inside.bottom()));
        if (areFew)
            paintEach(painter, room, stretches);
        else
            painter.drawImage(room.toAlignedRect().topLeft(),
                              pictureOf(room.toAlignedRect().size(), stretches));
    }
}

/// How many lines of a kind go from one place of an axis to one of the next.
ParallelPlot::Stretches ParallelPlot::stretchesFrom(int axis) const {
    Stretches stretches(static_cast<std::size_t>(kKinds * kEnds * kEnds));
    const auto& from = m_places[static_cast<std::size_t>(axis)];
    const auto& to = m_places[static_cast<std::size_t>(axis) + 1];
    for (std::size_t row = 0; row < m_kinds.size(); ++row) {
        const int kind = m_kinds[row];
        if (kind == kKinds)
            continue;
        ++stretches[static_cast<std::size_t>((kind * kEnds + from[row]) * kEnds + to[row])];
    }
    return stretches;
}

namespace {

QColor inkOf(int kind, double lines) {
    QColor ink = kind == ParallelPlot::kOutside  ? mix(color(Role::Canvas), color(Role::Muted), 0.35)
                 : kind == ParallelPlot::kWithin ? color(Role::Transfer)
                                                 : color(Role::Accent);
    constexpr double kStrongest = 8; // 255 lines and more look alike
    const double many = std::min(1.0, std::log2(1 + lines) / kStrongest);
    ink.setAlphaF(float(kind == ParallelPlot::kMarked    ? 1.0
                        : kind == ParallelPlot::kOutside ? 0.25
                                                         : 0.25 + 0.65 * many));
    return ink;
}

void forEachStretch(const ParallelPlot::Stretches& stretches, int kind, const auto& use) {
    constexpr int kEnds = ParallelPlot::kEnds;
    for (int a = 0; a < kEnds; ++a)
        for (int b = 0; b < kEnds; ++b)
            if (const int count = stretches[static_cast<std::size_t>((kind * kEnds + a) * kEnds + b)])
                use(double(a) / (kEnds - 1), double(b) / (kEnds - 1), count);
}

} // namespace

void ParallelPlot::paintEach(QPainter& painter, const QRectF& room, const Stretches& stretches) {
    const auto y = [&](double place) { return room.bottom() - room.height() * place; };
    for (int kind = 0; kind < kKinds; ++kind)
        forEachStretch(stretches, kind, [&](double a, double b, int count) {
            painter.setPen(QPen(inkOf(kind, count), kind == kMarked ? 1.8 : 1));
            painter.drawLine(QPointF(room.left(), y(a)), QPointF(room.right(), y(b)));
        });
}

QImage ParallelPlot::pictureOf(QSize size, const Stretches& stretches) {
    const int width = size.width(), height = size.height();
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    std::vector<float> lines(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (int kind = 0; kind < kKinds; ++kind) {
        std::ranges::fill(lines, 0.0F);
        forEachStretch(stretches, kind, [&](double a, double b, int count) {
            const double step = (a - b) * (height - 1) / std::max(1, width - 1);
            double y = (1 - a) * (height - 1);
            for (int x = 0; x < width; ++x, y += step) {
                // A steep line has more than one pixel in a column.
                const int top = std::max(0, int(std::min(y, y + step) + 0.5)),
                          bottom = std::min(height - 1, std::max(top, int(std::max(y, y + step) - 0.5)));
                for (int line = top; line <= bottom; ++line)
                    lines[static_cast<std::size_t>(line) * static_cast<std::size_t>(width) +
                          static_cast<std::size_t>(x)] += float(count);
            }
        });
        constexpr int kTones = 256;
        std::array<QRgb, kTones> tones{};
        for (int tone = 0; tone < kTones; ++tone)
            tones[static_cast<std::size_t>(tone)] = qPremultiply(inkOf(kind, tone).rgba());
        for (int row = 0; row < height; ++row) {
            auto* const pixels = reinterpret_cast<QRgb*>(image.scanLine(row));
            for (int x = 0; x < width; ++x)
                if (const float count =
                        lines[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x)];
                    count > 0) {
                    const QRgb over = tones[static_cast<std::size_t>(std::min(255.0F, count))];
                    const int rest = 255 - qAlpha(over);
                    const QRgb under = pixels[x];
                    pixels[x] = qRgba(
                        qRed(over) + qRed(under) * rest / 255, qGreen(over) + qGreen(under) * rest / 255,
                        qBlue(over) + qBlue(under) * rest / 255, qAlpha(over) + qAlpha(under) * rest / 255);
                }
        }
    }
    return image;
}

void ParallelPlot::paintAxes(QPainter& painter, QSize size) const {
    const QRectF inside = field(size);
    const QFontMetrics metrics(font());
    const double room = axes() > 1 ? inside.width() / (axes() - 1) - 8 : inside.width();
    painter.setFont(font());
    for (int axis = 0; axis < axes(); ++axis) {
        const PointColumn& column = m_points.column(axis);
        const double x = axisX(axis, size);
        painter.setPen(QPen(color(Role::NodeBorder), axis == m_current && hasFocus() ? 2.4 : 1.2));
        painter.drawLine(QPointF(x, inside.top()), QPointF(x, inside.bottom()));
        const double width = std::max(60.0, std::min(room, 2 * kSide + 40));
        // The names of neighbours take turns in height, so that each has twice the room.
        const double nameY = axis % 2 == 0 ? 1 : 1 + metrics.height();
        const QString name =
            metrics.elidedText(column.name, Qt::ElideMiddle, int(width * (axes() > 2 ? 1.7 : 1)));
        const double half = metrics.horizontalAdvance(name) / 2.0;
        const double middle = std::clamp(x, half + 2, std::max(half + 2, size.width() - half - 2));
        painter.setPen(color(Role::NodeText));
        painter.drawText(QPointF(middle - half, nameY + metrics.ascent()), name);
        const auto label = [&](double value, double y) {
            const QString text = metrics.elidedText(column.text(value), Qt::ElideMiddle, int(room));
            const QRectF box(x + 4, y - metrics.height() / 2.0, metrics.horizontalAdvance(text) + 4,
                             metrics.height());
            painter.fillRect(box, QColor::fromRgbF(color(Role::Canvas).redF(), color(Role::Canvas).greenF(),
                                                   color(Role::Canvas).blueF(), 0.75F));
            painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft, text);
        };
        const auto [low, high] = m_scales[static_cast<std::size_t>(axis)];
        const auto y = [&](double value) { return inside.bottom() - inside.height() * share(axis, value); };
        const int words = int(column.words.size());
        if (words > 0 && words * metrics.height() <= inside.height()) {
            for (int w = 0; w < words; ++w)
                label(w, y(w));
        } else {
            label(low, y(low));
            if (high > low)
                label(high, y(high));
        }
        if (const auto& brush = m_points.brush(axis)) {
            // Points that came later may have moved the axis away from it.
            const auto shown = [&, least = low, most = high](double value) {
                return y(std::clamp(value, least, most));
            };
            const QRectF box(QPointF(x - 6, shown(brush->second)), QPointF(x + 6, shown(brush->first)));
            QColor fill = color(Role::Selection);
            fill.setAlphaF(0.45F);
            painter.fillRect(box, fill);
            painter.setPen(QPen(color(Role::Accent), 1.2));
            painter.drawRect(box);
            painter.setPen(color(Role::NodeText));
            label(brush->first, box.bottom());
            label(brush->second, box.top());
        }
    }
}

void ParallelPlot::paint(QPainter& painter, QSize size) const {
    painter.fillRect(QRect(QPoint(), size), color(Role::Canvas));
    if (axes() < 2 || m_points.rows() == 0) {
        painter.setPen(color(Role::Muted));
        painter.drawText(QRect(QPoint(), size), Qt::AlignCenter, tr("Nothing to compare yet"));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintLines(painter, size);
    paintAxes(painter, size);
    painter.setPen(color(Role::Muted));
    const QString said = m_points.isBrushed()
                             ? tr("%1 of %2 points").arg(m_points.kept()).arg(m_points.rows())
                             : tr("%1 points; drag along an axis to keep some").arg(m_points.rows());
    painter.drawText(QRectF(4, size.height() - kBottom, size.width() - 8.0, kBottom),
                     Qt::AlignVCenter | Qt::AlignRight, said);
}

void ParallelPlot::paintEvent(QPaintEvent*) {
    if (m_lines.isNull() || m_lines.size() != size() * devicePixelRatioF()) {
        m_lines = QPixmap(size() * devicePixelRatioF());
        m_lines.setDevicePixelRatio(devicePixelRatioF());
        QPainter painter(&m_lines);
        paint(painter, size());
    }
    QPainter(this).drawPixmap(0, 0, m_lines);
}

void ParallelPlot::resizeEvent(QResizeEvent* event) {
    m_lines = {};
    QWidget::resizeEvent(event);
}

void ParallelPlot::changeEvent(QEvent* event) {
    m_lines = {};
    update();
    QWidget::changeEvent(event);
}

// ---- brushing ----

void ParallelPlot::mousePressEvent(QMouseEvent* event) {
    const int axis = event->button() == Qt::LeftButton ? axisAt(event->position()) : -1;
    if (axis < 0)
        return QWidget::mousePressEvent(event);
    m_dragged = m_current = axis;
    m_dragFrom = event->position().y();
    m_lines = {};
    update();
}

void ParallelPlot::mouseMoveEvent(QMouseEvent* event) {
    setCursor(axisAt(event->position()) >= 0 ? Qt::SizeVerCursor : Qt::ArrowCursor);
    constexpr double kMeant = 3; // less is a click
    if (m_dragged < 0 || std::abs(event->position().y() - m_dragFrom) < kMeant)
        return;
    m_points.setBrush(m_dragged,
                      std::pair(valueAt(m_dragged, m_dragFrom), valueAt(m_dragged, event->position().y())));
}

void ParallelPlot::mouseReleaseEvent(QMouseEvent* event) {
    constexpr double kMeant = 3;
    if (m_dragged >= 0 && std::abs(event->position().y() - m_dragFrom) < kMeant && m_points.brush(m_dragged))
        m_points.setBrush(m_dragged, std::nullopt); // a click takes the brush away
    m_dragged = -1;
}

void ParallelPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (axisAt(event->position()) < 0)
        return;
    m_dragged = -1;
    m_points.clear();
}

void ParallelPlot::keyPressEvent(QKeyEvent* event) {
    if (axes() == 0)
        return QWidget::keyPressEvent(event);
    const auto [low, high] = m_scales[static_cast<std::size_t>(m_current)];
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Left ? -1 : 1), 0, axes() - 1);
        m_lines = {};
        announceCurrent(this);
        return update();
    case Qt::Key_Up:
    case Qt::Key_Down: {
        // A fifth of the axis, moved by a tenth; the first press brushes the end that the arrow points to.
        const bool isUp = event->key() == Qt::Key_Up;
        const auto now = m_points.brush(m_current);
        const auto y = [&](double value) { return valueY(m_current, value); };
        const double tall = field(size()).height();
        const double middle =
            now ? (y(now->first) + y(now->second)) / 2 + (isUp ? -0.1 : 0.1) * tall : y(isUp ? high : low);
        return m_points.setBrush(m_current, std::pair(valueAt(m_current, middle + 0.1 * tall),
                                                      valueAt(m_current, middle - 0.1 * tall)));
    }
    case Qt::Key_Escape:
        if (!m_points.isBrushed())
            return QWidget::keyPressEvent(event);
        return m_points.clear();
    default:
        QWidget::keyPressEvent(event);
    }
}

CanvasItem ParallelPlot::spokenAxis(int axis) const {
    const PointColumn& column = m_points.column(axis);
    const auto [low, high] = m_scales[static_cast<std::size_t>(axis)];
    QString value = tr("%1 to %2").arg(column.text(low), column.text(high));
    if (const auto brush = m_points.brush(axis))
        value += tr(", kept from %1 to %2").arg(column.text(brush->first), column.text(brush->second));
    constexpr double kAround = 8; // pixels
    const QRectF all = field(size());
    return {column.name, value, QRectF(axisX(axis) - kAround, all.top(), 2 * kAround, all.height()),
            axis == m_current};
}

bool ParallelPlot::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* const help = static_cast<QHelpEvent*>(event);
    const int axis = axisAt(help->pos());
    if (axis >= 0)
        QToolTip::showText(
            help->globalPos(),
            tr("%1\n%2 to %3\nDrag to keep what is within, click to keep all again; a double click takes all "
               "brushes away")
                .arg(m_points.column(axis).name,
                     m_points.column(axis).text(m_scales[static_cast<std::size_t>(axis)].first),
                     m_points.column(axis).text(m_scales[static_cast<std::size_t>(axis)].second)),
            this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace pim::views
