// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Beside the canvas: the graph as a tree, and the list of what was found.
#include "views/graph/graph_tree_model.h"
#include "views/graph/hits_model.h"

#include <QTabWidget>

class QSortFilterProxyModel;
class QTreeView;

namespace pim::views {

class TableView;

class GraphSide : public QTabWidget {
    Q_OBJECT
public:
    explicit GraphSide(QWidget* parent = nullptr);

    void setGraph(std::shared_ptr<const Graph> graph, std::shared_ptr<const BlockTree> blocks);
    void setFigures(const OverlaySource& source, Overlay overlay);
    void setPassing(const std::vector<bool>& ops) { m_tree->setPassing(ops); }
    void setHits(const std::vector<OpId>& hits);
    void showHits(); ///< Brings the list to the front.
    /// Emit nothing.
    void setSelectedOp(OpId op);
    void setSelectedBlock(std::int32_t block);

    GraphTreeModel* treeModel() const { return m_tree; }
    QTreeView* treeView() const { return m_treeView; }
    TableView* hitsView() const { return m_hitsView; }
    QSize sizeHint() const override { return {340, 400}; }

signals:
    void opSelected(pim::OpId op);
    void blockSelected(int block);
    void opActivated(pim::OpId op);

private:
    void setCurrent(const QModelIndex& index);

    GraphTreeModel* m_tree;
    QTreeView* m_treeView;
    HitsModel* m_hits;
    QSortFilterProxyModel* m_sorted;
    TableView* m_hitsView;
    bool m_quiet = false; ///< The selection comes from outside.
};

} // namespace pim::views
