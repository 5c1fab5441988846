// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What stands behind the Workspace: its parts and how one tells the others. Used by the .cpp files of
/// Workspace alone.
#include "views/models/decision_history.h"
#include "views/models/decision_keeper.h"
#include "views/models/document.h"
#include "views/models/draft_search.h"
#include "views/models/filter_stack.h"
#include "views/models/run_store.h"
#include "views/models/task_runner.h"
#include "views/models/workspace.h"

namespace pim::views {

class KnownDrafts;

struct Workspace::Impl {
    Impl(Workspace& workspace, const BackendList& list, TargetCatalog targets, const FamilyList& known);

    void report(const Error& error) const;
    /// Of a result that is there all the same: said where failures are, without its task having failed.
    void remark(const QString& message, const QString& details);
    const Decisions& now() const { return history.now(); }
    void push(Decisions after, const QString& text, const QString& mergeKey = {}) {
        history.push(std::move(after), text, mergeKey);
    }

    // Decisions: told by the history after every move.
    void entered(const Decisions& old);
    void keepSelection(const Graph* old);

    // Documents
    void startLoading(const QString& path, std::function<Result<OpenedDocument>(const TaskContext&)> read);
    void install(const QString& path, OpenedDocument document);
    void moveInto(CreatedProject created); ///< All that is open, with its history.
    void enterOtherModel(std::shared_ptr<const ImportedModel> other, Decisions decisions);
    /// Builds the graph anew and, if that works, makes it one step of the history.
    void rebuild(const GraphOptions& options, const QString& text);

    // Planning
    void startPlanning();
    void planned(const Result<PlanOutcome>& outcome);
    void tellStale(const OverrideFit& before);
    void tellRefused();

    // The project
    bool canStore() const { return project && !project->readOnly(); }
    void queueRun();
    void storeFound(); ///< Best drafts that were found without a new run.
    /// Those of the project and those that are remembered, which would else be written back.
    void clearKnownDrafts();
    void runStored(const std::shared_ptr<ProjectHome>& where, const RunToStore& run,
                   const Result<std::int64_t>& id);

    Workspace& self;
    const BackendList& backends;
    TargetCatalog catalog;
    const FamilyList& families;
    std::optional<CompileOptions> startOptions; ///< Of the next model; none: those in force.
    std::shared_ptr<DraftTable> table = std::make_shared<DraftTable>(); ///< Of the document that is open.
    std::shared_ptr<PlanCache> cache = std::make_shared<PlanCache>(table);
    std::int64_t refusedTold = 0; ///< Of table->refused().

    std::shared_ptr<const ImportedModel> model;
    QString modelPath;
    std::shared_ptr<const Plan> plan;
    OverrideFit fit; ///< Of plan.
    bool stale = false;
    double compileMs = 0;
    Selection selection;

    std::unique_ptr<Project> project;
    bool isSaved = false; ///< The project is where a person put it.
    std::shared_ptr<ProjectHome> home = std::make_shared<ProjectHome>(); ///< Of this document.
    std::shared_ptr<QLockFile> projectLock;
    std::int64_t lastRun = 0;
    bool isFirstPlan = false;         ///< Of a project that was opened: it may be in there already.
    std::optional<RunInfo> newestRun; ///< When it was opened.

    SimulationSource* simulations = nullptr; ///< A child of the workspace.
    KnownDrafts* knownDrafts = nullptr;      ///< Likewise.
    DraftRanking* ranking = nullptr;         ///< Likewise.
    FilterStack filters;
    ViewStates viewStates;
    std::int64_t lastNote = 0;                ///< Highest id ever given, also by steps that were undone.
    std::optional<GraphOptions> pendingGraph; ///< A rebuild is running towards these.
    int loadTask = 0, buildTask = 0, planTask = 0;
    DecisionHistory history;
    TaskRunner tasks; ///< From here on: gone, with all threads, before anything above.
    DraftSearch drafts;
    RunStore runs;
    DecisionKeeper keeper;
};

} // namespace pim::views
