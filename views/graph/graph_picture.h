// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The network as boxes and routes: what the painter draws and the mouse hits. Made from a Graph on a worker
/// thread, immutable afterwards.
#include "core/graph/blocks.h"
#include "core/graph_drawing/layered.h"

#include <QRectF>
#include <QStringList>

namespace pim::views {

inline constexpr double kPictureLineHeight = 17; ///< Of text in a box.

/// What is drawn of the graph, and which blocks stand as one box.
struct PictureOptions {
    LayoutDirection direction = LayoutDirection::TopToBottom;
    bool names = true, attributes = false, initialisers = false;
    std::vector<bool> folded; ///< One a block; what is in a folded one is not seen. Empty: none.
    friend bool operator==(const PictureOptions&, const PictureOptions&) = default;
};

struct PictureNode {
    enum class Kind : std::uint8_t { Op, Group, Input, Output } kind = Kind::Op;
    OpId op;                 ///< Kind::Op.
    std::int32_t block = -1; ///< Kind::Group.
    TensorId tensor;         ///< Kind::Input, Kind::Output.
    QRectF rect;
    QString type, name, shape;
    QStringList lines; ///< Attributes and initialisers.
    int category = 0;  ///< Of the palette, by OpClass.
    bool missingWeights = false;
    bool unknownCost = false;

    bool isChoosable() const { return kind == Kind::Op || kind == Kind::Group; }
};

struct PictureEdge {
    std::int32_t from = -1, to = -1; ///< Positions in GraphPicture::nodes.
    TensorId tensor;                 ///< The first one,
    int tensors = 1;                 ///< of so many: from and to a folded block there is one edge.
};

/// An unfolded block: a frame around what is in it.
struct PictureFrame {
    std::int32_t block = -1;
    QRectF rect;
    QRectF label; ///< Upper left, within rect; a click on its sign folds.
    QString text;
    int depth = 0; ///< 0: outermost.
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
    std::shared_ptr<const BlockTree> blocks;
    PictureOptions options;
    QRectF bounds;                  ///< Nodes, frames, routes and a margin.
    std::vector<PictureNode> nodes; ///< Ops and folded blocks in op order; then graph inputs and outputs.
    std::int32_t choosable = 0;     ///< The first ones: ops and folded blocks.
    std::vector<PictureEdge> edges;
    std::vector<PictureFrame> frames; ///< Outer ones before inner ones.
    GraphLayout layout;
    std::vector<std::vector<std::int32_t>> incoming, outgoing; ///< Edges of each node, left to right.
    /// Its box, or that of the block it is folded into.
    std::vector<std::int32_t> nodeOfOp;
    PictureIndex nodeIndex, edgeIndex;

    LayoutDirection direction() const { return options.direction; }
    std::int32_t nodeOf(OpId op) const;                 ///< -1: there is no such op.
    bool isFolded(OpId op) const;                       ///< Its box is that of a block.
    std::int32_t nodeOfBlock(std::int32_t block) const; ///< -1: not folded, or in one that is.
    const PictureFrame* frameOf(std::int32_t block) const;
    /// Ops the node stands for: one, those of a block, or none.
    std::vector<OpId> opsOf(const PictureNode& node) const;
    std::int32_t nodeAt(const QPointF& position) const;                   ///< -1: none.
    std::int32_t edgeAt(const QPointF& position, double tolerance) const; ///< -1: none.
    const PictureFrame* labelAt(const QPointF& position) const;           ///< Null: none.
};

/// Lays the graph out.
/// Errors: Cancelled.
Result<std::shared_ptr<const GraphPicture>> buildPicture(std::shared_ptr<const Graph> graph,
                                                         std::shared_ptr<const BlockTree> blocks,
                                                         PictureOptions options,
                                                         const TaskContext& task = {});
/// The same without blocks.
Result<std::shared_ptr<const GraphPicture>>
buildPicture(std::shared_ptr<const Graph> graph, LayoutDirection direction, const TaskContext& task = {});

/// "25 ops: 8 MatMul, 6 Reshape, …"
QString contentsText(const Graph& graph, const BlockTree& blocks, std::int32_t block);

/// Points of the curve between two successive points of a route, the second one included.
/// \param along: direction of the layout. Straight stretches give one point.
void flatten(const LayoutPoint& a, const LayoutPoint& b, LayoutDirection along, std::vector<QPointF>& into);

/// "f16 [1, 64, 56, 56]"
QString tensorText(const Tensor& tensor);

} // namespace pim::views
