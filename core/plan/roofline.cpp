// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/roofline.h"

#include "core/base/number_text.h"
#include "core/plan/report_facet.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim {
namespace {

/// Of its time, what a ceiling must need to be named beside the lowest.
constexpr double kWorthNaming = 0.05;

/// "64 % of its time", at the lowest roof "all of its time".
std::string partText(double share) {
    return share > 0.9995 ? std::string("all of its time") : percentText(share) + " of its time";
}

} // namespace

Result<Roofline> ReportFacet::roofline(const Plan& plan, const Simulation&) const {
    return fail(ErrorCode::Unsupported, "nothing is known of what its resources can do at most",
                plan.target->id, "`pimc limits` without a roofline shows what kept it busy");
}

int Roofline::lowestRoof(const OpUnderRoof& op) const {
    int lowest = -1;
    for (std::size_t c = 0; c < ceilings.size(); ++c)
        if (op.amounts[c] > 0 &&
            (lowest < 0 || atLeastNs(op, c) > atLeastNs(op, static_cast<std::size_t>(lowest))))
            lowest = static_cast<int>(c);
    return lowest;
}

double Roofline::roofOf(const OpUnderRoof& op) const {
    const int lowest = lowestRoof(op);
    return lowest < 0 ? 0 : op.operations / atLeastNs(op, static_cast<std::size_t>(lowest));
}

double Roofline::shareOfRoof(const OpUnderRoof& op) const {
    const int lowest = lowestRoof(op);
    return lowest < 0 ? 0 : atLeastNs(op, static_cast<std::size_t>(lowest)) / op.ns;
}

int Roofline::memoryOf(const OpUnderRoof& op) const {
    int slowest = -1;
    for (std::size_t c = 0; c < ceilings.size(); ++c)
        if (ceilings[c].isMemory && op.amounts[c] > 0 &&
            (slowest < 0 || atLeastNs(op, c) > atLeastNs(op, static_cast<std::size_t>(slowest))))
            slowest = static_cast<int>(c);
    return slowest;
}

double Roofline::intensityOf(const OpUnderRoof& op) const {
    const int memory = memoryOf(op);
    return memory < 0 ? std::numeric_limits<double>::infinity()
                      : op.operations / op.amounts[static_cast<std::size_t>(memory)];
}

const OpUnderRoof* Roofline::find(OpId op) const {
    const auto found = std::ranges::find(ops, op, &OpUnderRoof::op);
    return found == ops.end() ? nullptr : &*found;
}

std::size_t Roofline::ceiling(Ceiling wanted) {
    const auto found = std::ranges::find(ceilings, wanted.name, &Ceiling::name);
    if (found != ceilings.end())
        return static_cast<std::size_t>(found - ceilings.begin());
    ceilings.push_back(std::move(wanted));
    for (OpUnderRoof& op : ops)
        op.amounts.push_back(0);
    return ceilings.size() - 1;
}

std::string sentenceOf(const Roofline& roofline, const OpUnderRoof& op) {
    const int lowest = roofline.lowestRoof(op);
    if (lowest < 0)
        return op.why.empty() ? "asks for nothing that has a limit" : "set by " + op.why;
    std::vector<std::pair<double, std::size_t>> others;
    for (std::size_t c = 0; c < roofline.ceilings.size(); ++c)
        if (const double share = roofline.atLeastNs(op, c) / op.ns;
            static_cast<int>(c) != lowest && share >= kWorthNaming)
            others.emplace_back(-share, c);
    std::ranges::sort(others);
    const std::string& name = roofline.ceilings[static_cast<std::size_t>(lowest)].name;
    const double share = roofline.shareOfRoof(op);
    const std::string needs = fmt::format("{}, which need{} {} at full speed", name,
                                          name.ends_with('s') ? "" : "s", partText(share));
    std::string text =
        share >= kWorthNaming ? "set by " + needs : "set by no ceiling, the lowest is " + needs;
    for (const auto& [other, c] : others)
        text += fmt::format(", {} {}", roofline.ceilings[c].name, percentText(-other));
    if (!op.why.empty())
        text += "; " + op.why;
    return text;
}

void addHost(Roofline& roofline, const Plan& plan, const HostModel& model,
             const std::function<DataType(const OpPlan&)>& typeOf,
             const std::function<double(const OpPlan&)>& nsOf) {
    const Host& host = plan.target->host;
    if (host.memoryBytesPerNs > 0)
        roofline.ceiling({"host memory", true, true, host.memoryBytesPerNs,
                          fmt::format("{}: {}", host.name, bandwidthText(host.memoryBytesPerNs))});
    for (const OpPlan& op : plan.ops) {
        const double ns = op.onHost() ? nsOf(op) : 0;
        if (ns <= 0)
            continue;
        const DataType type = typeOf(op);
        const HostCost cost = model.cost(*plan.graph, op.op, host, type);
        // Where less is done than the whole op, as with what a cache gets anew, the plan has less time for it.
        const double part = cost.ns > 0 ? std::min(1.0, op.hostNs / cost.ns) : 0;
        OpUnderRoof at{op.op, true, ns, cost.operations * part, {}, {}};
        at.amounts.assign(roofline.ceilings.size(), 0);
        if (host.memoryBytesPerNs > 0)
            at.amounts[roofline.ceiling({"host memory", true, true, host.memoryBytesPerNs, {}})] =
                cost.memoryBytes * part;
        if (cost.overheadNs > 0 && cost.ns > 0)
            at.why = fmt::format("starting a kernel {}", percentText(cost.overheadNs / cost.ns));
        else if (cost.ns > 0)
            at.why = fmt::format("its kernels reach {} of the arithmetic and {} of the memory bandwidth",
                                 percentText(host.flopsEfficiency), percentText(host.memoryEfficiency));
        roofline.ops.push_back(std::move(at));
        if (cost.operations > 0 && cost.operationsPerNs > 0) {
            // Types of equal speed share a ceiling; its name is that of the first met.
            const auto same = std::ranges::find_if(roofline.ceilings, [&](const Ceiling& ceiling) {
                return ceiling.ofHost && !ceiling.isMemory && ceiling.perNs == cost.operationsPerNs;
            });
            const std::size_t arithmetic =
                same != roofline.ceilings.end()
                    ? static_cast<std::size_t>(same - roofline.ceilings.begin())
                    : roofline.ceiling(
                          {fmt::format("host arithmetic in {}", name(type)), false, true,
                           cost.operationsPerNs,
                           fmt::format("{}: {}", host.name, rateText(cost.operationsPerNs, false))});
            roofline.ops.back().amounts[arithmetic] = cost.operations * part;
        }
    }
    std::ranges::sort(roofline.ops, {}, [](const OpUnderRoof& op) { return op.op.index(); });
}

DataType decidedType(const Plan& plan, const OpPlan& op) {
    for (const std::string& name : {plan.graph->op(op.op).name, std::string()})
        if (const std::string* const decided = plan.overrides.find(name, "dtype"))
            if (const auto type = dataTypeFromName(*decided))
                return *type;
    return plan.computeType;
}

double operationsOf(const Op& op) {
    return op.work.macs > 0 ? 2.0 * static_cast<double>(op.work.macs) : static_cast<double>(op.work.otherOps);
}

std::string rateText(double perNs, bool isBytes) {
    return isBytes ? bandwidthText(perNs) : countText(perNs * 1e9) + "op/s";
}

} // namespace pim
