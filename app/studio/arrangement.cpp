// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/arrangement.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>

#include <utility>

namespace pim::studio {

using views::PanelCell;
using views::PanelColumn;

namespace {

void append(PanelCell& cell, const std::vector<PanelCell>& others) {
    for (const PanelCell& other : others)
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

    QDockWidget* placeFront(const PanelCell& cell, QDockWidget* beside, Qt::Orientation orientation) {
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

    void addTabs(const PanelCell& cell, QDockWidget* front) {
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

Arrangement fittedArrangement(std::vector<PanelColumn> columns, int linesWide, int linesHigh) {
    int shown = 0; // percent
    for (const PanelColumn& column : columns)
        if (linesWide < column.linesWide)
            append(columns[column.joins].cells.front(), column.cells);
        else
            shown += column.percent;
    Arrangement fitted;
    for (const PanelColumn& column : columns) {
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

void arrange(QMainWindow& window, const std::map<QString, QDockWidget*>& docks,
             const Arrangement& arrangement) {
    // Every panel shown would lay out all others again: once, when all are in place, will do.
    window.layout()->setEnabled(false);
    Arranger(window, docks).place(arrangement);
    window.layout()->setEnabled(true);
    window.layout()->activate();
}

} // namespace pim::studio
