// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All commands with their shortcuts, to be changed at once. A shortcut that another command has is refused, with its
/// name, unless it is taken from that one.
#include <QWidget>

class QKeySequenceEdit;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace pim::studio {

class Commands;
class Settings;

class ShortcutEditor : public QWidget {
    Q_OBJECT
public:
    ShortcutEditor(Commands& commands, Settings& settings, QWidget* parent = nullptr);

    void setFilter(const QString& words); ///< Rows that have all of them in title or shortcut.
    QString currentCommand() const;
    void chooseCommand(const QString& id);
    /// Gives the current command this shortcut. False: another has it; problem() says which.
    bool assign(const QKeySequence& shortcut);
    void takeOver(); ///< The refused shortcut, from the command that has it.
    void resetCurrent();
    void resetAll();
    QString problem() const;

    QTableWidget* table() const { return m_table; }
    QKeySequenceEdit* keys() const { return m_keys; }

private:
    void store(const QString& id, const QList<QKeySequence>& shortcuts);
    void fillRow(int row);
    void showCurrent();

    Commands& m_commands;
    Settings& m_settings;
    QLineEdit* m_filter;
    QTableWidget* m_table;
    QKeySequenceEdit* m_keys;
    QPushButton* m_assign;
    QPushButton* m_takeOver;
    QPushButton* m_clear;
    QPushButton* m_reset;
    QLabel* m_problem;
    QString m_owner; ///< Of the shortcut that was refused.
};

/// Gives every command, also those added later, what the person chose for it.
void applyShortcuts(Commands& commands, const Settings& settings);

} // namespace pim::studio
