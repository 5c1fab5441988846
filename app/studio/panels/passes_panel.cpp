// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels/passes_panel.h"

#include "views/models/workspace.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace pim::studio {

PassesPanel::PassesPanel(views::Workspace& workspace, QWidget* parent) : QWidget(parent), m_workspace(workspace), m_hideIdle(new QCheckBox(tr("Hide passes that changed nothing"))), m_tree(new QTreeWidget) {
    setObjectName(QStringLiteral("PassesPanel"));
    setAccessibleName(tr("Passes"));
    m_hideIdle->setAccessibleName(tr("Hide passes that changed nothing"));
    m_tree->setAccessibleName(tr("Passes over the graph"));
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setHeaderLabels({tr("Pass"), tr("Before"), tr("After"), tr("Changes"), tr("ms")});
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tree->headerItem()->setToolTip(1, tr("Ops before the pass"));
    m_tree->headerItem()->setToolTip(2, tr("Ops after the pass"));
    m_tree->headerItem()->setToolTip(4, tr("Time the pass took, in milliseconds"));
    for (int column = 1; column < 5; ++column)
        m_tree->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 0, 0);
    column->addWidget(m_hideIdle);
    column->addWidget(m_tree, 1);
    connect(m_hideIdle, &QCheckBox::toggled, this, &PassesPanel::refresh);
    connect(m_tree, &QTreeWidget::itemChanged, this, [this](const QTreeWidgetItem* item, int changed) {
        if (changed != 0)
            return;
        std::set<std::string> off = m_workspace.graphOptions().disabledPasses;
        const std::string name = item->data(0, Qt::UserRole).toString().toStdString();
        if (item->checkState(0) == Qt::Checked)
            off.erase(name);
        else
            off.insert(name);
        m_workspace.setDisabledPasses(off);
    });
    connect(&workspace, &views::Workspace::graphChanged, this, &PassesPanel::refresh);
    connect(&workspace, &views::Workspace::failed, this, &PassesPanel::refresh); // a switch that did not work springs back
    refresh();
}

void PassesPanel::refresh() {
    const QSignalBlocker quiet(m_tree);
    m_tree->clear();
    const auto graph = m_workspace.graph();
    for (const PassRecord& pass : graph ? graph->passes : std::vector<PassRecord>()) {
        if (m_hideIdle->isChecked() && pass.enabled && pass.changes == 0)
            continue;
        auto* item = new QTreeWidgetItem;
        item->setText(0, QString::fromStdString(pass.name).replace(u'_', u' '));
        item->setData(0, Qt::UserRole, QString::fromStdString(pass.name));
        item->setToolTip(0, QString::fromStdString(pass.summary));
        item->setCheckState(0, pass.enabled ? Qt::Checked : Qt::Unchecked);
        if (pass.enabled) {
            item->setText(1, QString::number(pass.opsBefore));
            item->setText(2, QString::number(pass.opsAfter));
            item->setText(3, QString::number(pass.changes));
            item->setText(4, QString::number(pass.milliseconds, 'f', 2));
        } else {
            item->setText(1, tr("off"));
        }
        for (int column = 1; column < 5; ++column)
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        m_tree->addTopLevelItem(item);
    }
}

} // namespace pim::studio
