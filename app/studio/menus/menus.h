// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The menus of the window, one file each. Each adds its commands to the list and puts them into its menu.
#include <QCoreApplication>
#include <QString>

class QMenu;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class Commands;
class MainWindow;
class Settings;

/// What a menu is built over; all of it outlives the menu.
struct MenuParts {
    MainWindow& window;
    views::Workspace& workspace;
    Settings& settings;
    Commands& commands;
};

void fillFileMenu(QMenu& menu, const MenuParts& parts);
void fillEditMenu(QMenu& menu, const MenuParts& parts);
void fillModelMenu(QMenu& menu, const MenuParts& parts);
void fillOpMenu(QMenu& menu, const MenuParts& parts);
void fillViewMenu(QMenu& menu, const MenuParts& parts);
void fillHelpMenu(QMenu& menu, const MenuParts& parts);

/// The model with the plan in force as its metadata, in the background; succeeded() or failed() of the workspace follows.
void exportModel(views::Workspace& workspace, const QString& file);

// Why a command cannot be run now; empty: it can.
QString needsModel(const views::Workspace& workspace);
QString needsPlan(const views::Workspace& workspace); ///< One of the decisions in force.
QString needsOp(const views::Workspace& workspace);   ///< A selected one.

/// For tr() in the free functions of the menus.
struct Menus {
    Q_DECLARE_TR_FUNCTIONS(Menus)
};

} // namespace pim::studio
