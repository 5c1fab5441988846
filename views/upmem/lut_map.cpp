// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/lut_map.h"

#include "core/base/number_text.h"
#include "views/common/canvas_items.h"
#include "views/common/palette.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kMapEdge = 6, kMapGap = 4;
constexpr double kMapLegend = 22; ///< Pixels below everything.

} // namespace

LutMap::LutMap(const QString& accessibleName, const QString& exportName, QWidget* parent)
    : QWidget(parent), m_exportName(exportName) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(accessibleName);
    setWhatsThis(tr("Arrow keys go from cell to cell, Home goes to the best, Enter decides."));
    installPlotExport(
        this, {m_exportName, [this] { return m_cells.cells.empty() ? QSize() : size(); },
               [this](QPainter& painter) { render(&painter, QPoint(), QRegion(), DrawWindowBackground); },
               [this] { return csv(); }});
    setCanvasItems(this, this,
                   {[this] { return int(m_cells.cells.size()); },
                    [this](int cell) {
                        return CanvasItem{tr("%1, %2").arg(m_cells.columns[cell % columns()],
                                                           m_cells.rows[cell / columns()]),
                                          spoken(tip(cell)), rectOf(cell), cell == m_current};
                    },
                    [this] { return int(m_current); }, [this](int cell) { choose(cell); },
                    [this](const QPointF& at) { return int(cellAt(at)); }});
}

void LutMap::setCells(LutCells cells, std::ptrdiff_t best, std::pair<double, double> range) {
    m_cells = std::move(cells);
    m_best = best;
    m_current = -1;
    m_range = range;
    if (m_range.second <= 0) {
        m_range = {HUGE_VAL, 0};
        for (const LutCell& cell : m_cells.cells)
            if (cell.isPossible())
                m_range = {std::min(m_range.first, cell.seconds), std::max(m_range.second, cell.seconds)};
    }
    announceItems(this);
    update();
}

void LutMap::setCurrent(std::ptrdiff_t cell) {
    m_current = cell < std::ssize(m_cells.cells) ? cell : -1;
    announceCurrent(this);
    update();
}

QRectF LutMap::area() const {
    const QFontMetricsF font(this->font());
    double left = 0;
    for (const QString& row : m_cells.rows)
        left = std::max(left, font.horizontalAdvance(row));
    const double line = font.height();
    return QRectF(rect()).adjusted(kMapEdge + line + left + 2 * kMapGap, kMapEdge, -kMapEdge,
                                   -(kMapLegend + 2 * line + 2 * kMapGap));
}

QRectF LutMap::rectOf(std::ptrdiff_t cell) const {
    const QRectF all = area();
    const auto edge = [](double from, double size, int at, int count) {
        return std::round(from + size * at / std::max(1, count));
    };
    const int row = static_cast<int>(cell / std::max(1, columns())),
              column = static_cast<int>(cell % std::max(1, columns()));
    const QPointF from(edge(all.left(), all.width(), column, columns()),
                       edge(all.top(), all.height(), row, rows())),
        to(edge(all.left(), all.width(), column + 1, columns()),
           edge(all.top(), all.height(), row + 1, rows()));
    return {from, to};
}

std::ptrdiff_t LutMap::cellAt(const QPointF& position) const {
    const QRectF all = area();
    if (m_cells.cells.empty() || !all.contains(position))
        return -1;
    const int column = std::min(columns() - 1, int((position.x() - all.left()) / all.width() * columns())),
              row = std::min(rows() - 1, int((position.y() - all.top()) / all.height() * rows()));
    return std::ptrdiff_t(row) * columns() + column;
}

/// Fast is bright: on a scale of logarithms, since the slowest may take hundreds of times as long.
QColor LutMap::colorOf(double seconds) const {
    const auto [low, high] = m_range;
    const double at = high > low ? std::log(seconds / low) / std::log(high / low) : 0;
    return sequential(1 - std::clamp(at, 0.0, 1.0));
}

