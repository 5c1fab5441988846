// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/document.h"

#include "core/predict/shipped.h"
#include "core/project/ranking_choice.h"
#include "views/common/core_words.h"
#include "views/models/recovery.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QLockFile>

#include <algorithm>
#include <set>

namespace pim::views {
namespace {

namespace fs = std::filesystem;

struct DocumentWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::DocumentWords)
};

/// In the place of a version, where a project says what ranks drafts.
/// In the place of the version that it comes to, which is another on another target.
std::string storedRanking(const RankingChoice& ranking) {
    switch (ranking.by) {
    case RankingChoice::By::Automatic:
        return std::string(kAutomaticRanking);
    case RankingChoice::By::Shipped:
        return std::string(kShippedRanking);
    case RankingChoice::By::Own:
        return ranking.ownVersion;
    case RankingChoice::By::Formula:
        break;
    }
    return {};
}

constexpr int kLockWaitMs = 100; ///< Another window may just be closing.

fs::path lockFileOf(const fs::path& project) {
    return project.parent_path() / ('.' + project.filename().string() + ".lock");
}

Result<OpenedDocument> read(const fs::path& path, Decisions decisions, const TaskContext& task) {
    OpenedDocument document;
    PIM_TRY(document.model, importModel(path, task));
    if (task.cancelled())
        return TaskContext::cancelledError("opening");
    PIM_TRY(decisions.graph, buildGraph(*document.model, decisions.graphOptions, task));
    document.decisions = std::move(decisions);
    return document;
}

/// The decisions of a project that only `pimc` wrote to: those of its newest run, in force in the variant it
/// was made in.
Result<DecisionState> stateOfNewestRun(const Project& project, const RunInfo& newest) {
    PIM_TRY(RunRecipe recipe, project.recipe(newest.id));
    PIM_TRY(const auto infos, project.variants());
    DecisionState state{recipe.modelPath,
                        recipe.modelHash,
                        recipe.graph,
                        recipe.target,
                        recipe.options,
                        newest.variant,
                        {},
                        {},
                        {},
                        0,
                        {}};
    std::map<std::int64_t, std::string> names;
    for (const VariantInfo& info : infos)
        names[info.id] = info.name;
    for (const VariantInfo& info : infos)
        state.variants.push_back(
            {info.name, names[info.parent], info.name == newest.variant ? recipe.overrides : info.overrides});
    if (std::ranges::find(state.variants, newest.variant, &Variant::name) == state.variants.end())
        state.variants.push_back({newest.variant, {}, recipe.overrides}); // it was deleted since
    return state;
}

Decisions decisionsOf(DecisionState state) {
    Decisions decisions{
        nullptr,       std::move(state.graph),    std::move(state.target), state.overrides(),      {},
        state.variant, std::move(state.variants), std::move(state.marks),  std::move(state.notes), {}};
    decisions.takeOptions(std::move(state.options));
    return decisions;
}

} // namespace

void Decisions::decide(Overrides decided, const OpMarks& known) {
    OpMarks all = marks;
    for (const auto& [op, mark] : known)
        all.insert_or_assign(op, mark);
    for (auto& [op, mark] : marksOf(*graph, decided, all))
        marks.insert_or_assign(op, mark);
    overrides = std::move(decided);
    for (Variant& each : variants)
        if (each.name == variant)
            each.overrides = overrides;
    dropUnusedMarks();
}

void Decisions::enterVariant(const std::string& name) {
    const auto found = std::ranges::find(variants, name, &Variant::name);
    PIM_ASSERT(found != variants.end(), "the variant entered is one of the variants");
    variant = name;
    overrides = found->overrides;
}

void Decisions::dropUnusedMarks() {
    std::set<std::string> used;
    for (const Variant& each : variants)
        for (const Override& decision : each.overrides.all())
            used.insert(decision.op);
    std::erase_if(marks, [&used](const auto& mark) { return !used.contains(mark.first); });
}

void Decisions::rank() {
    std::shared_ptr<const LearnedPredictor> learned;
    if (target && ranking.by == RankingChoice::By::Automatic)
        learned = betterPredictorFor(*target);
    else if (target && ranking.by == RankingChoice::By::Shipped)
        learned = predictorFor(*target, nullptr);
    else if (target && ranking.by == RankingChoice::By::Own && ranking.own &&
             ranking.own->checkFits(*target, {}))
        learned = ranking.own;
    usePredictor(options, std::move(learned));
}

