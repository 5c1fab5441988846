// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Everything about the selected op: what it is, where it runs and why, what it costs, what can be decided about it, and
/// the commands it becomes.
#include <QWidget>

class QLabel;
class QStackedLayout;
class QScrollArea;

namespace pim::views {

class EmptyState;
class OverrideEditor;
class Workspace;

class InspectorView : public QWidget {
    Q_OBJECT
public:
    explicit InspectorView(Workspace& workspace, QWidget* parent = nullptr);

    OverrideEditor* editor() const { return m_editor; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void showNames(); ///< What is shown of long names depends on the room.

    Workspace& m_workspace;
    QStackedLayout* m_pages;
    EmptyState* m_empty;
    QScrollArea* m_page;
    QLabel* m_head;
    QLabel* m_decision;
    OverrideEditor* m_editor;
    QLabel* m_facts;
};

} // namespace pim::views
