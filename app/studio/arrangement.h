// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How panels stand in the window at first: columns of cells, each a stack of tabs. One table for each
/// question and kind of plan; a panel that none of its cells names waits behind the one named last.
#include <QString>

#include <map>
#include <string_view>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace pim::studio {

enum class Question { WhereTimeGoes, WhyThisDraft, WhatIf };
/// What a plan is made of: drafts of single ops, segments of the whole network, or weights that lie on chips.
/// Each has panels of its own.
enum class PlanKind { Drafts, Segments, Chips };
inline constexpr PlanKind kPlanKinds[] = {PlanKind::Drafts, PlanKind::Segments, PlanKind::Chips};
/// \p family as in Target::family.
PlanKind planKindOf(std::string_view family);
inline constexpr int kQuestions = 3;

struct Arrangement {
    struct Cell {
        int percent = 100;             ///< Of the window's height.
        std::vector<const char*> tabs; ///< Ids of panels; the first is in front.
    };
    struct Column {
        int percent = 100;       ///< Of the window's width.
        std::vector<Cell> cells; ///< From top to bottom.
    };
    std::vector<Column> columns; ///< From left to right.
};

const Arrangement& defaultArrangement(Question question, PlanKind kind);
/// Lays out all \p docks, by their ids. Ids that name no dock are passed over.
void arrange(QMainWindow& window, const std::map<QString, QDockWidget*>& docks,
             const Arrangement& arrangement);

} // namespace pim::studio
