// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_tree_model.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/common/text.h"
#include "views/graph/index.h"

namespace pim::views {
void GraphTreeModel::setGraph(std::shared_ptr<const Graph> graph, std::shared_ptr<const BlockTree> blocks) {
    if (graph == m_graph && blocks == m_blocks)
        return;
    beginResetModel();
    m_graph = std::move(graph);
    m_blocks = std::move(blocks);
    m_passing.clear();
    m_rows.assign(m_blocks ? m_blocks->blocks.size() + 1 : 0, {});
    m_rowOfOp.assign(m_graph ? m_graph->ops.size() : 0, -1);
    m_rowOfBlock.assign(m_blocks ? m_blocks->blocks.size() : 0, -1);
    endResetModel();
}

void GraphTreeModel::setFigures(const OverlaySource& source, Overlay overlay) {
    m_source = source;
    m_source.graph = m_graph;
    m_overlay = overlay;
    emit headerDataChanged(Qt::Horizontal, Value, Value);
    if (const int rows = rowCount(); rows > 0)
        emit dataChanged(index(0, 0), index(rows - 1, Columns - 1)); // views paint all they show anew
}

void GraphTreeModel::setPassing(std::vector<bool> ops) {
    m_passing = std::move(ops);
    if (const int rows = rowCount(); rows > 0)
        emit dataChanged(index(0, 0), index(rows - 1, Columns - 1), {Qt::ForegroundRole});
}

// --- where things are
// -------------------------------------------------------------------------------------------

quintptr GraphTreeModel::idOf(const Place& place) {
    static_assert(sizeof(quintptr) == 8);
    return static_cast<quintptr>(place.item) |
           (static_cast<quintptr>(static_cast<std::uint32_t>(place.id)) << 2) |
           (static_cast<quintptr>(static_cast<std::uint32_t>(place.slot)) << 34);
}

GraphTreeModel::Place GraphTreeModel::placeOf(const QModelIndex& index) {
    const quintptr id = index.internalId();
    return {static_cast<Item>(id & 3), static_cast<std::int32_t>((id >> 2) & 0xffffffff),
            static_cast<int>(id >> 34)};
}

const std::vector<GraphTreeModel::Row>& GraphTreeModel::rowsOf(std::int32_t block) const {
    std::vector<Row>& rows = m_rows[at(block + 1)];
    if (!rows.empty())
        return rows;
    const auto first = block < 0 ? 0 : m_blocks->blocks[at(block)].first;
    const auto end =
        block < 0 ? static_cast<std::int32_t>(m_blocks->order.size()) : m_blocks->blocks[at(block)].end();
    for (std::int32_t i = first; i < end;) {
        const OpId op = m_blocks->order[at(i)];
        std::int32_t child = m_blocks->inner[op.index()];
        while (child != block && m_blocks->blocks[at(child)].parent != block)
            child = m_blocks->blocks[at(child)].parent;
        const auto row = static_cast<std::int32_t>(rows.size());
        if (child == block) {
            m_rowOfOp[op.index()] = row;
            rows.push_back({Item::Op, op.value});
            ++i;
        } else {
            m_rowOfBlock[at(child)] = row;
            rows.push_back({Item::Block, child});
            i = m_blocks->blocks[at(child)].end();
        }
    }
    return rows;
}

std::vector<std::pair<TensorId, bool>> GraphTreeModel::tensorsOf(OpId id) const {
    std::vector<std::pair<TensorId, bool>> tensors;
    for (const TensorId input : m_graph->op(id).inputs)
        if (input.valid())
            tensors.emplace_back(input, false);
    for (const TensorId output : m_graph->op(id).outputs)
        if (output.valid())
            tensors.emplace_back(output, true);
    return tensors;
}

QModelIndex GraphTreeModel::indexOf(OpId op) const {
    if (!m_blocks || !op.valid() || op.index() >= m_rowOfOp.size())
        return {};
    rowsOf(m_blocks->inner[op.index()]);
    return createIndex(m_rowOfOp[op.index()], 0, idOf({Item::Op, op.value, 0}));
}

QModelIndex GraphTreeModel::indexOfBlock(std::int32_t block) const {
    if (!m_blocks || block < 0 || at(block) >= m_blocks->blocks.size())
        return {};
    rowsOf(m_blocks->blocks[at(block)].parent);
    return createIndex(m_rowOfBlock[at(block)], 0, idOf({Item::Block, block, 0}));
}

OpId GraphTreeModel::op(const QModelIndex& index) const {
    if (!index.isValid())
        return {};
    const Place place = placeOf(index);
    return place.item == Item::Block ? OpId() : OpId(place.id);
}

std::int32_t GraphTreeModel::block(const QModelIndex& index) const {
    if (!index.isValid())
        return -1;
    const Place place = placeOf(index);
    return place.item == Item::Block ? place.id : -1;
}

QModelIndex GraphTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    if (parent.isValid() && placeOf(parent).item == Item::Op)
        return createIndex(row, column, idOf({Item::Tensor, placeOf(parent).id, row}));
    const Row& found = rowsOf(parent.isValid() ? placeOf(parent).id : -1)[static_cast<std::size_t>(row)];
    return createIndex(row, column, idOf({found.item, found.id, 0}));
}

