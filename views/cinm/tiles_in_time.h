// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The tiles of a flow in time, in panes beside its levels: what each does when and what limits them, what would help, and each op under its
/// roof. They are run once one of the panes is looked at. Flow -> [timeTiles, limitsOf, rooflineOf, whatHelps on a worker] -> panes.
#include "backends/cinm/flow.h"
#include "views/models/workspace.h"

#include <array>

class QLabel;
class QToolButton;

namespace pim::views {

class HelpsView;
class RoofsView;
class TimelineCanvas;

class TilesInTime : public QObject {
    Q_OBJECT
public:
    TilesInTime(Workspace& workspace, QObject* parent);

    struct Pane {
        QToolButton* chip; ///< Shows and hides it.
        QWidget* widget;
    };
    /// For who lays them out: in time, what would help, roofline.
    const std::array<Pane, 3>& panes() const { return m_panes; }
    /// Null: nothing to show. Chips and panes are there only for a flow that ends in calls of tiles.
    void setFlow(std::shared_ptr<const cinm::Flow> flow);
    void setSelected(int op); ///< Of Flow::ops; -1: none. Emits nothing.

    TimelineCanvas* time() const { return m_time; }
    QLabel* limits() const { return m_limits; } ///< In one sentence.
    HelpsView* helps() const { return m_helps; }
    RoofsView* roofs() const { return m_roofs; } ///< Its ops are positions in Flow::ops.

signals:
    void chosen(int op);

private:
    struct Outcome;
    void update();
    void start();
    void take(std::shared_ptr<const Outcome> outcome);

    Workspace& m_workspace;
    std::shared_ptr<const cinm::Flow> m_flow;
    TimelineCanvas* m_time;
    QLabel* m_limits;
    HelpsView* m_helps;
    RoofsView* m_roofs;
    std::array<Pane, 3> m_panes;
    bool m_isRun = false; ///< What is shown is of m_flow.
    int m_task = 0;
};

} // namespace pim::views
