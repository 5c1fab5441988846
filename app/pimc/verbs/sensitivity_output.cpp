// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/sensitivity_output.h"

#include "app/pimc/json_document.h"
#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace pim::cli {
namespace {

std::string leadText(double lead) {
    return lead == 0 ? "cannot" : std::isfinite(lead) ? fmt::format("{:.2f}×", lead) : "alone";
}

nlohmann::json valueJson(const DecidingValue& value) {
    return {{"value", value.value},
            {"first", value.first},
            {"ns", value.ns},
            {"lead", std::isfinite(value.lead) ? nlohmann::json(value.lead) : nlohmann::json()},
            {"takes_over_at", value.takesOverAt ? nlohmann::json(*value.takesOverAt) : nlohmann::json()},
            {"problem", value.problem}};
}

} // namespace

std::string sensitivityText(const Sensitivity& found) {
    std::string text = fmt::format("As things are {} is first, {}", found.now.first, timeText(found.now.ns));
    if (!found.second.empty())
        text += fmt::format(", {} as fast as {}", leadText(found.now.lead), found.second);
    TextTable table({"Otherwise", "Now", "Value", "First", ">Time",
                     fmt::format(">{} leads by", found.now.first), ">Takes over at"});
    std::string decides;
    for (const DecidingInput& input : found.inputs) {
        if (input.changesFirst())
            decides += (decides.empty() ? "" : ", ") + input.input.name;
        for (const DecidingValue& value : input.values) {
            if (!value.problem.empty()) {
                table.add({input.input.name, input.now, value.value, value.problem, "", "", ""});
                continue;
            }
            table.add({input.input.name, input.now, value.value, value.first.empty() ? "none" : value.first,
                       value.first.empty() ? "" : timeText(value.ns), leadText(value.lead),
                       value.takesOverAt ? fmt::format("{:.4g}", *value.takesOverAt) : ""});
        }
    }
    text += fmt::format(".\n\n{}\n", table.text());
    text += decides.empty()
                ? fmt::format("Nothing of this makes another machine than {} first.\n", found.now.first)
                : fmt::format("Who is first depends on: {}.\n", decides);
    return text;
}

std::string sensitivityJson(const Sensitivity& found) {
    nlohmann::json inputs = nlohmann::json::array();
    for (const DecidingInput& input : found.inputs) {
        nlohmann::json values = nlohmann::json::array();
        for (const DecidingValue& value : input.values)
            values.push_back(valueJson(value));
        const double swing = input.swing(found.now.lead);
        inputs.push_back({{"input", input.input.name},
                          {"now", input.now},
                          {"changes_first", input.changesFirst()},
                          {"swing", std::isfinite(swing) ? nlohmann::json(swing) : nlohmann::json()},
                          {"values", values}});
    }
    const nlohmann::json document{
        {"now", valueJson(found.now)}, {"second", found.second}, {"inputs", inputs}};
    return jsonDocument(document);
}

} // namespace pim::cli
