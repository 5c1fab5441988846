// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/decisions_view.h"

#include "core/base/file_text.h"
#include "views/common/flow_layout.h"
#include "views/common/table_view.h"
#include "views/common/text_label.h"
#include "views/decisions/decisions_model.h"
#include "views/decisions/variants_view.h"
#include "views/models/workspace.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSaveFile>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::views {
namespace {

constexpr std::int64_t kLargestFile = 64 << 20; ///< Bytes; a decision takes some hundred.

} // namespace

DecisionsView::DecisionsView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new DecisionsModel(workspace, this)),
      m_tabs(new QTabWidget), m_summary(new TextLabel), m_list(new TableView),
      m_adopt(new QPushButton(tr("Take Over Names"))), m_remove(new QPushButton(tr("Remove"))),
      m_clear(new QPushButton(tr("Remove All"))), m_import(new QPushButton(tr("Import…"))),
      m_export(new QPushButton(tr("Export…"))), m_variants(new VariantsView(workspace)) {
    setObjectName(QStringLiteral("DecisionsView"));
    setAccessibleName(tr("Your decisions"));
    setMinimumWidth(300); // four buttons in a row
    m_tabs->setDocumentMode(true);
    m_tabs->tabBar()->setAccessibleName(tr("Decisions and variants"));
    m_tabs->setAccessibleName(tr("Decisions and variants"));
    m_tabs->addTab(listPage(), tr("Decisions"));
    m_tabs->addTab(m_variants, tr("Variants"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_tabs);
    connect(m_model, &QAbstractItemModel::modelReset, this, &DecisionsView::refresh);
    connect(&workspace, &Workspace::variantsChanged, this, &DecisionsView::refresh);
    connect(&workspace, &Workspace::planChanged, this, &DecisionsView::tellImported);
    refresh();
}

QWidget* DecisionsView::listPage() {
    auto* page = new QWidget;
    m_summary->setAccessibleName(tr("Status of your decisions"));
    m_list->setModel(m_model);
    m_list->setObjectName(QStringLiteral("DecisionList"));
    m_list->setAccessibleName(tr("List of your decisions"));
    m_list->setExportName(QStringLiteral("decisions"));
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->verticalHeader()->hide();
    const std::pair<QPushButton*, QString> names[] = {
        {m_adopt, tr("Rewrite moved decisions to the names their ops have now")},
        {m_remove, tr("Remove the selected decisions (Del)")},
        {m_clear, tr("Remove all decisions of this variant")},
        {m_import, tr("Import decisions or a JSON patch from a file")},
        {m_export, tr("Export decisions to a file, or as a JSON patch against the parent variant")}};
    auto* buttons = new FlowLayout; // a large font needs two lines
    for (const auto& [button, tip] : names) {
        button->setAccessibleName(tip);
        button->setToolTip(tip);
        if (button != m_adopt)
            buttons->addWidget(button);
    }
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_summary);
    column->addWidget(m_adopt, 0, Qt::AlignLeft);
    column->addWidget(m_list, 1);
    column->addLayout(buttons);

    auto* remove = new QAction(tr("Remove decisions"), m_list);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    m_list->addAction(remove);
    const auto goThere = [this](const QModelIndex& index) {
        if (const OpId op = m_model->opAt(index.row()); op.valid())
            m_workspace.selectOp(op);
    };
    connect(m_list, &QAbstractItemView::clicked, this, goThere);
    connect(m_list, &QAbstractItemView::activated, this, goThere);
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_remove->setEnabled(m_list->selectionModel()->hasSelection()); });
    connect(remove, &QAction::triggered, this, &DecisionsView::removeSelected);
    connect(m_remove, &QPushButton::clicked, this, &DecisionsView::removeSelected);
    connect(m_adopt, &QPushButton::clicked, &m_workspace, &Workspace::adoptMoved);
    connect(m_clear, &QPushButton::clicked, this,
            [this] { m_workspace.replaceOverrides({}, tr("Remove all decisions")); });
    connect(m_import, &QPushButton::clicked, this, [this] {
        if (const QString path = QFileDialog::getOpenFileName(this, tr("Import Decisions"), {},
                                                              tr("Decisions or JSON patch (*.json)"));
            !path.isEmpty())
            importFile(path);
    });
    connect(m_export, &QPushButton::clicked, this, [this] {
        const QString kinds = tr("Decisions (*.json);;JSON patch against the parent variant (*.patch.json)");
        if (const QString path = QFileDialog::getSaveFileName(this, tr("Export Decisions"),
                                                              QStringLiteral("decisions.json"), kinds);
            !path.isEmpty())
            exportFile(path);
    });
    return page;
}

