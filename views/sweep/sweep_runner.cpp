// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_runner.h"

#include "core/compile/sweep_networks.h"

#include "views/models/workspace.h"

#include <QPointer>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace pim::views {
namespace {

constexpr int kTickMs = 150;

SweepInfo infoOf(const SweepSetup& setup) {
    SweepInfo info;
    info.modelName = networksText(setup);
    info.modelPath = setup.base->source.path;
    info.targetId = setup.request.target->id;
    info.axes = setup.axes;
    return info;
}

} // namespace

SweepSetup sweepSetup(const Workspace& workspace, std::vector<SweepAxis> axes) {
    SweepSetup setup;
    setup.model = workspace.importedModel();
    setup.graph = workspace.graphOptions();
    if (hasAxis(axes, kModelAxis)) // what is bound are dimensions of the one that is open
        setup.graph.bindings.clear();
    setup.request = {nullptr, workspace.target(), workspace.overrides(), workspace.options()};
    setup.axes = std::move(axes);
    return setup;
}

std::string otherHost(const Workspace& workspace) {
    const auto own = workspace.catalog().find(workspace.target()->id);
    return own && (*own)->host.id != workspace.target()->host.id ? workspace.target()->host.id
                                                                 : std::string();
}

SweepRunner::SweepRunner(Workspace& workspace, QObject* parent) : QObject(parent), m_workspace(workspace) {
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &SweepRunner::collect);
    connect(&workspace, &Workspace::graphChanged, this, &SweepRunner::documentChanged);
    connect(&workspace, &Workspace::projectChanged, this, &SweepRunner::projectChanged);
    projectChanged();
}

SweepRunner::~SweepRunner() {
    blockSignals(true); // whoever listens is going too
    if (m_task)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
}

void SweepRunner::setState(State state) {
    m_state = state;
    emit changed();
}

void SweepRunner::clear() {
    if (m_task)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    m_tick.stop();
    m_inbox.reset();
    m_points.clear();
    m_predicted.clear();
    m_objectives.clear();
    m_confirmation = {};
    m_info = {};
    m_setup = {};
    m_problem.clear();
    m_id = 0;
    setState(State::Empty);
}

void SweepRunner::begin(std::vector<SweepAxis> axes, std::optional<StoredSearch> search) {
    clear();
    if (!m_workspace.importedModel() || !m_workspace.target())
        return;
    SweepSetup setup = sweepSetup(m_workspace, std::move(axes));
    if (search) {
        setup.mostPoints = kMostSearched;
        m_objectives = search->objectives;
    }
    m_isConfirming = false;
    const auto project = m_project;
    start(tr("Sweeping %1").arg(QString::fromStdString(m_workspace.graph()->name)),
          [setup, search, project, catalog = m_workspace.catalog(), backends = &m_workspace.backends(),
           host = otherHost(m_workspace)](const TaskContext& task) mutable -> Result<SweepJob> {
              PIM_CHECK(prepareSweep(*backends, setup, catalog, host, task));
              SweepJob job;
              job.setup = setup;
              job.info = infoOf(setup);
              if (!project.empty()) {
                  PIM_TRY(auto file, Project::open(project));
                  if (!file->readOnly()) { // else it is swept all the same, and kept nowhere
                      PIM_TRY(job.id, file->addSweep(setup));
                      PIM_TRY(StoredSweep stored, file->sweep(job.id));
                      job.info = std::move(stored.info);
                      job.project = std::move(file);
                  }
              }
              job.info.search = search;
              return job;
          });
}

SweepJob SweepRunner::job() const {
    SweepJob job;
    job.setup = m_setup;
    job.info = m_info;
    job.id = m_id;
    job.confirms = m_isConfirming;
    if (m_isConfirming || !m_predicted.empty())
        job.confirmation = m_confirmation;
    for (const SweepPoint& point : m_points) {
        const auto before = m_predicted.find(point.index);
        job.predicted.push_back(before == m_predicted.end() ? point : before->second);
        if (before != m_predicted.end())
            job.confirmation->points.push_back(point);
    }
    return job;
}

