// SPDX-License-Identifier: GPL-3.0-or-later
// How the strip of segments draws; only what is seen.
#include "views/dual_mode/segment_canvas.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/common/text.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kRoomForNames = 150; ///< Below, bars and costs need what there is.

QColor baseColor() {
    return QGuiApplication::palette().color(QPalette::Base);
}

struct CostPiece {
    double SegmentBar::*cycles;
    Role role;
    const char* name;
};
constexpr std::array<CostPiece, 4> kCosts{
    {{&SegmentBar::intra, Role::OtherWork,
      QT_TRANSLATE_NOOP("pim::views::SegmentCanvas", "inside the segment")},
     {&SegmentBar::rewrite, Role::Rewriting, QT_TRANSLATE_NOOP("pim::views::SegmentCanvas", "rewrite")},
     {&SegmentBar::writeBack, Role::Transfer, QT_TRANSLATE_NOOP("pim::views::SegmentCanvas", "write-back")},
     {&SegmentBar::switching, Role::Switching, QT_TRANSLATE_NOOP("pim::views::SegmentCanvas", "switch")}}};

/// What the user decided: a small filled diamond.
void paintMark(QPainter& painter, const QPointF& middle) {
    QPainterPath mark;
    mark.moveTo(middle.x(), middle.y() - 5);
    mark.lineTo(middle.x() + 5, middle.y());
    mark.lineTo(middle.x(), middle.y() + 5);
    mark.lineTo(middle.x() - 5, middle.y());
    mark.closeSubpath();
    painter.setPen(QPen(baseColor(), 1));
    painter.setBrush(color(Role::Selection));
    painter.drawPath(mark);
}

/// The first that is not wider; empty: none.
QString fitting(const QFontMetricsF& metrics, double width, const QStringList& choices) {
    for (const QString& choice : choices)
        if (metrics.horizontalAdvance(choice) <= width)
            return choice;
    return {};
}

/// So many arrays as a bar, with the figure in it where it fits.
void paintArrays(QPainter& painter, const QRectF& bar, int arrays, Role role) {
    painter.fillRect(bar, color(role));
    const QFontMetricsF metrics(painter.font());
    const QString number = QString::number(arrays);
    if (arrays == 0 || metrics.horizontalAdvance(number) > bar.width() - 2 ||
        bar.height() < std::ceil(metrics.height()) - 2)
        return;
    painter.setPen(textOn(color(role)));
    painter.drawText(bar, Qt::AlignCenter, number);
}

} // namespace

SegmentCanvas::Lines SegmentCanvas::lines() const {
    const QFontMetricsF metrics(font());
    const double line = std::ceil(metrics.height());
    Lines at;
    at.legend = 4;
    at.runs = at.legend + line + 10;
    const bool repeats = std::any_of(m_picture.runs.begin(), m_picture.runs.end(),
                                     [](const SegmentRun& run) { return run.repeats > 1; });
    at.head = at.runs + (repeats ? line + 6 : 0);
    at.barsTop = at.head + 2 * line + 10;
    const double rest = viewport()->height() - at.barsTop - 8;
    const double names =
        m_columnWidth >= line * 0.8 && rest > kRoomForNames ? std::clamp(rest * 0.34, 46.0, 130.0) : 6;
    const double cost = std::clamp((rest - names) * 0.38, 50.0, 240.0);
    at.costBottom = viewport()->height() - 8;
    at.costTop = at.costBottom - cost;
    at.namesBottom = at.costTop - line - 4;
    at.barsBottom = std::max(at.barsTop + 30, at.namesBottom - names);
    return at;
}

