// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A network on several machines at once: who runs what, when, and against what else.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/limits_output.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/seed_option.h"
#include "app/pimc/verbs/verbs.h"
#include "backends/host/roofline_host.h"
#include "core/base/file_text.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/compiler.h"
#include "core/compile/system_json.h"
#include "core/execute/parts_network.h"
#include "core/execute/sample_weights.h"
#include "core/timeline/chrome_trace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

struct SystemArguments {
    ModelOptions model;
    std::string system, dtype = "f16";
    std::vector<std::string> placed; ///< "OP=DEVICE"
    std::string overrides, trace;
    bool predicts = false, thorough = false, listsOps = false, lists = false, checks = false;
    bool keepsWhole = false, showsLimits = false;
    std::uint64_t seed = 1;
    std::int64_t states = AssignmentSearch{}.statesAtMost;
    double gapPercent = AssignmentSearch{}.gapAtMost * 100;
    RunFiles files;
};

std::string shareText(double part, double whole) {
    return fmt::format("{:.1f} %", whole > 0 ? part / whole * 100 : 0);
}

std::string systemsText() {
    std::string text;
    for (const std::string& id : systemIds())
        text += id + "\n";
    return text;
}

std::string devicesText(const SystemPlan& plan) {
    TextTable table({"Device", "Target", ">Ops", ">Busy", ">Of the request"});
    for (std::size_t device = 0; device < plan.busyNs.size(); ++device) {
        std::int64_t ops = 0;
        for (std::size_t op = 0; op < plan.problem.ops.size(); ++op)
            if (static_cast<std::size_t>(plan.assignment.device[op]) == device &&
                plan.problem.ops[op].ns[device] > 0)
                ++ops;
        const bool host = device == 0;
        table.add({host ? "host" : plan.system->devices[device - 1].id,
                   host ? plan.system->host->id : plan.system->devices[device - 1].target->id,
                   std::to_string(ops), timeText(plan.busyNs[device]),
                   shareText(plan.busyNs[device], plan.assignment.ns)});
    }
    std::string text = table.text();
    const auto names = linkNames(*plan.system);
    if (!names.empty()) {
        TextTable links({"Link", ">Moved", ">Busy", ">Of the request"});
        for (std::size_t link = 0; link < names.size(); ++link)
            links.add({names[link], bytesText(plan.linkBytes[link]), timeText(plan.linkBusyNs[link]),
                       shareText(plan.linkBusyNs[link], plan.assignment.ns)});
        text += "\n" + links.text();
    }
    return text;
}

std::string alternativesText(const SystemPlan& plan) {
    TextTable table({"Instead", ">A request", ">Against it", ">In a stream", ">Against it", "What it is"});
    std::string problems;
    for (const SystemAlternative& other : plan.alternatives) {
        if (!other.problem.empty()) {
            problems += fmt::format("{}: {}\n", other.id, other.problem);
            continue;
        }
        table.add({other.id, timeText(other.ns), fmt::format("{:.2f}×", other.ns / plan.assignment.ns),
                   timeText(other.streamNs), fmt::format("{:.2f}×", other.streamNs / plan.stream.periodNs),
                   other.meaning});
    }
    return table.text() + (problems.empty() ? "" : "\nNot these:\n" + problems);
}

std::string streamText(const SystemPlan& plan, const RequestStream& stream, double aloneNs) {
    return fmt::format(
        "In a stream of requests, up to {} at once: a result every {}, {:.2f} times as many as one "
        "by one, each within {} of its start; {} is busy for {} of every request.\n",
        stream.atOnce, timeText(stream.periodNs), aloneNs / stream.periodNs, timeText(stream.longestNs),
        nameIn(*plan.system, stream.busiest), timeText(stream.leastNs));
}

std::string headText(const SystemPlan& plan, const std::optional<SystemSimulation>& simulation,
                     double gapAtMost) {
    std::string text = fmt::format("{} on {}: {} predicted", plan.plan->graph->name, plan.system->name,
                                   timeText(plan.assignment.ns));
    if (simulation)
        text += fmt::format(", {} simulated on one clock ({:+.1f} %)", timeText(simulation->ns),
                            (simulation->ns / plan.assignment.ns - 1) * 100);
    double side = -plan.assignment.ns; // what a sum over all would be longer
    for (const AssignmentSpan& span : plan.spans)
        side += span.endNs - span.startNs;
    text += fmt::format("\nFound by {}; {}.\n",
                        plan.foundAs == "search" ? "the search"
                                                 : plan.foundAs + ", which the search did not beat",
                        side < 1 ? "nothing runs side by side"
                                 : fmt::format("{} of work and transfers run side by side", timeText(side)));
    text += fmt::format(
        "With every op at the price its machine has for it in a plan of the whole network, the search "
        "found {}; nothing is below {} (gap {:.2f} %{}).\n",
        timeText(plan.searchedNs), timeText(plan.boundNs), plan.gap() * 100,
        plan.gap() > gapAtMost ? "; some stretches are too wide to finish" : "");
    text += simulation ? streamText(plan, simulation->stream, simulation->ns)
                       : streamText(plan, plan.stream, plan.assignment.ns);
    if (simulation && !simulation->predictedParts.empty())
        text += fmt::format("Not simulated in all parts, so there as predicted: {}.\n",
                            fmt::join(simulation->predictedParts, ", "));
    return text;
}

