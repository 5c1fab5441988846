// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/commands.h"

#include "core/base/result.h"
#include "views/common/icons.h"

#include <QAction>

namespace pim::studio {

struct Commands::Command {
    CommandSpec spec;
    QAction* action = nullptr;
    bool adopted = false;
};

QString plainText(QString text) {
    // "&&" is a real ampersand.
    return text.replace(QStringLiteral("&&"), QString(QChar(1)))
        .remove(u'&')
        .replace(QChar(1), u'&')
        .remove(u'…')
        .trimmed();
}

Commands::Commands(QObject* parent) : QObject(parent) {}

Commands::~Commands() = default;

QAction* Commands::add(CommandSpec spec) {
    auto* action = new QAction(spec.text, this);
    if (!spec.icon.isEmpty())
        action->setIcon(views::icon(spec.icon));
    action->setCheckable(static_cast<bool>(spec.isOn));
    const QString id = spec.id;
    connect(action, &QAction::triggered, this, [this, id] {
        const Command& command = at(id);
        if (command.spec.run)
            command.spec.run();
        refresh(); // what is on may not be what the click made it
    });
    adopt(std::move(spec), action);
    m_commands.at(id)->adopted = false;
    update(*m_commands.at(id));
    return action;
}

QAction* Commands::adopt(CommandSpec spec, QAction* action) {
    PIM_ASSERT(!spec.id.isEmpty() && !m_commands.contains(spec.id), "every command has an id of its own");
    const QString id = spec.id;
    auto command = std::make_unique<Command>();
    command->spec = std::move(spec);
    command->action = action;
    command->adopted = true;
    action->setObjectName(id);
    action->setShortcuts(command->spec.shortcuts);
    connect(action, &QAction::triggered, this, [this, id] { emit triggered(id); });
    update(*command);
    m_commands.emplace(id, std::move(command));
    m_order.push_back(id);
    emit added(id);
    return action;
}

const Commands::Command& Commands::at(const QString& id) const {
    const auto found = m_commands.find(id);
    PIM_ASSERT(found != m_commands.end(), "only known commands are asked for");
    return *found->second;
}

void Commands::update(Command& command) {
    QAction& action = *command.action;
    const QString reason = command.spec.whyNot ? command.spec.whyNot() : QString();
    if (!command.adopted || command.spec.whyNot)
        action.setEnabled(reason.isEmpty());
    if (command.spec.isOn)
        action.setChecked(command.spec.isOn());
    if (command.adopted && command.spec.tip.isEmpty())
        return;
    QString tip = command.spec.tip.isEmpty() ? plainText(action.text()) : command.spec.tip;
    if (!action.shortcut().isEmpty())
        tip += QStringLiteral(" (%1)").arg(action.shortcut().toString(QKeySequence::NativeText));
    if (!reason.isEmpty())
        tip += u'\n' + reason;
    action.setToolTip(tip);
}

QAction* Commands::action(const QString& id) const {
    return at(id).action;
}

QString Commands::title(const QString& id) const {
    const Command& command = at(id);
    QStringList path = command.spec.menu;
    path.append(plainText(command.action->text()));
    return path.join(QStringLiteral(" › "));
}

void Commands::setWords(const QString& id, const QString& text, const QString& tip) {
    Command& command = *m_commands.at(id);
    command.spec.text = text;
    command.spec.tip = tip;
    command.action->setText(text);
    update(command);
}

QString Commands::tip(const QString& id) const {
    return at(id).spec.tip;
}

QString Commands::whyNot(const QString& id) const {
    const Command& command = at(id);
    const QString reason = command.spec.whyNot ? command.spec.whyNot() : QString();
    if (reason.isEmpty() && !command.action->isEnabled())
        return tr("Not available right now.");
    return reason;
}

QString Commands::commandLine(const QString& id) const {
    return hasCommandLine(id) && whyNot(id).isEmpty() ? at(id).spec.commandLine() : QString();
}

bool Commands::hasCommandLine(const QString& id) const {
    return static_cast<bool>(at(id).spec.commandLine);
}

QList<QKeySequence> Commands::shortcuts(const QString& id) const {
    return at(id).action->shortcuts();
}

QList<QKeySequence> Commands::defaultShortcuts(const QString& id) const {
    return at(id).spec.shortcuts;
}

void Commands::setShortcuts(const QString& id, const QList<QKeySequence>& shortcuts) {
    Command& command = *m_commands.at(id);
    if (command.action->shortcuts() == shortcuts)
        return;
    command.action->setShortcuts(shortcuts);
    update(command);
    emit shortcutsChanged(id);
}

QString Commands::conflict(const QString& id, const QKeySequence& shortcut) const {
    if (shortcut.isEmpty())
        return {};
    for (const QString& other : m_order) {
        if (other == id)
            continue;
        for (const QKeySequence& taken : shortcuts(other))
            if (!taken.isEmpty() && (taken.matches(shortcut) != QKeySequence::NoMatch ||
                                     shortcut.matches(taken) != QKeySequence::NoMatch))
                return other;
    }
    return {};
}

void Commands::refresh() {
    for (const auto& [id, command] : m_commands)
        update(*command);
}

} // namespace pim::studio
