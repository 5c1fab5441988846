// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/arrangement.h"

#include "app/studio/fitted_arrangement.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>

namespace pim::studio {
namespace {

/// A column, and when a window is too small for it.
struct Column {
    int percent = 100;
    std::vector<Arrangement::Cell> cells;
    int linesHigh = 36; ///< In a lower window the cells are tabs of one.
    int linesWide = 0;  ///< In a narrower window the panels are tabs of column \ref joins.
    std::size_t joins = 0;
};

/// Beside every question: what is selected, with what is looked up less often behind it.
Column factsColumn(int percent) {
    return {percent, {{100, {"inspector", "model", "problems", "notes", "tasks"}}}};
}

/// In a column of its own where there is room, else behind the panels of column \p joins.
Column besides(int percent, std::vector<const char*> tabs, std::size_t joins) {
    constexpr int kThreeColumns = 66;
    return {percent, {{100, std::move(tabs)}}, 0, kThreeColumns, joins};
}

/// Runs are compared in words, bars and a table: with segments below that takes a high window.
Column runsAndSegments(int percent) {
    return {percent, {{55, {"runs", "sweep", "breakdown", "sql"}}, {45, {"segments"}}}, 90};
}

std::map<std::pair<Question, PlanKind>, std::vector<Column>> makeColumns() {
    std::map<std::pair<Question, PlanKind>, std::vector<Column>> all;
    all[{Question::WhereTimeGoes, PlanKind::Drafts}] = {
        {70, {{55, {"graph"}}, {45, {"breakdown", "timeline", "commands", "pipeline"}}}},
        factsColumn(30),
    };
    all[{Question::WhyThisDraft, PlanKind::Drafts}] = {
        besides(26, {"inspector", "graph"}, 2),
        {44, {{55, {"drafts"}}, {45, {"tiles", "compare", "layout", "program"}}}},
        {30, {{100, {"hardware"}}}},
    };
    all[{Question::WhatIf, PlanKind::Drafts}] = {
        {27, {{55, {"decisions"}}, {45, {"history", "messages"}}}},
        {45, {{100, {"runs", "sql", "breakdown"}}}},
        besides(28, {"inspector", "graph", "hardware"}, 0),
    };
    all[{Question::WhereTimeGoes, PlanKind::Segments}] = {
        {70, {{45, {"graph"}}, {55, {"timeline", "breakdown", "pipeline"}}}},
        factsColumn(30),
    };
    all[{Question::WhyThisDraft, PlanKind::Segments}] = {
        {70, {{52, {"segments"}}, {48, {"timeline"}}}},
        {30, {{52, {"inspector", "graph"}}, {48, {"speed", "hardware"}}}},
    };
    all[{Question::WhatIf, PlanKind::Segments}] = {
        {25, {{55, {"decisions"}}, {45, {"history", "messages"}}}},
        runsAndSegments(48),
        besides(27, {"inspector", "graph"}, 0),
    };
    all[{Question::WhereTimeGoes, PlanKind::Chips}] = all[{Question::WhereTimeGoes, PlanKind::Segments}];
    all[{Question::WhyThisDraft, PlanKind::Chips}] = {
        {72, {{62, {"chips"}}, {38, {"timeline", "graph"}}}, 60},
        besides(28, {"inspector", "hardware"}, 0),
    };
    all[{Question::WhatIf, PlanKind::Chips}] = {
        {25, {{55, {"decisions"}}, {45, {"history", "messages"}}}},
        {48, {{45, {"runs", "sweep", "breakdown", "sql"}}, {55, {"chips"}}}, 60},
        besides(27, {"inspector", "graph"}, 0),
    };
    return all;
}

const std::vector<Column>& columnsOf(Question question, PlanKind kind) {
    static const auto all = makeColumns();
    return all.at({question, kind});
}

void append(Arrangement::Cell& cell, const std::vector<Arrangement::Cell>& others) {
    for (const Arrangement::Cell& other : others)
        cell.tabs.insert(cell.tabs.end(), other.tabs.begin(), other.tabs.end());
}

class Arranger {
public:
    Arranger(QMainWindow& window, const std::map<QString, QDockWidget*>& docks)
        : m_window(window), m_waiting(docks) {
        for (const auto& [id, dock] : docks) {
            if (dock->isFloating()) // else it would be hidden and shown again for nothing
                dock->setFloating(false);
            window.removeDockWidget(dock);
        }
    }

