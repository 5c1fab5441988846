// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/paper_table.h"

#include "app/evaluation/document_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pim::evaluation {
namespace {

std::string spreadText(const Spread& spread) {
    const auto number = [](double value) { return fmt::format("{:.3g}", value); };
    std::string text = spread.mean ? number(*spread.mean) : std::string();
    if (spread.low && spread.high) {
        const std::string range = number(*spread.low) == number(*spread.high)
                                      ? std::string()
                                      : fmt::format("{}–{}", number(*spread.low), number(*spread.high));
        if (!range.empty())
            text += text.empty() ? range : fmt::format(" ({})", range);
    }
    return text.empty() ? "–" : text;
}

nlohmann::ordered_json spreadJson(const Spread& spread) {
    const auto number = [](const std::optional<double>& value) {
        return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
    };
    return {{"low", number(spread.low)}, {"mean", number(spread.mean)}, {"high", number(spread.high)}};
}

} // namespace

report::Document paperDocument(const PaperEvaluation& evaluation) {
    report::Document document;
    document.eyebrow = "Evaluation";
    document.headline = evaluation.headline;
    document.lead = evaluation.lead;
    document.footer = "PIM Studio";
    for (const PaperTable& table : evaluation.tables) {
        std::vector<std::vector<std::string>> rows;
        for (const PaperRow& row : table.rows)
            rows.push_back(
                {row.subject, row.what, spreadText(row.published), spreadText(row.ours), row.reason});
        document.sections.push_back(tableSection(fmt::format("{}: {}", table.place, table.title),
                                                 {"of", "what", ">published", ">ours", "why they differ"},
                                                 std::move(rows)));
        addNote(document.sections.back(), table.note);
    }
    return document;
}

std::string paperJson(const PaperEvaluation& evaluation) {
    using nlohmann::ordered_json;
    ordered_json tables = ordered_json::array();
    for (const PaperTable& table : evaluation.tables) {
        ordered_json rows = ordered_json::array();
        for (const PaperRow& row : table.rows)
            rows.push_back({{"of", row.subject},
                            {"what", row.what},
                            {"published", spreadJson(row.published)},
                            {"ours", spreadJson(row.ours)},
                            {"reason", row.reason}});
        tables.push_back(
            {{"place", table.place}, {"title", table.title}, {"rows", rows}, {"note", table.note}});
    }
    return ordered_json{{"paper", evaluation.paper}, {"tables", tables}}.dump(2) + "\n";
}

Spread spreadOf(const std::vector<double>& values) {
    if (values.empty())
        return {};
    double logs = 0;
    for (const double value : values)
        logs += std::log(value);
    const auto [low, high] = std::ranges::minmax(values);
    return {low, std::exp(logs / double(values.size())), high};
}

} // namespace pim::evaluation
