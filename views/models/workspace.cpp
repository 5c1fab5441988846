// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/workspace.h"

#include "core/report/bundle.h"
#include "core/report/report.h"
#include "views/models/family_panels.h"
#include "views/models/known_drafts.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace_impl.h"

#include <QFileInfo>
#include <QLockFile>

namespace pim::views {
namespace {

namespace fs = std::filesystem;

fs::path toPath(const QString& path) {
    return fs::path(path.toStdString());
}

QString bindingsText(const Graph& graph) {
    QStringList parts;
    for (const DimBinding& binding : graph.bindings)
        parts.append(QStringLiteral("%1=%2").arg(QString::fromStdString(binding.symbol)).arg(binding.value));
    return parts.join(u',');
}

const FamilyList& noFamilies() {
    static const FamilyList none;
    return none;
}

} // namespace

Workspace::Workspace(const BackendList& backends, TargetCatalog catalog, const FamilyList& families,
                     QObject* parent)
    : QObject(parent), m_impl(std::make_unique<Impl>(*this, backends, std::move(catalog), families)) {
    m_impl->simulations = new SimulationSource(*this);
    m_impl->knownDrafts = new KnownDrafts(*this, [this] { m_impl->clearKnownDrafts(); });
    m_impl->ranking =
        new DraftRanking(*this, {[this]() -> const RankingChoice& { return m_impl->now().ranking; },
                                 [this](RankingChoice choice, const QString& text) {
                                     Decisions after = m_impl->now();
                                     after.ranking = std::move(choice);
                                     after.rank();
                                     if (graph())
                                         m_impl->push(std::move(after), text);
                                     else
                                         m_impl->history.start(std::move(after));
                                 }});
    m_impl->drafts.refresh();
}

Workspace::Workspace(const BackendList& backends, TargetCatalog catalog, QObject* parent)
    : Workspace(backends, std::move(catalog), noFamilies(), parent) {}

Workspace::~Workspace() {
    m_impl->tasks.stopAndWait();
    m_impl->keeper.flush(); // before a saving that waits copies it
    m_impl->runs.finish();
    m_impl->project.reset();
    m_impl->keeper.close();
}

std::shared_ptr<const Graph> Workspace::graph() const {
    return m_impl->now().graph;
}
std::shared_ptr<const Target> Workspace::target() const {
    return m_impl->now().target;
}
std::shared_ptr<const Plan> Workspace::plan() const {
    return m_impl->plan;
}
std::shared_ptr<const Exploration> Workspace::exploration() const {
    return m_impl->drafts.found();
}
const PredictorError* Workspace::knownError() const {
    return m_impl->drafts.knownError();
}
QString Workspace::explorationNote() const {
    return m_impl->drafts.note();
}
const Overrides& Workspace::overrides() const {
    return m_impl->now().overrides;
}
const CompileOptions& Workspace::options() const {
    return m_impl->now().options;
}
const TargetCatalog& Workspace::catalog() const {
    return m_impl->catalog;
}
const BackendList& Workspace::backends() const {
    return m_impl->backends;
}
const Selection& Workspace::selection() const {
    return m_impl->selection;
}
Project* Workspace::project() const {
    return m_impl->project.get();
}
Project* Workspace::savedProject() const {
    return m_impl->isSaved ? project() : nullptr;
}
std::int64_t Workspace::lastRun() const {
    return m_impl->lastRun;
}
QString Workspace::modelPath() const {
    return m_impl->modelPath;
}
const GraphOptions& Workspace::graphOptions() const {
    return m_impl->now().graphOptions;
}
bool Workspace::isStale() const {
    return m_impl->stale;
}
bool Workspace::hasUnsavedChanges() const {
    return !m_impl->history.stack().isClean();
}
QUndoStack* Workspace::undoStack() const {
    return &m_impl->history.stack();
}
TaskList* Workspace::tasks() const {
    return &m_impl->tasks;
}
SimulationSource* Workspace::simulations() const {
    return m_impl->simulations;
}
std::shared_ptr<const ImportedModel> Workspace::importedModel() const {
    return m_impl->model;
}
FilterStack* Workspace::filters() const {
    return &m_impl->filters;
}
const std::vector<Note>& Workspace::notes() const {
    return m_impl->now().notes;
}
const std::vector<Variant>& Workspace::variants() const {
    return m_impl->now().variants;
}
const OverrideFit& Workspace::fit() const {
    return m_impl->fit;
}
MarkedOverrides Workspace::markedOverrides() const {
    return m_impl->now().marked();
}
std::string Workspace::decisionsText() const {
    return graph() && target() ? pim::decisionsText(stateOf(m_impl->now())) : std::string();
}
QString Workspace::variant() const {
    return QString::fromStdString(m_impl->now().variant);
}
QJsonObject Workspace::viewState(const QString& view) const {
    const auto found = m_impl->viewStates.find(view);
    return found == m_impl->viewStates.end() ? QJsonObject() : found->second;
}
const std::map<QString, QJsonObject>& Workspace::viewStates() const {
    return m_impl->viewStates;
}
void Workspace::setViewState(const QString& view, const QJsonObject& state) {
    QJsonObject& kept = m_impl->viewStates[view];
    if (kept == state)
        return;
    kept = state;
    m_impl->keeper.viewsChanged();
}

const Backend* Workspace::backendOf(const Target& target) const {
    const auto found = m_impl->backends.find(target.backend);
    return found ? *found : nullptr;
}
const FamilyList& Workspace::families() const {
    return m_impl->families;
}
const FamilyPanels& Workspace::family() const {
    return target() ? families().of(target()->backend) : families().plain();
}
const FamilyPanels& Workspace::familyOf(const Plan& plan) const {
    return families().of(plan.target->backend);
}

void Workspace::openModel(const QString& path, const std::map<std::string, std::int64_t>& bindings,
                          const QString& target) {
    Decisions base;
    base.graphOptions.bindings = bindings;
    base.target = m_impl->now().target;
    base.options = m_impl->startOptions.value_or(options());
    if (!target.isEmpty()) {
        const auto found = m_impl->catalog.find(target.toStdString());
        if (!found)
            return m_impl->report(found.error());
        base.target = *found;
    }
    base.ranking = m_impl->now().ranking;
    base.rank();
    m_impl->startLoading(path,
                         [path, base, recovery = m_impl->keeper.recoveryFolder()](const TaskContext& task) {
                             return readModel(toPath(path), base, recovery, task);
                         });
}

void Workspace::openProject(const QString& path) {
    std::error_code ignored;
    std::shared_ptr<QLockFile> held;
    if (m_impl->project && fs::equivalent(m_impl->project->file(), toPath(path), ignored)) {
        held = m_impl->projectLock; // the same again: nobody else has it
        m_impl->keeper.flush();
    }
    m_impl->startLoading(
        path, [path, held](const TaskContext& task) { return readProject(toPath(path), task, held); });
}

void Workspace::keepRecovery(const QString& folder, std::chrono::milliseconds interval) {
    m_impl->keeper.setRecovery(folder, interval);
}

void Workspace::recover(const QString& id) {
    const QString folder = m_impl->keeper.recoveryFolder();
    m_impl->startLoading(id, [folder, id](const TaskContext& task) { return readSession(folder, id, task); });
}

void Workspace::saveProject(const QString& path) {
    if (!graph())
        return emit failed(tr("There is nothing to save yet: open a model first"), {});
    if (m_impl->project && m_impl->project->file() == toPath(path)) {
        if (!m_impl->canStore())
            return emit failed(tr("The project is read-only here: save it under another name"), path);
        if (!m_impl->stale && !m_impl->lastRun)
            m_impl->queueRun();
        m_impl->keeper.decisionsChanged();
        return emit projectChanged();
    }
    // After the runs that were made before, and before those to come: they go where it was saved.
    m_impl->runs.add(tr("Saving %1").arg(QFileInfo(path).fileName()), [this, path, home = m_impl->home] {
        auto created = std::make_shared<Result<CreatedProject>>(createProject(toPath(path), home->file()));
        return [this, created, home] {
            if (!*created)
                m_impl->report(created->error());
            else if (home == m_impl->home) // else another document was opened meanwhile
                m_impl->moveInto(std::move(**created));
            return true; // what waits has a place all the same
        };
    });
}

void Workspace::select(const Selection& selection) {
    Selection wanted = selection;
    if (!graph() || wanted.op.value < 0 || wanted.op.index() >= graph()->ops.size())
        wanted = {};
    if (wanted == m_impl->selection)
        return;
    m_impl->selection = wanted;
    m_impl->drafts.refresh();
    emit selectionChanged();
}

void Workspace::selectOp(OpId op) {
    if (op != m_impl->selection.op)
        select({op, {}, -1, -1});
}

void Workspace::cancelTasks() {
    for (const TaskList::Entry& entry : m_impl->tasks.entries())
        m_impl->tasks.cancel(entry.id);
}

void Workspace::recompute() {
    if (m_impl->stale)
        m_impl->startPlanning();
}

void Workspace::exportBundle(const QString& folder) {
    if (!m_impl->plan)
        return emit failed(tr("There is nothing to export yet: open a model first"), {});
    m_impl->tasks.start(tr("Exporting bundle"),
                        [this, folder, plan = m_impl->plan,
                         options = options()](const TaskContext& task) -> std::function<void()> {
                            const auto written =
                                writeBundle(m_impl->backends, *plan, options, toPath(folder), task);
                            return [this, folder, written] {
                                if (!written)
                                    return m_impl->report(written.error());
                                emit succeeded(tr("Bundle written to %1").arg(folder), folder);
                            };
                        });
}

void Workspace::exportReport(const QString& file) {
    if (!m_impl->plan)
        return emit failed(tr("There is nothing to report yet: open a model first"), {});
    ReportInput input;
    input.backend = backendOf(*m_impl->plan->target);
    input.plan = m_impl->plan;
    input.runId = m_impl->lastRun;
    input.bindings = bindingsText(*graph()).toStdString();
    input.options = options();
    input.notes = notes();
    if (simulations()->plan() == m_impl->plan) {
        input.simulation = simulations()->simulation();
        input.help = simulations()->help();
    }
    if (m_impl->drafts.found() && m_impl->drafts.found()->target == m_impl->plan->target)
        input.explorations.push_back(m_impl->drafts.found());
    if (m_impl->project)
        input.projectFile = m_impl->project->file().string();
    m_impl->tasks.start(
        tr("Writing report"), [this, file, input](const TaskContext&) mutable -> std::function<void()> {
            const auto write = [&]() -> Result<void> {
                if (!input.projectFile.empty()) {
                    PIM_TRY(const auto project, Project::open(input.projectFile, Project::Mode::ReadOnly));
                    PIM_TRY(input.runs, project->runs());
                }
                return file.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)
                           ? writePdfReport(input, toPath(file))
                           : writeHtmlReport(input, toPath(file));
            };
            const auto written = write();
            return [this, file, written] {
                if (!written)
                    return m_impl->report(written.error());
                emit succeeded(tr("Report written to %1").arg(file), file);
            };
        });
}

Result<void> Workspace::check(const Override& decision) const {
    if (isOfSystem(decision)) // which device can run it, the plan of the system says
        return graph() && graph()->findOp(decision.op).valid()
                   ? Result<void>()
                   : fail(ErrorCode::IllegalOverride, "there is no such op", decision.op);
    if (!m_impl->plan)
        return fail(ErrorCode::Unsupported, "nothing is planned yet, so a decision cannot be checked",
                    decision.op, "wait for the plan");
    PIM_TRY(const Backend* const backend, m_impl->backends.find(m_impl->plan->target->backend));
    return backend->checkOverride(*m_impl->plan, decision);
}

} // namespace pim::views