std::string deviceOf(const SystemPlan& plan, int op) {
    const int device = plan.assignment.device[static_cast<std::size_t>(op)];
    return device == 0 ? "host" : plan.system->devices[static_cast<std::size_t>(device) - 1].id;
}

std::string opsText(const SystemPlan& plan) {
    TextTable table({"Op", "Type", "Device", "Why"});
    for (std::size_t op = 0; op < plan.problem.ops.size(); ++op) {
        const int device = plan.assignment.device[op];
        if (plan.problem.ops[op].ns[static_cast<std::size_t>(device)] == 0)
            continue;
        table.add({plan.plan->graph->ops[op].name, plan.plan->graph->ops[op].type,
                   deviceOf(plan, static_cast<int>(op)), plan.plan->ops[op].reason});
    }
    return table.text();
}

std::string piecesText(const SystemPlan& plan) {
    if (plan.pieces.empty())
        return {};
    TextTable table({"In pieces", ">Output features", "On"});
    for (const OpPieces& op : plan.pieces) {
        const int first = plan.opOf(op.op), count = static_cast<int>(op.features.size());
        std::vector<std::string> devices;
        for (int piece = first; piece < first + count; ++piece)
            devices.push_back(deviceOf(plan, piece));
        table.add({plan.plan->graph->ops[static_cast<std::size_t>(first + count)].name,
                   fmt::format("{}", fmt::join(op.features, " + ")),
                   fmt::format("{}", fmt::join(devices, ", "))});
    }
    return table.text() + "\n";
}

std::string systemText(const SystemPlan& plan, const std::optional<SystemSimulation>& simulation,
                       bool listsOps, double gapAtMost) {
    std::string text = headText(plan, simulation, gapAtMost) + "\n" + devicesText(plan) + "\n" +
                       piecesText(plan) + alternativesText(plan);
    if (listsOps)
        text += "\n" + opsText(plan);
    return text;
}

std::string limitsText(const SystemPlan& plan, const std::optional<SystemSimulation>& simulation) {
    constexpr int kLines = 10;
    const Limits limits = systemLimits(simulation ? simulation->timeline : systemTimeline(plan, plan.spans));
    return fmt::format("\nWhat limits it, {}: {}.\n{}", simulation ? "as simulated" : "as predicted",
                       limits.sentence, tablesText(limits, kLines));
}

/// Those of a file that are about this system; ops that the model does not have are said.
Result<void> readDecisions(SystemSetup& setup, Session& session, const SystemArguments& options) {
    if (options.overrides.empty())
        return {};
    PIM_TRY(const std::string text, inputText(options.overrides, session.task()));
    PIM_TRY(const MarkedOverrides decisions, decisionsFromJson(text, {}, options.overrides));
    const OverrideFit fit = fitToGraph(*setup.graph, decisions);
    for (const FittedDecision& each : fit.decisions)
        if (each.fit != Fit::Applied && isOfSystem(each.decision))
            session.say(fmt::format("{} {}: {}", name(each.fit), each.decision.op, each.reason));
    setup.overrides = fit.ofSystem(setup.system.id);
    return {};
}

