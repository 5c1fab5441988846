// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/exhaustive_output.h"
#include "app/pimc/verbs/exploration_output.h"
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_text.h"
#include "core/base/parse_number.h"
#include "core/compile/override_fit.h"

#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/compile/advice.h"
#include "core/compile/compiler.h"
#include "core/compile/explain.h"
#include "core/drafts/exhaustive.h"
#include "core/plan/draft_facet.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <optional>

namespace pim::cli {
namespace {

struct ExploreArguments {
    ModelOptions model;
    TargetOptions target;
    PredictorOption predictor;
    ExplorationOutput output;
    ExhaustiveOutput exhaustive;
    std::string op;
    std::string overrides;
    std::optional<std::int64_t> simulate; ///< Drafts, best predicted first.
    std::vector<std::string> why;         ///< Two drafts to compare: numbers of the list, or texts.
};

/// Position in \p drafts of the one that is fastest when simulated; past the end if none could be.
std::size_t winnerOf(const std::vector<SimulatedDraft>& drafts) {
    std::size_t winner = drafts.size();
    for (std::size_t i = 0; i < drafts.size(); ++i)
        if (drafts[i].problem.empty() &&
            (winner == drafts.size() || drafts[i].cost.totalNs() < drafts[winner].cost.totalNs()))
            winner = i;
    return winner;
}

/// By how much the winner can miss the optimum at most. Absent: nothing is known, or there is no winner.
std::optional<double> lossOf(const Exploration& exploration, const std::vector<SimulatedDraft>& drafts,
                             std::size_t winner) {
    if (winner >= drafts.size())
        return std::nullopt;
    std::vector<std::size_t> simulated;
    for (const SimulatedDraft& draft : drafts)
        if (draft.problem.empty())
            simulated.push_back(draft.draft);
    return lossAtMost(exploration.boundsNs, simulated, drafts[winner].cost.totalNs());
}

/// The columns of the CSV without simulation, predicted and simulated.
std::string simulatedCsv(const Exploration& exploration, const std::vector<SimulatedDraft>& drafts) {
    const auto columns = [](const CostSplit& c) {
        return fmt::format("{},{},{},{},{}", c.totalNs(), c.inputNs, c.computeNs, c.outputNs, c.modeSwitchNs);
    };
    std::string text = "rank,draft,problem,predicted_total_ns,predicted_input_ns,predicted_compute_ns,"
                       "predicted_output_ns,predicted_mode_switch_ns,total_ns,input_ns,compute_ns,output_ns,"
                       "mode_switch_ns\n";
    for (const SimulatedDraft& draft : drafts)
        text += fmt::format("{},{},{},{},{}\n", draft.draft + 1,
                            csvField(exploration.space->draftText(exploration.drafts[draft.draft])),
                            csvField(draft.problem), columns(exploration.costs[draft.draft]),
                            draft.problem.empty() ? columns(draft.cost) : ",,,,");
    return text;
}

/// Simulated beside predicted, and which wins.
Result<void> printSimulated(Session& session, const ExploreArguments& options, const Exploration& exploration,
                            const std::string& opName, const std::optional<PredictorError>& known,
                            const std::vector<SimulatedDraft>& drafts) {
    const std::size_t winner = winnerOf(drafts);
    const std::optional<double> loss = lossOf(exploration, drafts, winner);
    if (session.json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const SimulatedDraft& draft : drafts) {
            nlohmann::ordered_json entry{
                {"rank", draft.draft + 1},
                {"draft", exploration.space->draftText(exploration.drafts[draft.draft])},
                {"predicted", partsNs(exploration.costs[draft.draft])}};
            if (draft.problem.empty())
                entry["simulated"] = partsNs(draft.cost);
            else
                entry["problem"] = draft.problem;
            list.push_back(std::move(entry));
        }
        const nlohmann::ordered_json json{
            {"of", opName},
            {"target", exploration.target->id},
            {"kernel", exploration.space->kernel().text()},
            {"winner", winner < drafts.size() ? nlohmann::ordered_json(drafts[winner].draft + 1) : nullptr},
            {"loss_at_most", loss ? nlohmann::ordered_json(*loss) : nullptr},
            {"known_error", nlohmann::ordered_json::parse(knownErrorJson(known))},
            {"drafts", std::move(list)}};
        return session.print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                             "\n");
    }
    if (options.output.csv)
        return session.printCsv(simulatedCsv(exploration, drafts));
    TextTable table(
        {">\trank", ">predicted", ">simulated", ">off", ">input", ">compute", ">output", "draft"});
    for (const SimulatedDraft& draft : drafts) {
        const double predicted = exploration.costs[draft.draft].totalNs();
        const std::string text = exploration.space->draftText(exploration.drafts[draft.draft]);
        if (!draft.problem.empty())
            table.add({std::to_string(draft.draft + 1), timeText(predicted), "–", "", "", "", "",
                       text + ": " + draft.problem});
        else
            table.add({std::to_string(draft.draft + 1), timeText(predicted), timeText(draft.cost.totalNs()),
                       percentText(predicted > 0 ? draft.cost.totalNs() / predicted - 1 : 0),
                       timeText(draft.cost.inputNs), timeText(draft.cost.computeNs),
                       timeText(draft.cost.outputNs), text});
    }
    std::string text = fmt::format(
        "{} on {}: the {} best predicted drafts, simulated command by command\n{}\n\n{}\n", opName,
        exploration.target->id, drafts.size(), knownErrorText(known, false), table.text());
    if (winner == drafts.size())
        text += "none of them could be simulated\n";
    else
        text +=
            fmt::format("fastest when simulated: number {}, {}{}\n", drafts[winner].draft + 1,
                        timeText(drafts[winner].cost.totalNs()),
                        drafts[winner].draft == 0 ? ", as predicted"
                                                  : fmt::format("; the prediction preferred number 1, {}",
                                                                drafts.front().problem.empty()
                                                                    ? timeText(drafts.front().cost.totalNs())
                                                                    : "which could not be simulated"));
    const double most = loss.value_or(-1);
    if (most >= 0)
        text += most > 0
                    ? fmt::format("at most {} from the optimum: no other draft can be faster than {}\n",
                                  percentText(most), timeText(drafts[winner].cost.totalNs() / (1 + most)))
                    : "no other draft can be faster\n";
    return session.print(text);
}

