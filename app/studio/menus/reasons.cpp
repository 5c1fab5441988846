// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/menus/menus.h"
#include "views/models/workspace.h"

namespace pim::studio {

QString needsModel(const views::Workspace& workspace) {
    return workspace.graph() ? QString() : Menus::tr("Open a model or a project first.");
}

QString needsPlan(const views::Workspace& workspace) {
    if (QString reason = needsModel(workspace); !reason.isEmpty())
        return reason;
    if (workspace.plan() && !workspace.isStale())
        return {};
    return workspace.tasks()->entries().isEmpty()
               ? Menus::tr("There is no plan of these decisions. Recompute it first.")
               : Menus::tr("The plan is still being computed.");
}

QString needsOp(const views::Workspace& workspace) {
    if (QString reason = needsModel(workspace); !reason.isEmpty())
        return reason;
    return workspace.selection().op.valid() ? QString() : Menus::tr("Select an op first.");
}

} // namespace pim::studio
