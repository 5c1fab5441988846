// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/predictor_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::evaluation {
namespace {

using nlohmann::ordered_json;
using report::Column;
using report::Paragraph;

std::string percent(double value) {
    return fmt::format("{:.1f} %", value);
}
double paperShare(const PredictorRow& row) {
    return row.paperSizes > 0 ? 100 * row.paperFound / row.paperSizes : 0;
}
/// "AttAcc+ATTN" as the figures name it.
std::string groupOf(const PredictorRow& row) {
    const std::size_t plus = row.paperName.find('+');
    return row.paperName.substr(plus + 1) + " on " + row.paperName.substr(0, plus);
}
/// "99.4 %", or nothing where the optimum was always found.
std::string ofOthers(const PredictorRow& row, double value) {
    return row.others() > 0 ? percent(value) : "–";
}

} // namespace

report::Section predictorSection(std::span<const PredictorRow> rows) {
    report::Section section;
    section.title = "Table II: the best draft, predicted";
    section.blocks.push_back(Paragraph{
        "Sizes that the predictor was not trained with. Found: the draft ranked first is the simulated "
        "optimum of all drafts, or less than one clock of the memory from it. Otherwise: its share of "
        "the optimum, on average and at least. Best of 8: the fastest of the first eight, simulated, is "
        "within 0.5 % of the optimum; that is what a compile does. Formula: found by the price alone.",
        Paragraph::Style::Normal});
    report::Table table;
    table.caption = "Per cent of sizes, per cent of the optimum";
    table.columns = {{"", Column::Kind::Text}};
    for (const char* title :
         {"sizes", "found", "paper", "otherwise", "paper", "at least", "best of 8", "formula"})
        table.columns.push_back({title, Column::Kind::Number});
    for (const PredictorRow& row : rows)
        table.rows.push_back({groupOf(row), std::to_string(row.sizes.size()), percent(row.found()),
                              percent(paperShare(row)), ofOthers(row, row.rest()), percent(row.paperRest),
                              ofOthers(row, row.worst()), percent(row.verified()),
                              percent(row.foundByPrice())});
    const PredictorTotals all = totalsOf(rows);
    table.rows.push_back({"all", std::to_string(all.sizes), percent(all.found), percent(all.paperFound),
                          percent(all.rest), percent(all.paperRest), "", "", ""});
    section.blocks.push_back(std::move(table));
    return section;
}

std::string predictorText(std::span<const PredictorRow> rows) {
    std::string text = "Table II: the best draft, predicted (per cent of sizes; otherwise of the optimum)\n";
    text += fmt::format("  {:<18} {:>5} {:>8} {:>8} | {:>9} {:>8} {:>8} | {:>9} {:>8}\n", "", "sizes",
                        "found", "paper", "otherwise", "paper", "at least", "best of 8", "formula");
    for (const PredictorRow& row : rows)
        text += fmt::format("  {:<18} {:>5} {:>8} {:>8} | {:>9} {:>8} {:>8} | {:>9} {:>8}\n", groupOf(row),
                            row.sizes.size(), percent(row.found()), percent(paperShare(row)),
                            row.others() > 0 ? percent(row.rest()) : "-", percent(row.paperRest),
                            row.others() > 0 ? percent(row.worst()) : "-", percent(row.verified()),
                            percent(row.foundByPrice()));
    const PredictorTotals all = totalsOf(rows);
    return text + fmt::format("  {:<18} {:>5} {:>8} {:>8} | {:>9} {:>8}\n\n", "all", all.sizes,
                              percent(all.found), percent(all.paperFound), percent(all.rest),
                              percent(all.paperRest));
}

std::string predictorJson(std::span<const PredictorRow> rows) {
    const PredictorTotals all = totalsOf(rows);
    ordered_json json{{"sizes", all.sizes}, {"found", all.found},          {"paper_found", all.paperFound},
                      {"rest", all.rest},   {"paper_rest", all.paperRest}, {"rows", ordered_json::array()}};
    for (const PredictorRow& row : rows) {
        ordered_json sizes = ordered_json::array();
        for (const PredictorSize& size : row.sizes)
            sizes.push_back({{"rows", size.rows},
                             {"columns", size.columns},
                             {"best_ns", size.bestNs},
                             {"chosen_ns", size.chosenNs},
                             {"verified_ns", size.verifiedNs},
                             {"formula_ns", size.pricedNs},
                             {"found", size.isFound()}});
        json["rows"].push_back({{"group", groupOf(row)},
                                {"target", row.target},
                                {"kernel", row.family},
                                {"predictor", row.model},
                                {"found", row.found()},
                                {"exact", row.exact()},
                                {"rest", row.rest()},
                                {"worst", row.worst()},
                                {"verified", row.verified()},
                                {"formula_found", row.foundByPrice()},
                                {"paper_sizes", row.paperSizes},
                                {"paper_found", paperShare(row)},
                                {"paper_rest", row.paperRest},
                                {"sizes", std::move(sizes)}});
    }
    return json.dump();
}

} // namespace pim::evaluation
