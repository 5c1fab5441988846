// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_picture.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kNodeWidth = 208, kNodeHeight = 60, kPillHeight = 34, kMargin = 40;

std::size_t at(std::int32_t v) {
    return static_cast<std::size_t>(v);
}

QString shortText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

PictureNode opNode(const Graph& graph, std::size_t index) {
    const Op& op = graph.ops[index];
    PictureNode node;
    node.op = OpId(static_cast<std::int64_t>(index));
    node.type = QString::fromStdString(op.type);
    node.name = QString::fromStdString(op.name);
    node.category = static_cast<int>(op.opClass);
    node.unknownCost = !op.work.known;
    for (const TensorId output : op.outputs)
        if (output.valid()) {
            node.shape = tensorText(graph.tensor(output)).replace(QLatin1String(", "), QLatin1String(","));
            break;
        }
    for (const TensorId input : op.inputs)
        if (input.valid() && graph.tensor(input).data && !graph.tensor(input).data->present)
            node.missingWeights = true;
    return node;
}

PictureNode endNode(const Graph& graph, TensorId tensor, PictureNode::Kind kind) {
    PictureNode node;
    node.kind = kind;
    node.tensor = tensor;
    node.type = kind == PictureNode::Kind::Input ? QStringLiteral("input") : QStringLiteral("output");
    node.name = QString::fromStdString(graph.tensor(tensor).name);
    node.shape = tensorText(graph.tensor(tensor)).replace(QLatin1String(", "), QLatin1String(","));
    return node;
}

double distance(const QPointF& p, const QPointF& a, const QPointF& b) {
    const QPointF ab = b - a;
    const double length = QPointF::dotProduct(ab, ab);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, ab) / length, 0.0, 1.0) : 0;
    return QLineF(p, a + t * ab).length();
}

} // namespace

QString tensorText(const Tensor& tensor) {
    const QString type = shortText(name(tensor.dtype));
    return tensor.shape ? type + QLatin1Char(' ') + QString::fromStdString(shapeText(*tensor.shape)) : type;
}

void PictureIndex::build(const QRectF& bounds, std::size_t expected) {
    m_bounds = bounds;
    // About four items a cell, however long and thin the drawing is.
    const double area = std::max(1.0, bounds.width() * bounds.height());
    m_cell = std::max(128.0, std::sqrt(area / std::max(1.0, static_cast<double>(expected) / 4)));
    m_columns = std::max(1, static_cast<int>(std::ceil(bounds.width() / m_cell)));
    m_rows = std::max(1, static_cast<int>(std::ceil(bounds.height() / m_cell)));
    m_cells.assign(static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows), {});
}

PictureIndex::Range PictureIndex::cells(const QRectF& rect) const {
    const auto cell = [&](double value, int count) {
        return std::clamp(static_cast<int>(value / m_cell), 0, count - 1);
    };
    return {cell(rect.left() - m_bounds.left(), m_columns), cell(rect.top() - m_bounds.top(), m_rows),
            cell(rect.right() - m_bounds.left(), m_columns), cell(rect.bottom() - m_bounds.top(), m_rows)};
}

void PictureIndex::add(const QRectF& rect, std::int32_t item) {
    const Range range = cells(rect);
    for (int y = range.y0; y <= range.y1; ++y)
        for (int x = range.x0; x <= range.x1; ++x) {
            auto& cell = m_cells[static_cast<std::size_t>(y * m_columns + x)];
            if (cell.empty() || cell.back() != item)
                cell.push_back(item);
        }
}

