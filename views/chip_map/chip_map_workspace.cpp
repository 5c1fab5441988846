// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the chip map meets the workspace.
#include "views/chip_map/chip_map_view.h"
#include "views/models/workspace.h"

namespace pim::views {

ChipMapView::ChipMapView(Workspace& workspace, QWidget* parent) : ChipMapView(parent) {
    const auto takePlan = [this, &workspace] { setPlan(workspace.plan(), workspace.isStale()); };
    const auto takeSelection = [this, &workspace] { setSelectedOp(workspace.selection().op); };
    connect(&workspace, &Workspace::planChanged, this, takePlan);
    connect(&workspace, &Workspace::selectionChanged, this, takeSelection);
    connect(this, &ChipMapView::opSelected, &workspace, &Workspace::selectOp);
    setCheck([&workspace](const QString& op, const QString& field, const QString& value) {
        const auto legal = workspace.check({op.toStdString(), field.toStdString(), value.toStdString()});
        return legal ? QString() : QString::fromStdString(legal.error().message);
    });
    connect(this, &ChipMapView::decisionRequested, this,
            [&workspace](const QString& op, const QString& field, const QString& value) {
                workspace.applyOverride({op.toStdString(), field.toStdString(), value.toStdString()});
            });
    connect(this, &ChipMapView::decisionsCleared, this,
            [&workspace](const QString& op, const QStringList& fields) {
                Overrides wanted = workspace.overrides();
                for (const QString& field : fields)
                    wanted.clear(op.toStdString(), field.toStdString());
                workspace.replaceOverrides(wanted, tr("Leave %1 to the compiler").arg(op));
            });
    takePlan();
    takeSelection();
}

} // namespace pim::views
