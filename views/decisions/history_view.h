// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The undo history as a list: every step in words, the one in force, the one that is saved; a click goes
/// there.
#include <QWidget>

class QLabel;
class QUndoView;

namespace pim::views {

class Workspace;

class HistoryView : public QWidget {
    Q_OBJECT
public:
    explicit HistoryView(Workspace& workspace, QWidget* parent = nullptr);

private:
    void refresh();

    Workspace& m_workspace;
    QLabel* m_summary;
    QUndoView* m_list;
};

} // namespace pim::views
