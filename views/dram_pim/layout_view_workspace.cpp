// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the layout meets the workspace.
#include "core/plan/command_facet.h"
#include "views/dram_pim/layout_view.h"
#include "views/models/op_source.h"
#include "views/models/workspace.h"

#include <set>

namespace pim::views {
namespace {

/// Indices that the tiles of a channel's cores hold.
LayoutView::Held heldBy(const std::shared_ptr<const Plan>& plan, OpId op) {
    return [plan, op](int tensor, int group) {
        const OpPlan& planned = plan->opPlan(op);
        const Shape& shape = planned.space->kernel().tensors[static_cast<std::size_t>(tensor)].shape;
        std::vector<std::set<std::int64_t>> held(shape.size()); // nothing, where no core works
        for (int core = 0; core < planned.space->resources().coresPerGroup; ++core) {
            const CoreTile tile = planned.space->tile(*planned.draft, group, core);
            if (tile.iterations == 0)
                continue;
            const auto& dims = tile.data[static_cast<std::size_t>(tensor)];
            for (std::size_t d = 0; d < dims.size(); ++d)
                for (const IndexRun& run : dims[d])
                    for (std::int64_t i = 0; i < run.count; ++i)
                        held[d].insert(held[d].end(), run.begin + i * run.step);
        }
        HeldIndices indices;
        for (const std::set<std::int64_t>& dim : held)
            indices.emplace_back(dim.begin(), dim.end());
        return indices;
    };
}

} // namespace

LayoutView::LayoutView(Workspace& workspace, QWidget* parent) : LayoutView(parent) {
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
    const auto work = [](const Backend& backend, const std::shared_ptr<const Plan>& plan, OpId op,
                         const TaskContext&) -> Result<std::shared_ptr<const void>> {
        PIM_TRY(const CommandFacet* commands, commandsOf(backend));
        PIM_TRY(auto places, commands->places(*plan, op));
        return std::shared_ptr<const void>(std::move(places));
    };
    joinOpView(this, workspace, tr("Placing the tensors of %1"), work,
               {tr("No layout yet"), tr("The operator is being placed."), tr("No layout to show")},
               [this](const OpSource& source) {
                   setPlaces(source.result<OpPlaces>(), heldBy(source.plan(), source.op()));
               });
}

} // namespace pim::views
