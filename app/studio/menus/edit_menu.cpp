// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/command_lines.h"
#include "app/studio/commands.h"
#include "app/studio/link_target.h"
#include "app/studio/main_window.h"
#include "app/studio/menus/menus.h"
#include "views/common/icons.h"
#include "views/models/workspace.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QStatusBar>
#include <QUndoStack>

namespace pim::studio {
namespace {

void addUndo(QMenu& menu, const MenuParts& parts) {
    QUndoStack* stack = parts.workspace.undoStack();
    const QStringList path{Menus::tr("Edit")};
    QAction* undo = stack->createUndoAction(&parts.window, Menus::tr("&Undo"));
    undo->setIcon(views::icon(QStringLiteral("undo")));
    menu.addAction(parts.commands.adopt(
        {.id = "edit.undo",
         .menu = path,
         .shortcuts = {QKeySequence::Undo},
         .whyNot = [stack] { return stack->canUndo() ? QString() : Menus::tr("There is nothing to undo."); }},
        undo));
    QAction* redo = stack->createRedoAction(&parts.window, Menus::tr("&Redo"));
    redo->setIcon(views::icon(QStringLiteral("redo")));
    menu.addAction(parts.commands.adopt(
        {.id = "edit.redo",
         .menu = path,
         .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)},
         .whyNot = [stack] { return stack->canRedo() ? QString() : Menus::tr("There is nothing to redo."); }},
        redo));
}

/// One entry for each command that changes or exports something and can be run now.
void fillCopyMenu(QMenu& menu, const MenuParts& parts) {
    menu.clear();
    for (const QString& id : parts.commands.ids())
        if (const QString line = parts.commands.commandLine(id); !line.isEmpty()) {
            QAction* copy = menu.addAction(parts.commands.title(id), &parts.window,
                                           [&window = parts.window, line] { window.copyCommand(line); });
            copy->setToolTip(line);
        }
}

} // namespace

void fillEditMenu(QMenu& menu, const MenuParts& parts) {
    MainWindow& window = parts.window;
    views::Workspace& workspace = parts.workspace;
    const QStringList path{Menus::tr("Edit")};
    addUndo(menu, parts);
    menu.addSeparator();
    menu.addAction(parts.commands.add(
        {.id = "edit.locate",
         .menu = path,
         .text = Menus::tr("&Go To…"),
         .icon = "search",
         .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_K)},
         .tip = Menus::tr("Find an op, a tensor, a draft, a run, a target or a setting by a few letters"),
         .run = [&window] { window.showLocator(); }}));
    menu.addAction(parts.commands.add(
        {.id = "edit.copy-command",
         .menu = path,
         .text = Menus::tr("&Copy as Command"),
         .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)},
         .tip = Menus::tr("Copy the pimc command that compiles what is open, as it is now"),
         .run = [&] { window.copyCommand(compileLine(workspace)); },
         .whyNot = [&workspace] { return needsModel(workspace); },
         .commandLine = [&workspace] { return compileLine(workspace); }}));
    menu.addAction(parts.commands.add(
        {.id = "edit.copy-link",
         .menu = path,
         .text = Menus::tr("Copy &Link"),
         .tip = Menus::tr("Copy a pim:// link that opens this run, op and draft again"),
         .run = [&] { QApplication::clipboard()->setText(LinkTarget::linkToSelection(workspace)); },
         .whyNot = [&workspace] { return LinkTarget::whyNoLink(workspace); }}));
    QMenu* others = menu.addMenu(Menus::tr("Copy &Other Commands"));
    others->setToolTipsVisible(true);
    QObject::connect(others, &QMenu::aboutToShow, others, [others, parts] { fillCopyMenu(*others, parts); });
    menu.addSeparator();
    menu.addAction(parts.commands.add({.id = "edit.settings",
                                       .menu = path,
                                       .text = Menus::tr("&Settings…"),
                                       .icon = "settings",
                                       .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                                       .tip = Menus::tr("Appearance and behaviour of the program"),
                                       .run = [&window] { window.showSettings(); }}));
    menu.addAction(parts.commands.add({.id = "edit.shortcuts",
                                       .menu = path,
                                       .text = Menus::tr("&Keyboard Shortcuts…"),
                                       .tip = Menus::tr("View and change the shortcuts of all commands"),
                                       .run = [&window] { window.showShortcuts(); }}));
}

} // namespace pim::studio