QString LutMap::tip(std::ptrdiff_t at) const {
    if (at < 0 || at >= std::ssize(m_cells.cells))
        return {};
    const LutCell& cell = m_cells.cells[static_cast<std::size_t>(at)];
    const QString place = tr("%1: %2\n%3: %4")
                              .arg(m_cells.columnTitle, m_cells.columns[at % columns()], m_cells.rowTitle,
                                   m_cells.rows[at / columns()]);
    if (cell.isPossible())
        return tr("%1\nbest %2%3")
            .arg(place, secondsText(cell.seconds), at == m_best ? tr(" · the best of all") : QString());
    return cell.reason.isEmpty() ? tr("%1\nthere is no such tile").arg(place)
                                 : tr("%1\nnot possible: %2").arg(place, cell.reason);
}

void LutMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    if (m_cells.cells.empty())
        return;
    paintCells(painter);
    paintAxes(painter);
    paintLegend(painter);
    if (hasFocus()) {
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

/// Times stand in all cells or in none.
bool LutMap::textsFit() const {
    const QFontMetricsF font(this->font());
    double widest = 0;
    for (const LutCell& cell : m_cells.cells)
        if (cell.isPossible())
            widest = std::max(widest, font.horizontalAdvance(secondsText(cell.seconds)));
    const QRectF all = area();
    return widest + 4 < std::floor(all.width() / columns()) &&
           font.height() + 2 < std::floor(all.height() / rows());
}

void LutMap::paintCells(QPainter& painter) const {
    const QColor canvas = color(Role::Canvas), hatch = color(Role::Muted);
    const bool hasTexts = textsFit();
    for (std::ptrdiff_t at = 0; at < std::ssize(m_cells.cells); ++at) {
        const LutCell& cell = m_cells.cells[static_cast<std::size_t>(at)];
        const QRectF rect = rectOf(at).adjusted(0, 0, -1, -1);
        if (cell.isPossible()) {
            painter.fillRect(rect, colorOf(cell.seconds));
            if (hasTexts) {
                painter.setPen(textOn(colorOf(cell.seconds)));
                painter.drawText(rect, Qt::AlignCenter, secondsText(cell.seconds));
            }
        } else if (!cell.reason.isEmpty()) {
            painter.fillRect(rect, canvas);
            painter.fillRect(rect, QBrush(mix(canvas, hatch, 0.6), Qt::BDiagPattern));
        }
    }
    if (m_best >= 0) {
        const QRectF rect = rectOf(m_best);
        const LutCell& cell = m_cells.cells[static_cast<std::size_t>(m_best)];
        painter.setPen(textOn(colorOf(cell.seconds)));
        QFont star = font();
        star.setPixelSize(std::max(8, int(std::min({rect.height() * 0.8, rect.width() * 0.8, 16.0}))));
        painter.save();
        painter.setFont(star);
        painter.drawText(rect.adjusted(2, 0, -4, -1), Qt::AlignRight | Qt::AlignTop, QStringLiteral("★"));
        painter.restore();
    }
    if (m_current >= 0) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color(Role::Selection), 2.5));
        painter.drawRect(rectOf(m_current).adjusted(1, 1, -2, -2));
    }
}

void LutMap::paintAxes(QPainter& painter) const {
    const QFontMetricsF font(this->font());
    const QRectF all = area();
    const double line = font.height();
    painter.setPen(color(Role::NodeText));
    // As many labels as fit; the last column is never without one.
    double widest = 1;
    for (const QString& column : m_cells.columns)
        widest = std::max(widest, font.horizontalAdvance(column));
    const int stepX = std::max(1, int(std::ceil((widest + 8) * columns() / all.width()))),
              stepY = std::max(1, int(std::ceil(line * rows() / all.height())));
    for (int column = 0; column < columns(); column += stepX) {
        const QRectF cell = rectOf(column);
        painter.drawText(
            QRectF(cell.center().x() - widest / 2 - 4, all.bottom() + kMapGap / 2, widest + 8, line),
            Qt::AlignCenter, m_cells.columns[column]);
    }
    for (int row = 0; row < rows(); row += stepY) {
        const QRectF cell = rectOf(std::ptrdiff_t(row) * columns());
        painter.drawText(QRectF(0, cell.center().y() - line / 2, all.left() - kMapGap, line),
                         Qt::AlignRight | Qt::AlignVCenter, m_cells.rows[row]);
    }
    painter.setPen(color(Role::Muted));
    const double below = all.bottom() + kMapGap / 2 + line;
    painter.drawText(QRectF(all.left(), below, all.width(), line), Qt::AlignCenter,
                     font.elidedText(m_cells.columnTitle, Qt::ElideRight, all.width()));
    painter.save();
    painter.translate(kMapEdge, all.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-all.height() / 2, 0, all.height(), line), Qt::AlignCenter,
                     font.elidedText(m_cells.rowTitle, Qt::ElideRight, all.height()));
    painter.restore();
}

