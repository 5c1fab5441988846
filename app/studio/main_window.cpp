// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/main_window.h"

#include "app/studio/bindings_dialog.h"
#include "app/studio/command_palette.h"
#include "app/studio/headline_bar.h"
#include "app/studio/help_window.h"
#include "app/studio/message_bar.h"
#include "app/studio/panels/decisions_panel.h"
#include "app/studio/panels/model_panel.h"
#include "app/studio/panels/passes_panel.h"
#include "app/studio/panels/problems_panel.h"
#include "app/studio/settings.h"
#include "app/studio/task_bar.h"
#include "app/studio/target_box.h"
#include "app/studio/welcome_page.h"
#include "core/base/number_text.h"
#include "core/base/version.h"
#include "core/cim/option_text.h"
#include "views/breakdown/breakdown_view.h"
#include "views/commands/commands_view.h"
#include "views/common/icons.h"
#include "views/drafts/drafts_view.h"
#include "views/graph/graph_view.h"
#include "views/hardware/hardware_view.h"
#include "views/inspector/inspector_view.h"
#include "views/memory_layout/layout_view.h"
#include "views/models/workspace.h"
#include "views/runs/runs_view.h"
#include "views/segments/segment_editor.h"
#include "views/speed_map/speed_map_view.h"
#include "views/speed_map/sweep_panel.h"
#include "views/tiles/tiles_view.h"
#include "views/timeline/timeline_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QHash>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QRegularExpression>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QUndoStack>
#include <QUndoView>

namespace pim::studio {
namespace {

using views::Workspace;

bool isOurs(const QString& path) {
    return path.endsWith(QStringLiteral(".onnx"), Qt::CaseInsensitive) || path.endsWith(QStringLiteral(".pimproj"), Qt::CaseInsensitive);
}

/// Files we can open among what is dragged.
QStringList droppedFiles(const QMimeData* mime) {
    QStringList files;
    for (const QUrl& url : mime ? mime->urls() : QList<QUrl>())
        if (url.isLocalFile() && isOurs(url.toLocalFile()))
            files.append(url.toLocalFile());
    return files;
}

} // namespace

MainWindow::MainWindow(Workspace& workspace, Settings& settings)
    : m_workspace(workspace), m_settings(settings), m_panels(new Panels(*this, settings)), m_messages(new MessageBar) {
    setObjectName(QStringLiteral("MainWindow"));
    setAccessibleName(tr("PIM Studio"));
    setWindowTitle(tr("PIM Studio[*]"));
    resize(1280, 720);

    auto* welcome = new WelcomePage(settings);
    setCentralWidget(welcome);
    setAcceptDrops(true);
    connect(welcome, &WelcomePage::openRequested, this, &MainWindow::askForFile);
    connect(welcome, &WelcomePage::fileChosen, this, &MainWindow::openFile);
    connect(welcome, &WelcomePage::sampleChosen, this, &MainWindow::openSample);

    buildPanels();
    buildFileMenu();
    buildEditMenu();
    buildModelMenu();
    buildViewMenu();
    buildHelpMenu();
    buildToolBars();

    statusBar()->setAccessibleName(tr("Status"));
    m_status = new QLabel;
    m_status->setAccessibleName(tr("Size of the network and time of planning"));
    m_status->setContentsMargins(6, 0, 0, 0);
    statusBar()->addWidget(m_status);
    statusBar()->addPermanentWidget(new TaskBar(*workspace.tasks()));
    connect(&workspace, &Workspace::failed, m_messages, &MessageBar::showError);
    connect(&workspace, &Workspace::succeeded, m_messages, &MessageBar::showNote);
    for (const auto signal : {&Workspace::graphChanged, &Workspace::targetChanged, &Workspace::planChanged, &Workspace::projectChanged})
        connect(&workspace, signal, this, &MainWindow::refresh);
    connect(workspace.tasks(), &views::TaskList::changed, this, [this] { m_cancelTasks->setEnabled(!m_workspace.tasks()->entries().isEmpty()); });
    connect(workspace.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::refresh);
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
        const bool segments = m_workspace.target()->family == "dual-mode-cim";
        m_panels->setPlanKind(segments ? PlanKind::Segments : PlanKind::Drafts);
        QAction* why = m_questions->actions()[static_cast<int>(Question::WhyThisDraft)];
        why->setText(segments ? tr("Why These Se&gments") : tr("Why This &Draft"));
    });
    connect(&workspace, &Workspace::projectChanged, this, [this] {
        if (m_workspace.project())
            m_settings.addRecentFile(QString::fromStdString(m_workspace.project()->file().string()));
        else if (!m_workspace.modelPath().isEmpty())
            m_settings.addRecentFile(m_workspace.modelPath());
    });
    // Files may be dropped anywhere, also on panels that take other things.
    qApp->installEventFilter(this);
    restoreGeometry(settings.layout(QStringLiteral("geometry")));
    refresh();
}

