// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_painter.h"

#include "views/graph/index.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kFullZoom = 0.6, kTypeZoom = 0.22; // below, text would be smaller than can be read
constexpr double kHeader = 21, kPadding = 9, kRadius = 7;
constexpr double kFirstLine = 11; // below the header
constexpr int kTypePx = 12, kNamePx = 12, kShapePx = 11;
constexpr double kDimmed = 0.28;
constexpr int kStack = 4; ///< A folded block is drawn as a pile.

QFont pixelFont(int designPixels, double zoom, bool bold = false) {
    QFont font = QGuiApplication::font();
    font.setPixelSize(std::max(1, static_cast<int>(designPixels * zoom)));
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    font.setHintingPreference(QFont::PreferNoHinting); // widths scale with the zoom
    return font;
}

QColor baseColor() {
    return QGuiApplication::palette().color(QPalette::Base);
}

/// Outline of a box: rounded on the host, with two cut corners on PIM, so that placement shows without
/// colour.
QPainterPath outline(const QRectF& rect, double radius, bool onPim) {
    QPainterPath path;
    if (!onPim) {
        path.addRoundedRect(rect, radius, radius);
        return path;
    }
    const double cut = std::min(radius * 1.5, rect.height() / 3);
    path.moveTo(rect.left(), rect.top());
    path.lineTo(rect.right() - cut, rect.top());
    path.lineTo(rect.right(), rect.top() + cut);
    path.lineTo(rect.right(), rect.bottom());
    path.lineTo(rect.left() + cut, rect.bottom());
    path.lineTo(rect.left(), rect.bottom() - cut);
    path.closeSubpath();
    return path;
}

/// The upper part of outline(), \p height high.
QPainterPath headerOf(const QRectF& rect, double radius, bool onPim, double height) {
    QPainterPath path;
    const double right = onPim ? std::min(radius * 1.5, rect.height() / 3) : radius;
    path.moveTo(rect.left(), rect.top() + height);
    if (onPim) {
        path.lineTo(rect.topLeft());
        path.lineTo(rect.right() - right, rect.top());
        path.lineTo(rect.right(), rect.top() + right);
    } else {
        path.lineTo(rect.left(), rect.top() + radius);
        path.quadTo(rect.topLeft(), QPointF(rect.left() + radius, rect.top()));
        path.lineTo(rect.right() - right, rect.top());
        path.quadTo(rect.topRight(), QPointF(rect.right(), rect.top() + right));
    }
    path.lineTo(rect.right(), rect.top() + height);
    path.closeSubpath();
    return path;
}

/// The colour of a figure that is not known.
void hatch(QPainter& painter, const QPainterPath& path, const QColor& ink) {
    QColor line = textOn(ink);
    line.setAlpha(110);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(line, Qt::BDiagPattern));
    painter.drawPath(path);
}

/// The edges of further sheets, below and to the right.
void drawPile(QPainter& painter, const QPainterPath& path, const QColor& ink) {
    painter.setPen(QPen(mix(color(Role::NodeBorder), ink, 0.55), 1));
    painter.setBrush(mix(baseColor(), ink, 0.12));
    painter.drawPath(path.translated(kStack, kStack));
    painter.drawPath(path.translated(kStack / 2.0, kStack / 2.0));
}

struct BoxStyle {
    double zoom = 1;
    GraphPainter::Detail detail = GraphPainter::Detail::Full;
    bool vector = false;
};

