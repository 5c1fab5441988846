// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the run history meets the workspace.
#include "core/base/version.h"
#include "core/report/link.h"
#include "views/common/text.h"
#include "views/models/workspace.h"
#include "views/runs/run_page.h"
#include "views/runs/runs_view.h"

#include <QApplication>
#include <QClipboard>
#include <QPointer>

namespace pim::views {
namespace {

/// The plan in force as if it had been stored, to be compared with runs.
std::optional<RunInfo> planInForce(const Workspace& workspace) {
    const auto plan = workspace.plan();
    if (!plan || workspace.isStale())
        return std::nullopt;
    RunInfo info;
    info.modelHash = plan->graph->source.structureHash;
    info.modelName = plan->graph->name;
    info.targetId = plan->target->id;
    info.targetHash = plan->target->hash;
    info.host = plan->target->host.id;
    std::map<std::string, std::int64_t> bindings; // in the order in which a project lists them
    for (const DimBinding& binding : plan->graph->bindings)
        bindings[binding.symbol] = binding.value;
    for (const auto& [symbol, value] : bindings)
        info.bindings += (info.bindings.empty() ? "" : ",") + symbol + "=" + std::to_string(value);
    info.overridesJson = plan->overrides.json();
    info.optionsJson = optionsJson(workspace.options());
    info.toolVersion = PIM_VERSION;
    info.origin = plan->origin;
    return info;
}

/// Reads on a worker thread over a connection of its own: the UI thread never waits for the disk.
RunsView::LoadOps loaderOf(Workspace& workspace, RunsView* view) {
    return [&workspace, view = QPointer(view), file = workspace.project()->file()](
               const std::vector<std::int64_t>& runs, std::function<void(Result<RunsView::Ops>)> deliver) {
        workspace.tasks()->start(
            RunsView::tr("Reading runs"), [=](const TaskContext&) -> std::function<void()> {
                const auto read = [&]() -> Result<RunsView::Ops> {
                    PIM_TRY(const auto project, Project::open(file, Project::Mode::ReadOnly));
                    RunsView::Ops all;
                    for (const std::int64_t run : runs) {
                        PIM_TRY(auto ops, project->runOps(run));
                        all.push_back(std::move(ops));
                    }
                    return all;
                };
                return [view, deliver, found = read()] {
                    if (view)
                        deliver(found);
                };
            });
    };
}

/// Changes the project on a worker thread, then says so; \p done runs after it worked.
void change(Workspace& workspace, const QString& name, std::function<Result<void>(Project&)> work,
            std::function<void()> done) {
    if (!workspace.project())
        return;
    workspace.tasks()->start(name,
                             [&workspace, file = workspace.project()->file(), work = std::move(work),
                              done = std::move(done)](const TaskContext&) -> std::function<void()> {
                                 const auto run = [&]() -> Result<void> {
                                     PIM_TRY(const auto project, Project::open(file));
                                     return work(*project);
                                 };
                                 return [&workspace, outcome = run(), done] {
                                     if (!outcome)
                                         return emit workspace.failed(text(outcome.error().message),
                                                                      text(outcome.error().text()));
                                     emit workspace.projectChanged();
                                     done();
                                 };
                             });
}

void repeat(Workspace& workspace, RunsView* view, std::int64_t run) {
    if (!workspace.project())
        return;
    workspace.tasks()->start(
        RunsView::tr("Repeating run %1").arg(run),
        [&workspace, view = QPointer(view), file = workspace.project()->file(),
         run](const TaskContext& task) -> std::function<void()> {
            const auto again = [&]() -> Result<Rerun> {
                PIM_TRY(const auto project, Project::open(file, Project::Mode::ReadOnly));
                return rerun(*project, run, workspace.backends(), task);
            };
            return [view, run, outcome = again()] {
                if (!view || view->runPage()->run() != run)
                    return;
                if (outcome)
                    view->runPage()->setRerun(*outcome);
                else
                    view->runPage()->setRerunFailed(
                        RunsView::tr("The run cannot be repeated: %1").arg(text(outcome.error().text())));
            };
        },
        [view = QPointer(view), run] {
            if (view && view->runPage()->run() == run)
                view->runPage()->setRerunFailed(RunsView::tr("Cancelled."));
        });
}

/// Label or note: what it was comes back with one click.
void retype(Workspace& workspace, RunsView* view, std::int64_t run, const QString& value, bool isLabel) {
    const auto set = [run, isLabel](Project& project, const std::string& now) {
        return isLabel ? project.setRunLabel(run, now) : project.setRunNote(run, now);
    };
    const auto info =
        workspace.project() ? workspace.project()->run(run) : fail(ErrorCode::NotFound, "no project is open");
    if (!info)
        return emit workspace.failed(text(info.error().message), text(info.error().text()));
    const std::string before = isLabel ? info->label : info->note, after = value.trimmed().toStdString();
    const QString name = isLabel ? RunsView::tr("Labelling run %1").arg(run)
                                 : RunsView::tr("Noting something on run %1").arg(run);
    change(
        workspace, name, [set, after](Project& project) { return set(project, after); },
        [&workspace, view = QPointer(view), name, set, before, run, isLabel] {
            if (!view)
                return;
            view->offerUndo(isLabel ? RunsView::tr("The label of run %1 was changed.").arg(run)
                                    : RunsView::tr("The note on run %1 was changed.").arg(run),
                            [&workspace, name, set, before] {
                                change(
                                    workspace, name,
                                    [set, before](Project& project) { return set(project, before); }, [] {});
                            });
        });
}

} // namespace

RunsView::RunsView(Workspace& workspace, QWidget* parent) : RunsView(parent) {
    const auto takeRuns = [this, &workspace] {
        Project* project = workspace.project();
        if (!project) {
            setRuns({}, {}, false);
            return;
        }
        auto runs = project->runs();
        if (!runs) {
            emit failed(text(runs.error().text()));
            return;
        }
        setReadOnly(project->readOnly());
        setRuns(std::move(*runs), loaderOf(workspace, this));
    };
    const auto takePlan = [this, &workspace] { setPlanInForce(planInForce(workspace)); };
    connect(&workspace, &Workspace::projectChanged, this, takeRuns);
    connect(&workspace, &Workspace::planChanged, this, takePlan);
    connect(this, &RunsView::opChosen, &workspace, [&workspace](const QString& name) {
        const auto graph = workspace.graph();
        if (const OpId op = graph ? graph->findOp(name.toStdString()) : OpId(); op.valid())
            workspace.selectOp(op);
    });
    connect(this, &RunsView::failed, &workspace,
            [&workspace](const QString& message) { emit workspace.failed(message, {}); });
    connect(this, &RunsView::openRequested, &workspace, &Workspace::openRun);
    connect(this, &RunsView::rerunRequested, &workspace, [this, &workspace](qint64 run) {
        showRuns({run});
        repeat(workspace, this, run);
    });
    connect(this, &RunsView::linkRequested, &workspace, [&workspace](qint64 run) {
        const Project* project = workspace.savedProject();
        if (!project)
            return emit workspace.failed(tr("A link leads into a project: save it first"), {});
        const QString link = text(formatLink({std::filesystem::absolute(project->file()), run, {}, {}}));
        QApplication::clipboard()->setText(link);
        emit workspace.succeeded(tr("Copied the link to run %1").arg(run), {});
    });
    connect(this, &RunsView::labelTyped, &workspace, [this, &workspace](qint64 run, const QString& label) {
        retype(workspace, this, run, label, true);
    });
    connect(this, &RunsView::noteTyped, &workspace, [this, &workspace](qint64 run, const QString& note) {
        retype(workspace, this, run, note, false);
    });
    connect(this, &RunsView::deleteConfirmed, &workspace,
            [&workspace](const std::vector<std::int64_t>& runs) {
                change(
                    workspace, tr("Deleting runs"),
                    [runs](Project& project) -> Result<void> {
                        for (const std::int64_t run : runs)
                            PIM_CHECK(project.deleteRun(run));
                        return {};
                    },
                    [] {});
            });
    takeRuns();
    takePlan();
}

} // namespace pim::views