SweepRunner::SetupSource SweepRunner::setup() const {
    return [setup = m_setup, project = m_project, id = m_id](const TaskContext& task) -> Result<SweepSetup> {
        if (setup.model)
            return setup;
        PIM_TRY(const auto file, Project::open(project, Project::Mode::ReadOnly));
        PIM_TRY(const StoredSweep stored, file->sweep(id));
        return loadSweep(stored, task);
    };
}

void SweepRunner::resume() {
    if (m_state != State::Paused)
        return;
    m_isConfirming = false;
    goOn(tr("Sweeping %1").arg(QString::fromStdString(m_info.modelName)));
}

void SweepRunner::confirm(double margin) {
    if (m_state != State::Paused && m_state != State::Complete)
        return;
    m_isConfirming = true;
    m_confirmation.margin = margin;
    if (m_confirmation.objectives.empty() && m_info.search)
        m_confirmation.objectives = m_info.search->objectives;
    if (m_confirmation.objectives.empty())
        m_confirmation.objectives = markSweep(m_info.axes, m_points).objectives;
    goOn(tr("Simulating the front of %1").arg(QString::fromStdString(m_info.modelName)));
}

void SweepRunner::goOn(const QString& title) {
    start(
        title,
        [job = std::make_shared<SweepJob>(job()), setup = setup(),
         project = m_id ? m_project : std::filesystem::path()](const TaskContext& task) -> Result<SweepJob> {
            PIM_TRY(job->setup, setup(task));
            if (!project.empty()) {
                PIM_TRY(job->project, Project::open(project));
            }
            return std::move(*job);
        });
}

void SweepRunner::start(const QString& title, Prepare prepare) {
    m_problem.clear();
    const auto before = std::exchange(m_inbox, std::make_shared<Inbox>());
    const QPointer<SweepRunner> self(this);
    m_task = m_workspace.tasks()->start(
        title,
        [self, prepare = std::move(prepare), before, inbox = m_inbox, turn = m_turn,
         tasks = m_workspace.tasks(),
         &backends = m_workspace.backends()](const TaskContext& task) -> std::function<void()> {
            const std::lock_guard lock(*turn);
            if (before) { // what the worker that was paused stored last is not computed again
                const std::scoped_lock both(before->mutex, inbox->mutex);
                std::ranges::move(before->predicted, std::back_inserter(inbox->predicted));
                std::ranges::move(before->simulated, std::back_inserter(inbox->simulated));
            }
            const auto run = [&]() -> Result<std::vector<std::string>> {
                PIM_TRY(const SweepJob job, prepare(task));
                // From here on it can be paused: the window must know what would go on.
                QMetaObject::invokeMethod(
                    tasks,
                    [self, inbox, setup = job.setup, info = job.info, id = job.id] {
                        if (!self || self->m_inbox != inbox)
                            return;
                        self->m_setup = setup;
                        self->m_info = info;
                        self->m_id = id;
                        if (self->m_state == State::Empty) // paused before anything was known of it
                            self->m_state = State::Paused;
                        if (id)
                            self->refresh();
                        emit self->changed();
                    },
                    Qt::QueuedConnection);
                return compute(
                    backends, job,
                    [&](const SweepPoint& point) {
                        const std::lock_guard guard(inbox->mutex);
                        (job.confirms ? inbox->simulated : inbox->predicted).push_back(point);
                    },
                    task);
            };
            return [self, done = run()] {
                if (self)
                    self->finish(done);
            };
        },
        [self] { // by the tasks panel or pause()
            if (!self)
                return;
            self->m_task = 0;
            self->collect();
            self->m_tick.stop();
            self->stopped();
        });
    m_tick.start();
    setState(State::Running);
}

/// All there is to compute may be there: what was left is the simulation of the front.
void SweepRunner::stopped() {
    const auto isWhole = [&] {
        return m_info.search ? m_info.search->isFinished : std::ssize(m_points) == m_info.size();
    };
    setState(m_info.axes.empty() ? State::Empty : isWhole() ? State::Complete : State::Paused);
}

