// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/shortcut_editor.h"

#include "app/studio/commands.h"
#include "app/studio/settings.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>

namespace pim::studio {
namespace {

QString text(const QList<QKeySequence>& shortcuts) {
    QStringList texts;
    for (const QKeySequence& shortcut : shortcuts)
        texts.append(shortcut.toString(QKeySequence::NativeText));
    return texts.join(QStringLiteral(", "));
}

} // namespace

void applyShortcuts(Commands& commands, const Settings& settings) {
    const auto apply = [&commands, &settings](const QString& id) {
        if (const auto chosen = settings.shortcuts(id))
            commands.setShortcuts(id, *chosen);
    };
    for (const QString& id : commands.ids())
        apply(id);
    QObject::connect(&commands, &Commands::added, &commands, apply);
}

ShortcutEditor::ShortcutEditor(Commands& commands, Settings& settings, QWidget* parent)
    : QWidget(parent), m_commands(commands), m_settings(settings), m_filter(new QLineEdit),
      m_table(new QTableWidget(0, 2)), m_keys(new QKeySequenceEdit), m_assign(new QPushButton(tr("Assign"))),
      m_takeOver(new QPushButton(tr("Take Over"))), m_clear(new QPushButton(tr("No Shortcut"))),
      m_reset(new QPushButton(tr("Reset"))), m_problem(new QLabel) {
    setAccessibleName(tr("Shortcuts"));
    m_filter->setPlaceholderText(tr("Filter commands, e.g. \"export\" or \"Ctrl+K\""));
    m_filter->setAccessibleName(tr("Filter commands"));
    m_filter->setClearButtonEnabled(true);
    m_table->setAccessibleName(tr("Commands and their shortcuts"));
    m_table->setHorizontalHeaderLabels({tr("Command"), tr("Shortcut")});
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_table->verticalHeader()->hide();
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_keys->setAccessibleName(tr("New shortcut: press its keys"));
    m_keys->setToolTip(tr("Press the keys of the new shortcut"));
    for (QLineEdit* inner : m_keys->findChildren<QLineEdit*>())
        inner->setAccessibleName(m_keys->accessibleName());
    m_takeOver->setToolTip(tr("Assign the shortcut to this command and remove it from the other"));
    m_clear->setToolTip(tr("The command stays in the menu and the palette"));
    m_reset->setToolTip(tr("Reset to the default shortcut"));
    m_problem->setWordWrap(true);
    m_problem->setAccessibleName(tr("Why a shortcut was refused"));
    m_takeOver->hide();

    auto* row = new QHBoxLayout;
    row->addWidget(new QLabel(tr("New shortcut")));
    row->addWidget(m_keys, 1);
    for (QPushButton* button : {m_assign, m_takeOver, m_clear, m_reset})
        row->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_filter);
    column->addWidget(m_table, 1);
    column->addLayout(row);
    column->addWidget(m_problem);

    for (const QString& id : commands.ids()) {
        const int at = m_table->rowCount();
        m_table->insertRow(at);
        auto* name = new QTableWidgetItem(commands.title(id));
        name->setData(Qt::UserRole, id);
        name->setToolTip(commands.tip(id));
        m_table->setItem(at, 0, name);
        m_table->setItem(at, 1, new QTableWidgetItem);
        fillRow(at);
    }
    connect(m_filter, &QLineEdit::textChanged, this, &ShortcutEditor::setFilter);
    connect(m_table, &QTableWidget::currentCellChanged, this, &ShortcutEditor::showCurrent);
    connect(m_assign, &QPushButton::clicked, this, [this] { assign(m_keys->keySequence()); });
    connect(m_takeOver, &QPushButton::clicked, this, &ShortcutEditor::takeOver);
    connect(m_clear, &QPushButton::clicked, this, [this] { store(currentCommand(), {}); });
    connect(m_reset, &QPushButton::clicked, this, &ShortcutEditor::resetCurrent);
    connect(&commands, &Commands::shortcutsChanged, this, [this] {
        for (int i = 0; i < m_table->rowCount(); ++i)
            fillRow(i);
    });
    m_table->setCurrentCell(0, 0);
}

void ShortcutEditor::setFilter(const QString& words) {
    const QStringList wanted = words.split(u' ', Qt::SkipEmptyParts);
    for (int i = 0; i < m_table->rowCount(); ++i) {
        const QString row = m_table->item(i, 0)->text() + u' ' + m_table->item(i, 1)->text();
        m_table->setRowHidden(i, std::any_of(wanted.begin(), wanted.end(), [&](const QString& word) {
                                  return !row.contains(word, Qt::CaseInsensitive);
                              }));
    }
}

