// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What each pass did to the graph, before and after, with a switch.
#include <QWidget>

class QCheckBox;
class QTreeWidget;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class PassesPanel : public QWidget {
    Q_OBJECT
public:
    explicit PassesPanel(views::Workspace& workspace, QWidget* parent = nullptr);

private:
    void refresh();

    views::Workspace& m_workspace;
    QCheckBox* m_hideIdle;
    QTreeWidget* m_tree;
};

} // namespace pim::studio
