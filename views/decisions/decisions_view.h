// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The user's decisions: what became of each, go to its op, take back, import and export; and beside them the
/// variants.
#include <QWidget>

class QLabel;
class QPushButton;
class QTabWidget;

namespace pim::views {

class DecisionsModel;
class TableView;
class VariantsView;
class Workspace;

class DecisionsView : public QWidget {
    Q_OBJECT
public:
    explicit DecisionsView(Workspace& workspace, QWidget* parent = nullptr);

    DecisionsModel& model() { return *m_model; }
    VariantsView& variants() { return *m_variants; }
    void importFile(const QString& path); ///< Decisions or a JSON patch; one undo step. What fits is told
                                          ///< when it is planned.
    /// All decisions in force with what finds their ops in a changed model; a name ending in .patch.json:
    /// what differs from the parent of the variant in force, as a JSON patch.
    void exportFile(const QString& path);
    void removeSelected();

signals:
    void failed(const QString& message, const QString& details);
    void succeeded(const QString& message, const QString& path);

private:
    QWidget* listPage();
    void refresh();
    void tellImported();

    Workspace& m_workspace;
    DecisionsModel* m_model;
    QTabWidget* m_tabs;
    QLabel* m_summary;
    TableView* m_list;
    QPushButton *m_adopt, *m_remove, *m_clear, *m_import, *m_export;
    VariantsView* m_variants;
    QString m_imported; ///< File whose decisions wait for their first plan.
};

} // namespace pim::views
