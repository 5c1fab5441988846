// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The graph as a tree: blocks, ops in them, tensors of the ops. The canvas for those who cannot see it, and a list to
/// go through. Rows are worked out when somebody looks at them.
#include "views/graph/graph_overlay.h"

#include <QAbstractItemModel>

namespace pim::views {

class GraphTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Kind, Shape, Value, Columns };
    using QAbstractItemModel::QAbstractItemModel;

    /// Null: nothing.
    void setGraph(std::shared_ptr<const Graph> graph, std::shared_ptr<const BlockTree> blocks);
    /// Figures of the last column.
    void setFigures(const OverlaySource& source, Overlay overlay);
    void setPassing(std::vector<bool> ops); ///< One an op; the others are greyed. Empty: all pass.

    QModelIndex indexOf(OpId op) const;
    QModelIndex indexOfBlock(std::int32_t block) const;
    OpId op(const QModelIndex& index) const;            ///< Of the row, or that a tensor belongs to.
    std::int32_t block(const QModelIndex& index) const; ///< -1: no block.

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    enum class Item : std::uint8_t { Block, Op, Tensor };
    struct Row {
        Item item = Item::Op;
        std::int32_t id = -1; ///< Block or op.
    };
    struct Place {
        Item item;
        std::int32_t id;
        int slot; ///< Of a tensor: inputs, then outputs, those left out not counted.
    };
    static Place placeOf(const QModelIndex& index);
    static quintptr idOf(const Place& place);
    const std::vector<Row>& rowsOf(std::int32_t block) const;        ///< -1: of the network.
    std::vector<std::pair<TensorId, bool>> tensorsOf(OpId op) const; ///< With "is output".
    QVariant blockText(std::int32_t block, int column) const;
    QVariant opText(OpId op, int column) const;
    QVariant tensorText(OpId op, int slot, int column) const;
    std::vector<OpId> opsOf(const Place& place) const;

    std::shared_ptr<const Graph> m_graph;
    std::shared_ptr<const BlockTree> m_blocks;
    OverlaySource m_source;
    Overlay m_overlay = Overlay::Type;
    std::vector<bool> m_passing;
    mutable std::vector<std::vector<Row>> m_rows;              ///< By block + 1; empty: not asked for.
    mutable std::vector<std::int32_t> m_rowOfOp, m_rowOfBlock; ///< In their parents; -1: not asked for.
};

} // namespace pim::views