void Decisions::takeOptions(CompileOptions stored) {
    const std::string version = stored.predictorVersion;
    const auto learned = std::dynamic_pointer_cast<const LearnedPredictor>(stored.predictor);
    const auto isOf = [&version](const std::shared_ptr<const LearnedPredictor>& shipped) {
        return shipped && shipped->version() == version;
    };
    if (version.empty()) {
        ranking.by = RankingChoice::By::Formula;
    } else if (version == kAutomaticRanking || (target && isOf(betterPredictorFor(*target)))) {
        ranking.by = RankingChoice::By::Automatic;
    } else if (version == kShippedRanking || (target && isOf(predictorFor(*target, nullptr)))) {
        ranking.by = RankingChoice::By::Shipped;
    } else {
        ranking = {RankingChoice::By::Own, learned, version};
    }
    options = std::move(stored);
    rank();
}

DecisionState stateOf(const Decisions& decisions) {
    const ModelSource& source = decisions.graph->source;
    std::error_code error;
    const fs::path path = source.path.empty() ? fs::path() : fs::absolute(source.path, error);
    CompileOptions options = decisions.options; // with what was chosen in the place of what it comes to
    options.predictor = decisions.ranking.by == RankingChoice::By::Own ? decisions.ranking.own : nullptr;
    options.predictorVersion = storedRanking(decisions.ranking);
    return {path,
            source.structureHash,
            decisions.graphOptions,
            decisions.target,
            std::move(options),
            decisions.variant,
            decisions.variants,
            decisions.marks,
            decisions.notes,
            0,
            {}};
}

ProjectLock lockProject(const fs::path& file, QString* holder) {
    std::error_code error;
    auto lock =
        std::make_unique<QLockFile>(QString::fromStdString(lockFileOf(fs::absolute(file, error)).string()));
    lock->setStaleLockTime(0); // it is held for hours; a holder that died is noticed by its process id
    if (lock->tryLock(kLockWaitMs))
        return lock;
    qint64 process = 0;
    QString host, program;
    if (holder && lock->error() == QLockFile::LockFailedError && lock->getLockInfo(&process, &host, &program))
        *holder = DocumentWords::tr("%1, process %2 on %3").arg(program).arg(process).arg(host);
    return nullptr;
}

Result<OpenedDocument> readModel(const fs::path& path, const Decisions& base, const QString& recovery,
                                 const TaskContext& task) {
    PIM_TRY(OpenedDocument document, read(path, base, task));
    if (recovery.isEmpty())
        return document;
    auto begun = beginSession(recovery);
    if (!begun) { // the model is open all the same
        document.remark = QString::fromStdString(begun.error().text());
        return document;
    }
    document.project = std::move(begun->project);
    document.lock = std::move(begun->lock);
    document.isUnsaved = true;
    return document;
}

Result<OpenedDocument> readDecisionsOf(const Project& project, const TaskContext& task) {
    PIM_TRY(const std::vector<RunInfo> runs, project.runs());
    PIM_TRY(std::optional<DecisionState> state, project.decisions());
    if (!state && runs.empty())
        return fail(ErrorCode::NotFound,
                    "the project holds no decisions and no runs yet, so there is no model to open",
                    project.file().string(), "open the model itself, then save the project again");
    if (!state) {
        PIM_TRY(state, stateOfNewestRun(project, runs.front()));
    }
    const fs::path model = state->modelPath;
    const std::string hash = state->modelHash;
    const std::int64_t lastNote = state->lastNote;
    ViewStates viewStates;
    for (const auto& [view, json] : state->viewStates)
        viewStates[QString::fromStdString(view)] =
            QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    PIM_TRY(OpenedDocument document, read(model, decisionsOf(std::move(*state)), task));
    if (document.decisions.graph->source.structureHash != hash)
        document.remark = DocumentWords::tr(
            "The model file has changed since the project was last used: figures may differ");
    Decisions& decisions = document.decisions; // older projects and `pimc` keep no marks
    for (const Variant& variant : decisions.variants)
        decisions.marks.merge(marksOf(*decisions.graph, variant.overrides, decisions.marks));
    if (const RankingChoice& ranking = decisions.ranking;
        ranking.by == RankingChoice::By::Own && !ranking.own)
        document.remark =
            DocumentWords::tr("Predictor %1 of this project cannot be read: drafts are ranked by the formula "
                              "until you open its file or train another")
                .arg(QString::fromStdString(ranking.ownVersion));
    document.lastNote = lastNote;
    document.viewStates = std::move(viewStates);
    if (!runs.empty())
        document.newestRun = runs.front();
    return document;
}

