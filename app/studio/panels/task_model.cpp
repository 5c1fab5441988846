// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels/task_model.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"

#include <algorithm>

namespace pim::studio {
namespace {

using views::TaskList;

constexpr std::size_t kEndedKept = 200;
/// Seconds: walking through ops with the arrow keys starts and drops many.
constexpr double kReplacedWorthTelling = 1;

} // namespace

TaskModel::TaskModel(TaskList& tasks, QObject* parent) : QAbstractTableModel(parent), m_tasks(tasks) {
    connect(&tasks, &TaskList::changed, this, &TaskModel::refresh);
    connect(&tasks, &TaskList::ended, this, &TaskModel::addEnded);
    refresh();
}

QString TaskModel::stateText(const Row& row) {
    if (!row.outcome)
        return row.entry.stage.isEmpty() ? tr("Running") : tr("Running: %1").arg(row.entry.stage);
    switch (*row.outcome) {
    case TaskList::Outcome::Done:
        return row.message.isEmpty() ? tr("Done") : tr("Done, with a note: %1").arg(row.message);
    case TaskList::Outcome::Cancelled:
        return tr("Cancelled");
    case TaskList::Outcome::Failed:
        return tr("Failed: %1").arg(row.message);
    case TaskList::Outcome::Replaced:
        return tr("Replaced by newer work");
    }
    return {};
}

QString TaskModel::progressText(const TaskList::Entry& entry) {
    if (entry.total > 0)
        return tr("%1 of %2").arg(entry.done).arg(entry.total);
    return entry.done > 0 ? tr("%1 done").arg(entry.done) : QString();
}

int TaskModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int TaskModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant TaskModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::EditRole))
        return {};
    switch (section) {
    case Name:
        return tr("Task");
    case Progress:
        return tr("Progress");
    case Elapsed:
        return role == Qt::EditRole ? tr("Elapsed (s)") : tr("Elapsed");
    default:
        return tr("State");
    }
}

QVariant TaskModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_rows.size())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::ForegroundRole && index.column() == State && row.outcome == TaskList::Outcome::Failed)
        return views::color(views::Role::Bad);
    if (role == Qt::ToolTipRole && index.column() == Elapsed)
        return tr("%1 s").arg(row.entry.seconds);
    if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case Name:
        return row.entry.name;
    case Progress: // the last count of what is done would look as if something was left
        return row.outcome == TaskList::Outcome::Done ? QString() : progressText(row.entry);
    case Elapsed:
        return role == Qt::EditRole ? QVariant(row.entry.seconds)
                                    : QVariant(QString::fromStdString(timeText(row.entry.seconds * 1e9)));
    default:
        return stateText(row);
    }
}

void TaskModel::refresh() {
    QList<TaskList::Entry> entries = m_tasks.entries();
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.id > b.id; });
    bool sameTasks = entries.size() == m_running;
    for (int i = 0; sameTasks && i < m_running; ++i)
        sameTasks = entries[i].id == m_rows[static_cast<std::size_t>(i)].entry.id;
    if (sameTasks) { // the usual case, ten times per second: selection and scrolling stay as they are
        for (int i = 0; i < m_running; ++i)
            m_rows[static_cast<std::size_t>(i)].entry = entries[i];
        if (m_running > 0)
            emit dataChanged(index(0, 0), index(m_running - 1, kColumns - 1));
        return;
    }
    beginResetModel();
    m_rows.erase(m_rows.begin(), m_rows.begin() + m_running);
    std::vector<Row> running;
    for (const TaskList::Entry& entry : entries)
        running.push_back({entry, std::nullopt, {}});
    m_running = static_cast<int>(running.size());
    m_rows.insert(m_rows.begin(), running.begin(), running.end());
    endResetModel();
    emit rowsChanged();
}

void TaskModel::addEnded(const TaskList::Entry& entry, TaskList::Outcome outcome, const QString& message) {
    if (outcome == TaskList::Outcome::Replaced && entry.seconds < kReplacedWorthTelling)
        return;
    beginResetModel();
    const auto at = std::find_if(m_rows.begin(), m_rows.begin() + m_running,
                                 [&](const Row& row) { return row.entry.id == entry.id; });
    if (at != m_rows.begin() + m_running) {
        m_rows.erase(at);
        --m_running;
    }
    m_rows.insert(m_rows.begin() + m_running, Row{entry, outcome, message});
    if (m_rows.size() > kEndedKept + static_cast<std::size_t>(m_running))
        m_rows.pop_back();
    endResetModel();
    emit rowsChanged();
}

void TaskModel::clearEnded() {
    beginResetModel();
    m_rows.resize(static_cast<std::size_t>(m_running));
    endResetModel();
    emit rowsChanged();
}

} // namespace pim::studio