void SegmentCanvas::paintLegend(QPainter& painter, double width) const {
    const QFontMetricsF metrics(painter.font());
    const double line = std::ceil(metrics.height());
    double x = 10;
    const double y = 4 + (line + 6) / 2;
    const auto entry = [&](const QColor& fill, const QString& name, bool mark) {
        const double needed = 18 + metrics.horizontalAdvance(name) + 16;
        if (x + needed > width)
            return;
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        if (mark)
            paintMark(painter, QPointF(x + 6, y));
        else
            painter.drawRoundedRect(QRectF(x, y - 6, 12, 12), 2.5, 2.5);
        painter.setPen(color(Role::NodeText));
        painter.drawText(QPointF(x + 18, y + (metrics.ascent() - metrics.descent()) / 2), name);
        x += needed;
    };
    painter.setRenderHint(QPainter::Antialiasing);
    entry(color(Role::Compute), tr("compute arrays"), false);
    entry(color(Role::MemoryIn), tr("memory arrays"), false);
    entry({}, tr("decided by you"), true);
    x += 8;
    painter.setPen(color(Role::Muted));
    const QString cost = tr("Cycles:");
    if (x + metrics.horizontalAdvance(cost) < width)
        painter.drawText(QPointF(x, y + (metrics.ascent() - metrics.descent()) / 2), cost);
    x += metrics.horizontalAdvance(cost) + 8;
    for (const CostPiece& piece : kCosts)
        entry(color(piece.role), tr(piece.name), false);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void SegmentCanvas::paintRuns(QPainter& painter, const Lines& at, double from, double to) {
    const QFontMetricsF metrics(painter.font());
    for (std::size_t i = 0; i < m_picture.runs.size(); ++i) {
        const SegmentRun& run = m_picture.runs[i];
        const bool folded = isFolded(static_cast<int>(i));
        if (run.repeats < 2)
            continue;
        const Block* first = blockOf(run.first);
        const Block* last = blockOf(run.first + (folded ? run.count : run.count * run.repeats) - 1);
        if (!first || !last || last->right < from || first->left - kBorder > to)
            continue;
        const QRectF box(first->left - kBorder / 2, at.runs, last->right - first->left + kBorder / 2,
                         at.head - at.runs - 3);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(mix(baseColor(), color(Role::Accent), folded ? 0.16 : 0.05));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setRenderHint(QPainter::Antialiasing, false);
        // The words stay in sight while the run is scrolled through.
        const double left = std::max(box.left(), from) + 8, right = std::min(box.right(), to) - 6;
        const QString times = QStringLiteral("×%1").arg(run.repeats);
        double cycles = 0;
        for (int k = 0; k < run.count * run.repeats; ++k)
            cycles += m_picture.segments[static_cast<std::size_t>(run.first + k)].cycles();
        const QString share =
            m_picture.cycles > 0 ? tr(" · %1 of all cycles").arg(text(percentText(cycles / m_picture.cycles)))
                                 : QString();
        QString words = folded ? (run.count == 1 ? tr("%1 the same segment ▸").arg(times)
                                                 : tr("%1 these %2 segments ▸").arg(times).arg(run.count))
                               : tr("%1 unfolded ▾").arg(times);
        if (metrics.horizontalAdvance(words + share) <= right - left)
            words += share;
        else if (metrics.horizontalAdvance(words) > right - left)
            words = times;
        painter.setPen(color(Role::NodeText));
        if (metrics.horizontalAdvance(words) <= right - left + 4)
            painter.drawText(QRectF(left, box.top(), right - left + 8, box.height()),
                             Qt::AlignVCenter | Qt::AlignLeft, words);
    }
}

void SegmentCanvas::paintBlock(QPainter& painter, const Block& block, const Lines& at) {
    const QRectF whole(block.left, at.head, block.right - block.left, at.costBottom - at.head);
    painter.fillRect(whole, mix(baseColor(), color(Role::NodeText), block.segment % 2 ? 0.06 : 0.03));
    paintHead(painter, block, at);
    const SegmentBar& segment = m_picture.segments[static_cast<std::size_t>(block.segment)];
    for (int i = segment.first; i <= segment.last; ++i) {
        const PieceBar& piece = m_picture.pieces[static_cast<std::size_t>(i)];
        const double left = block.left + m_columnWidth * (i - segment.first);
        painter.setOpacity(m_passes && !m_passes(piece.op) ? 0.3 : 1); // left out by the filters of the views
        paintPiece(painter, i, left, at);
        if (piece.joinIsPinned && i > segment.first) { // two pieces held together
            painter.setRenderHint(QPainter::Antialiasing);
            paintMark(painter, QPointF(left, at.barsBottom + 7));
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        paintPieceName(painter, i, left, at);
    }
    painter.setOpacity(1);
    paintCosts(painter, block, at);
}

/// Number and use of the chip, cycles; shorter words in less room.
void SegmentCanvas::paintHead(QPainter& painter, const Block& block, const Lines& at) const {
    const SegmentBar& segment = m_picture.segments[static_cast<std::size_t>(block.segment)];
    const QFontMetricsF metrics(painter.font());
    const double line = std::ceil(metrics.height()), width = block.right - block.left;
    const int used = segment.compute + segment.memory - segment.shared;
    painter.setPen(color(Role::NodeText));
    painter.drawText(
        QRectF(block.left, at.head + 3, width + kBorder, line), Qt::AlignLeft,
        fitting(metrics, width + 6,
                {tr("Segment %1 · %2 of %3 arrays").arg(block.segment + 1).arg(used).arg(m_picture.arrays),
                 tr("Segment %1").arg(block.segment + 1), QString::number(block.segment + 1)}));
    const QString cycles = text(countText(segment.cycles()));
    painter.setPen(color(Role::Muted));
    painter.drawText(
        QRectF(block.left, at.head + 3 + line, width + kBorder, line), Qt::AlignLeft,
        fitting(metrics, width + 6,
                {segment.toMemory + segment.toCompute > 0
                     ? tr("%1 cycles · %2 switched").arg(cycles).arg(segment.toMemory + segment.toCompute)
                     : tr("%1 cycles").arg(cycles),
                 tr("%1 cycles").arg(cycles), cycles}));
}

/// Its arrays, of the whole chip.
void SegmentCanvas::paintPiece(QPainter& painter, int index, double left, const Lines& at) const {
    const PieceBar& piece = m_picture.pieces[static_cast<std::size_t>(index)];
    const QFontMetricsF metrics(painter.font());
    const double line = std::ceil(metrics.height());
    const double high = at.barsBottom - at.barsTop, inset = m_columnWidth > 20 ? 4 : 1;
    const QRectF column(left + inset, at.barsTop, m_columnWidth - 2 * inset, high);
    const bool selected = index == m_selected && m_border < 0;
    if (selected || index == m_hovered) {
        QColor tint = color(selected ? Role::Selection : Role::Accent);
        tint.setAlpha(selected ? 46 : 24);
        painter.fillRect(QRectF(left, at.barsTop - 2, m_columnWidth, at.namesBottom - at.barsTop + 2), tint);
    }
    painter.fillRect(column, mix(baseColor(), color(Role::Idle), 0.45));
    const double scale = m_picture.arrays > 0 ? high / m_picture.arrays : 0;
    const auto tall = [&](int arrays) {
        return arrays > 0 ? std::max(2.0, std::round(arrays * scale)) : 0.0;
    };
    const double compute = std::min(high, tall(piece.compute)),
                 memory = std::min(high - compute, tall(piece.memory));
    const QRectF computeBar(column.left(), at.barsBottom - compute, column.width(), compute);
    const QRectF memoryBar(column.left(), at.barsBottom - compute - memory, column.width(), memory);
    paintArrays(painter, computeBar, piece.compute, Role::Compute);
    paintArrays(painter, memoryBar, piece.memory, Role::MemoryIn);
    // No room in the bar: above it.
    if (memory > 0 && memory < line - 2 && memoryBar.top() - line > at.barsTop &&
        metrics.horizontalAdvance(QString::number(piece.memory)) <= column.width()) {
        painter.setPen(color(Role::NodeText));
        painter.drawText(QRectF(column.left(), memoryBar.top() - line, column.width(), line), Qt::AlignCenter,
                         QString::number(piece.memory));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (selected) {
        painter.setPen(QPen(color(Role::Selection), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(column.adjusted(-1, -1, 1, 1));
    }
    const double right = column.right() - 2;
    if (piece.computeIsPinned)
        paintMark(painter, QPointF(right, std::min(computeBar.center().y(), at.barsBottom - 7)));
    if (piece.memoryIsPinned)
        paintMark(painter, QPointF(right, std::max(at.barsTop + 7, memory > 0 ? memoryBar.center().y()
                                                                              : memoryBar.top() - 7)));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Along the column, where there is room.
void SegmentCanvas::paintPieceName(QPainter& painter, int index, double left, const Lines& at) const {
    const PieceBar& piece = m_picture.pieces[static_cast<std::size_t>(index)];
    const QFontMetricsF metrics(painter.font());
    const double line = std::ceil(metrics.height());
    if (m_columnWidth < line * 0.8 || at.namesBottom - at.barsBottom <= 30)
        return;
    painter.save();
    painter.translate(left + m_columnWidth / 2, at.barsBottom + 5);
    painter.rotate(90);
    painter.setPen(color(index == m_selected && m_border < 0 ? Role::NodeText : Role::Muted));
    painter.drawText(
        QRectF(0, -line / 2, at.namesBottom - at.barsBottom - 6, line), Qt::AlignVCenter | Qt::AlignLeft,
        metrics.elidedText(piece.shortName(), Qt::ElideLeft, at.namesBottom - at.barsBottom - 8));
    painter.restore();
}

/// What the segment costs, to the scale of the dearest one.
void SegmentCanvas::paintCosts(QPainter& painter, const Block& block, const Lines& at) const {
    const SegmentBar& segment = m_picture.segments[static_cast<std::size_t>(block.segment)];
    const QFontMetricsF metrics(painter.font());
    const double line = std::ceil(metrics.height()), width = block.right - block.left;
    const double room = at.costBottom - at.costTop, total = segment.cycles();
    const double most = mostCycles();
    const double wide = std::min(width, 90.0), left = block.left + (width - wide) / 2;
    double bottom = at.costBottom;
    if (most > 0)
        for (const CostPiece& piece : kCosts) {
            const double cost = segment.*piece.cycles;
            if (cost <= 0)
                continue;
            // A switch of one cycle is a line, not nothing.
            const double tall = std::max(1.5, cost / most * room);
            painter.fillRect(QRectF(left, bottom - tall, wide, tall), color(piece.role));
            bottom -= tall;
        }
    const QString share = m_picture.cycles > 0 ? text(percentText(total / m_picture.cycles)) : QString();
    const QString shown = fitting(metrics, width + 6, {share});
    painter.setPen(color(Role::Muted));
    painter.drawText(QRectF(block.left - kBorder / 2, bottom - line - 1, width + kBorder, line),
                     Qt::AlignCenter, shown);
}

/// Where a segment begins, and a grip.
void SegmentCanvas::paintBorder(QPainter& painter, const Block& block, const Lines& at) {
    const int piece = m_picture.segments[static_cast<std::size_t>(block.segment)].first;
    const bool selected = piece == m_border, hovered = piece == m_hoveredBorder;
    const double x = block.left - kBorder / 2;
    const QColor ink = color(selected ? Role::Selection : hovered ? Role::Accent : Role::NodeBorder);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ink,
                        selected  ? 3
                        : hovered ? 2
                                  : 1,
                        piece == m_dragged ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(QPointF(x, at.head + 2), QPointF(x, at.costBottom));
    // A grip says that it can be taken.
    const double middle = (at.barsTop + at.barsBottom) / 2;
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    if (m_columnWidth >= 16 || selected || hovered)
        painter.drawRoundedRect(QRectF(x - 2.5, middle - 11, 5, 22), 2.5, 2.5);
    if (m_picture.pieces[static_cast<std::size_t>(piece)].startIsPinned)
        paintMark(painter, QPointF(x, at.barsTop - 2));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Where the border that is dragged would go.
void SegmentCanvas::paintDrag(QPainter& painter, const Lines& at, double from, double to) {
    if (m_dragged < 0 || m_dragTo < 0 || m_dragTo == m_dragged)
        return;
    const QFontMetricsF metrics(painter.font());
    const double x = pieceLeft(m_dragTo);
    const QColor ink = color(m_dragIsLegal ? Role::Good : Role::Bad);
    painter.setPen(QPen(ink, 3));
    painter.drawLine(QPointF(x, at.head), QPointF(x, at.costBottom));
    const QString words =
        m_dragIsLegal
            ? tr("segment starts with %1").arg(m_picture.pieces[static_cast<std::size_t>(m_dragTo)].name())
            : tr("not here");
    const double wide = metrics.horizontalAdvance(words) + 12;
    const QRectF tag(std::clamp(x - wide / 2, from + kAxis + 2, std::max(from + kAxis + 2, to - wide - 2)),
                     at.barsTop + 4, wide, metrics.height() + 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawRoundedRect(tag, 3, 3);
    painter.setPen(textOn(ink));
    painter.drawText(tag, Qt::AlignCenter, words);
}

/// Of the chip, over what scrolls under it.
void SegmentCanvas::paintScale(QPainter& painter, const Lines& at, double from) {
    const QFontMetricsF metrics(painter.font());
    painter.fillRect(QRectF(from, at.head, kAxis - 2, at.costBottom - at.head + 8), baseColor());
    painter.setPen(color(Role::Muted));
    const double high = at.barsBottom - at.barsTop;
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = at.barsBottom - share * high;
        painter.drawLine(QPointF(from + kAxis - 6, y), QPointF(from + kAxis - 2, y));
        painter.drawText(QRectF(from, y - metrics.height() / 2, kAxis - 10, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(static_cast<int>(std::lround(m_picture.arrays * share))));
    }
    const auto upright = [&](double top, double bottom, const QString& words) {
        painter.save();
        painter.translate(from + metrics.height() * 0.6, (top + bottom) / 2);
        painter.rotate(-90);
        painter.drawText(QRectF(-(bottom - top) / 2, -metrics.height() / 2, bottom - top, metrics.height()),
                         Qt::AlignCenter, metrics.elidedText(words, Qt::ElideRight, bottom - top));
        painter.restore();
    };
    upright(at.barsTop, at.barsBottom, tr("arrays"));
    upright(at.costTop, at.costBottom, tr("cycles"));
    painter.drawText(QRectF(from, at.costTop - metrics.height() / 2, kAxis - 4, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, text(countText(mostCycles())));
    painter.drawText(QRectF(from, at.costBottom - metrics.height() + 2, kAxis - 10, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("0"));
}

void SegmentCanvas::paint(QPainter& painter, double from, double to) {
    const Lines at = lines();
    painter.setFont(font());
    auto block = std::partition_point(m_blocks.begin(), m_blocks.end(),
                                      [&](const Block& b) { return b.right < from; });
    const auto begin = block;
    for (; block != m_blocks.end() && block->left - kBorder < to; ++block)
        paintBlock(painter, *block, at);
    for (block = begin; block != m_blocks.end() && block->left - kBorder < to; ++block)
        if (block->segment != 0)
            paintBorder(painter, *block, at);
    paintRuns(painter, at, from, to);
    paintDrag(painter, at, from, to);
    paintScale(painter, at, from);
}

void SegmentCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), baseColor());
    if (!m_picture.pieces.empty()) {
        const double from = horizontalScrollBar()->value();
        painter.save();
        painter.translate(-from, 0);
        paint(painter, from, from + viewport()->width());
        painter.restore();
        painter.setFont(font());
        paintLegend(painter, viewport()->width());
    }
    if (hasFocus()) {
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void SegmentCanvas::paintAll(QPainter& painter) {
    const QSize size = contentSize();
    painter.fillRect(QRect(QPoint(), size), baseColor());
    paint(painter, 0, size.width());
    painter.setFont(font());
    paintLegend(painter, size.width());
}

} // namespace pim::views
