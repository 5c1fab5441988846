// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/bindings_dialog.h"
#include "app/studio/command_lines.h"
#include "app/studio/commands.h"
#include "app/studio/main_window.h"
#include "app/studio/menus/menus.h"
#include "views/common/icons.h"
#include "views/models/draft_ranking.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"
#include "views/sweep/sweep_panel.h"
#include "views/system/system_view.h"
#include "views/which/which_view.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>

namespace pim::studio {
namespace {

QString words(const std::string& text) {
    return QString::fromStdString(text);
}

void addTargets(QMenu& menu, const MenuParts& parts) {
    views::Workspace& workspace = parts.workspace;
    const QStringList path{Menus::tr("Model"), Menus::tr("Target")};
    QMenu* targets = menu.addMenu(views::icon(QStringLiteral("target")), Menus::tr("&Target"));
    targets->setToolTipsVisible(true);
    for (const auto& target : workspace.catalog().targets())
        targets->addAction(parts.commands.add(
            {.id = "target." + words(target->id),
             .menu = path,
             .text = words(target->name),
             .tip = words(target->summary),
             .run = [&workspace, target] { workspace.setTarget(words(target->id)); },
             .isOn = [&workspace,
                      target] { return workspace.target() && workspace.target()->id == target->id; },
             .commandLine =
                 [&workspace, target] {
                     return workspace.graph() ? compileLine(workspace, {}, {.target = target.get()})
                                              : QString();
                 }}));
}

void addHosts(QMenu& menu, const MenuParts& parts) {
    views::Workspace& workspace = parts.workspace;
    const QStringList path{Menus::tr("Model"), Menus::tr("Host")};
    QMenu* hosts = menu.addMenu(Menus::tr("&Host"));
    for (const auto& host : workspace.catalog().hosts())
        hosts->addAction(parts.commands.add(
            {.id = "host." + words(host->id),
             .menu = path,
             .text = words(host->name),
             .run = [&workspace,
                     host] { workspace.setTarget(words(workspace.target()->id), words(host->id)); },
             .whyNot =
                 [&workspace] {
                     return workspace.target() ? QString() : Menus::tr("Choose a target first.");
                 },
             .isOn = [&workspace,
                      host] { return workspace.target() && workspace.target()->host.id == host->id; },
             .commandLine =
                 [&workspace, host] {
                     return workspace.graph() ? compileLine(workspace, {}, {.host = words(host->id)})
                                              : QString();
                 }}));
}

/// \p spec as a command that changes the options, with the line that compiles with them changed.
CommandSpec optionCommand(views::Workspace& workspace, CommandSpec spec,
                          const std::function<void(CompileOptions&)>& change,
                          const std::function<bool(const CompileOptions&)>& isOn) {
    const auto changed = [&workspace, change] {
        CompileOptions options = workspace.options();
        change(options);
        return options;
    };
    spec.run = [&workspace, changed] { workspace.setOptions(changed()); };
    spec.isOn = [&workspace, isOn] { return isOn(workspace.options()); };
    spec.commandLine = [&workspace, changed] {
        const CompileOptions options = changed();
        return workspace.graph() ? compileLine(workspace, {}, {.options = &options}) : QString();
    };
    return spec;
}

/// What ranks drafts, and the way to a predictor of one's own.
void addRanking(QMenu& menu, const MenuParts& parts) {
    views::Workspace& workspace = parts.workspace;
    views::DraftRanking& ranking = views::DraftRanking::of(workspace);
    const QStringList path{Menus::tr("Model"), Menus::tr("Draft Ranking")};
    QMenu* choices = menu.addMenu(Menus::tr("Draft &Ranking"));
    choices->setToolTipsVisible(true);
    using By = views::DraftRanking::By;
    const auto add = [&](const char* id, const QString& text, const QString& tip, By by,
                         std::function<QString()> whyNot) {
        choices->addAction(parts.commands.add({.id = id,
                                               .menu = path,
                                               .text = text,
                                               .tip = tip,
                                               .run = [&ranking, by] { ranking.choose(by); },
                                               .whyNot = std::move(whyNot),
                                               .isOn = [&ranking, by] { return ranking.choice().by == by; },
                                               .commandLine =
                                                   [&workspace, by] {
                                                       return workspace.graph() ? compileLine(workspace, {},
                                                                                              {.ranking = by})
                                                                                : QString();
                                                   }}));
    };
    add("ranking.automatic", Menus::tr("&Automatic"),
        Menus::tr("Kernels that the predictor shipped for the machine was measured to rank better are ranked "
                  "by it, "
                  "all others by the formula"),
        By::Automatic, {});
    add("ranking.formula", Menus::tr("By the &Formula"),
        Menus::tr("The price of each draft decides which are simulated first"), By::Formula, {});
    add("ranking.shipped", Menus::tr("By the &Shipped Predictor"),
        Menus::tr("What was learned of the machine from simulated drafts decides, where a predictor is "
                  "shipped for it"),
        By::Shipped, {});
    add("ranking.own", Menus::tr("By &Your Predictor"),
        Menus::tr("The predictor that was opened or trained last for this project decides"), By::Own,
        [&ranking] { return ranking.whyNotOwn(); });
    choices->addSeparator();
    choices->addAction(parts.commands.add(
        {.id = "ranking.open",
         .menu = path,
         .text = Menus::tr("Open a &Predictor File…"),
         .tip = Menus::tr("Rank drafts by a predictor in a file; it is kept in the project"),
         .run =
             [&window = parts.window, &ranking] {
                 const QString file =
                     QFileDialog::getOpenFileName(&window, Menus::tr("Open a predictor"), {},
                                                  Menus::tr("Predictors (*.predictor);;All files (*)"));
                 if (!file.isEmpty())
                     ranking.useFile(file);
             },
         .whyNot =
             [&workspace] { return workspace.target() ? QString() : Menus::tr("Choose a target first."); }}));
    choices->addAction(parts.commands.add(
        {.id = "ranking.train",
         .menu = path,
         .text = Menus::tr("&Train a Predictor"),
         .tip = Menus::tr("Learn from simulated drafts of kernels that you choose"),
         .run = [&window = parts.window] { window.showPanel(QStringLiteral("predictor")); }}));
    QObject::connect(&ranking, &views::DraftRanking::changed, &parts.commands, &Commands::refresh);
}

void addOptions(QMenu& menu, const MenuParts& parts) {
    const QStringList path{Menus::tr("Model")};
    QMenu* types = menu.addMenu(Menus::tr("&Number Type"));
    for (const DataType type : {DataType::F16, DataType::BF16, DataType::F32, DataType::I8}) {
        const QString text = QString::fromUtf8(name(type).data());
        types->addAction(parts.commands.add(optionCommand(
            parts.workspace,
            {.id = "model.type." + text,
             .menu = path + QStringList{Menus::tr("Number Type")},
             .text = text,
             .tip = Menus::tr("Use this number type for all floating-point tensors")},
            [type](CompileOptions& options) { options.computeType = type; },
            [type](const CompileOptions& options) { return options.computeType == type; })));
    }
    const auto flag = [&](const char* id, const QString& text, const QString& tip,
                          bool CompileOptions::*field) {
        menu.addAction(parts.commands.add(optionCommand(
            parts.workspace, {.id = id, .menu = path, .text = text, .tip = tip},
            [field](CompileOptions& options) { options.*field = !(options.*field); },
            [field](const CompileOptions& options) { return options.*field; })));
    };
    flag("model.conv-as-gemm", Menus::tr("&Convolution as Matrix Product"),
         Menus::tr("Compute convolutions by im2col instead of as a direct loop nest"),
         &CompileOptions::convAsGemm);
    flag("model.group-commands", Menus::tr("&Group-Level Commands"),
         Menus::tr("Prefer commands that drive all banks of a group at once"),
         &CompileOptions::groupCommands);
    flag("model.overlap-transfer", Menus::tr("&Overlap Host and PIM Transfer"),
         Menus::tr("Let the host read while PIM memory is written"), &CompileOptions::overlapHostTransfer);
}

void addWork(QMenu& menu, const MenuParts& parts) {
    views::Workspace& workspace = parts.workspace;
    const QStringList path{Menus::tr("Model")};
    menu.addAction(parts.commands.add({.id = "model.recompute",
                                       .menu = path,
                                       .text = Menus::tr("&Recompute"),
                                       .icon = "play",
                                       .shortcuts = {QKeySequence(Qt::Key_F5)},
                                       .tip = Menus::tr("Plan again after a cancellation or failure"),
                                       .run = [&workspace] { workspace.recompute(); },
                                       .whyNot =
                                           [&workspace] {
                                               if (QString reason = needsModel(workspace); !reason.isEmpty())
                                                   return reason;
                                               return workspace.isStale()
                                                          ? QString()
                                                          : Menus::tr("The plan is up to date.");
                                           },
                                       .commandLine = [&workspace] { return compileLine(workspace); }}));
    menu.addAction(parts.commands.add(
        {.id = "model.simulate",
         .menu = path,
         .text = Menus::tr("&Simulate"),
         .shortcuts = {QKeySequence(Qt::Key_F6)},
         .tip = Menus::tr("Run the plan on the simulator of the target"),
         .run = [&workspace] { workspace.simulations()->simulateNow(); },
         .whyNot =
             [&workspace] {
                 if (QString reason = needsPlan(workspace); !reason.isEmpty())
                     return reason;
                 if (workspace.simulations()->isRunning())
                     return Menus::tr("The simulation is running.");
                 return workspace.simulations()->simulation() ? Menus::tr("The plan is simulated already.")
                                                              : QString();
             },
         .commandLine = [&workspace] { return compileLine(workspace, {QStringLiteral("--simulate")}); }}));
    menu.addAction(parts.commands.add(
        {.id = "model.sweep",
         .menu = path,
         .text = Menus::tr("S&weep"),
         .tip = Menus::tr("Compile for many sizes, targets, options or drafts"),
         .run = [&window = parts.window] { window.showPanel(QStringLiteral("sweep")); },
         .whyNot = [&workspace] { return needsModel(workspace); },
         .commandLine =
             [&workspace, &window = parts.window] {
                 const auto* panel = window.findChild<views::SweepPanel*>();
                 const QString over = panel ? panel->over()->text().trimmed() : QString();
                 return over.isEmpty() ? QString()
                                       : modelLine(workspace, QStringLiteral("sweep"),
                                                   {QStringLiteral("--over"), shellWord(over)});
             }}));
    menu.addAction(parts.commands.add(
        {.id = "model.which",
         .menu = path,
         .text = Menus::tr("Which &PIM"),
         .tip = Menus::tr("Ask every machine how long it takes for this network"),
         .run = [&window = parts.window] { window.showPanel(QStringLiteral("which")); },
         .whyNot = [&workspace] { return needsModel(workspace); },
         .commandLine =
             [&workspace, &window = parts.window] {
                 const auto* panel = window.findChild<views::WhichView*>();
                 return panel && workspace.graph()
                            ? modelLine(workspace, QStringLiteral("which"), panel->arguments())
                            : QString();
             }}));
    menu.addAction(parts.commands.add(
        {.id = "model.systems",
         .menu = path,
         .text = Menus::tr("Se&veral Machines"),
         .tip = Menus::tr("Spread this network over a host and machines of several kinds"),
         .run = [&window = parts.window] { window.showPanel(QStringLiteral("systems")); },
         .whyNot = [&workspace] { return needsModel(workspace); },
         .commandLine =
             [&workspace, &window = parts.window] {
                 const auto* panel = window.findChild<views::SystemView*>();
                 return panel && workspace.graph()
                            ? modelLine(workspace, QStringLiteral("system"), panel->arguments())
                            : QString();
             }}));
    menu.addAction(parts.commands.add(
        {.id = "model.lut",
         .menu = path,
         .text = Menus::tr("&Look-Up Tables"),
         .tip = Menus::tr("Replace products by look-up tables and see how often the network is right"),
         .run = [&window = parts.window] { window.showPanel(QStringLiteral("lut")); },
         .whyNot = [&workspace] { return needsModel(workspace); },
         .commandLine = [&workspace] { return lutLine(workspace); }}));
    menu.addAction(parts.commands.add({.id = "model.cancel-tasks",
                                       .menu = path,
                                       .text = Menus::tr("Cancel &All Tasks"),
                                       .icon = "stop",
                                       .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_Period)},
                                       .run = [&workspace] { workspace.cancelTasks(); },
                                       .whyNot =
                                           [&workspace] {
                                               return workspace.tasks()->entries().isEmpty()
                                                          ? Menus::tr("Nothing is running.")
                                                          : QString();
                                           }}));
}

} // namespace

void fillModelMenu(QMenu& menu, const MenuParts& parts) {
    views::Workspace& workspace = parts.workspace;
    menu.setToolTipsVisible(true);
    menu.addAction(parts.commands.add({.id = "model.dimensions",
                                       .menu = {Menus::tr("Model")},
                                       .text = Menus::tr("&Dimensions…"),
                                       .icon = "settings",
                                       .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_D)},
                                       .tip = Menus::tr("Values of the dimensions the model leaves open"),
                                       .run =
                                           [&window = parts.window, &workspace] {
                                               auto* dialog = new BindingsDialog(workspace, &window);
                                               dialog->setAttribute(Qt::WA_DeleteOnClose);
                                               dialog->open();
                                           },
                                       .whyNot = [&workspace] { return needsModel(workspace); },
                                       .commandLine = [&workspace] { return compileLine(workspace); }}));
    addTargets(menu, parts);
    addHosts(menu, parts);
    addRanking(menu, parts);
    addOptions(menu, parts);
    menu.addSeparator();
    addWork(menu, parts);
}

} // namespace pim::studio
