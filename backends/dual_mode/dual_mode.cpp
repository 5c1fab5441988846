// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/dual_mode.h"

#include "backends/dual_mode/flow/flow.h"
#include "backends/dual_mode/op_costs.h"
#include "backends/dual_mode/option_text.h"
#include "backends/dual_mode/planner.h"
#include "backends/dual_mode/timed_plan.h"
#include "core/base/number_text.h"
#include "core/base/stopwatch.h"
#include "core/drafts/dataflow.h"
#include "core/plan/legal_values.h"
#include "core/plan/plan_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace pim {
namespace {

constexpr const char* kNoHost =
    "a dual-mode chip runs the whole network by itself; only ops it has no unit for go to the host";

tl::unexpected<Error> illegal(const Override& decision, const std::string& message,
                              const std::string& hint = {}) {
    return fail(ErrorCode::IllegalOverride, message,
                fmt::format("{}/{}", decision.op.empty() ? "network" : decision.op, decision.field), hint);
}

/// "host: no unit for Loop" -> what comes behind the colon.
std::string hostReason(std::string_view where) {
    return where.size() > 6 ? std::string(where.substr(6)) : "the chip has no unit for it";
}

/// Everything but the placement is backends/dual_mode's to understand.
Result<std::vector<Override>> dualModeDecisions(const Graph& graph, const DualModeWorkload& workload,
                                                const Overrides& overrides) {
    std::set<std::string_view> names;
    std::map<std::string_view, std::string_view> onHost;
    for (const Op& op : graph.ops)
        names.insert(op.name);
    for (const auto& [op, where] : workload.left)
        if (where.starts_with("host"))
            onHost.emplace(graph.op(op).name, where);
    std::vector<Override> decisions;
    for (const Override& decision : overrides.all()) {
        if (!decision.op.empty() && !names.contains(decision.op))
            return illegal(decision, fmt::format("the model has no op \"{}\"", decision.op),
                           "remove this decision, or take the name from `pimc inspect`");
        if (decision.field != "placement") {
            decisions.push_back(decision);
            continue;
        }
        const bool mustHost = onHost.contains(decision.op);
        if (decision.value == "pim" && mustHost)
            return illegal(decision, hostReason(onHost.at(decision.op)), "leave it on the host");
        if (decision.value == "host" && !mustHost)
            return illegal(decision, kNoHost, "remove this decision, or choose a DRAM-PIM target");
        if (decision.value != "pim" && decision.value != "host")
            return illegal(decision,
                           fmt::format("\"{}\" is no placement; allowed: host, pim", decision.value));
    }
    return decisions;
}

std::vector<Override> decisionsOf(const Plan& plan) {
    std::vector<Override> decisions;
    for (const Override& decision : plan.overrides.all())
        if (decision.field != "placement")
            decisions.push_back(decision);
    return decisions;
}

std::string reasonFor(const DualModeOpShare& share, const DualModePlan& plan, double intensity) {
    const std::string where =
        share.firstSegment == share.lastSegment
            ? fmt::format("segment {}", share.firstSegment + 1)
            : fmt::format("segments {} to {}", share.firstSegment + 1, share.lastSegment + 1);
    std::string text = fmt::format("{} compute array{}", share.compute, share.compute == 1 ? "" : "s");
    if (share.memory > 0)
        text += fmt::format(" and {} in memory mode", share.memory);
    text += fmt::format(" of {} in {}", plan.chip.arrays, where);
    if (share.pieces > 1)
        text += fmt::format(", cut into {} pieces", share.pieces);
    return text + fmt::format(": {}, AI {:.1f} FLOP/B",
                              share.waitsForData ? "waits for data" : "compute-bound", intensity);
}

const DualModePlan* dualModePlan(const Plan& plan) {
    return dynamic_cast<const DualModePlan*>(plan.detail.get());
}

} // namespace

const OptionTable* DualModeBackend::options() const {
    return &dualModeOptionTable();
}

DualModeBackend::DualModeBackend(std::shared_ptr<const HostModel> hostModel)
    : m_hostModel(std::move(hostModel)), m_report(m_hostModel) {}

