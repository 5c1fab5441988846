// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_side.h"

#include "views/common/table_view.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QTreeView>

namespace pim::views {

GraphSide::GraphSide(QWidget* parent)
    : QTabWidget(parent), m_tree(new GraphTreeModel(this)), m_treeView(new QTreeView),
      m_hits(new HitsModel(this)), m_sorted(new QSortFilterProxyModel(this)), m_hitsView(new TableView) {
    setAccessibleName(tr("Graph as a tree, and what was found"));
    setDocumentMode(true);
    setMinimumWidth(160);
    m_treeView->setAccessibleName(tr("Graph as a tree"));
    m_treeView->setModel(m_tree);
    m_treeView->setUniformRowHeights(true);
    m_treeView->setAlternatingRowColors(true);
    m_treeView->header()->setStretchLastSection(false);
    m_treeView->header()->resizeSection(GraphTreeModel::Name, 180);
    m_treeView->header()->resizeSection(GraphTreeModel::Value, 90);
    // what one looks for must not be out of sight
    m_treeView->header()->moveSection(GraphTreeModel::Value, 1);
    m_treeView->setExpandsOnDoubleClick(true);
    m_sorted->setSourceModel(m_hits);
    m_sorted->setSortRole(Qt::EditRole);
    m_hitsView->setAccessibleName(tr("Ops found"));
    m_hitsView->setModel(m_sorted);
    m_hitsView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_hitsView->setSortingEnabled(true);
    m_hitsView->sortByColumn(-1, Qt::AscendingOrder); // in the order of the graph until asked otherwise
    m_hitsView->setExportName(QStringLiteral("found"));
    addTab(m_treeView, tr("Tree"));
    addTab(m_hitsView, tr("Found"));

    connect(m_treeView->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                if (m_quiet || !index.isValid())
                    return;
                const std::int32_t block = m_tree->block(index);
                emit blockSelected(block);
                emit opSelected(m_tree->op(index));
            });
    connect(m_treeView, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const OpId op = m_tree->op(index); op.valid())
            emit opActivated(op);
    });
    const auto opAt = [this](const QModelIndex& index) {
        return m_hits->op(m_sorted->mapToSource(index).row());
    };
    connect(m_hitsView->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this, opAt](const QModelIndex& index) {
                if (!m_quiet && index.isValid())
                    emit opSelected(opAt(index));
            });
    connect(m_hitsView, &QTableView::activated, this,
            [this, opAt](const QModelIndex& index) { emit opActivated(opAt(index)); });
}

void GraphSide::setGraph(std::shared_ptr<const Graph> graph, std::shared_ptr<const BlockTree> blocks) {
    const QScopedValueRollback quiet(m_quiet, true);
    m_tree->setGraph(std::move(graph), std::move(blocks));
}

void GraphSide::setFigures(const OverlaySource& source, Overlay overlay) {
    const QScopedValueRollback quiet(m_quiet, true);
    m_tree->setFigures(source, overlay);
    m_hits->setFigures(source, overlay);
}

void GraphSide::setHits(const std::vector<OpId>& hits) {
    const QScopedValueRollback quiet(m_quiet, true);
    m_hits->setHits(hits);
    m_hitsView->fitColumns(220);
    setTabText(1, hits.empty() ? tr("Found") : tr("Found (%1)").arg(hits.size()));
}

void GraphSide::showHits() {
    setCurrentWidget(m_hitsView);
}

void GraphSide::setCurrent(const QModelIndex& index) {
    const QScopedValueRollback quiet(m_quiet, true);
    if (m_treeView->currentIndex() == index)
        return;
    m_treeView->setCurrentIndex(index);
    if (index.isValid())
        m_treeView->scrollTo(index);
    else
        m_treeView->selectionModel()->clear();
}

void GraphSide::setSelectedOp(OpId op) {
    if (m_tree->op(m_treeView->currentIndex()) != op) // a tensor of it may be what is looked at
        setCurrent(m_tree->indexOf(op));
}

void GraphSide::setSelectedBlock(std::int32_t block) {
    setCurrent(m_tree->indexOfBlock(block));
}

} // namespace pim::views
