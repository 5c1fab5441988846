// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A program down the levels of CINM: its text at any of them, what the products cost, the same numbers everywhere.
#include "app/pimc/json_document.h"
#include "app/pimc/verbs/cinm/verbs.h"
#include "app/pimc/verbs/model_options.h"
#include "backends/cinm/flow.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/execute/sample_weights.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/from_graph.h"
#include "core/ir/parse.h"
#include "core/numeric/real_run.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

struct CinmArguments {
    ModelOptions model; ///< A model, a text that ends in .mlir, or the name of a benchmark.
    cinm::FlowOptions flow;
    std::string emit, goal = "time", elements = "f32";
    bool run = false, small = false, plain = false;
    std::uint64_t seed = 1;
};

/// What the flow starts from, and the numbers it can be run on.
struct Start {
    ir::Module module;
    std::shared_ptr<const Graph> graph; ///< Of a model.
    std::vector<ir::Array> arguments, expected;
    ir::InterpreterOptions interpreter;
    std::string whyNotRun; ///< Not empty: it cannot run.
};

Result<Start> startBenchmark(const ir::Benchmark& benchmark, const CinmArguments& options) {
    const Shape& sizes = benchmark.sizes(options.small ? ir::BenchmarkSize::Small : ir::BenchmarkSize::Paper);
    Start start{ir::build(benchmark, sizes), {}, {}, {}, {}, {}};
    if (options.run) {
        start.arguments = ir::sampleArguments(benchmark, sizes, options.seed);
        start.expected = ir::expectedResults(benchmark, sizes, start.arguments);
    }
    return start;
}

Result<Start> startText(Session& session, const CinmArguments& options) {
    const std::string& file = options.model.model;
    PIM_TRY(const std::string text, readText(file));
    auto parsed = ir::parse(text, file == "-" ? "stdin" : file);
    if (!parsed) {
        session.complain(ir::excerpt(text, parsed.error()));
        return tl::unexpected<Error>(std::move(parsed).error());
    }
    Start start{std::move(parsed->module), {}, {}, {}, {}, {}};
    if (!start.module.function("main").valid())
        start.whyNotRun = "there is no function 'main'";
    else if (options.run)
        start.arguments = cinm::sampleArguments(start.module, options.seed);
    return start;
}

