// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A program down the levels of CINM: its text at any of them, what the products cost, the same numbers everywhere.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/cinm/verbs.h"
#include "app/pimc/verbs/limits_output.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/seed_option.h"
#include "backends/cinm/flow.h"
#include "backends/cinm/tile_limits.h"
#include "core/base/file_text.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/execute/sample_weights.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/from_graph.h"
#include "core/ir/outline.h"
#include "core/ir/parse.h"
#include "core/numeric/real_run.h"
#include "core/timeline/chrome_trace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

struct CinmArguments {
    ModelOptions model; ///< A model, a text that ends in .mlir, or the name of a benchmark.
    cinm::FlowOptions flow;
    std::string emit, goal = "time", elements = "f32", dpus = "upmem-4", host, schedule = "asap",
                      spread = "search", order = "search", rows = "search", trace;
    int unroll = 0;
    std::vector<std::string> pins, also;
    bool run = false, small = false, plain = false, time = false, loops = false, whatIf = false,
         roofline = false, ownPorts = false;
    std::uint64_t seed = 1;
};

/// What the flow starts from, and the numbers it can be run on.
struct Start {
    ir::Module module;
    std::shared_ptr<const Graph> graph; ///< Of a model.
    std::vector<ir::Array> arguments, expected;
    ir::InterpreterOptions interpreter;
    std::string whyNotRun; ///< Not empty: it cannot run.
    std::vector<bool> constantArguments;
};

Result<Start> startBenchmark(const ir::Benchmark& benchmark, const CinmArguments& options) {
    const Shape& sizes = benchmark.sizes(options.small ? ir::BenchmarkSize::Small : ir::BenchmarkSize::Paper);
    Start start;
    start.module = ir::build(benchmark, sizes);
    if (options.run) {
        start.arguments = ir::sampleArguments(benchmark, sizes, options.seed);
        start.expected = ir::expectedResults(benchmark, sizes, start.arguments);
    }
    return start;
}

Result<Start> startText(Session& session, const CinmArguments& options) {
    const std::string& file = options.model.model;
    PIM_TRY(const std::string text, inputText(file, session.task()));
    auto parsed = ir::parse(text, file == "-" ? "stdin" : file);
    if (!parsed) {
        session.complain(ir::excerpt(text, parsed.error()));
        return tl::unexpected<Error>(std::move(parsed).error());
    }
    Start start;
    start.module = std::move(parsed->module);
    if (!start.module.function("main").valid())
        start.whyNotRun = "there is no function 'main'";
    else if (options.run) {
        PIM_CHECK(cinm::checkMemory(start.module));
        start.arguments = cinm::sampleArguments(start.module, options.seed);
    }
    return start;
}

Result<Start> startModel(Session& session, const CinmArguments& options) {
    const auto elements = ir::scalarFromName(options.elements);
    PIM_TRY(std::shared_ptr<const Graph> graph, options.model.load(session));
    if (options.run) {
        PIM_TRY(graph, withSampleWeights(graph, options.seed));
    }
    PIM_TRY(ir::ProgramOfGraph program, ir::fromGraph(graph, *elements));
    Start start;
    start.graph = graph;
    start.interpreter = ir::onHost(*graph, session.task());
    for (const TensorId argument : program.arguments)
        start.constantArguments.push_back(graph->tensor(argument).isConstant());
    if (!ir::isFloat(*elements)) {
        start.whyNotRun = "nobody chose scales for its integers";
    } else if (options.run) {
        PIM_TRY(const std::vector<Value> inputs, sampleInputs(*graph, options.seed));
        PIM_TRY(start.arguments, ir::argumentsOf(program, inputs));
        PIM_TRY(const std::vector<Value> outputs, runReal(*graph, inputs, {}, 0, session.task()));
        for (const Value& output : outputs) {
            PIM_TRY(ir::Array array, ir::arrayOf(output));
            start.expected.push_back(std::move(array));
        }
    }
    start.module = std::move(program.module);
    return start;
}

Result<Start> startOf(Session& session, const CinmArguments& options) {
    const std::string& input = options.model.model;
    if (const ir::Benchmark* benchmark = ir::findBenchmark(input))
        return startBenchmark(*benchmark, options);
    if (input == "-" || input.ends_with(".mlir"))
        return startText(session, options);
    return startModel(session, options);
}