    void place(const Arrangement& arrangement) {
        std::vector<std::vector<QDockWidget*>> fronts; // of each cell, by column
        // Heads of columns first: splitting a cell later leaves the columns beside it alone. Tabs last: what is beside
        // a panel with tabs would become one of them.
        for (const Arrangement::Column& column : arrangement.columns)
            fronts.push_back({placeFront(column.cells.front(), m_last, Qt::Horizontal)});
        for (std::size_t i = 0; i < arrangement.columns.size(); ++i)
            for (std::size_t cell = 1; cell < arrangement.columns[i].cells.size(); ++cell)
                fronts[i].push_back(
                    placeFront(arrangement.columns[i].cells[cell], fronts[i].back(), Qt::Vertical));
        for (std::size_t i = 0; i < arrangement.columns.size(); ++i)
            for (std::size_t cell = 0; cell < arrangement.columns[i].cells.size(); ++cell)
                addTabs(arrangement.columns[i].cells[cell], fronts[i][cell]);
        for (const auto& [id, dock] : m_waiting) {
            if (m_last)
                m_window.tabifyDockWidget(m_last, dock);
            dock->hide();
        }
        QList<QDockWidget*> heads;
        QList<int> widths;
        for (std::size_t i = 0; i < arrangement.columns.size(); ++i) {
            heads.append(fronts[i].front());
            widths.append(m_window.width() * arrangement.columns[i].percent / 100);
        }
        m_window.resizeDocks(heads, widths, Qt::Horizontal);
        for (std::size_t i = 0; i < arrangement.columns.size(); ++i)
            shareHeight(arrangement.columns[i], fronts[i]);
        for (const auto& column : fronts)
            for (QDockWidget* dock : column)
                dock->raise();
    }

private:
    /// Takes the dock out of those that wait; null: no dock has this id, or it is placed.
    QDockWidget* take(const char* id) {
        const auto found = m_waiting.find(QString::fromLatin1(id));
        if (found == m_waiting.end())
            return nullptr;
        QDockWidget* dock = found->second;
        m_waiting.erase(found);
        return dock;
    }

    QDockWidget* placeFront(const Arrangement::Cell& cell, QDockWidget* beside, Qt::Orientation orientation) {
        QDockWidget* front = nullptr;
        for (auto id = cell.tabs.begin(); id != cell.tabs.end() && !front; ++id)
            front = take(*id);
        if (!front)
            return beside;
        if (beside)
            m_window.splitDockWidget(beside, front, orientation);
        else
            m_window.addDockWidget(Qt::LeftDockWidgetArea, front);
        front->show();
        return m_last = front;
    }

    void addTabs(const Arrangement::Cell& cell, QDockWidget* front) {
        for (const char* id : cell.tabs)
            if (QDockWidget* dock = take(id)) {
                m_window.tabifyDockWidget(front, dock);
                dock->show();
            }
    }

    void shareHeight(const Arrangement::Column& column, const std::vector<QDockWidget*>& fronts) {
        QList<QDockWidget*> docks;
        QList<int> heights;
        for (std::size_t i = 0; i < fronts.size(); ++i) {
            docks.append(fronts[i]);
            heights.append(m_window.height() * column.cells[i].percent / 100);
        }
        if (docks.size() > 1)
            m_window.resizeDocks(docks, heights, Qt::Vertical);
    }

    QMainWindow& m_window;
    std::map<QString, QDockWidget*> m_waiting; ///< Not placed yet.
    QDockWidget* m_last = nullptr;             ///< Placed last.
};

} // namespace

Arrangement fittedArrangement(Question question, PlanKind kind, int linesWide, int linesHigh) {
    std::vector<Column> columns = columnsOf(question, kind);
    int shown = 0; // percent
    for (const Column& column : columns)
        if (linesWide < column.linesWide)
            append(columns[column.joins].cells.front(), column.cells);
        else
            shown += column.percent;
    Arrangement fitted;
    for (const Column& column : columns) {
        if (linesWide < column.linesWide)
            continue;
        Arrangement::Column kept{column.percent * 100 / shown, column.cells};
        if (linesHigh < column.linesHigh) {
            kept.cells = {{100, {}}};
            append(kept.cells.front(), column.cells);
        }
        fitted.columns.push_back(std::move(kept));
    }
    return fitted;
}

PlanKind planKindOf(std::string_view family) {
    return family == "dual-mode"  ? PlanKind::Segments
           : family == "crossbar" ? PlanKind::Chips
                                  : PlanKind::Drafts;
}

const Arrangement& defaultArrangement(Question question, PlanKind kind) {
    static const auto all = [] {
        std::map<std::pair<Question, PlanKind>, Arrangement> full;
        constexpr int kEnough = 1 << 20;
        for (int i = 0; i < kQuestions; ++i)
            for (const PlanKind each : kPlanKinds) {
                const auto which = static_cast<Question>(i);
                full[{which, each}] = fittedArrangement(which, each, kEnough, kEnough);
            }
        return full;
    }();
    return all.at({question, kind});
}

void arrange(QMainWindow& window, const std::map<QString, QDockWidget*>& docks,
             const Arrangement& arrangement) {
    // Every panel shown would lay out all others again: once, when all are in place, will do.
    window.layout()->setEnabled(false);
    Arranger(window, docks).place(arrangement);
    window.layout()->setEnabled(true);
    window.layout()->activate();
}

} // namespace pim::studio
