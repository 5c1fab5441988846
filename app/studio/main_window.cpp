// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/main_window.h"

#include "app/studio/commands.h"
#include "app/studio/file_drops.h"
#include "app/studio/finder_sources.h"
#include "app/studio/help_library.h"
#include "app/studio/help_window.h"
#include "app/studio/layouts.h"
#include "app/studio/layouts_dialog.h"
#include "app/studio/menus/menus.h"
#include "app/studio/message_bar.h"
#include "app/studio/panels/log_model.h"
#include "app/studio/panels/message_log.h"
#include "app/studio/problem_dialog.h"
#include "app/studio/recovery_bar.h"
#include "app/studio/settings.h"
#include "app/studio/settings_dialog.h"
#include "app/studio/shortcut_editor.h"
#include "app/studio/studio_tour.h"
#include "app/studio/welcome_page.h"
#include "core/base/jobs.h"
#include "core/base/number_text.h"
#include "core/drafts/draft_choice.h"
#include "core/report/bundle.h"
#include "core/support/crash_reports.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"
#include "views/runs/runs_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLoggingCategory>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QToolBar>
#include <QUndoStack>

namespace pim::studio {

using views::Workspace;

namespace {

Q_LOGGING_CATEGORY(windowLog, "pim.window", QtInfoMsg)
Q_LOGGING_CATEGORY(workspaceLog, "pim.workspace", QtInfoMsg)

/// What the panels are about, as it changes.
void logWorkspace(const Workspace& workspace, const QObject* listener) {
    QObject::connect(&workspace, &Workspace::graphChanged, listener, [&workspace] {
        if (const auto graph = workspace.graph())
            qCInfo(workspaceLog, "model %s: %zu ops", qUtf8Printable(workspace.modelPath()),
                   graph->ops.size());
    });
    QObject::connect(&workspace, &Workspace::targetChanged, listener, [&workspace] {
        if (const auto target = workspace.target())
            qCInfo(workspaceLog, "machine %s, host %s", target->id.c_str(), target->host.id.c_str());
    });
    QObject::connect(&workspace, &Workspace::planChanged, listener, [&workspace] {
        if (const auto plan = workspace.plan(); plan && !workspace.isStale())
            qCInfo(workspaceLog, "plan of %zu ops: %s", plan->ops.size(),
                   timeText(plan->total.totalNs()).c_str());
    });
}

/// Most of the screen, as panels beside each other need it; what a person makes of it is remembered.
QSize firstSize(QSize available) {
    return QSize(1280, 720).expandedTo(available * 9 / 10).boundedTo(QSize(2400, 1350));
}

} // namespace

MainWindow::MainWindow(Workspace& workspace, Settings& settings)
    : m_workspace(workspace), m_settings(settings), m_commands(new Commands(this)),
      m_panels(new Panels(*this, settings, workspace.family())), m_layouts(new Layouts(*m_panels, this)),
      m_messages(new MessageBar), m_log(new MessageLog(this)), m_lines(new LogModel(Log::get(), this)) {
    setObjectName(QStringLiteral("MainWindow"));
    setAccessibleName(tr("PIM Studio"));
    setWindowTitle(tr("PIM Studio[*]"));
    resize(firstSize(screen()->availableSize()));

    auto* welcome = new WelcomePage(settings, workspace);
    setCentralWidget(welcome);
    connect(new FileDrops(*this), &FileDrops::dropped, this, &MainWindow::openDropped);
    connect(welcome, &WelcomePage::openRequested, this, &MainWindow::askForFile);
    connect(welcome, &WelcomePage::fileChosen, this, &MainWindow::openFile);
    connect(welcome, &WelcomePage::sampleChosen, this, &MainWindow::openSample);
    connect(welcome, &WelcomePage::tourRequested, this, &MainWindow::showTour);
    connect(welcome, &WelcomePage::helpRequested, this, &MainWindow::showHelpTopic);

    buildPanels();
    buildMenus();
    buildToolBars();
    buildStatusBar();
    followWorkspace();
    followSettings();
    restoreGeometry(settings.layout(QStringLiteral("geometry")));
    refresh();
}

MainWindow::~MainWindow() {
    delete m_help;
    // Panels cancel their tasks as they go; commands would be brought up to date from panels that are gone.
    for (const QObject* const sender :
         std::initializer_list<const QObject*>{&m_workspace, m_workspace.tasks(), m_workspace.simulations(),
                                               m_workspace.undoStack(), &m_settings})
        for (const QObject* const receiver : std::initializer_list<const QObject*>{this, m_commands})
            sender->disconnect(receiver);
}

void MainWindow::buildMenus() {
    const MenuParts parts{*this, m_workspace, m_settings, *m_commands};
    const std::pair<QString, void (*)(QMenu&, const MenuParts&)> menus[] = {
        {tr("&File"), fillFileMenu}, {tr("&Edit"), fillEditMenu}, {tr("&Model"), fillModelMenu},
        {tr("&Op"), fillOpMenu},     {tr("&View"), fillViewMenu}, {tr("&Help"), fillHelpMenu}};
    for (const auto& [title, fill] : menus) {
        QMenu* menu = menuBar()->addMenu(title);
        fill(*menu, parts);
        connect(menu, &QMenu::aboutToShow, m_commands, &Commands::refresh);
    }
}

void MainWindow::followWorkspace() {
    const Workspace& workspace = m_workspace;
    logWorkspace(workspace, this);
    connect(&workspace, &Workspace::failed, this, &MainWindow::showError);
    connect(&workspace, &Workspace::succeeded, this, &MainWindow::showNote);
    connect(&workspace, &Workspace::unsavedLeft, this, &MainWindow::offerUnsaved);
    connect(workspace.simulations(), &views::SimulationSource::changed, m_commands, &Commands::refresh);
    for (const auto signal : {&Workspace::graphChanged, &Workspace::targetChanged, &Workspace::planChanged,
                              &Workspace::projectChanged})
        connect(&workspace, signal, this, &MainWindow::refresh);
    for (const auto signal : {&Workspace::selectionChanged, &Workspace::overridesChanged})
        connect(&workspace, signal, m_commands, &Commands::refresh);
    connect(workspace.tasks(), &views::TaskList::changed, m_commands, &Commands::refresh);
    connect(workspace.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::refresh);
    connect(workspace.undoStack(), &QUndoStack::indexChanged, m_commands, &Commands::refresh);
    connect(&workspace, &Workspace::graphChanged, this, [this] {
        if (!m_workspace.graph())
            return;
        centralWidget()->hide(); // the panels take all the room
        m_panels->showAgain();
    });
    connect(&workspace, &Workspace::targetChanged, this, [this] {
        if (!m_workspace.target())
            return;
        m_settings.setTarget(QString::fromStdString(m_workspace.target()->id));
        m_panels->setFamily(m_workspace.family());
    });
    connect(&workspace, &Workspace::projectChanged, this, [this] {
        if (const Project* project = m_workspace.savedProject())
            m_settings.addRecentFile(QString::fromStdString(project->file().string()));
        else if (!m_workspace.modelPath().isEmpty())
            m_settings.addRecentFile(m_workspace.modelPath());
    });
}

/// What is set holds at once.
void MainWindow::followSettings() {
    applyShortcuts(*m_commands, m_settings);
    connect(m_commands, &Commands::triggered, this,
            [](const QString& id) { qCDebug(windowLog, "command %s", qUtf8Printable(id)); });
    connect(m_commands, &Commands::triggered, &m_settings, &Settings::addRecentCommand);
    const auto compileDefaults = [this] {
        CompileOptions options;
        options.computeType = dataTypeFromName(m_settings.value(setting::kType).toString().toStdString())
                                  .value_or(options.computeType);
        options.convAsGemm = m_settings.value(setting::kConvAsGemm).toBool();
        options.groupCommands = m_settings.value(setting::kGroupCommands).toBool();
        options.overlapHostTransfer = m_settings.value(setting::kOverlapTransfer).toBool();
        options.verifyDrafts = kVerifiedDrafts;
        m_workspace.setStartOptions(options);
    };
    const auto simulation = [this] {
        m_workspace.simulations()->setAutomatic(m_settings.value(setting::kSimulate).toBool());
    };
    const auto threads = [this] { setJobs(m_settings.value(setting::kJobs).toInt()); };
    connect(&m_settings, &Settings::changed, this,
            [this, compileDefaults, simulation, threads](const QString& key) {
                if (key.startsWith(QStringLiteral("compile/")))
                    compileDefaults();
                else if (key == QString::fromUtf16(setting::kTheme) ||
                         key.startsWith(QStringLiteral("appearance/")))
                    applyAppearance(m_settings);
                else if (key == QString::fromUtf16(setting::kSimulate))
                    simulation();
                else if (key == QString::fromUtf16(setting::kJobs))
                    threads();
                m_commands->refresh();
            });
    compileDefaults();
    simulation();
    threads();
}

void MainWindow::refresh() {
    const bool hasModel = m_workspace.graph() != nullptr;
    m_commands->refresh();
    if (const auto plan = m_workspace.plan(); plan && !m_workspace.isStale()) {
        const auto onPim =
            std::count_if(plan->ops.begin(), plan->ops.end(), [](const OpPlan& op) { return !op.onHost(); });
        double milliseconds = 0;
        for (const StageTime& stage : plan->stages)
            milliseconds += stage.milliseconds;
        m_status->setText(tr("%1 ops, %2 on PIM · planned in %3")
                              .arg(plan->ops.size())
                              .arg(onPim)
                              .arg(QString::fromStdString(timeText(milliseconds * 1e6))));
    } else if (!hasModel) {
        m_status->setText(tr("Drop an .onnx or .pimproj file anywhere"));
    }
    QString file;
    if (const Project* project = m_workspace.savedProject())
        file = QString::fromStdString(project->file().filename().string());
    else if (hasModel)
        file = QFileInfo(m_workspace.modelPath()).fileName();
    setWindowTitle(file.isEmpty() ? tr("PIM Studio[*]") : tr("%1[*] — PIM Studio").arg(file));
    setWindowModified(m_workspace.hasUnsavedChanges());
}

void MainWindow::openFromElsewhere(const QString& what) {
    setWindowState(windowState() & ~Qt::WindowMinimized);
    raise();
    activateWindow();
    const QString prefix = QStringLiteral("sample:");
    if (!what.startsWith(prefix))
        return what.isEmpty() ? void() : openFile(what);
    for (const Sample& sample : findSamples())
        if (sample.id == what.mid(prefix.size()))
            return openSample(sample);
    m_messages->showError(tr("There is no sample \"%1\"").arg(what.mid(prefix.size())), what);
}

void MainWindow::openFile(const QString& path) {
    qCInfo(windowLog, "open %s", qUtf8Printable(path));
    const OpenRequest request = judgeFile(path, true);
    switch (request.kind) {
    case OpenRequest::Kind::Project:
        return m_workspace.openProject(request.what);
    case OpenRequest::Kind::Target:
        return m_workspace.setTarget(request.what);
    case OpenRequest::Kind::Refused:
        return showError(request.reason, request.what);
    case OpenRequest::Kind::Link:
        return emit linkChosen(request.what);
    case OpenRequest::Kind::Model:
        return m_workspace.openModel(request.what);
    }
}

/// Sessions that nobody works on any more, in a bar of their own.
void MainWindow::offerUnsaved(const QString& folder) {
    m_workspace.tasks()->start(
        tr("Looking for unsaved work"),
        [window = QPointer(this), folder](const TaskContext&) -> std::function<void()> {
            return [window, folder, sessions = views::recoverableSessions(folder)] {
                if (window && !sessions.isEmpty())
                    showRecovery(*window, window->m_workspace, folder, sessions);
            };
        });
}

void MainWindow::openDropped(const QList<OpenRequest>& files) {
    // One document at a time; the others are a click away.
    for (qsizetype i = files.size() - 1; i > 0; --i)
        if (files[i].kind == OpenRequest::Kind::Model || files[i].kind == OpenRequest::Kind::Project)
            m_settings.addRecentFile(files[i].what);
    openFile(files.front().what);
}

void MainWindow::openSample(const Sample& sample) {
    m_workspace.openModel(sample.modelPath, sample.bindings, sample.target);
}

void MainWindow::saveProject(const QString& path) {
    m_workspace.saveProject(path);
}

void MainWindow::askForFile() {
    if (const QString path = QFileDialog::getOpenFileName(
            this, tr("Open"), m_settings.value(setting::kProjectFolder).toString(),
            tr("Models and projects (*.onnx *.pimproj);;All files (*)"));
        !path.isEmpty())
        openFile(path);
}

QString MainWindow::projectPath(const QString& name) const {
    const QString folder = m_settings.value(setting::kProjectFolder).toString();
    return folder.isEmpty() ? name : QDir(folder).filePath(name);
}

void MainWindow::askForProject() {
    const QString proposed =
        projectPath(QFileInfo(m_workspace.modelPath()).completeBaseName() + QStringLiteral(".pimproj"));
    QString path =
        QFileDialog::getSaveFileName(this, tr("Save Project"), proposed, tr("Projects (*.pimproj)"));
    if (path.isEmpty())
        return;
    if (!path.endsWith(QStringLiteral(".pimproj")))
        path += QStringLiteral(".pimproj");
    saveProject(path);
}

void MainWindow::showHelp() {
    showHelpTopic(helpTopic(QApplication::focusWidget()));
}

void MainWindow::showHelpTopic(const QString& topic) {
    if (!m_help)
        m_help = new HelpWindow;
    m_help->showPage(topic);
}

void MainWindow::showTour() {
    if (!findChild<Tour*>())
        startTour(*this, m_workspace);
}

void MainWindow::useLayout(const QString& name) {
    if (const QString problem = m_layouts->apply(name); !problem.isEmpty())
        showError(problem, {});
}

void MainWindow::showLayouts() {
    auto* dialog = new LayoutsDialog(*m_layouts, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::verifyBundle(const QString& folder) {
    m_workspace.tasks()->start(
        tr("Verifying %1").arg(folder),
        [self = QPointer(this), &backends = m_workspace.backends(),
         folder](const TaskContext& task) -> std::function<void()> {
            const auto report = pim::verifyBundle(backends, folder.toStdString(), task);
            return [self, folder, report] {
                if (!self)
                    return;
                if (!report)
                    return self->showError(tr("%1 cannot be verified").arg(folder),
                                           QString::fromStdString(report.error().text()));
                if (report->problems.empty())
                    return self->showNote(tr("The bundle is sound: %1 files, %2 programs")
                                              .arg(report->files)
                                              .arg(report->programs),
                                          folder);
                QStringList problems;
                for (const Diagnostic& problem : report->problems)
                    problems.append(
                        QString::fromStdString(problem.object + ": " + problem.message +
                                               (problem.hint.empty() ? "" : " (" + problem.hint + ")")));
                self->showError(tr("%1 things are wrong with the bundle %2").arg(problems.size()).arg(folder),
                                problems.join(u'\n'));
            };
        });
}

void MainWindow::showPalette() {
    m_commands->refresh();
    (new Finder(tr("Type to find a command"), {commandSource(*m_commands, m_settings.recentCommands())},
                this))
        ->show();
}

void MainWindow::showLocator() {
    (new Finder(tr("Type to find an op, a tensor, a run, a setting, …"),
                locatorSources(*this, m_workspace, m_settings), this))
        ->show();
}

SettingsDialog* MainWindow::openSettings() {
    auto* dialog = findChild<SettingsDialog*>();
    if (!dialog) {
        dialog = new SettingsDialog(m_settings, *m_commands, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
    return dialog;
}

void MainWindow::showSettings(const QString& key) {
    SettingsDialog* dialog = openSettings();
    if (!key.isEmpty())
        dialog->showSetting(key);
}

void MainWindow::showShortcuts() {
    openSettings()->showPage(SettingsDialog::tr("Shortcuts"));
}

void MainWindow::showRun(std::int64_t id) {
    showPanel(QStringLiteral("runs"));
    if (auto* runs = findChild<views::RunsView*>();
        runs && m_workspace.lastRun() != 0 && m_workspace.lastRun() != id)
        runs->compare(id, m_workspace.lastRun());
}

void MainWindow::showError(const QString& message, const QString& details) {
    Log::get().write(
        LogLevel::Error, "window",
        (details.isEmpty() || details == message ? message : QStringLiteral("%1: %2").arg(message, details))
            .toStdString());
    m_log->addError(message, details);
    m_messages->showError(message, details);
}

void MainWindow::showNote(const QString& message, const QString& path) {
    qCInfo(windowLog, "%s", qUtf8Printable(message));
    m_log->addNote(message, path);
    m_messages->showNote(message, path);
}

void MainWindow::showPanel(const QString& id) {
    QDockWidget* dock = m_panels->dock(id);
    dock->show();
    dock->raise();
    dock->widget()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::togglePanel(const QString& id) {
    QDockWidget* dock = m_panels->dock(id);
    if (dock->isHidden() || dock->visibleRegion().isEmpty())
        showPanel(id);
    else
        dock->close();
}

void MainWindow::copyCommand(const QString& line) {
    QApplication::clipboard()->setText(line);
    statusBar()->showMessage(tr("Copied the equivalent pimc command"), 4000);
}

void MainWindow::showLog() {
    showPanel(QStringLiteral("log"));
}

void MainWindow::reportProblem(const QString& crash) {
    auto* dialog = new ProblemDialog(m_workspace, m_settings, QString::fromStdString(crashFolder().string()),
                                     crash, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ProblemDialog::saved, this, &MainWindow::showNote);
    dialog->show();
}

/// False: somebody is asked, and closes the window with the answer.
bool MainWindow::mayClose() {
    if (m_closing || m_unattended)
        return true;
    const auto ask = [this](QMessageBox::Icon icon, const QString& title, const QString& text,
                            QMessageBox::StandardButtons buttons, QMessageBox::StandardButton closes) {
        auto* box = new QMessageBox(icon, title, text, buttons, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        connect(box, &QMessageBox::finished, this, [this, closes](int answer) {
            if (answer == QMessageBox::Save)
                askForProject();
            if (answer == closes) {
                m_closing = true;
                close();
            }
        });
        box->open();
        return box;
    };
    // Decisions that are in no project would be gone; runs in a project are stored when they are made.
    if (m_settings.value(setting::kAskUnsaved).toBool() && m_workspace.graph() &&
        m_workspace.hasUnsavedChanges() && !m_workspace.savedProject()) {
        ask(QMessageBox::Question, tr("Unsaved Decisions"),
            tr("Your decisions and runs are not saved in a project yet. Save them?"),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Discard);
        return false;
    }
    constexpr double kLongSeconds = 3; // what is younger is soon done again
    QStringList running;
    for (const views::TaskList::Entry& entry : m_workspace.tasks()->entries())
        if (entry.seconds >= kLongSeconds)
            running.append(QStringLiteral("•  ") + entry.name);
    if (running.isEmpty())
        return true;
    auto* const box =
        ask(QMessageBox::Question, tr("Work Is Running"),
            running.size() == 1 ? tr("One task is still running. Stop it and close?")
                                : tr("%1 tasks are still running. Stop them and close?").arg(running.size()),
            QMessageBox::Close | QMessageBox::Cancel, QMessageBox::Close);
    box->setInformativeText(running.join(u'\n'));
    box->button(QMessageBox::Close)->setText(tr("Stop and Close"));
    return false;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayClose())
        return event->ignore();
    m_panels->save();
    m_settings.setLayout(QStringLiteral("geometry"), saveGeometry());
    if (m_help)
        m_help->close();
    event->accept();
}

} // namespace pim::studio
