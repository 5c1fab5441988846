// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/run_limits.h"

#include "core/plan/report_facet.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

constexpr double kPsPerNs = 1000;

nlohmann::json sharesJson(const std::vector<PathShare>& shares) {
    nlohmann::json json = nlohmann::json::array();
    for (const PathShare& share : shares)
        json.push_back({{"name", share.name}, {"ns", double(share.ps) / kPsPerNs}});
    return json;
}

nlohmann::json chainJson(const Limits& limits) {
    nlohmann::json resources = nlohmann::json::array();
    for (const ResourceUse& use : limits.resources)
        resources.push_back({{"name", use.name},
                             {"units", use.tracks},
                             {"share", use.share},
                             {"busiest", use.busiest},
                             {"busiest_share", use.busiestShare},
                             {"chain_ns", double(use.pathPs) / kPsPerNs}});
    return {{"from_ns", double(limits.fromPs) / kPsPerNs},
            {"chain_ns", double(limits.totalPs) / kPsPerNs},
            {"pieces", limits.path.size()},
            {"sentence", limits.sentence},
            {"resources", resources},
            {"by_work", sharesJson(limits.byLabel)},
            {"by_unit", sharesJson(limits.byTrack)},
            {"by_cause", sharesJson(limits.byCause)}};
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
                        {"twice_as", name(row.way)},
                        {"changes", changes},
                        {"twice_ns", orNull(row.twiceNs)},
                        {"fastest_factor", row.fastestFactor},
                        {"fastest_ns", orNull(row.fastestNs)},
                        {"problem", row.problem}});
    }
    return {{"bound_ns", orNull(whatIf.boundNs)}, {"bound_by", whatIf.boundBy}, {"rows", rows}};
}

nlohmann::json ceilingsJson(const Roofline& roofline) {
    nlohmann::json ceilings = nlohmann::json::array();
    for (const Ceiling& ceiling : roofline.ceilings)
        ceilings.push_back({{"name", ceiling.name},
                            {"kind", ceiling.isMemory ? "memory" : "arithmetic"},
                            {"of_host", ceiling.ofHost},
                            {"per_ns", ceiling.perNs},
                            {"because", ceiling.because}});
    return ceilings;
}

nlohmann::json opJson(const Plan& plan, const Roofline& roofline, const OpUnderRoof& op,
                      const RunLimits& run) {
    const Op& of = plan.graph->op(op.op);
    const auto named = [&](int ceiling) {
        return ceiling < 0 ? nlohmann::json(nullptr)
                           : nlohmann::json(roofline.ceilings[static_cast<std::size_t>(ceiling)].name);
    };
    const double intensity = roofline.intensityOf(op);
    nlohmann::json amounts = nlohmann::json::object();
    for (std::size_t c = 0; c < roofline.ceilings.size(); ++c)
        if (op.amounts[c] > 0)
            amounts[roofline.ceilings[c].name] = op.amounts[c];
    const auto onPath = run.path.find(static_cast<int>(op.op.index()));
    return {{"name", of.name},
            {"type", of.type},
            {"on_host", op.onHost},
            {"ns", op.ns},
            {"operations", op.operations},
            {"operations_per_ns", Roofline::speedOf(op)},
            {"roof_per_ns", roofline.roofOf(op)},
            {"share_of_roof", roofline.shareOfRoof(op)},
            {"set_by", named(roofline.lowestRoof(op))},
            {"memory", named(roofline.memoryOf(op))},
            {"operations_per_byte", std::isfinite(intensity) ? nlohmann::json(intensity) : nullptr},
            {"amounts", amounts},
            {"chain_ns", onPath == run.path.end() ? 0 : double(onPath->second) / kPsPerNs},
            {"sentence", sentenceOf(roofline, op)}};
}

Result<Roofline> rooflineOf(const BackendList& backends, const Plan& plan, const Simulation& simulation) {
    PIM_TRY(const Backend* const backend, backends.find(plan.target->backend));
    const ReportFacet* const facet = backend->reportSections();
    if (!facet)
        return fail(ErrorCode::Unsupported,
                    fmt::format("nothing is known of what {} can do at most", backend->machines()),
                    plan.target->id, "leave the roofline out");
    return facet->roofline(plan, simulation);
}

} // namespace

Result<RunLimits> limitsOfRun(const BackendList& backends, const PlanRequest& request, const Plan& plan,
                              const Simulation& simulation, const LimitsQuestion& question,
                              const TaskContext& task) {
    if (simulation.timeline.spans.empty())
        return fail(ErrorCode::Unsupported,
                    "its simulation shows nothing in time: all of the network is on the host",
                    request.target->id, "choose another target or number type; `pimc which` compares them");
    RunLimits run;
    run.limits = limitsOf(simulation.timeline);
    if (question.withinNs) {
        const auto [from, to] = *question.withinNs;
        const double endNs = double(run.limits.totalPs) / kPsPerNs;
        if (!(from >= 0 && from < to && from < endNs))
            return fail(ErrorCode::Usage,
                        fmt::format("from {:g} to {:g} ns is no stretch of the run, which takes {:.0f} ns",
                                    from, to, endNs),
                        {}, "begin inside of the run and end later");
        run.limits = limitsWithin(simulation.timeline, run.limits, from, to);
    }
    run.path = pathByOp(simulation.timeline, run.limits);
    if (question.roofline) {
        PIM_TRY(run.roofline, rooflineOf(backends, plan, simulation));
    }
    if (question.whatHelps) {
        PIM_TRY(run.help, whatIf(backends, request, simulation, task));
    }
    return run;
}

std::vector<const OpUnderRoof*> byTime(const Roofline& roofline) {
    std::vector<const OpUnderRoof*> ops;
    for (const OpUnderRoof& op : roofline.ops)
        ops.push_back(&op);
    std::ranges::stable_sort(ops, std::greater(), &OpUnderRoof::ns);
    return ops;
}

std::string limitsJson(const Limits& limits) {
    return chainJson(limits).dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string limitsJson(const Plan& plan, const Simulation& simulation, const RunLimits& run, OpId only) {
    nlohmann::json document = chainJson(run.limits);
    document["total_ns"] = simulation.totalNs;
    document["predicted_ns"] =
        simulation.predictedNs ? nlohmann::json(*simulation.predictedNs) : nlohmann::json(nullptr);
    if (run.help)
        document["what_if"] = whatIfJson(*run.help);
    if (run.roofline) {
        nlohmann::json ops = nlohmann::json::array();
        for (const OpUnderRoof& op : run.roofline->ops)
            if (!only.valid() || op.op == only)
                ops.push_back(opJson(plan, *run.roofline, op, run));
        document["roofline"] = {{"ceilings", ceilingsJson(*run.roofline)}, {"ops", ops}};
    }
    return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace pim
