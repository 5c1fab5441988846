// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_canvas.h"

#include "views/common/palette.h"

#include <QApplication>
#include <QDrag>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kLeastZoom = 0.01, kMostZoom = 4, kReadableZoom = 0.85, kStep = 1.2;

std::size_t at(std::int32_t v) {
    return static_cast<std::size_t>(v);
}

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Model graph"));
    setAccessibleDescription(
        tr("Arrow keys follow edges, Tab goes to the next op, Enter inspects, F fits the graph"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void GraphCanvas::setPicture(std::shared_ptr<const GraphPicture> picture) {
    const OpId selected = selectedOp();
    const bool sameGraph = m_picture && picture && m_picture->graph == picture->graph;
    m_picture = std::move(picture);
    m_marks = {};
    m_press = Press::None;
    m_minimap = {};
    m_painter.forget();
    if (!sameGraph)
        m_looks = {};
    if (m_picture) {
        showStart();
        if (sameGraph && selected.valid()) { // turned round: stay where the user was
            m_marks.selected = selected.value;
            centreOn(selected);
        }
    }
    update();
}

void GraphCanvas::setLooks(OverlayLooks looks) {
    m_looks = std::move(looks);
    m_minimap = {};
    m_painter.forget();
    update();
}

void GraphCanvas::setTips(std::function<QString(const PictureNode&)> nodeTip,
                          std::function<QString(const PictureEdge&)> edgeTip) {
    m_nodeTip = std::move(nodeTip);
    m_edgeTip = std::move(edgeTip);
}

OpId GraphCanvas::selectedOp() const {
    return m_picture && m_marks.selected >= 0 ? m_picture->nodes[at(m_marks.selected)].op : OpId();
}

void GraphCanvas::setSelectedOp(OpId op) {
    const std::int32_t node = m_picture && op.valid() && op.index() < m_picture->ops() ? op.value : -1;
    if (node == m_marks.selected)
        return;
    m_marks.selected = node;
    describeSelection();
    if (node >= 0)
        ensureVisible(node);
    update();
}

void GraphCanvas::describeSelection() {
    if (m_marks.selected < 0)
        return;
    const PictureNode& node = m_picture->nodes[at(m_marks.selected)];
    setAccessibleDescription(tr("%1 %2, %3").arg(node.type, node.name, node.shape));
}

void GraphCanvas::setHits(const std::vector<OpId>& hits, bool searching) {
    m_marks.hits.clear();
    for (const OpId op : hits)
        m_marks.hits.push_back(op.value);
    m_marks.searching = searching;
    update();
}

void GraphCanvas::setViewport(double zoom, const QPointF& offset) {
    m_view.zoom = std::clamp(zoom, kLeastZoom, kMostZoom);
    m_view.offset = offset;
    clampView();
    update();
    emit zoomChanged(m_view.zoom);
}

/// Some part of the graph always stays in sight.
void GraphCanvas::clampView() {
    if (!m_picture)
        return;
    const QRectF shown(m_view.toScreen(m_picture->bounds));
    const double keepX = std::min(120.0, shown.width()), keepY = std::min(120.0, shown.height());
    QPointF shift;
    if (shown.right() < keepX)
        shift.setX(keepX - shown.right());
    else if (shown.left() > width() - keepX)
        shift.setX(width() - keepX - shown.left());
    if (shown.bottom() < keepY)
        shift.setY(keepY - shown.bottom());
    else if (shown.top() > height() - keepY)
        shift.setY(height() - keepY - shown.top());
    m_view.offset += shift;
}

void GraphCanvas::zoomAt(const QPointF& position, double factor) {
    const QPointF world = m_view.toWorld(position);
    const double zoom = std::clamp(m_view.zoom * factor, kLeastZoom, kMostZoom);
    setViewport(zoom, position - world * zoom);
}

void GraphCanvas::fitRect(const QRectF& world, double largest) {
    if (world.isEmpty() || width() < 2 || height() < 2)
        return;
    const double zoom =
        std::clamp(std::min(width() / world.width(), height() / world.height()), kLeastZoom, largest);
    setViewport(zoom, QRectF(rect()).center() - world.center() * zoom);
}

void GraphCanvas::zoomToFit() {
    if (m_picture)
        fitRect(m_picture->bounds, 1.5);
}

void GraphCanvas::zoomToSelection() {
    if (m_marks.selected < 0)
        return;
    // With its neighbours, so that one sees where it stands.
    QRectF around = m_picture->nodes[at(m_marks.selected)].rect;
    for (const std::int32_t e : m_picture->incoming[at(m_marks.selected)])
        around |= m_picture->nodes[at(m_picture->edges[at(e)].from)].rect;
    for (const std::int32_t e : m_picture->outgoing[at(m_marks.selected)])
        around |= m_picture->nodes[at(m_picture->edges[at(e)].to)].rect;
    fitRect(around.adjusted(-40, -40, 40, 40), 1.5);
    if (m_view.zoom < kReadableZoom) { // its neighbours are far away
        setViewport(kReadableZoom, m_view.offset);
        centreOn(selectedOp());
    }
}

void GraphCanvas::showStart() {
    m_fitPending = width() < 100 || height() < 100 || !isVisible();
    if (!m_picture || m_picture->nodes.empty())
        return;
    zoomToFit();
    if (m_view.zoom >= kReadableZoom)
        return;
    // Too large to read at once: begin where the data comes in.
    const bool down = m_picture->direction == LayoutDirection::TopToBottom;
    const auto& nodes = m_picture->nodes;
    const auto first =
        std::min_element(nodes.begin(), nodes.end(), [&](const PictureNode& a, const PictureNode& b) {
            return down ? a.rect.top() < b.rect.top() : a.rect.left() < b.rect.left();
        });
    const QPointF start = first->rect.center() * kReadableZoom;
    setViewport(kReadableZoom, down ? QPointF(width() / 2.0 - start.x(), 50 - start.y())
                                    : QPointF(110 - start.x(), height() / 2.0 - start.y()));
}

void GraphCanvas::centreOn(OpId op) {
    if (!m_picture || !op.valid() || op.index() >= m_picture->ops())
        return;
    setViewport(m_view.zoom,
                QRectF(rect()).center() - m_picture->nodes[op.index()].rect.center() * m_view.zoom);
}

QPointF GraphCanvas::screenPosition(OpId op) const {
    return m_picture && op.valid() && op.index() < m_picture->ops()
               ? m_view.toScreen(m_picture->nodes[op.index()].rect.center())
               : QPointF();
}

void GraphCanvas::ensureVisible(std::int32_t node) {
    const QRectF shown = m_view.toScreen(m_picture->nodes[at(node)].rect);
    const QRectF inside = QRectF(rect()).adjusted(24, 24, -24, -24);
    if (!inside.contains(shown.center()))
        centreOn(OpId(node));
}

void GraphCanvas::pick(std::int32_t node) {
    const bool isOp = node >= 0 && m_picture->nodes[at(node)].kind == PictureNode::Kind::Op;
    const std::int32_t chosen = isOp ? node : -1;
    if (chosen == m_marks.selected)
        return;
    m_marks.selected = chosen;
    describeSelection();
    update();
    emit opSelected(selectedOp());
}

// --- painting
// ---------------------------------------------------------------------------------------------------

void GraphCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    m_view.size = size();
    if (!m_picture) {
        painter.fillRect(rect(), color(Role::Canvas));
        return;
    }
    m_painter.paint(painter, *m_picture, m_looks.ops, m_marks, m_view);
    GraphPainter::paintLegend(painter, m_looks.legend, QPointF(12, height() - 12));
    paintMinimap(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(color(Role::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void GraphCanvas::paintAll(QPainter& painter, double zoom) const {
    if (!m_picture)
        return;
    GraphPainter fresh;
    const Viewport view{zoom, -m_picture->bounds.topLeft() * zoom, m_picture->bounds.size() * zoom};
    fresh.paint(painter, *m_picture, m_looks.ops, {}, view, true);
}

QRectF GraphCanvas::minimapRect() const {
    if (!m_picture || m_picture->bounds.isEmpty())
        return {};
    const QRectF shown = m_view.toScreen(m_picture->bounds);
    if (QRectF(rect()).adjusted(-1, -1, 1, 1).contains(shown))
        return {}; // everything is in sight
    const QSizeF whole = m_picture->bounds.size();
    const double most = std::min({height() - 24.0, width() / 3.0, 240.0});
    const double scale = std::min(most / whole.height(), std::min(most, 200.0) / whole.width());
    const QSizeF size(std::max(18.0, whole.width() * scale), std::max(18.0, whole.height() * scale));
    return {QPointF(width() - size.width() - 12, height() - size.height() - 12), size};
}

void GraphCanvas::paintMinimap(QPainter& painter) {
    const QRectF map = minimapRect();
    if (map.isEmpty())
        return;
    const QSizeF scale(map.width() / m_picture->bounds.width(), map.height() / m_picture->bounds.height());
    const double ratio = devicePixelRatioF();
    const QSize pixels = (map.size() * ratio).toSize();
    if (m_minimap.size() != pixels) {
        m_minimap = QImage(pixels, QImage::Format_RGB32);
        m_minimap.setDevicePixelRatio(ratio);
        QColor back = mix(color(Role::Canvas), QGuiApplication::palette().color(QPalette::Base), 0.7);
        m_minimap.fill(back);
        QPainter small(&m_minimap);
        small.setRenderHint(QPainter::Antialiasing);
        for (std::size_t i = 0; i < m_picture->nodes.size(); ++i) {
            const QRectF world = m_picture->nodes[i].rect.translated(-m_picture->bounds.topLeft());
            const QRectF box(world.x() * scale.width(), world.y() * scale.height(),
                             std::max(1.5, world.width() * scale.width()),
                             std::max(1.0, world.height() * scale.height()));
            small.fillRect(box, i < m_looks.ops.size() ? m_looks.ops[i].fill : color(Role::Muted));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawImage(map.topLeft(), m_minimap);
    painter.setPen(QPen(color(Role::GridLine), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(map.adjusted(-0.5, -0.5, 0.5, 0.5));
    const QRectF seen = m_view.visible().translated(-m_picture->bounds.topLeft());
    QRectF frame(map.x() + seen.x() * scale.width(), map.y() + seen.y() * scale.height(),
                 seen.width() * scale.width(), seen.height() * scale.height());
    frame = frame.intersected(map);
    if (frame.height() < 4)
        frame.setHeight(4);
    QColor tint = color(Role::Accent);
    tint.setAlpha(45);
    painter.setPen(QPen(color(Role::Accent), 1.5));
    painter.setBrush(tint);
    painter.drawRect(frame);
}

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
    const std::int32_t node = m_picture->nodeAt(m_view.toWorld(event->position()));
    if (event->button() == Qt::LeftButton && node >= 0 &&
        m_picture->nodes[at(node)].kind == PictureNode::Kind::Op) {
        m_press = Press::Op;
        m_pressedNode = node;
        pick(node);
        return;
    }
    m_press = Press::Pan;
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
            startDrag(OpId(m_pressedNode));
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
    if (event->button() == Qt::LeftButton && m_picture &&
        m_picture->nodeAt(m_view.toWorld(event->position())) >= 0 && selectedOp().valid())
        emit opActivated(selectedOp());
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
    data->setData(QStringLiteral("application/x-pim-op"), QByteArray::fromStdString(name));
    data->setText(QString::fromStdString(name));
    return data;
}

void GraphCanvas::startDrag(OpId op) {
    auto* drag = new QDrag(this);
    drag->setMimeData(mimeData(*m_picture->graph, op));
    const PictureNode& node = m_picture->nodes[op.index()];
    const Viewport view{1, -node.rect.topLeft() + QPointF(4, 4), node.rect.size() + QSizeF(8, 8)};
    QPixmap pixmap(view.size.toSize() * devicePixelRatioF());
    pixmap.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&pixmap);
    GraphPainter().paint(painter, *m_picture, m_looks.ops, {}, view);
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
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

void GraphCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_minimap = {};
        m_painter.forget();
        update();
    }
    QWidget::changeEvent(event);
}

void GraphCanvas::resizeEvent(QResizeEvent* event) {
    m_minimap = {};
    // The selection that was in sight stays in sight, whatever panel opens beside it.
    const bool keepSelection = m_picture && m_marks.selected >= 0 &&
                               (m_fitPending || QRectF(QPointF(), event->oldSize()).contains(screenPosition(selectedOp())));
    m_view.size = size();
    if (m_fitPending && m_picture)
        showStart();
    else if (event->oldSize().isValid()) { // what was in the middle stays in the middle
        const QSize grown = event->size() - event->oldSize();
        setViewport(m_view.zoom, m_view.offset + QPointF(grown.width(), grown.height()) / 2);
    }
    m_fitPending = m_fitPending && !isVisible();
    if (keepSelection)
        ensureVisible(m_marks.selected);
}

// --- keyboard
// ---------------------------------------------------------------------------------------------------

std::int32_t GraphCanvas::beside(std::int32_t node, bool forward) const {
    const bool down = m_picture->direction == LayoutDirection::TopToBottom;
    const auto across = [&](std::int32_t i) {
        const QPointF centre = m_picture->nodes[at(i)].rect.center();
        return down ? centre.x() : centre.y();
    };
    const auto along = [&](std::int32_t i) {
        const QPointF centre = m_picture->nodes[at(i)].rect.center();
        return down ? centre.y() : centre.x();
    };
    std::int32_t best = -1;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(m_picture->ops()); ++i) {
        const double step = (across(i) - across(node)) * (forward ? 1 : -1);
        if (step > 1 && std::abs(along(i) - along(node)) < 30 &&
            (best < 0 || step < (across(best) - across(node)) * (forward ? 1 : -1)))
            best = i;
    }
    return best;
}

std::int32_t GraphCanvas::neighbour(int key) const {
    const std::int32_t node = m_marks.selected;
    const bool down = m_picture->direction == LayoutDirection::TopToBottom;
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
        if (m_picture->nodes[at(other)].kind != PictureNode::Kind::Op)
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
    if (!m_picture || m_picture->ops() == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    const QPointF centre = QRectF(rect()).center();
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const std::int32_t next = m_marks.selected < 0 ? 0 : neighbour(event->key());
        if (next >= 0) {
            pick(next);
            ensureVisible(next);
        }
        return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (selectedOp().valid())
            emit opActivated(selectedOp());
        return;
    case Qt::Key_Home:
        pick(0);
        ensureVisible(0);
        return;
    case Qt::Key_End:
        pick(static_cast<std::int32_t>(m_picture->ops()) - 1);
        ensureVisible(m_marks.selected);
        return;
    case Qt::Key_F:
        if (event->modifiers() & ~Qt::ShiftModifier)
            break;
        event->modifiers() & Qt::ShiftModifier ? zoomToSelection() : zoomToFit();
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomAt(centre, kStep);
        return;
    case Qt::Key_Minus:
        zoomAt(centre, 1 / kStep);
        return;
    case Qt::Key_0:
        zoomAt(centre, 1 / m_view.zoom);
        return;
    case Qt::Key_Escape:
        pick(-1);
        break; // others may want it too
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

/// Tab goes from op to op in the order of the graph and leaves the canvas behind the last one.
bool GraphCanvas::focusNextPrevChild(bool next) {
    const std::int32_t count = m_picture ? static_cast<std::int32_t>(m_picture->ops()) : 0;
    const std::int32_t target = m_marks.selected < 0 ? (next ? 0 : -1) : m_marks.selected + (next ? 1 : -1);
    if (!hasFocus() || target < 0 || target >= count)
        return QWidget::focusNextPrevChild(next);
    pick(target);
    ensureVisible(target);
    return true;
}

} // namespace pim::views
