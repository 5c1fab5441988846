// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/workspace_impl.h"

#include "views/common/core_sentences.h"
#include "views/models/known_drafts.h"
#include "views/models/simulation_source.h"

#include <QFileInfo>
#include <QLockFile>

namespace pim::views {

Workspace::Impl::Impl(Workspace& workspace, const BackendList& list, TargetCatalog targets,
                      const FamilyList& known)
    : self(workspace), backends(list), catalog(std::move(targets)), families(known),
      history([this](const Decisions& old) { entered(old); }),
      tasks([this](const QString& task, const QString& what) {
          emit self.failed(tr("An internal error stopped \"%1\"").arg(task), what);
      }),
      drafts(workspace, tasks, [this] { emit self.explorationChanged(); }), runs(tasks), keeper([this] {
          return DecisionKeeper::Snapshot{history.snapshot(), lastNote, viewStates,
                                          now().graph && !history.stack().isClean()};
      }) {
    connect(&keeper, &DecisionKeeper::failed, &self, [this](const Error& error) { report(error); });
    // Whoever undoes meanwhile is back at what was stored, and no longer is.
    connect(&keeper, &DecisionKeeper::replacing, &self, [this] {
        if (isSaved)
            history.stack().resetClean();
    });
    connect(&keeper, &DecisionKeeper::stored, &self,
            [this](const std::shared_ptr<const Decisions>& decisions) {
                if (isSaved && decisions == history.snapshot())
                    history.stack().setClean();
            });
    connect(&self, &Workspace::failed, &tasks, &TaskRunner::noteFailure);
}

void Workspace::Impl::report(const Error& error) const {
    if (error.code == ErrorCode::Cancelled)
        return;
    const QString details = QString::fromStdString(error.text());
    QString message = coreSentence(error.message);
    if (!message.isEmpty())
        message[0] = message[0].toUpper();
    if (!error.where.empty())
        message =
            QStringLiteral("%1: %2").arg(QFileInfo(QString::fromStdString(error.where)).fileName(), message);
    if (!error.hint.empty())
        message += QStringLiteral(" — ") + coreSentence(error.hint);
    emit self.failed(message, details);
}

void Workspace::Impl::entered(const Decisions& old) {
    const Decisions& after = now();
    const bool isNewGraph = old.graph != after.graph;
    const bool isNewTarget = old.target != after.target;
    const bool isSameRequest = !isNewGraph && !isNewTarget && old.overrides == after.overrides &&
                               optionsJson(old.options) == optionsJson(after.options);
    if (isNewGraph) {
        keepSelection(old.graph.get());
        plan.reset(); // its op ids are those of the other graph
        filters.clear();
    }
    if (isNewGraph || isNewTarget)
        drafts.drop();
    if (!isSameRequest)
        stale = after.graph != nullptr;
    keeper.decisionsChanged();
    if (isNewGraph)
        emit self.graphChanged();
    if (isNewTarget)
        emit self.targetChanged();
    if (old.ranking != after.ranking || old.options.predictorVersion != after.options.predictorVersion)
        emit ranking->changed();
    if (old.overrides != after.overrides)
        emit self.overridesChanged();
    if (old.notes != after.notes)
        emit self.notesChanged();
    if (old.variant != after.variant || old.variants != after.variants)
        emit self.variantsChanged();
    if (isNewGraph)
        emit self.selectionChanged();
    if (!isSameRequest)
        startPlanning();
}

void Workspace::Impl::keepSelection(const Graph* old) {
    Selection kept;
    if (old && now().graph && selection.op.valid() && selection.op.index() < old->ops.size())
        kept.op = now().graph->findOp(old->op(selection.op).name);
    selection = kept;
}

void Workspace::Impl::startLoading(const QString& path,
                                   std::function<Result<OpenedDocument>(const TaskContext&)> read) {
    tasks.abandon(loadTask);
    loadTask =
        tasks.start(tr("Opening %1").arg(QFileInfo(path).fileName()),
                    [this, path, read = std::move(read)](const TaskContext& task) -> std::function<void()> {
                        // Shared, because std::function copies and the document cannot be copied.
                        auto opened = std::make_shared<Result<OpenedDocument>>(read(task));
                        return [this, path, opened] {
                            if (*opened)
                                install(path, std::move(**opened));
                            else
                                report(opened->error());
                        };
                    });
}

void Workspace::Impl::install(const QString& path, OpenedDocument document) {
    tasks.abandon(std::exchange(buildTask, 0));
    tasks.abandon(std::exchange(planTask, 0));
    drafts.forget();
    pendingGraph.reset();
    // The old document.
    const bool isLeft = project && !isSaved && !history.stack().isClean();
    if (!isSaved && !isLeft)
        home->leave(); // its file goes
    project.reset();
    isLeft ? keeper.leave() : keeper.close();
    keeper.setProject({}, nullptr);
    model = std::move(document.model);
    project = std::move(document.project);
    isSaved = project && !document.isUnsaved;
    home = std::make_shared<ProjectHome>(project ? project->file() : std::filesystem::path());
    projectLock = document.isUnsaved ? nullptr : document.lock;
    newestRun = std::move(document.newestRun);
    lastRun = 0;
    lastNote = document.lastNote;
    isFirstPlan = newestRun.has_value();
    viewStates = std::move(document.viewStates);
    table = std::make_shared<DraftTable>(std::move(document.knownDrafts));
    cache = std::make_shared<PlanCache>(table);
    refusedTold = 0;
    modelPath = project ? QString::fromStdString(document.decisions.graph->source.path.string()) : path;
    selection = {};
    fit = {};
    if (!document.decisions.target)
        document.decisions.target = now().target;
    if (!document.decisions.target && !catalog.targets().empty())
        document.decisions.target = catalog.targets().front();
    history.start(std::move(document.decisions));
    if (canStore())
        keeper.setProject(project->file(), history.snapshot());
    else if (project)
        keeper.setReadOnlyProject(project->file());
    if (document.isUnsaved) {
        keeper.adopt(std::make_unique<RecoverySession>(project->file(), document.lock));
        keeper.decisionsChanged();
    }
    if (document.isRecovered)
        history.stack().resetClean(); // nothing of it is stored where the user wants it
    emit self.projectChanged();
    emit self.viewStatesLoaded();
    if (!document.remark.isEmpty())
        remark(document.remark, {});
    if (isLeft)
        emit self.unsavedLeft(keeper.recoveryFolder());
}

void Workspace::Impl::moveInto(CreatedProject created) {
    const bool hadStored = canStore();
    project.reset();
    keeper.close(); // the old file has all; a recovery file is no longer needed
    project = std::move(created.project);
    projectLock = std::move(created.lock);
    isSaved = true;
    home->moveTo(project->file());
    keeper.setProject(project->file(), nullptr);
    keeper.decisionsChanged();
    if (!hadStored && !stale)
        queueRun();
    emit self.projectChanged();
}

void Workspace::Impl::remark(const QString& message, const QString& details) {
    emit self.failed(message, details);
    tasks.noteRemark(message);
}

void Workspace::Impl::rebuild(const GraphOptions& options, const QString& text) {
    tasks.abandon(std::exchange(buildTask, 0));
    pendingGraph = options;
    buildTask = tasks.start(
        text,
        [this, options, text, source = model](const TaskContext& task) -> std::function<void()> {
            auto graph = buildGraph(*source, options, task);
            return [this, options, text, graph = std::move(graph)] {
                pendingGraph.reset();
                if (!graph)
                    return report(graph.error());
                Decisions after = now();
                after.graph = *graph;
                after.graphOptions = options;
                push(std::move(after), text);
            };
        },
        [this] { pendingGraph.reset(); });
}

void Workspace::Impl::startPlanning() {
    tasks.abandon(std::exchange(planTask, 0));
    if (!now().graph || !now().target) {
        emit self.planChanged();
        return;
    }
    planTask = tasks.start(
        tr("Planning %1 on %2")
            .arg(QFileInfo(modelPath).fileName(), QString::fromStdString(now().target->id)),
        [this, request = now().request(), marks = now().marks,
         shared = cache](const TaskContext& task) -> std::function<void()> {
            auto outcome = makePlan(backends, request, marks, *shared, task);
            return [this, outcome = std::move(outcome)] { planned(outcome); };
        },
        [this] {
            planTask = 0;
            emit self.planChanged();
        });
    emit self.planChanged();
    drafts.refresh();
}

void Workspace::Impl::planned(const Result<PlanOutcome>& outcome) {
    planTask = 0;
    if (!outcome) {
        report(outcome.error());
        emit self.planChanged();
        return;
    }
    plan = outcome->fitted.plan;
    const OverrideFit before = std::exchange(fit, outcome->fitted.fit);
    compileMs = outcome->milliseconds;
    stale = false;
    tellStale(before);
    if (std::exchange(isFirstPlan, false) && newestRun && isSameRun(*newestRun, *plan, now().options)) {
        lastRun = newestRun->id;
        storeFound();
    } else {
        queueRun();
    }
    tellRefused();
    keeper.planned();
    drafts.refresh();
    emit self.planChanged();
}

/// Once for every decision that does not fit (any more): not again with every plan.
void Workspace::Impl::tellStale(const OverrideFit& before) {
    const auto wasStale = [&before](const Override& decision) {
        return std::ranges::any_of(before.decisions, [&](const FittedDecision& old) {
            return old.fit == Fit::Stale && old.decision == decision;
        });
    };
    QStringList reasons;
    for (const FittedDecision& each : fit.decisions)
        if (each.fit == Fit::Stale && !wasStale(each.decision))
            reasons.append(
                QStringLiteral("%1: %2").arg(describe(each.decision), QString::fromStdString(each.reason)));
    if (!reasons.isEmpty())
        remark(reasons.size() == 1
                   ? tr("One decision does not fit this model and target: it is kept, but not in the plan")
                   : tr("%1 decisions do not fit this model and target: they are kept, but not in the plan")
                         .arg(reasons.size()),
               reasons.join(u'\n'));
}

void Workspace::Impl::tellRefused() {
    const std::int64_t refused = table->refused() - refusedTold;
    if (refused <= 0)
        return;
    refusedTold += refused;
    remark(tr("%1 best drafts in the project cannot be what a search found: they were looked for again")
               .arg(refused),
           {});
}

void Workspace::Impl::storeFound() {
    if (!canStore() || table->found().empty())
        return;
    runs.add(tr("Saving drafts"), [this, where = home, found = table->found()] {
        return [this, stored = storeDrafts(where->file(), found)] {
            if (!stored)
                report(stored.error());
            emit knownDrafts->changed();
            return stored.has_value();
        };
    });
}

void Workspace::Impl::clearKnownDrafts() {
    table = std::make_shared<DraftTable>();
    cache = std::make_shared<PlanCache>(table);
    refusedTold = 0;
    if (planTask)
        startPlanning(); // anew, so that what it finds is kept
    runs.add(tr("Clearing drafts"), [this, where = home] {
        return [this, cleared = clearDrafts(where->file())] {
            if (!cleared)
                report(cleared.error());
            emit knownDrafts->changed();
            return cleared.has_value();
        };
    });
}

void Workspace::Impl::queueRun() {
    if (!canStore() || !plan)
        return;
    RunToStore run{plan, {}, table->found()};
    run.context.variant = now().variant;
    run.context.options = now().options;
    run.context.compileMs = compileMs;
    if (const auto found = drafts.found(); found && found->target == plan->target)
        run.context.explorations.push_back(found);
    runs.add(tr("Saving run"), [this, where = home, run = std::move(run)] {
        return [this, where, run, id = storeRun(where->file(), run)] {
            runStored(where, run, id);
            return id.has_value();
        };
    });
}

void Workspace::Impl::runStored(const std::shared_ptr<ProjectHome>& where, const RunToStore& run,
                                const Result<std::int64_t>& id) {
    if (!where->isLeft() && !id)
        return report(id.error());
    if (!id || where != home)
        return;
    if (run.plan == plan)
        lastRun = *id;
    emit self.projectChanged();
}

} // namespace pim::views
