// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_picture.h"

#include "views/common/core_words.h"
#include "views/graph/index.h"

#include <QCoreApplication>
#include <QLineF>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace pim::views {
namespace {

constexpr double kNodeWidth = 208, kPillHeight = 34, kMargin = 40;
constexpr double kHeaderHeight = 26; // a box with name and shape: 60
constexpr double kLabelHeight = 20, kLabelLetter = 7.2;
constexpr int kMostInitialisers = 4;

/// "kernel_shape=[3, 3]  strides=[1, 1]"
QString attributesLine(const Op& op) {
    QStringList parts;
    for (const auto& [key, value] : op.attributes)
        parts << QString::fromStdString(key + "=" + attributeText(value)).left(80);
    return parts.join(QStringLiteral("  "));
}

QStringList initialiserLines(const Graph& graph, const Op& op) {
    QStringList lines;
    for (const TensorId input : op.inputs)
        if (input.valid() && graph.tensor(input).isConstant()) {
            const Tensor& tensor = graph.tensor(input);
            const QString name = QString::fromStdString(tensor.name);
            lines << QStringLiteral("%1  %2").arg(name.mid(name.lastIndexOf(QLatin1Char('/')) + 1),
                                                  tensorText(tensor));
        }
    if (lines.size() > kMostInitialisers) {
        const auto more = lines.size() - kMostInitialisers;
        lines = lines.first(kMostInitialisers);
        lines.last() += QStringLiteral("  +%1").arg(more);
    }
    return lines;
}

bool lacksWeights(const Graph& graph, const Op& op) {
    return std::any_of(op.inputs.begin(), op.inputs.end(), [&](TensorId input) {
        return input.valid() && graph.tensor(input).data && !graph.tensor(input).data->present;
    });
}

PictureNode opNode(const Graph& graph, std::size_t index, const PictureOptions& options) {
    const Op& op = graph.ops[index];
    PictureNode node;
    node.op = OpId(static_cast<std::int64_t>(index));
    node.type = QString::fromStdString(op.type);
    if (options.names)
        node.name = QString::fromStdString(op.name);
    node.category = static_cast<int>(op.opClass);
    node.unknownCost = !op.work.known;
    for (const TensorId output : op.outputs)
        if (output.valid()) {
            node.shape = tensorText(graph.tensor(output)).replace(QLatin1String(", "), QLatin1String(","));
            break;
        }
    if (options.attributes && !op.attributes.empty())
        node.lines << attributesLine(op);
    if (options.initialisers)
        node.lines << initialiserLines(graph, op);
    node.missingWeights = lacksWeights(graph, op);
    return node;
}

PictureNode groupNode(const Graph& graph, const BlockTree& blocks, std::int32_t index) {
    const Block& block = blocks.blocks[at(index)];
    PictureNode node;
    node.kind = PictureNode::Kind::Group;
    node.block = index;
    node.type = QString::fromStdString(block.name);
    node.name = contentsText(graph, blocks, index);
    for (std::int32_t i = block.first; i < block.end(); ++i) {
        const Op& op = graph.op(blocks.order[at(i)]);
        node.unknownCost = node.unknownCost || !op.work.known;
        node.missingWeights = node.missingWeights || lacksWeights(graph, op);
    }
    for (const TensorId output : graph.op(blocks.order[at(block.end() - 1)]).outputs)
        if (output.valid()) {
            node.shape = tensorText(graph.tensor(output)).replace(QLatin1String(", "), QLatin1String(","));
            break;
        }
    return node;
}

double heightOf(const PictureNode& node) {
    if (!node.isChoosable())
        return kPillHeight;
    const auto lines = (node.name.isEmpty() ? 0 : 1) + 1 + static_cast<int>(node.lines.size());
    return kHeaderHeight + kPictureLineHeight * lines;
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
    const QString type = coreWord(name(tensor.dtype));
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
            flatten(route[i - 1], route[i], direction(), points);
            for (std::size_t k = 1; k < points.size(); ++k)
                if (const double d = distance(position, points[k - 1], points[k]); d < nearest) {
                    nearest = d;
                    best = e;
                }
        }
    }
    return best;
}

std::int32_t GraphPicture::nodeOf(OpId op) const {
    return op.valid() && op.index() < nodeOfOp.size() ? nodeOfOp[op.index()] : -1;
}

bool GraphPicture::isFolded(OpId op) const {
    const std::int32_t node = nodeOf(op);
    return node >= 0 && nodes[at(node)].kind == PictureNode::Kind::Group;
}

std::int32_t GraphPicture::nodeOfBlock(std::int32_t block) const {
    if (!blocks || block < 0 || at(block) >= blocks->blocks.size())
        return -1;
    const std::int32_t node = nodeOf(blocks->order[at(blocks->blocks[at(block)].first)]);
    return node >= 0 && nodes[at(node)].block == block ? node : -1;
}