std::vector<std::int32_t> PictureIndex::near(const QRectF& area) const {
    std::vector<std::int32_t> found;
    if (m_cells.empty() || !area.intersects(m_bounds))
        return found;
    const Range range = cells(area);
    for (int y = range.y0; y <= range.y1; ++y)
        for (int x = range.x0; x <= range.x1; ++x) {
            const auto& cell = m_cells[static_cast<std::size_t>(y * m_columns + x)];
            found.insert(found.end(), cell.begin(), cell.end());
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

void flatten(const LayoutPoint& a, const LayoutPoint& b, LayoutDirection along, std::vector<QPointF>& into) {
    const bool down = along == LayoutDirection::TopToBottom;
    if (std::abs(down ? a.x - b.x : a.y - b.y) < 0.01) {
        into.emplace_back(b.x, b.y);
        return;
    }
    constexpr int kSteps = 12;
    for (int i = 1; i <= kSteps; ++i) {
        // Bézier curve whose handles lie half way along the direction.
        const double t = static_cast<double>(i) / kSteps, s = 1 - t;
        const double ends = s * s * s + 3 * s * s * t, rest = 1 - ends;    // weight of a across the direction
        const double flat = s * s * s + 1.5 * s * s * t + 1.5 * s * t * t; // and along it
        if (down)
            into.emplace_back(a.x * ends + b.x * rest, a.y * flat + b.y * (1 - flat));
        else
            into.emplace_back(a.x * flat + b.x * (1 - flat), a.y * ends + b.y * rest);
    }
}

std::int32_t GraphPicture::nodeAt(const QPointF& position) const {
    for (const std::int32_t i : nodeIndex.near(QRectF(position, QSizeF(1, 1))))
        if (nodes[at(i)].rect.contains(position))
            return i;
    return -1;
}

std::int32_t GraphPicture::edgeAt(const QPointF& position, double tolerance) const {
    std::int32_t best = -1;
    double nearest = tolerance;
    std::vector<QPointF> points;
    const QRectF around = QRectF(position, position).adjusted(-tolerance, -tolerance, tolerance, tolerance);
    for (const std::int32_t e : edgeIndex.near(around)) {
        const auto route = layout.edge(at(e));
        for (std::size_t i = 1; i < route.size(); ++i) {
            points.assign(1, QPointF(route[i - 1].x, route[i - 1].y));
            flatten(route[i - 1], route[i], direction, points);
            for (std::size_t k = 1; k < points.size(); ++k)
                if (const double d = distance(position, points[k - 1], points[k]); d < nearest) {
                    nearest = d;
                    best = e;
                }
        }
    }
    return best;
}

Result<std::shared_ptr<const GraphPicture>> buildPicture(std::shared_ptr<const Graph> graph,
                                                         LayoutDirection direction, const TaskContext& task) {
    auto picture = std::make_shared<GraphPicture>();
    picture->graph = graph;
    picture->direction = direction;
    for (std::size_t i = 0; i < graph->ops.size(); ++i)
        picture->nodes.push_back(opNode(*graph, i));
    const auto addEdge = [&](std::size_t from, std::size_t to, TensorId tensor) {
        picture->edges.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), tensor});
    };
    for (const TensorId input : graph->inputs) {
        picture->nodes.push_back(endNode(*graph, input, PictureNode::Kind::Input));
        for (const OpId reader : graph->tensor(input).consumers)
            addEdge(picture->nodes.size() - 1, reader.index(), input);
    }
    for (std::size_t i = 0; i < graph->ops.size(); ++i)
        for (const TensorId output : graph->ops[i].outputs)
            if (output.valid())
                for (const OpId reader : graph->tensor(output).consumers)
                    addEdge(i, reader.index(), output);
    for (const TensorId output : graph->outputs) {
        const Tensor& tensor = graph->tensor(output);
        picture->nodes.push_back(endNode(*graph, output, PictureNode::Kind::Output));
        if (tensor.producer.valid())
            addEdge(tensor.producer.index(), picture->nodes.size() - 1, output);
    }

    std::vector<LayoutSize> sizes;
    for (const PictureNode& node : picture->nodes)
        sizes.push_back({kNodeWidth, node.kind == PictureNode::Kind::Op ? kNodeHeight : kPillHeight});
    std::vector<LayoutEdge> links;
    for (const PictureEdge& edge : picture->edges)
        links.push_back({edge.from, edge.to});
    LayoutOptions options;
    options.direction = direction;
    options.rankGap = direction == LayoutDirection::TopToBottom ? 36 : 64;
    PIM_TRY(picture->layout, layoutLayered(sizes, links, options, task));

    const GraphLayout& layout = picture->layout;
    picture->bounds =
        QRectF(0, 0, layout.width, layout.height).adjusted(-kMargin, -kMargin, kMargin, kMargin);
    picture->nodeIndex.build(picture->bounds, picture->nodes.size());
    picture->edgeIndex.build(picture->bounds, picture->edges.size());
    for (std::size_t i = 0; i < picture->nodes.size(); ++i) {
        picture->nodes[i].rect =
            QRectF(layout.nodes[i].x, layout.nodes[i].y, sizes[i].width, sizes[i].height);
        picture->nodeIndex.add(picture->nodes[i].rect, static_cast<std::int32_t>(i));
    }
    picture->incoming.resize(picture->nodes.size());
    picture->outgoing.resize(picture->nodes.size());
    for (std::size_t e = 0; e < picture->edges.size(); ++e) {
        const auto route = layout.edge(e);
        for (std::size_t i = 1; i < route.size(); ++i)
            picture->edgeIndex.add(
                QRectF(QPointF(route[i - 1].x, route[i - 1].y), QPointF(route[i].x, route[i].y)).normalized(),
                static_cast<std::int32_t>(e));
        picture->incoming[at(picture->edges[e].to)].push_back(static_cast<std::int32_t>(e));
        picture->outgoing[at(picture->edges[e].from)].push_back(static_cast<std::int32_t>(e));
    }
    return picture;
}

} // namespace pim::views
