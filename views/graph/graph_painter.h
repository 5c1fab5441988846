// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Draws a GraphPicture in one go, with as much detail as the zoom allows: coloured boxes, then the kind of
/// op, then name, shape and figure. Works in device coordinates so that edges stay crisp at every zoom.
#include "views/common/palette.h"
#include "views/graph/graph_overlay.h"
#include "views/graph/graph_picture.h"

#include <QPixmap>
#include <QStaticText>

#include <unordered_map>

class QPainter;

namespace pim::views {

/// Which part of the drawing is seen, and how large.
struct Viewport {
    double zoom = 1; ///< Device-independent pixels a unit of the layout.
    QPointF offset;  ///< Where the origin of the layout is, in pixels.
    QSizeF size;     ///< In pixels.

    QPointF toScreen(const QPointF& world) const { return world * zoom + offset; }
    QRectF toScreen(const QRectF& world) const { return {toScreen(world.topLeft()), world.size() * zoom}; }
    QPointF toWorld(const QPointF& screen) const { return (screen - offset) / zoom; }
    QRectF visible() const { return {toWorld({0, 0}), size / zoom}; }
};

/// What to draw beside the picture itself.
struct GraphMarks {
    std::int32_t selected = -1; ///< Node.
    bool isInside = false;      ///< Not the folded block itself is selected but an op in it.
    std::int32_t frame = -1;    ///< Selected unfolded block.
    std::int32_t hovered = -1;  ///< Node.
    std::int32_t hoveredEdge = -1;
    std::vector<std::int32_t> hits; ///< Nodes found by the search, ascending.
    bool searching = false;         ///< A search is on: what is not a hit is dimmed.
    std::vector<bool> filtered;     ///< One a node: the filters have it; empty: there are none.
};

class GraphPainter {
public:
    enum class Detail { Boxes, Types, Full };
    static Detail detailAt(double zoom);

    /// \p vector: for SVG and PDF, where text stays text and nothing is cached.
    void paint(QPainter& painter, const GraphPicture& picture, const std::vector<NodeLook>& looks,
               const GraphMarks& marks, const Viewport& view, bool vector = false);
    /// After a change of picture, looks, font or theme.
    void forget();

    /// The square with the plus in the box of a folded block.
    static QRectF foldSign(const QRectF& box, double zoom);
    static void paintLegend(QPainter& painter, const Legend& legend, const QPointF& bottomLeft);

private:
    struct Box {
        QPixmap pixmap;
        QColor ink;
    };
    struct Texts {
        QStaticText type, name, shape, value, tag;
        std::vector<QStaticText> lines;
        int typePx = 0;
    };
    /// As they fit, at every zoom.
    struct Elided {
        bool done = false;
        QString type, name, shape;
        QStringList lines;
    };

    void paintFrames(QPainter& painter, const GraphPicture& picture, const GraphMarks& marks,
                     const Viewport& view, bool vector) const;
    void paintFrameLabels(QPainter& painter, const GraphPicture& picture, const GraphMarks& marks,
                          const Viewport& view, bool vector) const;
    void paintFrameLabel(QPainter& painter, const PictureFrame& frame, const Viewport& view,
                         bool isSelected) const;
    void paintEdges(QPainter& painter, const GraphPicture& picture, const GraphMarks& marks,
                    const Viewport& view, Detail detail, bool vector) const;
    struct EdgeLook {
        QColor color;
        double width = 1;
        bool arrow = false, smooth = false;
    };
    void paintEdge(QPainter& painter, const GraphPicture& picture, std::int32_t edge, const Viewport& view,
                   const EdgeLook& look) const;
    /// A node of the picture.
    struct Shown {
        const PictureNode& node;
        const NodeLook& look;
        std::int32_t index = 0;
    };
    void paintNode(QPainter& painter, const Shown& shown, const Viewport& view, Detail detail, bool vector);
    void paintFullText(QPainter& painter, const Shown& shown, const QRectF& rect, double zoom,
                       const QColor& ink, bool vector);
    const Elided& elide(const Shown& shown);
    /// In the corners: what is missing or not known on the right, notes on the left.
    void paintBadges(QPainter& painter, const PictureNode& node, const NodeLook& look, const QRectF& rect,
                     double zoom) const;
    void paintMark(QPainter& painter, const QRectF& rect, Role role, double width, bool dashed = false) const;
    const Box& box(const PictureNode& node, const NodeLook& look, const QSize& size, double zoom,
                   Detail detail, double ratio);

    double m_zoom = 0, m_ratio = 0;
    std::unordered_map<std::uint64_t, Box> m_boxes;  ///< For m_zoom.
    std::unordered_map<std::int32_t, Texts> m_texts; ///< For m_zoom, by node.
    std::unordered_map<std::int32_t, Elided> m_elided;
};

} // namespace pim::views
