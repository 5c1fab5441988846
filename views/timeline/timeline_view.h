// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The timeline of a simulated run with its tool bar, the line that describes what the pointer or the keys
/// are on, and the tables of a chosen area.
#include "core/graph/graph.h"
#include "core/timeline/timeline.h"

#include <QWidget>

#include <memory>

class QLabel;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace pim::views {

class AreaModel;
struct AreaSummary;
class EmptyState;
class TableView;
class TimelineCanvas;
class Workspace;

class TimelineView : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    /// Takes part in the selection. The timeline itself is given by setTimeline().
    explicit TimelineView(Workspace& workspace, QWidget* parent = nullptr);

    /// Null: none yet. \p cycleNs: length of a cycle of the machine, 0 if it has no clock of its own.
    void setTimeline(std::shared_ptr<const Timeline> timeline, double cycleNs = 0);
    /// Shown where there is no timeline: why, and what to do about it.
    void setEmptyText(const QString& missing, const QString& whatToDo);
    void setEmptyAction(const QString& text); ///< Button beside it; emptyActionTriggered() follows.
    void setStale(bool stale);                ///< The timeline is of an older plan.
    void setSelectedOp(OpId op);

    TimelineCanvas* canvas() const { return m_canvas; }
    QLabel* title() const { return m_title; }
    QLabel* status() const { return m_status; }
    QWidget* areaPanel() const { return m_areaPanel; }
    TableView* kindsTable() const { return m_kinds; }
    TableView* opsTable() const { return m_ops; }
    QToolButton* cyclesButton() const { return m_cycles; }

signals:
    void opClicked(int op); ///< Position in the graph; -1: a click on nothing.
    void emptyActionTriggered();

private:
    void buildBar(QWidget* into);
    void updateTitle();
    void updateArea();
    void updateAreaTitle(const AreaSummary& summary);

    bool m_isStale = false;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    TimelineCanvas* m_canvas;
    QSplitter* m_splitter;
    QLabel* m_title;
    QLabel* m_status;
    QWidget* m_areaPanel;
    QLabel* m_areaTitle;
    TableView* m_kinds;
    TableView* m_ops;
    AreaModel* m_kindsModel;
    AreaModel* m_opsModel;
    QToolButton* m_cycles;
    QToolButton* m_previous;
    QToolButton* m_next;
};

} // namespace pim::views
