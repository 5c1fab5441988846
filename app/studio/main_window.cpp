// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/main_window.h"

#include "app/studio/command_palette.h"
#include "app/studio/commands.h"
#include "app/studio/file_drops.h"
#include "app/studio/help_library.h"
#include "app/studio/help_window.h"
#include "app/studio/layouts.h"
#include "app/studio/layouts_dialog.h"
#include "app/studio/menus/menus.h"
#include "app/studio/message_bar.h"
#include "app/studio/settings.h"
#include "app/studio/studio_tour.h"
#include "app/studio/welcome_page.h"
#include "core/base/number_text.h"
#include "views/models/workspace.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>
#include <QToolBar>
#include <QUndoStack>

namespace pim::studio {

using views::Workspace;

MainWindow::MainWindow(Workspace& workspace, Settings& settings)
    : m_workspace(workspace), m_settings(settings), m_commands(new Commands(this)), m_panels(new Panels(*this, settings)), m_layouts(new Layouts(*m_panels, this)), m_messages(new MessageBar) {
    setObjectName(QStringLiteral("MainWindow"));
    setAccessibleName(tr("PIM Studio"));
    setWindowTitle(tr("PIM Studio[*]"));
    resize(1280, 720);

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
    restoreGeometry(settings.layout(QStringLiteral("geometry")));
    refresh();
}

MainWindow::~MainWindow() { delete m_help; }

void MainWindow::buildMenus() {
    const MenuParts parts{*this, m_workspace, m_settings, *m_commands};
    const std::pair<QString, void (*)(QMenu&, const MenuParts&)> menus[] = {{tr("&File"), fillFileMenu}, {tr("&Edit"), fillEditMenu}, {tr("&Model"), fillModelMenu},
                                                                             {tr("&Op"), fillOpMenu},     {tr("&View"), fillViewMenu}, {tr("&Help"), fillHelpMenu}};
    for (const auto& [title, fill] : menus) {
        QMenu* menu = menuBar()->addMenu(title);
        fill(*menu, parts);
        connect(menu, &QMenu::aboutToShow, m_commands, &Commands::refresh);
    }
}

void MainWindow::followWorkspace() {
    const Workspace& workspace = m_workspace;
    connect(&workspace, &Workspace::failed, m_messages, &MessageBar::showError);
    connect(&workspace, &Workspace::succeeded, m_messages, &MessageBar::showNote);
    for (const auto signal : {&Workspace::graphChanged, &Workspace::targetChanged, &Workspace::planChanged, &Workspace::projectChanged})
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
        m_panels->setPlanKind(m_workspace.target()->family == "dual-mode-cim" ? PlanKind::Segments : PlanKind::Drafts);
    });
    connect(&workspace, &Workspace::projectChanged, this, [this] {
        if (m_workspace.project())
            m_settings.addRecentFile(QString::fromStdString(m_workspace.project()->file().string()));
        else if (!m_workspace.modelPath().isEmpty())
            m_settings.addRecentFile(m_workspace.modelPath());
    });
}

void MainWindow::refresh() {
    const bool hasModel = m_workspace.graph() != nullptr;
    m_commands->refresh();
    if (const auto plan = m_workspace.plan(); plan && !m_workspace.isStale()) {
        const auto onPim = std::count_if(plan->ops.begin(), plan->ops.end(), [](const OpPlan& op) { return op.placement == Placement::Pim; });
        double milliseconds = 0;
        for (const StageTime& stage : plan->stages)
            milliseconds += stage.milliseconds;
        m_status->setText(tr("%1 ops, %2 on PIM · planned in %3").arg(plan->ops.size()).arg(onPim).arg(QString::fromStdString(timeText(milliseconds * 1e6))));
    } else if (!hasModel) {
        m_status->setText(tr("Drop an .onnx or .pimproj file anywhere"));
    }
    QString file;
    if (m_workspace.project())
        file = QString::fromStdString(m_workspace.project()->file().filename().string());
    else if (hasModel)
        file = QFileInfo(m_workspace.modelPath()).fileName();
    setWindowTitle(file.isEmpty() ? tr("PIM Studio[*]") : tr("%1[*] — PIM Studio").arg(file));
    setWindowModified(m_workspace.hasUnsavedChanges());
}

