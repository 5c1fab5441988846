// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dram_pim/grid_canvas.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"

#include <QEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kLeastMark = 7; ///< Pixels: marks are seen however small their cells are.
constexpr double kDragDistance = 4;
constexpr double kLargestCell = 40; ///< Pixels; zooming in ends there.

QString numberAt(qint64 value) {
    return QString::fromStdString(exactText(value));
}

/// 1, 2, 5, 10, … so that labels this many cells apart do not touch.
qint64 labelStep(double cells) {
    for (qint64 power = 1;; power *= 10)
        for (const qint64 factor : {1, 2, 5})
            if (double(factor * power) >= cells)
                return factor * power;
}

} // namespace

GridCanvas::GridCanvas(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setCanvasItems(
        this, this,
        {[this] { return static_cast<int>(spokenCells().size()); },
         [this](int item) {
             const GridCell cell = spokenCells()[static_cast<std::size_t>(item)];
             return CanvasItem{
                 tr("%1 %2, %3 %4").arg(m_xName, numberAt(cell.x), m_yName, numberAt(m_firstRow + cell.y)),
                 m_cellText ? m_cellText(cell) : QString(), rectOf(cell), m_current == cell};
         },
         [this] { return m_current ? static_cast<int>(spokenCells().size()) - 1 : -1; },
         [this](int item) { choose(spokenCells()[static_cast<std::size_t>(item)]); },
         {},
         [this](int item) {
             const GridCell cell = spokenCells()[static_cast<std::size_t>(item)];
             return cell.y * m_columns + cell.x;
         }});
}

/// A grid may have more cells than anybody walks through: what is marked, then where the keys are.
std::vector<GridCell> GridCanvas::spokenCells() const {
    std::vector<GridCell> cells;
    for (const GridCell& mark : m_marks)
        if (mark != m_current)
            cells.push_back(mark);
    if (m_current)
        cells.push_back(*m_current);
    return cells;
}

void GridCanvas::setGrid(qint64 columns, qint64 rows, const QImage& image) {
    const bool isOther = columns != m_columns || rows != m_rows;
    m_columns = columns;
    m_rows = rows;
    m_image = image;
    if (isOther) {
        m_current.reset();
        m_marks.clear();
        fit();
    }
    update();
}

void GridCanvas::setAxes(const QString& x, const QString& y) {
    m_xName = x;
    m_yName = y;
    update();
}

void GridCanvas::setFirstRow(qint64 row) {
    m_firstRow = row;
    update();
}

void GridCanvas::setCurrent(std::optional<GridCell> cell) {
    m_current = cell;
    if (cell) {
        const QPointF middle(double(cell->x) + 0.5, double(cell->y) + 0.5);
        QRectF window = m_window;
        if (middle.x() < window.left() || middle.x() > window.right())
            window.moveCenter({middle.x(), window.center().y()});
        if (middle.y() < window.top() || middle.y() > window.bottom())
            window.moveCenter({window.center().x(), middle.y()});
        setWindow(window);
    }
    announceCurrent(this);
    update();
}

void GridCanvas::setMarks(std::vector<GridCell> cells) {
    m_marks = std::move(cells);
    announceItems(this);
    update();
}

QRectF GridCanvas::area() const {
    const QFontMetricsF metrics(font());
    const double left = 2 * metrics.height() +
                        metrics.horizontalAdvance(numberAt(m_firstRow + std::max<qint64>(0, m_rows - 1)));
    const double top = 6, bottom = 2 * metrics.height() + 6;
    return {left, top, std::max(1.0, width() - left - 8), std::max(1.0, height() - top - bottom)};
}

void GridCanvas::fit() {
    setWindow(QRectF(0, 0, double(m_columns), double(m_rows)));
}

void GridCanvas::setWindow(QRectF window) {
    const double columns = double(std::max<qint64>(1, m_columns)), rows = double(std::max<qint64>(1, m_rows));
    const QRectF where = area();
    const double width = std::clamp(window.width(), std::min(columns, where.width() / kLargestCell), columns);
    const double height = std::clamp(window.height(), std::min(rows, where.height() / kLargestCell), rows);
    m_window = {std::clamp(window.left(), 0.0, columns - width), std::clamp(window.top(), 0.0, rows - height),
                width, height};
    update();
}

