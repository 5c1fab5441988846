// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Requests to a language model, prompt to last token: time and energy at every size asked for.
#include "core/compile/request.h"

#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/scratch_folder.h"
#include "core/base/text_table.h"
#include "core/graph/zoo/zoo.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

struct RequestArguments {
    std::string model, prefill;
    TargetOptions target;
    PredictorOption predictor;
    std::vector<std::int64_t> tokensIn{128}, tokensOut{128}, batches{1};
    RequestOptions request;
    bool predict = false, csv = false;
};

/// A network of the zoo, without weights.
Result<std::shared_ptr<const ImportedModel>> fromZoo(const std::string& name, const TaskContext& task) {
    PIM_TRY(const ScratchFolder folder, ScratchFolder::make());
    ZooOptions zoo;
    zoo.weights = false;
    const std::filesystem::path file = folder.path() / (name + ".onnx");
    PIM_CHECK(writeZooModel(name, file, zoo, task));
    return importModel(file, task);
}

/// Both graphs of "gpt3-13b", or the files named.
Result<RequestModel> modelOf(const RequestArguments& options, std::string& fallbackTarget,
                             const TaskContext& task) {
    RequestModel model;
    std::string family = options.model;
    if (family.ends_with("-decode"))
        family.resize(family.size() - std::string_view("-decode").size());
    const bool isFile = std::filesystem::exists(options.model) || options.model.starts_with("sample:");
    if (!isFile && findZooModel(family + "-decode")) {
        PIM_TRY(model.decode, fromZoo(family + "-decode", task));
        if (options.prefill.empty()) {
            PIM_TRY(model.prefill, fromZoo(family + "-prefill", task));
        }
    } else {
        PIM_TRY(const ModelArgument argument, findModel(options.model));
        fallbackTarget = argument.target;
        PIM_TRY(model.decode, importModel(argument.path, task));
    }
    if (!options.prefill.empty() && options.prefill != "none") {
        PIM_TRY(const ModelArgument argument, findModel(options.prefill));
        PIM_TRY(model.prefill, importModel(argument.path, task));
    }
    return model;
}

ordered_json phaseJson(const RequestPhase& phase) {
    ordered_json json;
    for (const auto& [part, ns] : partsNs(phase.cost))
        json[part] = ns;
    json["host_only_ns"] = phase.hostOnlyNs;
    json["energy_pj"] = phase.energyPj ? ordered_json(*phase.energyPj) : ordered_json(nullptr);
    json["by_op_ns"] = phase.byOpNs;
    return json;
}

ordered_json timeJson(const RequestTime& time) {
    ordered_json lengths = ordered_json::array();
    for (const auto& [tokens, phase] : time.lengths)
        lengths.push_back({{"past", tokens}, {"total_ns", phase.cost.totalNs()}});
    ordered_json problems = ordered_json::array();
    for (const Diagnostic& problem : time.problems)
        problems.push_back(problem.message);
    return {{"batch", time.size.batch},
            {"tokens_in", time.size.tokensIn},
            {"tokens_out", time.size.tokensOut},
            {"origin", name(time.origin)},
            {"total_ns", time.totalNs()},
            {"host_only_ns", time.hostOnlyNs()},
            {"energy_pj", time.energyPj() ? ordered_json(*time.energyPj()) : ordered_json(nullptr)},
            {"step_ns", time.stepNs()},
            {"off_by", time.offBy},
            {"prefill", phaseJson(time.prefill)},
            {"steps", phaseJson(time.steps)},
            {"lengths", std::move(lengths)},
            {"energy_note", time.energyNote},
            {"problems", std::move(problems)}};
}

std::string csvOf(const std::vector<RequestTime>& times) {
    std::string text = "batch,tokens_in,tokens_out,origin,total_ns,prefill_ns,steps_ns,step_ns,host_only_ns,"
                       "energy_pj,off_by\n";
    for (const RequestTime& time : times)
        text +=
            fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", time.size.batch, time.size.tokensIn,
                        time.size.tokensOut, name(time.origin), time.totalNs(), time.prefill.cost.totalNs(),
                        time.steps.cost.totalNs(), time.stepNs(), time.hostOnlyNs(),
                        time.energyPj() ? fmt::format("{}", *time.energyPj()) : "", time.offBy);
    return text;
}