std::string levelsText(const cinm::Flow& flow) {
    TextTable table({"Level", ">Ops", ">Lines", ">Bytes", ">Time"});
    for (const ir::Level& level : flow.levels)
        table.add({level.name, fmt::format("{}", level.module->size()),
                   fmt::format("{}", level.printed.lineCount),
                   bytesText(static_cast<double>(level.printed.text.size())),
                   fmt::format("{:.1f} ms", level.milliseconds)});
    return table.text();
}

std::string costText(const memristor::TileCost& cost) {
    return fmt::format("{}, {}, {}", timeText(cost.ns), energyText(cost.pj),
                       cost.lifetimeYears ? fmt::format("cells last {:.3g} years of it", *cost.lifetimeYears)
                                          : std::string("nothing is written"));
}

std::string nsText(const std::optional<double>& ns, std::int64_t times = 1) {
    return ns ? timeText(*ns * static_cast<double>(times)) : "unknown";
}

/// Ops that share a reason to stay on the host are counted, not listed.
std::string opsText(const cinm::Flow& flow) {
    const bool tilesAlone = flow.options.target == "memristor" && flow.options.pins.empty();
    TextTable table =
        tilesAlone ? TextTable({"Op", "Work", ">Runs", "Mapping", ">Tile writes", ">Usual order", ">Time"})
                   : TextTable({"Op", "Work", ">Runs", "On", "Mapping", ">Time", "Why"});
    std::map<std::string, int> onHost;
    int listed = 0;
    for (const cinm::PlacedOp& op : flow.ops) {
        if (op.machine == cinm::Machine::Host && tilesAlone) {
            ++onHost[op.reason];
            continue;
        }
        ++listed;
        std::vector<std::string> row{op.name, op.work, fmt::format("{}", op.times)};
        if (tilesAlone)
            row.insert(row.end(),
                       {op.mapping(), fmt::format("{}", op.tiles->choice.counts.tileWrites * op.times),
                        fmt::format("{}", op.tiles->baseline.tileWrites * op.times),
                        nsText(op.ns(), op.times)});
        else
            row.insert(row.end(), {op.machineText(), op.mapping(), nsText(op.ns(), op.times), op.reason});
        table.add(row);
    }
    std::string text = listed > 0 ? "\n" + table.text() : "";
    for (const auto& [reason, count] : onHost)
        text += fmt::format("\n{} products stay on the host: {}.\n", count, reason);
    if (flow.ops.empty())
        text += flow.options.target == "memristor" ? "\nThere is no product of matrices in it.\n"
                                                   : "\nThere is nothing in it that a machine could do.\n";
    return text;
}

std::string totalsText(const cinm::Flow& flow) {
    const cinm::FlowOptions& options = flow.options;
    std::string text;
    if (flow.total.products > 0)
        text += fmt::format(
            "\nOn {} tiles of {} x {}: {} tile writes (usual order {}), {} products, {} merges; {}.\n"
            "In the usual order: {}.\nCounted as numbers of 8 bits, as the Open CIM Compiler does; times of "
            "ops count "
            "all bits.\n",
            options.tiles, options.size, options.size, flow.total.tileWrites, flow.baseline.tileWrites,
            flow.total.products, flow.total.merges, costText(flow.cost), costText(flow.baselineCost));
    std::string parts;
    const auto add = [&](cinm::Machine machine, double ns) {
        if (ns > 0)
            parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", cinm::name(machine), timeText(ns));
    };
    add(cinm::Machine::Tiles, flow.tilesNs);
    add(cinm::Machine::Dpus, flow.dpusNs);
    add(cinm::Machine::Other, flow.othersNs);
    add(cinm::Machine::Host, flow.hostNs);
    if (!parts.empty())
        text +=
            fmt::format("\nOne op after the other: {} ({}){}.\n",
                        timeText(flow.tilesNs + flow.dpusNs + flow.othersNs + flow.hostNs), parts,
                        flow.timeUnknown > 0 ? fmt::format("; {} ops whose time is unknown", flow.timeUnknown)
                                             : std::string());
    return text;
}

