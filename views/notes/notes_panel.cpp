// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/notes/notes_panel.h"

#include "views/common/empty_state.h"
#include "views/common/icons.h"
#include "views/common/table_view.h"
#include "views/models/workspace.h"
#include "views/notes/notes_model.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QToolButton>

namespace pim::views {

NotesPanel::NotesPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new NotesModel(workspace, this)),
      m_shown(new QSortFilterProxyModel(this)), m_pages(new QStackedWidget), m_table(new TableView),
      m_filter(new QLineEdit), m_new(new QLineEdit), m_add(toolButton({}, tr("Add the note (Enter)"))),
      m_go(toolButton(QStringLiteral("target"), tr("Go to what the note is about (Enter)"))),
      m_remove(toolButton(QStringLiteral("cancel"), tr("Remove the note (Delete)"))) {
    setObjectName(QStringLiteral("NotesPanel"));
    setAccessibleName(tr("Notes"));
    m_filter->setAccessibleName(tr("Words that notes must have"));
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_new->setAccessibleName(tr("Note on the selected operator"));
    m_new->setMaxLength(500);
    m_add->setText(QStringLiteral("+"));
    buildTable();

    auto* empty = new EmptyState(QStringLiteral("report"));
    empty->setText(tr("No notes yet"),
                   tr("Select an operator and write a note above, or drag over a stretch of the "
                      "timeline with Shift held. Notes are kept with the project and printed in "
                      "the report."));
    m_pages->addWidget(empty);
    m_pages->addWidget(m_table);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 2);
    bar->setSpacing(4);
    bar->addWidget(m_new, 3);
    bar->addWidget(m_add);
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_go);
    bar->addWidget(m_remove);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_pages, 1);

    connect(m_filter, &QLineEdit::textChanged, m_shown, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_new, &QLineEdit::textChanged, this, &NotesPanel::takeSelection);
    connect(m_new, &QLineEdit::returnPressed, this, &NotesPanel::add);
    connect(m_add, &QToolButton::clicked, this, &NotesPanel::add);
    connect(m_go, &QToolButton::clicked, this, &NotesPanel::goTo);
    connect(m_remove, &QToolButton::clicked, this, &NotesPanel::remove);
    connect(&workspace, &Workspace::selectionChanged, this, &NotesPanel::takeSelection);
    connect(&workspace, &Workspace::graphChanged, this, &NotesPanel::takeSelection);
    const auto takeRows = [this] {
        m_pages->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
        m_table->fitColumns(240);
        takeSelection();
    };
    connect(m_model, &QAbstractItemModel::modelReset, this, takeRows);
    takeRows();
}

void NotesPanel::buildTable() {
    m_shown->setSourceModel(m_model);
    m_shown->setFilterKeyColumn(-1);
    m_shown->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_shown->setSortRole(Qt::EditRole);
    m_table->setModel(m_shown);
    m_table->setAccessibleName(tr("Notes"));
    m_table->setExportName(QStringLiteral("notes"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::SelectedClicked);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->verticalHeader()->hide();
    connect(m_table, &QAbstractItemView::doubleClicked, this, &NotesPanel::goTo);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &NotesPanel::takeSelection);
    m_table->installEventFilter(this);
}

bool NotesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Delete) {
            remove();
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            goTo();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

int NotesPanel::currentRow() const {
    const QModelIndex at = m_shown->mapToSource(m_table->currentIndex());
    return at.isValid() ? at.row() : -1;
}

void NotesPanel::takeSelection() {
    const auto graph = m_workspace.graph();
    const OpId op = m_workspace.selection().op;
    const bool any = graph && op.valid() && op.index() < graph->ops.size();
    m_new->setEnabled(any);
    m_new->setPlaceholderText(any ? tr("Note on %1").arg(QString::fromStdString(graph->op(op).name))
                                  : tr("Select an operator to write about it"));
    m_add->setEnabled(any && !m_new->text().trimmed().isEmpty());
    m_go->setEnabled(currentRow() >= 0);
    m_remove->setEnabled(currentRow() >= 0);
}

void NotesPanel::add() {
    const QString text = m_new->text().trimmed();
    const auto graph = m_workspace.graph();
    const OpId op = m_workspace.selection().op;
    if (text.isEmpty() || !graph || !op.valid())
        return;
    m_new->clear();
    m_workspace.addNote({0, graph->op(op).name, {}, 0, 0, text.toStdString()});
}

void NotesPanel::goTo() {
    const int row = currentRow();
    if (row < 0)
        return;
    const Note note = m_model->note(row);
    if (const auto graph = m_workspace.graph(); graph && !note.op.empty())
        if (const OpId op = graph->findOp(note.op); op.valid())
            m_workspace.selectOp(op);
    if (!note.timeline.empty())
        emit stretchRequested(QString::fromStdString(note.timeline), note.fromNs, note.toNs);
}

void NotesPanel::remove() {
    if (const int row = currentRow(); row >= 0)
        m_workspace.removeNote(m_model->note(row).id);
}

void NotesPanel::showNote(qint64 id) {
    const int row = m_model->rowOf(id);
    if (row < 0)
        return;
    if (!m_shown->mapFromSource(m_model->index(row, 0)).isValid())
        m_filter->clear();
    const QModelIndex at = m_shown->mapFromSource(m_model->index(row, NotesModel::Text));
    m_table->setCurrentIndex(at);
    m_table->scrollTo(at);
    m_table->setFocus();
}

} // namespace pim::views
