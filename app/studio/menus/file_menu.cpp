// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/command_lines.h"
#include "app/studio/commands.h"
#include "app/studio/known_drafts_dialog.h"
#include "app/studio/main_window.h"
#include "app/studio/menus/menus.h"
#include "app/studio/settings.h"
#include "core/report/placed_model.h"
#include "views/models/workspace.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QUrl>

namespace pim::studio {
namespace {

void fillRecent(QMenu& menu, MainWindow& window, const Settings& settings) {
    menu.clear();
    for (const QString& path : settings.recentFiles()) {
        const QString file = QFileInfo(path).fileName();
        QAction* entry = menu.addAction(QFileInfo::exists(path) ? file : Menus::tr("%1 (missing)").arg(file),
                                        &window, [&window, path] { window.openFile(path); });
        entry->setToolTip(path);
    }
    menu.setEnabled(!menu.isEmpty());
}

QString projectFile(const views::Workspace& workspace) {
    return workspace.savedProject()
               ? QString::fromStdString(workspace.savedProject()->file().string())
               : QFileInfo(workspace.modelPath()).completeBaseName() + QStringLiteral(".pimproj");
}

QString proposed(const views::Workspace& workspace, const char* ending) {
    return QFileInfo(workspace.modelPath()).completeBaseName() + QString::fromLatin1(ending);
}

void openReport(MainWindow& window, views::Workspace& workspace) {
    const QString file = QFileDialog::getOpenFileName(&window, Menus::tr("Open Report"),
                                                      QFileInfo(workspace.modelPath()).path(),
                                                      Menus::tr("Reports (*.html *.pdf)"));
    if (!file.isEmpty() && !QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
        emit workspace.failed(
            Menus::tr("No program on this desktop shows %1").arg(QFileInfo(file).fileName()),
            Menus::tr("Open %1 in a browser or a PDF viewer.").arg(file));
}

void addOpening(QMenu& menu, const MenuParts& parts) {
    MainWindow& window = parts.window;
    const QStringList path{Menus::tr("File")};
    menu.addAction(parts.commands.add({.id = "file.open",
                                       .menu = path,
                                       .text = Menus::tr("&Open…"),
                                       .icon = "open",
                                       .shortcuts = {QKeySequence::Open},
                                       .tip = Menus::tr("Open a model or a project"),
                                       .run = [&window] { window.askForFile(); }}));
    menu.addAction(parts.commands.add(
        {.id = "file.open-report",
         .menu = path,
         .text = Menus::tr("Open Repor&t…"),
         .icon = "report",
         .tip = Menus::tr("Show an existing report in the browser or PDF viewer"),
         .run = [&window, &workspace = parts.workspace] { openReport(window, workspace); }}));
    QMenu* recent = menu.addMenu(Menus::tr("Open &Recent"));
    recent->setToolTipsVisible(true);
    const auto refill = [recent, &window, &settings = parts.settings] {
        fillRecent(*recent, window, settings);
    };
    QObject::connect(&parts.settings, &Settings::recentFilesChanged, recent, refill);
    refill();
    QMenu* samples = menu.addMenu(Menus::tr("Open Sa&mple"));
    samples->setToolTipsVisible(true);
    for (const Sample& sample : findSamples())
        samples->addAction(parts.commands.add(
            {.id = "sample." + sample.id,
             .menu = {path.front(), Menus::tr("Open Sample")},
             .text = sample.title,
             .tip = sample.summary,
             .run = [&window, sample] { window.openSample(sample); },
             .commandLine = [sample] { return QStringLiteral("pimc compile sample:%1").arg(sample.id); }}));
}

void addSaving(QMenu& menu, const MenuParts& parts) {
    MainWindow& window = parts.window;
    views::Workspace& workspace = parts.workspace;
    const QStringList path{Menus::tr("File")};
    const auto open = [&workspace] { return needsModel(workspace); };
    const auto line = [&workspace] {
        return compileLine(workspace, {QStringLiteral("--project"), shellWord(projectFile(workspace))});
    };
    menu.addAction(parts.commands.add({.id = "file.save-project",
                                       .menu = path,
                                       .text = Menus::tr("&Save Project"),
                                       .icon = "save",
                                       .shortcuts = {QKeySequence::Save},
                                       .tip = Menus::tr("Keep decisions and runs in the project file"),
                                       .run =
                                           [&] {
                                               workspace.savedProject()
                                                   ? window.saveProject(projectFile(workspace))
                                                   : window.askForProject();
                                           },
                                       .whyNot = open,
                                       .commandLine = line}));
    menu.addAction(parts.commands.add({.id = "file.save-project-as",
                                       .menu = path,
                                       .text = Menus::tr("Save Project &As…"),
                                       .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)},
                                       .tip = Menus::tr("Keep decisions and runs in a new project file"),
                                       .run = [&window] { window.askForProject(); },
                                       .whyNot = open,
                                       .commandLine = line}));
}

void showKnownDrafts(MainWindow& window, views::Workspace& workspace) {
    auto* dialog = window.findChild<KnownDraftsDialog*>();
    if (!dialog) {
        dialog = new KnownDraftsDialog(workspace, &window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void addKnownDrafts(QMenu& menu, const MenuParts& parts) {
    views::Workspace& workspace = parts.workspace;
    menu.addAction(parts.commands.add(
        {.id = "file.known-drafts",
         .menu = {Menus::tr("File")},
         .text = Menus::tr("Known &Drafts…"),
         .icon = "table",
         .tip = Menus::tr("View or clear the best drafts kept in the project"),
         .run = [&window = parts.window, &workspace] { showKnownDrafts(window, workspace); },
         .whyNot =
             [&workspace] {
                 if (QString reason = needsModel(workspace); !reason.isEmpty())
                     return reason;
                 return views::KnownDrafts::of(workspace).whyNotShown();
             },
         .commandLine =
             [&workspace] {
                 return QStringLiteral("pimc drafts %1").arg(shellWord(projectFile(workspace)));
             }}));
}

void addExport(QMenu& menu, const MenuParts& parts) {
    MainWindow& window = parts.window;
    views::Workspace& workspace = parts.workspace;
    const QStringList path{Menus::tr("File")};
    const auto planned = [&workspace] { return needsPlan(workspace); };
    menu.addAction(parts.commands.add(
        {.id = "file.export-bundle",
         .menu = path,
         .text = Menus::tr("Export &Bundle…"),
         .icon = "export",
         .shortcuts = {QKeySequence(Qt::CTRL | Qt::Key_B)},
         .tip = Menus::tr("Write programs, plan and provenance to a folder"),
         .run =
             [&] {
                 const QString folder = QFileDialog::getSaveFileName(
                     &window, Menus::tr("Export Bundle to a Folder"), proposed(workspace, "-bundle"), {},
                     nullptr, QFileDialog::DontConfirmOverwrite);
                 if (!folder.isEmpty())
                     workspace.exportBundle(folder);
             },
         .whyNot = planned,
         .commandLine =
             [&workspace] {
                 return compileLine(workspace,
                                    {QStringLiteral("--out"), shellWord(proposed(workspace, "-bundle"))});
             }}));
    menu.addAction(parts.commands.add(
        {.id = "file.export-report",
         .menu = path,
         .text = Menus::tr("Export &Report…"),
         .icon = "report",
         .shortcuts = {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R)},
         .tip = Menus::tr("Write the results as a web page or PDF"),
         .run =
             [&] {
                 const QString file = QFileDialog::getSaveFileName(
                     &window, Menus::tr("Export Report"), proposed(workspace, ".html"),
                     Menus::tr("Web page (*.html);;PDF document (*.pdf)"));
                 if (!file.isEmpty())
                     workspace.exportReport(file);
             },
         .whyNot = planned,
         .commandLine = [&workspace] { return reportLine(workspace, proposed(workspace, ".html")); }}));
    menu.addAction(parts.commands.add(
        {.id = "file.export-model",
         .menu = path,
         .text = Menus::tr("Export &Model with Placement…"),
         .tip = Menus::tr("Write the model with placement and times at its nodes, for Netron and others"),
         .run =
             [&] {
                 const QString file = QFileDialog::getSaveFileName(
                     &window, Menus::tr("Export Model with Placement"), proposed(workspace, "-placed.onnx"),
                     Menus::tr("ONNX models (*.onnx)"));
                 if (!file.isEmpty())
                     exportModel(workspace, file);
             },
         .whyNot = planned,
         .commandLine =
             [&workspace] {
                 return modelLine(
                     workspace, QStringLiteral("export-onnx"),
                     {QStringLiteral("--output"), shellWord(proposed(workspace, "-placed.onnx"))});
             }}));
}

void addVerify(QMenu& menu, const MenuParts& parts) {
    views::Workspace& workspace = parts.workspace;
    menu.addAction(parts.commands.add(
        {.id = "file.verify-bundle",
         .menu = {Menus::tr("File")},
         .text = Menus::tr("&Verify Bundle…"),
         .tip = Menus::tr("Check hashes, programs and totals of an exported bundle"),
         .run =
             [&window = parts.window] {
                 const QString folder =
                     QFileDialog::getExistingDirectory(&window, Menus::tr("Verify Bundle"));
                 if (!folder.isEmpty())
                     window.verifyBundle(folder);
             },
         .commandLine =
             [&workspace] {
                 return workspace.graph()
                            ? QStringLiteral("pimc verify %1").arg(shellWord(proposed(workspace, "-bundle")))
                            : QString();
             }}));
}

} // namespace

void exportModel(views::Workspace& workspace, const QString& file) {
    workspace.tasks()->start(
        Menus::tr("Exporting model"),
        [&workspace, file, plan = workspace.plan()](const TaskContext& task) -> std::function<void()> {
            const Result<void> written =
                writeWithMetadata(plan->graph->source.path, placedModel(*plan), file.toStdString(), task);
            return [&workspace, file, written] {
                if (written)
                    emit workspace.succeeded(Menus::tr("Model written to %1").arg(file), file);
                else if (written.error().code != ErrorCode::Cancelled)
                    emit workspace.failed(Menus::tr("The model is not exported: %1")
                                              .arg(QString::fromStdString(written.error().message)),
                                          QString::fromStdString(written.error().text()));
            };
        });
}

void fillFileMenu(QMenu& menu, const MenuParts& parts) {
    addOpening(menu, parts);
    menu.addSeparator();
    addSaving(menu, parts);
    addKnownDrafts(menu, parts);
    menu.addSeparator();
    addExport(menu, parts);
    addVerify(menu, parts);
    menu.addSeparator();
    menu.addAction(parts.commands.add({.id = "file.quit",
                                       .menu = {Menus::tr("File")},
                                       .text = Menus::tr("&Quit"),
                                       .shortcuts = {QKeySequence::Quit},
                                       .run = [&window = parts.window] { window.close(); }}));
}

} // namespace pim::studio
