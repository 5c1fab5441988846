// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Everything the window can do, as one list. Menus, tool bar, palette and shortcut editor are made from it, so that a
/// command has one id, one text, one shortcut, one reason why it cannot be run now and one `pimc` line.
#include <QKeySequence>
#include <QObject>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <vector>

class QAction;

namespace pim::studio {

/// How a command is described where it is made. Only id, menu, text and run are needed.
struct CommandSpec {
    /// Stable: "file.save-project". Settings and tests know commands by it.
    QString id;
    QStringList menu = {}; ///< Where it stands, as shown: {"Model", "Target"}.
    QString text = {};     ///< With & and …, as in a menu.
    QString icon = {};
    QList<QKeySequence> shortcuts = {}; ///< Those of the program; the user may choose others.
    QString tip = {};                   ///< What it is for, in a few words; the shortcut is added to it.
    std::function<void()> run = {};
    /// Why it cannot be run now, as a sentence: "Open a model first." Empty: it can. Null: it always can.
    std::function<QString()> whyNot = {};
    /// Makes it checkable: whether it is on now.
    std::function<bool()> isOn = {};
    /// The `pimc` line that does the same with what is open now; for all that changes numbers or writes files.
    std::function<QString()> commandLine = {};
};

class Commands : public QObject {
    Q_OBJECT
public:
    explicit Commands(QObject* parent = nullptr);
    ~Commands() override;

    /// The action to put into a menu; owned here. The id must be new.
    QAction* add(CommandSpec spec);
    /// Lists an action made elsewhere (undo, a panel's switch); its own text, state and trigger stay. \p action outlives this.
    QAction* adopt(CommandSpec spec, QAction* action);

    /// For one whose meaning depends on what is open.
    void setWords(const QString& id, const QString& text, const QString& tip);

    const std::vector<QString>& ids() const { return m_order; } ///< In the order of the menus.
    bool contains(const QString& id) const { return m_commands.contains(id); }
    QAction* action(const QString& id) const;
    QString title(const QString& id) const; ///< "Model › Target › AttAcc", without & and ….
    QString tip(const QString& id) const;
    QString whyNot(const QString& id) const;      ///< Empty: it can be run.
    QString commandLine(const QString& id) const; ///< Empty: there is none, or it cannot be run now.
    bool hasCommandLine(const QString& id) const;

    QList<QKeySequence> shortcuts(const QString& id) const;
    QList<QKeySequence> defaultShortcuts(const QString& id) const;
    /// Takes effect at once.
    void setShortcuts(const QString& id, const QList<QKeySequence>& shortcuts);
    /// Another command that has this shortcut or one that begins or continues it; empty: none.
    QString conflict(const QString& id, const QKeySequence& shortcut) const;

    /// Asks every command again whether it can be run and is on.
    void refresh();

signals:
    void triggered(const QString& id);
    void shortcutsChanged(const QString& id);
    void added(const QString& id);

private:
    struct Command;
    const Command& at(const QString& id) const;
    void update(Command& command);

    std::map<QString, std::unique_ptr<Command>> m_commands;
    std::vector<QString> m_order;
};

/// Text of an action as it is read: no &, no ….
QString plainText(QString text);

} // namespace pim::studio
