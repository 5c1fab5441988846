// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Running tasks and how the last ones ended, as rows: running ones first, newest first among each.
#include "views/models/workspace.h"

#include <QAbstractTableModel>

#include <optional>

namespace pim::studio {

class TaskModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Progress, Elapsed, State, kColumns };
    struct Row {
        views::TaskList::Entry entry;
        std::optional<views::TaskList::Outcome> outcome; ///< Absent while it runs.
        QString message;                                 ///< What went wrong.
    };

    explicit TaskModel(views::TaskList& tasks, QObject* parent = nullptr);

    const std::vector<Row>& rows() const { return m_rows; }
    int running() const { return m_running; }
    void clearEnded();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// "34 of 120", "34 done", or empty where the task does not count.
    static QString progressText(const views::TaskList::Entry& entry);

signals:
    void rowsChanged();

private:
    static QString stateText(const Row& row);
    void refresh();
    void addEnded(const views::TaskList::Entry& entry, views::TaskList::Outcome outcome,
                  const QString& message);

    views::TaskList& m_tasks;
    std::vector<Row> m_rows;
    int m_running = 0; ///< The first of m_rows.
};

} // namespace pim::studio