void LutMap::paintLegend(QPainter& painter) const {
    const QFontMetricsF font(this->font());
    const double top = height() - kMapLegend, line = font.height();
    double x = kMapEdge;
    const auto write = [&](const QString& words) {
        painter.setPen(color(Role::NodeText));
        painter.drawText(QRectF(x, top, font.horizontalAdvance(words) + 4, kMapLegend - 2),
                         Qt::AlignLeft | Qt::AlignVCenter, words);
        x += font.horizontalAdvance(words) + 8;
    };
    if (m_range.first <= m_range.second) {
        write(secondsText(m_range.second));
        constexpr int kSteps = 40;
        const double wide = std::clamp(width() * 0.2, 40.0, 160.0);
        for (int i = 0; i < kSteps; ++i)
            painter.fillRect(QRectF(x + wide * i / kSteps, top + (kMapLegend - 2 - line * 0.7) / 2,
                                    wide / kSteps + 1, line * 0.7),
                             sequential(double(i) / (kSteps - 1)));
        x += wide + 6;
        write(secondsText(m_range.first));
    }
    const QRectF swatch(x, top + (kMapLegend - 2 - line * 0.7) / 2, line, line * 0.7);
    if (x + line + font.horizontalAdvance(tr("not possible")) + 6 > width())
        return;
    painter.setPen(color(Role::GridLine));
    painter.setBrush(QBrush(mix(color(Role::Canvas), color(Role::Muted), 0.6), Qt::BDiagPattern));
    painter.drawRect(swatch);
    x += line + 6;
    write(tr("not possible"));
    if (m_best >= 0 && x + font.horizontalAdvance(tr("★ best of all")) < width())
        write(tr("★ best of all"));
}

void LutMap::choose(std::ptrdiff_t cell) {
    if (cell < 0)
        return;
    setCurrent(cell);
    emit chosen(cell);
}

bool LutMap::event(QEvent* event) {
    return answerToolTip(event, this, [this](const QPoint& at) { return tip(cellAt(at)); }) ||
           QWidget::event(event);
}

void LutMap::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
    QWidget::changeEvent(event);
}

void LutMap::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        choose(cellAt(event->position()));
    QWidget::mousePressEvent(event);
}

void LutMap::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const std::ptrdiff_t cell = cellAt(event->position()); event->button() == Qt::LeftButton && cell >= 0)
        emit decided(cell);
}

void LutMap::keyPressEvent(QKeyEvent* event) {
    if (m_cells.cells.empty())
        return QWidget::keyPressEvent(event);
    const int row = m_current < 0 ? 0 : int(m_current / columns()),
              column = m_current < 0 ? 0 : int(m_current % columns());
    const auto go = [&](int down, int right) {
        const int to = m_current < 0 ? 0
                                     : std::clamp(row + down, 0, rows() - 1) * columns() +
                                           std::clamp(column + right, 0, columns() - 1);
        choose(to);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return go(0, -1);
    case Qt::Key_Right:
        return go(0, 1);
    case Qt::Key_Up:
        return go(-1, 0);
    case Qt::Key_Down:
        return go(1, 0);
    case Qt::Key_Home:
        return choose(m_cells.best());
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0)
            emit decided(m_current);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

QString LutMap::csv() const {
    QString lines = csvLine({m_cells.columnTitle, m_cells.rowTitle, QStringLiteral("best (s)"),
                             QStringLiteral("why not")}) +
                    u'\n';
    for (std::ptrdiff_t at = 0; at < std::ssize(m_cells.cells); ++at) {
        const LutCell& cell = m_cells.cells[static_cast<std::size_t>(at)];
        lines += csvLine({m_cells.columns[at % columns()], m_cells.rows[at / columns()],
                          cell.isPossible() ? exactNumber(cell.seconds) : QString(), cell.reason}) +
                 u'\n';
    }
    return lines;
}

} // namespace pim::views
