// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All tasks: what runs, how far it is, and how the last ones ended. Del or the button cancels the selected
/// ones.
#include <QWidget>

class QPushButton;

namespace pim::views {
class TableView;
class TaskList;
} // namespace pim::views

namespace pim::studio {

class TaskModel;

class TasksPanel : public QWidget {
    Q_OBJECT
public:
    explicit TasksPanel(views::TaskList& tasks, QWidget* parent = nullptr);

    TaskModel& model() const { return *m_model; }
    views::TableView* table() const { return m_table; }

private:
    void cancelSelected();
    void refresh();
    void keepSelection();

    views::TaskList& m_tasks;
    TaskModel* m_model;
    views::TableView* m_table;
    QPushButton* m_cancel;
    QPushButton* m_cancelAll;
    QPushButton* m_clear;
    int m_selectedTask = 0; ///< Id; rows move while tasks come and go.
};

} // namespace pim::studio
