// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/exploration_output.h"

#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

constexpr PruneRule kPruned[] = {PruneRule::Redundant, PruneRule::SimdMultiple, PruneRule::WorstCore,
                                 PruneRule::Capacity};

std::int64_t count(const EnumerationCounts& counts, PruneRule rule) {
    return counts.byRule[static_cast<std::size_t>(rule)];
}

/// One piece of output at a time: there can be a million drafts.
class Pieces {
public:
    using Print = Result<void> (Session::*)(std::string_view);
    explicit Pieces(Session& session, Print print = &Session::print) : m_session(session), m_print(print) {}
    Result<void> add(std::string_view text) {
        constexpr std::size_t kPieceBytes = 1 << 16;
        m_text += text;
        return m_text.size() < kPieceBytes ? Result<void>() : flush();
    }
    Result<void> flush() {
        const std::string text = std::move(m_text);
        m_text.clear();
        return (m_session.*m_print)(text);
    }

private:
    Session& m_session;
    Print m_print;
    std::string m_text;
};

std::string columns(const CostSplit& c) {
    return fmt::format("{},{},{},{},{}", c.totalNs(), c.inputNs, c.computeNs, c.outputNs, c.modeSwitchNs);
}

Result<void> printCsv(Session& session, const Exploration& e, std::size_t shown, bool rejected) {
    Pieces out(session, &Session::printCsv);
    PIM_CHECK(out.add("rank,draft,rule,total_ns,input_ns,compute_ns,output_ns,mode_switch_ns\n"));
    for (std::size_t i = 0; i < shown; ++i)
        PIM_CHECK(out.add(fmt::format("{},{},,{}\n", i + 1, csvField(e.space->draftText(e.drafts[i])),
                                      columns(e.costs[i]))));
    if (rejected)
        for (const auto& [draft, rule] : e.rejected)
            PIM_CHECK(out.add(fmt::format(",{},{},,,,,\n", csvField(e.space->draftText(draft)),
                                          csvField(std::string(name(rule))))));
    return out.flush();
}

Result<void> printJson(Session& session, const Exploration& e, const std::string& title,
                       const std::optional<PredictorError>& known, std::size_t shown, bool rejected) {
    ordered_json sets = ordered_json::array();
    for (const DimensionSet& set : e.space->sets()) {
        ordered_json mappings = ordered_json::array();
        for (const Mapping& mapping : set.mappings)
            mappings.push_back(mapping.text);
        sets.push_back({{"set", set.text}, {"mappings", mappings}});
    }
    ordered_json tensors = ordered_json::array();
    for (const TensorPlan& tensor : e.tensors)
        tensors.push_back({{"name", tensor.name},
                           {"residency", name(tensor.residency)},
                           {"bytes", tensor.bytes},
                           {"load_ns", tensor.loadNs}});
    ordered_json pruned = ordered_json::object();
    for (const PruneRule rule : kPruned)
        pruned[std::string(name(rule))] = count(e.counts, rule);
    const ordered_json head{{"of", title},
                            {"target", e.target->id},
                            {"kernel", e.space->kernel().text()},
                            {"sets", sets},
                            {"tensors", tensors},
                            {"enumerated", e.counts.enumerated},
                            {"kept", count(e.counts, PruneRule::Kept)},
                            {"pruned", pruned},
                            {"rule2_skipped", e.counts.rule2Skipped},
                            {"truncated", e.counts.truncated},
                            {"host_ns", e.hostNs},
                            {"origin", name(e.origin)},
                            {"known_error", ordered_json::parse(knownErrorJson(known))}};
    std::string start = head.dump(2, ' ', false, ordered_json::error_handler_t::replace);
    start.resize(start.rfind('\n')); // the closing brace comes last
    Pieces out(session);
    PIM_CHECK(out.add(start + ",\n  \"drafts\": ["));
    for (std::size_t i = 0; i < shown; ++i) {
        const CostSplit& c = e.costs[i];
        PIM_CHECK(out.add(fmt::format("{}\n    {{\"draft\": {}, \"total_ns\": {}, \"input_ns\": {}, "
                                      "\"compute_ns\": {}, \"output_ns\": {}, "
                                      "\"mode_switch_ns\": {}{}}}",
                                      i > 0 ? "," : "", ordered_json(e.space->draftText(e.drafts[i])).dump(),
                                      c.totalNs(), c.inputNs, c.computeNs, c.outputNs, c.modeSwitchNs,
                                      e.predictedNs.empty()
                                          ? std::string()
                                          : fmt::format(", \"predicted_ns\": {}", e.predictedNs[i]))));
    }
    PIM_CHECK(out.add(shown > 0 ? "\n  ]" : "]"));
    if (rejected) {
        PIM_CHECK(out.add(",\n  \"rejected\": ["));
        for (std::size_t i = 0; i < e.rejected.size(); ++i)
            PIM_CHECK(out.add(fmt::format("{}\n    {{\"draft\": {}, \"rule\": \"{}\"}}", i > 0 ? "," : "",
                                          ordered_json(e.space->draftText(e.rejected[i].draft)).dump(),
                                          name(e.rejected[i].rule))));
        PIM_CHECK(out.add(e.rejected.empty() ? "]" : "\n  ]"));
    }
    PIM_CHECK(out.add("\n}\n"));
    return out.flush();
}

