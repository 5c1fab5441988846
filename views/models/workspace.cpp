// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/workspace.h"

#include "core/base/number_text.h"
#include "core/report/bundle.h"
#include "core/report/report.h"
#include "views/models/document.h"
#include "views/models/filter_stack.h"
#include "views/models/simulation_source.h"
#include "views/models/task_runner.h"

#include <QFileInfo>
#include <QUndoStack>

#include <deque>
#include <list>

namespace pim::views {
namespace {

namespace fs = std::filesystem;

constexpr int kExploreDelayMs = 120;               ///< So that walking through ops with the arrow keys starts no searches.
constexpr std::size_t kExplorationsKept = 12;
constexpr std::size_t kDraftsKept = 3'000'000;     ///< Over all remembered explorations; some 100 bytes each.

fs::path toPath(const QString& path) { return fs::path(path.toStdString()); }

QString bindingsText(const Graph& graph) {
    QStringList parts;
    for (const DimBinding& binding : graph.bindings)
        parts.append(QStringLiteral("%1=%2").arg(QString::fromStdString(binding.symbol)).arg(binding.value));
    return parts.join(u',');
}

/// What the search results of an op depend on, as text.
std::string explorationKey(const Plan& plan, const Decisions& decisions, OpId op) {
    std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(plan.graph.get())) + '|' + plan.target->hash + '|' +
                      optionsJson(decisions.options) + '|' + std::to_string(op.value) + '|' + plan.opPlan(op).space->kernel().text();
    for (const TensorPlan& tensor : plan.opPlan(op).tensors)
        key += '|' + tensor.name + '=' + std::string(name(tensor.residency));
    return key;
}

} // namespace

struct Workspace::Impl {
    Workspace& self;
    const BackendList& backends;
    TargetCatalog catalog;
    std::shared_ptr<PlanCache> cache = std::make_shared<PlanCache>();

    std::shared_ptr<const ImportedModel> model;
    QString modelPath;
    /// The point of the undo history we are at; commands share it, so that what a plan had to leave out of it is left
    /// out of the history too.
    std::shared_ptr<Decisions> now = std::make_shared<Decisions>();
    std::shared_ptr<const Plan> plan;
    bool stale = false;
    double compileMs = 0;
    Selection selection;
    std::shared_ptr<const Exploration> exploration;
    std::string explorationId;
    QString explorationNote;
    std::list<std::pair<std::string, std::shared_ptr<const Exploration>>> explorations; ///< Newest first.

    std::unique_ptr<Project> project;
    std::int64_t lastRun = 0;
    bool storePlan = true;               ///< False for the plan made when a project opens: it is in there already.
    std::deque<RunToStore> runsToStore;
    bool storing = false;

    SimulationSource* simulations = nullptr; ///< A child of the workspace.
    FilterStack filters;
    std::map<QString, QJsonObject> viewStates;
    std::vector<Variant> variants; ///< now->variants with the overrides in force.
    std::int64_t lastNote = 0;     ///< Highest id ever given, also by steps that were undone.
    QUndoStack undo;
    QTimer exploreTimer;
    std::optional<GraphOptions> pendingGraph; ///< A rebuild is running towards these.
    int loadTask = 0, buildTask = 0, planTask = 0, exploreTask = 0;
    TaskRunner tasks; ///< Last: its threads are gone before anything above.

    Impl(Workspace& workspace, const BackendList& list, TargetCatalog targets)
        : self(workspace), backends(list), catalog(std::move(targets)),
          tasks([this](const QString& task, const QString& what) {
              emit self.failed(tr("An internal error stopped \"%1\"").arg(task), what);
          }) {
        exploreTimer.setSingleShot(true);
        exploreTimer.setInterval(kExploreDelayMs);
        connect(&exploreTimer, &QTimer::timeout, &self, [this] { startExploring(); });
    }

