// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/system_json.h"

#include "core/compile/compiler.h"
#include "core/compile/run_limits.h"
#include "core/compile/system_problem.h"

#include <nlohmann/json.hpp>

namespace pim {
namespace {

nlohmann::json systemSpansJson(const SystemPlan& plan) {
    nlohmann::json json = nlohmann::json::array();
    const auto tensors = valueTensors(*plan.plan->graph);
    const auto id = [&](int device) {
        return device == 0 ? std::string("host")
                           : plan.system->devices[static_cast<std::size_t>(device) - 1].id;
    };
    for (const AssignmentSpan& span : plan.spans) {
        nlohmann::json one{{"start_ns", span.startNs}, {"end_ns", span.endNs}, {"device", id(span.device)}};
        if (span.op >= 0) {
            one["op"] = plan.plan->graph->ops[static_cast<std::size_t>(span.op)].name;
        } else {
            one["tensor"] = plan.plan->graph->tensor(tensors[static_cast<std::size_t>(span.value)]).name;
            one["from"] = id(span.from);
        }
        json.push_back(std::move(one));
    }
    return json;
}

} // namespace

std::string systemJson(const SystemPlan& plan, const std::optional<SystemSimulation>& simulation,
                       const std::string& numbers) {
    nlohmann::json json{{"system", plan.system->id},          {"model", plan.plan->graph->name},
                        {"predicted_ns", plan.assignment.ns}, {"simulated_ns", nullptr},
                        {"found_as", plan.foundAs},           {"searched_ns", plan.searchedNs},
                        {"bound_ns", plan.boundNs},           {"gap", plan.gap()}};
    if (simulation)
        json["simulated_ns"] = simulation->ns;
    const RequestStream& stream = simulation ? simulation->stream : plan.stream;
    json["stream"] = {{"at_once", stream.atOnce},
                      {"period_ns", stream.periodNs},
                      {"longest_ns", stream.longestNs},
                      {"least_ns", stream.leastNs},
                      {"busiest", nameIn(*plan.system, stream.busiest)},
                      {"simulated", simulation.has_value()}};
    json["devices"] = nlohmann::json::array();
    for (std::size_t device = 0; device < plan.busyNs.size(); ++device)
        json["devices"].push_back({{"id", device == 0 ? "host" : plan.system->devices[device - 1].id},
                                   {"busy_ns", plan.busyNs[device]}});
    json["links"] = nlohmann::json::array();
    const auto names = linkNames(*plan.system);
    for (std::size_t link = 0; link < names.size(); ++link)
        json["links"].push_back(
            {{"id", names[link]}, {"bytes", plan.linkBytes[link]}, {"busy_ns", plan.linkBusyNs[link]}});
    json["pieces"] = nlohmann::json::array();
    for (const OpPieces& op : plan.pieces) {
        const std::size_t join = static_cast<std::size_t>(plan.opOf(op.op)) + op.features.size();
        json["pieces"].push_back({{"op", plan.plan->graph->ops[join].name}, {"features", op.features}});
    }
    json["alternatives"] = nlohmann::json::array();
    for (const SystemAlternative& other : plan.alternatives) {
        nlohmann::json one{{"id", other.id}, {"what", other.meaning}};
        if (other.problem.empty()) {
            one["ns"] = other.ns;
            one["stream_ns"] = other.streamNs;
        } else
            one["problem"] = other.problem;
        json["alternatives"].push_back(std::move(one));
    }
    json["limits"] = nlohmann::json::parse(
        limitsJson(systemLimits(simulation ? simulation->timeline : systemTimeline(plan, plan.spans))));
    json["schedule"] = systemSpansJson(plan);
    json["plan"] = nlohmann::json::parse(planJson(*plan.plan));
    json["numbers"] = nlohmann::json::parse(numbers);
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace pim
