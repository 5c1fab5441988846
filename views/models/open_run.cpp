// SPDX-License-Identifier: GPL-3.0-or-later
// Going back to what a stored run was made from.
#include "views/models/workspace_impl.h"

namespace pim::views {
namespace {

namespace fs = std::filesystem;

struct RunToOpen {
    RunRecipe recipe;
    std::shared_ptr<const ImportedModel> model; ///< Null: the run is of the model that is open.
    std::shared_ptr<const Graph> graph;
};

bool isSameFile(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return a == b || fs::equivalent(a, b, error);
}

Result<RunToOpen> readRun(const fs::path& file, std::int64_t run,
                          const std::shared_ptr<const ImportedModel>& open, const Decisions& now,
                          const TaskContext& task) {
    RunToOpen found;
    PIM_TRY(const auto project, Project::open(file, Project::Mode::ReadOnly));
    PIM_TRY(found.recipe, project->recipe(run));
    PIM_CHECK(found.recipe.requireOneMachine());
    const GraphOptions& wanted = found.recipe.graph;
    if (!isSameFile(found.recipe.modelPath, now.graph->source.path)) {
        PIM_TRY(found.model, importModel(found.recipe.modelPath, task));
        PIM_TRY(found.graph, buildGraph(*found.model, wanted, task));
    } else if (wanted.bindings == now.graphOptions.bindings &&
               wanted.disabledPasses == now.graphOptions.disabledPasses &&
               wanted.passOptions == now.graphOptions.passOptions) {
        found.graph = now.graph;
    } else {
        PIM_TRY(found.graph, buildGraph(*open, wanted, task));
    }
    return found;
}

/// \p now with what the run was made from in its place; variants, notes and marks stay.
Decisions decisionsOf(const RunToOpen& found, const Decisions& now) {
    Decisions after = now;
    after.graph = found.graph;
    after.graphOptions = found.recipe.graph;
    after.target = found.recipe.target;
    after.options = found.recipe.options;
    after.decide(found.recipe.overrides);
    return after;
}

} // namespace

void Workspace::openRun(std::int64_t run) {
    if (!project() || !graph())
        return emit failed(tr("Run %1 cannot be opened: no project is open").arg(run), {});
    m_impl->tasks.start(
        tr("Opening run %1").arg(run),
        [this, run, file = project()->file(), open = m_impl->model,
         now = m_impl->history.snapshot()](const TaskContext& task) -> std::function<void()> {
            auto found = std::make_shared<Result<RunToOpen>>(readRun(file, run, open, *now, task));
            return [this, run, file, found] {
                if (!*found)
                    return m_impl->report(found->error());
                if (!project() || project()->file() != file)
                    return; // another document was opened meanwhile
                const bool hasChanged = (*found)->graph->source.structureHash != (*found)->recipe.modelHash;
                if (!(*found)->model)
                    m_impl->push(decisionsOf(**found, m_impl->now()), tr("Open run %1").arg(run));
                else
                    m_impl->enterOtherModel((*found)->model, decisionsOf(**found, m_impl->now()));
                if (hasChanged)
                    emit failed(
                        tr("The model has changed since run %1 was made: its figures may differ").arg(run),
                        {});
            };
        });
}

/// The history of one model says nothing about another: it begins anew, in the same project.
void Workspace::Impl::enterOtherModel(std::shared_ptr<const ImportedModel> other, Decisions decisions) {
    tasks.abandon(std::exchange(buildTask, 0));
    pendingGraph.reset();
    model = std::move(other);
    modelPath = QString::fromStdString(decisions.graph->source.path.string());
    selection = {};
    fit = {};
    history.start(std::move(decisions));
    emit self.projectChanged();
}

} // namespace pim::views