/// A draft of the list by its number or its text. A rejected one is an error that says why it went.
Result<std::size_t> findDraft(const Exploration& exploration, const TilingOptions& rules,
                              const std::string& text) {
    if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) {
        const std::size_t number = parseNumber<std::size_t>(text).value_or(SIZE_MAX);
        if (number < 1 || number > exploration.drafts.size())
            return fail(ErrorCode::NotFound,
                        fmt::format("there is no draft number {}; there are 1 to {}", text,
                                    exploration.drafts.size()),
                        "--why");
        return number - 1;
    }
    PIM_TRY(const Draft draft, exploration.space->draftFromText(text));
    const auto at = std::find(exploration.drafts.begin(), exploration.drafts.end(), draft);
    if (at != exploration.drafts.end())
        return static_cast<std::size_t>(at - exploration.drafts.begin());
    PIM_TRY(const PruneReason reason, explain(*exploration.space, rules, draft));
    return fail(
        ErrorCode::NotFound,
        fmt::format("this draft was rejected before it was priced, {}: {}", name(reason.rule), reason.text),
        text,
        reason.keptInstead ? "Kept instead: " + exploration.space->draftText(*reason.keptInstead)
                           : std::string());
}

/// Why B is slower or faster than A: sentences by contribution, advice, and all facts in JSON.
Result<void> printWhy(Session& session, const ExploreArguments& options, const Exploration& e,
                      const std::string& opName, const TilingOptions& rules) {
    std::size_t at[2] = {};
    Facts facts[2];
    for (std::size_t i = 0; i < 2; ++i) {
        PIM_TRY(at[i], findDraft(e, rules, options.why[i]));
        facts[i] = draftFacts(*e.space, e.tensors, e.drafts[at[i]], e.costs[at[i]]);
    }
    const AdviceRules advice = loadAdvice();
    for (const Diagnostic& problem : advice.problems)
        session.say(fmt::format("warning: rules left out: {}: {}. {}", problem.object, problem.message,
                                problem.hint));
    const Explanation why = explainCosts(e.costs[at[0]], e.costs[at[1]], facts[0], facts[1]);
    const auto advised = advise(advice.rules, facts[1], &facts[0]);
    if (session.json) {
        nlohmann::ordered_json parts = nlohmann::ordered_json::array(),
                               said = nlohmann::ordered_json::array();
        for (const ExplainedPart& part : why.parts)
            parts.push_back({{"part", part.key},
                             {"a_ns", part.aNs},
                             {"b_ns", part.bNs},
                             {"delta_ns", part.deltaNs()},
                             {"text", part.text}});
        for (const Advice& one : advised)
            said.push_back({{"rule", one.id}, {"text", one.text}, {"help", one.help}});
        const auto side = [&](std::size_t i) {
            return nlohmann::ordered_json{
                {"rank", at[i] + 1}, {"draft", e.space->draftText(e.drafts[at[i]])}, {"facts", facts[i]}};
        };
        const nlohmann::ordered_json json{
            {"of", opName}, {"target", e.target->id},   {"origin", name(e.origin)}, {"a", side(0)},
            {"b", side(1)}, {"headline", why.headline}, {"parts", parts},           {"advice", said}};
        return session.print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                             "\n");
    }
    std::string text = fmt::format("{} on {}, {}\n", opName, e.target->id, name(e.origin));
    for (std::size_t i = 0; i < 2; ++i)
        text += fmt::format("{}: number {}, {}\n", i == 0 ? "A" : "B", at[i] + 1,
                            e.space->draftText(e.drafts[at[i]]));
    text += fmt::format("\n{}\n", why.text());
    for (const Advice& one : advised)
        text += fmt::format("\nAbout B: {}{}\n", one.text,
                            one.help.empty() ? "" : fmt::format(" (help: {})", one.help));
    return session.print(text);
}

