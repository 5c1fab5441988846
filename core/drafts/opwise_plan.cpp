// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/drafts/core_memory.h"
#include "core/drafts/opwise_planner.h"
#include "core/plan/plan_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

namespace pim {
namespace {

/// Bytes of one core, and what ops take of it.
class CoreMemory {
public:
    CoreMemory(const Target& target, std::int64_t capacity)
        : m_capacity(capacity),
          m_rowBytes(std::max<std::int64_t>(
              1, static_cast<std::int64_t>(target.number("organisation.rowBytes", "B").value_or(1)))) {}

    std::int64_t capacity() const { return m_capacity; }
    /// From run to run, and only while the op runs. Where code says what it takes, all of it is kept if anything is
    /// (memory_layout.h); else each tensor counts for itself, from a fresh row.
    std::int64_t keptBytes(const PlannedOp& op) const { return bytes(op, true); }
    std::int64_t passingBytes(const PlannedOp& op) const { return bytes(op, false); }

    /// What the ops placed on PIM need at once.
    std::int64_t needed(const std::vector<PlannedOp>& ops, const std::vector<DeviceId>& placement) const {
        CoreFill fill;
        for (std::size_t i = 0; i < ops.size(); ++i)
            if (!placement[i].onHost() && ops[i].search && ops[i].search->space)
                fill.add(*ops[i].search->space, ops[i].search->space->draftText(ops[i].search->draft),
                         resident(ops[i]), keptBytes(ops[i]), passingBytes(ops[i]));
        return fill.bytes();
    }

private:
    static std::vector<TensorId> resident(const PlannedOp& op) {
        std::vector<TensorId> tensors;
        for (std::size_t t = 0; t < op.residency.size(); ++t)
            if (op.residency[t] == Residency::Resident)
                tensors.push_back(op.kernel->tensors[t].source);
        return tensors;
    }
    std::int64_t bytes(const PlannedOp& op, bool kept) const {
        if (op.search->codeBytes > 0)
            return resident(op).empty() == kept ? 0 : op.search->codeBytes;
        std::int64_t bytes = 0;
        for (std::size_t t = 0; t < op.residency.size(); ++t)
            if ((op.residency[t] == Residency::Resident) == kept)
                bytes += tileBytes(op, t);
        return bytes;
    }
    std::int64_t tileBytes(const PlannedOp& op, std::size_t tensor) const {
        const std::int64_t bytes =
            op.search->summary.tensors[tensor].tileElements * bytesOf(op.kernel->tensors[tensor].dtype);
        return (bytes + m_rowBytes - 1) / m_rowBytes * m_rowBytes;
    }

