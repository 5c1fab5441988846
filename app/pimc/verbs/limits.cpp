// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What limits the simulated run of a plan: resources by their own capacity, the longest chain of work, and each op under its roofs.
#include "core/compile/run_limits.h"

#include "app/pimc/verbs/limits_output.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_io.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/compiler.h"
#include "core/plan/simulation.h"
#include "core/report/charts.h"
#include "core/report/html_writer.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pim::cli {
namespace {

struct LimitsArguments {
    ModelOptions model;
    TargetOptions target;
    PredictorOption predictor;
    int top = 10;
    bool whatIf = false, roofline = false;
    std::string op, svg;
    std::optional<double> fromNs, toNs;

    bool needsRoofline() const { return roofline || !op.empty() || !svg.empty(); }
};

/// ", 0.98× of 12.1 µs predicted".
std::string predictionText(const Simulation& simulation) {
    return simulation.predictedNs && *simulation.predictedNs > 0
               ? fmt::format(", {} the {} predicted", ratioText(simulation.totalNs / *simulation.predictedNs),
                             timeText(*simulation.predictedNs))
               : std::string();
}

std::string limitsText(const Simulation& simulation, const Limits& limits, bool isStretch, int top) {
    std::string text = fmt::format("{} simulated{}: {}.\n", timeText(simulation.totalNs),
                                   predictionText(simulation), limits.sentence);
    if (isStretch)
        text += fmt::format("Looked at are {} from {} on, and the chain of work in them.\n",
                            timeText(double(limits.totalPs) / kPsInNs),
                            timeText(double(limits.fromPs) / kPsInNs));
    if (simulation.timeline.runNs > 0)
        text += fmt::format("Of the run, {:.0f} ns long, the first {} are looked at.\n",
                            simulation.timeline.runNs, timeText(double(limits.totalPs) / kPsInNs));
    return text + tablesText(limits, top) +
           "\nThe chain is inferred from what ended when the next began; its parts sum to the run.\n";
}

std::string opText(const Plan& plan, const RunLimits& run, OpId id) {
    const Op& op = plan.graph->op(id);
    const Roofline& roofline = *run.roofline;
    const OpUnderRoof* const under = roofline.find(id);
    if (!under)
        return fmt::format("{} ({}) takes no time of its own: {}.\n", op.name, op.type,
                           plan.opPlan(id).reason.empty() ? "nothing is done for it"
                                                          : plan.opPlan(id).reason);
    const auto onPath = run.path.find(static_cast<int>(id.index()));
    std::string text = fmt::format("{} ({}), {} on the {}: {}.\n", op.name, op.type, timeText(under->ns),
                                   under->onHost ? "host" : "machine", sentenceOf(roofline, *under));
    text += fmt::format("It has {} of the longest chain of work.\n",
                        percentOf(onPath == run.path.end() ? 0 : onPath->second, run.limits));
    TextTable table({"Ceiling", ">At most", ">Asked of it", ">Takes at least", ">Of its time"});
    for (std::size_t c = 0; c < roofline.ceilings.size(); ++c)
        if (const Ceiling& ceiling = roofline.ceilings[c]; under->amounts[c] > 0)
            table.add({ceiling.name, rateText(ceiling.perNs, ceiling.isMemory),
                       ceiling.isMemory ? bytesText(under->amounts[c]) : countText(under->amounts[c]) + " op",
                       timeText(roofline.atLeastNs(*under, c)),
                       percentText(roofline.atLeastNs(*under, c) / under->ns)});
    return text + "\n" + table.text();
}

Result<void> run(Session& session, const LimitsArguments& options) {
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_CHECK(options.predictor.apply(session, request.target, request.options));
    PIM_TRY(request.graph, options.model.load(session));
    PIM_TRY(const auto plan, compile(session.backends(), request, nullptr, session.task()));
    session.say(plan->problems);
    PIM_TRY(const Backend* backend, session.backends().find(request.target->backend));
    PIM_TRY(const auto simulation, backend->simulate(*plan, session.task()));
    OpId op;
    if (!options.op.empty()) {
        PIM_TRY(op, findOp(*plan->graph, options.op));
    }
    LimitsQuestion question{options.whatIf, options.needsRoofline(), {}};
    if (options.fromNs || options.toNs)
        question.withinNs = {options.fromNs.value_or(0), options.toNs.value_or(simulation->timeline.endNs)};
    PIM_TRY(const RunLimits limits,
            limitsOfRun(session.backends(), request, *plan, *simulation, question, session.task()));
    if (!options.svg.empty()) {
        const report::Drawing chart = report::underRoofsChart(*plan->graph, *limits.roofline);
        if (chart.marks.empty())
            return fail(ErrorCode::Unsupported, "no op of it computes, so there is no roofline to draw",
                        plan->graph->name, "leave --svg out");
        PIM_CHECK(replaceFile(options.svg, report::svgText(chart)));
        session.say(fmt::format("wrote {}", options.svg));
    }
    if (session.json)
        return session.print(limitsJson(*plan, *simulation, limits, op) + "\n");
    if (op.valid())
        return session.print(opText(*plan, limits, op));
    return session.print(
        limitsText(*simulation, limits.limits, question.withinNs.has_value(), options.top) +
        (options.roofline
             ? rooflineText(
                   *limits.roofline, options.top, [&](OpId id) { return plan->graph->op(id).name; },
                   "--top shows more, --op NAME what sets the time of one")
             : std::string()) +
        (limits.help
             ? whatIfText(*limits.help,
                          "Each was planned again with the same options and decisions, and simulated.")
             : std::string()));
}

} // namespace

Action limitsVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<LimitsArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    verb.add_option("--top", options->top, "Lines of each table")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    verb.add_flag(
        "--what-if", options->whatIf,
        "Simulate with each resource twice as fast, twice as many of it, and as fast as its target may "
        "be, up to a thousand times, and sort by what helps most");
    verb.add_flag("--roofline", options->roofline,
                  "Ceilings of the machine and its host, and every op under them");
    verb.add_option("--op", options->op, "Say what sets the time of this op: name, or part of it");
    verb.add_option("--svg", options->svg, "Write the roofline as a picture")->type_name("FILE");
    verb.add_option("--from", options->fromNs, "Look at the run from this time on, nanoseconds")
        ->type_name("NS");
    verb.add_option("--to", options->toNs, "Look at the run up to this time, nanoseconds")->type_name("NS");
    verb.footer("Examples:\n"
                "  pimc limits sample:resnet50 --target isaac\n"
                "  pimc limits sample:resnet50 --target isaac --what-if\n"
                "  pimc limits sample:resnet50 --target isaac --roofline --svg roofline.svg\n"
                "  pimc limits sample:resnet50 --target isaac --op /layer1.0/conv1/Conv\n"
                "  pimc limits sample:resnet50 --target isaac --from 100000 --to 200000\n"
                "  pimc limits sample:bert-base --target dynaplasia --bind batch=1,seq=128 --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