Result<OpenedDocument> readProject(const fs::path& path, const TaskContext& task,
                                   std::shared_ptr<QLockFile> held) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) // Project::open would create it
        return fail(ErrorCode::NotFound, "there is no such project file", path.string(),
                    "check the path, or choose another file");
    QString holder;
    std::shared_ptr<QLockFile> lock = held ? std::move(held) : lockProject(path, &holder);
    PIM_TRY(std::unique_ptr<Project> project,
            Project::open(path, holder.isEmpty() ? Project::Mode::ReadWrite : Project::Mode::ReadOnly));
    PIM_TRY(OpenedDocument document, readDecisionsOf(*project, task));
    if (!holder.isEmpty())
        document.remark =
            DocumentWords::tr(
                "Another window has this project open (%1), so it is read-only here and nothing "
                "is stored. Save it under "
                "another name, or close that window and open it again")
                .arg(holder);
    else if (project->readOnly())
        document.remark =
            DocumentWords::tr("The project is open read-only: new runs and decisions are not stored");
    else
        document.lock = std::move(lock);
    PIM_TRY(StoredDrafts stored, project->knownDrafts());
    for (const Diagnostic& problem : stored.problems(path))
        document.remark += (document.remark.isEmpty() ? QString() : QStringLiteral(". ")) +
                           QString::fromStdString(problem.message);
    document.knownDrafts = std::move(stored.drafts);
    document.project = std::move(project);
    return document;
}

Result<PlanOutcome> makePlan(const BackendList& backends, const PlanRequest& request, const OpMarks& marks,
                             PlanCache& cache, const TaskContext& task) {
    QElapsedTimer clock;
    clock.start();
    PIM_TRY(FittedPlan fitted, compileFitting(backends, request, {request.overrides, marks}, &cache, task));
    return PlanOutcome{std::move(fitted), static_cast<double>(clock.nsecsElapsed()) / 1e6};
}

Result<CreatedProject> createProject(const fs::path& file, const fs::path& previous) {
    std::error_code error;
    CreatedProject created;
    QString holder;
    created.lock = lockProject(file, &holder);
    if (!holder.isEmpty())
        return fail(ErrorCode::Io, "another window has this project open (" + holder.toStdString() + ")",
                    file.string(), "choose another name, or close that window");
    if (fs::exists(file, error) && fs::file_size(file, error) > 0) {
        // The user agreed to replace a project, but never to lose some other kind of file.
        PIM_CHECK(Project::open(file, Project::Mode::ReadOnly));
        for (const char* suffix : {"", "-wal", "-shm"})
            fs::remove(file.string() + suffix, error);
    }
    if (!previous.empty()) {
        PIM_TRY(const auto from, Project::open(previous, Project::Mode::ReadOnly));
        PIM_CHECK(from->copyTo(file));
    }
    PIM_TRY(created.project, Project::open(file));
    return created;
}

Result<std::int64_t> storeRun(const fs::path& file, const RunToStore& run) {
    PIM_TRY(const std::unique_ptr<Project> project, Project::open(file));
    PIM_TRY(const std::int64_t id, project->recordRun(*run.plan, run.context));
    PIM_CHECK(project->storeKnownDrafts(run.foundDrafts));
    return id;
}

Result<void> storeDrafts(const fs::path& file, const std::vector<KnownDraft>& drafts) {
    PIM_TRY(const std::unique_ptr<Project> project, Project::open(file));
    return project->storeKnownDrafts(drafts);
}

Result<void> clearDrafts(const fs::path& file) {
    PIM_TRY(const std::unique_ptr<Project> project, Project::open(file));
    PIM_CHECK(project->clearKnownDrafts());
    return {};
}

bool isSameRun(const RunInfo& run, const Plan& plan, const CompileOptions& options) {
    return run.modelHash == plan.graph->source.structureHash && run.targetHash == plan.target->hash &&
           run.overridesJson == plan.overrides.json() && run.optionsJson == optionsJson(options);
}

QString fieldText(const std::string& field) {
    const QString text = QString::fromStdString(field);
    if (field.starts_with(kDeviceField))
        return DocumentWords::tr("device in %1").arg(text.mid(qsizetype(kDeviceField.size())));
    const qsizetype slash = text.indexOf(u'/');
    return slash < 0 ? coreWord(field)
                     : DocumentWords::tr("%1 of %2")
                           .arg(coreWord(field.substr(0, std::size_t(slash))), text.mid(slash + 1));
}

QString describe(const Override& decision) {
    QString value = QString::fromStdString(decision.value);
    if (constexpr int kShown = 48; value.size() > kShown)
        value = value.left(kShown - 1) + u'…';
    const QString op =
        decision.op.empty() ? DocumentWords::tr("the whole network") : QString::fromStdString(decision.op);
    return DocumentWords::tr("Set %1 of %2 to %3").arg(fieldText(decision.field), op, value);
}

} // namespace pim::views