void drawBox(QPainter& painter, const QRectF& rect, const PictureNode& node, const NodeLook& look,
             const BoxStyle& style) {
    const auto [zoom, detail, vector] = style;
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isGroup = node.kind == PictureNode::Kind::Group;
    const QRectF inner = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    if (!node.isChoosable()) {
        painter.setPen(QPen(color(Role::Muted), 1));
        painter.setBrush(mix(color(Role::Canvas), color(Role::Muted), 0.13));
        painter.drawRoundedRect(inner, inner.height() / 2, inner.height() / 2);
        return;
    }
    const QPainterPath path = outline(inner, kRadius * zoom, look.onPim);
    if (isGroup)
        drawPile(painter, path, look.fill);
    if (detail == GraphPainter::Detail::Types) {
        painter.setPen(QPen(look.fill, 1));
        painter.setBrush(look.hollow ? mix(baseColor(), look.fill, 0.22) : look.fill);
        painter.drawPath(path);
        if (look.hatched)
            hatch(painter, path, look.fill);
        return;
    }
    if (!isGroup && !vector) { // files are large enough without shadows
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(0, 0, 0, 22));
        painter.drawPath(path.translated(0, 1));
    }
    painter.setPen(QPen(mix(color(Role::NodeBorder), look.fill, 0.55), 1));
    painter.setBrush(baseColor());
    painter.drawPath(path);
    const QPainterPath header = headerOf(inner.adjusted(0.5, 0.5, -0.5, -0.5), (kRadius - 0.5) * zoom,
                                         look.onPim, std::round(kHeader * zoom) - 1);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look.fill);
    painter.drawPath(header);
    if (look.hatched)
        hatch(painter, header, look.fill);
}

/// A small sign in the upper right corner of a box.
void drawBadge(QPainter& painter, const QPointF& centre, double zoom, const QString& text, Role role) {
    const double r = 7.5 * zoom;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::Canvas), 1.5));
    painter.setBrush(color(role));
    painter.drawEllipse(centre, r, r);
    painter.setPen(textOn(color(role)));
    painter.setFont(pixelFont(11, zoom, true));
    painter.drawText(QRectF(centre.x() - r, centre.y() - r, 2 * r, 2 * r), Qt::AlignCenter, text);
}

/// A written sheet: someone left a note here.
void drawNoteMark(QPainter& painter, const QPointF& centre, double zoom) {
    const double scale = std::max(zoom, 0.45), half = 6.5 * scale;
    const QColor sheet = color(Role::SearchHit);
    const QRectF rect(centre.x() - half, centre.y() - half, 2 * half, 2 * half);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::Canvas), 1.5));
    painter.setBrush(sheet);
    painter.drawRoundedRect(rect, 2 * scale, 2 * scale);
    painter.setPen(QPen(textOn(sheet), std::max(1.0, 1.3 * scale)));
    for (const double y : {-2.5, 0.0, 2.5})
        painter.drawLine(centre + QPointF(-3.5, y) * scale, centre + QPointF(y > 0 ? 1 : 3.5, y) * scale);
}

QString elided(const QString& text, int designPixels, double width, Qt::TextElideMode mode) {
    return QFontMetricsF(pixelFont(designPixels, 1)).elidedText(text, mode, width);
}

QStaticText staticText(const QString& text, const QFont& font) {
    QStaticText result(text);
    result.setTextFormat(Qt::PlainText);
    result.prepare({}, font);
    return result;
}

} // namespace

GraphPainter::Detail GraphPainter::detailAt(double zoom) {
    return zoom >= kFullZoom ? Detail::Full : zoom >= kTypeZoom ? Detail::Types : Detail::Boxes;
}

void GraphPainter::forget() {
    m_boxes.clear();
    m_texts.clear();
    m_elided.clear();
}