Result<void> printText(Session& session, const Exploration& e, const std::string& title,
                       const std::optional<PredictorError>& known, std::size_t shown, bool rejected) {
    std::string text = fmt::format("{} on {}\n{}\n\n", title, e.target->id, e.space->kernel().text());
    for (const DimensionSet& set : e.space->sets())
        text += fmt::format("set {}\n", set.text);
    text += fmt::format("\n{} drafts, {} kept", exactText(e.counts.enumerated),
                        exactText(count(e.counts, PruneRule::Kept)));
    for (const PruneRule rule : kPruned)
        if (count(e.counts, rule) > 0)
            text += fmt::format(", {} pruned: {}", exactText(count(e.counts, rule)), name(rule));
    text += e.counts.rule2Skipped ? "; no draft met rule 2, so it was not applied" : "";
    text += e.hostNs > 0 ? fmt::format("\non the host {}\n", timeText(e.hostNs)) : "\n";
    text += knownErrorText(known, !e.predictedNs.empty()) + "\n\n";

    TextTable drafts({">\trank", ">time", ">input", ">compute", ">output", "draft"});
    for (std::size_t i = 0; i < shown; ++i) {
        const CostSplit& c = e.costs[i];
        drafts.add({std::to_string(i + 1), timeText(c.totalNs()), timeText(c.inputNs), timeText(c.computeNs),
                    timeText(c.outputNs), e.space->draftText(e.drafts[i])});
    }
    text += drafts.text();
    if (shown < e.drafts.size())
        text += fmt::format("… and {} slower drafts; --top N shows more\n",
                            exactText(static_cast<std::int64_t>(e.drafts.size() - shown)));
    if (rejected) {
        TextTable out({"pruned by", "draft"});
        for (const auto& [draft, rule] : e.rejected)
            out.add({std::string(name(rule)), e.space->draftText(draft)});
        text += "\n" + out.text();
    }
    return session.print(text);
}

} // namespace

void ExplorationOutput::declare(CLI::App& verb) {
    verb.add_flag("--csv", csv, "Print comma-separated values");
    verb.add_option("--top", top, "Drafts to list, fastest first; 20 in text, else all")->type_name("N");
    verb.add_option("--rules", rules,
                    "Pruning rules to apply: any of 1,2,3, none, or paper (rule 2 as printed: lengths are "
                    "multiples of the lanes)")
        ->capture_default_str()
        ->type_name("LIST");
    verb.add_flag("--rejected", rejected, "List pruned drafts too, the first 1000 of each rule");
}

Result<TilingOptions> ExplorationOutput::tilingOptions() const {
    TilingOptions options;
    options.everyAllocation = true;
    options.rule1 = options.rule2 = options.rule3 = false;
    if (rules == "none")
        return options;
    if (rules == "paper")
        return TilingOptions{.paperRule2 = true};
    for (const std::string& rule : CLI::detail::split(rules, ',')) {
        if (rule != "1" && rule != "2" && rule != "3")
            return fail(ErrorCode::Usage, fmt::format("there is no rule \"{}\"", rule), "--rules",
                        "allowed are 1, 2 and 3 with commas between, none, or paper");
        (rule == "1" ? options.rule1 : rule == "2" ? options.rule2 : options.rule3) = true;
    }
    return options;
}

std::string knownErrorJson(const std::optional<PredictorError>& known) {
    if (!known)
        return "null";
    return ordered_json{{"drafts", known->drafts},
                        {"price", known->meanOfPrice},
                        {"predicted", known->mean},
                        {"worst_predicted", known->worst}}
        .dump();
}

std::string knownErrorText(const std::optional<PredictorError>& known, bool predicts) {
    if (!known)
        return "known error of predicted times: none known for such kernels on this machine";
    return fmt::format("known error of predicted times: {}{} on average of {} drafts of other sizes",
                       offText(known->meanOfPrice),
                       predicts ? fmt::format(", as learned {}", offText(known->mean)) : std::string(),
                       known->drafts);
}

Result<void> ExplorationOutput::print(Session& session, const Exploration& exploration,
                                      const std::string& title,
                                      const std::optional<PredictorError>& known) const {
    constexpr std::int64_t kShownInText = 20;
    if (exploration.counts.truncated)
        session.say("warning: more drafts than are kept in memory; the list is not complete");
    const std::int64_t wanted = top ? *top : csv || session.json ? INT64_MAX : kShownInText;
    if (wanted < 0)
        return fail(ErrorCode::Usage, fmt::format("is {}, allowed is 0 and more", wanted), "--top");
    const auto shown =
        static_cast<std::size_t>(std::min(wanted, static_cast<std::int64_t>(exploration.drafts.size())));
    if (csv)
        return printCsv(session, exploration, shown, rejected);
    if (session.json)
        return printJson(session, exploration, title, known, shown, rejected);
    return printText(session, exploration, title, known, shown, rejected);
}

Result<const Backend*> backendFor(Session& session, const Target& target) {
    PIM_TRY(const Backend* backend, session.backends().find(target.backend));
    for (const Diagnostic& problem : backend->checkTarget(target))
        if (problem.severity == Severity::Error)
            return fail(ErrorCode::InvalidTarget, problem.message, target.id + ": " + problem.object,
                        problem.hint);
    return backend;
}

} // namespace pim::cli
