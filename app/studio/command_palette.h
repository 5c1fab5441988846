// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Finds anything by a few letters of its name: every action of the menus (Ctrl+Shift+P), every op (Ctrl+K).
#include <QDialog>
#include <QKeySequence>

#include <functional>

class QLineEdit;
class QListWidget;

namespace pim::studio {

class Commands;

struct PaletteEntry {
    QString title;    ///< "File › Save Project"
    QString hint;     ///< Shown to the right: shortcut, type.
    bool enabled = true;
    std::function<void()> run;
};

/// Letters of \p query in order in \p title, case ignored; higher is better, negative: no match. Starts of words and runs
/// of letters count more.
int fuzzyScore(const QString& query, const QString& title);

/// All commands of the window.
QList<PaletteEntry> commandEntries(Commands& commands);

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const QString& prompt, QList<PaletteEntry> entries, QWidget* parent);

    QLineEdit* input() const { return m_input; }
    QListWidget* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void runCurrent();

    QList<PaletteEntry> m_entries;
    QLineEdit* m_input;
    QListWidget* m_list;
};

} // namespace pim::studio
