// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_canvas.h"

#include "views/common/canvas_items.h"
#include "views/common/palette.h"
#include "views/graph/index.h"

#include <QGuiApplication>
#include <QPainter>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kLeastZoom = 0.01, kMostZoom = 4, kReadableZoom = 0.85;

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Model graph"));
    setAccessibleDescription(
        tr("Arrow keys follow edges, Tab goes to the next op, Enter inspects, F fits the graph"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCanvasItems(
        this, this,
        {[this] { return m_picture ? static_cast<int>(m_picture->nodes.size()) : 0; },
         [this](int node) { return spokenNode(node); }, [this] { return m_marks.selected; },
         [this](int node) {
             pick(node < m_picture->choosable ? node : -1);
             if (m_marks.selected >= 0)
                 ensureVisible(m_marks.selected);
         },
         [this](const QPointF& at) { return m_picture ? m_picture->nodeAt(m_view.toWorld(at)) : -1; }});
}

CanvasItem GraphCanvas::spokenNode(std::int32_t index) const {
    const PictureNode& node = m_picture->nodes[at(index)];
    QString name = QStringLiteral("%1 %2").arg(node.type, node.name).trimmed();
    if (node.kind == PictureNode::Kind::Group)
        name = tr("Folded block %1").arg(name);
    return {name, m_nodeTip ? spoken(m_nodeTip(node)) : node.shape, m_view.toScreen(node.rect),
            index == m_marks.selected};
}

void GraphCanvas::setPicture(std::shared_ptr<const GraphPicture> picture) {
    const bool sameGraph = m_picture && picture && m_picture->graph == picture->graph;
    const bool turned = sameGraph && m_picture->direction() != picture->direction();
    const Anchor kept = sameGraph && !m_fitPending ? anchor() : Anchor();
    m_picture = std::move(picture);
    m_press = Press::None;
    m_folding = -1;
    m_minimap = {};
    m_painter.forget();
    if (!sameGraph) {
        m_looks = {};
        m_op = {};
        m_block = -1;
        m_hits.clear();
        m_passing.clear();
        m_marks = {};
    }
    if (!m_picture) {
        update();
        return;
    }
    m_marks.hovered = m_marks.hoveredEdge = -1;
    mark();
    announceItems(this);
    if (!sameGraph || m_fitPending || (turned && m_marks.selected < 0))
        showStart();
    else if (turned)
        centre(m_picture->nodes[at(m_marks.selected)].rect.center());
    else
        keep(kept);
    update();
}

GraphCanvas::Anchor GraphCanvas::anchor() const {
    Anchor kept;
    if (const QRectF rect = blockRect(m_folding); !rect.isNull()) {
        kept.block = m_folding;
        kept.position = m_view.toScreen(rect.topLeft());
        return kept;
    }
    const QPointF middle = m_view.toWorld(QRectF(rect()).center());
    std::int32_t nearest = m_marks.selected;
    if (nearest < 0 || !m_picture->nodes[at(nearest)].rect.intersects(m_view.visible())) {
        double least = HUGE_VAL;
        for (std::int32_t i = 0; i < m_picture->choosable; ++i)
            if (const double d = (m_picture->nodes[at(i)].rect.center() - middle).manhattanLength();
                d < least) {
                least = d;
                nearest = i;
            }
    }
    if (nearest < 0)
        return kept;
    kept.op = m_picture->opsOf(m_picture->nodes[at(nearest)]).front();
    kept.position = m_view.toScreen(m_picture->nodes[at(nearest)].rect.center());
    return kept;
}

void GraphCanvas::keep(const Anchor& anchor) {
    QPointF world;
    if (const QRectF rect = blockRect(anchor.block); !rect.isNull())
        world = rect.topLeft();
    else if (const std::int32_t node = m_picture->nodeOf(anchor.op); node >= 0)
        world = m_picture->nodes[at(node)].rect.center();
    else
        return showStart();
    setViewport(m_view.zoom, anchor.position - world * m_view.zoom);
}

QRectF GraphCanvas::blockRect(std::int32_t block) const {
    if (!m_picture || block < 0)
        return {};
    if (const PictureFrame* frame = m_picture->frameOf(block))
        return frame->rect;
    const std::int32_t node = m_picture->nodeOfBlock(block);
    return node >= 0 ? m_picture->nodes[at(node)].rect : QRectF();
}

QRectF GraphCanvas::screenRect(std::int32_t block) const {
    const QRectF rect = blockRect(block);
    return rect.isNull() ? QRectF() : m_view.toScreen(rect);
}

/// Brings the marks in line with what is selected, found and let through.
void GraphCanvas::mark() {
    if (!m_picture)
        return;
    m_marks.selected = m_block >= 0 ? m_picture->nodeOfBlock(m_block) : m_picture->nodeOf(m_op);
    m_marks.isInside = m_block < 0 && m_picture->isFolded(m_op);
    m_marks.frame = m_block >= 0 && m_marks.selected < 0 ? m_block : -1;
    m_marks.hits.clear();
    for (const OpId op : m_hits)
        m_marks.hits.push_back(m_picture->nodeOf(op));
    std::sort(m_marks.hits.begin(), m_marks.hits.end());
    m_marks.hits.erase(std::unique(m_marks.hits.begin(), m_marks.hits.end()), m_marks.hits.end());
    m_marks.filtered.clear();
    if (m_passing.size() != m_picture->nodeOfOp.size())
        return;
    m_marks.filtered.resize(m_picture->nodes.size());
    for (std::size_t i = 0; i < m_passing.size(); ++i)
        if (m_passing[i])
            m_marks.filtered[at(m_picture->nodeOfOp[i])] = true;
}

void GraphCanvas::setPassing(const std::vector<bool>& ops) {
    m_passing = ops;
    mark();
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

void GraphCanvas::setSelectedOp(OpId op) {
    if (m_picture && m_picture->nodeOf(op) < 0)
        op = {};
    if (op == m_op && (op.valid() || m_block < 0))
        return;
    m_op = op;
    m_block = -1;
    mark();
    describeSelection();
    if (m_marks.selected >= 0)
        ensureVisible(m_marks.selected);
    update();
}

void GraphCanvas::setSelectedBlock(std::int32_t block) {
    if (block == m_block)
        return;
    m_block = block;
    m_op = {};
    mark();
    describeSelection();
    if (m_marks.selected >= 0)
        ensureVisible(m_marks.selected);
    update();
}

void GraphCanvas::describeSelection() {
    if (!m_picture)
        return;
    announceCurrent(this);
    if (m_block >= 0 && m_picture->blocks) {
        const QString name = QString::fromStdString(m_picture->blocks->blocks[at(m_block)].name);
        setAccessibleDescription(
            (m_marks.frame >= 0 ? tr("Unfolded block %1, %2") : tr("Folded block %1, %2"))
                .arg(name, contentsText(*m_picture->graph, *m_picture->blocks, m_block)));
    } else if (m_marks.selected >= 0) {
        const PictureNode& node = m_picture->nodes[at(m_marks.selected)];
        const Op& op = m_picture->graph->op(m_op);
        setAccessibleDescription(
            m_marks.isInside
                ? tr("%1 %2, in folded block %3")
                      .arg(QString::fromStdString(op.type), QString::fromStdString(op.name), node.type)
                : tr("%1 %2, %3").arg(node.type, QString::fromStdString(op.name), node.shape));
    }
}

void GraphCanvas::setHits(const std::vector<OpId>& hits, bool searching) {
    m_hits = hits;
    m_marks.searching = searching;
    mark();
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
    if (m_marks.frame >= 0)
        return showBlock(m_marks.frame);
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
        centre(m_picture->nodes[at(m_marks.selected)].rect.center());
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
    const bool down = m_picture->direction() == LayoutDirection::TopToBottom;
    const auto& nodes = m_picture->nodes;
    const auto first =
        std::min_element(nodes.begin(), nodes.end(), [&](const PictureNode& a, const PictureNode& b) {
            return down ? a.rect.top() < b.rect.top() : a.rect.left() < b.rect.left();
        });
    const QPointF start = first->rect.center() * kReadableZoom;
    setViewport(kReadableZoom, down ? QPointF(width() / 2.0 - start.x(), 50 - start.y())
                                    : QPointF(110 - start.x(), height() / 2.0 - start.y()));
}

void GraphCanvas::centre(const QPointF& world) {
    setViewport(m_view.zoom, QRectF(rect()).center() - world * m_view.zoom);
}

void GraphCanvas::centreOn(OpId op) {
    if (const std::int32_t node = m_picture ? m_picture->nodeOf(op) : -1; node >= 0)
        centre(m_picture->nodes[at(node)].rect.center());
}

void GraphCanvas::showBlock(std::int32_t block) {
    if (const QRectF world = blockRect(block); !world.isNull())
        fitRect(world.adjusted(-30, -30, 30, 30), 1);
}

QPointF GraphCanvas::screenPosition(OpId op) const {
    const std::int32_t node = m_picture ? m_picture->nodeOf(op) : -1;
    return node >= 0 ? m_view.toScreen(m_picture->nodes[at(node)].rect.center()) : QPointF();
}

void GraphCanvas::ensureVisible(std::int32_t node) {
    const QRectF world = m_picture->nodes[at(node)].rect;
    const QRectF inside = QRectF(rect()).adjusted(24, 24, -24, -24);
    if (!inside.contains(m_view.toScreen(world).center()))
        centre(world.center());
}

void GraphCanvas::pick(std::int32_t node) {
    if (node >= 0 && m_picture->nodes[at(node)].kind == PictureNode::Kind::Group)
        return pickBlock(m_picture->nodes[at(node)].block);
    const OpId op = node >= 0 ? m_picture->nodes[at(node)].op : OpId();
    if (op == m_op && m_block < 0)
        return;
    const bool hadBlock = m_block >= 0;
    m_op = op;
    m_block = -1;
    mark();
    describeSelection();
    update();
    if (hadBlock)
        emit blockSelected(-1);
    emit opSelected(m_op);
}

void GraphCanvas::pickBlock(std::int32_t block) {
    if (block == m_block)
        return;
    m_block = block;
    m_op = {};
    mark();
    describeSelection();
    update();
    emit blockSelected(block);
    emit opSelected({});
}

// --- blocks
// -----------------------------------------------------------------------------------------------------

/// The smallest unfolded block around what is selected; -1: none.
std::int32_t GraphCanvas::blockAround() const {
    if (!m_picture || !m_picture->blocks)
        return -1;
    if (m_block >= 0)
        return m_marks.frame >= 0 ? m_block : m_picture->blocks->blocks[at(m_block)].parent;
    return m_op.valid() && !m_picture->isFolded(m_op) && !m_picture->blocks->inner.empty()
               ? m_picture->blocks->inner[m_op.index()]
               : -1;
}

/// Opens or closes what is selected. \returns whether there was something to do.
bool GraphCanvas::fold(bool folded) {
    const std::int32_t node = m_marks.selected;
    const bool onGroup = node >= 0 && m_picture->nodes[at(node)].kind == PictureNode::Kind::Group;
    const std::int32_t block = folded ? blockAround() : onGroup ? m_picture->nodes[at(node)].block : -1;
    if (block < 0)
        return false;
    m_folding = block;
    if (folded)
        pickBlock(block);
    emit foldRequested(block, folded);
    return true;
}

void GraphCanvas::goUp() {
    if (m_block >= 0 && m_marks.frame >= 0) {
        const std::int32_t parent = m_picture->blocks->blocks[at(m_block)].parent;
        pickBlock(parent);
        return;
    }
    if (const std::int32_t block = blockAround(); block >= 0)
        pickBlock(block);
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
    m_painter.paint(painter, *m_picture, m_looks.nodes, m_marks, m_view);
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
    fresh.paint(painter, *m_picture, m_looks.nodes, {}, view, true);
}

QRectF GraphCanvas::minimapRect() const {
    constexpr int kLeastWidth = 320; // below, it would lie on the legend
    if (!m_picture || m_picture->bounds.isEmpty() || width() < kLeastWidth)
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
            const bool isLooked = m_picture->nodes[i].isChoosable() && i < m_looks.nodes.size();
            small.fillRect(box, isLooked ? m_looks.nodes[i].fill : color(Role::Muted));
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
    const bool keepSelection =
        m_picture && m_marks.selected >= 0 &&
        (m_fitPending ||
         QRectF(QPointF(), event->oldSize())
             .contains(m_view.toScreen(m_picture->nodes[at(m_marks.selected)].rect.center())));
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

} // namespace pim::views
