// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_text.h"
#include "core/compile/override_fit.h"
#include "core/plan/draft_facet.h"

#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/predictions.h"
#include "core/compile/simulation_json.h"
#include "core/compile/what_if.h"
#include "core/project/project.h"
#include "core/report/bundle.h"
#include "core/report/report.h"
#include "core/timeline/chrome_trace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pim::cli {
namespace {

struct CompileArguments {
    ModelOptions model;
    TargetOptions target;
    PredictorOption predictor;
    std::string project, variant = "main", label, overrides;
    std::string bundle, html, pdf, trace;
    std::int64_t top = 20;
    bool simulate = false, whatIf = false, skipStale = false;
};

/// Overrides of the project's variant, changed by --override.
Result<MarkedOverrides> decisions(Session& session, const CompileArguments& options, const Project* project) {
    MarkedOverrides base;
    if (project) {
        PIM_TRY(const auto variants, project->variants());
        for (const VariantInfo& variant : variants)
            if (variant.name == options.variant)
                base.overrides = variant.overrides;
        PIM_TRY(const auto state, project->decisions());
        if (state)
            base.marks = state->marks;
    }
    if (options.overrides.empty())
        return base;
    PIM_TRY(const std::string text, inputText(options.overrides, session.task()));
    return decisionsFromJson(text, base, options.overrides);
}

std::string decisionName(const Override& decision) {
    return fmt::format("{}/{}", decision.op.empty() ? "network" : decision.op, decision.field);
}

/// Says what moved and what does not fit. \returns an error for the latter unless they may be left out.
Result<void> tellFit(Session& session, const OverrideFit& fit, bool skipStale) {
    const auto moved = fit.count(Fit::Moved), stale = fit.count(Fit::Stale);
    if (moved + stale == 0)
        return {};
    session.say(
        fmt::format("decisions: {} applied, {} moved, {} stale", fit.count(Fit::Applied), moved, stale));
    const FittedDecision* first = nullptr;
    for (const FittedDecision& each : fit.decisions) {
        if (each.fit == Fit::Applied)
            continue;
        session.say(fmt::format("  {} {} = {}: {}", name(each.fit), decisionName(each.decision),
                                each.decision.value, each.reason));
        if (each.fit == Fit::Stale && !first)
            first = &each;
    }
    if (!first || skipStale)
        return {};
    return fail(ErrorCode::IllegalOverride, first->reason, decisionName(first->decision),
                "remove the decisions that are stale, or compile without them by --skip-stale");
}

/// The best drafts that the project knows; what is found without one is forgotten.
Result<std::shared_ptr<DraftTable>> tableOf(Session& session, const Project* project) {
    if (!project)
        return std::make_shared<DraftTable>();
    PIM_TRY(StoredDrafts stored, project->knownDrafts());
    session.say(stored.problems(project->file()));
    return std::make_shared<DraftTable>(std::move(stored.drafts));
}

/// Ops on PIM whose draft the table knew.
std::int64_t knownOps(const Plan& plan) {
    return std::ranges::count_if(
        plan.ops, [](const OpPlan& op) { return !op.onHost() && op.draftCheck && op.draftCheck->wasKnown; });
}

/// All drafts of every distinct kernel, for the project to keep. Equal kernels are searched once.
Result<std::vector<std::shared_ptr<const Exploration>>>
explorations(Session& session, const PlanRequest& request, const Plan& plan) {
    std::vector<std::shared_ptr<const Exploration>> all;
    std::set<std::string> seen;
    PIM_TRY(const Backend* backend, session.backends().find(plan.target->backend));
    for (const OpPlan& op : plan.ops) {
        if (op.onHost() || !op.space || !seen.insert(op.space->kernel().text()).second)
            continue;
        PIM_TRY(const DraftFacet* drafts, draftsOf(*backend, request.graph->op(op.op).name));
        PIM_TRY(auto exploration, drafts->explore(request, op.op, session.task()));
        all.push_back(std::move(exploration));
    }
    return all;
}

std::string partsText(const CostSplit& cost) {
    std::string text;
    for (const CostPartInfo& part : kCostSplitParts)
        if (cost.*part.ns > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.label, timeText(cost.*part.ns));
    return text;
}

std::string baselinesText(const Plan& plan) {
    std::string text;
    for (const Baseline& baseline : plan.baselines)
        text += fmt::format("{:<10} {} with {}: this plan is {} as fast\n", text.empty() ? "baselines" : "",
                            timeText(baseline.totalNs), baseline.name, ratioText(plan.speedupOver(baseline)));
    if (plan.detail) {
        std::string figures;
        for (const auto& [what, value] : plan.detail->figures())
            figures +=
                fmt::format("{}{} {}", figures.empty() ? "" : ", ", what,
                            what.ends_with("_share") ? percentText(value) : fmt::format("{:.10g}", value));
        text += fmt::format("{:<10} {}\n", plan.detail->kind(), figures);
    }
    return text;
}

/// How the drafts in force were checked; empty if they were taken as ranked.
std::string draftsText(const Plan& plan) {
    std::int64_t verified = 0, onPim = 0;
    const OpPlan* worst = nullptr;
    for (const OpPlan& op : plan.ops) {
        if (op.onHost() || !op.draftCheck)
            continue;
        ++onPim;
        verified += op.draftCheck->simulated > 0;
        if (op.draftCheck->lossAtMost &&
            (!worst || *op.draftCheck->lossAtMost > *worst->draftCheck->lossAtMost))
            worst = &op;
    }
    if (verified == 0)
        return {};
    const std::int64_t known = knownOps(plan);
    return fmt::format(
        "drafts     {} of {} op{}: the fastest of those simulated{}{}\n", verified, onPim,
        onPim == 1 ? "" : "s",
        known > 0 ? fmt::format(", {} of them from the project's table", known) : std::string(),
        worst ? fmt::format("; {} or less from the optimum, most for {}",
                            percentText(*worst->draftCheck->lossAtMost), plan.graph->op(worst->op).name)
              : std::string());
}

std::string summary(const Plan& plan, const Simulation* simulation, std::int64_t top) {
    const CostSplit& t = plan.total;
    const TotalTime total = totalTime(plan, simulation);
    const std::string beside =
        total.predictedNs ? fmt::format(", {} the {} predicted", ratioText(total.ns / *total.predictedNs),
                                        timeText(*total.predictedNs))
                          : std::string();
    const auto first = plan.firstSampleNs();
    const auto onPim =
        std::count_if(plan.ops.begin(), plan.ops.end(), [](const OpPlan& op) { return !op.onHost(); });
    std::string text = fmt::format(
        "{}: {} op{}, {} on PIM\ntarget {}: {}; host {}\n\n"
        "total      {} ({}{}){}\nhost only  {}\n{}"
        "parts      {}\n{}{}\n",
        plan.graph->source.path.string(), plan.ops.size(), plan.ops.size() == 1 ? "" : "s", onPim,
        plan.target->id, plan.target->name, plan.target->host.id, timeText(total.ns), name(total.origin),
        beside,
        first ? fmt::format(" from one sample to the next, the first after {}", timeText(*first)) : "",
        plan.hostOnlyNs > 0 && total.ns > 0
            ? fmt::format("{}, so PIM is {} as fast", timeText(plan.hostOnlyNs),
                          ratioText(plan.hostOnlyNs / total.ns))
            : "not known",
        baselinesText(plan), partsText(t), draftsText(plan),
        plan.residentLoadNs > 0
            ? fmt::format("load once  {} of resident tensors in {}\n",
                          bytesText(static_cast<double>(plan.residentBytes)), timeText(plan.residentLoadNs))
            : std::string());

    // Layers that repeat are one line: same work, same decision, same time.
    struct Group {
        const OpPlan* first = nullptr;
        std::int64_t count = 0;
        double ns() const { return static_cast<double>(count) * first->cost.totalNs(); }
    };
    std::map<std::tuple<std::string, DeviceId, double, double, std::string>, Group> byKind;
    for (const OpPlan& op : plan.ops) {
        Group& group =
            byKind[{plan.graph->op(op.op).type, op.placement, op.cost.totalNs(), op.hostNs, op.reason}];
        if (group.count++ == 0)
            group.first = &op;
    }
    std::vector<Group> groups;
    for (const auto& [kind, group] : byKind)
        groups.push_back(group);
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
        return a.ns() != b.ns() ? a.ns() > b.ns() : a.first->op < b.first->op;
    });
    const std::size_t shown =
        std::min(groups.size(), static_cast<std::size_t>(std::max<std::int64_t>(top, 0)));
    TextTable table({">ops", "type", "on", ">time each", ">on host", ">share", "first", "reason"});
    std::int64_t hidden = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i >= shown) {
            hidden += groups[i].count;
            continue;
        }
        const OpPlan& op = *groups[i].first;
        const Op& node = plan.graph->op(op.op);
        table.add({std::to_string(groups[i].count), node.type, name(op.placement),
                   timeText(op.cost.totalNs()), op.hostKnown ? timeText(op.hostNs) : "unknown",
                   percentText(t.totalNs() > 0 ? groups[i].ns() / t.totalNs() : 0), node.name, op.reason});
    }
    text += table.text();
    if (hidden > 0)
        text += fmt::format("… and {} faster ops; --top N shows more, --json all\n", hidden);
    return text;
}

