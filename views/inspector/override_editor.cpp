// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/override_editor.h"

#include "core/base/number_text.h"
#include "views/common/choice_box.h"
#include "views/common/core_sentences.h"
#include "views/common/core_words.h"
#include "views/common/icons.h"
#include "views/common/text.h"
#include "views/common/text_label.h"
#include "views/models/family_panels.h"
#include "views/models/workspace.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace pim::views {
namespace {

constexpr int kCaptionWidth = 150; ///< Names of tensors can be long; the tool tip has all of it.

/// A line that Esc brings back to what it was.
class ValueEdit : public QLineEdit {
public:
    using QLineEdit::QLineEdit;
    std::function<void()> takeBack;

protected:
    bool event(QEvent* event) override {
        const bool isEscape =
            (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) &&
            static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
        if (!isEscape || !isModified())
            return QLineEdit::event(event);
        if (event->type() == QEvent::KeyPress)
            takeBack();
        event->accept();
        return true;
    }
};

/// Fields of one kind stand together under a heading.
QString groupOf(const std::string& field, const FamilyPanels& family) {
    if (field.starts_with("residency/"))
        return QObject::tr("Operands");
    if (field.find('/') != std::string::npos)
        return family.partsHeading;
    return QObject::tr("Decisions");
}

/// Two sets of rows that look alike need no rebuild, so the focus stays where it is.
bool sameRows(const std::vector<OverrideField>& a, const std::vector<OverrideField>& b) {
    const auto sameValue = [](const LegalValue& x, const LegalValue& y) {
        return x.value == y.value && x.legal == y.legal && x.reason == y.reason;
    };
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [&](const OverrideField& x, const OverrideField& y) {
            return x.field == y.field && x.label == y.label && x.current == y.current &&
                   x.overridden == y.overridden &&
                   std::equal(x.values.begin(), x.values.end(), y.values.begin(), y.values.end(), sameValue);
        });
}

} // namespace

OverrideEditor::OverrideEditor(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace) {
    setAccessibleName(tr("Decisions about the selected op"));
}

QWidget* OverrideEditor::widgetFor(const std::string& field) const {
    for (std::size_t i = 0; i < m_inputs.size(); ++i)
        if (m_fields[i].field == field)
            return m_inputs[i];
    return nullptr;
}

QString OverrideEditor::problemOf(const std::string& field) const {
    for (std::size_t i = 0; i < m_problems.size(); ++i)
        if (m_fields[i].field == field)
            return m_problems[i]->text();
    return {};
}

QLineEdit* OverrideEditor::makeEdit(const std::string& op, const OverrideField& field, QLabel* problem) {
    auto* edit = new ValueEdit(text(field.current));
    edit->setToolTip(tr("%1\nPress Enter to apply, Esc to take it back").arg(text(field.current)));
    edit->setCursorPosition(0);
    const auto judge = [this, edit, problem, op, name = field.field] {
        const auto legal = m_workspace.check({op, name, edit->text().toStdString()});
        problem->setText(legal ? QString()
                               : QStringLiteral("✗ ") +
                                     text(legal.error().message +
                                          (legal.error().hint.empty() ? "" : ". " + legal.error().hint)));
        problem->setVisible(!legal);
        edit->setAccessibleDescription(problem->text());
        return legal.has_value();
    };
    connect(edit, &QLineEdit::textEdited, this, judge);
    connect(edit, &QLineEdit::returnPressed, this, [this, edit, judge, op, name = field.field] {
        if (judge())
            m_workspace.applyOverride({op, name, edit->text().toStdString()});
    });
    edit->takeBack = [edit, judge, was = text(field.current)] {
        edit->setText(was);
        judge();
    };
    return edit;
}

QWidget* OverrideEditor::makeInput(const std::string& op, const OverrideField& field, QLabel* problem) {
    if (field.values.empty())
        return makeEdit(op, field, problem);
    auto* box = new ChoiceBox;
    box->setMinimumContentsLength(10);
    std::vector<Choice> choices;
    for (const LegalValue& value : field.values)
        choices.push_back({text(value.value), value.legal, coreSentence(value.reason)});
    box->setChoices([choices] { return choices; }, text(field.current));
    box->choices();
    box->setToolTip(text(field.current));
    connect(box, &ChoiceBox::chosen, this, [this, op, name = field.field](const QString& value) {
        m_workspace.applyOverride({op, name, value.toStdString()});
    });
    return box;
}

