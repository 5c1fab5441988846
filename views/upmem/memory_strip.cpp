// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/memory_strip.h"

#include "core/base/number_text.h"
#include "views/common/canvas_items.h"
#include "views/common/palette.h"
#include "views/common/plot_ticks.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kStripEdge = 10, kStripTop = 4, kLeastWidth = 2, kClick = 4;
constexpr double kLeastBytes = 64; ///< Zooming in ends there.

} // namespace

MemoryStrip::MemoryStrip(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setWhatsThis(tr(
        "Left and Right go from piece to piece, + and - zoom, A and D move, F shows all, T what is taken."));
    setCanvasItems(this, this,
                   {[this] { return int(m_memory.pieces.size()); },
                    [this](int at) {
                        const MemoryPiece& piece = m_memory.pieces[std::size_t(at)];
                        return CanvasItem{piece.name.isEmpty() ? title(piece.kind) : piece.name,
                                          spoken(m_memory.describe(piece)), rectOf(at), at == m_current};
                    },
                    [this] { return m_current; }, [this](int piece) { choose(piece); },
                    [this](const QPointF& at) { return pieceAt(at); }});
}

void MemoryStrip::setPieces(MemoryPieces memory) {
    m_memory = std::move(memory);
    m_current = -1;
    announceItems(this);
    fit();
}

void MemoryStrip::setCurrent(int piece) {
    m_current = piece >= 0 && piece < int(m_memory.pieces.size()) ? piece : -1;
    if (m_current >= 0)
        showPiece(m_current);
    announceCurrent(this);
    update();
}

void MemoryStrip::showPiece(int piece) {
    const MemoryPiece& shown = m_memory.pieces[std::size_t(piece)];
    const double middle = double(shown.begin) + double(shown.bytes) / 2, width = m_to - m_from;
    if (middle < m_from || middle > m_to)
        setWindow(middle - width / 2, middle + width / 2);
}

void MemoryStrip::choose(int piece) {
    if (piece < 0 || piece >= int(m_memory.pieces.size()))
        return;
    setCurrent(piece);
    emit chosen(piece);
}

QRectF MemoryStrip::strip() const {
    const double axis = QFontMetricsF(font()).height() + 8;
    return QRectF(rect()).adjusted(kStripEdge, kStripTop, -kStripEdge, -axis);
}

double MemoryStrip::xOf(double byte) const {
    const QRectF where = strip();
    return where.left() + (byte - m_from) / std::max(1.0, m_to - m_from) * where.width();
}

QRectF MemoryStrip::rectOf(int piece) const {
    const MemoryPiece& of = m_memory.pieces[std::size_t(piece)];
    const double left = xOf(double(of.begin)), right = xOf(double(of.begin + of.bytes));
    const double wide = std::max(kLeastWidth, right - left);
    // What ends where the memory ends would be drawn beside it otherwise.
    const double from =
        left < strip().right() ? std::min(left, std::max(strip().left(), strip().right() - wide)) : left;
    return {right - left > kLeastWidth ? left : from, strip().top(), wide, strip().height()};
}

int MemoryStrip::pieceAt(const QPointF& position) const {
    if (!strip().contains(position))
        return -1;
    // The narrowest wins: it would not be found otherwise.
    int found = -1;
    for (int piece = 0; piece < int(m_memory.pieces.size()); ++piece) {
        const QRectF where = rectOf(piece);
        if (where.adjusted(-1, 0, 1, 0).contains(position) &&
            (found < 0 || where.width() < rectOf(found).width()))
            found = piece;
    }
    return found;
}

void MemoryStrip::setWindow(double from, double to) {
    const double all = std::max(1.0, double(m_memory.end()));
    const double width = std::clamp(to - from, std::min(kLeastBytes, all), all);
    m_from = std::clamp(from, 0.0, all - width);
    m_to = m_from + width;
    update();
}

void MemoryStrip::zoomAt(double x, double factor) {
    const double share = std::clamp((x - strip().left()) / std::max(1.0, strip().width()), 0.0, 1.0);
    const double fixed = m_from + share * (m_to - m_from), width = (m_to - m_from) / factor;
    setWindow(fixed - share * width, fixed + (1 - share) * width);
}

void MemoryStrip::fit() {
    setWindow(0, double(m_memory.end()));
}

