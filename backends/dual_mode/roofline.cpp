// SPDX-License-Identifier: GPL-3.0-or-later
// Amounts are taken from what the units of the simulation were busy with: weights that are written, and bytes that wait for the bus, are
// part of an op there as they are on the chip.
#include "backends/dual_mode/dual_mode.h"
#include "backends/dual_mode/plan.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace pim {
namespace {

constexpr double kWorthNaming = 0.05; ///< Of an op's time.

struct Stretch {
    double from = 0, to = 0;
};

/// Time in which at least one is under way.
double covered(std::vector<Stretch> stretches) {
    std::ranges::sort(stretches, {}, &Stretch::from);
    double all = 0, until = 0;
    for (const Stretch& stretch : stretches) {
        all += std::max(0.0, stretch.to - std::max(stretch.from, until));
        until = std::max(until, stretch.to);
    }
    return all;
}

/// What the spans of one op say.
struct Worked {
    std::vector<Stretch> all, rewriting;
    double computingNs = 0, holdingNs = 0, busNs = 0, vectorNs = 0; ///< Sums over units.
    std::set<std::uint32_t> computing;                              ///< Arrays.
};

std::map<int, Worked> workedOf(const Timeline& timeline) {
    std::map<int, Worked> ops;
    for (const TimelineSpan& span : timeline.spans) {
        const int op = timeline.labelOps[span.label];
        if (op < 0)
            continue;
        Worked& worked = ops[op];
        const double ns = double(span.durationNs);
        const Stretch stretch{span.startNs, span.startNs + ns};
        const std::string& group = timeline.tracks[span.track].group;
        const SpanRole role = timeline.kinds[span.kind].role;
        worked.all.push_back(stretch);
        if (group == "buses")
            worked.busNs += ns;
        else if (group == "digital units")
            worked.vectorNs += ns;
        else if (role == SpanRole::Compute) {
            worked.computingNs += ns;
            worked.computing.insert(span.track);
        } else if (role == SpanRole::MemoryIn || role == SpanRole::MemoryOut)
            worked.holdingNs += ns;
        else if (role == SpanRole::Rewriting)
            worked.rewriting.push_back(stretch);
    }
    return ops;
}

} // namespace

Result<Roofline> DualModeReportFacet::roofline(const Plan& plan, const Simulation& simulation) const {
    Roofline roofline;
    addHost(
        roofline, plan, *m_hostModel, [&](const OpPlan&) { return dualModeHostType(plan.target->host); },
        [](const OpPlan& op) { return op.cost.hostNs; });
    const auto* dualMode = dynamic_cast<const DualModePlan*>(plan.detail.get());
    if (!dualMode)
        return roofline; // all of it is on the host
    const DualModeChip& chip = dualMode->chip;
    const std::size_t arrays = roofline.ceiling(
        {"computing arrays", false, false,
         2.0 * chip.arrays * chip.rows * chip.columns / (chip.cyclesPerMvm * chip.cycleNs),
         fmt::format("{} arrays of {} x {} weights, a product every {:g} cycles of {:g} ns", chip.arrays,
                     chip.rows, chip.columns, chip.cyclesPerMvm, chip.cycleNs)});
    std::optional<std::size_t> vector, holding;
    if (chip.vectorLanes > 0)
        vector = roofline.ceiling(
            {"vector unit", false, false, chip.vectorLanes / chip.cycleNs,
             fmt::format("{:g} elements a cycle of {:g} ns", chip.vectorLanes, chip.cycleNs)});
    if (chip.arrayBytesPerCycle > 0)
        holding = roofline.ceiling(
            {"arrays as memory", true, false, chip.arrays * chip.arrayBytesPerCycle / chip.cycleNs,
             fmt::format("{} arrays, {:g} bytes a cycle each", chip.arrays, chip.arrayBytesPerCycle)});
    const std::size_t bus = roofline.ceiling(
        {"main memory bus", true, false, chip.mainBytesPerCycle / chip.cycleNs,
         fmt::format("{:g} bytes a cycle of {:g} ns", chip.mainBytesPerCycle, chip.cycleNs)});
    const double perArray = (holding ? roofline.ceilings[*holding].perNs : 0) / chip.arrays /
                            (1 + std::max(0.0, chip.readCycles));
    // All that is under way shares the bus.
    double busNs = 0;
    const Timeline& timeline = simulation.timeline;
    for (const TimelineSpan& span : timeline.spans)
        busNs += timeline.tracks[span.track].group == "buses" ? double(span.durationNs) : 0;
    const std::string busy = fmt::format("the bus, which all share, is busy {} of the run",
                                         percentText(timeline.endNs > 0 ? busNs / timeline.endNs : 0));
    for (const auto& [id, worked] : workedOf(timeline)) {
        const OpId op(id);
        if (plan.opPlan(op).onHost())
            continue; // its transfers alone are timed
        OpUnderRoof at{op, false, covered(worked.all), 0, {}, {}};
        if (at.ns <= 0)
            continue;
        at.amounts.assign(roofline.ceilings.size(), 0);
        const Op& work = plan.graph->op(op);
        const double elements = worked.vectorNs * chip.vectorLanes / chip.cycleNs;
        at.operations = work.work.macs > 0 ? operationsOf(work) : elements;
        at.amounts[arrays] = work.work.macs > 0 ? at.operations : 0;
        at.amounts[bus] = worked.busNs * chip.mainBytesPerCycle / chip.cycleNs;
        if (vector)
            at.amounts[*vector] = elements;
        if (holding)
            at.amounts[*holding] = worked.holdingNs * perArray;
        const auto add = [&](const std::string& part) { at.why += (at.why.empty() ? "" : "; ") + part; };
        if (const double ns = covered(worked.rewriting); ns > kWorthNaming * at.ns)
            add(fmt::format("writing weights {} of its time", percentText(ns / at.ns)));
        if (!worked.computing.empty())
            add(fmt::format("{} of {} arrays compute, each {} of its time", worked.computing.size(),
                            chip.arrays,
                            percentText(worked.computingNs / double(worked.computing.size()) / at.ns)));
        add(busy);
        roofline.ops.push_back(std::move(at));
    }
    std::ranges::sort(roofline.ops, {}, [](const OpUnderRoof& op) { return op.op.index(); });
    return roofline;
}

} // namespace pim
