// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the breakdown meets the workspace.
#include "views/breakdown/breakdown_view.h"
#include "views/models/workspace.h"

namespace pim::views {

BreakdownView::BreakdownView(Workspace& workspace, QWidget* parent) : BreakdownView(parent) {
    const auto takePlan = [this, &workspace] { setPlan(workspace.plan(), workspace.isStale()); };
    const auto takeSelection = [this, &workspace] { setSelectedOp(workspace.selection().op); };
    connect(&workspace, &Workspace::planChanged, this, takePlan);
    connect(&workspace, &Workspace::selectionChanged, this, takeSelection);
    connect(this, &BreakdownView::opSelected, &workspace, &Workspace::selectOp);
    takePlan();
    takeSelection();
}

} // namespace pim::views
