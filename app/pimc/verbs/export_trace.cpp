// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Writes command streams in the formats of public simulators, so that anybody can check them with the original.
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/override_option.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/trace_output.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_io.h"
#include "core/compile/compiler.h"
#include "core/dram_pim/command_trace.h"
#include "core/plan/command_facet.h"
#include "core/plan/trace_facet.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <utility>

namespace pim::cli {
namespace {

/// Of no simulator: what the banks of a machine are told, with the times.
constexpr TraceFormat kCommands{
    "commands", "PIM Studio",
    "CSV, a command of a channel with its tick, first bank, row and column, and what it waited for"};

struct ExportTraceArguments {
    ModelOptions model;
    TargetOptions target;
    PredictorOption predictor;
    OverrideOption decisions;
    std::string op, format, output = "-";
    int channels = 0;
    bool onPim = false, time = false;

    bool toStdout() const { return output == "-"; }
};

Result<void> checkArguments(const Session& session, const ExportTraceArguments& options) {
    if (!options.toStdout())
        return {};
    for (const auto& [given, flag] : {std::pair(session.json, "--json"), std::pair(options.time, "--time")})
        if (given)
            return fail(ErrorCode::Usage,
                        fmt::format("{} needs --output FILE: the trace goes to standard output", flag));
    return {};
}

Result<TraceSummary> writeTraceOf(Session& session, const ExportTraceArguments& options,
                                  const TraceFacet& facet, const TraceRequest& request) {
    if (options.toStdout())
        return facet.write(
            request, [&](std::string_view text) { return session.print(text); }, session.task());
    PIM_TRY(OutputFile out, OutputFile::create(options.output));
    PIM_TRY(TraceSummary summary,
            facet.write(
                request, [&](std::string_view text) { return out.write(text); }, session.task()));
    PIM_CHECK(out.finish());
    return summary;
}

/// The format kCommands.
Result<TraceSummary> writeCommandsOf(Session& session, const ExportTraceArguments& options,
                                     const CommandFacet& facet, const TraceRequest& request) {
    PIM_TRY(const auto trace, facet.trace(*request.plan, request.op, session.task()));
    const std::string text = commandTraceCsv(*trace);
    if (options.toStdout()) {
        PIM_CHECK(session.print(text));
    } else {
        PIM_TRY(OutputFile out, OutputFile::create(options.output));
        PIM_CHECK(out.write(text));
        PIM_CHECK(out.finish());
    }
    TraceSummary summary;
    for (const SequencedCommand& command : trace->commands)
        ++summary.commands[trace->device.commands[std::size_t(command.command)].name];
    summary.lines = std::ssize(trace->commands) + 1;
    summary.channels = 1;
    summary.cycles = trace->timing.ticks;
    summary.ns = trace->timing.ns(trace->timing.ticks);
    summary.engine = trace->controller;
    if (trace->truncated)
        summary.notes.push_back(
            fmt::format("the run has more commands; the first {} are written", CommandTrace::kMost));
    return summary;
}

/// Adds the time that our engine takes for the file, by the rules of the simulator.
Result<void> addTime(Session& session, const ExportTraceArguments& options, const TraceFacet& facet,
                     const TraceRequest& request, TraceSummary& summary) {
    PIM_TRY(const TraceSummary read,
            facet.read(request.format, options.output, request.plan->target.get(), session.task()));
    if (read.commands != summary.commands)
        return fail(ErrorCode::Io, "read back, it has other commands than were written", options.output,
                    "name a file that nothing else writes, or leave --time out");
    summary.cycles = read.cycles;
    summary.ns = read.ns;
    summary.engine = read.engine;
    return {};
}

Result<void> exportTrace(Session& session, const ExportTraceArguments& options) {
    PIM_CHECK(checkArguments(session, options));
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(const Backend* const backend, session.backends().find(request.target->backend));
    const bool isCommands = options.format == kCommands.id;
    if (isCommands && (options.time || options.channels != 0))
        return fail(ErrorCode::Usage,
                    fmt::format("--format {} has the times of one channel, on which the others are alike",
                                kCommands.id),
                    options.time ? "--time" : "--channels", "leave it out");
    const TraceFacet* facet = nullptr;
    const CommandFacet* commands = nullptr;
    const TraceFormat* format = &kCommands;
    if (isCommands) {
        PIM_TRY(commands, commandsOf(*backend));
    } else {
        PIM_TRY(facet, tracesOf(*backend));
        PIM_TRY(format, traceFormat(*backend, options.format));
    }
    if (options.op.empty() && (options.onPim || !format->wholeNetwork))
        return fail(ErrorCode::Usage, fmt::format("the format {} is for one op at a time", format->id), {},
                    "name it with --op; `pimc inspect MODEL --ops` lists them");
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_CHECK(options.predictor.apply(session, request.target, request.options));
    PIM_TRY(request.graph, options.model.load(session));
    TraceRequest trace;
    trace.format = format->id;
    trace.channels = options.channels;
    if (!options.op.empty()) {
        PIM_TRY(trace.op, findOp(*request.graph, options.op));
    }
    TraceTitle title{options.output, std::string(format->id), std::string(format->simulator), "the network",
                     request.target->id};
    if (trace.op.valid())
        title.op = request.graph->op(trace.op).name;
    PIM_TRY(trace.plan,
            options.decisions.plan(session, request, options.onPim ? std::optional(title.op) : std::nullopt));
    Result<TraceSummary> summary = isCommands ? writeCommandsOf(session, options, *commands, trace)
                                              : writeTraceOf(session, options, *facet, trace);
    if (!summary && summary.error().code == ErrorCode::Unsupported && trace.op.valid() && backend->drafts() &&
        trace.plan->opPlan(trace.op).onHost())
        summary.error().hint = "--on-pim places it there, if it can be";
    if (!summary)
        return tl::unexpected<Error>(std::move(summary).error());
    if (options.time)
        PIM_CHECK(addTime(session, options, *facet, trace, *summary));
    if (options.toStdout()) {
        session.say(traceText(title, *summary));
        return {};
    }
    return session.print(session.json ? traceJson(title, *summary) : traceText(title, *summary));
}

} // namespace

Action exportTraceVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<ExportTraceArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    verb.add_option("--op", options->op,
                    "Op whose commands are written: its name, or a part that only it has")
        ->type_name("NAME");
    std::string formats;
    for (const auto& backend : backends.all())
        if (const TraceFacet* const facet = backend->traces())
            for (const TraceFormat& format : facet->formats())
                formats += fmt::format("\n  {}: {}", format.id, format.simulator);
    formats += fmt::format(
        "\n  {}: commands of a channel with their times, of any machine with DRAM commands", kCommands.id);
    verb.add_option("--format", options->format,
                    "Format; if not given, the first one of the machine. There are" + formats)
        ->type_name("F");
    verb.add_option("--output", options->output, "File that is written; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
    verb.add_option("--channels", options->channels,
                    "Channels that are written; 0 is all that work and the simulator has")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N")
        ->capture_default_str();
    verb.add_flag("--on-pim", options->onPim, "Place the op on PIM, whatever the compiler would choose");
    verb.add_flag("--time", options->time,
                  "Also read the file back and time it under the rules of the simulator (import-trace)");
    options->decisions.declare(verb);
    verb.footer(
        "What each format says, and how to run it in the original simulator, is in the help under Exchange.\n"
        "Examples:\n"
        "  pimc export-trace sample:tiny-gpt --target attacc --op /layers.0/attention/MatMul_1 --on-pim "
        "--output a.trace --time\n"
        "  pimc export-trace model.onnx --target hbm-pim --op /fc/Gemm --format pimsimulator --output "
        "fc.trace\n"
        "  pimc export-trace model.onnx --target hbm-pim --op /fc/Gemm --format commands --output fc.csv\n"
        "  pimc export-trace sample:resnet50 --target isaac --output resnet50.csv");
    return [options](Session& session) { return exportTrace(session, *options); };
}

} // namespace pim::cli