void GraphPainter::paint(QPainter& painter, const GraphPicture& picture, const std::vector<NodeLook>& looks,
                         const GraphMarks& marks, const Viewport& view, bool vector) {
    // A window may be moved to a screen with smaller pixels.
    if (const double ratio = painter.device()->devicePixelRatioF(); view.zoom != m_zoom || ratio != m_ratio) {
        m_boxes.clear();
        m_texts.clear();
        m_zoom = view.zoom;
        m_ratio = ratio;
    }
    painter.fillRect(QRectF(QPointF(), view.size), color(Role::Canvas));
    const Detail detail = detailAt(view.zoom);
    paintFrames(painter, picture, marks, view, vector);
    paintEdges(painter, picture, marks, view, detail, vector);
    paintFrameLabels(painter, picture, marks, view, vector);

    static const NodeLook kPlain;
    const QRectF visible = view.visible();
    const bool searches = marks.searching && !vector, filters = !marks.filtered.empty() && !vector;
    std::vector<std::int32_t> shownHits;
    for (const std::int32_t i : picture.nodeIndex.near(visible)) {
        const PictureNode& node = picture.nodes[at(i)];
        if (!node.rect.intersects(visible))
            continue;
        const bool hit = searches && std::binary_search(marks.hits.begin(), marks.hits.end(), i);
        if (hit)
            shownHits.push_back(i);
        const bool isDimmed = (searches && !hit) || (filters && !marks.filtered[at(i)]);
        painter.setOpacity(isDimmed ? kDimmed : 1);
        paintNode(painter, {node, at(i) < looks.size() ? looks[at(i)] : kPlain, i}, view, detail, vector);
    }
    painter.setOpacity(1);
    if (vector)
        return;
    if (detail == Detail::Boxes) { // many and small
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(color(Role::SearchHit), 0));
        painter.setBrush(Qt::NoBrush);
        std::vector<QRectF> rects;
        for (const std::int32_t i : shownHits)
            rects.push_back(view.toScreen(picture.nodes[at(i)].rect).adjusted(-1, -1, 1, 1));
        painter.drawRects(rects.data(), static_cast<int>(rects.size()));
    } else {
        for (const std::int32_t i : shownHits)
            paintMark(painter, view.toScreen(picture.nodes[at(i)].rect), Role::SearchHit, 3);
    }
    if (marks.hovered >= 0 && marks.hovered != marks.selected)
        paintMark(painter, view.toScreen(picture.nodes[at(marks.hovered)].rect), Role::Accent, 1.5);
    if (marks.selected >= 0)
        paintMark(painter, view.toScreen(picture.nodes[at(marks.selected)].rect), Role::Selection, 3,
                  marks.isInside);
    for (const std::int32_t i : {marks.hovered, marks.selected}) // the marks run through their badges
        if (i >= 0 && detail != Detail::Boxes)
            paintBadges(painter, picture.nodes[at(i)], at(i) < looks.size() ? looks[at(i)] : kPlain,
                        view.toScreen(picture.nodes[at(i)].rect), view.zoom);
}

void GraphPainter::paintFrames(QPainter& painter, const GraphPicture& picture, const GraphMarks& marks,
                               const Viewport& view, bool vector) const {
    const QRectF visible = view.visible();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const PictureFrame& frame : picture.frames) {
        if (!frame.rect.intersects(visible))
            continue;
        const bool isSelected = !vector && frame.block == marks.frame;
        const QRectF rect = view.toScreen(frame.rect);
        // Huge frames are cut to what is seen: long outlines are slow.
        const QRectF seen = rect.intersected(QRectF(QPointF(), view.size).adjusted(-20, -20, 20, 20));
        painter.setPen(isSelected ? QPen(color(Role::Selection), 2)
                                  : QPen(mix(color(Role::Canvas), color(Role::Muted), 0.6), 1));
        painter.setBrush(mix(color(Role::Canvas), color(Role::Accent), 0.05 + 0.03 * (frame.depth % 3)));
        painter.drawRoundedRect(seen, kRadius * view.zoom, kRadius * view.zoom);
    }
}

/// Over the edges, which would strike them through.
void GraphPainter::paintFrameLabels(QPainter& painter, const GraphPicture& picture, const GraphMarks& marks,
                                    const Viewport& view, bool vector) const {
    const QRectF visible = view.visible();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const PictureFrame& frame : picture.frames)
        if ((frame.rect | frame.label).intersects(visible))
            paintFrameLabel(painter, frame, view, !vector && frame.block == marks.frame);
}

