// SPDX-License-Identifier: GPL-3.0-or-later
// State and hands of the strip; segment_paint.cpp draws it.
#include "views/dual_mode/segment_canvas.h"

#include "core/base/number_text.h"
#include "views/common/canvas_items.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kNarrowest = 9, kWidest = 180;

QString cyclesText(double cycles) {
    return SegmentCanvas::tr("%1 cycles").arg(text(countText(cycles)));
}

QString tipRow(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td align='right'>%2</td></tr>")
        .arg(name, value.toHtmlEscaped());
}

} // namespace

SegmentCanvas::SegmentCanvas(QWidget* parent) : QAbstractScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumSize(240, 190);
    setAccessibleName(tr("Segments"));
    setCanvasItems(this, this,
                   {[this] { return static_cast<int>(m_picture.pieces.size()); },
                    [this](int piece) {
                        return CanvasItem{m_picture.pieces[static_cast<std::size_t>(piece)].name(),
                                          spoken(piece == m_border ? borderTip(piece) : pieceTip(piece)),
                                          pieceRect(piece), piece == m_selected || piece == m_border};
                    },
                    [this] { return m_border >= 0 ? m_border : m_selected; },
                    [this](int piece) { setSelectedPiece(piece); },
                    [this](const QPointF& at) { return pieceAt(at.toPoint()); }});
}

void SegmentCanvas::setPicture(SegmentPicture picture) {
    const bool same = picture.pieces.size() == m_picture.pieces.size() &&
                      std::equal(picture.pieces.begin(), picture.pieces.end(), m_picture.pieces.begin(),
                                 [](const PieceBar& a, const PieceBar& b) {
                                     return a.work == b.work && a.index == b.index && a.of == b.of;
                                 });
    m_picture = std::move(picture);
    m_dragged = -1;
    m_hovered = m_hoveredBorder = -1;
    m_unfolded.clear();
    m_mostCycles = 0;
    for (const SegmentBar& segment : m_picture.segments)
        m_mostCycles = std::max(m_mostCycles, segment.cycles());
    const int scrolled = horizontalScrollBar()->value();
    const int selected = same ? m_selected : -1, border = same ? m_border : -1;
    m_selected = m_border = -1;
    announceItems(this);
    relayout();
    if (same)
        horizontalScrollBar()->setValue(scrolled);
    if (border > 0 && m_picture.segmentOf(border) >= 0 &&
        m_picture.segments[static_cast<std::size_t>(m_picture.segmentOf(border))].first == border)
        setSelectedBorder(border);
    else
        setSelectedPiece(selected);
}

void SegmentCanvas::relayout() {
    m_blocks.clear();
    double columns = 0, gaps = 0;
    for (std::size_t run = 0; run < m_picture.runs.size(); ++run) {
        const SegmentRun& r = m_picture.runs[run];
        const int shown = isFolded(static_cast<int>(run)) ? r.count : r.count * r.repeats;
        for (int i = 0; i < shown; ++i) {
            const SegmentBar& segment = m_picture.segments[static_cast<std::size_t>(r.first + i)];
            m_blocks.push_back({r.first + i, static_cast<int>(run), 0, 0});
            columns += segment.last - segment.first + 1;
            gaps += kBorder;
        }
    }
    // A short network fills the width.
    const double room = viewport()->width() - kAxis - 8 - gaps;
    m_columnWidth = std::clamp(columns > 0 ? std::max(m_wish, room / columns) : m_wish, kNarrowest,
                               std::max(m_wish, kWidest));
    double x = kAxis;
    for (Block& block : m_blocks) {
        const SegmentBar& segment = m_picture.segments[static_cast<std::size_t>(block.segment)];
        block.left = x + kBorder;
        block.right = block.left + m_columnWidth * (segment.last - segment.first + 1);
        x = block.right;
    }
    m_width = x + 8;
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(static_cast<int>(m_columnWidth));
    horizontalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(std::ceil(m_width - 0.5)) - viewport()->width()));
    viewport()->update();
}