/// Largest first.
std::string partsText(const RequestTime& time) {
    std::map<std::string, double> all = time.steps.byOpNs;
    for (const auto& [op, ns] : time.prefill.byOpNs)
        all[op] += ns;
    std::vector<std::pair<double, std::string>> parts;
    for (const auto& [op, ns] : all)
        parts.emplace_back(-ns, op);
    std::sort(parts.begin(), parts.end());
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(parts.size(), 4); ++i)
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", parts[i].second,
                            percentText(-parts[i].first / time.totalNs()));
    return text;
}

std::string tableOf(const std::vector<RequestTime>& times) {
    TextTable table({">batch", ">in", ">out", ">total", ">prefill", ">a step", ">tokens/s", ">host only",
                     ">energy", ">off by", "where the time goes"});
    for (const RequestTime& time : times)
        table.add({std::to_string(time.size.batch), std::to_string(time.size.tokensIn),
                   std::to_string(time.size.tokensOut), timeText(time.totalNs()),
                   time.prefill.cost.totalNs() > 0 ? timeText(time.prefill.cost.totalNs()) : "–",
                   time.size.steps() > 0 ? timeText(time.stepNs()) : "–",
                   time.stepNs() > 0
                       ? fmt::format("{:.1f}", 1e9 * static_cast<double>(time.size.batch) / time.stepNs())
                       : "–",
                   fmt::format("{} ({})", timeText(time.hostOnlyNs()),
                               ratioText(time.totalNs() > 0 ? time.hostOnlyNs() / time.totalNs() : 0)),
                   time.energyPj() ? energyText(*time.energyPj()) : "–", percentText(time.offBy),
                   partsText(time)});
    std::string text = table.text() + fmt::format("times {}", name(times.front().origin));
    if (!times.front().energyNote.empty())
        text += "; energy: " + times.front().energyNote;
    return text + "\n";
}

Result<void> run(Session& session, RequestArguments options) {
    options.request.simulate = !options.predict;
    std::string fallbackTarget;
    PIM_TRY(const RequestModel model, modelOf(options, fallbackTarget, session.task()));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, fallbackTarget));
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_CHECK(options.predictor.apply(session, request.target, request.options));
    PlanCache cache;
    options.request.cache = &cache;
    std::vector<RequestTime> times;
    std::set<std::string> said;
    for (const std::int64_t batch : options.batches)
        for (const std::int64_t in : options.tokensIn)
            for (const std::int64_t out : options.tokensOut) {
                PIM_TRY(RequestTime time, timeRequest(session.backends(), model, {batch, in, out}, request,
                                                      options.request, session.task()));
                Diagnostics fresh;
                for (const Diagnostic& problem : time.problems)
                    if (problem.severity != Severity::Note && said.insert(problem.message).second)
                        fresh.push_back(problem);
                session.say(fresh);
                times.push_back(std::move(time));
            }
    if (session.json) {
        ordered_json json{
            {"model", options.model}, {"target", request.target->id}, {"requests", ordered_json::array()}};
        for (const RequestTime& time : times)
            json["requests"].push_back(timeJson(time));
        return session.print(json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    return session.print(options.csv ? csvOf(times) : tableOf(times));
}

} // namespace

Action requestVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<RequestArguments>();
    verb.add_option("MODEL", options->model,
                    "Graph of one decode step, an ONNX file or sample:NAME; or a language model of `pimc "
                    "zoo`: gpt3-13b, …")
        ->required()
        ->type_name("");
    verb.add_option("--prefill", options->prefill,
                    "Graph of the prompt; \"none\": the prompt is not counted. A model of the zoo has one")
        ->type_name("FILE");
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    const auto sizes = [&](const char* name, std::vector<std::int64_t>& values, const char* what) {
        verb.add_option(name, values, what)->delimiter(',')->capture_default_str()->type_name("N,…");
    };
    sizes("--lin", options->tokensIn, "Tokens of the prompt");
    sizes("--lout", options->tokensOut, "Tokens generated, the first of them by the prefill");
    sizes("--batch", options->batches, "Requests at once");
    verb.add_option("--lengths", options->request.lengths,
                    "Lengths of the caches at which a step is compiled; a line in between")
        ->capture_default_str()
        ->type_name("N");
    verb.add_flag("--predict", options->predict, "Take predicted times, do not simulate");
    verb.add_flag("--csv", options->csv, "Comma-separated values, times in ns");
    verb.footer("Examples:\n"
                "  pimc request gpt3-13b --target attacc --lin 128,2048 --lout 128,2048 --batch 1,4\n"
                "  pimc request sample:gpt3-13b-decode --target hbm-pim --lin 2048 --lout 128 --json\n"
                "  pimc request step.onnx --prefill prompt.onnx --target attacc --csv");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