void GraphPainter::paintFrameLabel(QPainter& painter, const PictureFrame& frame, const Viewport& view,
                                   bool isSelected) const {
    QRectF label = view.toScreen(frame.label);
    const QRectF rect = view.toScreen(frame.rect);
    if (view.zoom < kTypeZoom) { // the frame is its own label, as long as it is large enough
        const QFont font = pixelFont(kTypePx, 1);
        const QString text = QFontMetricsF(font).elidedText(frame.text, Qt::ElideRight, rect.width() - 8);
        if (rect.height() < 40 || text.size() < 5 || frame.depth > 1)
            return;
        painter.setFont(font);
        painter.setPen(color(Role::NodeText));
        painter.drawText(rect.adjusted(4, 1, -4, 0), Qt::AlignLeft | Qt::AlignTop, text);
        return;
    }
    const QColor back =
        isSelected ? color(Role::Selection) : mix(color(Role::Canvas), color(Role::Muted), 0.25);
    const QColor ink = isSelected ? textOn(back) : color(Role::NodeText);
    painter.setPen(Qt::NoPen);
    painter.setBrush(back);
    painter.drawRoundedRect(label, kRadius * view.zoom / 2, kRadius * view.zoom / 2);
    const double sign = label.height() * 0.5; // a minus in a square
    const QRectF box(label.left() + sign * 0.5, label.center().y() - sign / 2, sign, sign);
    painter.setPen(QPen(ink, std::max(1.0, view.zoom)));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
    painter.drawLine(QPointF(box.left() + sign * 0.25, box.center().y()),
                     QPointF(box.right() - sign * 0.25, box.center().y()));
    label.setLeft(box.right() + sign * 0.5);
    const QFont font = pixelFont(kTypePx, view.zoom);
    painter.setFont(font);
    painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(frame.text, Qt::ElideRight, label.width()));
}

void GraphPainter::paintEdges(QPainter& painter, const GraphPicture& picture, const GraphMarks& marks,
                              const Viewport& view, Detail detail, bool vector) const {
    const QRectF visible = view.visible();
    const std::vector<std::int32_t> edges = picture.edgeIndex.near(visible);
    const QColor ink = color(Role::Edge);
    if (detail == Detail::Boxes && !vector) {
        std::vector<QLineF> lines;
        for (const std::int32_t e : edges) {
            const auto route = picture.layout.edge(at(e));
            for (std::size_t i = 1; i < route.size(); ++i)
                lines.emplace_back(view.toScreen(QPointF(route[i - 1].x, route[i - 1].y)),
                                   view.toScreen(QPointF(route[i].x, route[i].y)));
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(mix(color(Role::Canvas), ink, 0.6), 0));
        painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    } else {
        const double width = std::max(1.0, 1.3 * view.zoom);
        for (const std::int32_t e : edges)
            paintEdge(painter, picture, e, view, {ink, width, detail == Detail::Full, vector});
    }
    if (vector)
        return;
    const double strong = std::max(1.6, 2.2 * view.zoom);
    if (marks.selected >= 0)
        for (const auto* side : {&picture.incoming, &picture.outgoing})
            for (const std::int32_t e : (*side)[at(marks.selected)])
                paintEdge(painter, picture, e, view, {color(Role::EdgeSelected), strong, true, true});
    if (marks.hoveredEdge >= 0)
        paintEdge(painter, picture, marks.hoveredEdge, view, {color(Role::Accent), strong, true, true});
}

