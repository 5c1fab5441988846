// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/run_limits.h"

#include "core/plan/simulation.h"

#include <nlohmann/json.hpp>

namespace pim {
namespace {

constexpr double kPsPerNs = 1000;

nlohmann::json sharesJson(const std::vector<PathShare>& shares) {
    nlohmann::json json = nlohmann::json::array();
    for (const PathShare& share : shares)
        json.push_back({{"name", share.name}, {"ns", double(share.ps) / kPsPerNs}});
    return json;
}

nlohmann::json whatIfJson(const WhatIf& whatIf) {
    const auto orNull = [](const std::optional<double>& ns) { return ns ? nlohmann::json(*ns) : nullptr; };
    nlohmann::json rows = nlohmann::json::array();
    for (const WhatIfRow& row : whatIf.rows) {
        nlohmann::json changes = nlohmann::json::array();
        for (const ChangedValue& change : row.changes)
            changes.push_back({{"pointer", change.value.pointer},
                               {"unit", change.unit},
                               {"now", change.now},
                               {"twice", change.twice}});
        rows.push_back({{"resource", row.resource},
                        {"changes", changes},
                        {"twice_ns", orNull(row.twiceNs)},
                        {"fastest_factor", row.fastestFactor},
                        {"fastest_ns", orNull(row.fastestNs)},
                        {"problem", row.problem}});
    }
    return {{"bound_ns", orNull(whatIf.boundNs)}, {"bound_by", whatIf.boundBy}, {"rows", rows}};
}

} // namespace

Result<RunLimits> limitsOfRun(const BackendList& backends, const PlanRequest& request,
                              const Simulation& simulation, bool asksWhatHelps, const TaskContext& task) {
    if (simulation.timeline.spans.empty())
        return fail(ErrorCode::Unsupported,
                    "its simulation shows nothing in time: all of the network is on the host",
                    request.target->id, "choose another target or number type; `pimc which` compares them");
    RunLimits run{limitsOf(simulation.timeline), {}};
    if (asksWhatHelps) {
        PIM_TRY(run.help, whatIf(backends, request, simulation, task));
    }
    return run;
}

std::string limitsJson(const Simulation& simulation, const RunLimits& run) {
    const Limits& limits = run.limits;
    nlohmann::json resources = nlohmann::json::array();
    for (const ResourceUse& use : limits.resources)
        resources.push_back({{"name", use.name},
                             {"units", use.tracks},
                             {"share", use.share},
                             {"busiest", use.busiest},
                             {"busiest_share", use.busiestShare},
                             {"chain_ns", double(use.pathPs) / kPsPerNs}});
    nlohmann::json document{{"total_ns", simulation.totalNs},
                            {"chain_ns", double(limits.totalPs) / kPsPerNs},
                            {"pieces", limits.path.size()},
                            {"sentence", limits.sentence},
                            {"resources", resources},
                            {"by_work", sharesJson(limits.byLabel)},
                            {"by_unit", sharesJson(limits.byTrack)},
                            {"by_cause", sharesJson(limits.byCause)}};
    if (run.help)
        document["what_if"] = whatIfJson(*run.help);
    return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace pim