void SweepRunner::collect() {
    if (!m_inbox)
        return;
    std::vector<SweepPoint> predicted, simulated;
    {
        const std::lock_guard guard(m_inbox->mutex);
        predicted.swap(m_inbox->predicted);
        simulated.swap(m_inbox->simulated);
    }
    if (predicted.empty() && simulated.empty())
        return;
    std::unordered_map<std::int64_t, std::size_t> places;
    for (std::size_t p = 0; p < m_points.size(); ++p)
        places.emplace(m_points[p].index, p);
    for (SweepPoint& point : predicted)
        if (places.emplace(point.index, m_points.size()).second)
            m_points.push_back(std::move(point));
    for (SweepPoint& point : simulated) {
        const auto [place, isNew] = places.emplace(point.index, m_points.size());
        if (isNew) { // another program added it to the project
            m_points.push_back(std::move(point));
            continue;
        }
        SweepPoint& there = m_points[place->second];
        m_predicted.emplace(point.index, std::move(there)); // not what was simulated before
        there = std::move(point);
    }
    if (!m_predicted.empty())
        m_objectives = confirmedObjectives(m_confirmation.objectives);
    emit changed();
}

void SweepRunner::finish(const Result<std::vector<std::string>>& objectives) {
    m_task = 0;
    m_tick.stop();
    collect();
    if (!objectives) {
        m_problem = QString::fromStdString(objectives.error().text());
        emit m_workspace.failed(m_isConfirming ? tr("The front is not simulated") : tr("The sweep stopped"),
                                m_problem);
        if (m_isConfirming) // there is something to see
            m_problem.clear();
    } else {
        m_objectives = *objectives;
        if (!m_isConfirming && m_info.search)
            m_info.search->isFinished = true;
    }
    stopped();
    if (m_id)
        refresh();
}

void SweepRunner::pause() {
    if (m_task)
        m_workspace.tasks()->cancel(m_task);
}

void SweepRunner::remove() {
    const auto project = m_project;
    const std::int64_t id = m_id;
    clear();
    if (!id)
        return;
    const QPointer<SweepRunner> self(this);
    m_workspace.tasks()->start(
        tr("Deleting a sweep"),
        [self, project, id, turn = m_turn](const TaskContext&) -> std::function<void()> {
            const std::lock_guard lock(*turn);
            const auto remove = [&]() -> Result<void> {
                PIM_TRY(const auto file, Project::open(project));
                return file->deleteSweep(id);
            };
            return [self, done = remove()] {
                if (!self)
                    return;
                if (!done)
                    emit self->m_workspace.failed(tr("The sweep is not deleted"),
                                                  QString::fromStdString(done.error().text()));
                self->m_opensNewest = true;
                self->refresh();
            };
        });
}

void SweepRunner::open(std::int64_t id) {
    if (id == m_id && m_state != State::Empty)
        return;
    clear();
    const QPointer<SweepRunner> self(this);
    m_workspace.tasks()->start(
        tr("Reading a sweep"), [self, project = m_project, id](const TaskContext&) -> std::function<void()> {
            const auto read = [&]() -> Result<StoredSweep> {
                PIM_TRY(const auto file, Project::open(project, Project::Mode::ReadOnly));
                return file->sweep(id);
            };
            return [self, project, stored = read()] {
                if (!self || self->m_project != project || self->m_state != State::Empty)
                    return;
                if (!stored)
                    return emit self->m_workspace.failed(tr("The sweep cannot be read"),
                                                         QString::fromStdString(stored.error().text()));
                self->adopt(*stored);
            };
        });
}

void SweepRunner::adopt(StoredSweep stored) {
    m_id = stored.info.id;
    m_info = stored.info;
    m_setup = stored.setup;
    m_objectives = stored.shownObjectives();
    m_points = stored.shownPoints();
    if (stored.confirmation) {
        m_confirmation = {stored.confirmation->margin, stored.confirmation->objectives, {}};
        for (const SweepPoint& simulated : stored.confirmation->points)
            if (const auto at =
                    std::ranges::lower_bound(stored.points, simulated.index, {}, &SweepPoint::index);
                at != stored.points.end() && at->index == simulated.index)
                m_predicted.emplace(at->index, *at);
    }
    std::unordered_map<std::int64_t, std::int64_t> turns; // those without one came before
    for (const std::int64_t index : stored.turns)
        turns.emplace(index, std::ssize(turns) + 1);
    std::ranges::stable_sort(m_points, {}, [&](const SweepPoint& point) {
        const auto turn = turns.find(point.index);
        return turn == turns.end() ? 0 : turn->second;
    });
    setState(m_info.isComplete() ? State::Complete : State::Paused);
    emit keptChanged();
}