void MainWindow::openFile(const QString& path) {
    const OpenRequest request = judgeFile(path, true);
    switch (request.kind) {
    case OpenRequest::Kind::Project: return m_workspace.openProject(request.what);
    case OpenRequest::Kind::Target: return m_workspace.setTarget(request.what);
    case OpenRequest::Kind::Refused: return m_messages->showError(request.reason, request.what);
    case OpenRequest::Kind::Link: return emit linkChosen(request.what);
    case OpenRequest::Kind::Model: return m_workspace.openModel(request.what);
    }
}

void MainWindow::openDropped(const QList<OpenRequest>& files) {
    // One document at a time; the others are a click away.
    for (qsizetype i = files.size() - 1; i > 0; --i)
        if (files[i].kind == OpenRequest::Kind::Model || files[i].kind == OpenRequest::Kind::Project)
            m_settings.addRecentFile(files[i].what);
    openFile(files.front().what);
}

void MainWindow::openSample(const Sample& sample) { m_workspace.openModel(sample.modelPath, sample.bindings, sample.target); }

void MainWindow::saveProject(const QString& path) { m_workspace.saveProject(path); }

void MainWindow::askForFile() {
    if (const QString path = QFileDialog::getOpenFileName(this, tr("Open"), {}, tr("Models and projects (*.onnx *.pimproj);;All files (*)")); !path.isEmpty())
        openFile(path);
}

void MainWindow::askForProject() {
    const QString proposed = QFileInfo(m_workspace.modelPath()).completeBaseName() + QStringLiteral(".pimproj");
    QString path = QFileDialog::getSaveFileName(this, tr("Save Project"), proposed, tr("Projects (*.pimproj)"));
    if (path.isEmpty())
        return;
    if (!path.endsWith(QStringLiteral(".pimproj")))
        path += QStringLiteral(".pimproj");
    saveProject(path);
}

void MainWindow::showHelp() { showHelpTopic(helpTopic(QApplication::focusWidget())); }

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
        m_messages->showError(problem, {});
}

void MainWindow::showLayouts() {
    auto* dialog = new LayoutsDialog(*m_layouts, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showPalette() {
    (new CommandPalette(tr("Type to find a command"), commandEntries(*m_commands), this))->show();
}

void MainWindow::showLocator() {
    const auto graph = m_workspace.graph();
    if (!graph)
        return;
    QList<PaletteEntry> entries;
    for (std::size_t i = 0; i < graph->ops.size(); ++i)
        entries.append({QString::fromStdString(graph->ops[i].name), QString::fromStdString(graph->ops[i].type), true, [this, i] { m_workspace.selectOp(OpId(static_cast<std::int64_t>(i))); }});
    auto* locator = new CommandPalette(tr("Type to find an op"), std::move(entries), this);
    locator->show();
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
    statusBar()->showMessage(tr("Copied the pimc command that does the same"), 4000);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    // Decisions that are in no project would be gone; runs in a project are stored when they are made.
    if (!m_closing && !m_unattended && m_workspace.graph() && m_workspace.hasUnsavedChanges() && !m_workspace.project()) {
        event->ignore();
        auto* box = new QMessageBox(QMessageBox::Question, tr("Unsaved Decisions"), tr("Your decisions are in no project yet. Save them?"),
                                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        connect(box, &QMessageBox::finished, this, [this](int answer) {
            if (answer == QMessageBox::Save)
                askForProject();
            if (answer == QMessageBox::Discard) {
                m_closing = true;
                close();
            }
        });
        box->open();
        return;
    }
    m_panels->save();
    m_settings.setLayout(QStringLiteral("geometry"), saveGeometry());
    if (m_help)
        m_help->close();
    event->accept();
}

} // namespace pim::studio
