// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How panels stand in the window around each question a user has: columns of cells, each a stack of tabs.
/// Flow: FamilyPanels -> [columns] -> app/studio/arrangement.
#include <cstddef>
#include <map>
#include <vector>

namespace pim::views {

enum class Question { WhereTimeGoes, WhyThisDraft, WhatIf };
inline constexpr int kQuestions = 3;

struct PanelCell {
    int percent = 100;             ///< Of the window's height.
    std::vector<const char*> tabs; ///< Ids of panels; the first is in front.
};

/// A column, and when a window is too small for it.
struct PanelColumn {
    int percent = 100;            ///< Of the window's width.
    std::vector<PanelCell> cells; ///< From top to bottom.
    int linesHigh = 36;           ///< In a lower window the cells are tabs of one.
    int linesWide = 0;            ///< In a narrower window the panels are tabs of column \ref joins.
    std::size_t joins = 0;
};
/// From left to right; a panel that none of them names waits behind the one named last.
using PanelColumns = std::map<Question, std::vector<PanelColumn>>;

/// Beside every question: what is selected, with what is looked up less often behind it.
PanelColumn factsColumn(int percent);
/// In a column of its own where there is room, else behind the panels of column \p joins.
PanelColumn besides(int percent, std::vector<const char*> tabs, std::size_t joins);
/// Of a machine planned op by op, with the panels that are there for every family.
PanelColumns plainColumns();

} // namespace pim::views