/// What each op became on the level of its machine.
std::string loopsText(const cinm::Flow& flow) {
    std::string text;
    for (const cinm::PlacedOp& op : flow.ops) {
        if (op.machine != cinm::Machine::Tiles && op.machine != cinm::Machine::Dpus)
            continue;
        text += fmt::format("\n{}, {}:\n{}", op.name, op.work,
                            ir::text(ir::outline(*flow.levels[1].module, op.op)));
        if (op.machine == cinm::Machine::Tiles)
            text += op.tiles->writes + "\n";
    }
    return text;
}

std::string tileTimeText(const memristor::TileRun& run) {
    TextTable table({"Tile", ">Writes", ">Products", ">Write time", ">Rows in", ">Results out", ">Idle"});
    constexpr std::size_t kMostRows = 32;
    for (std::size_t t = 0; t < std::min(run.tiles.size(), kMostRows); ++t) {
        const memristor::TileTime& tile = run.tiles[t];
        table.add({fmt::format("{}", t), fmt::format("{}", tile.writes), fmt::format("{}", tile.products),
                   timeText(tile.writeNs), timeText(tile.rowsNs), timeText(tile.resultsNs),
                   timeText(tile.idleNs)});
    }
    return fmt::format("\nIn time: {}, of which the host merges {} and waits {}.\n{}", timeText(run.ns),
                       timeText(run.mergeNs), timeText(run.waitNs), table.text());
}

/// What `pimc limits` says of a plan, of the driver calls.
struct TilesInTime {
    memristor::TileRun run;
    Limits limits;
    std::optional<Roofline> roofline;
    std::optional<cinm::TilesHelp> help;
};

Result<TilesInTime> runInTime(const cinm::Flow& flow, const CinmArguments& options, const TaskContext& task) {
    memristor::TileRunOptions how;
    how.sharedPort = !options.ownPorts;
    TilesInTime made;
    PIM_TRY(made.run, cinm::timeTiles(flow, how, task));
    const bool isIdle = made.run.timeline.spans.empty();
    if (isIdle && (options.whatIf || options.roofline || !options.trace.empty()))
        return fail(ErrorCode::Usage, "nothing runs on memristor tiles, so there is nothing in time",
                    options.whatIf     ? "--what-if"
                    : options.roofline ? "--roofline"
                                       : "--trace",
                    "choose --target memristor");
    made.limits = cinm::limitsOf(made.run);
    if (options.roofline)
        made.roofline = cinm::rooflineOf(made.run, flow.options);
    if (options.whatIf) {
        PIM_TRY(made.help, cinm::whatHelps(flow, made.run, how, task));
    }
    return made;
}

std::string tileLimitsText(const TilesInTime& made) {
    constexpr int kLines = 10;
    const memristor::TileRun& run = made.run;
    std::string sentence = made.limits.sentence;
    std::string text = fmt::format("\nWhat limits it: {}.\n", sentence);
    if (run.timeline.runNs > 0)
        text += fmt::format("Of the run, {:.0f} ns long, the first {} are looked at.\n", run.timeline.runNs,
                            timeText(double(made.limits.totalPs) / kPsInNs));
    text += tablesText(made.limits, kLines);
    if (made.roofline)
        text += rooflineText(*made.roofline, kLines, [&](OpId id) { return run.timeline.labels[id.index()]; },
                             {});
    if (!made.help)
        return text;
    text += whatIfText(made.help->whatIf, "Each was lowered again with that option alone, its loops searched "
                                          "anew, and run in time.");
    if (made.help->ownPortsNs)
        text += fmt::format("With a port for each tile (--own-ports): {}, {:+.1f} %.\n",
                            timeText(*made.help->ownPortsNs),
                            100 * (*made.help->ownPortsNs / made.help->whatIf.totalNs - 1));
    return text;
}

nlohmann::json numberOrNull(const std::optional<double>& number) {
    return number ? nlohmann::json(*number) : nlohmann::json();
}

