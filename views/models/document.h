// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the user has decided, as one value, and the slow steps that work on it. Everything here runs on
/// worker threads and knows no widget.
#include "core/compile/override_fit.h"
#include "core/project/project.h"
#include "views/models/draft_ranking.h"

#include <QJsonObject>
#include <QString>

#include <mutex>

class QLockFile;

namespace pim::views {

/// One point of the undo history. Graphs hold no weights, so a history of them is small and undo needs no
/// re-import.
struct Decisions {
    std::shared_ptr<const Graph> graph;
    GraphOptions graphOptions;
    std::shared_ptr<const Target> target;
    Overrides overrides; ///< Of the variant in force; those that do not fit (any more) too.
    CompileOptions options;
    std::string variant = "main"; ///< The one in force.
    std::vector<Variant> variants{
        {"main", {}, {}}};   ///< All, in the order they were made, with the overrides they have now.
    OpMarks marks;           ///< Of all ops that any variant decides about.
    std::vector<Note> notes; ///< By id, ascending.
    RankingChoice ranking;   ///< \ref options have what it comes to on \ref target.

    /// Sets the overrides of the variant in force. Ops decided about for the first time get their marks from
    /// \ref graph, or from \p known where it has them.
    void decide(Overrides decided, const OpMarks& known = {});
    void enterVariant(const std::string& name); ///< One of \ref variants.
    void dropUnusedMarks();
    void rank();                             ///< Makes \ref options ask what \ref ranking says.
    void takeOptions(CompileOptions stored); ///< As a project has them, with the choice in them.

    PlanRequest request() const { return {graph, target, overrides, options}; }
    MarkedOverrides marked() const { return {overrides, marks}; }
};

/// As kept in a project, without what is not undone: the last note and how views looked.
DecisionState stateOf(const Decisions& decisions);

using ViewStates = std::map<QString, QJsonObject>;

/// Right to write into a project, held as long as it is open: one window at a time.
using ProjectLock = std::unique_ptr<QLockFile>;
/// \returns null where another process or window holds it. \param holder then tells who, for a person.
ProjectLock lockProject(const std::filesystem::path& file, QString* holder);

/// A model read from a file, alone or as a project tells.
struct OpenedDocument {
    std::shared_ptr<const ImportedModel> model;
    Decisions decisions;
    std::int64_t lastNote = 0;
    ViewStates viewStates;
    std::unique_ptr<Project> project; ///< Of a model alone one for recovery, or null.
    bool isUnsaved = false;           ///< The project is one for recovery.
    bool isRecovered = false;         ///< And somebody worked on it before.
    std::shared_ptr<QLockFile>
        lock; ///< Of the project, or of the recovered session; null: not ours to write.
    std::optional<RunInfo> newestRun;    ///< Of the project.
    std::vector<KnownDraft> knownDrafts; ///< Likewise.
    QString remark;                      ///< Something the user should know although it worked.
};

/// \param recovery folder for its project until it is saved; empty: it has none.
Result<OpenedDocument> readModel(const std::filesystem::path& path, const Decisions& base,
                                 const QString& recovery, const TaskContext& task);
/// \param held the right to write to it, if this window has it already.
Result<OpenedDocument> readProject(const std::filesystem::path& path, const TaskContext& task,
                                   std::shared_ptr<QLockFile> held = nullptr);
/// The decisions of an open project, applied to its model, which is read.
Result<OpenedDocument> readDecisionsOf(const Project& project, const TaskContext& task);

/// A plan, and what became of every decision.
struct PlanOutcome {
    FittedPlan fitted;
    double milliseconds = 0;
};
Result<PlanOutcome> makePlan(const BackendList& backends, const PlanRequest& request, const OpMarks& marks,
                             PlanCache& cache, const TaskContext& task);

/// Where the project of a document is: what waits to be written into it follows when it is saved under another name. Thread-safe.
class ProjectHome {
public:
    ProjectHome() = default;
    explicit ProjectHome(std::filesystem::path file) : m_file(std::move(file)) {}
    std::filesystem::path file() const {
        const std::lock_guard lock(m_mutex);
        return m_file;
    }
    void moveTo(const std::filesystem::path& file) {
        const std::lock_guard lock(m_mutex);
        m_file = file;
    }
    void leave() { moveTo({}); } ///< It is no more.
    bool isLeft() const { return file().empty(); }

private:
    mutable std::mutex m_mutex;
    std::filesystem::path m_file;
};

struct RunToStore {
    std::shared_ptr<const Plan> plan;
    RunContext context;
    std::vector<KnownDraft> foundDrafts; ///< Since the document was opened; the project keeps one of each.
};
struct CreatedProject {
    std::unique_ptr<Project> project;
    std::shared_ptr<QLockFile> lock;
};
/// Makes \p file the project of this document: takes along the history of \p previous if there is one.
Result<CreatedProject> createProject(const std::filesystem::path& file,
                                     const std::filesystem::path& previous);
/// Over a connection of its own, so that the one of the UI thread stays free. \returns the run's id.
Result<std::int64_t> storeRun(const std::filesystem::path& project, const RunToStore& run);
Result<void> storeDrafts(const std::filesystem::path& project, const std::vector<KnownDraft>& drafts);
Result<void> clearDrafts(const std::filesystem::path& project);
/// Is \p plan what this run was?
bool isSameRun(const RunInfo& run, const Plan& plan, const CompileOptions& options);

/// "Set draft of Conv_12 to [[80, 64, …"
QString describe(const Override& decision);
/// "draft", "residency of W"
QString fieldText(const std::string& field);

} // namespace pim::views
