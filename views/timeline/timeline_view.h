// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The timeline of a simulated run with its tool bar, the line that describes what the pointer or the keys
/// are on, and the tables of a chosen area. Notes and the ops other views are limited to come from outside
/// and go there.
#include "core/graph/graph.h"
#include "core/timeline/limits.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace pim::views {

class AreaModel;
struct AreaSummary;
class EmptyState;
class NoteLine;
class TableView;
class TimelineCanvas;
class TimelineLevels;
class TimelinePart;
class Workspace;

class TimelineView : public QWidget {
    Q_OBJECT
public:
    explicit TimelineView(QWidget* parent = nullptr);
    /// Takes part in the selection. The timeline itself is given by setTimeline().
    explicit TimelineView(Workspace& workspace, QWidget* parent = nullptr);

    /// Null: none yet. \p cycleNs: length of a cycle of the machine, 0 if it has no clock of its own.
    /// \p levels: made of it beforehand, on a worker thread where it is long.
    void setTimeline(std::shared_ptr<const Timeline> timeline, double cycleNs = 0,
                     std::shared_ptr<const TimelineLevels> levels = nullptr);
    /// Shown where there is no timeline: why, and what to do about it.
    void setEmptyText(const QString& missing, const QString& whatToDo);
    void setEmptyAction(const QString& text); ///< Button beside it; emptyActionTriggered() follows.
    void setStale(bool stale);                ///< The timeline is of an older plan.
    /// What limits the run, and the spans of its longest chain of work, which stands out from now on. Null: none does.
    void setPath(std::shared_ptr<const Limits> limits, std::shared_ptr<const TimelinePart> part);
    void setSelectedOp(OpId op);
    /// Shows a stretch of it with some room around, as the area of all lanes.
    void showStretch(double fromNs, double toNs);
    /// Ops with a span in the chosen area, by position in the graph, ascending.
    std::vector<int> areaOps() const;
    QString areaText() const; ///< "12.5 µs … 14.1 µs"; empty without one.

    TimelineCanvas* canvas() const { return m_canvas; }
    QLabel* title() const { return m_title; }
    QLabel* status() const { return m_status; }
    QWidget* areaPanel() const { return m_areaPanel; }
    TableView* kindsTable() const { return m_kinds; }
    TableView* opsTable() const { return m_ops; }
    QToolButton* cyclesButton() const { return m_cycles; }
    QToolButton* pathButton() const { return m_path; } ///< On: setPath() is wanted.
    QPushButton* limitButton() const { return m_limit; }
    NoteLine* noteLine() const { return m_note; }
    QLineEdit* laneFilter() const { return m_laneFilter; }

signals:
    void opClicked(int op); ///< Position in the graph; -1: a click on nothing.
    void emptyActionTriggered();
    void limitRequested(); ///< Other views to areaOps().
    void noteClicked(qint64 id);

private:
    void buildBar(QWidget* into);
    void buildArea();
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
    QToolButton* m_path;
    std::shared_ptr<const Limits> m_limits; ///< While its chain is shown.
    QToolButton* m_previous;
    QToolButton* m_next;
    NoteLine* m_note;
    QPushButton* m_limit;
    QLineEdit* m_laneFilter;
};

} // namespace pim::views