nlohmann::json tileHelpJson(const cinm::TilesHelp& help) {
    nlohmann::json rows = nlohmann::json::array();
    for (const WhatIfRow& row : help.whatIf.rows)
        rows.push_back({{"resource", row.resource},
                        {"twiceAs", name(row.way)},
                        {"option", row.changes.front().value.pointer},
                        {"now", row.changes.front().now},
                        {"twice", row.changes.front().twice},
                        {"twiceNs", numberOrNull(row.twiceNs)},
                        {"fastestFactor", row.fastestFactor},
                        {"fastestNs", numberOrNull(row.fastestNs)},
                        {"problem", row.problem}});
    return {{"boundNs", numberOrNull(help.whatIf.boundNs)},
            {"boundBy", help.whatIf.boundBy},
            {"ownPortsNs", numberOrNull(help.ownPortsNs)},
            {"rows", rows}};
}

nlohmann::json tileRooflineJson(const Roofline& roofline, const std::vector<std::string>& names) {
    nlohmann::json ceilings = nlohmann::json::array(), ops = nlohmann::json::array();
    for (const Ceiling& ceiling : roofline.ceilings)
        ceilings.push_back({{"name", ceiling.name},
                            {"kind", ceiling.isMemory ? "memory" : "arithmetic"},
                            {"perNs", ceiling.perNs},
                            {"because", ceiling.because}});
    for (const OpUnderRoof& op : roofline.ops) {
        nlohmann::json amounts = nlohmann::json::object();
        for (std::size_t c = 0; c < roofline.ceilings.size(); ++c)
            amounts[roofline.ceilings[c].name] = op.amounts[c];
        ops.push_back({{"name", names[op.op.index()]},
                       {"ns", op.ns},
                       {"operations", op.operations},
                       {"amounts", amounts},
                       {"roofPerNs", roofline.roofOf(op)},
                       {"shareOfRoof", roofline.shareOfRoof(op)},
                       {"sentence", sentenceOf(roofline, op)}});
    }
    return {{"ceilings", ceilings}, {"ops", ops}};
}

nlohmann::json tileTimeJson(const TilesInTime& made) {
    nlohmann::json resources = nlohmann::json::array();
    for (const ResourceUse& use : made.limits.resources)
        resources.push_back({{"name", use.name},
                             {"units", use.tracks},
                             {"share", use.share},
                             {"busiest", use.busiest},
                             {"busiestShare", use.busiestShare},
                             {"chainNs", double(use.pathPs) / kPsInNs}});
    nlohmann::json json{{"ns", made.run.ns},
                        {"mergeNs", made.run.mergeNs},
                        {"waitNs", made.run.waitNs},
                        {"chainNs", double(made.limits.totalPs) / kPsInNs},
                        {"sentence", made.limits.sentence},
                        {"resources", resources}};
    if (made.roofline)
        json["roofline"] = tileRooflineJson(*made.roofline, made.run.timeline.labels);
    if (made.help)
        json["whatIf"] = tileHelpJson(*made.help);
    return json;
}

nlohmann::json costJson(const memristor::TileCost& cost) {
    nlohmann::json json{{"ns", cost.ns}, {"pj", cost.pj}};
    json["lifetimeYears"] = cost.lifetimeYears ? nlohmann::json(*cost.lifetimeYears) : nlohmann::json();
    return json;
}

nlohmann::json countsJson(const memristor::TileCounts& counts) {
    return {{"tileWrites", counts.tileWrites},
            {"products", counts.products},
            {"merges", counts.merges},
            {"wordsWritten", counts.wordsWritten},
            {"wordsRead", counts.wordsRead}};
}

