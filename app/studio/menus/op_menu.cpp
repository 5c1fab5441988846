// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/command_lines.h"
#include "app/studio/commands.h"
#include "app/studio/main_window.h"
#include "app/studio/menus/menus.h"
#include "app/studio/settings.h"
#include "views/models/workspace.h"

#include <QMenu>

namespace pim::studio {
namespace {

std::string selectedOp(const views::Workspace& workspace) {
    return workspace.graph()->op(workspace.selection().op).name;
}

/// A decision about the selected op, and the line that compiles with it made.
CommandSpec decision(views::Workspace& workspace, const QString& id, const QString& text, const QString& tip,
                     const QKeySequence& shortcut, const char* value) {
    return {.id = id,
            .menu = {Menus::tr("Op")},
            .text = text,
            .shortcuts = {shortcut},
            .tip = tip,
            .run =
                [&workspace, value] {
                    workspace.applyOverride({selectedOp(workspace), "placement", value});
                },
            .whyNot =
                [&workspace, value] {
                    if (QString reason = needsOp(workspace); !reason.isEmpty())
                        return reason;
                    const auto legal = workspace.check({selectedOp(workspace), "placement", value});
                    return legal ? QString() : QString::fromStdString(legal.error().text());
                },
            .commandLine =
                [&workspace, value] {
                    Overrides overrides = workspace.overrides();
                    overrides.set({selectedOp(workspace), "placement", value});
                    return compileLine(workspace, {}, {.overrides = &overrides});
                }};
}

CommandSpec takeBack(views::Workspace& workspace) {
    const auto without = [&workspace] {
        Overrides overrides = workspace.overrides();
        for (const Override& each : workspace.overrides().all())
            if (each.op == selectedOp(workspace))
                overrides.clear(each.op, each.field);
        return overrides;
    };
    return {
        .id = "op.take-back",
        .menu = {Menus::tr("Op")},
        .text = Menus::tr("&Reset Decisions"),
        .tip = Menus::tr("Let the compiler decide about the selected op again"),
        .run =
            [&workspace, without] {
                workspace.replaceOverrides(
                    without(),
                    Menus::tr("Reset decisions about %1").arg(QString::fromStdString(selectedOp(workspace))));
            },
        .whyNot =
            [&workspace, without] {
                if (QString reason = needsOp(workspace); !reason.isEmpty())
                    return reason;
                return without() == workspace.overrides() ? Menus::tr("There are no decisions about this op.")
                                                          : QString();
            },
        .commandLine =
            [&workspace, without] {
                const Overrides overrides = without();
                return compileLine(workspace, {}, {.overrides = &overrides});
            }};
}

} // namespace

void fillOpMenu(QMenu& menu, const MenuParts& parts) {
    views::Workspace& workspace = parts.workspace;
    MainWindow& window = parts.window;
    const QStringList path{Menus::tr("Op")};
    menu.setToolTipsVisible(true);
    const auto selected = [&workspace] { return needsOp(workspace); };
    menu.addAction(parts.commands.add(decision(workspace, "op.place-pim", Menus::tr("Place on &PIM"),
                                               Menus::tr("Compute the selected op in memory"),
                                               QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P), "pim")));
    menu.addAction(parts.commands.add(decision(workspace, "op.place-host", Menus::tr("Place on &Host"),
                                               Menus::tr("Compute the selected op on the host"),
                                               QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_H), "host")));
    menu.addAction(parts.commands.add(takeBack(workspace)));
    menu.addSeparator();
    menu.addAction(parts.commands.add({.id = "op.drafts",
                                       .menu = path,
                                       .text = Menus::tr("Show &Drafts"),
                                       .shortcuts = {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_D)},
                                       .tip = Menus::tr("All tilings of the selected op with their times"),
                                       .run = [&window] { window.showPanel(QStringLiteral("drafts")); },
                                       .whyNot = selected,
                                       .commandLine = [&workspace] { return exploreLine(workspace); }}));
    menu.addAction(parts.commands.add({.id = "op.inspect",
                                       .menu = path,
                                       .text = Menus::tr("&Inspect"),
                                       .shortcuts = {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_I)},
                                       .tip = Menus::tr("All about the selected op"),
                                       .run = [&window] { window.showPanel(QStringLiteral("inspector")); },
                                       .whyNot = selected}));
    const auto simulated = [&workspace, &settings = parts.settings] {
        return exploreLine(workspace, settings.value(setting::kSimulatedDrafts).toInt());
    };
    menu.addAction(parts.commands.add(
        {.id = "op.copy-simulate-drafts",
         .menu = path,
         .text = Menus::tr("Copy Command That &Simulates Drafts"),
         .tip = Menus::tr("Copy the pimc command that simulates the drafts predicted to be best"),
         .run = [&window, simulated] { window.copyCommand(simulated()); },
         .whyNot = selected,
         .commandLine = simulated}));
}

} // namespace pim::studio
