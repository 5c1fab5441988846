// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the timeline meets the workspace.
#include "views/models/workspace.h"
#include "views/timeline/timeline_view.h"

namespace pim::views {

TimelineView::TimelineView(Workspace& workspace, QWidget* parent) : TimelineView(parent) {
    const auto takeSelection = [this, &workspace] { setSelectedOp(workspace.selection().op); };
    connect(&workspace, &Workspace::selectionChanged, this, takeSelection);
    connect(this, &TimelineView::opClicked, &workspace,
            [&workspace](int op) { workspace.selectOp(op >= 0 ? OpId(op) : OpId()); });
    takeSelection();
}

} // namespace pim::views
