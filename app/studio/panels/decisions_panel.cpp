// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels/decisions_panel.h"

#include "core/base/number_text.h"
#include "views/models/workspace.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSaveFile>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace pim::studio {
namespace {

QString text(const std::string& value) { return QString::fromStdString(value); }

} // namespace

DecisionsPanel::DecisionsPanel(views::Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_summary(new QLabel), m_tree(new QTreeWidget), m_remove(new QPushButton(tr("Remove"))),
      m_clear(new QPushButton(tr("Remove All"))), m_import(new QPushButton(tr("Import…"))), m_export(new QPushButton(tr("Export…"))) {
    setObjectName(QStringLiteral("DecisionsPanel"));
    setAccessibleName(tr("Your decisions"));
    setMinimumWidth(300); // four buttons in a row
    m_summary->setWordWrap(true);
    m_tree->setAccessibleName(tr("List of your decisions"));
    m_tree->setHeaderLabels({tr("Op"), tr("Decides"), tr("Value"), tr("Op takes")});
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_tree->header()->setSectionResizeMode(2, QHeaderView::Stretch);
    m_tree->header()->setMaximumSectionSize(220);
    m_tree->headerItem()->setTextAlignment(3, Qt::AlignRight | Qt::AlignVCenter);
    m_remove->setAccessibleName(tr("Remove the selected decisions"));
    m_clear->setAccessibleName(tr("Remove all decisions"));
    m_import->setAccessibleName(tr("Import decisions from a file"));
    m_export->setAccessibleName(tr("Export decisions to a file"));
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : {m_remove, m_clear, m_import, m_export})
        buttons->addWidget(button);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_summary);
    column->addWidget(m_tree, 1);
    column->addLayout(buttons);
    connect(m_tree, &QTreeWidget::itemClicked, this, [this](const QTreeWidgetItem* item) {
        if (const auto graph = m_workspace.graph())
            if (const OpId op = graph->findOp(item->text(0).toStdString()); op.valid())
                m_workspace.selectOp(op);
    });
    connect(m_tree, &QTreeWidget::itemSelectionChanged, this, [this] { m_remove->setEnabled(!m_tree->selectedItems().isEmpty()); });
    connect(m_remove, &QPushButton::clicked, this, &DecisionsPanel::removeSelected);
    connect(m_clear, &QPushButton::clicked, this, [this] { m_workspace.replaceOverrides({}, tr("Remove all decisions")); });
    connect(m_import, &QPushButton::clicked, this, [this] {
        if (const QString path = QFileDialog::getOpenFileName(this, tr("Import Decisions"), {}, tr("Decisions or JSON patch (*.json)")); !path.isEmpty())
            importFile(path);
    });
    connect(m_export, &QPushButton::clicked, this, [this] {
        if (const QString path = QFileDialog::getSaveFileName(this, tr("Export Decisions"), QStringLiteral("overrides.json"), tr("Decisions (*.json)")); !path.isEmpty())
            exportFile(path);
    });
    for (const auto signal : {&views::Workspace::overridesChanged, &views::Workspace::planChanged, &views::Workspace::graphChanged})
        connect(&workspace, signal, this, &DecisionsPanel::refresh);
    refresh();
}

void DecisionsPanel::refresh() {
    m_tree->clear();
    const auto plan = m_workspace.plan();
    const auto graph = m_workspace.graph();
    for (const Override& decision : m_workspace.overrides().all()) {
        QString time;
        if (const OpId op = graph ? graph->findOp(decision.op) : OpId(); plan && op.valid() && !m_workspace.isStale())
            time = text(timeText(plan->opPlan(op).cost.totalNs()));
        auto* item = new QTreeWidgetItem({text(decision.op), text(decision.field), text(decision.value), time});
        item->setToolTip(0, text(decision.op));
        item->setToolTip(2, text(decision.value));
        item->setTextAlignment(3, Qt::AlignRight | Qt::AlignVCenter);
        m_tree->addTopLevelItem(item);
    }
    const bool any = m_tree->topLevelItemCount() > 0;
    m_summary->setText(any ? tr("Yours; everything else is the compiler's choice. Click one to select its op.")
                           : tr("No decisions yet: everything is the compiler's choice. Change a placement or a draft in the inspector, the drafts table or by dragging onto the hardware."));
    m_remove->setEnabled(false);
    m_clear->setEnabled(any);
    m_export->setEnabled(any);
    m_import->setEnabled(graph != nullptr);
}

void DecisionsPanel::removeSelected() {
    Overrides left = m_workspace.overrides();
    const QList<QTreeWidgetItem*> items = m_tree->selectedItems();
    for (const QTreeWidgetItem* item : items)
        left.clear(item->text(0).toStdString(), item->text(1).toStdString());
    m_workspace.replaceOverrides(left, items.size() == 1 ? tr("Remove a decision") : tr("Remove %1 decisions").arg(items.size()));
}

void DecisionsPanel::importFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return emit failed(tr("Cannot read %1: %2").arg(path, file.errorString()), {});
    const auto read = Overrides::fromJson(file.readAll().toStdString(), m_workspace.overrides(), path.toStdString());
    if (!read)
        return emit failed(text(read.error().message), text(read.error().text()));
    m_workspace.replaceOverrides(*read, tr("Import decisions"));
}

void DecisionsPanel::exportFile(const QString& path) {
    QSaveFile file(path);
    const QByteArray json = QByteArray::fromStdString(m_workspace.overrides().json());
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.commit())
        return emit failed(tr("Cannot write %1: %2").arg(path, file.errorString()), {});
    emit succeeded(tr("Decisions written to %1").arg(path), path);
}

} // namespace pim::studio