std::string bindingsText(const Graph& graph) {
    std::string text;
    for (const DimBinding& binding : graph.bindings)
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", binding.symbol, binding.value);
    return text;
}

std::string fitJson(const OverrideFit& fit) {
    auto told = nlohmann::ordered_json::array();
    for (const FittedDecision& each : fit.decisions)
        told.push_back({{"op", each.decision.op},
                        {"field", each.decision.field},
                        {"value", each.decision.value},
                        {"state", name(each.fit)},
                        {"reason", each.reason}});
    return told.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Slowest first; layers that repeat are one line, as in the table of the plan.
std::string simulationText(const Simulation& simulation, const Plan& plan, std::int64_t top) {
    std::string text = "\nsimulation " + simulation.summary + "\n";
    if (simulation.energyPj)
        text += fmt::format("energy     {}; {}\n", energyText(*simulation.energyPj), simulation.energyNote);
    std::map<std::tuple<std::string, double, double>, std::pair<const SimulatedOp*, std::int64_t>> byKind;
    for (const SimulatedOp& op : simulation.ops)
        if (op.timing) {
            auto& [first, count] =
                byKind[{plan.graph->op(op.op).type, op.cost.totalNs(), op.predicted.totalNs()}];
            first = count++ == 0 ? &op : first;
        }
    std::vector<std::pair<const SimulatedOp*, std::int64_t>> groups;
    for (const auto& [kind, group] : byKind)
        groups.push_back(group);
    std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
        return static_cast<double>(a.second) * a.first->cost.totalNs() >
               static_cast<double>(b.second) * b.first->cost.totalNs();
    });
    groups.resize(std::min(groups.size(), static_cast<std::size_t>(std::max<std::int64_t>(top, 0))));
    TextTable table(
        {">ops", "first", ">simulated", ">predicted", ">off", ">input", ">compute", ">output", ">refresh"});
    for (const auto& [op, count] : groups)
        table.add(
            {std::to_string(count), plan.graph->op(op->op).name, timeText(op->cost.totalNs()),
             timeText(op->predicted.totalNs()),
             percentText(op->predicted.totalNs() > 0 ? op->cost.totalNs() / op->predicted.totalNs() - 1 : 0),
             timeText(op->cost.inputNs), timeText(op->cost.computeNs), timeText(op->cost.outputNs),
             percentText(op->timing->ticks > 0 ? double(op->timing->refreshTicks) / double(op->timing->ticks)
                                               : 0)});
    return groups.empty() ? text : text + "\n" + table.text();
}

