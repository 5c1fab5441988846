// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The user's overrides as a list: look at, jump to, take back, import and export.
#include <QWidget>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class DecisionsPanel : public QWidget {
    Q_OBJECT
public:
    explicit DecisionsPanel(views::Workspace& workspace, QWidget* parent = nullptr);

    void importFile(const QString& path); ///< Overrides or a JSON patch; one undo step.
    void exportFile(const QString& path);

signals:
    void failed(const QString& message, const QString& details);
    void succeeded(const QString& message, const QString& path);

private:
    void refresh();
    void removeSelected();

    views::Workspace& m_workspace;
    QLabel* m_summary;
    QTreeWidget* m_tree;
    QPushButton* m_remove;
    QPushButton* m_clear;
    QPushButton* m_import;
    QPushButton* m_export;
};

} // namespace pim::studio
