// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the chip map meets the workspace.
#include "backends/crossbar/plan/planner.h"
#include "views/crossbar/chip_map_view.h"
#include "views/models/workspace.h"

#include <QPointer>

namespace pim::views {

namespace {

/// Parts of the time axis: finer than the pixels of a panel.
constexpr int kOccupancySteps = 1200;

TaskList::Work occupancyWork(QPointer<ChipMapView> view, std::shared_ptr<const Plan> plan) {
    return [view, plan](const TaskContext& task) -> std::function<void()> {
        const auto* crossbar = dynamic_cast<const CrossbarPlan*>(plan->detail.get());
        auto made = occupancyOfPlan(*crossbar, kOccupancySteps, task);
        if (!made)
            return [] {}; // cancelled: the plan was profiled before
        auto occupancy = std::make_shared<const MemoryOccupancy>(std::move(*made));
        return [view, plan, occupancy] {
            if (view)
                view->setOccupancy(plan, occupancy);
        };
    };
}

} // namespace

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
                workspace.replaceOverrides(wanted, tr("Let the compiler decide about %1").arg(op));
            });
    connect(this, &ChipMapView::occupancyWanted, this, [this, &workspace](std::shared_ptr<const Plan> plan) {
        workspace.tasks()->start(tr("Memory over time"), occupancyWork(this, std::move(plan)));
    });
    takePlan();
    takeSelection();
}

} // namespace pim::views