const PictureFrame* GraphPicture::frameOf(std::int32_t block) const {
    const auto found = std::find_if(frames.begin(), frames.end(),
                                    [&](const PictureFrame& frame) { return frame.block == block; });
    return found == frames.end() ? nullptr : &*found;
}

std::vector<OpId> GraphPicture::opsOf(const PictureNode& node) const {
    if (node.kind == PictureNode::Kind::Op)
        return {node.op};
    if (node.kind != PictureNode::Kind::Group)
        return {};
    const Block& block = blocks->blocks[at(node.block)];
    return {blocks->order.begin() + block.first, blocks->order.begin() + block.end()};
}

const PictureFrame* GraphPicture::labelAt(const QPointF& position) const {
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
        if (frame->label.contains(position))
            return &*frame;
    return nullptr;
}

QString contentsText(const Graph& graph, const BlockTree& blocks, std::int32_t index) {
    const Block& block = blocks.blocks[at(index)];
    std::map<std::string, int> types;
    for (std::int32_t i = block.first; i < block.end(); ++i)
        ++types[graph.op(blocks.order[at(i)]).type];
    std::vector<std::pair<int, std::string>> most;
    for (const auto& [type, count] : types)
        most.emplace_back(-count, type);
    std::sort(most.begin(), most.end());
    QStringList parts;
    for (std::size_t i = 0; i < std::min<std::size_t>(most.size(), 3); ++i)
        parts << QStringLiteral("%1 %2").arg(-most[i].first).arg(QString::fromStdString(most[i].second));
    return QCoreApplication::translate("pim::views::GraphPicture", "%1 ops: %2")
               .arg(block.count)
               .arg(parts.join(QStringLiteral(", "))) +
           (most.size() > 3 ? QStringLiteral(", …") : QString());
}

namespace {

/// Makes the picture step by step.
class Builder {
public:
    Builder(std::shared_ptr<const Graph> graph, std::shared_ptr<const BlockTree> blocks,
            PictureOptions options)
        : m_picture(std::make_shared<GraphPicture>()), m_graph(*graph), m_blocks(*blocks) {
        m_picture->graph = std::move(graph);
        m_picture->blocks = std::move(blocks);
        m_picture->options = std::move(options);
        m_picture->options.folded.resize(m_blocks.blocks.size());
    }
    Result<std::shared_ptr<const GraphPicture>> build(const TaskContext& task);

private:
    void addOps();
    void addEnds();
    void addEdge(std::int32_t from, std::int32_t to, TensorId tensor);
    bool isWithinOneGroup(TensorId tensor) const;
    void measureFrames();
    void placeLabels();
    void fillIndex();

