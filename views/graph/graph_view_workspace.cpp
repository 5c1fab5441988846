// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the graph view meets the workspace.
#include "views/graph/graph_view.h"
#include "views/models/workspace.h"

namespace pim::views {

GraphView::GraphView(Workspace& workspace, QWidget* parent) : GraphView(parent) {
    const auto takePlan = [this, &workspace] { setPlan(workspace.plan(), workspace.isStale()); };
    const auto takeGraph = [this, &workspace, takePlan] {
        setGraph(workspace.graph());
        takePlan();
    };
    const auto takeSelection = [this, &workspace] { setSelectedOp(workspace.selection().op); };
    connect(&workspace, &Workspace::graphChanged, this, takeGraph);
    connect(&workspace, &Workspace::planChanged, this, takePlan);
    connect(&workspace, &Workspace::selectionChanged, this, takeSelection);
    connect(this, &GraphView::opSelected, &workspace, &Workspace::selectOp);
    takeGraph();
    takeSelection();
}

} // namespace pim::views