void OverrideEditor::refresh() {
    // Fields are those of the machine the plan is for; while it is planned for another one there is nothing to choose.
    auto plan = m_workspace.plan();
    if (plan && plan->target != m_workspace.target())
        plan.reset();
    const OpId id = m_workspace.selection().op;
    if (plan == m_plan && id == m_id)
        return;
    m_plan = plan;
    m_id = id;
    std::vector<OverrideField> fields;
    std::string op;
    if (const Backend* backend = plan ? m_workspace.backendOf(*plan->target) : nullptr) {
        op = id.valid() ? plan->graph->op(id).name : std::string(); // "" decides about the whole network
        fields = backend->overrideFields(*plan, id);
    }
    if (op == m_op && sameRows(fields, m_fields))
        return;
    if (op != m_op)
        m_shown = kShownAtFirst;
    m_op = op;
    m_fields = std::move(fields);
    build();
}

void OverrideEditor::build() {
    m_inputs.clear();
    m_problems.clear();
    // Children of what can be seen are shown one by one, and with each all layouts up to the window are made anew. Once all views
    // have heard of a plan that is done once.
    hide();
    for (QWidget* old : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        old->hide();
        old->deleteLater(); // it may be what called us
    }
    delete m_grid; // one that once had many rows keeps them
    m_grid = new QGridLayout(this);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    int row = 0;
    QString group;
    const std::size_t shown = std::min(m_shown, m_fields.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const OverrideField& field = m_fields[i];
        if (const QString next = groupOf(field.field, m_workspace.family()); next != group) {
            group = next;
            auto* head = new QLabel(QStringLiteral("<b>%1</b>").arg(group));
            m_grid->addWidget(head, row++, 0, 1, 3);
        }
        row = addRow(m_op, field, row);
    }
    if (shown < m_fields.size()) {
        auto* more = new QPushButton(tr("Show More (%1 of %2)")
                                         .arg(QString::fromStdString(exactText(std::int64_t(shown))),
                                              QString::fromStdString(exactText(std::ssize(m_fields)))));
        more->setObjectName(QStringLiteral("MoreDecisions"));
        more->setToolTip(tr("Decisions about further pieces of this op"));
        connect(more, &QPushButton::clicked, this, &OverrideEditor::showMore);
        m_grid->addWidget(more, row, 0, 1, 3);
    }
    QMetaObject::invokeMethod(
        this, [this] { setVisible(!m_fields.empty()); }, Qt::QueuedConnection);
}

void OverrideEditor::showMore() {
    const std::size_t before = m_inputs.size();
    m_shown *= 2;
    build();
    show(); // what is hidden takes no focus
    m_inputs[before]->setFocus();
}

int OverrideEditor::addRow(const std::string& op, const OverrideField& field, int row) {
    const QString label = coreWord(field.label);
    auto* problem = new TextLabel;
    problem->setTextFormat(Qt::PlainText);
    problem->setAccessibleName(tr("What is wrong with %1").arg(label));
    problem->hide();
    QWidget* input = makeInput(op, field, problem);
    input->setAccessibleName(label);
    input->setObjectName(QStringLiteral("override/") + text(field.field));
    for (const auto& [word, topic] : m_workspace.family().fieldHelp)
        if (text(field.field).startsWith(word))
            input->setProperty("helpTopic", topic);
    auto* caption = new QLabel;
    caption->setBuddy(input);
    caption->setToolTip(field.overridden ? tr("%1: your decision").arg(label)
                                         : tr("%1: chosen by the compiler").arg(label));
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
    reset->setToolTip(field.overridden ? tr("Reset to the compiler's choice")
                                       : tr("This is the compiler's choice"));
    connect(reset, &QToolButton::clicked, this,
            [this, op, name = field.field] { m_workspace.clearOverride(op, name); });
    m_grid->addWidget(caption, row, 0);
    m_grid->addWidget(input, row, 1);
    m_grid->addWidget(reset, row, 2);
    m_grid->addWidget(problem, row + 1, 0, 1, 3);
    m_inputs.push_back(input);
    m_problems.push_back(problem);
    return row + 2;
}

} // namespace pim::views