    std::shared_ptr<GraphPicture> m_picture;
    const Graph& m_graph;
    const BlockTree& m_blocks;
    std::vector<std::int32_t> m_shownAs; ///< Of each block: the folded one it is seen as; -1: it is open.
    std::unordered_map<std::uint64_t, std::int32_t> m_merged; ///< Edges to and from folded blocks.
    std::vector<bool> m_isRead, m_isFed;                      ///< Nodes with edges from and to other ops.
    std::vector<LayoutSize> m_sizes;
};

void Builder::addEdge(std::int32_t from, std::int32_t to, TensorId tensor) {
    if (from == to)
        return;
    if (m_picture->nodes[at(from)].kind == PictureNode::Kind::Group ||
        m_picture->nodes[at(to)].kind == PictureNode::Kind::Group) {
        const std::uint64_t key = (static_cast<std::uint64_t>(from) << 32) | static_cast<std::uint32_t>(to);
        const auto [entry, isNew] = m_merged.emplace(key, static_cast<std::int32_t>(m_picture->edges.size()));
        if (!isNew) {
            PictureEdge& edge = m_picture->edges[at(entry->second)];
            edge.tensors += edge.tensor == tensor ? 0 : 1;
            return;
        }
    }
    m_picture->edges.push_back({from, to, tensor});
}

void Builder::addOps() {
    m_shownAs.assign(m_blocks.blocks.size(), -1);
    for (std::size_t b = 0; b < m_blocks.blocks.size(); ++b) { // parents first
        const std::int32_t parent = m_blocks.blocks[b].parent;
        m_shownAs[b] = parent >= 0 && m_shownAs[at(parent)] >= 0 ? m_shownAs[at(parent)]
                       : m_picture->options.folded[b]            ? static_cast<std::int32_t>(b)
                                                                 : -1;
    }
    std::vector<std::int32_t> nodeOfBlock(m_blocks.blocks.size(), -1);
    for (std::size_t i = 0; i < m_graph.ops.size(); ++i) {
        const std::int32_t inner = m_blocks.inner.empty() ? -1 : m_blocks.inner[i];
        const std::int32_t group = inner < 0 ? -1 : m_shownAs[at(inner)];
        if (group >= 0 && nodeOfBlock[at(group)] >= 0) {
            m_picture->nodeOfOp.push_back(nodeOfBlock[at(group)]);
            continue;
        }
        const auto node = static_cast<std::int32_t>(m_picture->nodes.size());
        m_picture->nodeOfOp.push_back(node);
        if (group >= 0)
            nodeOfBlock[at(group)] = node;
        m_picture->nodes.push_back(group >= 0 ? groupNode(m_graph, m_blocks, group)
                                              : opNode(m_graph, i, m_picture->options));
    }
    m_picture->choosable = static_cast<std::int32_t>(m_picture->nodes.size());
    for (std::size_t i = 0; i < m_graph.ops.size(); ++i)
        for (const TensorId output : m_graph.ops[i].outputs)
            if (output.valid())
                for (const OpId reader : m_graph.tensor(output).consumers)
                    addEdge(m_picture->nodeOfOp[i], m_picture->nodeOfOp[reader.index()], output);
}

/// Caches and the like that belong to one folded block are folded with it, unless it would stand there alone.
bool Builder::isWithinOneGroup(TensorId id) const {
    const Tensor& tensor = m_graph.tensor(id);
    std::int32_t group = tensor.producer.valid() ? m_picture->nodeOf(tensor.producer) : -1;
    for (const OpId reader : tensor.consumers) {
        const std::int32_t node = m_picture->nodeOf(reader);
        if (group >= 0 && node != group)
            return false;
        group = node;
    }
    if (group < 0 || m_picture->nodes[at(group)].kind != PictureNode::Kind::Group)
        return false;
    return tensor.producer.valid() ? m_isRead[at(group)] : m_isFed[at(group)];
}

void Builder::addEnds() {
    m_isRead.resize(m_picture->nodes.size());
    m_isFed.resize(m_picture->nodes.size());
    for (const PictureEdge& edge : m_picture->edges) {
        m_isRead[at(edge.from)] = true;
        m_isFed[at(edge.to)] = true;
    }
    std::vector<TensorId> inputs, outputs;
    for (const TensorId input : m_graph.inputs)
        if (!isWithinOneGroup(input))
            inputs.push_back(input);
    for (const TensorId output : m_graph.outputs)
        if (!m_graph.tensor(output).producer.valid() || !isWithinOneGroup(output))
            outputs.push_back(output);
    const auto newest = [this] { return static_cast<std::int32_t>(m_picture->nodes.size()) - 1; };
    for (const TensorId input : inputs) {
        m_picture->nodes.push_back(endNode(m_graph, input, PictureNode::Kind::Input));
        for (const OpId reader : m_graph.tensor(input).consumers)
            addEdge(newest(), m_picture->nodeOf(reader), input);
    }
    for (const TensorId output : outputs) {
        m_picture->nodes.push_back(endNode(m_graph, output, PictureNode::Kind::Output));
        if (m_graph.tensor(output).producer.valid())
            addEdge(m_picture->nodeOf(m_graph.tensor(output).producer), newest(), output);
    }
}

void Builder::measureFrames() {
    const std::size_t count = m_blocks.blocks.size();
    std::vector<QRectF> around(count);
    for (std::int32_t n = 0; n < m_picture->choosable; ++n) {
        const PictureNode& node = m_picture->nodes[at(n)];
        std::int32_t block = node.kind == PictureNode::Kind::Group ? m_blocks.blocks[at(node.block)].parent
                             : m_blocks.inner.empty()              ? -1
                                                                   : m_blocks.inner[node.op.index()];
        if (block >= 0)
            around[at(block)] |= node.rect;
    }
    std::vector<int> levels(count, 1);      // of open blocks in this one, itself included
    for (std::size_t b = count; b-- > 0;) { // children before parents
        if (m_shownAs[b] >= 0 || around[b].isNull())
            continue;
        if (const std::int32_t parent = m_blocks.blocks[b].parent; parent >= 0) {
            around[at(parent)] |= around[b];
            levels[at(parent)] = std::max(levels[at(parent)], levels[b] + 1);
        }
    }
    for (std::size_t b = 0; b < count; ++b) {
        if (m_shownAs[b] >= 0 || around[b].isNull())
            continue;
        PictureFrame frame;
        frame.block = static_cast<std::int32_t>(b);
        frame.depth = m_blocks.depth(frame.block);
        const double wide = 6 + 8.0 * levels[b], thin = 4.0 * levels[b];
        frame.rect = around[b].adjusted(-wide, -kLabelHeight - 4 - thin, wide, 4 + thin);
        frame.text = QCoreApplication::translate("pim::views::GraphPicture", "%1 · %2 ops")
                         .arg(QString::fromStdString(m_blocks.blocks[b].name))
                         .arg(m_blocks.blocks[b].count);
        m_picture->frames.push_back(frame);
    }
    placeLabels();
}

/// Frames that begin at one place have their labels in a row, the outermost first.
void Builder::placeLabels() {
    std::unordered_map<std::int32_t, std::size_t> frameOf;
    for (std::size_t i = 0; i < m_picture->frames.size(); ++i) {
        PictureFrame& frame = m_picture->frames[i];
        frameOf[frame.block] = i;
        frame.label =
            QRectF(frame.rect.topLeft(),
                   QSizeF(24 + kLabelLetter * static_cast<double>(frame.text.size()), kLabelHeight));
        const auto parent = frameOf.find(m_blocks.blocks[at(frame.block)].parent);
        if (parent == frameOf.end())
            continue;
        const QRectF& before = m_picture->frames[parent->second].label;
        if (before.bottom() > frame.label.top() && before.right() > frame.label.left())
            frame.label.moveLeft(before.right() + 4);
    }
}

void Builder::fillIndex() {
    GraphPicture& picture = *m_picture;
    picture.nodeIndex.build(picture.bounds, picture.nodes.size());
    picture.edgeIndex.build(picture.bounds, picture.edges.size());
    for (std::size_t i = 0; i < picture.nodes.size(); ++i)
        picture.nodeIndex.add(picture.nodes[i].rect, static_cast<std::int32_t>(i));
    picture.incoming.resize(picture.nodes.size());
    picture.outgoing.resize(picture.nodes.size());
    for (std::size_t e = 0; e < picture.edges.size(); ++e) {
        const auto route = picture.layout.edge(e);
        for (std::size_t i = 1; i < route.size(); ++i)
            picture.edgeIndex.add(
                QRectF(QPointF(route[i - 1].x, route[i - 1].y), QPointF(route[i].x, route[i].y)).normalized(),
                static_cast<std::int32_t>(e));
        picture.incoming[at(picture.edges[e].to)].push_back(static_cast<std::int32_t>(e));
        picture.outgoing[at(picture.edges[e].from)].push_back(static_cast<std::int32_t>(e));
    }
}

Result<std::shared_ptr<const GraphPicture>> Builder::build(const TaskContext& task) {
    addOps();
    addEnds();
    for (const PictureNode& node : m_picture->nodes)
        m_sizes.push_back({kNodeWidth, heightOf(node)});
    std::vector<LayoutEdge> links;
    for (const PictureEdge& edge : m_picture->edges)
        links.push_back({edge.from, edge.to});
    const bool down = m_picture->direction() == LayoutDirection::TopToBottom;
    const bool hasFrames = std::find(m_shownAs.begin(), m_shownAs.end(), -1) != m_shownAs.end();
    LayoutOptions options;
    options.direction = m_picture->direction();
    options.rankGap = down ? (hasFrames ? 54 : 36) : (hasFrames ? 84 : 64);
    options.nodeGap = down ? (hasFrames ? 36 : 28) : (hasFrames ? 50 : 28);
    PIM_TRY(m_picture->layout, layoutLayered(m_sizes, links, options, task));

    const GraphLayout& layout = m_picture->layout;
    for (std::size_t i = 0; i < m_picture->nodes.size(); ++i)
        m_picture->nodes[i].rect =
            QRectF(layout.nodes[i].x, layout.nodes[i].y, m_sizes[i].width, m_sizes[i].height);
    measureFrames();
    QRectF bounds(0, 0, layout.width, layout.height);
    for (const PictureFrame& frame : m_picture->frames)
        bounds |= frame.rect | frame.label;
    m_picture->bounds = bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin);
    fillIndex();
    return std::shared_ptr<const GraphPicture>(m_picture);
}

} // namespace

Result<std::shared_ptr<const GraphPicture>> buildPicture(std::shared_ptr<const Graph> graph,
                                                         std::shared_ptr<const BlockTree> blocks,
                                                         PictureOptions options, const TaskContext& task) {
    return Builder(std::move(graph), std::move(blocks), std::move(options)).build(task);
}

Result<std::shared_ptr<const GraphPicture>> buildPicture(std::shared_ptr<const Graph> graph,
                                                         LayoutDirection direction, const TaskContext& task) {
    PictureOptions options;
    options.direction = direction;
    return buildPicture(std::move(graph), std::make_shared<BlockTree>(), std::move(options), task);
}

} // namespace pim::views
