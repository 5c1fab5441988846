// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_painter.h"

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
constexpr int kTypePx = 12, kNamePx = 12, kShapePx = 11;

std::size_t at(std::int32_t v) {
    return static_cast<std::size_t>(v);
}

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

void drawBox(QPainter& painter, const QRectF& rect, const PictureNode& node, const NodeLook& look,
             double zoom, GraphPainter::Detail detail) {
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF inner = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    if (node.kind != PictureNode::Kind::Op) {
        painter.setPen(QPen(color(Role::Muted), 1));
        painter.setBrush(mix(color(Role::Canvas), color(Role::Muted), 0.13));
        painter.drawRoundedRect(inner, inner.height() / 2, inner.height() / 2);
        return;
    }
    const QPainterPath path = outline(inner, kRadius * zoom, look.onPim);
    if (detail == GraphPainter::Detail::Types) {
        painter.setPen(QPen(look.fill, 1));
        painter.setBrush(look.hollow ? mix(baseColor(), look.fill, 0.22) : look.fill);
        painter.drawPath(path);
        return;
    }
    painter.setPen(Qt::NoPen);
    QColor shadow(0, 0, 0, 22);
    painter.setBrush(shadow);
    painter.drawPath(path.translated(0, 1));
    painter.setBrush(baseColor());
    painter.drawPath(path);
    painter.save();
    painter.setClipRect(QRectF(rect.left(), rect.top(), rect.width(), std::round(kHeader * zoom)));
    painter.setBrush(look.fill);
    painter.drawPath(path);
    painter.restore();
    painter.setPen(QPen(mix(color(Role::NodeBorder), look.fill, 0.55), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
}

/// A small sign in the upper right corner of a box.
void drawBadge(QPainter& painter, const QPointF& centre, double zoom, const QString& text) {
    const double r = 7.5 * zoom;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Role::Canvas), 1.5));
    painter.setBrush(color(Role::Bad));
    painter.drawEllipse(centre, r, r);
    painter.setPen(textOn(color(Role::Bad)));
    painter.setFont(pixelFont(11, zoom, true));
    painter.drawText(QRectF(centre.x() - r, centre.y() - r, 2 * r, 2 * r), Qt::AlignCenter, text);
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
    if (view.zoom != m_zoom) {
        m_boxes.clear();
        m_texts.clear();
        m_zoom = view.zoom;
    }
    painter.fillRect(QRectF(QPointF(), view.size), color(Role::Canvas));
    const Detail detail = detailAt(view.zoom);
    paintEdges(painter, picture, marks, view, detail, vector);

    static const NodeLook kPlain;
    const QRectF visible = view.visible();
    const double dimmed = 0.28;
    const bool highlight = marks.searching && !vector;
    if (highlight)
        painter.setOpacity(dimmed);
    std::vector<std::int32_t> shownHits;
    for (const std::int32_t i : picture.nodeIndex.near(visible)) {
        const PictureNode& node = picture.nodes[at(i)];
        if (!node.rect.intersects(visible))
            continue;
        const NodeLook& look =
            node.op.valid() && node.op.index() < looks.size() ? looks[node.op.index()] : kPlain;
        const bool hit = highlight && std::binary_search(marks.hits.begin(), marks.hits.end(), i);
        if (hit) {
            painter.setOpacity(1);
            shownHits.push_back(i);
        }
        paintNode(painter, picture, look, i, view, detail, vector);
        if (hit)
            painter.setOpacity(dimmed);
    }
    painter.setOpacity(1);
    if (vector)
        return;
    for (const std::int32_t i : shownHits)
        paintMark(painter, view.toScreen(picture.nodes[at(i)].rect), Role::SearchHit, 3);
    if (marks.hovered >= 0 && marks.hovered != marks.selected)
        paintMark(painter, view.toScreen(picture.nodes[at(marks.hovered)].rect), Role::Accent, 1.5);
    if (marks.selected >= 0)
        paintMark(painter, view.toScreen(picture.nodes[at(marks.selected)].rect), Role::Selection, 3);
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
            paintEdge(painter, picture, e, view, ink, width, detail == Detail::Full, vector);
    }
    if (vector)
        return;
    const double strong = std::max(1.6, 2.2 * view.zoom);
    if (marks.selected >= 0)
        for (const auto* side : {&picture.incoming, &picture.outgoing})
            for (const std::int32_t e : (*side)[at(marks.selected)])
                paintEdge(painter, picture, e, view, color(Role::EdgeSelected), strong, true, true);
    if (marks.hoveredEdge >= 0)
        paintEdge(painter, picture, marks.hoveredEdge, view, color(Role::Accent), strong, true, true);
}

