// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Everything found while going on: in the model, in the target, in the plan. Equal messages are one line with a count.
#include <QWidget>

class QLabel;
class QTreeWidget;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class ProblemsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsPanel(views::Workspace& workspace, QWidget* parent = nullptr);
    int count() const { return m_count; }

signals:
    void countChanged(int problems);

private:
    void refresh();

    views::Workspace& m_workspace;
    QLabel* m_summary;
    QTreeWidget* m_tree;
    int m_count = 0;
};

} // namespace pim::studio
