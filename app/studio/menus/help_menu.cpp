// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/commands.h"
#include "app/studio/main_window.h"
#include "app/studio/menus/menus.h"
#include "app/studio/text_dialog.h"
#include "core/base/version.h"
#include "core/report/versions.h"
#include "views/models/workspace.h"

#include <QMenu>

namespace pim::studio {
namespace {

void showAbout(MainWindow& window, const TargetCatalog& catalog) {
    showText(&window, Menus::tr("About PIM Studio"),
             Menus::tr("<h3>PIM Studio %1</h3><p>Compiles neural networks for processing-in-memory hardware "
                       "and shows why it decides as it does.</p>"
                       "<p>Free software under the GNU General Public License, version 3 or later.</p>")
                 .arg(QStringLiteral(PIM_VERSION)),
             QStringLiteral("PIM Studio %1, Qt %2\n%3")
                 .arg(QStringLiteral(PIM_VERSION), QString::fromLatin1(qVersion()),
                      QString::fromStdString(versionText(versionList(catalog, true)))));
}

} // namespace

void fillHelpMenu(QMenu& menu, const MenuParts& parts) {
    MainWindow& window = parts.window;
    const QStringList path{Menus::tr("Help")};
    menu.addAction(parts.commands.add({.id = "help.show",
                                       .menu = path,
                                       .text = Menus::tr("&Help"),
                                       .shortcuts = {QKeySequence::HelpContents},
                                       .tip = Menus::tr("The help page of the current panel"),
                                       .run = [&window] { window.showHelp(); }}));
    menu.addAction(parts.commands.add({.id = "help.palette",
                                       .menu = path,
                                       .text = Menus::tr("&Command Palette…"),
                                       .icon = "search",
                                       .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
                                       .tip = Menus::tr("Find any command by a few letters"),
                                       .run = [&window] { window.showPalette(); }}));
    menu.addAction(
        parts.commands.add({.id = "help.concepts",
                            .menu = path,
                            .text = Menus::tr("C&oncepts"),
                            .tip = Menus::tr("Every concept with a picture"),
                            .run = [&window] { window.showHelpTopic(QStringLiteral("concepts")); }}));
    menu.addAction(parts.commands.add({.id = "help.tour",
                                       .menu = path,
                                       .text = Menus::tr("&Take the Tour"),
                                       .tip = Menus::tr("Five steps through the window"),
                                       .run = [&window] { window.showTour(); }}));
    menu.addAction(parts.commands.add(
        {.id = "help.whats-new", .menu = path, .text = Menus::tr("What Is &New"), .run = [&window] {
             window.showHelpTopic(QStringLiteral("whats_new"));
         }}));
    menu.addSeparator();
    menu.addAction(parts.commands.add({.id = "help.log",
                                       .menu = path,
                                       .text = Menus::tr("Show &Log"),
                                       .tip = Menus::tr("What the program and its libraries say on the way"),
                                       .run = [&window] { window.showLog(); }}));
    menu.addAction(parts.commands.add(
        {.id = "help.problem",
         .menu = path,
         .text = Menus::tr("&Report a Problem…"),
         .tip = Menus::tr("Write an archive with log, settings and versions; nothing is sent"),
         .run = [&window] { window.reportProblem(); }}));
    menu.addAction(parts.commands.add(
        {.id = "help.about",
         .menu = path,
         .text = Menus::tr("&About PIM Studio"),
         .run = [&window, &catalog = parts.workspace.catalog()] { showAbout(window, catalog); }}));
}

} // namespace pim::studio