DataType dualModeHostType(const Host& host) {
    for (const DataType type : {DataType::I8, DataType::F16, DataType::F32})
        if (host.peakFlopsPerNs.contains(type))
            return type;
    return host.peakFlopsPerNs.empty() ? DataType::F32 : host.peakFlopsPerNs.begin()->first;
}

Diagnostics DualModeBackend::checkTarget(const Target& target) const {
    const auto chip = dualModeChip(target);
    if (chip)
        return {};
    return {{Severity::Error, target.id, chip.error().message, chip.error().hint}};
}

Result<std::shared_ptr<const Plan>> DualModeBackend::plan(const PlanRequest& request, PlanCache*,
                                                          const TaskContext& task) const {
    const Graph& graph = *request.graph;
    const Target& target = *request.target;
    auto plan = std::make_shared<Plan>();
    plan->graph = request.graph;
    plan->target = request.target;
    plan->overrides = request.overrides;

    const Stopwatch workloadTime;
    PIM_TRY(const DualModeOptions options, dualModeOptionTable().read(request.options.of(id())));
    PIM_TRY(const DualModeChip chip, dualModeChip(target));
    PIM_TRY(DualModeWorkload workload, dualModeWorkload(graph));
    PIM_TRY(const auto decisions, dualModeDecisions(graph, workload, request.overrides));
    plan->stages.push_back(
        {"operators", workloadTime.milliseconds(), std::ssize(workload.ops), "matrix operators"});

    const DataType type = dualModeHostType(target.host);
    plan->computeType = DataType::I8;
    if (type != plan->computeType)
        plan->problems.push_back(
            {Severity::Note,
             target.host.id,
             fmt::format("its speed in i8 is not known; ops on the host are taken in {}", name(type)),
             {}});
    if (workload.ops.empty()) {
        planOnHost(*plan, type);
        return plan;
    }

    const Stopwatch segmentTime;
    const bool timed = options.cost != CostRule::Formula;
    PIM_TRY(const auto dualMode, timed
                                     ? planByFlow(graph, std::move(workload), chip, options, decisions, task)
                                     : planDualMode(std::move(workload), chip, options, decisions, task));
    plan->origin = timed ? Origin::Simulated : Origin::Predicted;
    plan->stages.push_back(
        {"segments", segmentTime.milliseconds(), dualMode->segmentation.segmentsSolved, "segments solved"});
    plan->detail = dualMode;

    priceOnHost(*plan, *m_hostModel, type);
    for (OpPlan& op : plan->ops) {
        op.placement = DeviceId::first();
        op.pimCost.emplace();
        op.placementOverridden = request.overrides.find(graph.op(op.op).name, "placement") != nullptr;
    }
    const auto shares = shareOutSegments(*dualMode);
    for (std::size_t i = 0; i < shares.operators.size(); ++i) {
        const OpId id = dualMode->workload->ops[i].op;
        OpPlan& op = plan->ops[id.index()];
        const std::string reason =
            reasonFor(shares.operators[i], *dualMode, intensityAs(graph, graph.op(id), plan->computeType));
        op.reason += op.reason.empty() ? reason : "; " + reason; // attention is two operators
        *op.pimCost += shares.operators[i].cost;
        op.cost = *op.pimCost;
    }
    for (const auto& [id, cost] : shares.vectorOps) { // partial sums of products among them
        OpPlan& op = plan->ops[id.index()];
        *op.pimCost += cost;
        op.cost = *op.pimCost;
    }
    for (const auto& [id, where] : dualMode->workload->left) {
        OpPlan& op = plan->ops[id.index()];
        if (where.starts_with("host")) {
            op.placement = DeviceId::host();
            op.pimCost.reset();
            op.pimVerdict = hostReason(where);
            op.cost.hostNs = op.hostNs;
            if (!op.hostKnown)
                plan->problems.push_back(hostCostUnknown(graph.op(id)));
            op.reason = where;
        } else {
            op.reason =
                timed ? "vector unit, while the arrays work on the next rows; its share of their segments"
                      : "vector unit, while the arrays work on the next rows; counted by simulation only";
        }
    }
    addUp(*plan);
    for (const DualModeBaseline& baseline : dualMode->baselines)
        plan->baselines.push_back({std::string(dualModeStrategyId(baseline.strategy)), baseline.name,
                                   baseline.cycles * chip.cycleNs});
    return plan;
}

