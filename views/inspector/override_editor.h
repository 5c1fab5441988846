// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What can be decided about the selected op: one row a field, in groups. All values of a field are listed, the illegal
/// ones greyed with the reason; text is judged while it is typed. Nothing illegal can be applied. An op in hundreds of pieces
/// has thousands of fields: the first are shown, and more when asked for.
#include "core/base/ids.h"
#include "core/plan/override.h"

#include <QWidget>

#include <memory>

class QGridLayout;
class QLabel;
class QLineEdit;

namespace pim {
struct Plan;
}

namespace pim::views {

class Workspace;

class OverrideEditor : public QWidget {
    Q_OBJECT
public:
    explicit OverrideEditor(Workspace& workspace, QWidget* parent = nullptr);

    static constexpr std::size_t kShownAtFirst =
        60; ///< Fields; twice as many with each press of the button below.

    void refresh();
    const std::vector<OverrideField>& fields() const { return m_fields; }
    /// Combo box or line edit of a field; null if there is none, or none yet.
    QWidget* widgetFor(const std::string& field) const;
    /// What is wrong with what is typed into a field; empty while it is legal.
    QString problemOf(const std::string& field) const;

private:
    void build();
    void showMore();
    QWidget* makeInput(const std::string& op, const OverrideField& field, QLabel* problem);
    QLineEdit* makeEdit(const std::string& op, const OverrideField& field, QLabel* problem);
    int addRow(const std::string& op, const OverrideField& field, int row);

    Workspace& m_workspace;
    QGridLayout* m_grid = nullptr;
    std::size_t m_shown = kShownAtFirst;
    std::shared_ptr<const Plan> m_plan; ///< That m_fields are of; null: of none.
    OpId m_id;
    std::string m_op;
    std::vector<OverrideField> m_fields;
    std::vector<QWidget*> m_inputs; ///< Of the fields that are shown.
    std::vector<QLabel*> m_problems;
};

} // namespace pim::views
