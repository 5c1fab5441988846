// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the map of speeds meets the workspace.
#include "backends/dual_mode/plan.h"
#include "backends/dual_mode/speed_map.h"
#include "views/dual_mode/speed_map_view.h"
#include "views/models/workspace.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace pim::views {
namespace {

SpeedGrid gridOf(const SpeedMap& map, const QString& what) {
    SpeedGrid grid;
    grid.width = map.arrays;
    grid.height = map.arrays + 1;
    grid.firstX = 1;
    grid.values.assign(static_cast<std::size_t>(grid.width) * static_cast<std::size_t>(grid.height),
                       std::numeric_limits<float>::quiet_NaN());
    for (int compute = 1; compute <= map.arrays; ++compute)
        for (int memory = 0; compute + memory <= map.arrays; ++memory)
            grid.values[static_cast<std::size_t>(memory) * static_cast<std::size_t>(grid.width) +
                        static_cast<std::size_t>(compute - 1)] = static_cast<float>(map.at(compute, memory));
    grid.xName = SpeedMapView::tr("compute arrays");
    grid.yName = SpeedMapView::tr("memory arrays");
    grid.valueName = SpeedMapView::tr("share of the best speed");
    grid.bestX = map.bestCompute;
    grid.bestY = map.bestMemory;
    grid.what = what;
    return grid;
}

/// Segments of the plan that run pieces of the operator; all for -1. Equal mixes are one point.
std::vector<OperatingPoint> pointsOf(const DualModePlan& plan, int op) {
    std::vector<OperatingPoint> points;
    for (std::size_t s = 0; s < plan.segmentation.segments.size(); ++s) {
        const DualModeSegment& segment = plan.segmentation.segments[s];
        bool takesPart = op < 0;
        for (int piece = segment.first; piece <= segment.last; ++piece)
            takesPart |= plan.subOps[static_cast<std::size_t>(piece)].op == op;
        if (!takesPart)
            continue;
        const int compute = segment.computeArrays(), memory = segment.memoryArrays();
        const double weight = plan.segmentation.cycles > 0 ? segment.cycles() / plan.segmentation.cycles : 0;
        const auto same = std::find_if(points.begin(), points.end(), [&](const OperatingPoint& p) {
            return p.x == compute && p.y == memory;
        });
        if (same == points.end()) {
            points.push_back({compute, memory, weight, SpeedMapView::tr("segment %1").arg(s + 1)});
        } else {
            same->weight += weight;
            same->name = SpeedMapView::tr("several segments");
        }
    }
    return points;
}

} // namespace

SpeedMapView::SpeedMapView(Workspace& workspace, QWidget* parent) : SpeedMapView(parent) {
    const auto task = std::make_shared<int>(0); // computing the next map
    connect(this, &QObject::destroyed, workspace.tasks(), [&workspace, task] {
        if (*task)
            workspace.tasks()->cancel(*task);
    });
    const auto take = [this, &workspace, task] {
        if (*task)
            workspace.tasks()->cancel(std::exchange(*task, 0));
        const auto plan = workspace.plan();
        const auto* dualMode =
            plan && !workspace.isStale() ? dynamic_cast<const DualModePlan*>(plan->detail.get()) : nullptr;
        if (!dualMode) {
            if (!plan || !workspace.isStale()) {
                setGrid({});
                setEmptyText(tr("No map of array counts"),
                             plan ? tr("Only dual-mode chips have arrays that compute or hold data.")
                                  : tr("Open a model and choose a dual-mode chip."));
            }
            return;
        }
        const OpId selected = workspace.selection().op;
        const auto found =
            std::find_if(dualMode->workload->ops.begin(), dualMode->workload->ops.end(),
                         [&](const DualModeOp& op) { return selected.valid() && op.op == selected; });
        const int op = found == dualMode->workload->ops.end()
                           ? -1
                           : static_cast<int>(found - dualMode->workload->ops.begin());
        const QString what =
            op < 0 ? QString::fromStdString(plan->graph->name) : QString::fromStdString(found->name);
        *task = workspace.tasks()->start(
            tr("Map of array counts"),
            [this, task, plan, dualMode, op, what](const TaskContext&) -> std::function<void()> {
                auto map = speedMap(*dualMode->workload, dualMode->chip, dualMode->options, op);
                return [this, task, plan, dualMode, op, what, map = std::move(map)] {
                    *task = 0;
                    if (map)
                        return setGrid(gridOf(*map, what), pointsOf(*dualMode, op));
                    setGrid({});
                    setEmptyText(tr("No map of array counts"), QString::fromStdString(map.error().text()));
                };
            });
    };
    connect(&workspace, &Workspace::planChanged, this, take);
    connect(&workspace, &Workspace::selectionChanged, this, take);
    take();
}

} // namespace pim::views