nlohmann::json flowJson(const cinm::Flow& flow, const cinm::RunOfLevels& runs) {
    nlohmann::json json;
    for (const ir::Level& level : flow.levels)
        json["levels"].push_back({{"name", level.name},
                                  {"ops", level.module->size()},
                                  {"lines", level.printed.lineCount},
                                  {"bytes", level.printed.text.size()}});
    json["target"] = flow.options.target;
    json["ops"] = nlohmann::json::array();
    for (const cinm::PlacedOp& op : flow.ops) {
        nlohmann::json row{{"name", op.name},
                           {"work", op.work},
                           {"runs", op.times},
                           {"machine", op.machineText()},
                           {"reason", op.reason}};
        row["ns"] = op.ns() ? nlohmann::json(*op.ns()) : nlohmann::json();
        row["mapping"] = op.mapping();
        if (op.hostNs)
            row["hostNs"] = *op.hostNs;
        if (op.tiles)
            row["memristor"] = {{"ns", op.tiles->choice.wide.ns},
                                {"counts", countsJson(op.tiles->choice.counts)},
                                {"usual", countsJson(op.tiles->baseline)},
                                {"cost", costJson(op.tiles->choice.cost)}};
        if (op.dpus && op.dpus->hasKernel())
            row["upmem"] = {
                {"sendNs", op.dpus->price.busInputNs},
                {"computeNs", op.dpus->price.computeNs},
                {"receiveNs", op.dpus->price.busOutputNs},
                {"launchNs", op.dpus->price.modeSwitchNs},
                {"evenNs", op.dpus->evenNs ? nlohmann::json(*op.dpus->evenNs) : nlohmann::json()}};
        json["ops"].push_back(std::move(row));
    }
    json["times"] = {{"memristor", flow.tilesNs},
                     {"upmem", flow.dpusNs},
                     {"host", flow.hostNs},
                     {"unknownOps", flow.timeUnknown}};
    json["total"] = {
        {"counts", countsJson(flow.total)},
        {"cost", costJson(flow.cost)},
        {"usual", {{"counts", countsJson(flow.baseline)}, {"cost", costJson(flow.baselineCost)}}}};
    for (const cinm::LevelRun& run : runs.levels)
        json["runs"].push_back(
            {{"level", run.level}, {"wrong", run.wrong}, {"firstWrong", run.firstWrong}, {"note", run.note}});
    return json;
}

Result<void> verdict(const cinm::RunOfLevels& runs) {
    for (const cinm::LevelRun& run : runs.levels)
        if (run.wrong > 0)
            return fail(ErrorCode::Internal,
                        fmt::format("{} elements are wrong; {}", run.wrong, run.firstWrong),
                        "level " + run.level);
    return {};
}

Result<void> takeOptions(Session& session, CinmArguments& options) {
    PIM_TRY(options.flow.wish, memristor::tileWish(options.order, options.rows, options.unroll));
    options.flow.goal = options.goal == "writes"   ? memristor::TileGoal::Writes
                        : options.goal == "energy" ? memristor::TileGoal::Energy
                                                   : memristor::TileGoal::Time;
    options.flow.schedule = options.schedule == "alap" ? ir::TileSchedule::Alap : ir::TileSchedule::Asap;
    options.flow.spread = options.spread == "even" ? cinm::DpuSpread::Even : cinm::DpuSpread::Search;
    for (const std::string& pin : options.pins) {
        const std::size_t sign = pin.rfind('=');
        if (sign == std::string::npos || sign == 0)
            return fail(ErrorCode::Usage, fmt::format("\"{}\" pins nothing", pin), "--pin",
                        "write OP=MACHINE: MatMul_3=upmem");
        options.flow.pins.emplace_back(pin.substr(0, sign), pin.substr(sign + 1));
    }
    if (options.flow.target != "memristor" || !options.flow.pins.empty()) {
        PIM_TRY(options.flow.dpus, session.catalog().find(options.dpus, options.host));
    }
    for (const std::string& also : options.also) {
        PIM_TRY(auto target, session.catalog().find(also, options.host));
        options.flow.others.push_back(std::move(target));
    }
    options.flow.backends = &session.backends();
    return check(options.flow);
}

/// A level by its name, or one of several together: "cim" of "cnm+cim".
const ir::Level* findLevel(const cinm::Flow& flow, std::string_view name) {
    for (const ir::Level& level : flow.levels)
        if (fmt::format("+{}+", level.name).find(fmt::format("+{}+", name)) != std::string::npos)
            return &level;
    return nullptr;
}

Result<void> emit(Session& session, const cinm::Flow& flow, const CinmArguments& options) {
    if (options.emit == "c") {
        PIM_TRY(const std::vector<CodeFile> files, cinm::codeOf(flow));
        std::string text;
        for (const CodeFile& file : files)
            text +=
                files.size() > 1 ? fmt::format("/* ---- {} ---- */\n{}\n", file.name, file.text) : file.text;
        return session.print(text);
    }
    const ir::Level* const level = findLevel(flow, options.emit);
    if (!level)
        return fail(ErrorCode::NotFound,
                    fmt::format("there is no level '{}' on the way to {}", options.emit, flow.options.target),
                    "--emit",
                    fmt::format("there are {}, {} and c", flow.levels[0].name,
                                flow.levels[1].name + ", " + flow.levels[2].name));
    return session.print(options.plain ? ir::print(*level->module, {.locations = false}).text
                                       : level->printed.text);
}