void SweepRunner::reopen(std::int64_t id) {
    clear();
    open(id);
}

void SweepRunner::refresh() {
    if (m_project.empty())
        return;
    const QPointer<SweepRunner> self(this);
    m_workspace.tasks()->start(tr("Reading the list of sweeps"),
                               [self, project = m_project](const TaskContext&) -> std::function<void()> {
                                   const auto read = [&]() -> Result<std::vector<SweepInfo>> {
                                       PIM_TRY(const auto file,
                                               Project::open(project, Project::Mode::ReadOnly));
                                       return file->sweeps();
                                   };
                                   return [self, project, kept = read()] {
                                       if (!self || self->m_project != project || !kept)
                                           return;
                                       self->m_kept = *kept;
                                       emit self->keptChanged();
                                       if (std::exchange(self->m_opensNewest, false) &&
                                           self->m_state == State::Empty && !kept->empty())
                                           self->open(kept->front().id);
                                   };
                               });
}

void SweepRunner::documentChanged() {
    // The sweep of a project is that of its model; one that is kept nowhere goes with its model.
    if (m_state != State::Empty && m_id == 0 && m_setup.model && m_setup.networks.empty() &&
        m_setup.model != m_workspace.importedModel())
        clear();
}

void SweepRunner::projectChanged() {
    const auto project = m_workspace.project() ? m_workspace.project()->file() : std::filesystem::path();
    const auto model = m_workspace.importedModel();
    const bool isSameModel = std::exchange(m_document, model) == model;
    if (project == m_project)
        return;
    // The same work under another name: its sweep goes along with all that is computed.
    const bool isMoved = isSameModel && m_state != State::Empty && m_setup.model &&
                         (m_setup.model == model || !m_setup.networks.empty());
    m_project = project;
    m_kept.clear();
    if (isMoved && !project.empty())
        return keep();
    clear();
    emit keptChanged();
    m_opensNewest = true;
    refresh();
}

void SweepRunner::keep() {
    const bool wasRunning = m_state == State::Running;
    pause();
    m_id = 0;
    const QPointer<SweepRunner> self(this);
    m_workspace.tasks()->start(
        tr("Saving the sweep"),
        [self, wasRunning, project = m_project, job = std::make_shared<SweepJob>(job()),
         turn = m_turn](const TaskContext&) -> std::function<void()> {
            const std::lock_guard lock(*turn);
            const auto write = [&]() -> Result<std::int64_t> {
                PIM_TRY(const auto file, Project::open(project));
                PIM_TRY(const std::int64_t id, file->findOrAddSweep(job->setup));
                if (job->info.search)
                    PIM_CHECK(file->setSearch(id, *job->info.search));
                for (const SweepPoint& point : job->predicted)
                    PIM_CHECK(file->recordSweepPoint(id, point));
                if (job->confirmation) {
                    PIM_CHECK(file->setConfirmation(id, *job->confirmation));
                    for (const SweepPoint& point : job->confirmation->points)
                        PIM_CHECK(file->recordConfirmed(id, point));
                }
                return id;
            };
            return [self, wasRunning, project, id = write()] {
                if (!self || self->m_project != project)
                    return;
                if (!id)
                    return emit self->m_workspace.failed(tr("The sweep is not saved"),
                                                         QString::fromStdString(id.error().text()));
                self->m_id = *id;
                self->refresh();
                if (wasRunning && self->m_isConfirming)
                    self->confirm(self->m_confirmation.margin);
                else if (wasRunning)
                    self->resume();
            };
        });
}

} // namespace pim::views