    void report(const Error& error) const {
        if (error.code == ErrorCode::Cancelled)
            return;
        QString details = QString::fromStdString(error.text());
        QString message = QString::fromStdString(error.message);
        if (!message.isEmpty())
            message[0] = message[0].toUpper();
        if (!error.where.empty())
            message = QStringLiteral("%1: %2").arg(QFileInfo(QString::fromStdString(error.where)).fileName(), message);
        if (!error.hint.empty())
            message += QStringLiteral(" — ") + QString::fromStdString(error.hint);
        emit self.failed(message, details);
    }

    // Moving through decisions

    class Step : public QUndoCommand {
    public:
        Step(Impl& impl, std::shared_ptr<Decisions> after, const QString& text)
            : QUndoCommand(text), m_impl(impl), m_before(impl.now), m_after(std::move(after)) {}
        void redo() override { m_impl.enter(m_after); }
        void undo() override { m_impl.enter(m_before); }

    private:
        Impl& m_impl;
        std::shared_ptr<Decisions> m_before, m_after;
    };

    void takeVariants() {
        variants = now->variants;
        for (Variant& variant : variants)
            if (variant.name == now->variant)
                variant.overrides = now->overrides;
    }

    void push(Decisions after, const QString& text) {
        undo.push(new Step(*this, std::make_shared<Decisions>(std::move(after)), text));
    }

    void enter(const std::shared_ptr<Decisions>& decisions) {
        const std::shared_ptr<Decisions> old = std::exchange(now, decisions);
        const bool newGraph = old->graph != now->graph;
        const bool newTarget = old->target != now->target;
        if (newGraph) {
            keepSelection(old->graph.get());
            plan.reset(); // its op ids are those of the other graph
        }
        takeVariants();
        if (newGraph || newTarget)
            dropExploration();
        if (newGraph)
            filters.clear();
        const bool sameRequest = !newGraph && !newTarget && old->overrides == now->overrides &&
                                 optionsJson(old->options) == optionsJson(now->options);
        if (!sameRequest)
            stale = now->graph != nullptr;
        if (newGraph)
            emit self.graphChanged();
        if (newTarget)
            emit self.targetChanged();
        if (old->overrides != now->overrides)
            emit self.overridesChanged();
        if (old->notes != now->notes)
            emit self.notesChanged();
        if (old->variant != now->variant || old->variants != now->variants || old->overrides != now->overrides)
            emit self.variantsChanged();
        if (newGraph)
            emit self.selectionChanged();
        if (!sameRequest)
            startPlanning();
    }

    void keepSelection(const Graph* old) {
        Selection kept;
        if (old && now->graph && selection.op.valid() && selection.op.index() < old->ops.size())
            kept.op = now->graph->findOp(old->op(selection.op).name);
        selection = kept;
    }

    // Documents

