// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas of the graph: mouse, keyboard, drag.
#include "views/graph/graph_canvas.h"

#include "views/common/mime.h"
#include "views/common/tool_tips.h"
#include "views/graph/index.h"

#include <QApplication>
#include <QDrag>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kStep = 1.2, kLeastLabelZoom = 0.22; // below it labels are no buttons

} // namespace

// --- mouse
// ------------------------------------------------------------------------------------------------------

void GraphCanvas::panToMinimap(const QPointF& position) {
    const QRectF map = minimapRect();
    const QRectF bounds = m_picture->bounds;
    const QPointF world(bounds.x() + (position.x() - map.x()) / map.width() * bounds.width(),
                        bounds.y() + (position.y() - map.y()) / map.height() * bounds.height());
    setViewport(m_view.zoom, QRectF(rect()).center() - world * m_view.zoom);
}

void GraphCanvas::mousePressEvent(QMouseEvent* event) {
    if (!m_picture || (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton))
        return;
    m_pressedAt = m_lastAt = event->position();
    m_moved = false;
    m_pressedNode = -1;
    if (minimapRect().contains(event->position())) {
        m_press = Press::Minimap;
        panToMinimap(event->position());
        return;
    }
    const QPointF world = m_view.toWorld(event->position());
    const std::int32_t node = m_picture->nodeAt(world);
    m_press = Press::Pan;
    if (event->button() != Qt::LeftButton)
        return;
    if (node >= 0 && m_picture->nodes[at(node)].isChoosable()) {
        m_press = Press::Op;
        m_pressedNode = node;
        pick(node);
        const PictureNode& pressed = m_picture->nodes[at(node)];
        if (pressed.kind == PictureNode::Kind::Group &&
            GraphPainter::foldSign(pressed.rect, 1).adjusted(-3, -3, 3, 3).contains(world))
            fold(false);
    } else if (const PictureFrame* frame =
                   node < 0 && m_view.zoom > kLeastLabelZoom ? m_picture->labelAt(world) : nullptr) {
        m_press = Press::None;
        const bool onSign = world.x() < frame->label.left() + frame->label.height();
        pickBlock(frame->block);
        if (onSign)
            fold(true);
    }
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!m_picture)
        return;
    const QPointF position = event->position();
    m_moved = m_moved || (position - m_pressedAt).manhattanLength() >= QApplication::startDragDistance();
    switch (m_press) {
    case Press::Minimap:
        panToMinimap(position);
        return;
    case Press::Pan:
        if (m_moved) {
            setCursor(Qt::ClosedHandCursor);
            setViewport(m_view.zoom, m_view.offset + position - m_lastAt);
            m_lastAt = position;
        }
        return;
    case Press::Op:
        if (m_moved) {
            m_press = Press::None;
            if (const PictureNode& node = m_picture->nodes[at(m_pressedNode)];
                node.kind == PictureNode::Kind::Op)
                startDrag(node.op);
        }
        return;
    case Press::None:
        break;
    }
    const QPointF world = m_view.toWorld(position);
    const std::int32_t node = minimapRect().contains(position) ? -1 : m_picture->nodeAt(world);
    setHover(node, node < 0 && m_view.zoom > 0.15 ? m_picture->edgeAt(world, 5 / m_view.zoom) : -1);
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent*) {
    if (m_press == Press::Pan) {
        unsetCursor();
        if (!m_moved && m_picture)
            pick(-1);
    }
    m_press = Press::None;
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_picture || minimapRect().contains(event->position()))
        return;
    const QPointF world = m_view.toWorld(event->position());
    if (const std::int32_t node = m_picture->nodeAt(world); node >= 0) {
        if (m_picture->nodes[at(node)].kind == PictureNode::Kind::Group)
            fold(false);
        else if (selectedOp().valid())
            emit opActivated(selectedOp());
    } else if (const PictureFrame* frame =
                   m_view.zoom > kLeastLabelZoom ? m_picture->labelAt(world) : nullptr) {
        pickBlock(frame->block);
        fold(true);
    }
}