void GridCanvas::zoomAt(const QPointF& position, double factor) {
    if (m_columns == 0 || factor <= 0)
        return;
    const QRectF where = area();
    const double x = std::clamp((position.x() - where.left()) / where.width(), 0.0, 1.0);
    const double y = std::clamp((position.y() - where.top()) / where.height(), 0.0, 1.0);
    const QPointF fixed(m_window.left() + x * m_window.width(), m_window.top() + y * m_window.height());
    const QSizeF size = m_window.size() / factor;
    // What does not fit more than it does now stays whole; the rest keeps the point under the pointer.
    setWindow(
        QRectF(fixed.x() - x * size.width(), fixed.y() - y * size.height(), size.width(), size.height()));
}

QRectF GridCanvas::rectOf(const GridCell& cell) const {
    const QRectF where = area();
    const double sx = where.width() / std::max(1e-9, m_window.width()),
                 sy = where.height() / std::max(1e-9, m_window.height());
    return {where.left() + (double(cell.x) - m_window.left()) * sx,
            where.top() + (double(cell.y) - m_window.top()) * sy, sx, sy};
}

std::optional<GridCell> GridCanvas::cellAt(const QPointF& position) const {
    const QRectF where = area();
    if (m_columns == 0 || m_rows == 0 || !where.contains(position))
        return {};
    const double x = m_window.left() + (position.x() - where.left()) / where.width() * m_window.width();
    const double y = m_window.top() + (position.y() - where.top()) / where.height() * m_window.height();
    return GridCell{std::clamp<qint64>(qint64(x), 0, m_columns - 1),
                    std::clamp<qint64>(qint64(y), 0, m_rows - 1)};
}

void GridCanvas::paintCells(QPainter& painter) const {
    const QRectF where = area();
    const double sx = double(m_image.width()) / double(m_columns),
                 sy = double(m_image.height()) / double(m_rows);
    const QRectF source(m_window.left() * sx, m_window.top() * sy, m_window.width() * sx,
                        m_window.height() * sy);
    painter.fillRect(where, mix(QGuiApplication::palette().color(QPalette::Base), color(Role::Idle), 0.4));
    // Averaged where several cells share a pixel, sharp where a cell has several.
    painter.setRenderHint(QPainter::SmoothPixmapTransform,
                          source.width() > where.width() || source.height() > where.height());
    painter.drawImage(where, m_image, source);
    painter.setPen(QPen(color(Role::NodeBorder), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(where);
}

void GridCanvas::paintAxes(QPainter& painter) const {
    const QRectF where = area();
    const QFontMetricsF metrics(painter.font());
    painter.setPen(color(Role::Muted));
    const double line = metrics.height();
    const double widest = metrics.horizontalAdvance(numberAt(m_columns)) + 14;
    const double perColumn = where.width() / m_window.width(), perRow = where.height() / m_window.height();
    const qint64 xStep = labelStep(widest / perColumn), yStep = labelStep((line + 4) / perRow);
    for (qint64 x = qint64(std::ceil(m_window.left() / double(xStep))) * xStep;
         double(x) + 0.5 <= m_window.right() && x < m_columns; x += xStep) {
        const double middle = where.left() + (double(x) + 0.5 - m_window.left()) * perColumn;
        painter.drawLine(QPointF(middle, where.bottom()), QPointF(middle, where.bottom() + 3));
        const double half = metrics.horizontalAdvance(numberAt(x)) / 2;
        painter.drawText(
            QPointF(std::min(middle - half, where.right() - 2 * half), where.bottom() + 4 + metrics.ascent()),
            numberAt(x));
    }
    const qint64 top = qint64(std::ceil((m_window.top() + double(m_firstRow)) / double(yStep))) * yStep;
    for (qint64 y = top; double(y - m_firstRow) + 0.5 <= m_window.bottom() && y - m_firstRow < m_rows;
         y += yStep) {
        const double middle = where.top() + (double(y - m_firstRow) + 0.5 - m_window.top()) * perRow;
        painter.drawLine(QPointF(where.left() - 3, middle), QPointF(where.left(), middle));
        painter.drawText(QRectF(0, middle - line / 2, where.left() - 5, line),
                         Qt::AlignRight | Qt::AlignVCenter, numberAt(y));
    }
    painter.setPen(color(Role::NodeText));
    painter.drawText(QRectF(where.left(), where.bottom() + 4 + line, where.width(), line),
                     Qt::AlignHCenter | Qt::AlignTop,
                     metrics.elidedText(m_xName, Qt::ElideRight, where.width()));
    painter.save();
    painter.translate(2, where.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-where.height() / 2, 0, where.height(), line), Qt::AlignHCenter | Qt::AlignTop,
                     metrics.elidedText(m_yName, Qt::ElideRight, where.height()));
    painter.restore();
}

void GridCanvas::paintOutline(QPainter& painter, const GridCell& cell, const QColor& ink, double pen) const {
    QRectF box = rectOf(cell);
    if (box.width() < kLeastMark)
        box = QRectF(box.center().x() - kLeastMark / 2, box.top(), kLeastMark, box.height());
    if (box.height() < kLeastMark)
        box = QRectF(box.left(), box.center().y() - kLeastMark / 2, box.width(), kLeastMark);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QGuiApplication::palette().color(QPalette::Base), pen + 2));
    painter.drawRect(box);
    painter.setPen(QPen(ink, pen));
    painter.drawRect(box);
}

void GridCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), QGuiApplication::palette().color(QPalette::Base));
    if (m_columns > 0 && m_rows > 0) {
        painter.setFont(font());
        paintCells(painter);
        paintAxes(painter);
        painter.setClipRect(area().adjusted(-kLeastMark, -kLeastMark, kLeastMark, kLeastMark));
        painter.setRenderHint(QPainter::Antialiasing);
        for (const GridCell& mark : m_marks)
            paintOutline(painter, mark, color(Role::Selection), 2);
        if (m_current)
            paintOutline(painter, *m_current, color(Role::Accent), 2);
        painter.setClipping(false);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (hasFocus()) {
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void GridCanvas::choose(GridCell cell) {
    setCurrent(
        GridCell{std::clamp<qint64>(cell.x, 0, m_columns - 1), std::clamp<qint64>(cell.y, 0, m_rows - 1)});
    emit chosen(*m_current);
}

void GridCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    m_isDown = true;
    m_moved = false;
    m_pressed = event->position();
    m_pressedWindow = m_window;
}

void GridCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF by = event->position() - m_pressed;
    if (m_isDown && (m_moved || by.manhattanLength() >= kDragDistance)) {
        m_moved = true;
        const QRectF where = area();
        setWindow(m_pressedWindow.translated(-by.x() / where.width() * m_window.width(),
                                             -by.y() / where.height() * m_window.height()));
        return;
    }
    if (const auto cell = cellAt(event->position()))
        emit hovered(*cell);
    else
        emit left();
}

void GridCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_isDown = false;
    if (const auto cell = cellAt(event->position()); cell && !m_moved)
        choose(*cell);
}

void GridCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    zoomAt(event->position(), std::pow(1.25, event->angleDelta().y() / 120.0));
}

void GridCanvas::keyPressEvent(QKeyEvent* event) {
    if (m_columns == 0 || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
        return QWidget::keyPressEvent(event);
    const GridCell at = m_current.value_or(GridCell{});
    const qint64 page = std::max<qint64>(1, qint64(m_window.height()) / 2);
    const QPointF middle = m_current ? rectOf(*m_current).center() : area().center();
    const auto pan = [&](double x, double y) {
        setWindow(m_window.translated(x * m_window.width(), y * m_window.height()));
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return choose({at.x - 1, at.y});
    case Qt::Key_Right:
        return choose({at.x + 1, at.y});
    case Qt::Key_Up:
        return choose({at.x, at.y - 1});
    case Qt::Key_Down:
        return choose({at.x, at.y + 1});
    case Qt::Key_PageUp:
        return choose({at.x, at.y - page});
    case Qt::Key_PageDown:
        return choose({at.x, at.y + page});
    case Qt::Key_Home:
        return choose({0, at.y});
    case Qt::Key_End:
        return choose({m_columns - 1, at.y});
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return choose(at);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        return zoomAt(middle, 1.5);
    case Qt::Key_Minus:
    case Qt::Key_S:
        return zoomAt(middle, 1 / 1.5);
    case Qt::Key_A:
        return pan(-0.15, 0);
    case Qt::Key_D:
        return pan(0.15, 0);
    case Qt::Key_F:
        return fit();
    default:
        QWidget::keyPressEvent(event);
    }
}

void GridCanvas::leaveEvent(QEvent*) {
    emit left();
}

void GridCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
    QWidget::changeEvent(event);
}

ExportSource GridCanvas::exportSource(const QString& name) {
    return {name,
            [this] { return size(); },
            [this](QPainter& painter) { render(&painter, QPoint(), QRegion(), DrawWindowBackground); },
            {}};
}

} // namespace pim::views
