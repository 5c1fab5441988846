// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/panel_columns.h"

#include <utility>

namespace pim::views {

PanelColumn factsColumn(int percent) {
    return {percent, {{100, {"inspector", "model", "problems", "notes", "tasks"}}}};
}

PanelColumn besides(int percent, std::vector<const char*> tabs, std::size_t joins) {
    constexpr int kThreeColumns = 66;
    return {percent, {{100, std::move(tabs)}}, 0, kThreeColumns, joins};
}

PanelColumns plainColumns() {
    PanelColumns columns;
    columns[Question::WhereTimeGoes] = {
        {70, {{55, {"graph"}}, {45, {"breakdown", "limits", "timeline", "pipeline"}}}},
        factsColumn(30),
    };
    columns[Question::WhyThisDraft] = {
        besides(26, {"inspector", "graph"}, 2),
        {44, {{55, {"drafts"}}, {45, {"tiles", "compare", "predictor", "program", "levels"}}}},
        {30, {{100, {"hardware"}}}},
    };
    columns[Question::WhatIf] = {
        {27, {{55, {"decisions"}}, {45, {"history", "messages"}}}},
        {45, {{100, {"runs", "which", "systems", "sql", "breakdown"}}}},
        besides(28, {"inspector", "graph", "hardware"}, 0),
    };
    return columns;
}

} // namespace pim::views