void GraphPainter::paintEdge(QPainter& painter, const GraphPicture& picture, std::int32_t edge,
                             const Viewport& view, const QColor& ink, double width, bool arrow,
                             bool smooth) const {
    const auto route = picture.layout.edge(at(edge));
    if (route.empty())
        return;
    const bool down = picture.direction == LayoutDirection::TopToBottom;
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
    const auto shape = static_cast<std::uint64_t>(node.kind != PictureNode::Kind::Op) * 4 +
                       static_cast<std::uint64_t>(look.onPim) * 2 + static_cast<std::uint64_t>(look.hollow);
    const std::uint64_t key = (look.fill.rgb() & 0xffffffU) | (shape << 24) |
                              (static_cast<std::uint64_t>(size.width() & 0xffff) << 32) |
                              (static_cast<std::uint64_t>(size.height() & 0xffff) << 48);
    Box& result = m_boxes[key];
    if (result.pixmap.isNull()) {
        const QSize padded = size + QSize(2, 3);
        result.pixmap = QPixmap(padded * ratio);
        result.pixmap.setDevicePixelRatio(ratio);
        result.pixmap.fill(Qt::transparent);
        QPainter painter(&result.pixmap);
        drawBox(painter, QRectF(QPointF(1, 1), size), node, look, zoom, detail);
        const bool hollow = detail == Detail::Types && look.hollow;
        result.ink = node.kind != PictureNode::Kind::Op || hollow ? color(Role::NodeText) : textOn(look.fill);
    }
    return result;
}

