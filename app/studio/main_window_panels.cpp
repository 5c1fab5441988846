// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Which panels the window has and how they are joined.
#include "app/studio/command_lines.h"
#include "app/studio/families.h"
#include "app/studio/link_target.h"
#include "app/studio/main_window.h"
#include "app/studio/message_bar.h"
#include "app/studio/panels/log_model.h"
#include "app/studio/panels/log_panel.h"
#include "app/studio/panels/message_log.h"
#include "app/studio/panels/model_panel.h"
#include "app/studio/panels/problems_panel.h"
#include "app/studio/panels/tasks_panel.h"
#include "views/breakdown/breakdown_view.h"
#include "views/decisions/decisions_view.h"
#include "views/decisions/history_view.h"
#include "views/decisions/variants_view.h"
#include "views/drafts/draft_compare.h"
#include "views/drafts/drafts_view.h"
#include "views/graph/graph_view.h"
#include "views/hardware/hardware_view.h"
#include "views/inspector/inspector_view.h"
#include "views/limits/limits_view.h"
#include "views/lut/codebooks_view.h"
#include "views/lut/lut_view.h"
#include "views/models/family_panels.h"
#include "views/models/workspace.h"
#include "views/notes/notes_panel.h"
#include "views/pipeline/pipeline_view.h"
#include "views/predictor/predictor_view.h"
#include "views/program/program_view.h"
#include "views/runs/runs_view.h"
#include "views/runs/sql_console.h"
#include "views/sweep/sweep_panel.h"
#include "views/system/system_view.h"
#include "views/tiles/tiles_view.h"
#include "views/timeline/timeline_view.h"
#include "views/which/which_view.h"

#include <QDockWidget>

#include <functional>