Result<Start> startModel(Session& session, const CinmArguments& options) {
    const auto elements = ir::scalarFromName(options.elements);
    PIM_TRY(std::shared_ptr<const Graph> graph, options.model.load(session));
    if (options.run) {
        PIM_TRY(graph, withSampleWeights(graph, options.seed));
    }
    PIM_TRY(ir::ProgramOfGraph program, ir::fromGraph(graph, *elements));
    Start start{ir::Module(), graph, {}, {}, ir::onHost(*graph, session.task()), {}};
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

std::string productsText(const cinm::Flow& flow, const cinm::FlowOptions& options) {
    TextTable table({"Product", ">m x k x n", ">Runs", "Mapping", ">Tile writes", ">Usual order", ">Time"});
    std::map<std::string, int> onHost;
    for (const cinm::Product& product : flow.products) {
        if (!product.whyHost.empty()) {
            ++onHost[product.whyHost];
            continue;
        }
        table.add({product.name,
                   fmt::format("{} x {} x {}", product.shape.m, product.shape.k, product.shape.n),
                   fmt::format("{}", product.times), ir::text(product.choice.mapping),
                   fmt::format("{}", product.choice.counts.tileWrites),
                   fmt::format("{}", product.baseline.tileWrites), timeText(product.choice.cost.ns)});
    }
    std::string text;
    if (flow.total.products > 0)
        text += fmt::format(
            "\n{}\nAll on {} tiles of {} x {}: {} tile writes (usual order {}), {} products, {} merges; {}.\n"
            "In the usual order: {}.\nCounted as numbers of 8 bits, as the Open CIM Compiler does; wider "
            "ones take more words.\n",
            table.text(), options.tiles, options.size, options.size, flow.total.tileWrites,
            flow.baseline.tileWrites, flow.total.products, flow.total.merges, costText(flow.cost),
            costText(flow.baselineCost));
    for (const auto& [reason, count] : onHost)
        text += fmt::format("\n{} products stay on the host: {}.\n", count, reason);
    if (flow.products.empty())
        text += "\nThere is no product of matrices in it.\n";
    return text;
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
    json["products"] = nlohmann::json::array();
    for (const cinm::Product& product : flow.products) {
        nlohmann::json row{{"name", product.name},
                           {"m", product.shape.m},
                           {"k", product.shape.k},
                           {"n", product.shape.n},
                           {"runs", product.times}};
        if (!product.whyHost.empty()) {
            row["host"] = product.whyHost;
        } else {
            row["mapping"] = ir::text(product.choice.mapping);
            row["counts"] = countsJson(product.choice.counts);
            row["usual"] = countsJson(product.baseline);
            row["cost"] = costJson(product.choice.cost);
        }
        json["products"].push_back(std::move(row));
    }
    json["total"] = {
        {"counts", countsJson(flow.total)},
        {"cost", costJson(flow.cost)},
        {"usual", {{"counts", countsJson(flow.baseline)}, {"cost", costJson(flow.baselineCost)}}}};
    for (const cinm::LevelRun& run : runs.levels)
        json["runs"].push_back({{"level", run.level}, {"wrong", run.wrong}, {"firstWrong", run.firstWrong}});
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

Result<void> run(Session& session, CinmArguments options) {
    options.flow.goal = options.goal == "writes"   ? memristor::TileGoal::Writes
                        : options.goal == "energy" ? memristor::TileGoal::Energy
                                                   : memristor::TileGoal::Time;
    PIM_CHECK(check(options.flow));
    PIM_TRY(Start start, startOf(session, options));
    if (options.run && !start.whyNotRun.empty())
        return fail(ErrorCode::Usage, start.whyNotRun, "--run",
                    "leave it out, or use elements it was made with");
    PIM_TRY(const cinm::Flow flow, cinm::lowerForTiles(std::move(start.module), options.flow));
    if (!options.emit.empty()) {
        for (const ir::Level& level : flow.levels)
            if (level.name == options.emit)
                return session.print(options.plain ? ir::print(*level.module, {.locations = false}).text
                                                   : level.printed.text);
        return fail(ErrorCode::NotFound, fmt::format("there is no level '{}'", options.emit), "--emit");
    }
    cinm::RunOfLevels runs;
    if (options.run) {
        PIM_TRY(runs, cinm::runLevels(flow, start.arguments, start.interpreter, start.expected));
    }
    if (session.json) {
        PIM_CHECK(session.print(jsonDocument(flowJson(flow, runs))));
        return verdict(runs);
    }
    std::string text = levelsText(flow) + productsText(flow, options.flow);
    for (const cinm::LevelRun& level : runs.levels)
        text += fmt::format("\nLevel {} ran in {:.1f} ms: {}", level.level, level.milliseconds,
                            level.wrong ? fmt::format("{} elements are wrong", level.wrong)
                            : level.level != runs.levels.front().level ? "the numbers of the first level"
                            : start.expected.empty()                   ? "what the others are compared with"
                                                                       : "the numbers of the reference");
    PIM_CHECK(session.print(text + (runs.levels.empty() ? "" : "\n")));
    return verdict(runs);
}

Action cinmVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<CinmArguments>();
    options->model.declare(verb);
    verb.add_option("--emit", options->emit, "Print the text of one level")
        ->check(CLI::IsMember({"cinm", "cim"}));
    verb.add_flag("--plain", options->plain, "Leave out where each op of the text comes from");
    verb.add_flag("--run", options->run, "Run every level on the same numbers and compare");
    verb.add_flag("--small", options->small,
                  "Benchmarks: small sizes that nothing divides, instead of those of the paper");
    verb.add_option("--elements", options->elements, "Models: what fractions become; integers cannot run")
        ->check(CLI::IsMember({"f32", "i8", "i16", "i32"}))
        ->capture_default_str();
    verb.add_option("--size", options->flow.size, "Cells in a row and in a column of a tile")
        ->capture_default_str();
    verb.add_option("--tiles", options->flow.tiles, "Tiles of the accelerator")->capture_default_str();
    verb.add_option("--order", options->flow.order, "Loops, outermost first (knm: min-writes), or search")
        ->capture_default_str();
    verb.add_option("--goal", options->goal, "What the search makes small")
        ->check(CLI::IsMember({"time", "energy", "writes"}))
        ->capture_default_str();
    verb.add_option("--seed", options->seed, "Of the numbers of --run")->capture_default_str();
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
        "  pimc cinm mm --emit cim --order knm\n"
        "  pimc cinm conv --small --run\n"
        "  pimc cinm sample:resnet50 --elements i8");
    return [options](Session& session) { return run(session, *options); };
}

constexpr Verb kVerbs[] = {
    {"cinm", "Lower a model or a text through the levels of CINM to memristor tiles", cinmVerb},
};

} // namespace

VerbGroup cinmVerbs() {
    return {"Levels of CINM", kVerbs};
}

} // namespace pim::cli