MainWindow::~MainWindow() {
    qApp->removeEventFilter(this);
    delete m_help;
}

void MainWindow::buildPanels() {
    const auto add = [this](const char* id, const QString& title, QWidget* content) { return m_panels->add(QString::fromLatin1(id), title, content); };
    auto* graph = new views::GraphView(m_workspace);
    add("graph", tr("Graph"), graph);
    QDockWidget* inspector = add("inspector", tr("Inspector"), new views::InspectorView(m_workspace));
    auto* breakdown = new views::BreakdownView(m_workspace);
    add("breakdown", tr("Breakdown"), breakdown);
    const auto inspect = [inspector] {
        inspector->show();
        inspector->raise();
    };
    connect(graph, &views::GraphView::inspectRequested, inspector, inspect);
    connect(breakdown, &views::BreakdownView::inspectRequested, inspector, inspect);
    connect(graph, &views::GraphView::openRequested, this, &MainWindow::askForFile);
    add("drafts", tr("Drafts"), new views::DraftsView(m_workspace));
    add("tiles", tr("Tiles"), new views::TilesView(m_workspace));
    add("hardware", tr("Hardware"), new views::HardwareView(m_workspace));
    add("segments", tr("Segments"), new views::SegmentEditor(m_workspace));
    add("timeline", tr("Timeline"), new views::TimelineView(m_workspace));
    // What these show takes work: only while they are in front.
    auto* commands = new views::CommandsView(m_workspace);
    connect(add("commands", tr("Commands"), commands), &QDockWidget::visibilityChanged, commands, &views::CommandsView::setSeen);
    auto* layout = new views::LayoutView(m_workspace);
    connect(add("layout", tr("Memory Layout"), layout), &QDockWidget::visibilityChanged, layout, &views::LayoutView::setSeen);
    add("speed", tr("Array Counts"), new views::SpeedMapView(m_workspace));
    add("sweep", tr("Sweep"), new views::SweepPanel(m_workspace));
    auto* runs = new views::RunsView(m_workspace);
    add("runs", tr("Runs"), runs);
    connect(runs, &views::RunsView::saveRequested, this, &MainWindow::askForProject);
    add("model", tr("Model"), new ModelPanel(m_workspace));
    add("passes", tr("Passes"), new PassesPanel(m_workspace));
    auto* decisions = new DecisionsPanel(m_workspace);
    add("decisions", tr("Decisions"), decisions);
    connect(decisions, &DecisionsPanel::failed, m_messages, &MessageBar::showError);
    connect(decisions, &DecisionsPanel::succeeded, m_messages, &MessageBar::showNote);
    auto* problems = new ProblemsPanel(m_workspace);
    QDockWidget* problemsDock = add("problems", tr("Problems"), problems);
    const auto showCount = [problemsDock](int count) { problemsDock->setWindowTitle(count > 0 ? tr("Problems (%1)").arg(count) : tr("Problems")); };
    connect(problems, &ProblemsPanel::countChanged, problemsDock, showCount);
    showCount(problems->count());
    auto* history = new QUndoView(m_workspace.undoStack());
    history->setEmptyLabel(tr("As opened"));
    history->setAccessibleName(tr("History of your decisions"));
    add("history", tr("History"), history);
}