QSize SegmentCanvas::contentSize() const {
    return {std::min(16'000, static_cast<int>(std::ceil(m_width))), viewport()->height()};
}

const SegmentCanvas::Block* SegmentCanvas::blockOf(int segment) const {
    const auto found = std::partition_point(m_blocks.begin(), m_blocks.end(),
                                            [&](const Block& block) { return block.segment < segment; });
    return found != m_blocks.end() && found->segment == segment ? &*found : nullptr;
}

double SegmentCanvas::pieceLeft(int piece) const {
    const int segment = m_picture.segmentOf(piece);
    const Block* block = segment < 0 ? nullptr : blockOf(segment);
    return block ? block->left +
                       m_columnWidth * (piece - m_picture.segments[static_cast<std::size_t>(segment)].first)
                 : -1;
}

QRect SegmentCanvas::pieceRect(int piece) const {
    const double left = pieceLeft(piece);
    const Lines at = lines();
    return left < 0 ? QRect()
                    : QRectF(left - horizontalScrollBar()->value(), at.barsTop, m_columnWidth,
                             at.barsBottom - at.barsTop)
                          .toRect();
}

QRect SegmentCanvas::borderRect(int piece) const {
    const double left = pieceLeft(piece);
    const int segment = m_picture.segmentOf(piece);
    const Lines at = lines();
    if (left < 0 || m_picture.segments[static_cast<std::size_t>(segment)].first != piece)
        return {};
    return QRectF(left - kBorder - horizontalScrollBar()->value(), at.head, kBorder, at.costBottom - at.head)
        .toRect();
}

QRect SegmentCanvas::runRect(int run) const {
    const SegmentRun& r = m_picture.runs[static_cast<std::size_t>(run)];
    const Block* first = blockOf(r.first);
    const Block* last = blockOf(r.first + (isFolded(run) ? r.count : r.count * r.repeats) - 1);
    const Lines at = lines();
    if (r.repeats < 2 || !first || !last)
        return {};
    return QRectF(first->left - kBorder / 2 - horizontalScrollBar()->value(), at.runs,
                  last->right - first->left + kBorder / 2, at.head - at.runs)
        .toRect();
}

int SegmentCanvas::pieceAt(const QPoint& position) const {
    const Lines at = lines();
    if (position.y() < at.head || position.y() > at.costBottom)
        return -1;
    const double x = position.x() + horizontalScrollBar()->value();
    const auto block =
        std::partition_point(m_blocks.begin(), m_blocks.end(), [&](const Block& b) { return b.right <= x; });
    if (block == m_blocks.end() || x < block->left)
        return -1;
    return m_picture.segments[static_cast<std::size_t>(block->segment)].first +
           static_cast<int>((x - block->left) / m_columnWidth);
}

int SegmentCanvas::borderAt(const QPoint& position) const {
    const Lines at = lines();
    if (position.y() < at.head || position.y() > at.costBottom)
        return -1;
    const double x = position.x() + horizontalScrollBar()->value();
    const auto block =
        std::partition_point(m_blocks.begin(), m_blocks.end(), [&](const Block& b) { return b.left <= x; });
    // The start of the network is no border.
    if (block == m_blocks.end() || x < block->left - kBorder - 2 || block->segment == 0)
        return -1;
    return m_picture.segments[static_cast<std::size_t>(block->segment)].first;
}

QString SegmentCanvas::tipAt(const QPoint& position) const {
    if (const int border = borderAt(position); border >= 0)
        return borderTip(border);
    const int piece = pieceAt(position);
    if (piece < 0)
        return {};
    if (position.y() < lines().costTop)
        return pieceTip(piece);
    const int segment = m_picture.segmentOf(piece);
    return tr("<b>Segment %1</b>").arg(segment + 1) + costTable(segment);
}

QString SegmentCanvas::borderTip(int piece) const {
    const PieceBar& p = m_picture.pieces[static_cast<std::size_t>(piece)];
    const int segment = m_picture.segmentOf(piece);
    return tr("<b>Segment %1 starts with %2</b>%3")
               .arg(QString::number(segment + 1), p.name().toHtmlEscaped(),
                    p.startIsPinned ? tr(" ✎ decided by you") : QString()) +
           costTable(segment);
}

QString SegmentCanvas::costTable(int index) const {
    const SegmentBar& segment = m_picture.segments[static_cast<std::size_t>(index)];
    return QStringLiteral("<table>") + tipRow(tr("inside the segment"), cyclesText(segment.intra)) +
           tipRow(tr("write-back before it"), cyclesText(segment.writeBack)) +
           tipRow(tr("switching"), cyclesText(segment.switching)) +
           tipRow(tr("rewriting weights"), cyclesText(segment.rewrite)) +
           tipRow(tr("together"), cyclesText(segment.cycles())) +
           tipRow(tr("switched to memory"), tr("%1 arrays").arg(segment.toMemory)) +
           tipRow(tr("switched to compute"), tr("%1 arrays").arg(segment.toCompute)) +
           QStringLiteral("</table>");
}

QString SegmentCanvas::pieceTip(int piece) const {
    const PieceBar& p = m_picture.pieces[static_cast<std::size_t>(piece)];
    const int index = m_picture.segmentOf(piece);
    const SegmentBar& segment = m_picture.segments[static_cast<std::size_t>(index)];
    const auto count = [](int arrays, bool pinned) {
        return SegmentCanvas::tr("%1 arrays%2")
            .arg(arrays)
            .arg(pinned ? SegmentCanvas::tr(" ✎ decided by you") : QString());
    };
    QString tip = QStringLiteral("<b>%1</b><table>").arg(p.name().toHtmlEscaped()) +
                  tipRow(tr("compute"), count(p.compute, p.computeIsPinned)) +
                  tipRow(tr("memory"), count(p.memory, p.memoryIsPinned)) +
                  tipRow(tr("fewest compute"), tr("%1 arrays").arg(p.leastCompute)) +
                  tipRow(tr("segment"), tr("%1, %2 of %3 arrays used")
                                            .arg(index + 1)
                                            .arg(segment.compute + segment.memory - segment.shared)
                                            .arg(m_picture.arrays));
    if (p.startIsPinned)
        tip += tipRow(tr("border before it"), tr("✎ decided by you"));
    if (p.joinIsPinned)
        tip += tipRow(tr("joined to the piece before"), tr("✎ decided by you"));
    return tip + QStringLiteral("</table>");
}

void SegmentCanvas::setFolded(int run, bool folded) {
    if (run < 0 || run >= static_cast<int>(m_picture.runs.size()) || isFolded(run) == folded)
        return;
    if (folded)
        m_unfolded.erase(run);
    else
        m_unfolded.insert(run);
    // What is folded away cannot stay selected.
    relayout();
    if (m_selected >= 0 && pieceLeft(m_selected) < 0)
        setSelectedPiece(
            m_picture.segments[static_cast<std::size_t>(m_picture.runs[static_cast<std::size_t>(run)].first)]
                .first);
    if (m_border >= 0 && pieceLeft(m_border) < 0)
        setSelectedPiece(
            m_picture.segments[static_cast<std::size_t>(m_picture.runs[static_cast<std::size_t>(run)].first)]
                .first);
}

void SegmentCanvas::setSelectedPiece(int piece) {
    if (piece >= static_cast<int>(m_picture.pieces.size()))
        piece = -1;
    m_border = -1;
    m_selected = piece;
    if (piece >= 0) {
        if (pieceLeft(piece) < 0) {
            const int segment = m_picture.segmentOf(piece);
            for (std::size_t run = 0; run < m_picture.runs.size(); ++run) {
                const SegmentRun& r = m_picture.runs[run];
                if (segment >= r.first && segment < r.first + r.count * r.repeats)
                    m_unfolded.insert(static_cast<int>(run));
            }
            relayout();
        }
        const double left = pieceLeft(piece) - kBorder, right = left + m_columnWidth + 2 * kBorder;
        if (left - kAxis < horizontalScrollBar()->value())
            horizontalScrollBar()->setValue(static_cast<int>(left - kAxis));
        else if (right > horizontalScrollBar()->value() + viewport()->width())
            horizontalScrollBar()->setValue(static_cast<int>(std::ceil(right)) - viewport()->width());
        setAccessibleDescription(m_picture.pieces[static_cast<std::size_t>(piece)].name());
    }
    announceCurrent(this);
    viewport()->update();
    emit selectionChanged();
}

void SegmentCanvas::setSelectedBorder(int piece) {
    setSelectedPiece(piece);
    m_border = piece;
    if (piece >= 0)
        setAccessibleDescription(
            tr("Border before %1").arg(m_picture.pieces[static_cast<std::size_t>(piece)].name()));
    announceCurrent(this);
    viewport()->update();
    emit selectionChanged();
}

void SegmentCanvas::zoom(double factor) {
    const double middle =
        (horizontalScrollBar()->value() + viewport()->width() / 2.0) / std::max(1.0, m_width);
    m_wish = std::clamp(m_columnWidth * factor, kNarrowest, kWidest);
    relayout();
    horizontalScrollBar()->setValue(static_cast<int>(middle * m_width - viewport()->width() / 2.0));
}

// ---- intents

void SegmentCanvas::requestMove(int border, int to) {
    if (border == to || border <= 0 || to <= 0 || to >= static_cast<int>(m_picture.pieces.size()))
        return;
    const PieceBar& from = m_picture.pieces[static_cast<std::size_t>(border)];
    const PieceBar& target = m_picture.pieces[static_cast<std::size_t>(to)];
    m_border = m_selected = to; // the border stays in hand when the new plan comes
    emit stepBegan(tr("Move Segment Border to %1").arg(target.name()));
    emit decisionRequested(target.opName, QStringLiteral("border/") + target.pieceText(),
                           QStringLiteral("start"));
    emit decisionRequested(from.opName, QStringLiteral("border/") + from.pieceText(), QStringLiteral("join"));
    emit stepEnded();
}

void SegmentCanvas::requestSplit(int piece) {
    if (piece <= 0 || piece >= static_cast<int>(m_picture.pieces.size()))
        return;
    const PieceBar& p = m_picture.pieces[static_cast<std::size_t>(piece)];
    m_border = m_selected = piece;
    emit decisionRequested(p.opName, QStringLiteral("border/") + p.pieceText(), QStringLiteral("start"));
}

void SegmentCanvas::requestJoin(int piece) {
    if (piece <= 0 || piece >= static_cast<int>(m_picture.pieces.size()))
        return;
    const PieceBar& p = m_picture.pieces[static_cast<std::size_t>(piece)];
    emit decisionRequested(p.opName, QStringLiteral("border/") + p.pieceText(), QStringLiteral("join"));
}

void SegmentCanvas::requestReset(int piece) {
    if (piece < 0 || piece >= static_cast<int>(m_picture.pieces.size()))
        return;
    const PieceBar p = m_picture.pieces[static_cast<std::size_t>(piece)];
    if (!p.startIsPinned && !p.joinIsPinned && !p.computeIsPinned && !p.memoryIsPinned)
        return;
    emit stepBegan(tr("Reset %1").arg(p.name()));
    if (p.startIsPinned || p.joinIsPinned)
        emit decisionCleared(p.opName, QStringLiteral("border/") + p.pieceText());
    if (p.computeIsPinned)
        emit decisionCleared(p.opName, QStringLiteral("compute arrays/") + p.pieceText());
    if (p.memoryIsPinned)
        emit decisionCleared(p.opName, QStringLiteral("memory arrays/") + p.pieceText());
    emit stepEnded();
}

// ---- mouse and keys

int SegmentCanvas::nearestCut(double x) const {
    // Piece whose left edge is nearest, between the borders beside the dragged one.
    const int segment = m_picture.segmentOf(m_dragged);
    const SegmentBar& before = m_picture.segments[static_cast<std::size_t>(segment - 1)];
    const SegmentBar& own = m_picture.segments[static_cast<std::size_t>(segment)];
    int best = m_dragged;
    double nearest = 1e9;
    for (int piece = before.first + 1; piece <= own.last; ++piece) {
        const double left = pieceLeft(piece);
        if (left < 0)
            continue;
        const double edge = piece == m_dragged ? left - kBorder / 2 : left;
        if (std::abs(edge - x) < nearest) {
            nearest = std::abs(edge - x);
            best = piece;
        }
    }
    return best;
}

void SegmentCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->pos();
    for (std::size_t run = 0; run < m_picture.runs.size(); ++run)
        if (runRect(static_cast<int>(run)).contains(m_pressed)) {
            setFolded(static_cast<int>(run), !isFolded(static_cast<int>(run)));
            return;
        }
    if (const int border = borderAt(m_pressed); border > 0) {
        setSelectedBorder(border);
        m_dragged = m_dragTo = border;
        m_dragIsLegal = true;
        return;
    }
    setSelectedPiece(pieceAt(m_pressed));
}

void SegmentCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragged >= 0) {
        const int to = nearestCut(event->pos().x() + horizontalScrollBar()->value());
        if (to != m_dragTo) {
            m_dragTo = to;
            QString verdict;
            if (m_check && to != m_dragged) {
                const PieceBar& p = m_picture.pieces[static_cast<std::size_t>(to)];
                verdict =
                    m_check(p.opName, QStringLiteral("border/") + p.pieceText(), QStringLiteral("start"));
            }
            m_dragIsLegal = verdict.isEmpty();
            emit verdictChanged(verdict);
            viewport()->update();
        }
        return;
    }
    const int border = borderAt(event->pos()), piece = border >= 0 ? -1 : pieceAt(event->pos());
    if (border == m_hoveredBorder && piece == m_hovered)
        return;
    m_hoveredBorder = border;
    m_hovered = piece;
    viewport()->setCursor(border >= 0  ? Qt::SplitHCursor
                          : piece >= 0 ? Qt::PointingHandCursor
                                       : Qt::ArrowCursor);
    viewport()->update();
}

void SegmentCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_dragged < 0)
        return;
    const int from = m_dragged, to = m_dragTo;
    m_dragged = -1;
    viewport()->update();
    emit verdictChanged(QString());
    if (m_dragIsLegal)
        requestMove(from, to);
}

void SegmentCanvas::wheelEvent(QWheelEvent* event) {
    const QPoint angle = event->angleDelta();
    const double steps = (std::abs(angle.y()) >= std::abs(angle.x()) ? angle.y() : angle.x()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier)
        zoom(std::pow(1.2, steps));
    else
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - static_cast<int>(steps * 90));
    event->accept();
}

int SegmentCanvas::neighbour(int piece, int by) const {
    // Pieces folded away are stepped over.
    const int count = static_cast<int>(m_picture.pieces.size());
    for (int at = piece + by; at >= 0 && at < count; at += by)
        if (pieceLeft(at) >= 0)
            return at;
    return piece;
}

void SegmentCanvas::selectNextBorder(int by) {
    for (int at = std::max(0, m_selected), next = neighbour(at, by); next != at;
         at = next, next = neighbour(at, by))
        if (next > 0 &&
            m_picture.segments[static_cast<std::size_t>(m_picture.segmentOf(next))].first == next) {
            setSelectedBorder(next);
            return;
        }
}

