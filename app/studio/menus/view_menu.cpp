// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/commands.h"
#include "app/studio/layouts.h"
#include "app/studio/main_window.h"
#include "app/studio/menus/menus.h"
#include "app/studio/settings.h"
#include "views/models/family_panels.h"
#include "views/models/workspace.h"

#include <QDockWidget>
#include <QMenu>

namespace pim::studio {
namespace {

void addQuestions(QMenu& menu, const MenuParts& parts) {
    struct Choice {
        Question question;
        const char* id;
        QString text, tip;
    };
    const Choice choices[kQuestions] = {
        {Question::WhereTimeGoes, "view.where-time-goes", Menus::tr("&Where Time Goes"),
         Menus::tr("Where does the time go? Graph, breakdown, inspector")},
        {Question::WhyThisDraft, "view.why-this-draft", parts.workspace.family().whyText,
         parts.workspace.family().whyTip},
        {Question::WhatIf, "view.what-if", Menus::tr("What &If"),
         Menus::tr("What if? Decisions, history, runs compared")},
    };
    Panels& panels = parts.window.panels();
    for (const auto& [question, id, text, tip] : choices)
        menu.addAction(parts.commands.add(
            {.id = id,
             .menu = {Menus::tr("View")},
             .text = text,
             .shortcuts = {QKeySequence(Qt::CTRL |
                                        static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(question)))},
             .tip = tip,
             .run = [&panels, question = question] { panels.show(question); },
             .whyNot = [&workspace = parts.workspace] { return needsModel(workspace); },
             .isOn = [&panels, question = question] { return panels.question() == question; }}));
    QObject::connect(&panels, &Panels::questionChanged, &parts.commands, &Commands::refresh);
    // What a plan is made of depends on the machine.
    QObject::connect(&parts.workspace, &views::Workspace::targetChanged, &parts.commands,
                     [&workspace = parts.workspace, &commands = parts.commands] {
                         const views::FamilyPanels& family = workspace.family();
                         commands.setWords(QStringLiteral("view.why-this-draft"), family.whyText,
                                           family.whyTip);
                     });
}

void addPanels(QMenu& menu, const MenuParts& parts) {
    QMenu* list = menu.addMenu(Menus::tr("&Panels"));
    for (const auto& [id, dock] : parts.window.panels().docks()) {
        QAction* action =
            parts.commands.add({.id = "panel." + id,
                                .menu = {Menus::tr("View"), Menus::tr("Panels")},
                                .text = dock->windowTitle(),
                                .tip = Menus::tr("Show the panel, or hide it if it is in front"),
                                .run = [&window = parts.window, id = id] { window.togglePanel(id); },
                                .whyNot = [&workspace = parts.workspace] { return needsModel(workspace); },
                                .isOn = [dock = dock] { return !dock->isHidden(); }});
        list->addAction(action);
        QObject::connect(dock, &QWidget::windowTitleChanged, action, &QAction::setText);
        QObject::connect(dock->toggleViewAction(), &QAction::toggled, action, &QAction::setChecked);
    }
}

/// Named layouts come and go; the menu is filled when it opens.
void fillLayouts(QMenu& menu, const MenuParts& parts) {
    QAction* manage = parts.commands.add(
        {.id = "view.layouts",
         .menu = {Menus::tr("View"), Menus::tr("Layouts")},
         .text = Menus::tr("&Save and Manage Layouts…"),
         .tip = Menus::tr("Save the panels as they are now, rename and delete what was saved"),
         .run = [&window = parts.window] { window.showLayouts(); },
         .whyNot = [&workspace = parts.workspace] { return needsModel(workspace); }});
    const auto fill = [&menu, manage, &window = parts.window] {
        menu.clear();
        for (const QString& name : window.layouts().names())
            menu.addAction(QString(name).replace(u'&', QStringLiteral("&&")), &window,
                           [&window, name] { window.useLayout(name); })
                ->setEnabled(manage->isEnabled());
        if (!menu.isEmpty())
            menu.addSeparator();
        menu.addAction(manage);
    };
    fill();
    QObject::connect(&menu, &QMenu::aboutToShow, &parts.window, fill);
}

void addLayout(QMenu& menu, const MenuParts& parts) {
    Panels& panels = parts.window.panels();
    menu.addAction(parts.commands.add({.id = "view.lock-layout",
                                       .menu = {Menus::tr("View")},
                                       .text = Menus::tr("&Lock Layout"),
                                       .tip = Menus::tr("Keep panels where they are"),
                                       .run = [&panels] { panels.setLocked(!panels.isLocked()); },
                                       .isOn = [&panels] { return panels.isLocked(); }}));
    menu.addAction(parts.commands.add({.id = "view.reset-layout",
                                       .menu = {Menus::tr("View")},
                                       .text = Menus::tr("&Reset Layout"),
                                       .tip = Menus::tr("Restore the default arrangement of panels"),
                                       .run = [&panels] { panels.reset(); }}));
    QAction* dockAll = parts.commands.add({.id = "view.dock-all",
                                           .menu = {Menus::tr("View")},
                                           .text = Menus::tr("Dock &All"),
                                           .tip = Menus::tr("Return floating panels to the window"),
                                           .run = [&panels] { panels.dockAll(); }});
    menu.addAction(dockAll);
    fillLayouts(*menu.addMenu(Menus::tr("La&youts")), parts);
}

void addThemes(QMenu& menu, const MenuParts& parts) {
    QMenu* themes = menu.addMenu(Menus::tr("&Theme"));
    struct Choice {
        const char *id, *icon;
        QString text;
        ThemeChoice theme;
    };
    const Choice choices[] = {
        {"view.theme-system", "", Menus::tr("As the &System"), ThemeChoice::System},
        {"view.theme-light", "light", Menus::tr("&Light"), ThemeChoice::Light},
        {"view.theme-dark", "dark", Menus::tr("&Dark"), ThemeChoice::Dark},
        {"view.theme-high-contrast", "", Menus::tr("&High Contrast"), ThemeChoice::HighContrast}};
    Settings& settings = parts.settings;
    for (const auto& [id, icon, text, theme] : choices)
        themes->addAction(
            parts.commands.add({.id = id,
                                .menu = {Menus::tr("View"), Menus::tr("Theme")},
                                .text = text,
                                .icon = icon,
                                .run = [&settings, theme = theme] { settings.setTheme(theme); },
                                .isOn = [&settings, theme = theme] { return settings.theme() == theme; }}));
}

} // namespace

void fillViewMenu(QMenu& menu, const MenuParts& parts) {
    addQuestions(menu, parts);
    menu.addSeparator();
    addPanels(menu, parts);
    addLayout(menu, parts);
    menu.addSeparator();
    addThemes(menu, parts);
    menu.addAction(parts.commands.add(
        {.id = "view.full-screen",
         .menu = {Menus::tr("View")},
         .text = Menus::tr("&Full Screen"),
         .shortcuts = {QKeySequence(Qt::Key_F11)},
         .run = [&window =
                     parts.window] { window.isFullScreen() ? window.showNormal() : window.showFullScreen(); },
         .isOn = [&window = parts.window] { return window.isFullScreen(); }}));
}

} // namespace pim::studio
