// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How panels stand in the window at first: columns of cells, each a stack of tabs. A panel that none of its cells names
/// waits behind the one named last.
#include "views/models/panel_columns.h"

#include <QString>

#include <map>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace pim::studio {

using views::kQuestions;
using views::Question;

struct Arrangement {
    struct Column {
        int percent = 100;                   ///< Of the window's width.
        std::vector<views::PanelCell> cells; ///< From top to bottom.
    };
    std::vector<Column> columns; ///< From left to right.
};

/// What of \p columns a window of this size, counted in lines of its text, has room for. Cells of a column become tabs
/// of one, columns become tabs of another; no panel is left out.
Arrangement fittedArrangement(std::vector<views::PanelColumn> columns, int linesWide, int linesHigh);
/// Lays out all \p docks, by their ids. Ids that name no dock are passed over.
void arrange(QMainWindow& window, const std::map<QString, QDockWidget*>& docks,
             const Arrangement& arrangement);

} // namespace pim::studio
