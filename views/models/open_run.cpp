// SPDX-License-Identifier: GPL-3.0-or-later
// Going back to what a stored run was made from, or on to what a point of a sweep is.
#include "views/models/workspace_impl.h"

namespace pim::views {
namespace {

namespace fs = std::filesystem;

struct RunToOpen {
    RunRecipe recipe;
    std::shared_ptr<const ImportedModel> model; ///< Null: it is of the model that is open.
    std::shared_ptr<const Graph> graph;
};

bool isSameFile(const fs::path& a, const fs::path& b) {
    std::error_code error;
    return a == b || fs::equivalent(a, b, error);
}

Result<RunToOpen> withGraph(RunRecipe recipe, const std::shared_ptr<const ImportedModel>& open,
                            const Decisions* now, const TaskContext& task) {
    RunToOpen found{std::move(recipe), nullptr, nullptr};
    const GraphOptions& wanted = found.recipe.graph;
    if (!now || !isSameFile(found.recipe.modelPath, now->graph->source.path)) {
        PIM_TRY(found.model, importModel(found.recipe.modelPath, task));
        PIM_TRY(found.graph, buildGraph(*found.model, wanted, task));
    } else if (wanted.bindings == now->graphOptions.bindings &&
               wanted.disabledPasses == now->graphOptions.disabledPasses &&
               wanted.passOptions == now->graphOptions.passOptions) {
        found.graph = now->graph;
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
    after.takeOptions(found.recipe.options);
    after.options.threads = now.options.threads; // of this machine
    after.decide(found.recipe.overrides);
    return after;
}

} // namespace

void Workspace::openRun(std::int64_t run) {
    if (!project() || !graph())
        return emit failed(tr("Run %1 cannot be opened: no project is open").arg(run), {});
    openRecipe(tr("run %1").arg(run),
               [run, file = project()->file()](const TaskContext&) -> Result<RunRecipe> {
                   PIM_TRY(const auto project, Project::open(file, Project::Mode::ReadOnly));
                   PIM_TRY(RunRecipe recipe, project->recipe(run));
                   PIM_CHECK(recipe.requireOneMachine());
                   return recipe;
               });
}

void Workspace::openRecipe(const QString& what, RecipeSource find) {
    m_impl->tasks.start(
        tr("Opening %1").arg(what),
        [this, what, find = std::move(find), open = m_impl->model,
         now = m_impl->history.snapshot()](const TaskContext& task) -> std::function<void()> {
            const auto read = [&]() -> Result<RunToOpen> {
                PIM_TRY(RunRecipe recipe, find(task));
                return withGraph(std::move(recipe), open, open ? now.get() : nullptr, task);
            };
            auto found = std::make_shared<Result<RunToOpen>>(read());
            return [this, what, open, found] {
                if (!*found)
                    return m_impl->report(found->error());
                if (m_impl->model != open)
                    return; // another document was opened meanwhile
                const bool hasChanged = (*found)->graph->source.structureHash != (*found)->recipe.modelHash;
                if (!(*found)->model)
                    m_impl->push(decisionsOf(**found, m_impl->now()), tr("Open %1").arg(what));
                else
                    m_impl->enterOtherModel((*found)->model, decisionsOf(**found, m_impl->now()));
                if (hasChanged)
                    emit failed(
                        tr("The model has changed since %1 was made: its figures may differ").arg(what), {});
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
