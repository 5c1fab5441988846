// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep_runner.h"

#include "views/models/workspace.h"

#include <QPointer>

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

namespace pim::views {
namespace {

constexpr int kTickMs = 150;

SweepInfo infoOf(const SweepSetup& setup) {
    SweepInfo info;
    info.modelName = setup.base->name;
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
    setup.request = {nullptr, workspace.target(), workspace.overrides(), workspace.options()};
    setup.axes = std::move(axes);
    return setup;
}

std::string otherHost(const Workspace& workspace) {
    const auto own = workspace.catalog().find(workspace.target()->id);
    return own && (*own)->host.id != workspace.target()->host.id ? workspace.target()->host.id
                                                                 : std::string();
}

/// What a worker has when it begins to compute.
struct SweepRunner::Job {
    SweepSetup setup;
    SweepInfo info;
    std::unique_ptr<Project> project; ///< Null: kept nowhere yet.
    std::int64_t id = 0;
};

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
    m_info = {};
    m_setup = {};
    m_problem.clear();
    m_id = 0;
    setState(State::Empty);
}

void SweepRunner::begin(std::vector<SweepAxis> axes) {
    clear();
    if (!m_workspace.importedModel() || !m_workspace.target())
        return;
    SweepSetup setup = sweepSetup(m_workspace, std::move(axes));
    const auto project = m_project;
    start(QString::fromStdString(m_workspace.graph()->name),
          [setup, project, catalog = m_workspace.catalog(), backends = &m_workspace.backends(),
           host = otherHost(m_workspace)](const TaskContext& task) mutable -> Result<Job> {
              PIM_CHECK(prepareSweep(*backends, setup, catalog, host, task));
              Job job{setup, infoOf(setup), nullptr, 0};
              if (!project.empty()) {
                  PIM_TRY(auto file, Project::open(project));
                  if (file->readOnly()) // it is swept all the same, and kept nowhere
                      return job;
                  PIM_TRY(job.id, file->addSweep(setup));
                  PIM_TRY(const StoredSweep stored, file->sweep(job.id));
                  job.info = stored.info;
                  job.project = std::move(file);
              }
              return job;
          });
}

void SweepRunner::resume() {
    if (m_state != State::Paused)
        return;
    const auto project = m_id ? m_project : std::filesystem::path();
    start(QString::fromStdString(m_info.modelName),
          [setup = m_setup, info = m_info, project, id = m_id](const TaskContext& task) -> Result<Job> {
              Job job{setup, info, nullptr, id};
              if (!project.empty()) {
                  PIM_TRY(job.project, Project::open(project));
              }
              if (!setup.model) {
                  PIM_TRY(const StoredSweep stored, job.project->sweep(id));
                  PIM_TRY(job.setup, loadSweep(stored, task));
              }
              return job;
          });
}

void SweepRunner::start(const QString& name, Prepare prepare) {
    m_problem.clear();
    m_inbox = std::make_shared<Inbox>();
    std::set<std::int64_t> finished;
    for (const SweepPoint& point : m_points)
        finished.insert(point.index);
    const QPointer<SweepRunner> self(this);
    m_task = m_workspace.tasks()->start(
        tr("Sweeping %1").arg(name),
        [self, prepare = std::move(prepare), finished, inbox = m_inbox, turn = m_turn,
         tasks = m_workspace.tasks(),
         &backends = m_workspace.backends()](const TaskContext& task) -> std::function<void()> {
            const std::lock_guard lock(*turn);
            const auto run = [&]() -> Result<void> {
                PIM_TRY(const Job job, prepare(task));
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
                const auto told = [&](const SweepPoint& point) {
                    const std::lock_guard guard(inbox->mutex);
                    inbox->points.push_back(point);
                };
                if (job.project)
                    return resumeSweep(*job.project, job.id, job.setup, backends, told, task);
                return sweep(
                    backends, job.setup, finished,
                    [&](const SweepPoint& point) -> Result<void> {
                        told(point);
                        return {};
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
            self->setState(self->m_info.axes.empty() ? State::Empty : State::Paused);
        });
    m_tick.start();
    setState(State::Running);
}

void SweepRunner::collect() {
    if (!m_inbox)
        return;
    std::vector<SweepPoint> fresh;
    {
        const std::lock_guard guard(m_inbox->mutex);
        fresh.swap(m_inbox->points);
    }
    if (fresh.empty())
        return;
    std::unordered_set<std::int64_t> there;
    for (const SweepPoint& point : m_points)
        there.insert(point.index);
    for (SweepPoint& point : fresh)
        if (there.insert(point.index).second)
            m_points.push_back(std::move(point));
    emit changed();
}

void SweepRunner::finish(const Result<void>& done) {
    m_task = 0;
    m_tick.stop();
    collect();
    if (!done) {
        m_problem = QString::fromStdString(done.error().text());
        emit m_workspace.failed(tr("The sweep stopped"), m_problem);
    }
    setState(done ? State::Complete : m_info.axes.empty() ? State::Empty : State::Paused);
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
                self->m_id = stored->info.id;
                self->m_info = stored->info;
                self->m_setup = stored->setup;
                self->m_points = stored->points;
                self->setState(stored->info.isComplete() ? State::Complete : State::Paused);
                emit self->keptChanged();
            };
        });
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
    if (m_state != State::Empty && m_id == 0 && m_setup.model && m_setup.model != m_workspace.importedModel())
        clear();
}

void SweepRunner::projectChanged() {
    const auto project = m_workspace.project() ? m_workspace.project()->file() : std::filesystem::path();
    if (project == m_project)
        return;
    const bool isSaved = m_project.empty() && m_state != State::Empty && m_id == 0 && m_setup.model &&
                         m_setup.model == m_workspace.importedModel();
    m_project = project;
    m_kept.clear();
    if (isSaved && !project.empty())
        return keep();
    clear();
    emit keptChanged();
    m_opensNewest = true;
    refresh();
}

void SweepRunner::keep() {
    const bool wasRunning = m_state == State::Running;
    pause();
    const QPointer<SweepRunner> self(this);
    m_workspace.tasks()->start(tr("Saving the sweep"),
                               [self, wasRunning, project = m_project, setup = m_setup, points = m_points,
                                turn = m_turn](const TaskContext&) -> std::function<void()> {
                                   const std::lock_guard lock(*turn);
                                   const auto write = [&]() -> Result<std::int64_t> {
                                       PIM_TRY(const auto file, Project::open(project));
                                       PIM_TRY(const std::int64_t id, file->addSweep(setup));
                                       for (const SweepPoint& point : points)
                                           PIM_CHECK(file->recordSweepPoint(id, point));
                                       return id;
                                   };
                                   return [self, wasRunning, project, id = write()] {
                                       if (!self || self->m_project != project)
                                           return;
                                       if (!id)
                                           return emit self->m_workspace.failed(
                                               tr("The sweep is not saved"),
                                               QString::fromStdString(id.error().text()));
                                       self->m_id = *id;
                                       self->refresh();
                                       if (wasRunning)
                                           self->resume();
                                   };
                               });
}

} // namespace pim::views