void MemoryStrip::fitTaken() {
    double from = double(m_memory.end()), to = 0;
    for (const MemoryPiece& piece : m_memory.pieces)
        if (piece.kind != MemoryPiece::Kind::Free) {
            from = std::min(from, double(piece.begin));
            to = std::max(to, double(piece.begin + piece.bytes));
        }
    if (from < to)
        setWindow(from - 0.02 * (to - from), to + 0.02 * (to - from));
}

void MemoryStrip::paintPiece(QPainter& painter, int piece) const {
    const MemoryPiece& of = m_memory.pieces[std::size_t(piece)];
    const QRectF where = rectOf(piece);
    if (!where.intersects(strip()))
        return;
    const QColor fill = colorOf(of);
    painter.fillRect(where, fill);
    if (m_memory.beyond(of) > 0) {
        const double from = std::max(where.left(), xOf(double(m_memory.capacity)));
        const QRectF over(from, where.top(), where.right() - from, where.height());
        painter.fillRect(over, color(Role::Bad));
        painter.fillRect(over, QBrush(textOn(color(Role::Bad)), Qt::BDiagPattern));
    }
    const QRectF seen = where.intersected(strip()).adjusted(4, 2, -4, -2);
    const QFontMetricsF metrics(painter.font());
    if (seen.width() < 3 * metrics.averageCharWidth() || seen.height() < metrics.height())
        return;
    painter.setPen(of.kind == MemoryPiece::Kind::Free ? color(Role::Muted) : textOn(fill));
    QStringList lines{of.tasklet >= 0 ? tr("%1 %2").arg(of.name).arg(of.tasklet) : of.name};
    if (!of.tensor.isEmpty())
        lines << of.tensor;
    lines << withoutTrailingZeros(text(bytesText(double(of.bytes))));
    const auto most = qsizetype(std::max(1.0, std::floor(seen.height() / metrics.height())));
    if (lines.size() > most && lines.size() == 3)
        lines.removeAt(1);
    double top = seen.center().y() - double(std::min(most, lines.size())) * metrics.height() / 2;
    for (const QString& line : lines.mid(0, most)) {
        const QString shown = metrics.elidedText(line, Qt::ElideRight, seen.width());
        if (shown.size() > 1) // a lonely "…" tells nothing
            painter.drawText(QRectF(seen.left(), top, seen.width(), metrics.height()), Qt::AlignCenter,
                             shown);
        top += metrics.height();
    }
}

void MemoryStrip::paintAxis(QPainter& painter) const {
    const QRectF where = strip();
    const QFontMetricsF metrics(painter.font());
    // Powers of two, so that labels do not touch.
    double step = 64;
    const double widest = metrics.horizontalAdvance(QStringLiteral("1023.5 KiB")) + 16;
    while (xOf(m_from + step) - xOf(m_from) < widest && step < m_to)
        step *= 2;
    painter.setPen(color(Role::Muted));
    for (double byte = std::ceil(m_from / step) * step; byte <= m_to; byte += step) {
        const double x = xOf(byte);
        const QString label = withoutTrailingZeros(text(bytesText(byte)));
        const double half = metrics.horizontalAdvance(label) / 2;
        painter.drawLine(QPointF(x, where.bottom()), QPointF(x, where.bottom() + 4));
        painter.drawText(QPointF(std::clamp(x - half, 2.0, std::max(2.0, width() - 2 * half - 2)),
                                 where.bottom() + 5 + metrics.ascent()),
                         label);
    }
    if (m_memory.overflow() > 0) {
        const double x = xOf(double(m_memory.capacity));
        painter.setPen(QPen(color(Role::NodeText), 2, Qt::DashLine));
        painter.drawLine(QPointF(x, where.top() - 3), QPointF(x, where.bottom() + 3));
    }
}

void MemoryStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), QGuiApplication::palette().color(QPalette::Base));
    if (m_memory.pieces.empty())
        return;
    painter.save();
    painter.setClipRect(strip().adjusted(-1, -4, 1, 4));
    for (const bool isFree : {true, false}) // small pieces stay on top of what is free
        for (int piece = 0; piece < int(m_memory.pieces.size()); ++piece)
            if ((m_memory.pieces[std::size_t(piece)].kind == MemoryPiece::Kind::Free) == isFree)
                paintPiece(painter, piece);
    painter.setPen(QPen(color(Role::Canvas), 1)); // between neighbours of one colour
    for (int piece = 0; piece < int(m_memory.pieces.size()); ++piece)
        if (const QRectF where = rectOf(piece); where.width() > 4)
            painter.drawLine(where.topRight(), where.bottomRight());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(Role::NodeBorder), 1));
    painter.drawRect(strip());
    if (m_current >= 0) {
        const QRectF where = rectOf(m_current).adjusted(-1, 0, 1, 0);
        painter.setPen(QPen(QGuiApplication::palette().color(QPalette::Base), 4));
        painter.drawRect(where);
        painter.setPen(QPen(color(Role::Selection), 2));
        painter.drawRect(where);
    }
    painter.restore();
    paintAxis(painter);
    if (hasFocus()) {
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

QString MemoryStrip::csv() const {
    QString lines = csvLine({QStringLiteral("memory"), QStringLiteral("name"), QStringLiteral("tensor"),
                             QStringLiteral("tasklet"), QStringLiteral("begin (B)"),
                             QStringLiteral("size (B)"), QStringLiteral("kind")}) +
                    u'\n';
    for (const MemoryPiece& piece : m_memory.pieces)
        lines += csvLine({m_memory.name, piece.name, piece.tensor,
                          piece.tasklet < 0 ? QString() : QString::number(piece.tasklet),
                          QString::number(piece.begin), QString::number(piece.bytes), title(piece.kind)}) +
                 u'\n';
    return lines;
}

ExportSource MemoryStrip::exportSource(const QString& name) {
    return {name, [this] { return m_memory.pieces.empty() ? QSize() : size(); },
            [this](QPainter& painter) { render(&painter, QPoint(), QRegion(), DrawWindowBackground); },
            [this] { return csv(); }};
}

bool MemoryStrip::event(QEvent* event) {
    const auto tip = [this](const QPoint& at) {
        const int piece = pieceAt(at);
        return piece < 0 ? QString()
                         : m_memory.describe(m_memory.pieces[std::size_t(piece)])
                               .replace(QStringLiteral(" · "), QStringLiteral("\n"));
    };
    return answerToolTip(event, this, tip) || QWidget::event(event);
}

void MemoryStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
    QWidget::changeEvent(event);
}

void MemoryStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    m_isDown = true;
    m_moved = false;
    m_pressed = event->position().x();
    m_pressedFrom = m_from;
}

void MemoryStrip::mouseMoveEvent(QMouseEvent* event) {
    const double by = event->position().x() - m_pressed;
    if (m_isDown && (m_moved || std::abs(by) >= kClick)) {
        m_moved = true;
        const double width = m_to - m_from,
                     from = m_pressedFrom - by / std::max(1.0, strip().width()) * width;
        return setWindow(from, from + width);
    }
    emit hovered(pieceAt(event->position()));
}

void MemoryStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    m_isDown = false;
    if (!m_moved)
        choose(pieceAt(event->position()));
}

/// To the piece, and back to all.
void MemoryStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    const int piece = pieceAt(event->position());
    if (piece < 0 || m_to - m_from < double(m_memory.end()) * 0.99)
        return fit();
    const MemoryPiece& of = m_memory.pieces[std::size_t(piece)];
    const double room = double(of.bytes) * 0.1;
    setWindow(double(of.begin) - room, double(of.begin + of.bytes) + room);
}

void MemoryStrip::wheelEvent(QWheelEvent* event) {
    event->accept();
    zoomAt(event->position().x(), std::pow(1.25, event->angleDelta().y() / 120.0));
}

void MemoryStrip::keyPressEvent(QKeyEvent* event) {
    const int last = int(m_memory.pieces.size()) - 1;
    if (last < 0 || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
        return QWidget::keyPressEvent(event);
    const double middle = m_current >= 0 ? rectOf(m_current).center().x() : strip().center().x();
    const double far = 0.15 * (m_to - m_from);
    switch (event->key()) {
    case Qt::Key_Left:
        return choose(std::max(0, m_current - 1));
    case Qt::Key_Right:
        return choose(std::min(last, m_current + 1));
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(last);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W:
        return zoomAt(middle, 1.5);
    case Qt::Key_Minus:
    case Qt::Key_S:
        return zoomAt(middle, 1 / 1.5);
    case Qt::Key_A:
        return setWindow(m_from - far, m_to - far);
    case Qt::Key_D:
        return setWindow(m_from + far, m_to + far);
    case Qt::Key_F:
        return fit();
    case Qt::Key_T:
        return fitTaken();
    default:
        QWidget::keyPressEvent(event);
    }
}

void MemoryStrip::leaveEvent(QEvent*) {
    emit hovered(-1);
}

} // namespace pim::views
