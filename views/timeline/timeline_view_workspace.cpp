// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the timeline meets the workspace.
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"
#include "views/timeline/timeline_view.h"

#include <QLabel>

namespace pim::views {

TimelineView::TimelineView(Workspace& workspace, QWidget* parent) : TimelineView(parent) {
    const auto takeSelection = [this, &workspace] { setSelectedOp(workspace.selection().op); };
    connect(&workspace, &Workspace::selectionChanged, this, takeSelection);
    connect(this, &TimelineView::opClicked, &workspace,
            [&workspace](int op) { workspace.selectOp(op >= 0 ? OpId(op) : OpId()); });
    SimulationSource* const source = workspace.simulations();
    const auto takeSimulation = [this, &workspace, source] {
        if (const auto simulation = source->simulation()) {
            const auto cycle = workspace.target() ? workspace.target()->timeNs("timing.tCK") : Result<double>(0.0);
            // The timeline lives as long as the simulation it is a part of.
            setTimeline({simulation, &simulation->timeline}, cycle ? *cycle : 0);
            title()->setToolTip(QString::fromStdString(simulation->summary));
            setStale(false);
        } else if (workspace.isStale() || source->isRunning()) {
            setStale(true); // the older one stays until the next is there
            setEmptyText(tr("No timeline yet"), source->note());
        } else {
            setTimeline(nullptr);
            setEmptyText(tr("No timeline"), source->note());
        }
    };
    connect(source, &SimulationSource::changed, this, takeSimulation);
    takeSimulation();
    takeSelection();
}

} // namespace pim::views
