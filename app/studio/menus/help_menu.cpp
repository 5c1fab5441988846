// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/commands.h"
#include "app/studio/main_window.h"
#include "app/studio/menus/menus.h"
#include "core/base/built_with.h"
#include "core/base/version.h"
#include "core/project/project.h"

#include <QMenu>
#include <QMessageBox>

namespace pim::studio {
namespace {

QString builtWith() {
    QStringList parts;
    for (const auto& [what, version] : kBuiltWith)
        parts << QStringLiteral("%1\u00a0%2")
                     .arg(QString::fromLatin1(what.data(), qsizetype(what.size())).replace(u' ', QChar(0xa0)),
                          QString::fromLatin1(version.data(), qsizetype(version.size())));
    return parts.join(QStringLiteral(", "));
}

void showAbout(MainWindow& window) {
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, Menus::tr("About PIM Studio"),
        Menus::tr(
            "<h3>PIM Studio %1</h3><p>Compiles neural networks for processing-in-memory hardware and shows "
            "why it decides as it does.</p>"
            "<p>Free software under the GNU General Public License, version 3 or later.</p>"
            "<p>Projects have schema %2. Runs with Qt %3, built with %4.</p>")
            .arg(QStringLiteral(PIM_VERSION))
            .arg(Project::kSchemaVersion)
            .arg(QString::fromLatin1(qVersion()), builtWith()),
        QMessageBox::Close, &window);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                 Qt::TextSelectableByKeyboard); // for reports of problems
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
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
    menu.addAction(parts.commands.add(
        {.id = "help.about", .menu = path, .text = Menus::tr("&About PIM Studio"), .run = [&window] {
             showAbout(window);
         }}));
}

} // namespace pim::studio