void GraphPainter::paintNode(QPainter& painter, const GraphPicture& picture, const NodeLook& look,
                             std::int32_t index, const Viewport& view, Detail detail, bool vector) {
    const PictureNode& node = picture.nodes[at(index)];
    const QRectF exact = view.toScreen(node.rect);
    const QPoint corner(static_cast<int>(std::lround(exact.left())),
                        static_cast<int>(std::lround(exact.top())));
    const QSize size(std::max(1, static_cast<int>(std::lround(exact.width()))),
                     std::max(1, static_cast<int>(std::lround(exact.height()))));
    const QRectF rect(corner, size);
    const bool isOp = node.kind == PictureNode::Kind::Op;

    if (detail == Detail::Boxes) {
        const QColor fill = isOp ? look.fill : color(Role::Muted);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const bool hollow = isOp && look.hollow && size.height() >= 4;
        painter.fillRect(rect, fill);
        if (hollow)
            painter.fillRect(rect.adjusted(1, 1, -1, -1), mix(color(Role::Canvas), fill, 0.3));
        return;
    }
    QColor ink;
    if (vector) {
        drawBox(painter, rect, node, look, view.zoom, detail);
        ink = isOp ? textOn(look.fill) : color(Role::NodeText);
    } else {
        const Box& cached = box(node, look, size, view.zoom, detail, painter.device()->devicePixelRatioF());
        painter.drawPixmap(corner - QPoint(1, 1), cached.pixmap);
        ink = cached.ink;
    }
    if (detail == Detail::Full) {
        paintFullText(painter, node, look, index, rect, view.zoom, ink, vector);
        return;
    }
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

void GraphPainter::paintFullText(QPainter& painter, const PictureNode& node, const NodeLook& look,
                                 std::int32_t index, const QRectF& rect, double zoom, const QColor& ink,
                                 bool vector) {
    const bool isOp = node.kind == PictureNode::Kind::Op;
    const double width = node.rect.width() - 2 * kPadding;
    auto& fitted = m_elided[index];
    if (fitted[0].isNull()) {
        const double valueWidth =
            look.value.isEmpty()
                ? 0
                : QFontMetricsF(pixelFont(kShapePx, 1, true)).horizontalAdvance(look.value) + 8;
        if (isOp) {
            fitted[0] = elided(node.name, kNamePx, width, Qt::ElideLeft);
            fitted[1] = elided(node.shape, kShapePx, width - valueWidth, Qt::ElideRight);
        } else { // the shape first, the name takes what is left
            const double room = width - 8;
            fitted[1] = elided(node.shape, kShapePx, room * 0.7, Qt::ElideRight);
            const double shapeWidth = QFontMetricsF(pixelFont(kShapePx, 1)).horizontalAdvance(fitted[1]);
            fitted[0] = elided(node.name, kNamePx, room - shapeWidth - 8, Qt::ElideLeft);
        }
    }
    const QFont typeFont = pixelFont(kTypePx, zoom, true), nameFont = pixelFont(kNamePx, zoom),
                shapeFont = pixelFont(kShapePx, zoom), valueFont = pixelFont(kShapePx, zoom, true);
    const double left = rect.left() + kPadding * zoom, right = rect.right() - kPadding * zoom;
    const QString tag = look.onPim ? QStringLiteral("PIM") : QString();

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
    if (!isOp) {
        draw(texts.name, fitted[0], typeFont, color(Role::NodeText), left + 4 * zoom, rect.center().y(),
             false);
        draw(texts.shape, fitted[1], shapeFont, color(Role::Muted), right - 4 * zoom, rect.center().y(),
             true);
        return;
    }
    const double header = rect.top() + kHeader * zoom / 2;
    draw(texts.type, look.overridden ? node.type + QStringLiteral(" ✎") : node.type, typeFont, ink, left,
         header, false);
    if (!tag.isEmpty()) {
        draw(texts.tag, tag, valueFont, ink, right - 3 * zoom, header, true);
    }
    const double first = rect.top() + (kHeader + 11) * zoom, second = rect.top() + (kHeader + 28) * zoom;
    draw(texts.name, fitted[0], nameFont, color(Role::NodeText), left, first, false);
    draw(texts.shape, fitted[1], shapeFont, color(Role::Muted), left, second, false);
    draw(texts.value, look.value, valueFont, color(Role::NodeText), right, second, true);
    if (node.missingWeights)
        drawBadge(painter, rect.topRight() + QPointF(-2, 2) * zoom, zoom, QStringLiteral("!"));
    else if (node.unknownCost)
        drawBadge(painter, rect.topRight() + QPointF(-2, 2) * zoom, zoom, QStringLiteral("?"));
}

void GraphPainter::paintMark(QPainter& painter, const QRectF& rect, Role role, double width) const {
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
    painter.setPen(QPen(color(role), width));
    painter.drawRoundedRect(around, kRadius, kRadius);
}

void GraphPainter::paintLegend(QPainter& painter, const Legend& legend, const QPointF& bottomLeft) {
    if (legend.title.isEmpty())
        return;
    const QFont font = pixelFont(12, 1), bold = pixelFont(12, 1, true);
    const QFontMetricsF metrics(font), boldMetrics(bold);
    constexpr double kLine = 19, kScale = 200, kPad = 10;
    const bool scale = legend.entries.empty();
    double width = boldMetrics.horizontalAdvance(legend.title);
    for (const Legend::Entry& entry : legend.entries)
        width = std::max(width, 24 + metrics.horizontalAdvance(entry.text));
    if (scale)
        width = std::max({width, kScale, metrics.horizontalAdvance(legend.low + legend.high) + 20});
    const double lines = scale ? 2.1 : static_cast<double>(legend.entries.size());
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
            gradient.setColorAt(i / 10.0, sequential(i / 10.0));
        painter.setPen(Qt::NoPen);
        painter.setBrush(gradient);
        painter.drawRoundedRect(QRectF(x, y, width, 12), 2, 2);
        painter.setPen(color(Role::NodeText));
        y += 16;
        painter.drawText(QPointF(x, y + metrics.ascent()), legend.low);
        painter.drawText(QPointF(x + width - metrics.horizontalAdvance(legend.high), y + metrics.ascent()),
                         legend.high);
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