QAction* MainWindow::action(QMenu* menu, const QString& text, const QString& iconName, const QKeySequence& shortcut, std::function<void()> run) {
    auto* result = new QAction(text, this);
    if (!iconName.isEmpty())
        result->setIcon(views::icon(iconName));
    result->setShortcut(shortcut);
    if (run)
        connect(result, &QAction::triggered, this, std::move(run));
    menu->addAction(result);
    return result;
}

void MainWindow::buildFileMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    m_open = action(menu, tr("&Open…"), QStringLiteral("open"), QKeySequence::Open, [this] { askForFile(); });
    m_recentMenu = menu->addMenu(tr("Open &Recent"));
    connect(&m_settings, &Settings::recentFilesChanged, this, &MainWindow::fillRecentMenu);
    fillRecentMenu();
    QMenu* samples = menu->addMenu(tr("Open Sa&mple"));
    for (const Sample& sample : findSamples())
        action(samples, sample.title, {}, {}, [this, sample] { openSample(sample); })->setToolTip(sample.summary);
    menu->addSeparator();
    m_save = action(menu, tr("&Save Project"), QStringLiteral("save"), QKeySequence::Save, [this] {
        if (m_workspace.project())
            saveProject(QString::fromStdString(m_workspace.project()->file().string()));
        else
            askForProject();
    });
    QAction* saveAs = action(menu, tr("Save Project &As…"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { askForProject(); });
    menu->addSeparator();
    QAction* bundle = action(menu, tr("Export &Bundle…"), QStringLiteral("export"), QKeySequence(Qt::CTRL | Qt::Key_B), [this] {
        const QString proposed = QFileInfo(m_workspace.modelPath()).completeBaseName() + QStringLiteral("-bundle");
        if (const QString path = QFileDialog::getSaveFileName(this, tr("Export Bundle to a Folder"), proposed, {}, nullptr, QFileDialog::DontConfirmOverwrite); !path.isEmpty())
            m_workspace.exportBundle(path);
    });
    QAction* report = action(menu, tr("Export &Report…"), QStringLiteral("report"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), [this] {
        const QString proposed = QFileInfo(m_workspace.modelPath()).completeBaseName() + QStringLiteral(".html");
        if (const QString path = QFileDialog::getSaveFileName(this, tr("Export Report"), proposed, tr("Web page (*.html);;PDF document (*.pdf)")); !path.isEmpty())
            m_workspace.exportReport(path);
    });
    menu->addSeparator();
    action(menu, tr("&Quit"), {}, QKeySequence::Quit, [this] { close(); });
    m_needModel << m_save << saveAs;
    m_needPlan << bundle << report;
}

void MainWindow::buildEditMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    m_undo = m_workspace.undoStack()->createUndoAction(this, tr("&Undo"));
    m_undo->setShortcut(QKeySequence::Undo);
    m_undo->setIcon(views::icon(QStringLiteral("undo")));
    m_redo = m_workspace.undoStack()->createRedoAction(this, tr("&Redo"));
    m_redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    m_redo->setIcon(views::icon(QStringLiteral("redo")));
    menu->addAction(m_undo);
    menu->addAction(m_redo);
    menu->addSeparator();
    QAction* find = action(menu, tr("Go to &Op…"), QStringLiteral("search"), QKeySequence(Qt::CTRL | Qt::Key_K), [this] { showLocator(); });
    QAction* copy = action(menu, tr("&Copy as Command"), {}, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] {
        QApplication::clipboard()->setText(commandLine());
        statusBar()->showMessage(tr("Copied the pimc command that does the same"), 4000);
    });
    m_needModel << find << copy;
}