Result<void> placeOps(SystemSetup& setup, const SystemArguments& options) {
    for (const std::string& placed : options.placed) {
        const auto equals = placed.rfind('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == placed.size())
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is no OP=DEVICE", placed), "--place");
        PIM_TRY(const OpId op, findOp(*setup.graph, placed.substr(0, equals)));
        setup.overrides.set({setup.graph->op(op).name, std::string(kDeviceField) + setup.system.id,
                             placed.substr(equals + 1)});
    }
    return {};
}

Result<void> run(Session& session, const SystemArguments& options) {
    if (options.lists)
        return session.print(session.json ? jsonDocument(nlohmann::json(systemIds())) : systemsText());
    if (options.model.model.empty() || options.system.empty())
        return fail(ErrorCode::Usage, "a model and --system are needed", {},
                    "pimc system --list prints the systems there are");
    SystemSetup setup;
    PIM_TRY(setup.system, findSystem(options.system, session.catalog()));
    PIM_TRY(setup.graph, options.model.load(session));
    if (!options.checks && !options.files.inputs.empty())
        return fail(ErrorCode::Usage, "nothing is run on numbers", "--input", "give --check as well");
    NumberOptions choices;
    choices.seed = options.seed;
    PIM_CHECK(options.files.read(session, *setup.graph, choices));
    if (options.checks) {
        PIM_TRY(setup.graph, withSampleWeights(setup.graph, options.seed));
    }
    setup.options.computeType = *dataTypeFromName(options.dtype);
    setup.options.verifyDrafts = kVerifiedDrafts;
    setup.thorough = options.thorough;
    setup.statesAtMost = options.states;
    setup.gapAtMost = options.gapPercent / 100;
    setup.simulates = !options.predicts;
    setup.dividesOps = !options.keepsWhole;
    PIM_CHECK(readDecisions(setup, session, options));
    PIM_CHECK(placeOps(setup, options));
    PIM_TRY(const SystemPlan plan, planSystem(session.backends(), RooflineHost(), setup, session.task()));
    session.say(plan.plan->problems);
    std::optional<SystemSimulation> simulation;
    if (!options.predicts) {
        PIM_TRY(simulation, simulateSystem(session.backends(), plan, session.task()));
    }
    if (!options.trace.empty())
        PIM_CHECK(writeChromeTrace(simulation ? simulation->timeline : systemTimeline(plan, plan.spans),
                                   fmt::format("{} on {}", setup.graph->name, setup.system.id),
                                   options.trace));
    std::optional<NumberReport> numbers;
    if (options.checks) {
        PIM_TRY(numbers, checkParts(session.backends(), *plan.plan, choices, session.task()));
        for (const std::string& note : numbers->notes)
            session.say("note: " + note);
    }
    if (session.json) {
        PIM_CHECK(session.print(systemJson(plan, simulation, numbers ? numbers->json : "null")));
    } else {
        PIM_CHECK(session.print(systemText(plan, simulation, options.listsOps, setup.gapAtMost) +
                                (options.showsLimits ? limitsText(plan, simulation) : "") +
                                (numbers ? "\n" + numbers->text : "")));
    }
    if (numbers && numbers->problem)
        return tl::unexpected<Error>(*numbers->problem);
    return {};
}

} // namespace

Action systemVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<SystemArguments>();
    options->model.declare(verb);
    verb.get_option("MODEL")->required(false);
    verb.add_option("-s,--system", options->system, "A system of several machines: its id, or a file")
        ->type_name("ID|FILE");
    verb.add_flag("--list", options->lists, "List the systems that ship with the program");
    verb.add_option("--place", options->placed,
                    "An op on a device of the system, or on host; may be repeated")
        ->type_name("OP=DEVICE");
    verb.add_option("--override", options->overrides,
                    "File of decisions, as the window exports them; - reads standard input")
        ->type_name("FILE");
    verb.add_option("--dtype", options->dtype, "Number type of the host, and of machines that know it")
        ->check(CLI::IsMember({"f16", "bf16", "f32", "i8", "i16", "i32"}))
        ->capture_default_str();
    verb.add_option("--states", options->states,
                    "Partial schedules looked at for one stretch of the network at most")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->capture_default_str();
    verb.add_option("--gap", options->gapPercent,
                    "The search ends within so many per cent of the best there is; 0 looks for the best")
        ->check(CLI::Range(0.0, 100.0))
        ->type_name("PERCENT")
        ->capture_default_str();
    verb.add_flag("--whole", options->keepsWhole, "No operator in pieces on several devices");
    verb.add_flag("--ops", options->listsOps, "List every op with its device and why");
    verb.add_flag(
        "--limits", options->showsLimits,
        "Say what limits the request: machines and links by their own capacity, and the longest chain "
        "of work");
    verb.add_flag("--predict", options->predicts, "Do not simulate");
    verb.add_option("--trace", options->trace,
                    "Write what every machine and link does when, for ui.perfetto.dev or chrome://tracing")
        ->type_name("FILE.json");
    verb.add_flag(
        "--check", options->checks,
        "Run random inputs, or those of --input, through the programs of all machines, what one makes handed "
        "to the next, and compare with the network in float32");
    options->files.declare(verb, false);
    addSeed(verb, "--seed", options->seed, "Of inputs, and of weights that are absent");
    verb.add_flag("--thorough", options->thorough, "Families search mappings as long as pimc compile does");
    verb.footer("Examples:\n"
                "  pimc system --list\n"
                "  pimc system sample:resnet50 --system gpu-hbm-crossbar\n"
                "  pimc system sample:bert-base --system cinm-server --ops --limits\n"
                "  pimc system sample:tiny-gpt --system gpu-hbm-crossbar --check\n"
                "  pimc system sample:resnet50 --system my-board.json --place layer1.0=host --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