    void startLoading(const QString& path, std::function<Result<OpenedDocument>(const TaskContext&)> read) {
        tasks.abandon(loadTask);
        loadTask = tasks.start(tr("Opening %1").arg(QFileInfo(path).fileName()), [this, path, read = std::move(read)](const TaskContext& task) -> std::function<void()> {
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

    void install(const QString& path, OpenedDocument document) {
        tasks.abandon(std::exchange(buildTask, 0));
        tasks.abandon(std::exchange(planTask, 0));
        tasks.abandon(std::exchange(exploreTask, 0));
        pendingGraph.reset();
        model = std::move(document.model);
        project = std::move(document.project);
        lastRun = document.run;
        storePlan = project == nullptr;
        modelPath = project ? QString::fromStdString(document.decisions.graph->source.path.string()) : path;
        selection = {};
        explorations.clear();
        if (!document.decisions.target)
            document.decisions.target = now->target;
        if (!document.decisions.target && !catalog.targets().empty())
            document.decisions.target = catalog.targets().front();
        undo.clear();
        enter(std::make_shared<Decisions>(std::move(document.decisions)));
        for (const Note& note : now->notes)
            lastNote = std::max(lastNote, note.id);
        emit self.projectChanged();
        emit self.viewStatesLoaded();
        if (!document.remark.isEmpty())
            emit self.failed(document.remark, {});
    }

    /// Builds the graph anew and, if that works, makes it one step of the history.
    void rebuild(GraphOptions options, const QString& text) {
        tasks.abandon(std::exchange(buildTask, 0));
        pendingGraph = options;
        buildTask = tasks.start(text, [this, options, text, source = model](const TaskContext& task) -> std::function<void()> {
            auto graph = buildGraph(*source, options, task);
            return [this, options, text, graph = std::move(graph)] {
                pendingGraph.reset();
                if (!graph)
                    return report(graph.error());
                Decisions after = *now;
                after.graph = *graph;
                after.graphOptions = options;
                push(std::move(after), text);
            };
        }, [this] { pendingGraph.reset(); });
    }

    // Planning

    void startPlanning() {
        tasks.abandon(std::exchange(planTask, 0));
        if (!now->graph || !now->target) {
            emit self.planChanged();
            return;
        }
        planTask = tasks.start(tr("Planning %1 on %2").arg(QFileInfo(modelPath).fileName(), QString::fromStdString(now->target->id)),
            [this, request = now->request(), shared = cache](const TaskContext& task) -> std::function<void()> {
                auto outcome = makePlan(backends, request, *shared, task);
                return [this, outcome = std::move(outcome)] { planned(outcome); };
            },
            [this] {
                planTask = 0;
                emit self.planChanged();
            });
        emit self.planChanged();
        refreshExploration();
    }

    void planned(const Result<PlanOutcome>& outcome) {
        planTask = 0;
        if (!outcome) {
            report(outcome.error());
            emit self.planChanged();
            return;
        }
        plan = outcome->plan;
        compileMs = outcome->milliseconds;
        stale = false;
        if (!outcome->dropped.empty()) {
            now->overrides = outcome->applied;
            takeVariants();
            QStringList reasons;
            for (const auto& [decision, reason] : outcome->dropped)
                reasons.append(QStringLiteral("%1: %2").arg(describe(decision), QString::fromStdString(reason)));
            emit self.overridesChanged();
            emit self.failed(reasons.size() == 1 ? tr("One decision does not apply to this model and target and was left out")
                                                 : tr("%1 decisions do not apply to this model and target and were left out").arg(reasons.size()),
                             reasons.join(u'\n'));
        }
        if (std::exchange(storePlan, true))
            queueRun();
        refreshExploration();
        emit self.planChanged();
    }

    // Drafts of the selected op

    void dropExploration() {
        exploration.reset();
        explorationId.clear();
    }

    void showExploration(std::shared_ptr<const Exploration> found, std::string id, const QString& note) {
        if (exploration == found && explorationNote == note)
            return;
        exploration = std::move(found);
        explorationId = std::move(id);
        explorationNote = note;
        emit self.explorationChanged();
    }

    /// Shows what is known about the selected op and starts a search for the rest.
    void refreshExploration() {
        const auto stopSearch = [this] {
            exploreTimer.stop();
            tasks.abandon(std::exchange(exploreTask, 0));
        };
        if (!now->graph || !selection.op.valid()) {
            stopSearch();
            return showExploration(nullptr, {}, now->graph ? tr("Select an op to see its drafts") : tr("Open a model to see drafts"));
        }
        if (!plan || plan->target != now->target) {
            stopSearch();
            return showExploration(nullptr, {}, tr("The network is being planned"));
        }
        const OpPlan& op = plan->opPlan(selection.op);
        const QString opName = QString::fromStdString(now->graph->op(selection.op).name);
        if (!op.space) {
            stopSearch();
            if (op.placement == Placement::Pim)
                return showExploration(nullptr, {}, tr("%1 has no drafts: this machine is planned as a whole. Look at its segments.").arg(opName));
            return showExploration(nullptr, {}, tr("%1 has no drafts: %2").arg(opName, op.pimVerdict.empty() ? tr("it runs on the host") : QString::fromStdString(op.pimVerdict)));
        }
        std::string id = explorationKey(*plan, *now, selection.op);
        if (exploration && explorationId == id)
            return;
        for (auto known = explorations.begin(); known != explorations.end(); ++known)
            if (known->first == id) {
                stopSearch();
                explorations.splice(explorations.begin(), explorations, known);
                return showExploration(explorations.front().second, std::move(id), {});
            }
        if (explorationId == id && (exploreTask || exploreTimer.isActive()))
            return; // already searching
        stopSearch();
        showExploration(nullptr, std::move(id), tr("Searching drafts of %1…").arg(opName));
        exploreTimer.start();
    }

    void startExploring() {
        if (!plan || !selection.op.valid())
            return;
        const auto backend = backends.find(plan->target->backend);
        if (!backend)
            return;
        PlanRequest request = now->request();
        request.overrides = plan->overrides;
        exploreTask = tasks.start(explorationNote, [this, request, op = selection.op, id = explorationId, chosen = *backend](const TaskContext& task) -> std::function<void()> {
            auto found = chosen->explore(request, op, task);
            return [this, id, found = std::move(found)] {
                exploreTask = 0;
                if (!found)
                    return showExploration(nullptr, {}, QString::fromStdString(found.error().text()));
                remember(id, *found);
                showExploration(*found, id, {});
            };
        }, [this] {
            exploreTask = 0;
            showExploration(nullptr, {}, tr("The search was cancelled; select the op again to repeat it"));
        });
    }

    void remember(const std::string& id, const std::shared_ptr<const Exploration>& found) {
        explorations.emplace_front(id, found);
        std::size_t drafts = 0, count = 0;
        for (auto it = explorations.begin(); it != explorations.end(); ++count) {
            drafts += it->second->drafts.size();
            it = count > 0 && (drafts > kDraftsKept || count >= kExplorationsKept) ? explorations.erase(it) : std::next(it);
        }
    }

    // The project file

    void queueRun() {
        if (!project || project->readOnly() || !plan)
            return;
        RunToStore run{plan, {}};
        run.context.variant = now->variant;
        run.context.options = now->options;
        run.context.compileMs = compileMs;
        if (exploration && exploration->target == plan->target)
            run.context.explorations.push_back(exploration);
        runsToStore.push_back(std::move(run));
        storeNext();
    }

    void storeNext() {
        if (storing || runsToStore.empty() || !project)
            return;
        storing = true;
        RunToStore run = std::move(runsToStore.front());
        runsToStore.pop_front();
        tasks.start(tr("Saving run"), [this, file = project->file(), run = std::move(run)](const TaskContext&) -> std::function<void()> {
            const auto id = storeRun(file, run);
            return [this, id, file, stored = run.plan] {
                storing = false;
                if (!id) {
                    runsToStore.clear();
                    report(id.error());
                } else if (project && project->file() == file) {
                    if (stored == plan) {
                        lastRun = *id;
                        if (!stale)
                            undo.setClean();
                    }
                    emit self.projectChanged();
                }
                storeNext();
            };
        }, [this] {
            storing = false;
            storeNext();
        });
    }
};

Workspace::Workspace(const BackendList& backends, TargetCatalog catalog, QObject* parent)
    : QObject(parent), m_impl(std::make_unique<Impl>(*this, backends, std::move(catalog))) {
    m_impl->simulations = new SimulationSource(*this);
    connect(this, &Workspace::failed, &m_impl->tasks, &TaskRunner::noteFailure);
    m_impl->refreshExploration();
}

Workspace::~Workspace() {
    m_impl->tasks.stopAndWait();
    // A run that was made is a run that is stored, also if the window closes at once.
    if (m_impl->project)
        for (const RunToStore& run : m_impl->runsToStore)
            (void)storeRun(m_impl->project->file(), run);
}

std::shared_ptr<const Graph> Workspace::graph() const { return m_impl->now->graph; }
std::shared_ptr<const Target> Workspace::target() const { return m_impl->now->target; }
std::shared_ptr<const Plan> Workspace::plan() const { return m_impl->plan; }
std::shared_ptr<const Exploration> Workspace::exploration() const { return m_impl->exploration; }
QString Workspace::explorationNote() const { return m_impl->explorationNote; }
const Overrides& Workspace::overrides() const { return m_impl->now->overrides; }
const CompileOptions& Workspace::options() const { return m_impl->now->options; }
const TargetCatalog& Workspace::catalog() const { return m_impl->catalog; }
const BackendList& Workspace::backends() const { return m_impl->backends; }
const Selection& Workspace::selection() const { return m_impl->selection; }
Project* Workspace::project() const { return m_impl->project.get(); }
std::int64_t Workspace::lastRun() const { return m_impl->lastRun; }
QString Workspace::modelPath() const { return m_impl->modelPath; }
const GraphOptions& Workspace::graphOptions() const { return m_impl->now->graphOptions; }
bool Workspace::isStale() const { return m_impl->stale; }
bool Workspace::hasUnsavedChanges() const { return !m_impl->undo.isClean(); }
QUndoStack* Workspace::undoStack() const { return &m_impl->undo; }
TaskList* Workspace::tasks() const { return &m_impl->tasks; }
SimulationSource* Workspace::simulations() const { return m_impl->simulations; }
std::shared_ptr<const ImportedModel> Workspace::importedModel() const { return m_impl->model; }
FilterStack* Workspace::filters() const { return &m_impl->filters; }
const std::vector<Note>& Workspace::notes() const { return m_impl->now->notes; }
const std::vector<Variant>& Workspace::variants() const { return m_impl->variants; }
QString Workspace::variant() const { return QString::fromStdString(m_impl->now->variant); }
QJsonObject Workspace::viewState(const QString& view) const {
    const auto found = m_impl->viewStates.find(view);
    return found == m_impl->viewStates.end() ? QJsonObject() : found->second;
}
const std::map<QString, QJsonObject>& Workspace::viewStates() const { return m_impl->viewStates; }
void Workspace::setViewState(const QString& view, const QJsonObject& state) { m_impl->viewStates[view] = state; }

const Backend* Workspace::backend() const {
    if (!target())
        return nullptr;
    const auto found = m_impl->backends.find(target()->backend);
    return found ? *found : nullptr;
}

void Workspace::openModel(const QString& path, const std::map<std::string, std::int64_t>& bindings, const QString& target) {
    Decisions base;
    base.graphOptions.bindings = bindings;
    base.target = m_impl->now->target;
    base.options = options();
    if (!target.isEmpty()) {
        const auto found = m_impl->catalog.find(target.toStdString());
        if (!found)
            return m_impl->report(found.error());
        base.target = *found;
    }
    m_impl->startLoading(path, [path, base](const TaskContext& task) { return readModel(toPath(path), base, task); });
}

void Workspace::openProject(const QString& path) {
    m_impl->startLoading(path, [path](const TaskContext& task) { return readProject(toPath(path), task); });
}

void Workspace::saveProject(const QString& path) {
    if (!graph())
        return emit failed(tr("There is nothing to save yet: open a model first"), {});
    if (m_impl->project && m_impl->project->file() == toPath(path)) {
        if (!m_impl->stale && !m_impl->lastRun)
            m_impl->queueRun();
        else
            m_impl->undo.setClean(); // every compile was stored when it was made
        return emit projectChanged();
    }
    const fs::path previous = m_impl->project ? m_impl->project->file() : fs::path();
    m_impl->tasks.start(tr("Saving %1").arg(QFileInfo(path).fileName()), [this, path, previous](const TaskContext&) -> std::function<void()> {
        auto created = std::make_shared<Result<std::unique_ptr<Project>>>(createProject(toPath(path), previous));
        return [this, created] {
            if (!*created)
                return m_impl->report(created->error());
            const bool hasHistory = m_impl->project != nullptr;
            m_impl->project = std::move(**created);
            if (!hasHistory && !m_impl->stale)
                m_impl->queueRun();
            else
                m_impl->undo.setClean();
            emit projectChanged();
        };
    });
}

void Workspace::setTarget(const QString& id, const QString& host) {
    const auto found = m_impl->catalog.find(id.toStdString(), host.toStdString());
    if (!found)
        return m_impl->report(found.error());
    if (target() && target()->hash == (*found)->hash)
        return;
    Decisions after = *m_impl->now;
    after.target = *found;
    if (graph())
        m_impl->push(std::move(after), host.isEmpty() ? tr("Switch target to %1").arg(QString::fromStdString((*found)->id))
                                                      : tr("Switch target to %1 beside %2").arg(QString::fromStdString((*found)->id), host));
    else
        m_impl->enter(std::make_shared<Decisions>(std::move(after)));
}

void Workspace::setBindings(const std::map<std::string, std::int64_t>& bindings) {
    if (!m_impl->model)
        return;
    GraphOptions options = m_impl->pendingGraph.value_or(graphOptions());
    if (options.bindings == bindings)
        return;
    options.bindings = bindings;
    QStringList parts;
    for (const auto& [symbol, value] : bindings)
        parts.append(QStringLiteral("%1=%2").arg(QString::fromStdString(symbol)).arg(value));
    m_impl->rebuild(std::move(options), parts.empty() ? tr("Reset dimensions") : tr("Bind %1").arg(parts.join(QStringLiteral(", "))));
}

void Workspace::setDisabledPasses(const std::set<std::string>& passes) {
    if (!m_impl->model)
        return;
    GraphOptions options = m_impl->pendingGraph.value_or(graphOptions());
    if (options.disabledPasses == passes)
        return;
    options.disabledPasses = passes;
    m_impl->rebuild(std::move(options), tr("Change passes"));
}

void Workspace::setOptions(const CompileOptions& options) {
    if (optionsJson(options) == optionsJson(m_impl->now->options))
        return;
    Decisions after = *m_impl->now;
    after.options = options;
    if (graph())
        m_impl->push(std::move(after), tr("Change options"));
    else
        m_impl->enter(std::make_shared<Decisions>(std::move(after)));
}

void Workspace::applyOverride(const Override& decision) {
    if (const auto legal = check(decision); !legal)
        return m_impl->report(legal.error());
    Decisions after = *m_impl->now;
    if (after.overrides.set(decision) == decision.value)
        return;
    m_impl->push(std::move(after), describe(decision));
}

void Workspace::clearOverride(const std::string& op, const std::string& field) {
    Decisions after = *m_impl->now;
    if (!after.overrides.clear(op, field))
        return;
    m_impl->push(std::move(after), tr("Reset %1 of %2").arg(fieldText(field), QString::fromStdString(op)));
}

void Workspace::replaceOverrides(const Overrides& overrides, const QString& text) {
    if (overrides == m_impl->now->overrides)
        return;
    Decisions after = *m_impl->now;
    after.overrides = overrides;
    m_impl->push(std::move(after), text);
}

void Workspace::addNote(Note note) {
    Decisions after = *m_impl->now;
    note.id = ++m_impl->lastNote;
    const QString about = note.op.empty() ? tr("the timeline") : QString::fromStdString(note.op);
    after.notes.push_back(std::move(note));
    m_impl->push(std::move(after), tr("Add note on %1").arg(about));
}

void Workspace::editNote(std::int64_t id, const QString& text) {
    Decisions after = *m_impl->now;
    const auto note = std::find_if(after.notes.begin(), after.notes.end(), [id](const Note& each) { return each.id == id; });
    if (note == after.notes.end() || note->text == text.toStdString())
        return;
    note->text = text.toStdString();
    m_impl->push(std::move(after), tr("Edit note"));
}

void Workspace::removeNote(std::int64_t id) {
    Decisions after = *m_impl->now;
    if (std::erase_if(after.notes, [id](const Note& note) { return note.id == id; }))
        m_impl->push(std::move(after), tr("Remove note"));
}

bool Workspace::isFreeVariantName(const QString& name) {
    const bool isTaken = std::any_of(variants().begin(), variants().end(), [&](const Variant& variant) { return variant.name == name.toStdString(); });
    if (name.isEmpty())
        emit failed(tr("A variant needs a name"), {});
    else if (isTaken)
        emit failed(tr("There is a variant \"%1\" already").arg(name), {});
    return !name.isEmpty() && !isTaken;
}

void Workspace::branchVariant(const QString& name) {
    const QString trimmed = name.trimmed();
    if (!graph() || !isFreeVariantName(trimmed))
        return;
    Decisions after = *m_impl->now;
    after.variants = variants();
    after.variants.push_back({trimmed.toStdString(), after.variant, after.overrides});
    after.variant = trimmed.toStdString();
    m_impl->push(std::move(after), tr("Branch variant %1").arg(trimmed));
}

void Workspace::switchVariant(const QString& name) {
    Decisions after = *m_impl->now;
    after.variants = variants();
    const auto found = std::find_if(after.variants.begin(), after.variants.end(), [&](const Variant& variant) { return variant.name == name.toStdString(); });
    if (found == after.variants.end() || found->name == after.variant)
        return;
    after.variant = found->name;
    after.overrides = found->overrides;
    m_impl->push(std::move(after), tr("Switch to variant %1").arg(name));
}

void Workspace::renameVariant(const QString& from, const QString& to) {
    const QString trimmed = to.trimmed();
    if (from == trimmed || !isFreeVariantName(trimmed))
        return;
    Decisions after = *m_impl->now;
    const std::string old = from.toStdString(), now = trimmed.toStdString();
    for (Variant& variant : after.variants) {
        if (variant.name == old)
            variant.name = now;
        if (variant.parent == old)
            variant.parent = now;
    }
    if (after.variant == old)
        after.variant = now;
    m_impl->push(std::move(after), tr("Rename variant %1 to %2").arg(from, trimmed));
}

void Workspace::deleteVariant(const QString& name) {
    Decisions after = *m_impl->now;
    const std::string gone = name.toStdString();
    if (gone == after.variant)
        return emit failed(tr("The variant in force cannot be deleted: switch to another one first"), {});
    const auto found = std::find_if(after.variants.begin(), after.variants.end(), [&](const Variant& variant) { return variant.name == gone; });
    if (found == after.variants.end())
        return;
    const std::string parent = found->parent;
    after.variants.erase(found);
    for (Variant& variant : after.variants)
        if (variant.parent == gone)
            variant.parent = parent;
    m_impl->push(std::move(after), tr("Delete variant %1").arg(name));
}

void Workspace::select(const Selection& selection) {
    Selection wanted = selection;
    if (!graph() || wanted.op.value < 0 || wanted.op.index() >= graph()->ops.size())
        wanted = {};
    if (wanted == m_impl->selection)
        return;
    m_impl->selection = wanted;
    m_impl->refreshExploration();
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
    m_impl->tasks.start(tr("Exporting bundle"), [this, folder, plan = m_impl->plan, options = options()](const TaskContext& task) -> std::function<void()> {
        const auto written = writeBundle(m_impl->backends, *plan, options, toPath(folder), task);
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
    input.plan = m_impl->plan;
    input.runId = m_impl->lastRun;
    input.bindings = bindingsText(*graph()).toStdString();
    input.options = options();
    if (m_impl->exploration && m_impl->exploration->target == m_impl->plan->target)
        input.explorations.push_back(m_impl->exploration);
    if (m_impl->project)
        input.projectFile = m_impl->project->file().string();
    m_impl->tasks.start(tr("Writing report"), [this, file, input](const TaskContext&) mutable -> std::function<void()> {
        const auto write = [&]() -> Result<void> {
            if (!input.projectFile.empty()) {
                PIM_TRY(const auto project, Project::open(input.projectFile, Project::Mode::ReadOnly));
                PIM_TRY(input.runs, project->runs());
            }
            return file.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive) ? writePdfReport(input, toPath(file))
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
    if (!m_impl->plan)
        return fail(ErrorCode::Unsupported, "nothing is planned yet, so a decision cannot be checked", decision.op, "wait for the plan");
    PIM_TRY(const Backend* const backend, m_impl->backends.find(m_impl->plan->target->backend));
    return backend->checkOverride(*m_impl->plan, decision);
}

} // namespace pim::views