    std::int64_t m_capacity, m_rowBytes;
};

/// Which kernel tensors of an op go through host memory under a placement.
std::vector<bool> throughHost(const PlannedOp& op, const Dataflow& flow,
                              const std::vector<DeviceId>& placement) {
    std::vector<bool> through(op.residency.size(), false);
    for (std::size_t t = 0; t < through.size(); ++t) {
        const KernelTensor& tensor = op.kernel->tensors[t];
        if (!tensor.source.valid())
            continue;
        const FlowValue& value = flow.value(tensor.source);
        through[t] = tensor.role == TensorRole::Input
                         ? op.residency[t] != Residency::Resident &&
                               (!value.producer.valid() || placement[value.producer.index()].onHost())
                         : neededOnHost(value, placement);
    }
    return through;
}

OpPrice priceForPlacement(const OpwisePlanner& planner, const PlannedOp& op, const OpDecisions& decisions) {
    OpPrice price;
    price.hostNs = op.onHostNs();
    price.pinned = decisions.placement;
    if (!op.canRunOnPim())
        return price;
    const KernelPrice& kernel = op.search->price;
    price.pimNs = planner.pimCost(op, kernel, std::vector<bool>(op.residency.size(), false)).totalNs();
    std::vector<bool> only(op.residency.size(), false);
    for (std::size_t t = 0; t < op.residency.size(); ++t) {
        const KernelTensor& tensor = op.kernel->tensors[t];
        if (!tensor.source.valid())
            continue;
        only[t] = true;
        const double ns = planner.pimCost(op, kernel, only).totalNs() - *price.pimNs;
        only[t] = false;
        if (tensor.role == TensorRole::Input && op.residency[t] != Residency::Resident)
            price.reads.push_back({tensor.source, ns});
        else if (tensor.role != TensorRole::Input)
            price.writeNs += ns;
    }
    return price;
}

/// Resident tensors must fit. Ops leave PIM, those first that gain least for a byte, until they do.
/// \param spilled receives why, one text an op. A greedy knapsack: within one op of the best for many small
/// ops.
Result<std::vector<DeviceId>> placeWithinCapacity(const Dataflow& flow, std::vector<OpPrice>& prices,
                                                  const std::vector<PlannedOp>& ops,
                                                  const std::vector<OpDecisions>& decisions,
                                                  const CoreMemory& memory,
                                                  std::vector<std::string>& spilled) {
    while (true) {
        std::vector<DeviceId> placement = placeOps(flow, prices);
        std::int64_t over = memory.needed(ops, placement) - memory.capacity();
        if (memory.capacity() <= 0 || over <= 0)
            return placement;
        const std::int64_t needed = over + memory.capacity();
        std::vector<std::pair<double, std::size_t>> byGain;
        for (std::size_t i = 0; i < ops.size(); ++i)
            if (!placement[i].onHost() && (!decisions[i].placement || decisions[i].placementIsNetworkWide))
                if (const std::int64_t bytes = memory.keptBytes(ops[i]) + memory.passingBytes(ops[i]);
                    bytes > 0)
                    byGain.emplace_back((prices[i].hostNs - *prices[i].pimNs) / static_cast<double>(bytes),
                                        i);
        if (byGain.empty())
            return fail(ErrorCode::IllegalOverride, overfullText(needed, memory.capacity()), "placement",
                        kOverfullHint);
        std::sort(byGain.begin(), byGain.end());
        for (const auto& [gain, i] : byGain) {
            if (over <= 0)
                break;
            prices[i].pinned = DeviceId::host();
            over -= std::max<std::int64_t>(1, memory.keptBytes(ops[i]));
            spilled[i] = fmt::format(
                "PIM is full: with it, resident tensors would need {} of a core, which has {}; "
                "other ops gain more for a byte",
                bytesText(static_cast<double>(needed)), bytesText(static_cast<double>(memory.capacity())));
        }
    }
}

/// Ops, and where they are placed.
struct PlacedOps {
    const Graph& graph;
    const Dataflow& flow;
    const CoreMemory& memory;
    const std::vector<PlannedOp>& ops;
    const std::vector<OpDecisions>& decisions;
    const std::vector<DeviceId>& placement;
    const std::vector<std::string>& spilled; ///< [op] why it had to leave PIM.
};

/// What a plan says about op \p i, but for the reason.
OpPlan opPlan(const OpwisePlanner& planner, const PlacedOps& placed, std::size_t i) {
    const PlannedOp& op = placed.ops[i];
    OpPlan result;
    result.op = OpId(static_cast<std::int64_t>(i));
    result.placement = placed.placement[i];
    result.placementOverridden = placed.decisions[i].placement == placed.placement[i];
    result.hostKnown = op.host.known;
    result.hostNs = op.onHostNs();
    result.pimVerdict = op.verdict;
    result.tensors = planner.tensorPlans(&placed.graph, op);
    if (op.canRunOnPim()) {
        const auto through = throughHost(op, placed.flow, placed.placement);
        result.pimCost = planner.pimCost(op, op.search->price, through);
        result.space = op.search->space;
        result.draft = op.search->draft;
        result.draftOverridden = placed.decisions[i].draft.has_value();
        result.takesFrom = op.takesFrom;
        result.draftCheck = op.search->check;
        result.keptCoreBytes = placed.memory.keptBytes(op);
        result.passingCoreBytes = placed.memory.passingBytes(op);
        result.draftsEnumerated = op.search->counts.enumerated;
        result.draftsKept = op.search->counts.byRule[0];
        for (std::size_t t = 0; t < through.size(); ++t)
            if (op.residency[t] == Residency::Streamed && !through[t] && op.kernel->tensors[t].source.valid())
                result.tensors[t].residency = Residency::Produced;
    }
    if (!result.onHost()) {
        result.cost = *result.pimCost;
        result.origin = op.search->origin;
    } else {
        result.cost.hostNs = result.hostNs;
    }
    return result;
}

/// Why op \p i is where \p result has it.
std::string reasonOf(const OpwisePlanner& planner, const PlacedOps& placed, const OpPlan& result,
                     const std::string& hostId, std::size_t i) {
    const Graph& graph = placed.graph;
    const PlannedOp& op = placed.ops[i];
    ReasonFacts facts{.op = &graph.ops[i], .hostId = hostId, .host = op.host};
    if (op.canRunOnPim())
        facts.pimAloneNs = *priceForPlacement(planner, op, placed.decisions[i]).pimNs;
    facts.intensity = intensityAs(graph, graph.ops[i], op.type);
    facts.isView = placed.flow.isView(result.op);
    facts.appends = appendsToCache(graph, result.op);
    facts.placement = result.placement;
    facts.overridden = result.placementOverridden;
    facts.networkWide = placed.decisions[i].placementIsNetworkWide;
    facts.pim = result.pimCost;
    facts.verdict = op.verdict;
    facts.spill = placed.spilled[i];
    if (op.takesFrom.valid())
        facts.takesFrom = graph.op(op.takesFrom).name;
    facts.chainSavedNs = op.chainSavedNs;
    return placementReason(facts);
}

/// Resident tensors used by several ops in the same layout are brought in once.
void addResidentLoads(Plan& plan) {
    std::set<std::tuple<TensorId, const TilingSpace*, std::string>> seen;
    for (const OpPlan& op : plan.ops) {
        if (op.onHost())
            continue;
        for (const TensorPlan& tensor : op.tensors)
            if (tensor.residency == Residency::Resident &&
                seen.emplace(tensor.tensor, op.space.get(), op.space->draftText(*op.draft)).second) {
                plan.residentLoadNs += tensor.loadNs;
                plan.residentBytes += tensor.bytes;
            }
    }
}

void sayOutside(Plan& plan, const DraftPredictor& predictor) {
    const auto [count, first] = outsideOps(plan, predictor);
    if (count > 0)
        plan.problems.push_back({Severity::Warning, plan.target->id,
                                 fmt::format("{} outside what predictor {} has learned ({})",
                                             count == 1 ? "1 op lies" : fmt::format("{} ops lie", count),
                                             predictor.version(), first),
                                 "train one that covers them: pimc predictor train --model MODEL"});
}

} // namespace

OutsideOps outsideOps(const Plan& plan, const DraftPredictor& predictor) {
    OutsideOps found;
    for (const OpPlan& op : plan.ops) {
        if (op.onHost() || !op.space || !predictor.knows(op.space->kernel(), *plan.target))
            continue;
        const std::string outside = predictor.outside(op.space->kernel(), residencyOf(op.tensors));
        if (!outside.empty() && found.count++ == 0)
            found.first = fmt::format("{}: {}", plan.graph->op(op.op).name, outside);
    }
    return found;
}

Result<std::vector<PlannedOp>> OpwisePlanner::prepareAll(const PlanRequest& request,
                                                         const std::vector<OpDecisions>& decisions,
                                                         KernelTable::Network& kernels,
                                                         const TaskContext& task) const {
    const Graph& graph = *request.graph;
    std::vector<PlannedOp> ops(graph.ops.size());
    parallelFor(ops.size(), m_options.threads, [&](std::size_t i) {
        if (!task.cancelled())
            ops[i] = prepare(graph, OpId(static_cast<std::int64_t>(i)), decisions[i], kernels);
    });
    if (task.cancelled())
        return TaskContext::cancelledError("the compile");
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const std::string& opName = graph.ops[i].name;
        if (decisions[i].placement == DeviceId::first() && !decisions[i].placementIsNetworkWide &&
            !ops[i].verdict.empty())
            return fail(ErrorCode::IllegalOverride, "PIM cannot run it: " + ops[i].verdict,
                        opName + "/placement", "place it on the host");
        if (decisions[i].concernDraft() && !ops[i].kernel)
            return fail(ErrorCode::IllegalOverride, "it has no drafts: " + ops[i].verdict,
                        opName + '/' + (decisions[i].draft ? "draft" : decisions[i].code.begin()->first));
        for (const auto& [tensor, residency] : decisions[i].residency) {
            const KernelTensor* found = nullptr;
            if (ops[i].kernel)
                for (const KernelTensor& candidate : ops[i].kernel->tensors)
                    if (candidate.source.valid() && candidate.role == TensorRole::Input &&
                        graph.tensor(candidate.source).name == tensor)
                        found = &candidate;
            if (!found)
                return fail(ErrorCode::IllegalOverride, fmt::format("it has no PIM operand \"{}\"", tensor),
                            fmt::format("{}/residency/{}", opName, tensor));
            if (residency == Residency::Resident && !found->constant && !found->cache)
                return fail(
                    ErrorCode::IllegalOverride,
                    fmt::format(
                        "\"{}\" changes with every run, so it cannot lie in PIM before; allowed: streamed",
                        tensor),
                    fmt::format("{}/residency/{}", opName, tensor));
        }
    }
    return ops;
}

