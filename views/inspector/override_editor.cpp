// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/override_editor.h"

#include "views/common/icons.h"
#include "views/models/workspace.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QToolButton>

namespace pim::views {
namespace {

constexpr int kCaptionWidth = 150; ///< Names of tensors can be long; the tool tip has all of it.

QString text(const std::string& value) { return QString::fromStdString(value); }

/// Two sets of rows that look alike need no rebuild, so the focus stays where it is.
bool sameRows(const std::vector<OverrideField>& a, const std::vector<OverrideField>& b) {
    const auto sameValue = [](const LegalValue& x, const LegalValue& y) { return x.value == y.value && x.legal == y.legal && x.reason == y.reason; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const OverrideField& x, const OverrideField& y) {
        return x.field == y.field && x.label == y.label && x.current == y.current && x.overridden == y.overridden &&
               std::equal(x.values.begin(), x.values.end(), y.values.begin(), y.values.end(), sameValue);
    });
}

} // namespace

OverrideEditor::OverrideEditor(Workspace& workspace, QWidget* parent) : QWidget(parent), m_workspace(workspace), m_grid(new QGridLayout(this)) {
    setAccessibleName(tr("Decisions about the selected op"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
}

QWidget* OverrideEditor::widgetFor(const std::string& field) const {
    for (std::size_t i = 0; i < m_fields.size(); ++i)
        if (m_fields[i].field == field)
            return m_inputs[i];
    return nullptr;
}

QWidget* OverrideEditor::makeInput(const std::string& op, const OverrideField& field) {
    const auto apply = [this, op, name = field.field](const QString& value) { m_workspace.applyOverride({op, name, value.toStdString()}); };
    if (field.values.empty()) {
        auto* edit = new QLineEdit(text(field.current));
        edit->setToolTip(tr("Press Enter to apply"));
        edit->setCursorPosition(0);
        connect(edit, &QLineEdit::textEdited, this, [this, edit, op, name = field.field](const QString& value) {
            const auto legal = m_workspace.check({op, name, value.toStdString()});
            edit->setToolTip(legal ? tr("Press Enter to apply") : text(legal.error().text()));
        });
        connect(edit, &QLineEdit::returnPressed, this, [edit, apply] { apply(edit->text()); });
        return edit;
    }
    auto* combo = new QComboBox;
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(10);
    auto* model = new QStandardItemModel(combo);
    int current = -1;
    for (const LegalValue& value : field.values) {
        auto* item = new QStandardItem(value.reason.empty() ? text(value.value) : tr("%1 (%2)").arg(text(value.value), text(value.reason)));
        item->setData(text(value.value), Qt::UserRole);
        item->setToolTip(value.reason.empty() ? text(value.value) : text(value.reason));
        item->setEnabled(value.legal);
        if (value.value == field.current)
            current = model->rowCount();
        model->appendRow(item);
    }
    if (current < 0) {
        auto* item = new QStandardItem(text(field.current));
        item->setData(text(field.current), Qt::UserRole);
        model->insertRow(0, item);
        current = 0;
    }
    combo->setModel(model);
    combo->setCurrentIndex(current);
    combo->setToolTip(text(field.current));
    connect(combo, &QComboBox::activated, this, [this, combo, apply, was = text(field.current)] {
        const QString value = combo->currentData().toString();
        if (value != was)
            apply(value);
    });
    return combo;
}

void OverrideEditor::refresh() {
    std::vector<OverrideField> fields;
    std::string op;
    const auto plan = m_workspace.plan();
    const Backend* backend = m_workspace.backend();
    const OpId id = m_workspace.selection().op;
    // Fields are those of the machine the plan is for; while it is planned for another one there is nothing to choose.
    if (plan && backend && plan->target == m_workspace.target()) {
        op = id.valid() ? plan->graph->op(id).name : std::string(); // "" decides about the whole network
        fields = backend->overrideFields(*plan, id);
    }
    if (op == m_op && sameRows(fields, m_fields))
        return;
    m_op = op;
    m_fields = std::move(fields);
    m_inputs.clear();
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater(); // a combo box may be what called us
        }
        delete item;
    }
    int row = 0;
    for (const OverrideField& field : m_fields) {
        const QString label = text(field.label);
        QWidget* input = makeInput(op, field);
        input->setAccessibleName(label);
        input->setObjectName(QStringLiteral("override/") + text(field.field));
        auto* caption = new QLabel;
        caption->setBuddy(input);
        caption->setToolTip(field.overridden ? tr("%1: your decision").arg(label) : tr("%1: chosen by the compiler").arg(label));
        if (field.overridden) {
            QFont bold = caption->font();
            bold.setBold(true);
            caption->setFont(bold);
        }
        caption->setText(caption->fontMetrics().elidedText(label, Qt::ElideMiddle, kCaptionWidth));
        auto* reset = new QToolButton;
        reset->setIcon(icon(QStringLiteral("undo")));
        reset->setAutoRaise(true);
        reset->setEnabled(field.overridden);
        reset->setAccessibleName(tr("Reset %1").arg(label));
        reset->setToolTip(field.overridden ? tr("Reset to the compiler's choice") : tr("This is the compiler's choice"));
        connect(reset, &QToolButton::clicked, this, [this, op, name = field.field] { m_workspace.clearOverride(op, name); });
        m_grid->addWidget(caption, row, 0);
        m_grid->addWidget(input, row, 1);
        m_grid->addWidget(reset, row, 2);
        m_inputs.push_back(input);
        ++row;
    }
}

} // namespace pim::views
