// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The network as boxes and routes: what the painter draws and the mouse hits. Made from a Graph on a worker
/// thread, immutable afterwards.
#include "core/graph/graph.h"
#include "core/layout/layered.h"

#include <QRectF>
#include <QString>

namespace pim::views {

struct PictureNode {
    enum class Kind : std::uint8_t { Op, Input, Output } kind = Kind::Op;
    OpId op;         ///< Kind::Op.
    TensorId tensor; ///< Kind::Input, Kind::Output.
    QRectF rect;
    QString type, name, shape;
    int category = 0; ///< Of the palette, by OpClass.
    bool missingWeights = false;
    bool unknownCost = false;
};

struct PictureEdge {
    std::int32_t from = -1, to = -1; ///< Positions in GraphPicture::nodes.
    TensorId tensor;
};

/// Which things lie where: a coarse grid, so that painting and hit tests look at what is near only.
class PictureIndex {
public:
    void add(const QRectF& rect, std::int32_t item);
    /// Items whose rectangle may touch \p area, each once, ascending.
    std::vector<std::int32_t> near(const QRectF& area) const;
    void build(const QRectF& bounds, std::size_t expected);

private:
    struct Range {
        int x0, y0, x1, y1;
    };
    Range cells(const QRectF& rect) const;

    QRectF m_bounds;
    double m_cell = 1;
    int m_columns = 0, m_rows = 0;
    std::vector<std::vector<std::int32_t>> m_cells;
};

struct GraphPicture {
    std::shared_ptr<const Graph> graph;
    LayoutDirection direction = LayoutDirection::TopToBottom;
    QRectF bounds;                  ///< Nodes, routes and a margin.
    std::vector<PictureNode> nodes; ///< Ops first, in op order; then graph inputs and outputs.
    std::vector<PictureEdge> edges;
    GraphLayout layout;
    std::vector<std::vector<std::int32_t>> incoming, outgoing; ///< Edges of each node, left to right.
    PictureIndex nodeIndex, edgeIndex;

    std::size_t ops() const { return graph ? graph->ops.size() : 0; }
    std::int32_t nodeAt(const QPointF& position) const;                   ///< -1: none.
    std::int32_t edgeAt(const QPointF& position, double tolerance) const; ///< -1: none.
};

/// Lays the graph out.
/// Errors: Cancelled.
Result<std::shared_ptr<const GraphPicture>>
buildPicture(std::shared_ptr<const Graph> graph, LayoutDirection direction, const TaskContext& task = {});

/// Points of the curve between two successive points of a route, the second one included.
/// \param along: direction of the layout. Straight stretches give one point.
void flatten(const LayoutPoint& a, const LayoutPoint& b, LayoutDirection along, std::vector<QPointF>& into);

/// "f16 [1, 64, 56, 56]"
QString tensorText(const Tensor& tensor);

} // namespace pim::views