QString ShortcutEditor::currentCommand() const {
    const QTableWidgetItem* name = m_table->item(m_table->currentRow(), 0);
    return name ? name->data(Qt::UserRole).toString() : QString();
}

void ShortcutEditor::chooseCommand(const QString& id) {
    for (int i = 0; i < m_table->rowCount(); ++i)
        if (m_table->item(i, 0)->data(Qt::UserRole).toString() == id)
            m_table->setCurrentCell(i, 0);
}

bool ShortcutEditor::assign(const QKeySequence& shortcut) {
    const QString id = currentCommand();
    if (id.isEmpty() || shortcut.isEmpty())
        return false;
    m_owner = m_commands.conflict(id, shortcut);
    m_takeOver->setVisible(!m_owner.isEmpty());
    if (!m_owner.isEmpty()) {
        m_problem->setText(tr("%1 is assigned to \"%2\" (%3). Reassign it, or press other keys.")
                               .arg(shortcut.toString(QKeySequence::NativeText), m_commands.title(m_owner),
                                    text(m_commands.shortcuts(m_owner))));
        m_keys->setKeySequence(shortcut);
        return false;
    }
    store(id, {shortcut});
    return true;
}

void ShortcutEditor::takeOver() {
    const QKeySequence wanted = m_keys->keySequence();
    const QString id = currentCommand();
    // More than one may stand in the way: "Ctrl+K" of "Ctrl+K, A" and "Ctrl+K, B".
    for (QString owner = m_commands.conflict(id, wanted); !owner.isEmpty();
         owner = m_commands.conflict(id, wanted)) {
        QList<QKeySequence> left = m_commands.shortcuts(owner);
        left.removeIf([&](const QKeySequence& each) {
            return each.matches(wanted) != QKeySequence::NoMatch ||
                   wanted.matches(each) != QKeySequence::NoMatch;
        });
        store(owner, left);
    }
    store(id, {wanted});
}

void ShortcutEditor::resetCurrent() {
    const QString id = currentCommand();
    for (const QKeySequence& shortcut : m_commands.defaultShortcuts(id))
        if (const QString owner = m_commands.conflict(id, shortcut); !owner.isEmpty()) {
            m_problem->setText(
                tr("%1 is now assigned to \"%2\". Change that one first, or reset all.")
                    .arg(shortcut.toString(QKeySequence::NativeText), m_commands.title(owner)));
            return;
        }
    store(id, m_commands.defaultShortcuts(id));
}

void ShortcutEditor::resetAll() {
    for (const QString& id : m_commands.ids()) {
        m_settings.clearShortcuts(id);
        m_commands.setShortcuts(id, m_commands.defaultShortcuts(id));
    }
    showCurrent();
}

QString ShortcutEditor::problem() const {
    return m_problem->text();
}

void ShortcutEditor::store(const QString& id, const QList<QKeySequence>& shortcuts) {
    if (shortcuts == m_commands.defaultShortcuts(id))
        m_settings.clearShortcuts(id);
    else
        m_settings.setShortcuts(id, shortcuts);
    m_commands.setShortcuts(id, shortcuts);
    showCurrent();
}

void ShortcutEditor::fillRow(int row) {
    const QString id = m_table->item(row, 0)->data(Qt::UserRole).toString();
    const QList<QKeySequence> shortcuts = m_commands.shortcuts(id);
    QTableWidgetItem* cell = m_table->item(row, 1);
    cell->setText(text(shortcuts));
    const bool isChanged = shortcuts != m_commands.defaultShortcuts(id);
    QFont font = m_table->font();
    font.setBold(isChanged);
    cell->setFont(font);
    cell->setToolTip(isChanged ? tr("Default: %1")
                                     .arg(m_commands.defaultShortcuts(id).isEmpty()
                                              ? tr("none")
                                              : text(m_commands.defaultShortcuts(id)))
                               : QString());
}

void ShortcutEditor::showCurrent() {
    const QString id = currentCommand();
    const QList<QKeySequence> shortcuts = id.isEmpty() ? QList<QKeySequence>() : m_commands.shortcuts(id);
    m_keys->setKeySequence(shortcuts.isEmpty() ? QKeySequence() : shortcuts.front());
    m_owner.clear();
    m_takeOver->hide();
    m_problem->clear();
    m_clear->setEnabled(!shortcuts.isEmpty());
    m_reset->setEnabled(!id.isEmpty() && shortcuts != m_commands.defaultShortcuts(id));
}

} // namespace pim::studio
