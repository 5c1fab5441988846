// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/compiler.h"

#include "core/plan/draft_facet.h"
#include "core/plan/family_options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim {
namespace {

using Json = nlohmann::ordered_json;

void putSplit(Json& json, const CostSplit& cost) {
    for (const CostPartInfo& part : kCostSplitParts)
        if (part.ns != &CostSplit::hostNs) // "host_ns" is the op on the host, wherever it was placed
            json[std::string(part.key) + "_ns"] = cost.*part.ns;
}

Json checkJson(const DraftCheck& check) {
    const auto known = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    return {{"price_ns", check.priceNs},
            {"predicted_ns", known(check.predictedNs)},
            {"simulated_ns", known(check.simulatedNs)},
            {"simulated", check.simulated},
            {"rank", check.rank},
            {"loss_at_most", known(check.lossAtMost)}};
}

Json opJson(const Plan& plan, const OpPlan& op) {
    const Op& node = plan.graph->op(op.op);
    Json json{{"name", node.name}, {"type", node.type}, {"placement", name(op.placement)}};
    json["draft"] = op.draft ? Json(op.space->draftText(*op.draft)) : Json();
    putSplit(json, op.cost);
    json["host_ns"] = op.hostKnown ? Json(op.hostNs) : Json();
    json["reason"] = op.reason;
    json["total_ns"] = op.cost.totalNs();
    json["pim_ns"] = op.pimCost ? Json(op.pimCost->totalNs()) : Json();
    json["origin"] = name(op.origin);
    json["placement_overridden"] = op.placementOverridden;
    json["draft_overridden"] = op.draftOverridden;
    if (op.takesFrom.valid())
        json["takes_in_place_from"] = plan.graph->op(op.takesFrom).name;
    json["drafts_enumerated"] = op.draftsEnumerated;
    json["drafts_kept"] = op.draftsKept;
    if (op.draftCheck)
        json["draft_check"] = checkJson(*op.draftCheck);
    json["tensors"] = Json::array();
    for (const TensorPlan& tensor : op.tensors)
        json["tensors"].push_back({{"name", tensor.name},
                                   {"residency", name(tensor.residency)},
                                   {"overridden", tensor.overridden},
                                   {"bytes", tensor.bytes},
                                   {"load_ns", tensor.loadNs}});
    return json;
}

/// Of a plan over several machines.
void putDevices(Json& json, const Plan& plan) {
    json["devices"] = Json::array();
    for (std::size_t d = 0; d < plan.devices.size(); ++d)
        json["devices"].push_back({{"placement", name(DeviceId(d))},
                                   {"name", plan.devices[d].name},
                                   {"target", plan.devices[d].target->id}});
    json["parts"] = Json::array();
    for (const PlanPart& part : plan.parts) {
        Json ops = Json::array();
        for (const OpId op : part.ops)
            ops.push_back(plan.graph->op(op).name);
        json["parts"].push_back({{"placement", name(part.device)},
                                 {"total_ns", part.plan->total.totalNs()},
                                 {"ops", std::move(ops)}});
    }
    json["transfers"] = Json::array();
    for (const Transfer& transfer : plan.transfers)
        json["transfers"].push_back({{"tensor", plan.graph->tensor(transfer.tensor).name},
                                     {"from", name(transfer.from)},
                                     {"to", name(transfer.to)},
                                     {"bytes", transfer.bytes},
                                     {"total_ns", transfer.ns}});
}

} // namespace

Result<void> checkCodePasses(const Backend& backend, const CodePasses& passes) {
    const auto offered = backend.drafts() ? backend.drafts()->codePasses() : std::span<const CodePassInfo>();
    for (const std::string& id : passes.leftOut) {
        std::string known;
        bool found = false;
        for (const CodePassInfo& pass : offered) {
            known += fmt::format("{}{}", known.empty() ? "" : ", ", pass.id);
            found = found || pass.id == id;
        }
        if (!found)
            return fail(ErrorCode::Usage,
                        fmt::format("the backend {} has no code pass \"{}\"", backend.id(), id), {},
                        known.empty() ? "it has none that could be left out" : "there are: " + known);
    }
    return {};
}

Result<std::shared_ptr<const Plan>> compile(const BackendList& backends, const PlanRequest& request,
                                            PlanCache* cache, const TaskContext& task) {
    PIM_ASSERT(request.graph && request.target, "a request has a graph and a target");
    PIM_TRY(const Backend* backend, backends.find(request.target->backend));
    std::string wrong;
    for (const Diagnostic& problem : backend->checkTarget(*request.target))
        if (problem.severity == Severity::Error)
            wrong += fmt::format("{}{}: {}", wrong.empty() ? "" : "; ", problem.object, problem.message);
    if (!wrong.empty())
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("the backend {} cannot use it: {}", backend->id(), wrong),
                    request.target->id);
    PIM_CHECK(checkCodePasses(*backend, request.options.passes));
    PIM_CHECK(checkFamilyOptions(backends, request.options));
    return backend->plan(request, cache, task);
}

std::string planJson(const Plan& plan, const JsonMembers& before) {
    Json json{{"total_ns", plan.total.totalNs()}, {"host_only_ns", plan.hostOnlyNs}};
    json["ops"] = Json::array();
    for (const OpPlan& op : plan.ops)
        json["ops"].push_back(opJson(plan, op));
    json["speedup"] = plan.speedup();
    json["origin"] = name(plan.origin);
    json["target"] = plan.target->id;
    json["host"] = plan.target->host.id;
    json["model"] = plan.graph->name;
    json["model_hash"] = plan.graph->source.structureHash;
    putSplit(json["total"], plan.total);
    json["total"]["host_ns"] = plan.total.hostNs;
    json["resident_bytes"] = plan.residentBytes;
    json["resident_load_ns"] = plan.residentLoadNs;
    if (!plan.baselines.empty()) {
        json["baselines"] = Json::array();
        for (const Baseline& baseline : plan.baselines)
            json["baselines"].push_back({{"id", baseline.id},
                                         {"name", baseline.name},
                                         {"total_ns", baseline.totalNs},
                                         {"speedup", plan.speedupOver(baseline)}});
    }
    if (!plan.devices.empty())
        putDevices(json, plan);
    if (plan.detail)
        json[std::string(plan.detail->kind())] = Json::parse(plan.detail->json());
    json["problems"] = Json::array();
    for (const Diagnostic& problem : plan.problems)
        json["problems"].push_back({{"object", problem.object}, {"message", problem.message}});
    std::string text = "{\n";
    for (const auto& [key, value] : before)
        text += fmt::format("  \"{}\": {},\n", key, value);
    const std::string own = json.dump(2, ' ', false, Json::error_handler_t::replace);
    return text + own.substr(own.find('\n') + 1) + "\n";
}

} // namespace pim