Result<void> run(Session& session, const CompileArguments& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PIM_TRY(const auto target, options.target.find(session, argument.target));
    PlanRequest request;
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_CHECK(options.predictor.apply(session, target, request.options));
    std::unique_ptr<Project> project;
    const auto openProject = [&]() -> Result<void> {
        PIM_TRY(project, Project::open(options.project));
        session.say(project->problems());
        return {};
    };
    if (!options.project.empty() && std::filesystem::exists(options.project))
        PIM_CHECK(openProject());
    PIM_TRY(const MarkedOverrides decided, decisions(session, options, project.get()));
    PIM_TRY(const auto known, tableOf(session, project.get()));
    PlanCache cache(known);

    const auto start = std::chrono::steady_clock::now();
    PIM_TRY(request.graph, options.model.load(session));
    request.target = target;
    PIM_TRY(const FittedPlan fitted,
            compileFitting(session.backends(), request, decided, &cache, session.task()));
    PIM_CHECK(tellFit(session, fitted.fit, options.skipStale));
    const auto plan = fitted.plan;
    request.overrides = plan->overrides;
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    session.say(plan->problems);
    if (known->refused() > 0)
        session.say(fmt::format(
            "warning: {} best drafts in {} cannot be what a search found: they were looked for again",
            known->refused(), options.project));

    PIM_TRY(const Backend* backend, session.backends().find(target->backend));
    ReportInput report{plan, backend, {}, 0, options.project, bindingsText(*plan->graph), request.options,
                       {},   {}};
    if (options.simulate || options.whatIf || !options.trace.empty()) {
        PIM_TRY(report.simulation, backend->simulate(*plan, session.task()));
    }
    if (options.whatIf && options.html.empty() && options.pdf.empty())
        return fail(ErrorCode::Usage, "there is no report that could say what would help", "--what-if",
                    "add --report FILE.html, or ask `pimc limits --what-if`");
    if (options.whatIf) {
        PIM_TRY(WhatIf help, whatIf(session.backends(), request, *report.simulation, session.task()));
        report.help = std::make_shared<const WhatIf>(std::move(help));
    }
    if (!options.trace.empty())
        PIM_CHECK(writeChromeTrace(report.simulation->timeline,
                                   fmt::format("{} on {}", plan->graph->name, target->id), options.trace));
    if (!project &&
        !options.project.empty()) // a new one only now: a compile that fails leaves no file behind
        PIM_CHECK(openProject());
    if (project) {
        RunContext context{options.variant, options.label, request.options, elapsed.count(), {}};
        PIM_TRY(context.explorations, explorations(session, request, *plan));
        if (!options.overrides.empty())
            PIM_CHECK(project->saveVariant(options.variant, decided.overrides));
        PIM_TRY(report.runId, project->recordRun(*plan, context));
        PIM_CHECK(project->storeKnownDrafts(known->found()));
        session.say(fmt::format("stored as run {} of {}", report.runId, options.project));
    }
    if (!options.bundle.empty()) {
        PIM_CHECK(writeBundle(session.backends(), *plan, request.options, options.bundle, session.task()));
        session.say("bundle written to " + options.bundle);
    }
    if (project && !(options.html.empty() && options.pdf.empty())) {
        PIM_TRY(report.runs, project->runs());
    }
    if (!options.html.empty())
        PIM_CHECK(writeHtmlReport(report, options.html));
    if (!options.pdf.empty())
        PIM_CHECK(writePdfReport(report, options.pdf));

    if (!session.json)
        return session.print(
            summary(*plan, report.simulation.get(), options.top) +
            (report.simulation ? simulationText(*report.simulation, *plan, options.top) : ""));
    JsonMembers told{{"run", project ? std::to_string(report.runId) : "null"},
                     {"known_drafts", fmt::format("{{\"ops\": {}, \"found\": {}}}", knownOps(*plan),
                                                  project ? std::ssize(known->found()) : 0)}};
    if (!fitted.fit.decisions.empty())
        told.emplace_back("decisions", fitJson(fitted.fit));
    if (report.simulation) {
        told.emplace_back("simulated_ns", fmt::format("{}", report.simulation->totalNs));
        told.emplace_back("simulation", simulationJson(*report.simulation, *plan));
    }
    return session.print(planJson(*plan, told));
}

} // namespace

