// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/timed_plan.h"

#include "backends/dual_mode/flow/block_run.h"
#include "backends/dual_mode/flow/simulate.h"
#include "core/base/parallel.h"
#include "core/graph/graph.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

namespace pim {
namespace {

/// A flow that several proposals may have in common: large networks have gigabytes of pieces and segments.
struct ProposedFlow {
    std::shared_ptr<DualModePlan> plan; ///< Of one of them; it is timed.
    std::optional<Error> problem;
};

/// What is planned by formula, and what its flow takes.
struct Proposal {
    DualModeOptions options;
    std::vector<Override> decisions;
    bool asked = false;                 ///< Not just to compare with.
    std::shared_ptr<DualModePlan> plan; ///< Null where another one stands for it, too.
    std::shared_ptr<ProposedFlow> flow; ///< Null where there is no plan.
    std::optional<Error> problem;
};

/// Beyond this, plans are made and timed one by one: side by side they take twice the memory.
constexpr std::int64_t kManyPieces = 100'000;

/// The formulas that come nearest to the simulator.
DualModeOptions nearestReading(DualModeOptions options) {
    // One write port is a property of the chip that the simulator knows, too.
    if (options.rewrite != RewriteRule::Sum)
        options.rewrite = RewriteRule::Bus;
    options.mainBandwidth = MainBandwidthRule::Shared;
    options.traffic = TrafficRule::Activations;
    return options;
}

/// Those of one reading after those of the other.
std::vector<std::vector<Proposal>> proposals(const DualModeOptions& options, const DualModeChoices& choices,
                                             const std::vector<Override>& decisions) {
    const DualModeStrategy own = choices.strategy.value_or(options.strategy);
    std::vector<DualModeOptions> readings{nearestReading(options)};
    readings.front().jointBorders &= options.cost == CostRule::Flow;
    std::vector<DualModeStrategy> others{DualModeStrategy::AllCompute};
    if (options.cost == CostRule::Flow) {
        readings.insert(readings.begin(), options);
        others.insert(others.end(), {DualModeStrategy::Puma, DualModeStrategy::Occ});
    } else if (own != DualModeStrategy::DualMode) {
        others.clear(); // no answer, and nobody asks for a comparison
    }
    std::vector<Override> network; // of the whole network, but for the strategy
    for (const Override& decision : decisions)
        if (decision.op.empty() && decision.field != "strategy")
            network.push_back(decision);
    std::vector<std::vector<Proposal>> all;
    for (const DualModeOptions& reading : readings) {
        std::vector<Proposal>& proposed = all.emplace_back();
        proposed.push_back({.options = reading, .decisions = decisions, .asked = true});
        proposed.back().options.strategy = own;
        for (const DualModeStrategy strategy : others) {
            if (strategy == own && choices.pieces.empty())
                continue; // it is the first one
            // Baselines may be cut as suits them; what was searched for one is searched for all.
            Proposal baseline{.options = reading};
            baseline.options.strategy = strategy;
            if (choices.searchCuts)
                baseline.decisions = network;
            proposed.push_back(std::move(baseline));
        }
    }
    return all;
}

/// Places arrays; segments and total take what the flow of the plan takes.
Result<void> timeByFlow(const Graph& graph, DualModePlan& plan, FlowBlockTable& blocks,
                        const TaskContext& task) {
    plan.placement = placeArrays(plan.subOps, plan.segmentation, plan.chip, *plan.workload);
    PIM_TRY(const TimedFlow timed, emitTimedFlow(graph, plan, task, &blocks));
    if (!timed.simulation)
        return tl::unexpected<Error>(timed.simulation.error());
    const DualModeSimulation& run = *timed.simulation;
    PIM_ASSERT(run.blocks.size() == plan.segmentation.segments.size(), "a block a segment");
    for (std::size_t i = 0; i < run.blocks.size(); ++i) {
        DualModeSegment& segment = plan.segmentation.segments[i];
        const DualModeBlockTime& time = run.blocks[i].simulated;
        segment.intra = time.intra;
        segment.writeBack = time.writeBack;
        segment.switching = time.switching;
        segment.rewrite = time.rewrite;
    }
    plan.segmentation.cycles = run.cycles;
    std::set<OpId> onHost;
    for (const auto& [id, where] : plan.workload->left)
        if (where.starts_with("host"))
            onHost.insert(id);
    plan.traffic = {run.mainBytes, run.arrayBytes};
    plan.pieceTimes.assign(plan.subOps.size(), {});
    for (const DualModeOpTime& op : run.ops)
        if (op.piece >= 0) {
            DualModePieceTime& time = plan.pieceTimes[static_cast<std::size_t>(op.piece)];
            time.busy += op.busyNs / plan.chip.cycleNs;
            time.elapsed += (op.endNs - op.startNs) / plan.chip.cycleNs;
        } else if (op.op.valid() && op.busyNs > 0 && !onHost.contains(op.op)) {
            plan.vectorTimes.push_back({op.op, op.block, op.busyNs / plan.chip.cycleNs});
        }
    return {};
}

/// Whatever the formulas say, the chip does the same, so both take what one of them takes: under several readings the
/// strategies that only compute often decide the same. (Which arrays do what follows from these.)
bool haveOneFlow(const DualModePlan& a, const DualModePlan& b) {
    const auto sameCut = [](const DualModeSubOp& x, const DualModeSubOp& y) {
        return x.op == y.op && x.minArrays == y.minArrays && x.n == y.n && x.k == y.k && x.g == y.g &&
               x.nBegin == y.nBegin && x.kBegin == y.kBegin && x.gBegin == y.gBegin;
    };
    const auto sameSegment = [](const DualModeSegment& x, const DualModeSegment& y) {
        return x.first == y.first && x.last == y.last && x.compute == y.compute && x.memory == y.memory &&
               x.shared == y.shared && x.held == y.held;
    };
    return (a.options.rewrite == RewriteRule::Sum) == (b.options.rewrite == RewriteRule::Sum) &&
           std::ranges::equal(a.subOps, b.subOps, sameCut) &&
           std::ranges::equal(a.segmentation.segments, b.segmentation.segments, sameSegment);
}

/// Those of \p proposals that have one flow share it.
void shareFlows(std::vector<Proposal>& proposals) {
    std::vector<std::shared_ptr<ProposedFlow>> different;
    for (Proposal& one : proposals) {
        if (!one.flow && one.plan)
            one.flow = std::make_shared<ProposedFlow>(one.plan, std::nullopt);
        if (!one.flow)
            continue;
        const auto same = std::ranges::find_if(different, [&](const auto& flow) {
            return flow == one.flow || haveOneFlow(*flow->plan, *one.flow->plan);
        });
        if (same == different.end()) {
            different.push_back(one.flow);
            continue;
        }
        one.flow = *same;
        if (!one.asked)
            one.plan.reset();
    }
}

/// With pieces as large as the chip.
std::int64_t fewestPieces(const DualModeWorkload& workload, const DualModeChip& chip) {
    std::int64_t pieces = 0;
    for (const DualModeOp& op : workload.ops)
        pieces += std::int64_t{minimumArrays(op, chip)} / std::max(1, chip.arrays) + 1;
    return pieces;
}

} // namespace

Result<std::shared_ptr<const DualModePlan>>
planByFlow(const Graph& graph, DualModeWorkload workload, const DualModeChip& chip,
           const DualModeOptions& options, const std::vector<Override>& decisions, const TaskContext& task) {
    PIM_TRY(const DualModeChoices choices, parseDualModeDecisions(decisions, workload));
    const auto network = std::make_shared<const DualModeWorkload>(std::move(workload));
    std::vector<std::vector<Proposal>> readings = proposals(options, choices, decisions);
    const TaskContext quiet{task.stop, {}};
    const int threads = fewestPieces(*network, chip) > kManyPieces ? 1 : 0;
    parallelFor(readings.size(), threads, [&](std::size_t reading) {
        std::vector<Proposal>& asked = readings[reading];
        std::vector<DualModeWish> wishes;
        for (const Proposal& one : asked) {
            // Proposals are each other's baselines; of a cap, the trials tell what it takes with all arrays computing.
            const std::size_t baselines = one.options.strategy == DualModeStrategy::DualMode ? 1 : 0;
            wishes.push_back(
                {one.options.strategy, one.decisions, std::span(kDualModeBaselines).first(baselines)});
        }
        auto plans = planDualModes(network, chip, asked.front().options, wishes, quiet);
        for (std::size_t i = 0; i < plans.size(); ++i)
            if (plans[i])
                asked[i].plan = *std::move(plans[i]);
            else
                asked[i].problem = plans[i].error();
        shareFlows(asked);
    });
    std::vector<Proposal> all;
    for (std::vector<Proposal>& proposed : readings)
        std::ranges::move(proposed, std::back_inserter(all));
    shareFlows(all);
    std::vector<std::shared_ptr<ProposedFlow>> flows; // each once
    for (const Proposal& one : all)
        if (one.flow && std::ranges::find(flows, one.flow) == flows.end())
            flows.push_back(one.flow);
    FlowBlockTable blocks;
    parallelFor(flows.size(), threads, [&](std::size_t i) {
        if (const auto done = timeByFlow(graph, *flows[i]->plan, blocks, quiet); !done)
            flows[i]->problem = done.error();
    });
    if (task.cancelled())
        return TaskContext::cancelledError("planning");
    const DualModeStrategy wanted = all.front().options.strategy;
    const Proposal* best = nullptr;
    std::vector<DualModeBaseline> baselines;
    for (const Proposal& one : all) {
        if (!one.flow || one.flow->problem)
            continue;
        const DualModeStrategy strategy = one.options.strategy;
        const double cycles = one.flow->plan->segmentation.cycles;
        // A dual-mode chip may just compute. Pins and caps bind: plans without them are no answer then.
        const bool stands =
            one.asked || (wanted == DualModeStrategy::DualMode && choices.pieces.empty() && !choices.cap);
        if (stands && (!best || cycles < best->flow->plan->segmentation.cycles))
            best = &one;
        if (strategy == DualModeStrategy::DualMode || (one.asked && !choices.pieces.empty()))
            continue;
        const auto known = std::ranges::find(baselines, strategy, &DualModeBaseline::strategy);
        if (known == baselines.end())
            baselines.push_back({strategy, std::string(dualModeStrategyName(strategy)), cycles});
        else
            known->cycles = std::min(known->cycles, cycles);
    }
    if (!best) {
        const Proposal& own = all.front();
        return tl::unexpected<Error>(own.problem ? *own.problem : *own.flow->problem);
    }
    std::ranges::sort(baselines, {}, &DualModeBaseline::strategy);
    // Of those with one flow the first one has a plan, and it is no slower.
    PIM_ASSERT(best->plan, "only proposals that another one stands for have none");
    const std::shared_ptr<DualModePlan> plan = best->plan;
    if (const DualModePlan& timed = *best->flow->plan; &timed != plan.get()) {
        plan->segmentation = timed.segmentation;
        plan->placement = timed.placement;
        plan->traffic = timed.traffic;
        plan->pieceTimes = timed.pieceTimes;
        plan->vectorTimes = timed.vectorTimes;
    }
    plan->options = options;
    plan->options.strategy = wanted;
    plan->baselines = std::move(baselines);
    return std::shared_ptr<const DualModePlan>(plan);
}

} // namespace pim
