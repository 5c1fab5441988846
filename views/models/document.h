// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the user has decided, as one value, and the slow steps that work on it. Everything here runs on worker threads
/// and knows no widget.
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/project/project.h"

#include <QString>

namespace pim::views {

/// A named set of overrides beside the one in force.
struct Variant {
    std::string name;
    std::string parent; ///< It was branched from; empty: none.
    Overrides overrides;
    friend bool operator==(const Variant&, const Variant&) = default;
};

/// One point of the undo history. Graphs hold no weights, so a history of them is small and undo needs no re-import.
struct Decisions {
    std::shared_ptr<const Graph> graph;
    GraphOptions graphOptions;
    std::shared_ptr<const Target> target;
    Overrides overrides;
    CompileOptions options;
    std::string variant = "main";                ///< The one in force; overrides are its.
    std::vector<Variant> variants{{"main", {}, {}}}; ///< All, in the order they were made; that of \ref variant as it was when left.
    std::vector<Note> notes;                     ///< By id, ascending.

    PlanRequest request() const { return {graph, target, overrides, options}; }
};

/// A model read from a file, alone or as the newest run of a project tells.
struct OpenedDocument {
    std::shared_ptr<const ImportedModel> model;
    Decisions decisions;
    std::unique_ptr<Project> project; ///< Null for a model alone.
    std::int64_t run = 0;
    QString remark;                   ///< Something the user should know although it worked.
};

Result<OpenedDocument> readModel(const std::filesystem::path& path, const Decisions& base, const TaskContext& task);
Result<OpenedDocument> readProject(const std::filesystem::path& path, const TaskContext& task);

/// A plan, and the overrides that had to be left out because target or graph do not allow them (any more).
struct PlanOutcome {
    std::shared_ptr<const Plan> plan;
    Overrides applied;
    std::vector<std::pair<Override, std::string>> dropped; ///< With the reason.
    double milliseconds = 0;
};
Result<PlanOutcome> makePlan(const BackendList& backends, const PlanRequest& request, PlanCache& cache, const TaskContext& task);

struct RunToStore {
    std::shared_ptr<const Plan> plan;
    RunContext context;
};
/// Makes \p file the project of this document: takes along the history of \p previous if there is one.
Result<std::unique_ptr<Project>> createProject(const std::filesystem::path& file, const std::filesystem::path& previous);
/// Over a connection of its own, so that the one of the UI thread stays free. \returns the run's id.
Result<std::int64_t> storeRun(const std::filesystem::path& project, const RunToStore& run);

/// "Set draft of Conv_12 to [[80, 64, …"
QString describe(const Override& decision);
/// "draft", "residency of W"
QString fieldText(const std::string& field);

} // namespace pim::views