void SegmentCanvas::moveSelectedBorder(int by) {
    const int segment = m_picture.segmentOf(m_border), to = m_border + by;
    const SegmentBar& before = m_picture.segments[static_cast<std::size_t>(segment - 1)];
    const SegmentBar& own = m_picture.segments[static_cast<std::size_t>(segment)];
    if (to <= before.first || to > own.last) {
        emit verdictChanged(tr("A segment keeps one piece at least; Delete joins it with the one before"));
        return;
    }
    const PieceBar& p = m_picture.pieces[static_cast<std::size_t>(to)];
    const QString verdict =
        m_check ? m_check(p.opName, QStringLiteral("border/") + p.pieceText(), QStringLiteral("start"))
                : QString();
    emit verdictChanged(verdict);
    if (verdict.isEmpty())
        requestMove(m_border, to);
}

/// Folds or unfolds the repeats that hold the selected piece.
void SegmentCanvas::foldSelected() {
    for (std::size_t run = 0; run < m_picture.runs.size() && m_selected >= 0; ++run) {
        const SegmentRun& r = m_picture.runs[run];
        const int segment = m_picture.segmentOf(m_selected);
        if (r.repeats > 1 && segment >= r.first && segment < r.first + r.count * r.repeats)
            setFolded(static_cast<int>(run), !isFolded(static_cast<int>(run)));
    }
}

