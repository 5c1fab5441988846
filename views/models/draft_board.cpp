// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/draft_board.h"

#include "core/plan/draft_facet.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <algorithm>

namespace pim::views {
namespace {

constexpr std::size_t kAtOnce = 500; ///< Shapes of so few drafts are worked out without a task.

std::shared_ptr<const DraftShapes> shapesOf(std::shared_ptr<const Exploration> exploration,
                                            const TaskContext& task) {
    auto shapes = std::make_shared<DraftShapes>();
    const std::size_t kept = exploration->drafts.size(), all = kept + exploration->rejected.size();
    for (std::size_t i = 0; i < all; ++i) {
        if (i % 1024 == 0) {
            task.report("drafts", static_cast<std::int64_t>(i), static_cast<std::int64_t>(all));
            if (task.cancelled())
                return nullptr;
        }
        const Draft& draft = i < kept ? exploration->drafts[i] : exploration->rejected[i - kept].draft;
        const Facts facts = shapeFacts(*exploration->space, exploration->tensors, draft);
        shapes->bytesPerCore.push_back(facts.at("bytes_per_core"));
        shapes->coresUsed.push_back(facts.at("cores_used"));
        shapes->movedBytes.push_back(facts.at("input_bytes") + facts.at("output_bytes"));
    }
    shapes->exploration = std::move(exploration);
    return shapes;
}

const OpPlan* selectedPlan(const Workspace& workspace) {
    const auto plan = workspace.plan();
    const OpId op = workspace.selection().op;
    return plan && op.valid() && op.index() < plan->ops.size() ? &plan->opPlan(op) : nullptr;
}

} // namespace

Facts BoardDraft::facts() const {
    return cost() ? draftFacts(*space, tensors, draft, *cost()) : shapeFacts(*space, tensors, draft);
}

DraftBoard& DraftBoard::of(Workspace& workspace) {
    auto* board = workspace.findChild<DraftBoard*>(QString(), Qt::FindDirectChildrenOnly);
    return board ? *board : *new DraftBoard(workspace);
}

DraftBoard::DraftBoard(Workspace& workspace) : QObject(&workspace), m_workspace(workspace) {
    connect(&workspace, &Workspace::explorationChanged, this, &DraftBoard::takeExploration);
    connect(&workspace, &Workspace::selectionChanged, this, &DraftBoard::comparedChanged);
    connect(&workspace, &Workspace::planChanged, this, &DraftBoard::comparedChanged);
    if (workspace.simulations())
        connect(workspace.simulations(), &SimulationSource::changed, this, &DraftBoard::changed);
    takeExploration();
}

void DraftBoard::takeExploration() {
    std::erase_if(m_simulated, [](const auto& entry) { return entry.second.alive.expired(); });
    const auto exploration = m_workspace.exploration();
    if (exploration != m_exploration) {
        if (m_shapeTask)
            m_workspace.tasks()->cancel(std::exchange(m_shapeTask, 0));
        m_shapes.reset();
        m_exploration = exploration;
        if (exploration && exploration->drafts.size() + exploration->rejected.size() <= kAtOnce)
            m_shapes = shapesOf(exploration, {});
        else if (exploration)
            m_shapeTask = m_workspace.tasks()->start(
                tr("Measuring drafts"),
                [this, exploration](const TaskContext& task) -> std::function<void()> {
                    auto shapes = shapesOf(exploration, task);
                    return [this, shapes = std::move(shapes)] {
                        m_shapeTask = 0;
                        if (shapes && shapes->exploration == m_exploration)
                            m_shapes = shapes;
                        emit changed();
                    };
                });
    }
    emit changed();
    emit comparedChanged();
}

const DraftBoard::Simulated* DraftBoard::simulatedOf(const Exploration* exploration) const {
    const auto at = m_simulated.find(exploration);
    return exploration && at != m_simulated.end() && !at->second.alive.expired() ? &at->second : nullptr;
}

const SimulatedDraft* DraftBoard::simulated(std::size_t position) const {
    const Simulated* known = simulatedOf(m_workspace.exploration().get());
    if (!known)
        return nullptr;
    const auto at = known->drafts.find(position);
    return at == known->drafts.end() ? nullptr : &at->second;
}

std::size_t DraftBoard::simulatedCount() const {
    const Simulated* known = simulatedOf(m_workspace.exploration().get());
    return known ? known->drafts.size() : 0;
}

void DraftBoard::simulate(std::vector<std::size_t> positions) {
    const auto exploration = m_workspace.exploration();
    const Backend* backend = exploration ? m_workspace.backendOf(*exploration->target) : nullptr;
    if (!backend || !backend->drafts() || m_task)
        return;
    std::erase_if(positions, [&](std::size_t i) { return i >= exploration->drafts.size() || simulated(i); });
    if (positions.empty())
        return;
    m_task = m_workspace.tasks()->start(
        positions.size() == 1 ? tr("Simulating a draft") : tr("Simulating %1 drafts").arg(positions.size()),
        [this, exploration, backend, positions](const TaskContext& task) -> std::function<void()> {
            auto drafts = backend->drafts()->simulateDrafts(*exploration, positions, 0, task);
            return [this, exploration, drafts = std::move(drafts)]() mutable {
                m_task = 0;
                if (drafts)
                    takeSimulated(exploration, std::move(*drafts));
                else
                    emit m_workspace.failed(tr("The drafts could not be simulated: %1")
                                                .arg(QString::fromStdString(drafts.error().message)),
                                            QString::fromStdString(drafts.error().text()));
                emit changed();
                emit comparedChanged();
            };
        },
        [this] {
            m_task = 0;
            emit changed();
        });
    emit changed();
}

void DraftBoard::cancelSimulation() {
    if (m_task)
        m_workspace.tasks()->cancel(m_task);
}

void DraftBoard::takeSimulated(const std::shared_ptr<const Exploration>& exploration,
                               std::vector<SimulatedDraft> drafts) {
    Simulated& known = m_simulated[exploration.get()];
    known.alive = exploration;
    known.target = exploration->target;
    for (SimulatedDraft& draft : drafts) {
        if (draft.problem.empty())
            known.pairs.push_back({exploration->costs[draft.draft].totalNs(), draft.cost.totalNs()});
        known.drafts.insert_or_assign(draft.draft, std::move(draft));
    }
}

std::optional<PredictionError> DraftBoard::knownError() const {
    const auto target = m_workspace.target();
    std::vector<PredictedSimulated> pairs;
    const SimulationSource* source = m_workspace.simulations();
    if (source && source->simulation() && source->plan() && source->plan()->target == target)
        pairs = simulatedPairs(*source->simulation());
    for (const auto& [exploration, known] : m_simulated)
        if (!known.alive.expired() && known.target == target)
            pairs.insert(pairs.end(), known.pairs.begin(), known.pairs.end());
    return predictionError(pairs);
}

std::optional<BoardDraft> DraftBoard::lookUp(const Draft& draft) const {
    const OpPlan* op = selectedPlan(m_workspace);
    const auto exploration = m_workspace.exploration();
    if (!op || !op->space || !op->space->check(draft))
        return std::nullopt;
    BoardDraft found;
    found.space = op->space;
    found.target = m_workspace.plan()->target;
    found.tensors = exploration ? exploration->tensors : op->tensors;
    found.op = QString::fromStdString(m_workspace.plan()->graph->op(op->op).name);
    found.draft = draft;
    if (exploration) {
        const auto at = std::find(exploration->drafts.begin(), exploration->drafts.end(), draft);
        if (at != exploration->drafts.end()) {
            const auto position = static_cast<std::size_t>(at - exploration->drafts.begin());
            found.predicted = exploration->costs[position];
            if (const SimulatedDraft* simulation = simulated(position);
                simulation && simulation->problem.empty())
                found.simulated = simulation->cost;
            return found;
        }
    }
    if (op->draft == draft && op->pimCost) {
        found.predicted = op->pimCost;
        found.asPlanned = true;
    }
    return found;
}

std::optional<BoardDraft> DraftBoard::inForce() const {
    const OpPlan* op = selectedPlan(m_workspace);
    return op && op->draft ? lookUp(*op->draft) : std::nullopt;
}

std::optional<BoardDraft> DraftBoard::b() const {
    const auto& selected = m_workspace.selection().draft;
    return selected ? lookUp(*selected) : inForce();
}

void DraftBoard::keepA(std::optional<BoardDraft> draft) {
    m_kept = std::move(draft);
    emit comparedChanged();
}

} // namespace pim::views