void GraphCanvas::leaveEvent(QEvent*) {
    setHover(-1, -1);
}

void GraphCanvas::setHover(std::int32_t node, std::int32_t edge) {
    if (node == m_marks.hovered && edge == m_marks.hoveredEdge)
        return;
    m_marks.hovered = node;
    m_marks.hoveredEdge = edge;
    update();
}

void GraphCanvas::wheelEvent(QWheelEvent* event) {
    if (!m_picture)
        return;
    const QPoint pixels = event->pixelDelta(), angle = event->angleDelta();
    if (event->modifiers() & Qt::ShiftModifier) { // Shift pans sideways, as in most editors
        setViewport(m_view.zoom,
                    m_view.offset +
                        QPointF(pixels.isNull() ? angle.y() + angle.x() : pixels.x() + pixels.y(), 0));
    } else if (const int delta = pixels.isNull() ? angle.y() : pixels.y() * 3) {
        zoomAt(event->position(), std::pow(kStep, delta / 120.0));
    }
    event->accept();
}

QMimeData* GraphCanvas::mimeData(const Graph& graph, OpId op) {
    auto* data = new QMimeData;
    const std::string& name = graph.op(op).name;
    data->setData(QLatin1String(kMimeOp), QByteArray::fromStdString(name));
    data->setText(QString::fromStdString(name));
    return data;
}

void GraphCanvas::startDrag(OpId op) {
    auto* drag = new QDrag(this);
    drag->setMimeData(mimeData(*m_picture->graph, op));
    const PictureNode& node = m_picture->nodes[at(m_picture->nodeOf(op))];
    const Viewport view{1, -node.rect.topLeft() + QPointF(4, 4), node.rect.size() + QSizeF(8, 8)};
    QPixmap pixmap(view.size.toSize() * devicePixelRatioF());
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&pixmap);
    GraphPainter().paint(painter, *m_picture, m_looks.nodes, {}, view);
    painter.end();
    drag->setPixmap(pixmap);
    drag->setHotSpot(QPoint(24, 16));
    drag->exec(Qt::CopyAction);
}

QString GraphCanvas::tipAt(const QPointF& position) const {
    if (!m_picture)
        return {};
    const QPointF world = m_view.toWorld(position);
    if (const std::int32_t node = m_picture->nodeAt(world); node >= 0)
        return m_nodeTip ? m_nodeTip(m_picture->nodes[at(node)]) : QString();
    const std::int32_t edge = m_picture->edgeAt(world, 5 / m_view.zoom);
    return edge >= 0 && m_edgeTip ? m_edgeTip(m_picture->edges[at(edge)]) : QString();
}

bool GraphCanvas::event(QEvent* event) {
    if (answerToolTip(event, this, [this](const QPoint& at) { return tipAt(at); }))
        return true;
    return QWidget::event(event);
}

// --- keyboard
// ---------------------------------------------------------------------------------------------------

std::int32_t GraphCanvas::beside(std::int32_t node, bool forward) const {
    const bool down = m_picture->direction() == LayoutDirection::TopToBottom;
    const auto across = [&](std::int32_t i) {
        const QPointF centre = m_picture->nodes[at(i)].rect.center();
        return down ? centre.x() : centre.y();
    };
    const auto along = [&](std::int32_t i) {
        const QPointF centre = m_picture->nodes[at(i)].rect.center();
        return down ? centre.y() : centre.x();
    };
    std::int32_t best = -1;
    for (std::int32_t i = 0; i < m_picture->choosable; ++i) {
        const double step = (across(i) - across(node)) * (forward ? 1 : -1);
        if (step > 1 && std::abs(along(i) - along(node)) < 30 &&
            (best < 0 || step < (across(best) - across(node)) * (forward ? 1 : -1)))
            best = i;
    }
    return best;
}