/// Gives up a drag, then the border, then the piece; false if there is none of them.
bool SegmentCanvas::giveUpChosen() {
    if (m_dragged >= 0) {
        m_dragged = -1;
        viewport()->update();
        emit verdictChanged(QString());
        return true;
    }
    if (m_border < 0 && m_selected < 0)
        return false;
    setSelectedPiece(m_border >= 0 ? m_border : -1);
    return true;
}

void SegmentCanvas::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(m_picture.pieces.size());
    if (count == 0) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const auto firstOfSegment = [this](int piece) {
        return m_picture.segments[static_cast<std::size_t>(m_picture.segmentOf(piece))].first;
    };
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int by = event->key() == Qt::Key_Right ? 1 : -1;
        if (event->modifiers() & Qt::ControlModifier)
            selectNextBorder(by);
        else if (m_border > 0)
            moveSelectedBorder(by);
        else
            setSelectedPiece(m_selected < 0 ? 0 : neighbour(m_selected, by));
        break;
    }
    case Qt::Key_Home:
        setSelectedPiece(0);
        break;
    case Qt::Key_End:
        setSelectedPiece(count - 1);
        break;
    case Qt::Key_B:
        if (m_selected >= 0 && firstOfSegment(m_selected) > 0)
            setSelectedBorder(firstOfSegment(m_selected));
        break;
    case Qt::Key_Escape:
        if (!giveUpChosen())
            QAbstractScrollArea::keyPressEvent(event);
        break;
    case Qt::Key_Delete:
        if (m_border > 0)
            requestJoin(m_border);
        break;
    case Qt::Key_Insert:
    case Qt::Key_S:
        if (m_selected > 0 && firstOfSegment(m_selected) != m_selected)
            requestSplit(m_selected);
        break;
    case Qt::Key_Backspace:
        requestReset(m_selected);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(1.2);
        break;
    case Qt::Key_Minus:
        zoom(1 / 1.2);
        break;
    case Qt::Key_Space:
        foldSelected();
        break;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

bool SegmentCanvas::viewportEvent(QEvent* event) {
    if (answerToolTip(event, viewport(), [this](const QPoint& at) { return tipAt(at); }))
        return true;
    if (event->type() == QEvent::Leave && (m_hovered >= 0 || m_hoveredBorder >= 0)) {
        m_hovered = m_hoveredBorder = -1;
        viewport()->update();
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void SegmentCanvas::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

void SegmentCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        viewport()->update();
    QAbstractScrollArea::changeEvent(event);
}

} // namespace pim::views