Action compileVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<CompileArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    verb.add_option("--project", options->project, "Store the run in this project; made if there is none")
        ->type_name("FILE.pimproj");
    verb.add_option("--variant", options->variant, "Variant of the project: its overrides apply")
        ->capture_default_str()
        ->type_name("NAME");
    verb.add_option("--label", options->label, "Name of the run, for the list of runs")->type_name("TEXT");
    verb.add_option("--override", options->overrides,
                    "Your decisions: a JSON document or JSON Patch; - is stdin. Reports which were applied, "
                    "moved with "
                    "their op, or are stale")
        ->type_name("FILE");
    verb.add_flag(
        "--skip-stale", options->skipStale,
        "Compile without decisions that do not fit the model or the target any more, instead of failing");
    verb.add_option("-o,--out", options->bundle, "Write the compiled bundle to this folder")
        ->type_name("FOLDER");
    verb.add_option("--report", options->html, "Write the report as one HTML file")->type_name("FILE.html");
    verb.add_option("--pdf", options->pdf, "Write the report as PDF")->type_name("FILE.pdf");
    verb.add_flag("--simulate", options->simulate,
                  "Also run the compiled code on the simulator of the target, where there is one");
    verb.add_flag(
        "--what-if", options->whatIf,
        "Simulate, and let the report say what a resource twice as fast, or twice as many, would help; "
        "`pimc limits --what-if` prints it");
    verb.add_option("--trace", options->trace,
                    "Simulate, and write what every unit does when, for ui.perfetto.dev or chrome://tracing")
        ->type_name("FILE.json");
    verb.add_option("--top", options->top, "Lines of the table of ops, most time first")
        ->capture_default_str()
        ->type_name("N");
    verb.footer("Examples:\n"
                "  pimc compile resnet50.onnx --target attacc\n"
                "  pimc compile sample:gpt3-13b-decode --report gpt.html -o bundle\n"
                "  pimc compile model.onnx --target aim --bind batch=1,past=512 --project p.pimproj --json\n"
                "  echo '{\"ops\": {\"/fc/Gemm\": {\"placement\": \"host\"}}}' |\n"
                "      pimc compile sample:resnet50 --override -");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
