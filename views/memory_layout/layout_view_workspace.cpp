// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the layout meets the workspace.
#include "views/memory_layout/layout_view.h"
#include "views/models/op_source.h"
#include "views/models/workspace.h"

namespace pim::views {

LayoutView::LayoutView(Workspace& workspace, QWidget* parent) : LayoutView(parent) {
    auto* source = new OpSource(
        workspace, tr("Placing the tensors of %1"),
        [](const Backend& backend, const std::shared_ptr<const Plan>& plan, OpId op,
           const TaskContext&) -> Result<std::shared_ptr<const void>> {
            PIM_TRY(auto places, backend.places(*plan, op));
            return std::shared_ptr<const void>(std::move(places));
        },
        this);
    setRunner([&workspace, running = std::make_shared<int>(0)](const QString& name, const Work& work) {
        if (*running)
            workspace.tasks()->cancel(std::exchange(*running, 0));
        *running =
            workspace.tasks()->start(name, [work, running](const TaskContext& task) -> std::function<void()> {
                return [running, deliver = work(task)] {
                    *running = 0;
                    deliver();
                };
            });
    });
    const auto takeOps = [this, &workspace] {
        if (const auto plan = workspace.plan(); !plan || !workspace.isStale())
            setOps(plan ? pimOps(*plan) : std::vector<std::pair<OpId, QString>>());
        setSelectedOp(workspace.selection().op);
    };
    connect(&workspace, &Workspace::planChanged, this, takeOps);
    connect(&workspace, &Workspace::selectionChanged, this, takeOps);
    connect(this, &LayoutView::opChosen, &workspace, &Workspace::selectOp);
    connect(this, &LayoutView::seenChanged, source, &OpSource::setWanted);
    connect(source, &OpSource::changed, this, [this, source] {
        if (source->isStale()) { // the older one stays until the next is there
            setEmptyText(tr("No layout yet"), tr("The operator is being placed."));
            return setStale(true);
        }
        const auto places = source->result<OpPlaces>();
        setPlaces(places);
        if (!places)
            setEmptyText(tr("No layout to show"), source->note());
    });
    takeOps();
}

} // namespace pim::views
