// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What can be decided about the selected op: one row a field, in groups. All values of a field are listed, the illegal
/// ones greyed with the reason; text is judged while it is typed. Nothing illegal can be applied.
#include "core/plan/override.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QLineEdit;

namespace pim::views {

class Workspace;

class OverrideEditor : public QWidget {
    Q_OBJECT
public:
    explicit OverrideEditor(Workspace& workspace, QWidget* parent = nullptr);

    void refresh();
    const std::vector<OverrideField>& fields() const { return m_fields; }
    /// Combo box or line edit of a field; null if there is none.
    QWidget* widgetFor(const std::string& field) const;
    /// What is wrong with what is typed into a field; empty while it is legal.
    QString problemOf(const std::string& field) const;

private:
    QWidget* makeInput(const std::string& op, const OverrideField& field, QLabel* problem);
    QLineEdit* makeEdit(const std::string& op, const OverrideField& field, QLabel* problem);
    int addRow(const std::string& op, const OverrideField& field, int row);

    Workspace& m_workspace;
    QGridLayout* m_grid;
    std::string m_op;
    std::vector<OverrideField> m_fields;
    std::vector<QWidget*> m_inputs;
    std::vector<QLabel*> m_problems;
};

} // namespace pim::views
