// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/option_form.h"

#include "views/common/choice_box.h"
#include "views/common/icons.h"
#include "views/common/text.h"
#include "views/common/text_label.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace pim::views {
namespace {

/// The words among "any|erf|tanh" that the table takes as they are: all of them, or something has to be typed.
std::vector<QString> wordsOf(const OptionTable& table, const OptionInfo& info) {
    std::vector<QString> words;
    for (const QString& word : text(info.values).split(u'|')) {
        OptionTexts texts;
        if (!table.set(texts, info.key, word.toStdString()))
            return {};
        words.push_back(word);
    }
    return words;
}

} // namespace

OptionForm::OptionForm(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    setObjectName(QStringLiteral("OptionForm"));
    m_grid->setContentsMargins(0, 0, 4, 0);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(3, 1);
    hide();
}

void OptionForm::setTable(const QString& title, const OptionTable* table, const OptionTexts& texts) {
    if (title == m_title && table == m_table && texts == m_texts && !m_isAsked)
        return;
    m_title = title;
    m_table = table;
    m_texts = texts;
    setAccessibleName(tr("Options of %1").arg(title));
    rebuild();
}

void OptionForm::rebuild() {
    const auto inUse = std::ranges::find_if(m_rows, [](const Row& row) { return row.input->hasFocus(); });
    const std::string key(inUse == m_rows.end() ? std::string_view() : inUse->info.key);
    m_isAsked = false;
    hide(); // else rows are shown one by one, and all layouts up to the window made anew with each
    clear();
    if (m_table)
        for (const OptionInfo& info : m_table->infos())
            addRow(info);
    setVisible(!m_rows.empty());
    if (const Row* const row = rowOf(key))
        row->input->setFocus();
}

void OptionForm::clear() {
    m_rows.clear();
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater(); // a combo box may be what called us
        }
        delete item;
    }
}

void OptionForm::addRow(const OptionInfo& info) {
    const QString key = text(info.key), standard = text(m_table->value({}, info.key));
    const bool isChanged = m_texts.contains(info.key);
    auto* problem = new TextLabel;
    problem->setTextFormat(Qt::PlainText);
    problem->setAccessibleName(tr("What is wrong with %1").arg(key));
    problem->hide();
    QWidget* const input = makeInput(info);
    input->setAccessibleName(key);
    input->setObjectName(QStringLiteral("option/") + key);
    auto* caption = new QLabel(key);
    caption->setTextFormat(Qt::PlainText);
    caption->setBuddy(input);
    QFont font = caption->font();
    font.setBold(isChanged);
    caption->setFont(font);
    caption->setToolTip(isChanged ? tr("%1: your choice").arg(key) : tr("%1: the default").arg(key));
    auto* reset = new QToolButton;
    reset->setIcon(icon(QStringLiteral("undo")));
    reset->setAutoRaise(true);
    reset->setEnabled(isChanged);
    reset->setAccessibleName(tr("Reset %1").arg(key));
    reset->setToolTip(isChanged ? tr("Reset to the default, %1").arg(standard) : tr("This is the default"));
    connect(reset, &QToolButton::clicked, this, [this, info, standard] { choose(info.key, standard); });
    const QString meaning = tr("%1; default: %2").arg(text(info.meaning), standard);
    const int row = 2 * int(m_rows.size());
    if (m_isCompact) {
        caption->setToolTip(meaning);
        input->setToolTip(tr("%1. Allowed: %2").arg(meaning, text(info.values)));
    } else {
        auto* label = new TextLabel;
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setText(meaning);
        m_grid->addWidget(label, row, 3);
    }
    m_grid->addWidget(caption, row, 0);
    m_grid->addWidget(input, row, 1);
    m_grid->addWidget(reset, row, 2);
    m_grid->addWidget(problem, row + 1, 0, 1, 4);
    m_rows.push_back({info, input, reset, problem});
}

QWidget* OptionForm::makeInput(const OptionInfo& info) {
    const QString current = text(m_table->value(m_texts, info.key));
    const std::vector<QString> words = wordsOf(*m_table, info);
    if (words.empty()) {
        auto* edit = new QLineEdit(current);
        edit->setToolTip(tr("Allowed: %1. Press Enter to apply").arg(text(info.values)));
        connect(edit, m_isCompact ? &QLineEdit::editingFinished : &QLineEdit::returnPressed, this,
                [this, edit, info] { choose(info.key, edit->text()); });
        return edit;
    }
    auto* box = new ChoiceBox;
    std::vector<Choice> choices; // which is the default stands beside the box
    for (const QString& word : words)
        choices.push_back({word, true, QString()});
    box->setChoices([choices] { return choices; }, current);
    box->setMinimumContentsLength(8);
    connect(box, &ChoiceBox::chosen, this, [this, info](const QString& value) { choose(info.key, value); });
    return box;
}

void OptionForm::choose(std::string_view key, const QString& value) {
    OptionTexts texts = m_texts;
    const Row& row = *rowOf(key);
    if (const Result<void> set = m_table->set(texts, key, value.toStdString()); !set) {
        row.problem->setText(QStringLiteral("✗ ") + text(set.error().message));
        row.problem->show();
        row.input->setAccessibleDescription(row.problem->text());
        row.reset->setEnabled(true);
    } else if (texts == m_texts) {
        rebuild(); // what was wrong is gone, or written in its usual form
    } else {
        m_texts = texts;
        m_isAsked = true;
        row.problem->hide();
        emit chosen(texts);
    }
}

const OptionForm::Row* OptionForm::rowOf(std::string_view key) const {
    for (const Row& row : m_rows)
        if (row.info.key == key)
            return &row;
    return nullptr;
}

QWidget* OptionForm::inputOf(std::string_view key) const {
    const Row* const row = rowOf(key);
    return row ? row->input : nullptr;
}

QToolButton* OptionForm::resetOf(std::string_view key) const {
    const Row* const row = rowOf(key);
    return row ? row->reset : nullptr;
}

QString OptionForm::problemOf(std::string_view key) const {
    const Row* const row = rowOf(key);
    return row ? row->problem->text() : QString();
}

} // namespace pim::views
