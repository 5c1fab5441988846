// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What can be decided about the selected op: one row a field, legal values only; an illegal one is greyed and says why.
#include "core/compile/override.h"

#include <QWidget>

class QGridLayout;
class QToolButton;

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

private:
    QWidget* makeInput(const std::string& op, const OverrideField& field);

    Workspace& m_workspace;
    QGridLayout* m_grid;
    std::string m_op;
    std::vector<OverrideField> m_fields;
    std::vector<QWidget*> m_inputs;
};

} // namespace pim::views
