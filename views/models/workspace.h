// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What one window works on: model, target, overrides, plan, project and the one selection. Views read it, emit intents
/// through it and are rebuilt from its signals; they hold no state that matters. All slow work runs on worker threads;
/// results come back as signals on the UI thread, stale ones (an older revision) are dropped.
#include "core/compile/override_fit.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/project/project.h"
#include "views/common/task_list.h"

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>

#include <chrono>
#include <functional>
#include <memory>

class QUndoStack;

namespace pim {
struct PredictorError; // core/predict/learned_predictor.h
}

namespace pim::views {

class FamilyList;
class FilterStack;
class SimulationSource;
struct FamilyPanels;

/// What is selected, across all views. An invalid op means nothing is selected.
struct Selection {
    OpId op;
    std::optional<Draft> draft; ///< A candidate looked at, not necessarily the one in force.
    int group = -1;             ///< PIM group and core looked at; -1: none.
    int core = -1;
    friend bool operator==(const Selection&, const Selection&) = default;
};

class Workspace : public QObject {
    Q_OBJECT
public:
    /// \p backends and \p families outlive it.
    Workspace(const BackendList& backends, TargetCatalog catalog, const FamilyList& families,
              QObject* parent = nullptr);
    /// Without families: all machines look alike.
    Workspace(const BackendList& backends, TargetCatalog catalog, QObject* parent = nullptr);
    ~Workspace() override;

    // What there is. Null before anything was opened.
    std::shared_ptr<const Graph> graph() const;
    std::shared_ptr<const Target> target() const;
    /// Of the current graph, target and overrides, or older: isStale().
    std::shared_ptr<const Plan> plan() const;
    /// Drafts of the selected op; null while searching or if it has none.
    std::shared_ptr<const Exploration> exploration() const;
    /// Of predicted times in exploration(), from training; null: not known.
    const PredictorError* knownError() const;
    QString explorationNote() const;    ///< Why exploration() is null, in words.
    const Overrides& overrides() const; ///< Of the user, those too that do not fit: fit().
    /// What became of each in plan(): applied, moved, stale.
    const OverrideFit& fit() const;
    /// overrides() with what finds their ops in a changed model; for export.
    MarkedOverrides markedOverrides() const;
    /// Canonical text of everything that is undone and redone; empty: no model.
    std::string decisionsText() const;
    const CompileOptions& options() const;
    const TargetCatalog& catalog() const;
    const BackendList& backends() const;
    /// Who plans for it, null if nobody does. What is asked about a plan is asked of the family of its own target: the one chosen now
    /// may be another already.
    const Backend* backendOf(const Target& target) const;
    const FamilyList& families() const;
    const FamilyPanels& family() const; ///< Of the current target; the plain one if there is none.
    const FamilyPanels& familyOf(const Plan& plan) const;
    const Selection& selection() const;
    /// Where runs, sweeps and drafts go. Of a model alone a file for recovery, until it is saved; null where there is no folder for those.
    Project* project() const;
    Project* savedProject() const; ///< project(), if it has the name a person gave it; else null.
    std::int64_t lastRun() const;  ///< Run of project() that holds plan(); 0: none.
    QString modelPath() const;
    const GraphOptions& graphOptions() const; ///< Bindings and passes graph() was built with.
    /// plan() is not of the current decisions: being recomputed, cancelled or failed.
    bool isStale() const;
    bool hasUnsavedChanges() const;
    QUndoStack* undoStack() const;
    TaskList* tasks() const;
    SimulationSource* simulations() const;
    FilterStack* filters() const; ///< Which ops the views are limited to.
    const std::vector<Note>& notes() const;
    /// All, the one in force too, with the overrides it has now.
    const std::vector<Variant>& variants() const;
    QString variant() const; ///< Name of the one in force.
    /// How a view looked when it was last left: orientation, pinned lanes, … Kept with the project, not undone.
    QJsonObject viewState(const QString& view) const;
    const std::map<QString, QJsonObject>& viewStates() const;
    /// What graph() was built from; for sweeps over its dimensions.
    std::shared_ptr<const ImportedModel> importedModel() const;