std::string runText(const cinm::LevelRun& level, const cinm::RunOfLevels& runs, const Start& start) {
    const std::string numbers = level.wrong ? fmt::format("{} elements are wrong", level.wrong)
                                : level.level != runs.levels.front().level ? "the numbers of the first level"
                                : start.expected.empty() ? "what the others are compared with"
                                                         : "the numbers of the reference";
    return fmt::format("\n{} ran in {:.1f} ms: {}{}{}",
                       level.level == "engine" ? "The engine" : "Level " + level.level, level.milliseconds,
                       numbers, level.note.empty() ? "" : "; ", level.note);
}

Result<void> run(Session& session, CinmArguments options) {
    PIM_CHECK(takeOptions(session, options));
    PIM_TRY(Start start, startOf(session, options));
    if (options.run && !start.whyNotRun.empty())
        return fail(ErrorCode::Usage, start.whyNotRun, "--run",
                    "leave it out, or use elements it was made with");
    options.flow.constantArguments = start.constantArguments;
    PIM_TRY(const cinm::Flow flow, cinm::lower(std::move(start.module), options.flow, session.task()));
    if (!options.emit.empty())
        return emit(session, flow, options);
    cinm::RunOfLevels runs;
    if (options.run) {
        PIM_TRY(runs,
                cinm::runLevels(flow, start.arguments, start.interpreter, start.expected, session.task()));
    }
    std::optional<TilesInTime> inTime;
    options.time = options.time || options.whatIf || options.roofline;
    if (options.time || !options.trace.empty()) {
        PIM_TRY(inTime, runInTime(flow, options, session.task()));
    }
    if (!options.trace.empty())
        PIM_CHECK(writeChromeTrace(inTime->run.timeline, options.model.model + " on memristor tiles",
                                   options.trace));
    if (session.json) {
        nlohmann::json json = flowJson(flow, runs);
        if (options.time)
            json["time"] = tileTimeJson(*inTime);
        PIM_CHECK(session.print(jsonDocument(json)));
        return verdict(runs);
    }
    std::string text = levelsText(flow) + opsText(flow) + totalsText(flow);
    if (options.loops)
        text += loopsText(flow);
    if (options.time)
        text += tileTimeText(inTime->run) +
                (inTime->run.timeline.spans.empty() ? std::string() : tileLimitsText(*inTime));
    for (const cinm::LevelRun& level : runs.levels)
        text += runText(level, runs, start);
    PIM_CHECK(session.print(text + (runs.levels.empty() ? "" : "\n")));
    return verdict(runs);
}