void DualModeBackend::planOnHost(Plan& plan, DataType type) const {
    plan.problems.push_back({Severity::Warning,
                             plan.target->id,
                             "the network has no matrix product whose shape is known, so there is nothing "
                             "for the arrays to do; all of it runs on the host",
                             {}});
    priceOnHost(plan, *m_hostModel, type);
    for (OpPlan& op : plan.ops) {
        op.cost.hostNs = op.hostNs;
        op.pimVerdict = "nothing in the network is for the arrays";
        op.reason = "host: " + op.pimVerdict;
    }
    addUp(plan);
}

std::vector<OverrideField> DualModeBackend::overrideFields(const Plan& plan, OpId op) const {
    const DualModePlan* dualMode = dualModePlan(plan);
    if (!dualMode || (op.valid() && op.index() >= plan.ops.size()))
        return {};
    std::vector<OverrideField> fields;
    if (op.valid()) {
        const OpPlan& planned = plan.opPlan(op);
        fields.push_back(judged(*this, plan, plan.graph->op(op).name,
                                {"placement",
                                 "Placement",
                                 name(planned.placement),
                                 planned.placementOverridden,
                                 {{"host", true, {}}, {"pim", true, {}}}}));
    }
    for (OverrideField& field : dualModeFields(*dualMode, decisionsOf(plan), op))
        fields.push_back(std::move(field));
    return fields;
}

Result<void> DualModeBackend::checkOverride(const Plan& plan, const Override& decision) const {
    const DualModePlan* dualMode = dualModePlan(plan);
    if (!dualMode)
        return illegal(decision, "the plan is not of a dual-mode chip");
    Overrides one;
    one.set(decision);
    PIM_TRY(const auto decisions, dualModeDecisions(*plan.graph, *dualMode->workload, one));
    if (decisions.empty())
        return {};
    return checkDualModeDecision(*dualMode, decisionsOf(plan), decisions.front());
}

Result<std::vector<CodeFile>> DualModeBackend::lower(const Plan& plan, OpId only,
                                                     const TaskContext& task) const {
    const DualModePlan* dualMode = dualModePlan(plan);
    if (!dualMode && !only.valid())
        return std::vector<CodeFile>{}; // all of it is on the host
    if (!dualMode)
        return fail(ErrorCode::Unsupported, "it runs on the host, so there are no commands for the chip",
                    plan.graph->op(only).name);
    task.report("writing the flow");
    PIM_TRY(DualModeFlow flow, emitFlow(*plan.graph, *dualMode));
    if (task.cancelled())
        return TaskContext::cancelledError("writing the flow");
    CodeFile file{"network.flow", {}, {}, {}};
    const std::size_t blocks = flow.blocks.size();
    if (only.valid()) {
        std::erase_if(flow.blocks, [&](const FlowBlock& block) {
            return std::none_of(block.operators.begin(), block.operators.end(), [&](const FlowOperator& op) {
                return op.piece >= 0 ? flow.ops[static_cast<std::size_t>(
                                                    flow.pieces[static_cast<std::size_t>(op.piece)].op)]
                                               .op == only
                                     : op.run && op.run->op == only;
            });
        });
        file.ops = {only};
        file.summary = fmt::format("{} of {} blocks of the network's flow", flow.blocks.size(), blocks);
    } else {
        for (const OpPlan& op : plan.ops)
            if (!op.onHost())
                file.ops.push_back(op.op);
        std::size_t operators = 0;
        for (const FlowBlock& block : flow.blocks)
            operators += block.operators.size();
        file.summary =
            fmt::format("{} block{}, {} meta-operator{}", exactText(static_cast<std::int64_t>(blocks)),
                        blocks == 1 ? "" : "s", exactText(static_cast<std::int64_t>(operators)),
                        operators == 1 ? "" : "s");
    }
    file.text = flowText(flow);
    return std::vector<CodeFile>{std::move(file)};
}

} // namespace pim