void GraphPainter::paintEdge(QPainter& painter, const GraphPicture& picture, std::int32_t edge,
                             const Viewport& view, const EdgeLook& look) const {
    const auto& [ink, width, arrow, smooth] = look;
    const auto route = picture.layout.edge(at(edge));
    if (route.empty())
        return;
    const bool down = picture.direction() == LayoutDirection::TopToBottom;
    const double overlap = 2; // a curve may leave the bounding box of its ends by the width of the pen
    const QRectF clip(-overlap, -overlap, view.size.width() + 2 * overlap, view.size.height() + 2 * overlap);
    QPainterPath path;
    for (std::size_t i = 1; i < route.size(); ++i) {
        const QPointF a = view.toScreen(QPointF(route[i - 1].x, route[i - 1].y));
        const QPointF b = view.toScreen(QPointF(route[i].x, route[i].y));
        const QRectF box = QRectF(a, b).normalized().adjusted(-width, -width, width, width);
        if (!smooth && !box.intersects(clip))
            continue;
        const bool straight = std::abs(down ? a.x() - b.x() : a.y() - b.y()) < 0.5;
        if (straight && !smooth) {
            const double thick = std::max(1.0, std::round(width));
            QRectF bar = down ? QRectF(std::round(a.x() - thick / 2), std::min(a.y(), b.y()), thick,
                                       std::abs(b.y() - a.y()))
                              : QRectF(std::min(a.x(), b.x()), std::round(a.y() - thick / 2),
                                       std::abs(b.x() - a.x()), thick);
            painter.fillRect(bar.intersected(clip).toAlignedRect(), ink);
            continue;
        }
        if (path.elementCount() == 0 || path.currentPosition() != a)
            path.moveTo(a);
        if (straight)
            path.lineTo(b);
        else if (down)
            path.cubicTo(a.x(), (a.y() + b.y()) / 2, b.x(), (a.y() + b.y()) / 2, b.x(), b.y());
        else
            path.cubicTo((a.x() + b.x()) / 2, a.y(), (a.x() + b.x()) / 2, b.y(), b.x(), b.y());
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (!path.isEmpty()) {
        painter.setPen(QPen(ink, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
    }
    const QPointF tip = view.toScreen(QPointF(route.back().x, route.back().y));
    if (!arrow || !clip.contains(tip))
        return;
    const double length = 6.5 * std::max(view.zoom, 0.4), half = length * 0.48;
    // Edges that close a cycle arrive from below.
    const double sign = down ? (route[route.size() - 2].y <= route.back().y ? 1 : -1)
                             : (route[route.size() - 2].x <= route.back().x ? 1 : -1);
    const QPointF back = down ? QPointF(0, -length * sign) : QPointF(-length * sign, 0);
    const QPointF side = down ? QPointF(half, 0) : QPointF(0, half);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(QPolygonF{tip, tip + back + side, tip + back - side});
}

const GraphPainter::Box& GraphPainter::box(const PictureNode& node, const NodeLook& look, const QSize& size,
                                           double zoom, Detail detail, double ratio) {
    const auto shape = static_cast<std::uint64_t>(node.kind == PictureNode::Kind::Group) * 16 +
                       static_cast<std::uint64_t>(look.hatched) * 8 +
                       static_cast<std::uint64_t>(!node.isChoosable()) * 4 +
                       static_cast<std::uint64_t>(look.onPim) * 2 + static_cast<std::uint64_t>(look.hollow);
    const std::uint64_t key = (look.fill.rgb() & 0xffffffU) | (shape << 24) |
                              (static_cast<std::uint64_t>(size.width() & 0xffff) << 32) |
                              (static_cast<std::uint64_t>(size.height() & 0xffff) << 48);
    Box& result = m_boxes[key];
    if (result.pixmap.isNull()) {
        const QSize padded = size + QSize(2 + kStack, 3 + kStack);
        result.pixmap = QPixmap(padded * ratio);
        result.pixmap.setDevicePixelRatio(ratio);
        result.pixmap.fill(Qt::transparent);
        QPainter painter(&result.pixmap);
        drawBox(painter, QRectF(QPointF(1, 1), size), node, look, {zoom, detail, false});
        const bool hollow = detail == Detail::Types && look.hollow;
        result.ink = !node.isChoosable() || hollow ? color(Role::NodeText) : textOn(look.fill);
    }
    return result;
}

void GraphPainter::paintNode(QPainter& painter, const Shown& shown, const Viewport& view, Detail detail,
                             bool vector) {
    const auto& [node, look, index] = shown;
    const QRectF exact = view.toScreen(node.rect);
    const QPoint corner(static_cast<int>(std::lround(exact.left())),
                        static_cast<int>(std::lround(exact.top())));
    const QSize size(std::max(1, static_cast<int>(std::lround(exact.width()))),
                     std::max(1, static_cast<int>(std::lround(exact.height()))));
    const QRectF rect(corner, size);
    const bool isOp = node.isChoosable();

    if (detail == Detail::Boxes) {
        const QColor fill = isOp ? look.fill : color(Role::Muted);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const bool hollow = isOp && look.hollow && size.height() >= 4;
        if (node.kind == PictureNode::Kind::Group && size.height() >= 4)
            painter.fillRect(rect.translated(2, 2), mix(color(Role::Canvas), fill, 0.5));
        painter.fillRect(rect, fill);
        if (hollow)
            painter.fillRect(rect.adjusted(1, 1, -1, -1), mix(color(Role::Canvas), fill, 0.3));
        return;
    }
    QColor ink;
    if (vector) {
        drawBox(painter, rect, node, look, {view.zoom, detail, true});
        ink = isOp ? textOn(look.fill) : color(Role::NodeText);
    } else {
        const Box& cached = box(node, look, size, view.zoom, detail, painter.device()->devicePixelRatioF());
        painter.drawPixmap(corner - QPoint(1, 1), cached.pixmap);
        ink = cached.ink;
    }
    if (detail == Detail::Full) {
        paintFullText(painter, shown, rect, view.zoom, ink, vector);
        paintBadges(painter, node, look, rect, view.zoom);
        return;
    }
    paintBadges(painter, node, look, rect, view.zoom);
    // Only the kind of op, as large as the box allows.
    Texts& texts = m_texts[index];
    const int wanted = static_cast<int>((isOp ? 26 : 20) * std::clamp(view.zoom, 0.35, 0.5));
    if (texts.type.text().isEmpty()) {
        constexpr int kLeastPx = 7;
        for (texts.typePx = wanted; texts.typePx > kLeastPx; --texts.typePx)
            if (QFontMetricsF(pixelFont(texts.typePx, 1, true)).horizontalAdvance(node.type) <=
                rect.width() - 4)
                break;
        const QFont fitting = pixelFont(texts.typePx, 1, true);
        texts.type = staticText(
            QFontMetricsF(fitting).elidedText(node.type, Qt::ElideRight, rect.width() - 4), fitting);
    }
    const QFont font = pixelFont(texts.typePx, 1, true);
    painter.setFont(font);
    painter.setPen(ink);
    const QSizeF extent = texts.type.size();
    painter.drawStaticText(QPointF(std::round(rect.center().x() - extent.width() / 2),
                                   std::round(rect.center().y() - extent.height() / 2)),
                           texts.type);
}

const GraphPainter::Elided& GraphPainter::elide(const Shown& shown) {
    const auto& [node, look, index] = shown;
    Elided& fitted = m_elided[index];
    if (fitted.done)
        return fitted;
    fitted.done = true;
    const double width = node.rect.width() - 2 * kPadding;
    const auto widthOf = [](const QString& text, int px, bool bold) {
        return text.isEmpty() ? 0 : QFontMetricsF(pixelFont(px, 1, bold)).horizontalAdvance(text) + 8;
    };
    if (!node.isChoosable()) { // the shape first, the name takes what is left
        const double room = width - 8;
        fitted.shape = elided(node.shape, kShapePx, room * 0.7, Qt::ElideRight);
        fitted.name =
            elided(node.name, kNamePx, room - widthOf(fitted.shape, kShapePx, false), Qt::ElideLeft);
        return fitted;
    }
    const double tagRoom =
        widthOf(look.tag, kShapePx, true) + (node.kind == PictureNode::Kind::Group ? 18 : 0);
    const QString type = look.overridden ? node.type + QStringLiteral(" ✎") : node.type;
    fitted.type =
        QFontMetricsF(pixelFont(kTypePx, 1, true)).elidedText(type, Qt::ElideMiddle, width - tagRoom);
    fitted.name = elided(node.name, kNamePx, width,
                         node.kind == PictureNode::Kind::Op ? Qt::ElideLeft : Qt::ElideRight);
    fitted.shape = elided(node.shape, kShapePx, width - widthOf(look.value, kShapePx, true), Qt::ElideRight);
    for (const QString& line : node.lines)
        fitted.lines << elided(line, kShapePx, width, Qt::ElideRight);
    return fitted;
}

void GraphPainter::paintFullText(QPainter& painter, const Shown& shown, const QRectF& rect, double zoom,
                                 const QColor& ink, bool vector) {
    const auto& [node, look, index] = shown;
    const Elided& fitted = elide(shown);
    const QFont typeFont = pixelFont(kTypePx, zoom, true), nameFont = pixelFont(kNamePx, zoom),
                shapeFont = pixelFont(kShapePx, zoom), valueFont = pixelFont(kShapePx, zoom, true);
    const double left = rect.left() + kPadding * zoom;
    const double right = rect.right() - kPadding * zoom;

    // Text is centred on a line of the box; \p x is its left end, or its right end where \p toRight.
    const auto draw = [&](QStaticText& cached, const QString& text, const QFont& font, const QColor& pen,
                          double x, double middle, bool toRight) {
        if (text.isEmpty())
            return;
        painter.setFont(font);
        painter.setPen(pen);
        if (vector) {
            const QFontMetricsF metrics(font);
            painter.drawText(QPointF(toRight ? x - metrics.horizontalAdvance(text) : x,
                                     middle + (metrics.ascent() - metrics.descent()) / 2),
                             text);
            return;
        }
        if (cached.text().isEmpty())
            cached = staticText(text, font);
        painter.drawStaticText(QPointF(std::round(toRight ? x - cached.size().width() : x),
                                       std::round(middle - cached.size().height() / 2)),
                               cached);
    };
    Texts& texts = m_texts[index];
    if (!node.isChoosable()) {
        draw(texts.name, fitted.name, typeFont, color(Role::NodeText), left + 4 * zoom, rect.center().y(),
             false);
        draw(texts.shape, fitted.shape, shapeFont, color(Role::Muted), right - 4 * zoom, rect.center().y(),
             true);
        return;
    }
    const double header = rect.top() + kHeader * zoom / 2;
    draw(texts.type, fitted.type, typeFont, ink, left, header, false);
    if (node.kind == PictureNode::Kind::Group) { // a plus in a square: it can be opened
        const QRectF sign = foldSign(rect, zoom);
        painter.setPen(QPen(ink, std::max(1.0, zoom)));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(sign);
        const double arm = sign.width() * 0.28;
        painter.drawLine(sign.center() - QPointF(arm, 0), sign.center() + QPointF(arm, 0));
        painter.drawLine(sign.center() - QPointF(0, arm), sign.center() + QPointF(0, arm));
        draw(texts.tag, look.tag, valueFont, ink, sign.left() - 5 * zoom, header, true);
    } else {
        draw(texts.tag, look.tag, valueFont, ink, right - 3 * zoom, header, true);
    }
    double middle = rect.top() + (kHeader + kFirstLine) * zoom;
    if (!fitted.name.isEmpty()) {
        draw(texts.name, fitted.name, nameFont, color(Role::NodeText), left, middle, false);
        middle += kPictureLineHeight * zoom;
    }
    draw(texts.shape, fitted.shape, shapeFont, color(Role::Muted), left, middle, false);
    draw(texts.value, look.value, valueFont, color(Role::NodeText), right, middle, true);
    texts.lines.resize(static_cast<std::size_t>(fitted.lines.size()));
    for (qsizetype i = 0; i < fitted.lines.size(); ++i) {
        middle += kPictureLineHeight * zoom;
        draw(texts.lines[static_cast<std::size_t>(i)], fitted.lines[i], shapeFont, color(Role::Muted), left,
             middle, false);
    }
}

void GraphPainter::paintBadges(QPainter& painter, const PictureNode& node, const NodeLook& look,
                               const QRectF& rect, double zoom) const {
    if (detailAt(zoom) == Detail::Full && (node.missingWeights || node.unknownCost))
        drawBadge(painter, rect.topRight() + QPointF(-2, 2) * zoom, zoom,
                  node.unknownCost ? QStringLiteral("?") : QStringLiteral("!"),
                  node.unknownCost ? Role::Bad
                                   : Role::Muted); // nothing is wrong with a model without weights
    if (look.noted)
        drawNoteMark(painter, rect.topLeft() + QPointF(2, 2) * zoom, zoom);
}

QRectF GraphPainter::foldSign(const QRectF& box, double zoom) {
    const double side = 11 * zoom;
    return {box.right() - kPadding * zoom - side, box.top() + (kHeader * zoom - side) / 2, side, side};
}

void GraphPainter::paintMark(QPainter& painter, const QRectF& rect, Role role, double width,
                             bool dashed) const {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    QColor halo = color(role);
    halo.setAlpha(60);
    const double out = width / 2 + 1;
    const QRectF around = rect.adjusted(-out, -out, out, out);
    if (width > 2) {
        painter.setPen(QPen(halo, width * 2.5));
        painter.drawRoundedRect(around, kRadius + 1, kRadius + 1);
    }
    painter.setPen(QPen(color(role), width, dashed ? Qt::DashLine : Qt::SolidLine));
    painter.drawRoundedRect(around, kRadius, kRadius);
}

void GraphPainter::paintLegend(QPainter& painter, const Legend& legend, const QPointF& bottomLeft) {
    if (legend.title.isEmpty())
        return;
    const QFont font = pixelFont(12, 1), bold = pixelFont(12, 1, true);
    const QFontMetricsF metrics(font), boldMetrics(bold);
    constexpr double kLine = 19, kScale = 200, kPad = 10;
    const bool scale = legend.entries.empty();
    double width =
        std::max(boldMetrics.horizontalAdvance(legend.title), metrics.horizontalAdvance(legend.note));
    for (const Legend::Entry& entry : legend.entries)
        width = std::max(width, 24 + metrics.horizontalAdvance(entry.text));
    if (scale)
        width = std::max(
            {width, kScale, metrics.horizontalAdvance(legend.low + legend.middle + legend.high) + 40});
    const double lines =
        (scale ? 2.1 : static_cast<double>(legend.entries.size())) + (legend.note.isEmpty() ? 0 : 1);
    const QSizeF size(width + 2 * kPad, kLine * (lines + 1) + 2 * kPad - 4);
    const QRectF panel(bottomLeft - QPointF(0, size.height()), size);

    painter.setRenderHint(QPainter::Antialiasing);
    QColor back = baseColor();
    back.setAlpha(238);
    painter.setPen(QPen(color(Role::GridLine), 1));
    painter.setBrush(back);
    painter.drawRoundedRect(panel.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    double y = panel.top() + kPad;
    const double x = panel.left() + kPad;
    painter.setFont(bold);
    painter.setPen(color(Role::NodeText));
    painter.drawText(QPointF(x, y + boldMetrics.ascent()), legend.title);
    y += kLine + 3;
    painter.setFont(font);
    if (scale) {
        QLinearGradient gradient(x, 0, x + width, 0);
        for (int i = 0; i <= 10; ++i)
            gradient.setColorAt(i / 10.0, legend.isDiverging ? diverging(i / 5.0 - 1) : sequential(i / 10.0));
        painter.setPen(Qt::NoPen);
        painter.setBrush(gradient);
        painter.drawRoundedRect(QRectF(x, y, width, 12), 2, 2);
        painter.setPen(color(Role::NodeText));
        y += 16;
        painter.drawText(QPointF(x, y + metrics.ascent()), legend.low);
        painter.drawText(
            QPointF(x + (width - metrics.horizontalAdvance(legend.middle)) / 2, y + metrics.ascent()),
            legend.middle);
        painter.drawText(QPointF(x + width - metrics.horizontalAdvance(legend.high), y + metrics.ascent()),
                         legend.high);
        painter.drawText(QPointF(x, y + kLine + metrics.ascent()), legend.note);
        return;
    }
    for (const Legend::Entry& entry : legend.entries) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(entry.color);
        painter.drawPath(outline(QRectF(x, y + 2, 16, 11), 2.5, entry.onPim));
        painter.setPen(color(Role::NodeText));
        painter.drawText(QPointF(x + 24, y + metrics.ascent() - 1), entry.text);
        y += kLine;
    }
}

} // namespace pim::views
