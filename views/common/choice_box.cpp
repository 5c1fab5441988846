// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/choice_box.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QScreen>
#include <QStandardItemModel>

#include <algorithm>

namespace pim::views {

ChoiceBox::ChoiceBox(QWidget* parent) : QComboBox(parent) {
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(4);
    setModel(new QStandardItemModel(this));
    view()->setTextElideMode(Qt::ElideRight);
    connect(this, &QComboBox::activated, this, &ChoiceBox::pick);
}

void ChoiceBox::setChoices(Make make, const QString& current) {
    m_make = std::move(make);
    m_current = current;
    m_isFilled = false;
    m_choices.clear();
    showCurrent();
}

void ChoiceBox::showCurrent() {
    auto* items = static_cast<QStandardItemModel*>(model());
    items->clear();
    items->appendRow(new QStandardItem(m_current));
    setCurrentIndex(0);
}

const std::vector<Choice>& ChoiceBox::choices() {
    if (m_isFilled)
        return m_choices;
    m_isFilled = true;
    if (m_make)
        m_choices = m_make();
    fill();
    return m_choices;
}

void ChoiceBox::setVerdicts(std::vector<Choice> choices) {
    if (!m_isFilled)
        return;
    m_choices = std::move(choices);
    fill();
}

void ChoiceBox::fill() {
    if (std::none_of(m_choices.begin(), m_choices.end(),
                     [this](const Choice& choice) { return choice.value == m_current; }))
        m_choices.insert(m_choices.begin(), Choice{m_current, true, {}});
    auto* items = static_cast<QStandardItemModel*>(model());
    const QSignalBlocker quiet(this);
    items->setRowCount(static_cast<int>(m_choices.size())); // kept where it is, the list may be open
    items->setColumnCount(1);
    int current = 0;
    for (int row = 0; row < items->rowCount(); ++row) {
        const Choice& choice = m_choices[static_cast<std::size_t>(row)];
        QStandardItem* item = items->item(row);
        if (!item)
            items->setItem(row, item = new QStandardItem);
        item->setText(choice.remark.isEmpty() ? choice.value
                                              : QStringLiteral("%1  –  %2").arg(choice.value, choice.remark));
        item->setToolTip(item->text());
        item->setEnabled(choice.legal);
        if (choice.value == m_current)
            current = row;
    }
    setCurrentIndex(current);
}

bool ChoiceBox::choose(const QString& value) {
    const auto& all = choices();
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const Choice& choice) { return choice.value == value; });
    if (at == all.end() || !at->legal)
        return false;
    pick(static_cast<int>(at - all.begin()));
    return true;
}

void ChoiceBox::pick(int row) {
    if (row < 0 || row >= std::ssize(m_choices) || !m_choices[static_cast<std::size_t>(row)].legal)
        return;
    const QString value = m_choices[static_cast<std::size_t>(row)].value;
    const bool isNew = value != m_current;
    m_current = value;
    m_isFilled = false; // the verdicts were for what was chosen before
    showCurrent();
    if (isNew)
        emit chosen(value);
}

void ChoiceBox::showPopup() {
    choices();
    // Reasons are longer than the box; the list may be wider.
    const int most = screen() ? screen()->availableGeometry().width() / 2 : 640;
    view()->setMinimumWidth(std::clamp(view()->sizeHintForColumn(0) + 32, width(), std::max(width(), most)));
    QComboBox::showPopup();
}

QSize ChoiceBox::minimumSizeHint() const {
    return {std::min(QComboBox::minimumSizeHint().width(), 64), QComboBox::minimumSizeHint().height()};
}

void ChoiceBox::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Tab && event->key() != Qt::Key_Backtab)
        choices();
    QComboBox::keyPressEvent(event);
}

void ChoiceBox::wheelEvent(QWheelEvent* event) {
    event->ignore(); // scrolling past a decision must not change it
}

} // namespace pim::views