namespace pim::studio {
namespace {

/// Tells \p seen when the panel comes to the front, and when it leaves it. Qt says of one that begins to float that its tab is
/// left, and no more.
void whenSeen(QDockWidget* dock, const std::function<void(bool isSeen)>& seen) {
    QObject::connect(dock, &QDockWidget::visibilityChanged, dock->widget(), [dock, seen](bool isInFront) {
        seen(isInFront || (dock->isFloating() && dock->isVisible()));
    });
    QObject::connect(dock, &QDockWidget::topLevelChanged, dock->widget(), [dock, seen](bool isFloating) {
        if (isFloating)
            seen(dock->isVisible());
    });
}

} // namespace

/// The panels that are there for every family, by what they are about; then those of the families.
void MainWindow::buildPanels() {
    addNetworkPanels();
    addDraftPanels();
    addRunPanels();
    addLutPanels();
    addPlanPanels();
    addDecisionPanels();
    addReports();
    addTimeAndNotes(addFamilyPanels());
}

QDockWidget* MainWindow::addPanel(const char* id, const QString& title, QWidget* content) {
    return m_panels->add(QString::fromLatin1(id), title, content);
}

void MainWindow::addNetworkPanels() {
    auto* graph = new views::GraphView(m_workspace);
    addPanel("graph", tr("Graph"), graph);
    addPanel("inspector", tr("Inspector"), new views::InspectorView(m_workspace));
    auto* breakdown = new views::BreakdownView(m_workspace);
    addPanel("breakdown", tr("Breakdown"), breakdown);
    addPanel("limits", tr("Limits"), new views::LimitsView(m_workspace));
    addPanel("model", tr("Model"), new ModelPanel(m_workspace));
    const auto inspect = [this] { showPanel(QStringLiteral("inspector")); };
    connect(graph, &views::GraphView::inspectRequested, this, inspect);
    connect(breakdown, &views::BreakdownView::inspectRequested, this, inspect);
    connect(graph, &views::GraphView::openRequested, this, &MainWindow::askForFile);
}

void MainWindow::addDraftPanels() {
    auto* drafts = new views::DraftsView(m_workspace);
    addPanel("drafts", tr("Drafts"), drafts);
    auto* compare = new views::CompareView(m_workspace);
    addPanel("compare", tr("Compare"), compare);
    connect(drafts, &views::DraftsView::compareRequested, this,
            [this] { showPanel(QStringLiteral("compare")); });
    connect(compare, &views::CompareView::helpRequested, this, &MainWindow::showHelpTopic);
    auto* predictor = new views::PredictorView(m_workspace);
    addPanel("predictor", tr("Predictor"), predictor);
    connect(predictor, &views::PredictorView::succeeded, this, &MainWindow::showNote);
    connect(predictor, &views::PredictorView::failed, this, &MainWindow::showError);
    connect(predictor, &views::PredictorView::commandRequested, this, [this](const QStringList& words) {
        QStringList quoted;
        for (const QString& word : words)
            quoted << shellWord(word);
        copyCommand(quoted.join(u' '));
    });
    addPanel("tiles", tr("Tiles"), new views::TilesView(m_workspace));
    addPanel("hardware", tr("Hardware"), new views::HardwareView(m_workspace));
}

void MainWindow::addRunPanels() {
    addPanel("sweep", tr("Sweep"), new views::SweepPanel(m_workspace));
    addPanel("which", tr("Which PIM"), new views::WhichView(m_workspace, hostModel()));
    addPanel("systems", tr("Several Machines"), new views::SystemView(m_workspace, hostModel()));
    auto* runs = new views::RunsView(m_workspace);
    addPanel("runs", tr("Runs"), runs);
    connect(runs, &views::RunsView::saveRequested, this, &MainWindow::askForProject);
    auto* console = new views::SqlConsole(m_workspace);
    addPanel("sql", tr("SQL"), console);
    connect(console, &views::SqlConsole::saveRequested, this, &MainWindow::askForProject);
    auto* links = new LinkTarget(m_workspace, this);
    connect(this, &MainWindow::linkChosen, links, &LinkTarget::open);
    connect(links, &LinkTarget::arrived, this, [this, runs](qint64 run) {
        showPanel(QStringLiteral("runs"));
        runs->showRuns({run});
    });
}

void MainWindow::addLutPanels() {
    auto* tables = new views::LutView(m_workspace);
    addPanel("lut", tr("Look-Up Tables"), tables);
    connect(tables, &views::LutView::succeeded, this, &MainWindow::showNote);
    connect(tables, &views::LutView::failed, this, &MainWindow::showError);
    connect(tables, &views::LutView::commandRequested, this, [this] { copyCommand(lutLine(m_workspace)); });
    addPanel("codebooks", tr("Codebooks"), new views::CodebooksView(m_workspace));
}

/// What these show takes work: only while they are in front.
void MainWindow::addPlanPanels() {
    auto* pipeline = new views::PipelineView(m_workspace);
    whenSeen(addPanel("pipeline", tr("Pipeline"), pipeline),
             [pipeline](bool isSeen) { pipeline->setSeen(isSeen); });
    auto* program = new views::ProgramView(m_workspace);
    whenSeen(addPanel("program", tr("Program"), program),
             [program](bool isSeen) { program->setSeen(isSeen); });
}

void MainWindow::addDecisionPanels() {
    auto* decisions = new views::DecisionsView(m_workspace);
    addPanel("decisions", tr("Decisions"), decisions);
    connect(&decisions->variants(), &views::VariantsView::compareRequested, this,
            [this](const QString& a, const QString& b) {
                // else the list beside the variants tells what is known
                if (findChild<views::RunsView*>()->compareVariants(a, b))
                    showPanel(QStringLiteral("runs"));
            });
    connect(decisions, &views::DecisionsView::failed, this, &MainWindow::showError);
    connect(decisions, &views::DecisionsView::succeeded, this, &MainWindow::showNote);
    addPanel("history", tr("History"), new views::HistoryView(m_workspace));
}

/// What went wrong and what is going on; how much of it stands in the titles.
void MainWindow::addReports() {
    auto* problems = new ProblemsPanel(m_workspace);
    QDockWidget* problemsDock = addPanel("problems", tr("Problems"), problems);
    const auto showCount = [problemsDock](int count) {
        problemsDock->setWindowTitle(count > 0 ? tr("Problems (%1)").arg(count) : tr("Problems"));
    };
    connect(problems, &ProblemsPanel::countChanged, problemsDock, showCount);
    showCount(problems->count());
    addPanel("tasks", tr("Tasks"), new TasksPanel(*m_workspace.tasks()));
    QDockWidget* messages = addPanel("messages", tr("Messages"), new MessagesPanel(*m_log));
    connect(m_log, &MessageLog::unreadChanged, messages, [messages](int errors) {
        messages->setWindowTitle(errors > 0 ? tr("Messages (%1)").arg(errors) : tr("Messages"));
    });
    addPanel("log", tr("Log"), new LogPanel(*m_lines));
    connect(m_lines, &LogModel::fileFailed, this, [this](const QString& problem) {
        showError(tr("The log is no longer written to its file"), problem);
    });
}

/// Returns those with notes at stretches of time.
std::vector<MainWindow::StretchPanel> MainWindow::addFamilyPanels() {
    std::vector<StretchPanel> withStretches;
    const views::PanelLinks links{[this](qint64 note) { showNoteAt(note); }};
    for (const views::FamilyPanels& family : m_workspace.families().all())
        for (const views::FamilyPanel& panel : family.panels) {
            QWidget* widget = panel.make(m_workspace, links);
            QDockWidget* dock = addPanel(panel.id, panel.title, widget);
            if (panel.setSeen)
                whenSeen(dock, [widget, setSeen = panel.setSeen](bool isSeen) { setSeen(*widget, isSeen); });
            if (panel.showStretch)
                withStretches.push_back({QString::fromLatin1(panel.id), widget, panel.showStretch});
        }
    return withStretches;
}

void MainWindow::addTimeAndNotes(const std::vector<StretchPanel>& others) {
    auto* timeline = new views::TimelineView(m_workspace);
    addPanel("timeline", tr("Timeline"), timeline);
    auto* notes = new views::NotesPanel(m_workspace);
    addPanel("notes", tr("Notes"), notes);
    connect(timeline, &views::TimelineView::noteClicked, this, &MainWindow::showNoteAt);
    connect(notes, &views::NotesPanel::stretchRequested, this,
            [this, timeline, others](const QString& name, double fromNs, double toNs) {
                for (const StretchPanel& panel : others)
                    if (const QString own = panel.id + u'/'; name.startsWith(own)) {
                        showPanel(panel.id);
                        return panel.show(*panel.widget, name.mid(own.size()), fromNs, toNs);
                    }
                showPanel(QStringLiteral("timeline"));
                timeline->showStretch(fromNs, toNs);
            });
}

void MainWindow::showNoteAt(qint64 id) {
    showPanel(QStringLiteral("notes"));
    findChild<views::NotesPanel*>()->showNote(id);
}

} // namespace pim::studio