void MainWindow::buildModelMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Model"));
    m_dimensions = action(menu, tr("&Dimensions…"), QStringLiteral("settings"), QKeySequence(Qt::CTRL | Qt::Key_D), [this] {
        auto* dialog = new BindingsDialog(m_workspace, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    QMenu* targets = menu->addMenu(views::icon(QStringLiteral("target")), tr("&Target"));
    targets->setToolTipsVisible(true);
    for (const auto& target : m_workspace.catalog().targets())
        action(targets, QString::fromStdString(target->name), {}, {}, [this, id = QString::fromStdString(target->id)] { m_workspace.setTarget(id); })
            ->setToolTip(QString::fromStdString(target->summary));
    m_hostMenu = menu->addMenu(tr("&Host Beside It"));
    for (const auto& host : m_workspace.catalog().hosts())
        action(m_hostMenu, QString::fromStdString(host->name), {}, {}, [this, id = QString::fromStdString(host->id)] {
            if (m_workspace.target())
                m_workspace.setTarget(QString::fromStdString(m_workspace.target()->id), id);
        });
    QMenu* types = menu->addMenu(tr("&Number Type"));
    auto* typeGroup = new QActionGroup(this);
    for (const DataType type : {DataType::F16, DataType::BF16, DataType::F32, DataType::I8}) {
        QAction* choice = action(types, QString::fromUtf8(name(type).data()), {}, {}, [this, type] {
            CompileOptions options = m_workspace.options();
            options.computeType = type;
            m_workspace.setOptions(options);
        });
        choice->setCheckable(true);
        choice->setActionGroup(typeGroup);
        connect(types, &QMenu::aboutToShow, choice, [this, choice, type] { choice->setChecked(m_workspace.options().computeType == type); });
    }
    const auto option = [&](const QString& text, bool CompileOptions::*field) {
        QAction* choice = action(menu, text, {}, {}, [this, field] {
            CompileOptions options = m_workspace.options();
            options.*field = !(options.*field);
            m_workspace.setOptions(options);
        });
        choice->setCheckable(true);
        connect(menu, &QMenu::aboutToShow, choice, [this, choice, field] { choice->setChecked(m_workspace.options().*field); });
        choice->setChecked(m_workspace.options().*field);
    };
    option(tr("&Convolution as Matrix Product"), &CompileOptions::convAsGemm);
    option(tr("&Group-Level Commands"), &CompileOptions::groupCommands);
    option(tr("&Overlap Host and PIM Transfer"), &CompileOptions::overlapHostTransfer);
    menu->addSeparator();
    m_recompute = action(menu, tr("&Recompute"), QStringLiteral("play"), QKeySequence(Qt::Key_F5), [this] { m_workspace.recompute(); });
    m_cancelTasks = action(menu, tr("Cancel &All Tasks"), QStringLiteral("stop"), QKeySequence(Qt::CTRL | Qt::Key_Period), [this] { m_workspace.cancelTasks(); });
    m_cancelTasks->setEnabled(false);
    m_needModel << m_dimensions;
}

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    m_questions = new QActionGroup(this);
    const std::pair<QString, QString> questions[kQuestions] = {
        {tr("&Where Time Goes"), tr("Where does the time go? Graph, breakdown, inspector")},
        {tr("Why This &Draft"), tr("Why this draft? Drafts, tiles, hardware")},
        {tr("What &If"), tr("What if? Decisions, history, runs compared")},
    };
    for (int i = 0; i < kQuestions; ++i) {
        const auto question = static_cast<Question>(i);
        QAction* choice = action(menu, questions[i].first, {}, QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), [this, question] { m_panels->show(question); });
        choice->setToolTip(QStringLiteral("%1 (%2)").arg(questions[i].second, choice->shortcut().toString(QKeySequence::NativeText)));
        choice->setCheckable(true);
        choice->setChecked(i == 0);
        choice->setActionGroup(m_questions);
        m_needModel << choice;
    }
    connect(m_panels, &Panels::questionChanged, this, [this](Question question) { m_questions->actions()[static_cast<int>(question)]->setChecked(true); });
    menu->addSeparator();
    QMenu* list = menu->addMenu(tr("&Panels"));
    for (const auto& [id, dock] : m_panels->docks())
        list->addAction(dock->toggleViewAction());
    m_needModel << list->menuAction();
    QAction* lock = action(menu, tr("&Lock Layout"), {}, {}, nullptr);
    lock->setCheckable(true);
    lock->setChecked(m_panels->isLocked());
    connect(lock, &QAction::toggled, m_panels, &Panels::setLocked);
    action(menu, tr("&Reset Layout"), {}, {}, [this] { m_panels->reset(); });
    menu->addSeparator();
    QMenu* themes = menu->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    const std::tuple<QString, QString, ThemeChoice> choices[] = {
        {tr("As the &System"), {}, ThemeChoice::System}, {tr("&Light"), QStringLiteral("light"), ThemeChoice::Light}, {tr("&Dark"), QStringLiteral("dark"), ThemeChoice::Dark}};
    for (const auto& [text, iconName, theme] : choices) {
        QAction* choice = action(themes, text, iconName, {}, [this, theme = theme] { m_settings.setTheme(theme); });
        choice->setCheckable(true);
        choice->setChecked(m_settings.theme() == theme);
        choice->setActionGroup(group);
    }
    QAction* full = action(menu, tr("&Full Screen"), {}, QKeySequence(Qt::Key_F11), nullptr);
    full->setCheckable(true);
    connect(full, &QAction::toggled, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
}

void MainWindow::buildHelpMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    action(menu, tr("&Help"), {}, QKeySequence::HelpContents, [this] { showHelp(); });
    m_palette = action(menu, tr("&Command Palette…"), QStringLiteral("search"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] { showPalette(); });
    menu->addSeparator();
    action(menu, tr("&About PIM Studio"), {}, {}, [this] {
        auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About PIM Studio"),
                                    tr("<h3>PIM Studio %1</h3><p>Compiles neural networks for processing-in-memory hardware and shows why it decides as it does.</p>"
                                       "<p>Free software under the GNU General Public License, version 3 or later.</p><p>Qt %2</p>")
                                        .arg(QStringLiteral(PIM_VERSION), QString::fromLatin1(qVersion())),
                                    QMessageBox::Close, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
}

void MainWindow::buildToolBars() {
    auto* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("MainBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(18, 18));
    for (QAction* each : {m_open, m_save, m_undo, m_redo})
        bar->addAction(each);
    bar->addSeparator();
    bar->addWidget(new TargetBox(m_workspace));
    bar->addAction(m_dimensions);
    static_cast<QToolButton*>(bar->widgetForAction(m_dimensions))->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    for (QAction* question : m_questions->actions()) {
        bar->addAction(question);
        auto* button = static_cast<QToolButton*>(bar->widgetForAction(question));
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setProperty("segment", true);
    }
    bar->addSeparator();
    bar->addAction(m_palette);
    for (QToolButton* button : bar->findChildren<QToolButton*>())
        if (const QAction* each = button->defaultAction())
            button->setAccessibleName(QString(each->text()).remove(u'&').remove(u'…'));

    addToolBarBreak();
    auto* headline = addToolBar(tr("Result"));
    headline->setObjectName(QStringLiteral("ResultBar"));
    headline->setMovable(false);
    headline->setContextMenuPolicy(Qt::PreventContextMenu);
    headline->addWidget(new HeadlineBar(m_workspace));

    addToolBarBreak();
    m_messageHolder = addToolBar(tr("Messages"));
    m_messageHolder->setObjectName(QStringLiteral("MessageHolder"));
    m_messageHolder->setMovable(false);
    m_messageHolder->setContextMenuPolicy(Qt::PreventContextMenu);
    QAction* holder = m_messageHolder->addWidget(m_messages);
    const auto showMessages = [this, holder](bool visible) {
        holder->setVisible(visible);
        m_messageHolder->setVisible(visible);
    };
    showMessages(false);
    connect(m_messages, &MessageBar::visibilityChanged, this, showMessages);
    // A stored layout also brings back whether tool bars were visible; this one shows when there is something to say.
    connect(m_panels, &Panels::layoutApplied, this, [this, showMessages] { showMessages(!m_messages->text().isEmpty()); });
}

void MainWindow::fillRecentMenu() {
    m_recentMenu->clear();
    for (const QString& path : m_settings.recentFiles()) {
        const bool there = QFileInfo::exists(path);
        QAction* entry = m_recentMenu->addAction(there ? QFileInfo(path).fileName() : tr("%1 (missing)").arg(QFileInfo(path).fileName()), this, [this, path] { openFile(path); });
        entry->setToolTip(path);
    }
    m_recentMenu->setToolTipsVisible(true);
    m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
}

void MainWindow::refresh() {
    const bool hasModel = m_workspace.graph() != nullptr;
    for (QAction* each : m_needModel)
        each->setEnabled(hasModel);
    for (QAction* each : m_needPlan)
        each->setEnabled(m_workspace.plan() != nullptr);
    m_recompute->setEnabled(hasModel && m_workspace.isStale());
    m_hostMenu->setEnabled(m_workspace.target() != nullptr);
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
    if (path.endsWith(QStringLiteral(".pimproj"), Qt::CaseInsensitive))
        m_workspace.openProject(path);
    else
        m_workspace.openModel(path);
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

QString MainWindow::commandLine() const {
    const auto quoted = [](const QString& text) {
        static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./=,:+-]+$"));
        return plain.match(text).hasMatch() ? text : u'\'' + QString(text).replace(u'\'', QStringLiteral("'\\''")) + u'\'';
    };
    QStringList words{QStringLiteral("pimc"), QStringLiteral("compile"), quoted(m_workspace.modelPath())};
    if (const auto target = m_workspace.target())
        words << QStringLiteral("--target") << quoted(QString::fromStdString(target->id)) << QStringLiteral("--host") << quoted(QString::fromStdString(target->host.id));
    QStringList bindings;
    for (const auto& [symbol, value] : m_workspace.graphOptions().bindings)
        bindings.append(QStringLiteral("%1=%2").arg(QString::fromStdString(symbol)).arg(value));
    if (!bindings.isEmpty())
        words << QStringLiteral("--bind") << quoted(bindings.join(u','));
    for (const std::string& pass : m_workspace.graphOptions().disabledPasses)
        words << QStringLiteral("--no-pass") << quoted(QString::fromStdString(pass));
    words << QStringLiteral("--dtype") << QString::fromUtf8(name(m_workspace.options().computeType).data());
    if (!m_workspace.options().convAsGemm)
        words << QStringLiteral("--conv") << QStringLiteral("direct");
    for (const auto& [key, value] : cimOptionTexts(m_workspace.options().cim))
        words << QStringLiteral("--cim") << quoted(QString::fromStdString(key + "=" + value));
    if (m_workspace.overrides().empty())
        return words.join(u' ');
    words << QStringLiteral("--override") << QStringLiteral("-");
    return QStringLiteral("printf %s ") + quoted(QString::fromStdString(m_workspace.overrides().json())) + QStringLiteral(" | ") + words.join(u' ');
}

void MainWindow::showHelp() {
    if (!m_help)
        m_help = new HelpWindow;
    // The page of the panel one is in, else the beginning.
    const QHash<QString, QString> pages{{QStringLiteral("drafts"), QStringLiteral("drafts")},       {QStringLiteral("tiles"), QStringLiteral("drafts")},
                                        {QStringLiteral("hardware"), QStringLiteral("drafts")},     {QStringLiteral("decisions"), QStringLiteral("overrides")},
                                        {QStringLiteral("history"), QStringLiteral("overrides")},   {QStringLiteral("runs"), QStringLiteral("overrides")},
                                        {QStringLiteral("inspector"), QStringLiteral("placement")}, {QStringLiteral("breakdown"), QStringLiteral("rearrangement")},
                                        {QStringLiteral("problems"), QStringLiteral("placement")},  {QStringLiteral("segments"), QStringLiteral("segments")},
                                        {QStringLiteral("timeline"), QStringLiteral("timeline")},   {QStringLiteral("commands"), QStringLiteral("commands")},
                                        {QStringLiteral("layout"), QStringLiteral("memory_layout")}, {QStringLiteral("speed"), QStringLiteral("speed")},
                                        {QStringLiteral("sweep"), QStringLiteral("sweep")}};
    m_help->showPage(pages.value(m_panels->panelWithFocus(), QStringLiteral("overview")));
}

void MainWindow::showPalette() {
    auto* palette = new CommandPalette(tr("Type to find a command"), menuEntries(*menuBar()), this);
    palette->show();
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

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove || event->type() == QEvent::Drop) {
        auto* drag = static_cast<QDropEvent*>(event);
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (const QStringList files = droppedFiles(drag->mimeData()); widget && widget->window() == this && !files.isEmpty()) {
            drag->acceptProposedAction();
            if (event->type() == QEvent::Drop)
                openFile(files.front());
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace pim::studio