QModelIndex GraphTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid())
        return {};
    const Place place = placeOf(child);
    if (place.item == Item::Tensor)
        return indexOf(OpId(place.id));
    return indexOfBlock(place.item == Item::Op ? m_blocks->inner[at(place.id)]
                                               : m_blocks->blocks[at(place.id)].parent);
}

int GraphTreeModel::rowCount(const QModelIndex& parent) const {
    if (!m_blocks || parent.column() > 0)
        return 0;
    if (!parent.isValid())
        return static_cast<int>(rowsOf(-1).size());
    const Place place = placeOf(parent);
    if (place.item == Item::Tensor)
        return 0;
    return static_cast<int>(place.item == Item::Op ? tensorsOf(OpId(place.id)).size()
                                                   : rowsOf(place.id).size());
}

bool GraphTreeModel::hasChildren(const QModelIndex& parent) const {
    if (!parent.isValid())
        return m_graph && !m_graph->ops.empty();
    if (parent.column() > 0)
        return false;
    const Place place = placeOf(parent);
    return place.item == Item::Block || (place.item == Item::Op && !tensorsOf(OpId(place.id)).empty());
}

int GraphTreeModel::columnCount(const QModelIndex&) const {
    return Columns;
}

// --- what they say
// ----------------------------------------------------------------------------------------------

std::vector<OpId> GraphTreeModel::opsOf(const Place& place) const {
    if (place.item != Item::Block)
        return {OpId(place.id)};
    const Block& block = m_blocks->blocks[at(place.id)];
    return {m_blocks->order.begin() + block.first, m_blocks->order.begin() + block.end()};
}

QVariant GraphTreeModel::blockText(std::int32_t block, int column) const {
    switch (column) {
    case Name:
        return text(m_blocks->blocks[at(block)].name);
    case Kind:
        return tr("%1 ops").arg(m_blocks->blocks[at(block)].count);
    default:
        return {};
    }
}

QVariant GraphTreeModel::opText(OpId op, int column) const {
    switch (column) {
    case Name:
        return text(m_graph->op(op).name);
    case Kind:
        return text(m_graph->op(op).type);
    case Shape:
        for (const TensorId output : m_graph->op(op).outputs)
            if (output.valid())
                return views::tensorText(m_graph->tensor(output));
        return {};
    default:
        return {};
    }
}

QVariant GraphTreeModel::tensorText(OpId op, int slot, int column) const {
    const auto [id, isOutput] = tensorsOf(op)[static_cast<std::size_t>(slot)];
    const Tensor& tensor = m_graph->tensor(id);
    switch (column) {
    case Name:
        return text(tensor.name);
    case Kind:
        return isOutput ? tr("output") : tensor.isConstant() ? tr("initialiser") : tr("input");
    case Shape:
        return views::tensorText(tensor);
    case Value:
        return tensor.bytes() ? text(bytesText(static_cast<double>(*tensor.bytes()))) : QString();
    default:
        return {};
    }
}

QVariant GraphTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Place place = placeOf(index);
    if (role == Qt::ForegroundRole && !m_passing.empty()) {
        const std::vector<OpId> ops = opsOf(place);
        const bool passes =
            std::any_of(ops.begin(), ops.end(), [this](OpId op) { return m_passing[op.index()]; });
        return passes ? QVariant() : color(Role::Muted);
    }
    if (role == Qt::TextAlignmentRole && index.column() == Value)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (place.item == Item::Tensor)
        return tensorText(OpId(place.id), place.slot, index.column());
    if (index.column() == Value && isFigure(m_overlay)) {
        const auto value = overlayValue(m_source, m_overlay, opsOf(place));
        if (role == Qt::ToolTipRole)
            return value
                       ? QStringLiteral("%1 = %2").arg(overlayExactHeader(m_overlay)).arg(*value, 0, 'g', 17)
                   : place.item == Item::Op ? whyUnknown(m_source, m_overlay, OpId(place.id))
                                            : tr("no op in it has a value");
        return value ? overlayValueText(m_overlay, *value) : QStringLiteral("–");
    }
    if (place.item == Item::Block && role == Qt::ToolTipRole)
        return contentsText(*m_graph, *m_blocks, place.id);
    return place.item == Item::Block ? blockText(place.id, index.column())
                                     : opText(OpId(place.id), index.column());
}

QVariant GraphTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Kind:
        return tr("Kind");
    case Shape:
        return tr("Shape");
    default:
        return isFigure(m_overlay) ? overlayText(m_overlay) : tr("Size");
    }
}

} // namespace pim::views
