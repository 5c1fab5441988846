// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/document.h"

#include <QCoreApplication>
#include <QElapsedTimer>

namespace pim::views {
namespace {

namespace fs = std::filesystem;

QString tr(const char* text) { return QCoreApplication::translate("Workspace", text); }

Result<OpenedDocument> read(const fs::path& path, Decisions decisions, const TaskContext& task) {
    OpenedDocument document;
    PIM_TRY(document.model, importModel(path, task));
    if (task.cancelled())
        return TaskContext::cancelledError("opening");
    PIM_TRY(decisions.graph, buildGraph(*document.model, decisions.graphOptions, task));
    document.decisions = std::move(decisions);
    return document;
}

} // namespace

Result<OpenedDocument> readModel(const fs::path& path, const Decisions& base, const TaskContext& task) {
    return read(path, base, task);
}

Result<OpenedDocument> readProject(const fs::path& path, const TaskContext& task) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) // Project::open would create it
        return fail(ErrorCode::NotFound, "there is no such project file", path.string(), "check the path, or choose another file");
    PIM_TRY(std::unique_ptr<Project> project, Project::open(path));
    PIM_TRY(const std::vector<RunInfo> runs, project->runs());
    if (runs.empty())
        return fail(ErrorCode::NotFound, "the project holds no run yet, so there is no model to open", path.string(),
                    "open the model itself, then save the project again");
    PIM_TRY(RunRecipe recipe, project->recipe(runs.front().id));
    PIM_TRY(OpenedDocument document,
            read(recipe.modelPath, {nullptr, recipe.graph, recipe.target, recipe.overrides, recipe.options}, task));
    if (document.decisions.graph->source.structureHash != recipe.modelHash)
        document.remark = tr("The model file has changed since the newest run of this project: figures may differ");
    if (project->readOnly())
        document.remark = tr("The project is open read-only: new runs are not stored");
    document.run = runs.front().id;
    document.project = std::move(project);
    return document;
}

Result<PlanOutcome> makePlan(const BackendList& backends, const PlanRequest& request, PlanCache& cache, const TaskContext& task) {
    QElapsedTimer clock;
    clock.start();
    PlanOutcome outcome;
    outcome.applied = request.overrides;
    auto plan = compile(backends, request, &cache, task);
    if (!plan && plan.error().code == ErrorCode::IllegalOverride && !request.overrides.empty()) {
        // A new target or graph does not allow every old decision: keep those it does.
        PlanRequest without = request;
        without.overrides = {};
        PIM_TRY(const std::shared_ptr<const Plan> base, compile(backends, without, &cache, task));
        PIM_TRY(const Backend* const backend, backends.find(request.target->backend));
        for (const Override& decision : request.overrides.all()) {
            if (const auto legal = backend->checkOverride(*base, decision); legal)
                without.overrides.set(decision);
            else
                outcome.dropped.emplace_back(decision, legal.error().text());
        }
        if (outcome.dropped.empty())
            return tl::unexpected<Error>(plan.error());
        outcome.applied = without.overrides;
        plan = compile(backends, without, &cache, task);
    }
    if (!plan)
        return tl::unexpected<Error>(plan.error());
    outcome.plan = std::move(*plan);
    outcome.milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    return outcome;
}

Result<std::unique_ptr<Project>> createProject(const fs::path& file, const fs::path& previous) {
    std::error_code error;
    if (fs::exists(file, error) && fs::file_size(file, error) > 0) {
        // The user agreed to replace a project, but never to lose some other kind of file.
        PIM_CHECK(Project::open(file, Project::Mode::ReadOnly));
        for (const char* suffix : {"", "-wal", "-shm"})
            fs::remove(file.string() + suffix, error);
    }
    if (!previous.empty())
        for (const char* suffix : {"", "-wal"})
            if (fs::exists(previous.string() + suffix, error) &&
                !fs::copy_file(previous.string() + suffix, file.string() + suffix, fs::copy_options::overwrite_existing, error))
                return fail(ErrorCode::Io, "cannot be written: " + error.message(), file.string(), "choose another folder");
    return Project::open(file);
}

Result<std::int64_t> storeRun(const fs::path& file, const RunToStore& run) {
    PIM_TRY(const std::unique_ptr<Project> project, Project::open(file));
    PIM_CHECK(project->saveVariant(run.context.variant, run.plan->overrides));
    return project->recordRun(*run.plan, run.context);
}

QString fieldText(const std::string& field) {
    const QString text = QString::fromStdString(field);
    const qsizetype slash = text.indexOf(u'/');
    return slash < 0 ? text : tr("%1 of %2").arg(text.left(slash), text.mid(slash + 1));
}

QString describe(const Override& decision) {
    QString value = QString::fromStdString(decision.value);
    if (constexpr int kShown = 48; value.size() > kShown)
        value = value.left(kShown - 1) + u'…';
    const QString op = decision.op.empty() ? tr("the whole network") : QString::fromStdString(decision.op);
    return tr("Set %1 of %2 to %3").arg(fieldText(decision.field), op, value);
}

} // namespace pim::views
