// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/exhaustive_output.h"

#include "core/base/number_text.h"
#include "core/base/text_table.h"
#include "core/drafts/exhaustive.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

struct View {
    const Exploration& exploration;
    const ExhaustiveResult& result;
    const std::string& title;
    std::vector<double> pricedNs;
    std::size_t shown = 0;

    std::string draft(std::size_t i) const { return exploration.space->draftText(exploration.drafts[i]); }
    std::size_t optimum() const { return result.simulated.front().draft; }
};

/// What the first draft of a ranking takes more than the optimum.
std::optional<double> lossOf(const View& view, const std::vector<double>& rankedNs) {
    const auto first =
        static_cast<std::size_t>(std::min_element(rankedNs.begin(), rankedNs.end()) - rankedNs.begin());
    const auto ns = view.result.timeOf(first);
    return ns ? std::optional(*ns / view.result.simulated.front().ns - 1) : std::nullopt;
}

std::string rankLine(const View& view, std::string_view by, const std::vector<double>& rankedNs) {
    const std::int64_t rank = rankOf(rankedNs, view.optimum());
    const auto loss = lossOf(view, rankedNs);
    return fmt::format("{} gave the optimum place {}{}\n", by, exactText(rank),
                       rank == 1 ? ""
                       : loss    ? fmt::format("; its own first choice takes {} more", percentText(*loss))
                                 : "; there is no code for its own first choice");
}

std::string text(const View& view) {
    const Exploration& e = view.exploration;
    const ExhaustiveResult& result = view.result;
    std::string text = fmt::format(
        "{} on {}: the fastest of all {} drafts that the rules leave, simulated command by command\n\n",
        view.title, e.target->id, exactText(std::ssize(e.drafts)));
    text += fmt::format("simulated  {} drafts\n", exactText(std::ssize(result.simulated)));
    if (result.skipped > 0)
        text += fmt::format("ruled out  {} drafts: whatever their commands, they take {} or more\n",
                            exactText(result.skipped), timeText(result.skippedBoundNs));
    if (result.withoutCode > 0)
        text += fmt::format("no code    {} drafts\n", exactText(result.withoutCode));
    if (result.simulated.empty())
        return text + "none of them could be simulated\n";
    text +=
        fmt::format("optimum    {}, {}\n", timeText(result.simulated.front().ns), view.draft(view.optimum()));
    text += rankLine(view, "price     ", view.pricedNs);
    if (!e.predictedNs.empty())
        text += rankLine(view, "prediction", e.predictedNs);
    TextTable table({">\trank", ">simulated", ">price", ">off", ">at least", "draft"});
    for (std::size_t i = 0; i < view.shown; ++i) {
        const auto& [draft, ns] = result.simulated[i];
        table.add({std::to_string(i + 1), timeText(ns), timeText(view.pricedNs[draft]),
                   percentText(view.pricedNs[draft] > 0 ? ns / view.pricedNs[draft] - 1 : 0),
                   timeText(e.boundsNs[draft]), view.draft(draft)});
    }
    return text + "\n" + table.text();
}

std::string csv(const View& view) {
    std::string text = "rank,draft,simulated_ns,price_ns,price_rank,predicted_ns,bound_ns\n";
    for (std::size_t i = 0; i < view.shown; ++i) {
        const auto& [draft, ns] = view.result.simulated[i];
        const std::vector<double>& predicted = view.exploration.predictedNs;
        text += fmt::format("{},{},{},{},{},{},{}\n", i + 1, csvField(view.draft(draft)), ns,
                            view.pricedNs[draft], draft + 1,
                            predicted.empty() ? std::string() : fmt::format("{}", predicted[draft]),
                            view.exploration.boundsNs[draft]);
    }
    return text;
}

std::string json(const View& view) {
    const Exploration& e = view.exploration;
    const ExhaustiveResult& result = view.result;
    ordered_json drafts = ordered_json::array();
    for (std::size_t i = 0; i < view.shown; ++i) {
        const auto& [draft, ns] = result.simulated[i];
        ordered_json entry{
            {"draft", view.draft(draft)}, {"simulated_ns", ns}, {"price_ns", view.pricedNs[draft]}};
        if (!e.predictedNs.empty())
            entry["predicted_ns"] = e.predictedNs[draft];
        entry["bound_ns"] = e.boundsNs[draft];
        drafts.push_back(std::move(entry));
    }
    ordered_json json{
        {"of", view.title},
        {"target", e.target->id},
        {"kernel", e.space->kernel().text()},
        {"enumerated", e.counts.enumerated},
        {"kept", std::ssize(e.drafts)},
        {"simulated", std::ssize(result.simulated)},
        {"ruled_out", result.skipped},
        {"ruled_out_bound_ns", result.skipped > 0 ? ordered_json(result.skippedBoundNs) : ordered_json()},
        {"without_code", result.withoutCode}};
    if (!result.simulated.empty()) {
        const auto rank = [&](const std::vector<double>& rankedNs) {
            const auto loss = lossOf(view, rankedNs);
            return ordered_json{{"rank_of_optimum", rankOf(rankedNs, view.optimum())},
                                {"loss_of_first", loss ? ordered_json(*loss) : ordered_json()}};
        };
        json["optimum"] = {{"draft", view.draft(view.optimum())},
                           {"simulated_ns", result.simulated.front().ns}};
        json["price"] = rank(view.pricedNs);
        if (!e.predictedNs.empty())
            json["prediction"] = rank(e.predictedNs);
    }
    json["drafts"] = std::move(drafts);
    return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace

void ExhaustiveOutput::declare(CLI::App& verb) {
    verb.add_flag("--exhaustive", wanted,
                  "Simulate every draft that may be the fastest, until bounds rule out the rest; --rules "
                  "none: of all drafts");
}

Result<void> ExhaustiveOutput::check(const char* other, bool given) const {
    if (wanted && given)
        return fail(ErrorCode::Usage, "simulates all drafts and lists them its own way", "--exhaustive",
                    fmt::format("leave out {}", other));
    return {};
}

Result<void> ExhaustiveOutput::run(Session& session, const DraftFacet& drafts, const Exploration& exploration,
                                   const std::string& title, bool asCsv,
                                   std::optional<std::int64_t> top) const {
    constexpr std::int64_t kShownInText = 20;
    if (top && *top < 0)
        return fail(ErrorCode::Usage, fmt::format("is {}, allowed is 0 and more", *top), "--top");
    if (exploration.counts.truncated)
        session.say("warning: more drafts than are kept in memory; those left out are not simulated");
    PIM_TRY(const ExhaustiveResult result, searchExhaustively(drafts, exploration, {}, session.task()));
    View view{exploration, result, title, {}, 0};
    for (const CostSplit& cost : exploration.costs)
        view.pricedNs.push_back(cost.totalNs());
    const std::int64_t wantedRows = top ? *top : asCsv || session.json ? INT64_MAX : kShownInText;
    view.shown = static_cast<std::size_t>(std::min(wantedRows, std::ssize(result.simulated)));
    if (asCsv && !session.json)
        return session.printCsv(csv(view));
    return session.print(session.json ? json(view) : text(view));
}

} // namespace pim::cli
