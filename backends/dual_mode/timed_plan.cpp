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

/// What is planned by formula, and what its flow takes.
struct Proposal {
    DualModeOptions options;
    std::vector<Override> decisions;
    std::shared_ptr<DualModePlan> plan;
    std::optional<Error> problem;
};

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
        proposed.push_back({reading, decisions, {}, {}});
        proposed.back().options.strategy = own;
        for (const DualModeStrategy strategy : others) {
            if (strategy == own && choices.pieces.empty())
                continue; // it is the first one
            // Baselines may be cut as suits them; what was searched for one is searched for all.
            Proposal baseline{reading, {}, {}, {}};
            baseline.options.strategy = strategy;
            if (choices.searchCuts)
                baseline.decisions = network;
            proposed.push_back(std::move(baseline));
        }
    }
    return all;
}

/// Segments and total take what the flow of the plan takes.
Result<void> timeByFlow(const Graph& graph, DualModePlan& plan, FlowBlockTable& blocks,
                        const TaskContext& task) {
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
    for (const auto& [id, where] : plan.workload.left)
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
/// strategies that only compute often decide the same.
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
           std::ranges::equal(a.segmentation.segments, b.segmentation.segments, sameSegment) &&
           a.placement == b.placement;
}

} // namespace

Result<std::shared_ptr<const DualModePlan>>
planByFlow(const Graph& graph, const DualModeWorkload& workload, const DualModeChip& chip,
           const DualModeOptions& options, const std::vector<Override>& decisions, const TaskContext& task) {
    PIM_TRY(const DualModeChoices choices, parseDualModeDecisions(decisions, workload));
    std::vector<std::vector<Proposal>> readings = proposals(options, choices, decisions);
    const TaskContext quiet{task.stop, {}};
    parallelFor(readings.size(), 0, [&](std::size_t reading) {
        std::vector<Proposal>& asked = readings[reading];
        std::vector<DualModeWish> wishes;
        for (const Proposal& one : asked) {
            // Proposals are each other's baselines; of a cap, the trials tell what it takes with all arrays computing.
            const std::size_t baselines = one.options.strategy == DualModeStrategy::DualMode ? 1 : 0;
            wishes.push_back(
                {one.options.strategy, one.decisions, std::span(kDualModeBaselines).first(baselines)});
        }
        auto plans = planDualModes(workload, chip, asked.front().options, wishes, quiet);
        for (std::size_t i = 0; i < plans.size(); ++i)
            if (plans[i])
                asked[i].plan = *std::move(plans[i]);
            else
                asked[i].problem = plans[i].error();
    });
    std::vector<Proposal> all;
    std::set<std::size_t> own; // what was asked for, by each reading
    for (std::vector<Proposal>& proposed : readings) {
        own.insert(all.size());
        std::ranges::move(proposed, std::back_inserter(all));
    }
    std::vector<std::size_t> timed; // each flow once
    std::vector<std::size_t> sameAs(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        sameAs[i] = i;
        if (all[i].problem)
            continue;
        const auto same = std::ranges::find_if(
            timed, [&](std::size_t other) { return haveOneFlow(*all[i].plan, *all[other].plan); });
        if (same == timed.end())
            timed.push_back(i);
        else
            sameAs[i] = *same;
    }
    FlowBlockTable blocks;
    parallelFor(timed.size(), 0, [&](std::size_t t) {
        Proposal& one = all[timed[t]];
        if (const auto done = timeByFlow(graph, *one.plan, blocks, quiet); !done)
            one.problem = done.error();
    });
    for (std::size_t i = 0; i < all.size(); ++i)
        if (const Proposal& same = all[sameAs[i]]; sameAs[i] != i) {
            all[i].problem = same.problem;
            all[i].plan->segmentation = same.plan->segmentation;
            all[i].plan->traffic = same.plan->traffic;
            all[i].plan->pieceTimes = same.plan->pieceTimes;
            all[i].plan->vectorTimes = same.plan->vectorTimes;
        }
    if (task.cancelled())
        return TaskContext::cancelledError("planning");
    const DualModeStrategy wanted = all.front().options.strategy;
    const Proposal* best = nullptr;
    std::vector<DualModeBaseline> baselines;
    for (const Proposal& one : all) {
        if (one.problem)
            continue;
        const DualModeStrategy strategy = one.options.strategy;
        const double cycles = one.plan->segmentation.cycles;
        const bool asked = own.contains(static_cast<std::size_t>(&one - all.data()));
        // A dual-mode chip may just compute. Pins and caps bind: plans without them are no answer then.
        const bool stands =
            asked || (wanted == DualModeStrategy::DualMode && choices.pieces.empty() && !choices.cap);
        if (stands && (!best || cycles < best->plan->segmentation.cycles))
            best = &one;
        if (strategy == DualModeStrategy::DualMode || (asked && !choices.pieces.empty()))
            continue;
        const auto known = std::ranges::find(baselines, strategy, &DualModeBaseline::strategy);
        if (known == baselines.end())
            baselines.push_back({strategy, std::string(dualModeStrategyName(strategy)), cycles});
        else
            known->cycles = std::min(known->cycles, cycles);
    }
    if (!best)
        return tl::unexpected<Error>(*all.front().problem);
    std::ranges::sort(baselines, {}, &DualModeBaseline::strategy);
    auto plan = best->plan;
    plan->options = options;
    plan->options.strategy = wanted;
    plan->baselines = std::move(baselines);
    return std::shared_ptr<const DualModePlan>(std::move(plan));
}

} // namespace pim