Result<std::int64_t> OpwisePlanner::searchAll(std::vector<PlannedOp>& ops, const Graph& graph,
                                              const std::vector<OpDecisions>& decisions, PlanCache* cache,
                                              const TaskContext& task) const {
    // Equal kernels are searched once, whatever op they come from.
    std::unordered_map<std::string, std::size_t> shared;
    std::vector<std::vector<std::size_t>> work;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (!ops[i].kernel || !ops[i].verdict.empty())
            continue;
        const auto [at, fresh] = shared.try_emplace(searchKey(ops[i], decisions[i]), work.size());
        if (fresh)
            work.emplace_back();
        work[at->second].push_back(i);
    }
    std::vector<std::optional<Error>> failures(work.size());
    std::atomic<std::int64_t> done{0};
    std::mutex reporting;
    const auto searchOne = [&](std::size_t w) {
        const std::size_t first = work[w].front();
        const TaskContext quiet{task.stop, {}};
        if (auto found = search(ops[first], decisions[first], cache, quiet))
            for (const std::size_t i : work[w])
                ops[i].search = *found;
        else
            failures[w] = found.error();
        const std::int64_t finished = ++done;
        const std::lock_guard lock(reporting);
        task.report("searching tilings", finished, std::ssize(work));
    };
    // Kernels whose drafts another plan is looking for, as the next point of a sweep does, come last: they are known by then.
    std::vector<std::size_t> later;
    parallelFor(work.size(), m_options.threads, [&](std::size_t w) {
        if (cache &&
            cache->state().spaces->isBusy(*ops[work[w].front()].text, m_backend.resources(m_target))) {
            const std::lock_guard lock(reporting);
            later.push_back(w);
        } else {
            searchOne(w);
        }
    });
    parallelFor(later.size(), m_options.threads, [&](std::size_t i) { searchOne(later[i]); });
    for (std::size_t w = 0; w < work.size(); ++w)
        if (failures[w]) {
            Error error = *failures[w];
            if (error.code != ErrorCode::Cancelled) {
                const std::size_t op = work[w].front();
                const OpDecisions& decided = decisions[op];
                // The decision to blame: the one that is named, else the one about more.
                const std::string field = decided.code.contains(error.where) ? error.where
                                          : decided.draft                    ? "draft"
                                          : decided.code.empty()             ? std::string()
                                                                             : decided.code.begin()->first;
                error.where = graph.ops[op].name + (field.empty() ? "" : "/" + field);
                if (!field.empty())
                    error.code = ErrorCode::IllegalOverride;
            }
            return tl::unexpected<Error>(std::move(error));
        }
    for (std::size_t i = 0; i < ops.size(); ++i)
        if (ops[i].search) {
            ops[i].verdict = ops[i].search->verdict;
            if (!ops[i].canRunOnPim())
                continue;
            // A cache lies in PIM, but what this run adds to it has to get there.
            for (std::size_t t = 0; t < ops[i].residency.size(); ++t) {
                const KernelTensor& tensor = ops[i].kernel->tensors[t];
                if (!tensor.cache || ops[i].residency[t] != Residency::Resident || !tensor.source.valid())
                    continue;
                const double all = static_cast<double>(bytesAs(graph.tensor(tensor.source), ops[i].type));
                const double added = static_cast<double>(appendedBytes(graph, tensor.source, ops[i].type));
                if (all > 0 && added > 0)
                    ops[i].appendNs +=
                        std::max(ops[i].search->leastLoadNs, ops[i].search->residentLoadNs[t] * added / all);
            }
        }
    return std::ssize(work);
}

