// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How far predictions can be relied on: predicted beside simulated times of models on machines of all kinds.
#include "core/compile/predictions.h"

#include "app/pimc/json_document.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/graph/zoo/zoo_graph.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace pim::cli {
namespace {

struct PredictionArguments {
    std::vector<std::string> models, targets, kinds;
    TargetOptions compile;
    bool thorough = false;
};

/// Of a prompt; a decode step makes the last of them. The shortest tables of positions in the zoo have so many.
constexpr std::int64_t kTokens = 64;

/// One sample of so many tokens.
Result<std::shared_ptr<const Graph>> oneRequest(const ZooModel& model, const TaskContext& task) {
    ZooOptions options;
    for (const std::string& symbol : model.symbols)
        if (symbol == "past")
            options.past = kTokens - 1;
        else if (symbol == "seq")
            options.seq = kTokens;
    return zooGraph(model.name, options, task);
}

Result<void> takeModels(PredictionSetup& setup, Session& session, const PredictionArguments& options) {
    std::vector<std::string> names = options.models;
    if (names.empty())
        for (const ZooModel& model : zooModels())
            names.push_back(model.name);
    std::set<std::string> seen;
    for (const std::string& name : names) {
        if (!seen.insert(name).second)
            continue;
        std::shared_ptr<const Graph> graph;
        if (const auto zoo = findZooModel(name); zoo && !std::filesystem::exists(name)) {
            PIM_TRY(graph, oneRequest(**zoo, session.task()));
        } else {
            ModelOptions file;
            file.model = name;
            PIM_TRY(graph, file.load(session));
        }
        setup.models.push_back({name, std::move(graph)});
    }
    return {};
}

Result<void> takeTargets(PredictionSetup& setup, Session& session, const PredictionArguments& options) {
    PIM_TRY(std::vector<std::string> ids, machineIds(session, options.targets, options.kinds));
    if (options.targets.empty() && options.kinds.empty())
        for (const auto& target : session.catalog().targets())
            ids.push_back(target->id);
    std::set<std::string> seen;
    for (const std::string& id : ids) {
        PIM_TRY(auto target, session.target(id, options.compile.host));
        if (seen.insert(target->id).second)
            setup.targets.push_back(std::move(target));
    }
    return {};
}

std::set<std::string> kindsOf(const std::vector<PredictionRow>& rows) {
    std::set<std::string> kinds;
    for (const PredictionRow& row : rows)
        kinds.insert(row.kind);
    return kinds;
}

/// What moved the simulation furthest from the prediction.
std::string largestCause(const PredictionRow& row) {
    const auto at =
        std::ranges::max_element(row.causesNs, {}, [](const auto& cause) { return std::abs(cause.second); });
    if (at == row.causesNs.end() || std::abs(at->second) < 0.005 * row.predictedNs)
        return {};
    return fmt::format("{} {:+.1f} %", at->first, 100 * at->second / row.predictedNs);
}

std::string predictionsText(const std::vector<PredictionRow>& rows) {
    TextTable table(
        {"Model", "Machine", "Kind", ">Predicted", ">Simulated", ">Ratio", ">Gain", "Largest cause"});
    std::string problems;
    for (const PredictionRow& row : rows)
        if (row.problem.empty())
            table.add({row.model, row.target, row.kind, timeText(row.predictedNs), timeText(row.simulatedNs),
                       fmt::format("{:.3f}", row.ratio()),
                       row.gain > 0 ? fmt::format("{:.2f}", row.gain) : std::string(),
                       row.timedWhilePlanning ? "planned by the simulator" : largestCause(row)});
        else
            problems += fmt::format("{} on {}: {}\n", row.model, row.target, row.problem);
    TextTable sums(
        {"Kind", ">Rows", ">Median error", ">Worst", ">Planned by the simulator", ">Median gain", ">Least"});
    for (const std::string& kind : kindsOf(rows))
        if (const PredictionSummary sum = summarise(rows, kind); sum.rows > 0)
            sums.add({kind, std::to_string(sum.rows), percentText(sum.median), percentText(sum.worst),
                      std::to_string(sum.timedWhilePlanning),
                      sum.gains > 0 ? fmt::format("{:.2f}", sum.medianGain) : std::string(),
                      sum.gains > 0 ? fmt::format("{:.2f}", sum.leastGain) : std::string()});
    std::string text = table.text() + "\n" + sums.text();
    if (!problems.empty())
        text += "\nNot compared:\n" + problems;
    return text;
}

nlohmann::json summaryJson(const PredictionSummary& sum) {
    nlohmann::json json{{"rows", sum.rows},
                        {"median_error", sum.median},
                        {"worst_error", sum.worst},
                        {"planned_by_the_simulator", sum.timedWhilePlanning}};
    if (sum.gains > 0) {
        json["median_gain"] = sum.medianGain;
        json["least_gain"] = sum.leastGain;
    }
    return json;
}

nlohmann::json predictionsJson(const std::vector<PredictionRow>& rows) {
    nlohmann::json json{{"rows", nlohmann::json::array()}, {"kinds", nlohmann::json::object()}};
    for (const PredictionRow& row : rows) {
        nlohmann::json one{{"model", row.model}, {"target", row.target}, {"kind", row.kind}};
        if (row.problem.empty()) {
            one["predicted_ns"] = row.predictedNs;
            one["simulated_ns"] = row.simulatedNs;
            one["ratio"] = row.ratio();
            one["planned_by_the_simulator"] = row.timedWhilePlanning;
            one["causes_ns"] = row.causesNs;
            if (row.gain > 0) {
                one["baseline"] = row.baseline;
                one["gain"] = row.gain;
            }
        } else {
            one["problem"] = row.problem;
        }
        json["rows"].push_back(std::move(one));
    }
    for (const std::string& kind : kindsOf(rows))
        json["kinds"][kind] = summaryJson(summarise(rows, kind));
    json["all"] = summaryJson(summarise(rows));
    return json;
}

Result<void> run(Session& session, const PredictionArguments& options) {
    PredictionSetup setup;
    PIM_CHECK(takeTargets(setup, session, options));
    PIM_TRY(setup.options, options.compile.compileOptions(session.backends()));
    setup.thorough = options.thorough;
    PIM_CHECK(takeModels(setup, session, options));
    PIM_TRY(const auto rows, comparePredictions(session.backends(), setup, session.task()));
    return session.print(session.json ? jsonDocument(predictionsJson(rows)) : predictionsText(rows));
}

} // namespace

Action predictionsVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<PredictionArguments>();
    verb.add_option("MODEL", options->models,
                    "Networks of the zoo (batch 1; 64 tokens, or the 64th of them), samples or files; none: "
                    "the whole zoo")
        ->type_name("");
    options->compile.declare(verb, backends);
    verb.remove_option(verb.get_option("--target"));
    verb.add_option("-t,--target", options->targets, "A machine; may be repeated; without, all there are")
        ->type_name("ID");
    verb.add_option("--kind", options->kinds,
                    "All machines of a kind: aim, crossbar, dual-mode, upmem, …; may be repeated")
        ->type_name("KIND");
    verb.add_flag("--thorough", options->thorough,
                  "Search mappings as long as pimc compile does, which takes far longer for crossbar chips");
    verb.footer("Ratio: predicted over simulated; error: how far it is from 1. Gain, where plans are timed "
                "by the simulator: the\n"
                "first baseline's time over the plan's; for dual-mode chips with all arrays computing.\n"
                "Examples:\n"
                "  pimc predictions resnet18 bert-base\n"
                "  pimc predictions --kind dual-mode --dual-mode cost=formula --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
