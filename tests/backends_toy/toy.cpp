// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends_toy/toy.h"

#include <fmt/format.h>

namespace pim::test {
namespace {

const TypedOptionTable<ToyOptions>& optionTable() {
    static const TypedOptionTable<ToyOptions> kTable(
        {{{"careful", "on|off", "compute everything twice"},
          [](const ToyOptions& o) { return std::string(o.careful ? "on" : "off"); },
          [](ToyOptions& o, std::string_view v) {
              o.careful = v == "on";
              return v == "on" || v == "off";
          }}});
    return kTable;
}

bool isProduct(const Op& op) {
    return op.work.known && op.work.macs > 0 && op.type != "Attention";
}

tl::unexpected<Error> illegal(const Override& decision, std::string message) {
    return fail(ErrorCode::IllegalOverride, std::move(message),
                fmt::format("{}/{}", decision.op.empty() ? "network" : decision.op, decision.field),
                "remove this decision");
}

Result<void> check(const Graph& graph, const Override& decision) {
    const OpId op = graph.findOp(decision.op);
    if (!op.valid())
        return illegal(decision, decision.op.empty()
                                     ? "nothing is decided about the whole network"
                                     : fmt::format("the model has no op \"{}\"", decision.op));
    if (decision.field != "placement" || (decision.value != "host" && decision.value != "pim"))
        return illegal(decision, "only the placement is decided: host or pim");
    if (decision.value == "pim" && !isProduct(graph.op(op)))
        return illegal(decision, "it is no matrix product");
    return {};
}

} // namespace

std::string ToyPlan::json() const {
    return fmt::format(R"({{"careful":{},"products":{}}})", careful, products);
}

const OptionTable* ToyBackend::options() const {
    return &optionTable();
}

Diagnostics ToyBackend::checkTarget(const Target& target) const {
    if (target.number("array.speed", "count"))
        return {};
    return {{Severity::Error, target.id, "\"array.speed\" is missing: products per nanosecond", {}}};
}

Result<std::shared_ptr<const Plan>> ToyBackend::plan(const PlanRequest& request, PlanCache*,
                                                     const TaskContext& task) const {
    if (task.cancelled())
        return TaskContext::cancelledError("the plan");
    PIM_TRY(const ToyOptions options, optionTable().read(request.options.of(id())));
    PIM_TRY(const double speed, request.target->number("array.speed", "count"));
    for (const Override& decision : request.overrides.all())
        PIM_CHECK(check(*request.graph, decision));
    auto plan = std::make_shared<Plan>();
    auto detail = std::make_shared<ToyPlan>();
    plan->graph = request.graph;
    plan->target = request.target;
    plan->overrides = request.overrides;
    detail->careful = options.careful;
    for (std::size_t i = 0; i < request.graph->ops.size(); ++i) {
        const Op& op = request.graph->ops[i];
        OpPlan& planned = plan->ops.emplace_back();
        planned.op = OpId(static_cast<std::int64_t>(i));
        const HostCost host =
            m_host->cost(*request.graph, planned.op, request.target->host, plan->computeType);
        planned.hostKnown = host.known;
        planned.hostNs = host.known ? host.ns : 0;
        const std::string* const wanted = request.overrides.find(op.name, "placement");
        planned.placementOverridden = wanted != nullptr;
        if (isProduct(op)) {
            planned.pimCost.emplace();
            planned.pimCost->computeNs =
                static_cast<double>(op.work.macs) / speed * (options.careful ? 2 : 1);
        } else {
            planned.pimVerdict = "it is no matrix product";
        }
        if (planned.pimCost && (!wanted || *wanted == "pim")) {
            planned.placement = DeviceId::first();
            planned.cost = *planned.pimCost;
            planned.reason = "a matrix product";
            ++detail->products;
        } else {
            planned.cost.hostNs = planned.hostNs;
            planned.reason = wanted ? "decided by the user" : "host: " + planned.pimVerdict;
        }
        plan->total += planned.cost;
        plan->hostOnlyNs += planned.hostNs;
    }
    plan->detail = std::move(detail);
    plan->stages.push_back({"products", 0, static_cast<std::int64_t>(plan->ops.size()), "ops"});
    return plan;
}

std::vector<OverrideField> ToyBackend::overrideFields(const Plan& plan, OpId op) const {
    if (!op.valid())
        return {};
    const OpPlan& planned = plan.opPlan(op);
    OverrideField field{"placement", "Placement", name(planned.placement), planned.placementOverridden, {}};
    for (const char* value : {"host", "pim"}) {
        const auto legal = check(*plan.graph, {plan.graph->op(op).name, "placement", value});
        field.values.push_back({value, legal.has_value(), legal ? std::string() : legal.error().message});
    }
    return {field};
}

Result<void> ToyBackend::checkOverride(const Plan& plan, const Override& decision) const {
    return check(*plan.graph, decision);
}

Result<std::vector<CodeFile>> ToyBackend::lower(const Plan& plan, OpId only, const TaskContext&) const {
    CodeFile file{"network.toy", "toy 1\n", {}, {}};
    for (const OpPlan& op : plan.ops)
        if (!op.onHost() && (!only.valid() || op.op == only)) {
            file.text += fmt::format("product {}\n", plan.graph->op(op.op).work.macs);
            file.ops.push_back(op.op);
        }
    file.summary = fmt::format("{} products", file.ops.size());
    return std::vector<CodeFile>{file};
}

Diagnostics ToyBackend::verifyProgram(const BundleProgram& program) const {
    if (program.text.starts_with("toy 1\n"))
        return {};
    return {{Severity::Error, program.path, "is no program of a toy array", "write the bundle again"}};
}

std::vector<report::Section> ToyBackend::sections(const Plan& plan) const {
    const auto& detail = dynamic_cast<const ToyPlan&>(*plan.detail);
    return {{"Products of the toy array",
             {report::Paragraph{fmt::format("It does {} products.", detail.products)}}}};
}

} // namespace pim::test
