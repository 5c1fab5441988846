// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Running work in the status bar: name, stage, progress, cancel; a list of all of it on a click.
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace pim::views {
class TaskList;
}

namespace pim::studio {

class TaskBar : public QWidget {
    Q_OBJECT
public:
    explicit TaskBar(views::TaskList& tasks, QWidget* parent = nullptr);

signals:
    void listRequested(); ///< The panel with all of them.

private:
    void refresh();

    views::TaskList& m_tasks;
    QLabel* m_name;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QToolButton* m_more;
    int m_shown = 0; ///< Id of the task shown.
};

} // namespace pim::studio
