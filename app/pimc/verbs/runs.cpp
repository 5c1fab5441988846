// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/table.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/project/project.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

ordered_json runJson(const RunInfo& run) {
    return {{"run", run.id},
            {"label", run.label},
            {"variant", run.variant},
            {"model", run.modelName},
            {"model_path", run.modelPath},
            {"model_hash", run.modelHash},
            {"target", run.targetId},
            {"target_hash", run.targetHash},
            {"host", run.host},
            {"bindings", run.bindings},
            {"overrides", ordered_json::parse(run.overridesJson, nullptr, false)},
            {"options", ordered_json::parse(run.optionsJson, nullptr, false)},
            {"seed", run.seed},
            {"tool_version", run.toolVersion},
            {"started_utc", run.startedUtc},
            {"compile_ms", run.compileMs},
            {"origin", name(run.origin)},
            {"total_ns", run.totalNs},
            {"host_only_ns", run.hostOnlyNs},
            {"resident_load_ns", run.residentLoadNs},
            {"note", run.note}};
}

Result<void> list(Session& session, const Project& project) {
    PIM_TRY(const auto runs, project.runs());
    if (session.json) {
        ordered_json all = ordered_json::array();
        for (const RunInfo& run : runs)
            all.push_back(runJson(run));
        return session.print(all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    Table table({">run", "when", "model", "target", "bindings", "variant", ">total", ">host only", "label"});
    for (const RunInfo& run : runs)
        table.add({std::to_string(run.id), run.startedUtc, run.modelName, run.targetId, run.bindings,
                   run.variant, timeText(run.totalNs), timeText(run.hostOnlyNs), run.label});
    return session.print(runs.empty() ? "no runs yet\n" : table.text());
}

/// One op in two runs; absent in one of them where the models differ.
struct Pair {
    const RunOp* a = nullptr;
    const RunOp* b = nullptr;
    double difference() const { return (b ? b->cost.totalNs() : 0) - (a ? a->cost.totalNs() : 0); }
};

Result<void> compare(Session& session, const Project& project, std::int64_t idA, std::int64_t idB) {
    PIM_TRY(const RunInfo a, project.run(idA));
    PIM_TRY(const RunInfo b, project.run(idB));
    PIM_TRY(const auto opsA, project.runOps(idA));
    PIM_TRY(const auto opsB, project.runOps(idB));
    std::map<std::string, Pair> byName;
    for (const RunOp& op : opsA)
        byName[op.name].a = &op;
    for (const RunOp& op : opsB)
        byName[op.name].b = &op;
    std::vector<std::pair<std::string, Pair>> pairs(byName.begin(), byName.end());
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& x, const auto& y) {
        return std::abs(x.second.difference()) > std::abs(y.second.difference());
    });
    const bool sameModel = a.modelHash == b.modelHash;
    const auto why = [](const Pair& pair) {
        return pair.a && pair.b ? explainDifference(pair.a->cost, pair.b->cost) : "only in one of the runs";
    };

    if (session.json) {
        ordered_json ops = ordered_json::array();
        for (const auto& [opName, pair] : pairs)
            ops.push_back({{"name", opName},
                           {"a_ns", pair.a ? ordered_json(pair.a->cost.totalNs()) : ordered_json()},
                           {"b_ns", pair.b ? ordered_json(pair.b->cost.totalNs()) : ordered_json()},
                           {"difference_ns", pair.difference()},
                           {"why", why(pair)}});
        const ordered_json json{{"a", runJson(a)},
                                {"b", runJson(b)},
                                {"same_model", sameModel},
                                {"same_target", a.targetHash == b.targetHash},
                                {"difference_ns", b.totalNs - a.totalNs},
                                {"ops", ops}};
        return session.print(json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    if (!sameModel)
        session.say("warning: the runs are of different models or bindings");
    std::string text;
    for (const RunInfo* run : {&a, &b})
        text += fmt::format("run {}: {} on {}, {}, {}\n", run->id, run->modelName, run->targetId,
                            timeText(run->totalNs), name(run->origin));
    text += fmt::format("run {} takes {} the time of run {}\n\n", b.id,
                        a.totalNs > 0 ? ratioText(b.totalNs / a.totalNs) : "?", a.id);
    Table table({"op", fmt::format(">run {}", a.id), fmt::format(">run {}", b.id), "why"});
    for (const auto& [opName, pair] : pairs) {
        if (pair.difference() != 0)
            table.add({opName, pair.a ? timeText(pair.a->cost.totalNs()) : "-",
                       pair.b ? timeText(pair.b->cost.totalNs()) : "-", why(pair)});
    }
    return session.print(text + table.text());
}

} // namespace

Action runsVerb(CLI::App& verb) {
    struct Options {
        std::string project;
        std::vector<std::int64_t> compare;
    };
    auto options = std::make_shared<Options>();
    verb.add_option("PROJECT", options->project, "Project file")
        ->required()
        ->type_name("")
        ->check(CLI::ExistingFile);
    verb.add_option("--compare", options->compare, "Two runs, op by op")->expected(2)->type_name("A B");
    verb.footer("Examples:\n"
                "  pimc runs p.pimproj\n"
                "  pimc runs p.pimproj --compare 3 7");
    return [options](Session& session) -> Result<void> {
        PIM_TRY(const auto project, Project::open(options->project, Project::Mode::ReadOnly));
        if (options->compare.empty())
            return list(session, *project);
        return compare(session, *project, options->compare[0], options->compare[1]);
    };
}

} // namespace pim::cli