Result<void> checkWhy(const ExploreArguments& options) {
    if (options.why.empty())
        return {};
    if (options.simulate || options.output.top || options.output.rejected || options.output.csv)
        return fail(ErrorCode::Usage, "compares two drafts and lists none", "--why",
                    "leave out --simulate, --top, --rejected and --csv");
    return {};
}

Result<void> checkSimulate(const ExploreArguments& options) {
    if (!options.simulate)
        return {};
    if (*options.simulate < 1)
        return fail(ErrorCode::Usage, fmt::format("is {}, allowed is 1 and more", *options.simulate),
                    "--simulate");
    if (options.output.top || options.output.rejected)
        return fail(ErrorCode::Usage, "lists the drafts it simulates, all of them", "--simulate",
                    "leave out --top and --rejected");
    return {};
}

Result<void> run(Session& session, const ExploreArguments& options) {
    PIM_CHECK(checkSimulate(options));
    PIM_CHECK(checkWhy(options));
    PIM_CHECK(options.exhaustive.check("--simulate", options.simulate.has_value()));
    PIM_CHECK(options.exhaustive.check("--why", !options.why.empty()));
    PIM_CHECK(options.exhaustive.check("--rejected", options.output.rejected));
    PIM_TRY(const ModelArgument argument, findModel(options.model.model));
    PlanRequest request;
    PIM_TRY(request.target, options.target.find(session, argument.target));
    PIM_TRY(const Backend* backend, backendFor(session, *request.target));
    PIM_TRY(request.options, options.target.compileOptions(session.backends()));
    PIM_CHECK(options.predictor.apply(session, request.target, request.options));
    PIM_CHECK(checkCodePasses(*backend, request.options.passes));
    PIM_TRY(request.options.tiling, options.output.tilingOptions());
    PIM_TRY(request.graph, options.model.load(session));
    PIM_TRY(const OpId op, findOp(*request.graph, options.op));
    if (!options.overrides.empty()) {
        PIM_TRY(const std::string text, inputText(options.overrides, session.task()));
        PIM_TRY(const Overrides all, Overrides::fromJson(text, {}, options.overrides));
        request.overrides = decisionsForOneMachine(all);
    }
    PIM_TRY(const DraftFacet* drafts, draftsOf(*backend, request.graph->op(op).name));
    PIM_TRY(const auto exploration, drafts->explore(request, op, session.task()));
    PredictorOption::sayOutside(session, *exploration, request.options);
    const std::string& opName = request.graph->op(op).name;
    if (!options.why.empty())
        return printWhy(session, options, *exploration, opName, request.options.tiling);
    if (options.exhaustive.wanted)
        return options.exhaustive.run(session, *drafts, *exploration, opName, options.output.csv,
                                      options.output.top);
    const auto known = knownError(*exploration, request.options);
    if (!options.simulate)
        return options.output.print(session, *exploration, opName, known);
    std::vector<std::size_t> best(
        std::min(static_cast<std::size_t>(*options.simulate), exploration->drafts.size()));
    std::iota(best.begin(), best.end(), std::size_t{0});
    PIM_TRY(const auto simulated, drafts->simulateDrafts(*exploration, best, 0, session.task()));
    return printSimulated(session, options, *exploration, opName, known, simulated);
}

} // namespace

Action exploreVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<ExploreArguments>();
    options->model.declare(verb);
    options->target.declare(verb, backends);
    options->predictor.declare(verb);
    options->output.declare(verb);
    options->exhaustive.declare(verb);
    verb.add_option("--op", options->op, "Op to explore: its name, or a part of it no other op has")
        ->required()
        ->type_name("NAME");
    verb.add_option("--override", options->overrides, "Your decisions: a JSON document; - is stdin")
        ->type_name("FILE");
    verb.add_option("--simulate", options->simulate,
                    "Simulate the N drafts predicted best and say which wins")
        ->type_name("N");
    verb.add_option("--why", options->why,
                    "Explain why draft B is slower or faster than draft A: two numbers of the list, or texts "
                    "of drafts")
        ->expected(2)
        ->type_name("A B");
    verb.footer("Examples:\n"
                "  pimc explore sample:tiny-gpt --op head/Gemm --target attacc --why 1 4\n"
                "  pimc explore sample:tiny-gpt --op head/Gemm --target attacc --simulate 8\n"
                "  pimc explore sample:gpt3-13b-decode --op /layers.0/mlp/fc1/MatMul\n"
                "  pimc explore model.onnx --op Conv_12 --target hbm-pim --csv > drafts.csv\n"
                "  pimc explore model.onnx --op Gemm_3 --target aim --exhaustive\n"
                "  pimc explore model.onnx --op Gemm_3 --target attacc --rules 1,2 --rejected --json");
    return [options](Session& session) { return run(session, *options); };
}

} // namespace pim::cli
