// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Which panels the window has and how they are joined.
#include "app/studio/link_target.h"
#include "app/studio/main_window.h"
#include "app/studio/message_bar.h"
#include "app/studio/panels/message_log.h"
#include "app/studio/panels/model_panel.h"
#include "app/studio/panels/problems_panel.h"
#include "app/studio/panels/tasks_panel.h"
#include "views/breakdown/breakdown_view.h"
#include "views/chip_map/chip_map_view.h"
#include "views/commands/commands_view.h"
#include "views/decisions/decisions_view.h"
#include "views/decisions/history_view.h"
#include "views/decisions/variants_view.h"
#include "views/drafts/draft_compare.h"
#include "views/drafts/drafts_view.h"
#include "views/graph/graph_view.h"
#include "views/hardware/hardware_view.h"
#include "views/inspector/inspector_view.h"
#include "views/memory_layout/layout_view.h"
#include "views/models/workspace.h"
#include "views/notes/notes_panel.h"
#include "views/pipeline/pipeline_view.h"
#include "views/program/program_view.h"
#include "views/runs/runs_view.h"
#include "views/runs/sql_console.h"
#include "views/segments/segment_editor.h"
#include "views/speed_map/speed_map_view.h"
#include "views/speed_map/sweep_panel.h"
#include "views/tiles/tiles_view.h"
#include "views/timeline/timeline_view.h"

#include <QDockWidget>

namespace pim::studio {

void MainWindow::buildPanels() {
    const auto add = [this](const char* id, const QString& title, QWidget* content) {
        return m_panels->add(QString::fromLatin1(id), title, content);
    };
    auto* graph = new views::GraphView(m_workspace);
    add("graph", tr("Graph"), graph);
    add("inspector", tr("Inspector"), new views::InspectorView(m_workspace));
    auto* breakdown = new views::BreakdownView(m_workspace);
    add("breakdown", tr("Breakdown"), breakdown);
    const auto inspect = [this] { showPanel(QStringLiteral("inspector")); };
    connect(graph, &views::GraphView::inspectRequested, this, inspect);
    connect(breakdown, &views::BreakdownView::inspectRequested, this, inspect);
    connect(graph, &views::GraphView::openRequested, this, &MainWindow::askForFile);
    auto* drafts = new views::DraftsView(m_workspace);
    add("drafts", tr("Drafts"), drafts);
    auto* compare = new views::CompareView(m_workspace);
    add("compare", tr("Compare"), compare);
    connect(drafts, &views::DraftsView::compareRequested, this,
            [this] { showPanel(QStringLiteral("compare")); });
    connect(compare, &views::CompareView::helpRequested, this, &MainWindow::showHelpTopic);
    add("tiles", tr("Tiles"), new views::TilesView(m_workspace));
    add("hardware", tr("Hardware"), new views::HardwareView(m_workspace));
    add("segments", tr("Segments"), new views::SegmentEditor(m_workspace));
    add("chips", tr("Chips"), new views::ChipMapView(m_workspace));
    auto* timeline = new views::TimelineView(m_workspace);
    add("timeline", tr("Timeline"), timeline);
    // What these show takes work: only while they are in front.
    auto* commands = new views::CommandsView(m_workspace);
    connect(add("commands", tr("Commands"), commands), &QDockWidget::visibilityChanged, commands,
            &views::CommandsView::setSeen);
    auto* notes = new views::NotesPanel(m_workspace);
    add("notes", tr("Notes"), notes);
    const auto showNote = [this, notes](qint64 id) {
        showPanel(QStringLiteral("notes"));
        notes->showNote(id);
    };
    connect(timeline, &views::TimelineView::noteClicked, this, showNote);
    connect(commands, &views::CommandsView::noteClicked, this, showNote);
    connect(notes, &views::NotesPanel::stretchRequested, this,
            [this, timeline, commands](const QString& name, double fromNs, double toNs) {
                const QString ofCommands = QStringLiteral("commands/");
                const bool isCommands = name.startsWith(ofCommands);
                showPanel(isCommands ? QStringLiteral("commands") : QStringLiteral("timeline"));
                if (isCommands)
                    commands->showStretch(name.mid(ofCommands.size()), fromNs, toNs);
                else
                    timeline->showStretch(fromNs, toNs);
            });
    auto* layout = new views::LayoutView(m_workspace);
    connect(add("layout", tr("Memory Layout"), layout), &QDockWidget::visibilityChanged, layout,
            &views::LayoutView::setSeen);
    add("speed", tr("Array Counts"), new views::SpeedMapView(m_workspace));
    add("sweep", tr("Sweep"), new views::SweepPanel(m_workspace));
    auto* runs = new views::RunsView(m_workspace);
    add("runs", tr("Runs"), runs);
    connect(runs, &views::RunsView::saveRequested, this, &MainWindow::askForProject);
    auto* console = new views::SqlConsole(m_workspace);
    add("sql", tr("SQL"), console);
    connect(console, &views::SqlConsole::saveRequested, this, &MainWindow::askForProject);
    auto* links = new LinkTarget(m_workspace, this);
    connect(this, &MainWindow::linkChosen, links, &LinkTarget::open);
    connect(links, &LinkTarget::arrived, this, [this, runs](qint64 run) {
        showPanel(QStringLiteral("runs"));
        runs->showRuns({run});
    });
    add("model", tr("Model"), new ModelPanel(m_workspace));
    auto* pipeline = new views::PipelineView(m_workspace);
    connect(add("pipeline", tr("Pipeline"), pipeline), &QDockWidget::visibilityChanged, pipeline,
            &views::PipelineView::setSeen);
    auto* program = new views::ProgramView(m_workspace);
    connect(add("program", tr("Program"), program), &QDockWidget::visibilityChanged, program,
            &views::ProgramView::setSeen);
    auto* decisions = new views::DecisionsView(m_workspace);
    add("decisions", tr("Decisions"), decisions);
    connect(&decisions->variants(), &views::VariantsView::compareRequested, this,
            [this, runs](const QString& a, const QString& b) {
                if (runs->compareVariants(a, b)) // else the list beside the variants tells what is known
                    showPanel(QStringLiteral("runs"));
            });
    connect(decisions, &views::DecisionsView::failed, this, &MainWindow::showError);
    connect(decisions, &views::DecisionsView::succeeded, this, &MainWindow::showNote);
    auto* problems = new ProblemsPanel(m_workspace);
    QDockWidget* problemsDock = add("problems", tr("Problems"), problems);
    const auto showCount = [problemsDock](int count) {
        problemsDock->setWindowTitle(count > 0 ? tr("Problems (%1)").arg(count) : tr("Problems"));
    };
    connect(problems, &ProblemsPanel::countChanged, problemsDock, showCount);
    showCount(problems->count());
    add("tasks", tr("Tasks"), new TasksPanel(*m_workspace.tasks()));
    QDockWidget* messages = add("messages", tr("Messages"), new MessagesPanel(*m_log));
    connect(m_log, &MessageLog::unreadChanged, messages, [messages](int errors) {
        messages->setWindowTitle(errors > 0 ? tr("Messages (%1)").arg(errors) : tr("Messages"));
    });
    add("history", tr("History"), new views::HistoryView(m_workspace));
}

} // namespace pim::studio