    // Intents. Each returns at once.
    /// On failure the old document stays and failed() tells why.
    /// \p target: id of the catalog; empty: the one chosen now.
    void openModel(const QString& path, const std::map<std::string, std::int64_t>& bindings = {},
                   const QString& target = {});
    void openProject(const QString& path);
    /// Creates the file, with all there is so far; from then on every decision and every compile is in it.
    void saveProject(const QString& path);
    /// Models that are opened from now on have a project in \p folder until they are saved, which can be recovered after a crash. So can decisions
    /// about a project that is read-only: they are written there at least that often.
    void keepRecovery(const QString& folder, std::chrono::milliseconds interval = std::chrono::seconds(30));
    /// A session of that folder, see recoverableSessions(). Unsaved then.
    void recover(const QString& id);
    /// Undoable. \p id: of the catalog, or a path to a .json file. \p host: id of another host; empty: the target's own.
    void setTarget(const QString& id, const QString& host = {});
    /// Undoable; re-binds without re-opening.
    void setBindings(const std::map<std::string, std::int64_t>& bindings);
    void setDisabledPasses(const std::set<std::string>& passes); ///< Undoable.
    /// Undoable. \p options: those of the pass that are not at their default. What is not allowed changes nothing and emits failed().
    void setPassOptions(const std::string& pass, const OptionTexts& options);
    void setOptions(const CompileOptions& options); ///< Undoable.
    /// What the next model begins with; in force at once while nothing is open.
    void setStartOptions(const CompileOptions& options);
    /// Undoable. Checked first: an illegal one changes nothing and emits failed().
    void applyOverride(const Override& decision);
    void clearOverride(const std::string& op, const std::string& field);
    /// Import; one undo step. \param marks of ops in the model they were made for, where they are known.
    void replaceOverrides(const Overrides& overrides, const QString& text, const OpMarks& marks = {});
    void adoptMoved(); ///< Undoable. Decisions whose op has another name now are rewritten to that name.
    /// Undoable; the note's id is given here.
    void addNote(Note note);
    void editNote(std::int64_t id, const QString& text);
    void removeNote(std::int64_t id);
    /// Undoable. Names are trimmed; an empty or a taken one changes nothing and emits failed().
    void branchVariant(const QString& name); ///< From the overrides in force, and enters it.
    void switchVariant(const QString& name);
    void renameVariant(const QString& from, const QString& to);
    void deleteVariant(const QString& name); ///< Not the one in force.
    void setViewState(const QString& view, const QJsonObject& state);
    void select(const Selection& selection);
    void selectOp(OpId op);
    /// Takes over what a run of project() was made from: one undo step, or the beginning of a new history where the run is
    /// of another model.
    void openRun(std::int64_t run);
    /// Asked on a worker thread.
    using RecipeSource = std::function<Result<RunRecipe>(const TaskContext&)>;
    /// The same for what anything else was made from. \p what: "point 12", for the task and the undo step.
    void openRecipe(const QString& what, RecipeSource find);
    void cancelTasks();
    void recompute();                         ///< Plans again, after a cancel.
    void exportBundle(const QString& folder); ///< Of plan(); succeeded() or failed() follows.
    void exportReport(const QString& file);   ///< .pdf or .html, by its suffix.

    /// Verdict for a decision that has not been made, for drag and drop. Cheap.
    Result<void> check(const Override& decision) const;

signals:
    void graphChanged();
    void targetChanged();
    void planChanged(); ///< Also when isStale() changes.
    void overridesChanged();
    void notesChanged();
    void variantsChanged();
    void viewStatesLoaded(); ///< Another document was opened: views take what viewState() says.
    void explorationChanged();
    void selectionChanged();
    void projectChanged();                                       ///< Opened, saved, a run was added.
    void succeeded(const QString& message, const QString& path); ///< Something was written to \p path.
    void failed(const QString& message, const QString& details); ///< For the message bar; never a modal box.
    /// Another document took the place of one with decisions that were in no project: recoverableSessions() of \p folder has them.
    void unsavedLeft(const QString& folder);

private:
    bool isFreeVariantName(const QString& name); ///< Says why not.
    const FittedDecision* movedTo(const std::string& op, const std::string& field) const;
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace pim::views
