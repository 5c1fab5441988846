// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What limits the simulated run of a plan: resources by their own capacity, and the longest chain of work.
#include "core/compile/run_limits.h"

#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/compiler.h"
#include "core/plan/simulation.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pim::cli {
namespace {

struct LimitsArguments {
    ModelOptions model;
    TargetOptions target;
    int top = 10;
    bool whatIf = false;
};

constexpr double kPsInNs = 1000;

std::string percentOf(std::int64_t ps, const Limits& limits) {
    return fmt::format("{:.1f} %", limits.totalPs > 0 ? 100.0 * double(ps) / double(limits.totalPs) : 0.0);
}

std::string sharesText(const char* head, const std::vector<PathShare>& shares, const Limits& limits,
                       int top) {
    TextTable table({head, ">Of the chain", ">Share"});
    std::int64_t rest = 0;
    for (std::size_t s = 0; s < shares.size(); ++s) {
        if (s >= static_cast<std::size_t>(top)) {
            rest += shares[s].ps;
            continue;
        }
        table.add({shares[s].name.empty() ? "(no name)" : shares[s].name,
                   timeText(double(shares[s].ps) / kPsInNs), percentOf(shares[s].ps, limits)});
    }
    if (rest > 0)
        table.add({fmt::format("{} others", shares.size() - static_cast<std::size_t>(top)),
                   timeText(double(rest) / kPsInNs), percentOf(rest, limits)});
    return "\n" + table.text();
}

std::string limitsText(const Simulation& simulation, const Limits& limits, int top) {
    std::string text = fmt::format("{} simulated: {}.\n", timeText(simulation.totalNs), limits.sentence);
    if (simulation.timeline.runNs > 0)
        text += fmt::format("Of the run, {:.0f} ns long, the first {} are looked at.\n",
                            simulation.timeline.runNs, timeText(double(limits.totalPs) / kPsInNs));
    TextTable table({"Resource", ">Units", ">Busy, of all", "Busiest", ">Busy", ">Of the chain"});
    for (const ResourceUse& use : limits.resources)
        table.add({use.name, std::to_string(use.tracks), fmt::format("{:.1f} %", use.share * 100),
                   use.busiest, fmt::format("{:.1f} %", use.busiestShare * 100),
                   percentOf(use.pathPs, limits)});
    text += "\n" + table.text();
    text += sharesText("Work", limits.byLabel, limits, top);
    text += sharesText("Unit", limits.byTrack, limits, top);
    text += sharesText("Begins after", limits.byCause, limits, top);
    return text + "\nThe chain is inferred from what ended when the next began; its parts sum to the run.\n";
}

std::string gainText(const std::optional<double>& ns, double nowNs) {
    return ns ? fmt::format("{:+.1f} %", 100 * (*ns / nowNs - 1)) : std::string();
}

/// The first of them.
std::string changesText(const std::vector<ChangedValue>& changes) {
    constexpr std::size_t kShown = 2;
    std::string text;
    for (std::size_t c = 0; c < std::min(kShown, changes.size()); ++c)
        text += fmt::format("{}{} {} -> {} {}", text.empty() ? "" : ", ", changes[c].value.pointer,
                            changes[c].now, changes[c].twice, changes[c].unit);
    return changes.size() <= kShown ? text : fmt::format("{}, and {} more", text, changes.size() - kShown);
}

std::string whatIfText(const WhatIf& whatIf) {
    TextTable table({"What if faster", ">Twice", ">Change", ">Fastest", ">Times", ">Change",
                     "Values of the target, and twice as fast"});
    std::string problems;
    for (const WhatIfRow& row : whatIf.rows) {
        table.add({row.resource, row.twiceNs ? timeText(*row.twiceNs) : "",
                   gainText(row.twiceNs, whatIf.totalNs), row.fastestNs ? timeText(*row.fastestNs) : "",
                   row.fastestNs ? fmt::format("{:.0f}", row.fastestFactor) : "",
                   gainText(row.fastestNs, whatIf.totalNs), changesText(row.changes)});
        if (!row.problem.empty())
            problems += fmt::format("{}: {}\n", row.resource, row.problem);
    }
    std::string text = "\n" + table.text() + problems +
                       "Each was planned again with the same options and decisions, and simulated.\n";
    if (whatIf.boundNs)
        text += fmt::format("As it is, no other order of the same work on the same units takes less than {}: "
                            "{} is busy that long.\n",
                            timeText(*whatIf.boundNs), whatIf.boundBy);
    return text;
}

Result<void> run(Session& session, const LimitsArguments& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_TRY(request.graph, options.model.load(session));
    PIM_TRY(const auto plan, compile(session.backends(), request, nullptr, session.task()));
    session.say(plan->problems);
    PIM_TRY(const Backend* backend, session.backends().find(request.target->backend));
    PIM_TRY(const auto simulation, backend->simulate(*plan, session.task()));
    PIM_TRY(const RunLimits limits,
            limitsOfRun(session.backends(), request, *simulation, options.whatIf, session.task()));
    if (session.json)
        return session.print(limitsJson(*simulation, limits) + "\n");
    return session.print(limitsText(*simulation, limits.limits, options.top) +
                         (limits.help ? whatIfText(*limits.help) : std::string()));
}

} // namespace

Action limitsVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<LimitsArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    verb.add_option("--top", options->top, "Lines of each table")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    verb.add_flag("--what-if", options->whatIf,
                  "Simulate with each resource twice as fast and as fast as its target may be, up to a "
                  "thousand times, and sort by what helps most");
    verb.footer("Examples:\n"
                "  pimc limits sample:resnet50 --target isaac\n"
                "  pimc limits sample:resnet50 --target isaac --what-if\n"
                "  pimc limits sample:bert-base --target dynaplasia --bind batch=1,seq=128 --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