void DecisionsView::refresh() {
    const int all = m_model->rowCount(), moved = m_model->count(Fit::Moved),
              stale = m_model->count(Fit::Stale);
    QString text = tr("No decisions yet: everything is the compiler's choice. Change a placement or a draft "
                      "in the inspector, the drafts table or by dragging onto the hardware.");
    if (all > 0) {
        text = all == 1 ? tr("1 decision is yours; the rest is the compiler's choice.")
                        : tr("%1 decisions are yours; the rest is the compiler's choice.").arg(all);
        if (moved > 0)
            text +=
                u' ' + (moved == 1 ? tr("1 moved with its op.") : tr("%1 moved with their ops.").arg(moved));
        if (stale > 0)
            text += u' ' + (stale == 1 ? tr("1 does not fit and is kept aside.")
                                       : tr("%1 do not fit and are kept aside.").arg(stale));
    }
    m_summary->setText(text);
    m_adopt->setVisible(moved > 0);
    m_remove->setEnabled(false);
    m_clear->setEnabled(all > 0);
    m_export->setEnabled(all > 0);
    m_import->setEnabled(m_workspace.graph() != nullptr);
    m_tabs->setTabText(0, all > 0 ? tr("Decisions (%1)").arg(all) : tr("Decisions"));
    const auto variants = m_workspace.variants().size();
    m_tabs->setTabText(1, variants > 1 ? tr("Variants (%1)").arg(variants) : tr("Variants"));
    m_list->fitColumns(120); // the value is to be seen in a narrow panel too
}

void DecisionsView::removeSelected() {
    Overrides left = m_workspace.overrides();
    const QModelIndexList rows = m_list->selectionModel()->selectedRows();
    for (const QModelIndex& row : rows)
        left.clear(m_model->at(row.row()).decision.op, m_model->at(row.row()).decision.field);
    if (!rows.isEmpty())
        m_workspace.replaceOverrides(left, rows.size() == 1 ? tr("Remove a decision")
                                                            : tr("Remove %1 decisions").arg(rows.size()));
}

void DecisionsView::importFile(const QString& path) {
    const auto text = fileText(path.toStdString(), {}, kLargestFile);
    if (!text)
        return emit failed(tr("Cannot read %1: %2").arg(path, QString::fromStdString(text.error().message)),
                           {});
    const auto read = decisionsFromJson(*text, m_workspace.markedOverrides(), path.toStdString());
    if (!read)
        return emit failed(QString::fromStdString(read.error().message),
                           QString::fromStdString(read.error().text()));
    m_imported = path;
    m_workspace.replaceOverrides(read->overrides,
                                 tr("Import decisions from %1").arg(QFileInfo(path).fileName()), read->marks);
    tellImported(); // nothing to plan if they are what is in force
}

void DecisionsView::tellImported() {
    if (m_imported.isEmpty() || m_workspace.isStale())
        return;
    const OverrideFit& fit = m_workspace.fit();
    emit succeeded(tr("Imported: %1 applied, %2 moved, %3 stale")
                       .arg(fit.count(Fit::Applied))
                       .arg(fit.count(Fit::Moved))
                       .arg(fit.count(Fit::Stale)),
                   std::exchange(m_imported, {}));
}

void DecisionsView::exportFile(const QString& path) {
    const auto onlyItsMarks = [this](const Overrides& overrides) {
        return MarkedOverrides{overrides,
                               marksOf(*m_workspace.graph(), overrides, m_workspace.markedOverrides().marks)};
    };
    const MarkedOverrides now = onlyItsMarks(m_workspace.overrides());
    std::string text = decisionsJson(now);
    if (path.endsWith(QStringLiteral(".patch.json"))) {
        const auto& variants = m_workspace.variants();
        const auto own = std::ranges::find(variants, m_workspace.variant().toStdString(), &Variant::name);
        const auto parent = std::ranges::find(variants, own->parent, &Variant::name);
        text = decisionsPatch(parent == variants.end() ? MarkedOverrides() : onlyItsMarks(parent->overrides),
                              now);
    }
    QSaveFile file(path);
    const QByteArray json = QByteArray::fromStdString(text);
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.commit())
        return emit failed(tr("Cannot write %1: %2").arg(path, file.errorString()), {});
    emit succeeded(tr("Decisions written to %1").arg(path), path);
}

} // namespace pim::views
