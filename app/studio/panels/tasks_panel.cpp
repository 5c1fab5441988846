// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels/tasks_panel.h"

#include "app/studio/panels/task_model.h"
#include "views/common/flow_layout.h"
#include "views/common/icons.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"

#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QStyledItemDelegate>

#include <algorithm>

namespace pim::studio {
namespace {

/// A bar behind the figure, where the task knows how much there is to do.
class ProgressDelegate final : public QStyledItemDelegate {
public:
    ProgressDelegate(TaskModel& model, QObject* parent) : QStyledItemDelegate(parent), m_model(model) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const TaskModel::Row& row = m_model.rows()[static_cast<std::size_t>(index.row())];
        if (row.outcome || row.entry.total <= 0)
            return;
        const double share =
            std::clamp(static_cast<double>(row.entry.done) / static_cast<double>(row.entry.total), 0.0, 1.0);
        QRectF bar(option.rect.left() + 2, option.rect.bottom() - 4, option.rect.width() - 4, 3);
        painter->fillRect(bar, option.palette.midlight());
        bar.setWidth(bar.width() * share);
        painter->fillRect(bar, views::color(views::Role::Accent));
    }

private:
    TaskModel& m_model;
};

} // namespace

TasksPanel::TasksPanel(views::TaskList& tasks, QWidget* parent)
    : QWidget(parent), m_tasks(tasks), m_model(new TaskModel(tasks, this)), m_table(new views::TableView),
      m_cancel(new QPushButton(tr("Cancel task"))), m_cancelAll(new QPushButton(tr("Cancel all"))),
      m_clear(new QPushButton(tr("Clear ended"))) {
    setObjectName(QStringLiteral("TasksPanel"));
    setAccessibleName(tr("Tasks"));
    m_table->setModel(m_model);
    m_table->setItemDelegateForColumn(TaskModel::Progress, new ProgressDelegate(*m_model, this));
    m_table->setAccessibleName(tr("Running and finished tasks"));
    m_table->setExportName(QStringLiteral("tasks"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    const int em = fontMetrics().averageCharWidth();
    m_table->setColumnWidth(TaskModel::Name, 20 * em);
    m_table->setColumnWidth(TaskModel::Progress, 16 * em);
    m_table->setColumnWidth(TaskModel::Elapsed, 11 * em);
    m_cancel->setIcon(views::icon(QStringLiteral("stop")));
    m_cancel->setToolTip(tr("Cancel the selected tasks (Del)"));
    m_cancelAll->setToolTip(tr("Cancel everything that runs (Ctrl+.)"));
    m_clear->setToolTip(tr("Remove finished tasks from the list"));
    auto* row = new views::FlowLayout;
    row->setContentsMargins(6, 4, 6, 4);
    for (QPushButton* button : {m_cancel, m_cancelAll, m_clear})
        row->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    setFocusProxy(m_table);

    connect(m_cancel, &QPushButton::clicked, this, &TasksPanel::cancelSelected);
    connect(new QShortcut(QKeySequence(Qt::Key_Delete), m_table, nullptr, nullptr, Qt::WidgetShortcut),
            &QShortcut::activated, this, &TasksPanel::cancelSelected);
    connect(m_cancelAll, &QPushButton::clicked, this, [this] {
        for (const views::TaskList::Entry& entry : m_tasks.entries())
            m_tasks.cancel(entry.id);
    });
    connect(m_clear, &QPushButton::clicked, m_model, &TaskModel::clearEnded);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndex current = m_table->currentIndex();
        if (current.isValid() && m_table->selectionModel()->isSelected(current))
            m_selectedTask = m_model->rows()[static_cast<std::size_t>(current.row())].entry.id;
        refresh();
    });
    connect(m_model, &TaskModel::rowsChanged, this, &TasksPanel::keepSelection);
    refresh();
}

void TasksPanel::keepSelection() {
    const int wanted = m_selectedTask;
    for (std::size_t i = 0; i < m_model->rows().size(); ++i)
        if (m_model->rows()[i].entry.id == wanted)
            m_table->selectRow(static_cast<int>(i));
    refresh();
}

void TasksPanel::cancelSelected() {
    std::vector<int> ids; // first: cancelling moves rows
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        if (const TaskModel::Row& row = m_model->rows()[static_cast<std::size_t>(index.row())]; !row.outcome)
            ids.push_back(row.entry.id);
    for (const int id : ids)
        m_tasks.cancel(id);
}

void TasksPanel::refresh() {
    bool canCancel = false;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        canCancel = canCancel || index.row() < m_model->running();
    m_cancel->setEnabled(canCancel);
    m_cancelAll->setEnabled(m_model->running() > 0);
    m_clear->setEnabled(m_model->rowCount() > m_model->running());
}

} // namespace pim::studio