std::int32_t GraphCanvas::neighbour(int key) const {
    const std::int32_t node = m_marks.selected;
    const bool down = m_picture->direction() == LayoutDirection::TopToBottom;
    const bool follow = key == (down ? Qt::Key_Down : Qt::Key_Right),
               back = key == (down ? Qt::Key_Up : Qt::Key_Left);
    if (!follow && !back)
        return beside(node, key == Qt::Key_Down || key == Qt::Key_Right);
    // Of several neighbours the one most nearly straight ahead.
    const QPointF from = m_picture->nodes[at(node)].rect.center();
    std::int32_t best = -1;
    double least = HUGE_VAL;
    for (const std::int32_t e : (follow ? m_picture->outgoing : m_picture->incoming)[at(node)]) {
        const std::int32_t other = follow ? m_picture->edges[at(e)].to : m_picture->edges[at(e)].from;
        if (!m_picture->nodes[at(other)].isChoosable())
            continue;
        const QPointF d = m_picture->nodes[at(other)].rect.center() - from;
        const double aside = std::abs(down ? d.x() : d.y()) * 2 + std::abs(down ? d.y() : d.x());
        if (aside < least) {
            least = aside;
            best = other;
        }
    }
    return best;
}

void GraphCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_picture || m_picture->choosable == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const QPointF centre = QRectF(rect()).center();
    const bool withCtrl = event->modifiers() & Qt::ControlModifier;
    const auto goTo = [this](std::int32_t node) {
        pick(node);
        ensureVisible(node);
    };
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        followKey(event->key());
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selectedOp().valid())
            emit opActivated(selectedOp());
        else if (m_block >= 0)
            fold(m_marks.frame >= 0);
        return;
    case Qt::Key_Home:
        goTo(0);
        return;
    case Qt::Key_End:
        goTo(m_picture->choosable - 1);
        return;
    case Qt::Key_F:
        if (event->modifiers() & ~Qt::ShiftModifier)
            break;
        event->modifiers() & Qt::ShiftModifier ? zoomToSelection() : zoomToFit();
        return;
    case Qt::Key_Plus: // as in trees where there is something to open or close, else as in pictures
    case Qt::Key_Equal:
        if (withCtrl || !fold(false))
            zoomAt(centre, kStep);
        return;
    case Qt::Key_Minus:
        if (withCtrl || !fold(true))
            zoomAt(centre, 1 / kStep);
        return;
    case Qt::Key_0:
        zoomAt(centre, 1 / m_view.zoom);
        return;
    case Qt::Key_Backspace:
        goUp();
        return;
    case Qt::Key_Escape:
        pick(-1);
        break; // others may want it too
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

/// Along the edges, aside to what lies beside, and where nothing does, into a block and out of it as in a tree.
void GraphCanvas::followKey(int key) {
    if (m_marks.selected < 0 && m_marks.frame < 0) {
        pick(0);
        ensureVisible(0);
        return;
    }
    const std::int32_t next = m_marks.selected < 0 ? firstIn(m_marks.frame) : neighbour(key);
    if (next >= 0) {
        pick(next);
        ensureVisible(next);
        return;
    }
    const bool down = m_picture->direction() == LayoutDirection::TopToBottom;
    if (key == (down ? Qt::Key_Right : Qt::Key_Down))
        fold(false);
    else if (key == (down ? Qt::Key_Left : Qt::Key_Up))
        goUp();
}

std::int32_t GraphCanvas::firstIn(std::int32_t block) const {
    return m_picture->nodeOf(m_picture->blocks->order[at(m_picture->blocks->blocks[at(block)].first)]);
}

/// Tab goes from box to box in the order of the graph and leaves the canvas behind the last one.
bool GraphCanvas::focusNextPrevChild(bool next) {
    const std::int32_t count = m_picture ? m_picture->choosable : 0;
    const std::int32_t from = m_marks.frame >= 0 ? firstIn(m_marks.frame) - (next ? 1 : 0) : m_marks.selected;
    const std::int32_t target =
        m_marks.selected < 0 && m_marks.frame < 0 ? (next ? 0 : -1) : from + (next ? 1 : -1);
    if (!hasFocus() || target < 0 || target >= count)
        return QWidget::focusNextPrevChild(next);
    pick(target);
    ensureVisible(target);
    return true;
}

} // namespace pim::views