Action cinmVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<CinmArguments>();
    options->model.declare(verb);
    verb.add_option("--target", options->flow.target,
                    "The machine; auto: each op where it takes least; paper: the paper's rule")
        ->check(CLI::IsMember({"memristor", "upmem", "auto", "paper"}))
        ->capture_default_str();
    verb.add_option("--emit", options->emit, "Print one level, or the C code")
        ->check(CLI::IsMember({"cinm", "cnm", "cim", "upmem", "memristor", "c"}));
    verb.add_option("--pin", options->pins,
                    "OP=MACHINE: ops whose name contains OP go to host, memristor or upmem");
    verb.add_option("--also", options->also,
                    "Another target that auto asks and --pin may name; its ops keep the level of cinm");
    verb.add_option("--threshold", options->flow.threshold,
                    "The paper's rule: products go to tiles beyond this in every extent")
        ->capture_default_str();
    verb.add_flag("--plain", options->plain, "Leave out where each op of the text comes from");
    verb.add_flag("--run", options->run, "Run every level on the same numbers and compare");
    verb.add_flag("--small", options->small,
                  "Benchmarks: small sizes that nothing divides, instead of those of the paper");
    verb.add_option("--elements", options->elements, "Models: what fractions become; integers cannot run")
        ->check(CLI::IsMember({"f32", "f16", "i8", "i16", "i32"}))
        ->capture_default_str();
    verb.add_option("--dpus", options->dpus, "Target whose DPUs are taken, and whose host")
        ->capture_default_str();
    verb.add_option("--host", options->host, "Another host");
    verb.add_option("--spread", options->spread,
                    "DPUs: the draft of the search, or equal boxes of all loops in turn")
        ->check(CLI::IsMember({"search", "even"}))
        ->capture_default_str();
    verb.add_option("--schedule", options->schedule, "Tiles: wait for results as soon or as late as possible")
        ->check(CLI::IsMember({"asap", "alap"}))
        ->capture_default_str();
    verb.add_flag("--loops", options->loops, "Show the loops every op became, with their turns");
    verb.add_flag("--time", options->time,
                  "Tiles: run the driver calls in time, tile by tile, and say what limits them");
    verb.add_flag("--what-if", options->whatIf,
                  "Tiles: the same with words and sums twice as fast, more and larger tiles, sorted by what "
                  "helps most");
    verb.add_flag("--roofline", options->roofline,
                  "Tiles: what words, arrays and host can do at most, and every op under it");
    const auto ns = [&](const char* option, double& value, const char* what) {
        verb.add_option(option, value, what)
            ->type_name("NS")
            ->check(CLI::Range(1e-6, 1e9))
            ->capture_default_str();
    };
    ns("--write-word", options->flow.device.writeWordNs, "Tiles: time of a 32-bit word into a tile");
    ns("--read-word", options->flow.device.readWordNs, "Tiles: time of a 32-bit word out of a tile");
    ns("--host-sum", options->flow.device.hostWordNs, "Tiles: time of a sum that the host adds");
    verb.add_flag("--own-ports", options->ownPorts,
                  "Tiles: run in time with a port for each tile, instead of one that all share");
    verb.add_option("--trace", options->trace,
                    "Tiles: write what each does when, for ui.perfetto.dev or chrome://tracing")
        ->type_name("FILE.json");
    verb.add_option("--size", options->flow.size, "Cells in a row and in a column of a tile")
        ->capture_default_str();
    verb.add_option("--tiles", options->flow.tiles, "Tiles of the accelerator")->capture_default_str();
    verb.add_option("--order", options->order,
                    "Tiles: loops, outermost first (knm: min-writes), of the right operand held; or search")
        ->capture_default_str();
    verb.add_option("--rows", options->rows,
                    "Tiles: rows that meet a tile at a time, as many as it has (box) or all of them (whole)")
        ->check(CLI::IsMember({"search", "box", "whole"}))
        ->capture_default_str();
    verb.add_option("--unroll", options->unroll,
                    "Tiles that work on one product at a time at most; 0: search")
        ->capture_default_str();
    verb.add_option("--goal", options->goal, "What the search makes small")
        ->check(CLI::IsMember({"time", "energy", "writes"}))
        ->capture_default_str();
    addSeed(verb, "--seed", options->seed, "Of the numbers of --run");
    std::string names;
    for (const ir::Benchmark& benchmark : ir::benchmarks())
        names += (names.empty() ? "" : ", ") + std::string(benchmark.name);
    verb.footer(
        "MODEL may also be a text in MLIR's generic form (FILE.mlir, - for standard input) or one of CINM's\n"
        "benchmarks: " +
        names +
        ".\n\n"
        "Examples:\n"
        "  pimc cinm mm\n"
        "  pimc cinm mm --emit cim --order knm --rows box\n"
        "  pimc cinm mm --target upmem --dpus upmem-16\n"
        "  pimc cinm mlp --target auto --small --run\n"
        "  pimc cinm mm --small --emit c > mm.c\n"
        "  pimc cinm conv --small --run\n"
        "  pimc cinm mm --small --what-if --roofline\n"
        "  pimc cinm sample:resnet50 --elements i8");
    return [options](Session& session) { return run(session, *options); };
}

constexpr Verb kVerbs[] = {
    {"cinm", "Lower a model or a text through the levels of CINM to DPUs and memristor tiles", cinmVerb},
};

} // namespace

VerbGroup cinmVerbs() {
    return {"Levels of CINM", kVerbs};
}

} // namespace pim::cli
