// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the timeline meets the workspace.
#include "views/common/timeline_canvas.h"
#include "views/common/timeline_levels.h"
#include "views/common/timeline_tools.h"
#include "views/models/filter_stack.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"
#include "views/timeline/timeline_view.h"

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace pim::views {
namespace {

const QString kStateName = QStringLiteral("timeline");
constexpr const char* kTimelineName = "network"; ///< In notes.
/// Levels of so many spans are made between two frames; more are made on a worker thread.
constexpr std::size_t kAtOnce = 50'000;

/// Shows simulations as they come, and which ops pass the filters.
class Showing : public QObject {
public:
    Showing(Workspace& workspace, TimelineView* view) : QObject(view), m_workspace(workspace), m_view(view) {
        connect(workspace.simulations(), &SimulationSource::changed, this, &Showing::takeSimulation);
        connect(workspace.filters(), &FilterStack::changed, this, &Showing::takeFilters);
        connect(view->pathButton(), &QToolButton::toggled, this, &Showing::takePath);
        connect(view->canvas(), &TimelineCanvas::areaChanged, this, [this] {
            const auto& area = m_view->canvas()->area();
            if (m_simulation && m_simulation == m_workspace.simulations()->simulation())
                m_workspace.simulations()->setStretch(
                    area ? std::optional(std::pair(area->fromNs, area->toNs)) : std::nullopt);
        });
        takeSimulation();
    }
    ~Showing() override {
        abandon(m_levelsTask);
        abandon(m_partTask);
        abandon(m_pathTask);
    }

private:
    void abandon(int& task) {
        if (task)
            m_workspace.tasks()->cancel(std::exchange(task, 0));
    }

    void takeSimulation() {
        SimulationSource* const source = m_workspace.simulations();
        const auto simulation = source->simulation();
        abandon(m_levelsTask);
        if (simulation && simulation->timeline.spans.size() > kAtOnce)
            return makeLevels(simulation);
        if (simulation)
            return show(simulation, nullptr);
        if (m_workspace.isStale() || source->isRunning()) {
            m_view->setStale(true); // the older one stays until the next is there
            m_view->setEmptyText(TimelineView::tr("No timeline yet"), source->note());
        } else {
            m_view->setTimeline(nullptr);
            m_view->setEmptyText(TimelineView::tr("No timeline"), source->note());
        }
    }

    void makeLevels(const std::shared_ptr<const Simulation>& simulation) {
        m_view->setStale(true);
        m_levelsTask = m_workspace.tasks()->start(
            TimelineView::tr("Preparing the timeline"),
            [this, simulation](const TaskContext&) -> std::function<void()> {
                auto levels = std::make_shared<const TimelineLevels>(simulation->timeline);
                return [this, simulation, levels = std::move(levels)] {
                    m_levelsTask = 0;
                    show(simulation, levels);
                };
            },
            [this] { m_levelsTask = 0; });
    }

    void show(const std::shared_ptr<const Simulation>& simulation,
              std::shared_ptr<const TimelineLevels> levels) {
        const auto cycle =
            m_workspace.target() ? m_workspace.target()->timeNs("timing.tCK") : Result<double>(0.0);
        // The timeline lives as long as the simulation it is a part of.
        m_simulation = simulation;
        m_limits = m_workspace.simulations()->limits();
        m_view->setTimeline({simulation, &simulation->timeline}, cycle ? *cycle : 0, std::move(levels));
        m_view->title()->setToolTip(QString::fromStdString(simulation->summary));
        m_view->setStale(false);
        m_view->setSelectedOp(m_workspace.selection().op);
        takeFilters();
        takePath();
    }

    void takePath() {
        abandon(m_pathTask);
        if (!m_limits || !m_view->canvas()->timeline() || !m_view->pathButton()->isChecked())
            return m_view->setPath(nullptr, nullptr);
        if (m_simulation->timeline.spans.size() <= kAtOnce)
            return m_view->setPath(m_limits, partOf(m_simulation->timeline, m_limits->path));
        m_pathTask = m_workspace.tasks()->start(
            TimelineView::tr("Preparing the critical path"),
            [this, simulation = m_simulation,
             limits = m_limits](const TaskContext&) -> std::function<void()> {
                auto part = partOf(simulation->timeline, limits->path);
                return [this, limits, part = std::move(part)] {
                    m_pathTask = 0;
                    if (limits == m_limits)
                        m_view->setPath(limits, part);
                };
            },
            [this] { m_pathTask = 0; });
    }

    void takeFilters() {
        abandon(m_partTask);
        const FilterStack& filters = *m_workspace.filters();
        if (!m_simulation || !m_view->canvas()->timeline() || filters.isEmpty())
            return m_view->canvas()->setBrightPart(nullptr);
        std::vector<bool> passes;
        for (std::size_t op = 0; m_workspace.graph() && op < m_workspace.graph()->ops.size(); ++op)
            passes.push_back(filters.passes(OpId(static_cast<std::int64_t>(op))));
        if (m_simulation->timeline.spans.size() <= kAtOnce)
            return m_view->canvas()->setBrightPart(partOf(m_simulation->timeline, passes));
        m_partTask = m_workspace.tasks()->start(
            TimelineView::tr("Filtering the timeline"),
            [this, simulation = m_simulation, passes](const TaskContext&) -> std::function<void()> {
                auto part = partOf(simulation->timeline, passes);
                return [this, simulation, part = std::move(part)] {
                    m_partTask = 0;
                    if (simulation == m_simulation)
                        m_view->canvas()->setBrightPart(part);
                };
            },
            [this] { m_partTask = 0; });
    }

    Workspace& m_workspace;
    TimelineView* m_view;
    std::shared_ptr<const Simulation> m_simulation;
    std::shared_ptr<const Limits> m_limits; ///< Of m_simulation.
    int m_levelsTask = 0, m_partTask = 0, m_pathTask = 0;
};

void limitViews(Workspace& workspace, const TimelineView& view) {
    if (!workspace.graph())
        return;
    OpFilter filter{TimelineView::tr("Time %1").arg(view.areaText()),
                    std::vector<bool>(workspace.graph()->ops.size())};
    for (const int op : view.areaOps())
        if (static_cast<std::size_t>(op) < filter.ops.size())
            filter.ops[static_cast<std::size_t>(op)] = true;
    workspace.filters()->push(std::move(filter));
}

} // namespace

TimelineView::TimelineView(Workspace& workspace, QWidget* parent) : TimelineView(parent) {
    const auto takeSelection = [this, &workspace] { setSelectedOp(workspace.selection().op); };
    connect(&workspace, &Workspace::selectionChanged, this, takeSelection);
    connect(this, &TimelineView::opClicked, &workspace,
            [&workspace](int op) { workspace.selectOp(op >= 0 ? OpId(op) : OpId()); });
    connect(this, &TimelineView::limitRequested, &workspace,
            [this, &workspace] { limitViews(workspace, *this); });

    const auto takeNotes = [this, &workspace] {
        std::vector<TimelineFlag> flags;
        for (const Note& note : workspace.notes())
            if (note.timeline == kTimelineName)
                flags.push_back({note.id, note.fromNs, note.toNs, QString::fromStdString(note.text)});
        m_canvas->setFlags(std::move(flags));
    };
    connect(&workspace, &Workspace::notesChanged, this, takeNotes);
    connect(m_note, &NoteLine::noteEntered, &workspace,
            [&workspace](double from, double to, const QString& text) {
                workspace.addNote({0, {}, kTimelineName, from, to, text.toStdString()});
            });

    const auto takeLanes = [this, &workspace] {
        m_canvas->setLanes(LaneArrangement::fromJson(workspace.viewState(kStateName)));
        m_laneFilter->setText(m_canvas->lanes().filter);
    };
    connect(&workspace, &Workspace::viewStatesLoaded, this, takeLanes);
    connect(m_canvas, &TimelineCanvas::lanesChanged, &workspace,
            [this, &workspace] { workspace.setViewState(kStateName, m_canvas->lanes().json()); });

    new Showing(workspace, this);
    takeSelection();
    takeNotes();
    takeLanes();
}

} // namespace pim::views