Result<std::shared_ptr<const Plan>> OpwisePlanner::plan(const PlanRequest& request, PlanCache* cache,
                                                        const TaskContext& task) const {
    const Graph& graph = *request.graph;
    auto plan = std::make_shared<Plan>();
    plan->graph = request.graph;
    plan->target = request.target;
    plan->overrides = request.overrides;
    plan->computeType = elementType();
    plan->overlapHostTransfer = m_options.overlapHostTransfer;
    plan->codePasses = m_options.passes;
    const auto opCount = static_cast<std::int64_t>(graph.ops.size());

    Stopwatch kernelTime;
    PIM_TRY(const auto decisions, readDecisions(graph, m_target, request.overrides, m_backend.codeFields()));
    const auto network = cache ? cache->state().kernels->of(request.graph)
                               : std::make_shared<KernelTable::Network>(request.graph);
    PIM_TRY(auto ops, prepareAll(request, decisions, *network, task));
    plan->stages.push_back({"kernels", kernelTime.milliseconds(), opCount, "ops"});

    Stopwatch searchTime;
    PIM_TRY(const std::int64_t kernels, searchAll(ops, graph, decisions, cache, task));
    plan->stages.push_back({"search", searchTime.milliseconds(), kernels, "kernels"});
    for (std::size_t i = 0; i < ops.size(); ++i)
        if (decisions[i].placement == DeviceId::first() && !decisions[i].placementIsNetworkWide &&
            !ops[i].canRunOnPim())
            return fail(ErrorCode::IllegalOverride, "PIM cannot run it: " + ops[i].verdict,
                        graph.ops[i].name + "/placement", "place it on the host");

    Stopwatch placementTime;
    task.report("placing ops");
    const Dataflow& flow = network->flow();
    std::vector<OpPrice> prices;
    for (std::size_t i = 0; i < ops.size(); ++i)
        prices.push_back(priceForPlacement(*this, ops[i], decisions[i]));
    std::vector<std::string> spilled(ops.size());
    const CoreMemory memory(m_target, m_backend.resources(m_target).coreBytes);
    PIM_TRY(const auto placement, placeWithinCapacity(flow, prices, ops, decisions, memory, spilled));
    PIM_CHECK(chainOps(ops, flow, placement, decisions, cache, task));
    plan->coreBytes = memory.capacity();
    plan->stages.push_back({"placement", placementTime.milliseconds(), opCount, "ops"});

    const PlacedOps placed{graph, flow, memory, ops, decisions, placement, spilled};
    for (std::size_t i = 0; i < ops.size(); ++i) {
        OpPlan op = opPlan(*this, placed, i);
        op.reason = reasonOf(*this, placed, op, m_target.host.id, i);
        if (!op.hostKnown && op.onHost())
            plan->problems.push_back(hostCostUnknown(graph.ops[i]));
        plan->ops.push_back(std::move(op));
    }
    addUp(*plan);
    addResidentLoads(*plan);
    const auto spills =
        std::count_if(spilled.begin(), spilled.end(), [](const auto& text) { return !text.empty(); });
    if (spills > 0)
        plan->problems.push_back(
            {Severity::Warning, m_target.id,
             fmt::format(
                 "{} ops stay on the host because their tensors do not fit the {} of PIM memory", spills,
                 bytesText(static_cast<double>(memory.capacity()) * m_backend.resources(m_target).groups *
                           m_backend.resources(m_target).coresPerGroup)),
             "choose a larger target, or stream the weights of some ops"});
    if (m_options.predictor)
        sayOutside(*plan, m_options.predictor->of(m_target));
    if (elementType() != m_options.computeType)
        plan->problems.push_back(
            {Severity::Note,
             m_target.id,
             fmt::format("its units compute in {}; all tensors are taken in {} instead of {}",
                         name(elementType()), name(elementType()), name(m_options.computeType)),
             {}});
    return plan;
}

} // namespace pim
