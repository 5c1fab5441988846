// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dual_mode/dual_mode_figures.h"

#include "backends/dual_mode/plan.h"
#include "core/base/number_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace pim::views {
namespace {

constexpr double kHolds = 0, kComputes = 1; ///< Values of ArrayModes.

struct DualModeFigureWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::DualModeFigureWords)
};

bool worksFor(const DualModePlan& dualMode, const ArrayUse& array, OpId op) {
    const auto isOf = [&](int subOp) {
        return subOp >= 0 &&
               dualMode.workload
                       ->ops[static_cast<std::size_t>(dualMode.subOps[static_cast<std::size_t>(subOp)].op)]
                       .op == op;
    };
    return isOf(array.subOp) || isOf(array.reader);
}

/// Does any array of the segment work for the op? Any segment will do for an invalid one.
bool concerns(const DualModePlan& dualMode, const DualModePlacement& segment, OpId op) {
    return !op.valid() || std::ranges::any_of(segment.runs, [&](const ArrayUseRun& run) {
        return worksFor(dualMode, run.use, op);
    });
}

/// Runs of arrays that take part in the segment: first array, end, what the first does.
template <class Visit>
void forEachUse(const DualModePlacement& segment, Visit&& visit) {
    std::size_t first = 0;
    for (const ArrayUseRun& run : segment.runs) {
        const std::size_t end = first + static_cast<std::size_t>(run.arrays);
        if (run.use.mode != ArrayMode::Idle)
            visit(first, end, run.use);
        first = end;
    }
}

/// What the arrays do for the op; -1: nothing.
void arrayModes(const DualModePlan& dualMode, OpId op, CoreFigures& figures) {
    figures.most = kComputes;
    figures.kinds = {
        {kComputes, Role::Compute, DualModeFigureWords::tr("C"), DualModeFigureWords::tr("computes")},
        {kHolds, Role::MemoryIn, DualModeFigureWords::tr("M"), DualModeFigureWords::tr("memory"), true}};
    figures.text = [](double value) {
        return value == kComputes ? DualModeFigureWords::tr("computes for this op")
                                  : DualModeFigureWords::tr("memory of this op");
    };
    if (!op.valid()) {
        figures.note = DualModeFigureWords::tr("Select an op to see its arrays");
        return;
    }
    bool any = false;
    std::vector<double> values(static_cast<std::size_t>(dualMode.chip.arrays), -1.0);
    for (const DualModePlacement& segment : dualMode.placement)
        forEachUse(segment, [&](std::size_t first, std::size_t end, const ArrayUse& use) {
            if (!worksFor(dualMode, use, op))
                return;
            const double value = use.mode == ArrayMode::Compute ? kComputes : kHolds;
            for (std::size_t array = first; array < end; ++array)
                values[array] = std::max(values[array], value);
            any = true;
        });
    if (any)
        figures.values = std::move(values);
    else
        figures.note = DualModeFigureWords::tr("The selected op uses no arrays");
}

/// Time of each array in some modes over the whole network, ns.
void arrayTimes(const DualModePlan& dualMode, std::initializer_list<ArrayMode> modes, CoreFigures& figures) {
    figures.values.assign(static_cast<std::size_t>(dualMode.chip.arrays), -1.0);
    for (std::size_t s = 0; s < dualMode.placement.size(); ++s) {
        const double ns = dualMode.segmentation.segments[s].cycles() * dualMode.chip.cycleNs;
        forEachUse(dualMode.placement[s], [&](std::size_t first, std::size_t end, const ArrayUse& use) {
            if (std::ranges::find(modes, use.mode) != modes.end())
                for (std::size_t array = first; array < end; ++array)
                    figures.values[array] = std::max(0.0, figures.values[array]) + ns;
        });
    }
    figures.text = [](double ns) { return QString::fromStdString(timeText(ns)); };
}

CoreFigures figuresOf(const Plan& plan, OpId op, int choice) {
    CoreFigures figures;
    const auto* dualMode = dynamic_cast<const DualModePlan*>(plan.detail.get());
    if (!dualMode)
        return figures;
    if (choice == DualModeFigure::ArrayModes)
        arrayModes(*dualMode, op, figures);
    else if (choice == DualModeFigure::ComputeMode)
        arrayTimes(*dualMode, {ArrayMode::Compute}, figures);
    else if (choice == DualModeFigure::MemoryMode)
        arrayTimes(*dualMode, {ArrayMode::Memory}, figures);
    else
        arrayTimes(*dualMode, {ArrayMode::Compute, ArrayMode::Memory}, figures);
    return figures;
}

ArrayUses usesOf(const Plan& plan, OpId op) {
    using By = ArrayUses::By;
    ArrayUses uses;
    const auto* dualMode = dynamic_cast<const DualModePlan*>(plan.detail.get());
    if (!dualMode)
        return uses;
    uses.arrayBytes = dualMode->chip.arrayBytes;
    uses.takenBy.resize(static_cast<std::size_t>(dualMode->chip.arrays));
    for (const DualModePlacement& segment : dualMode->placement) {
        if (!concerns(*dualMode, segment, op))
            continue;
        forEachUse(segment, [&](std::size_t first, std::size_t end, const ArrayUse& use) {
            const By by = op.valid() && worksFor(*dualMode, use, op) ? By::Op : By::Others;
            for (std::size_t array = first; array < end; ++array)
                uses.takenBy[array] = std::max(uses.takenBy[array], by);
        });
    }
    return uses;
}

} // namespace

ArrayFigures dualModeFigures() {
    return {{{DualModeFigure::ArrayModes, DualModeFigureWords::tr("Arrays of the op"),
              DualModeFigureWords::tr("what each array does for the selected op")},
             {DualModeFigure::ComputeMode, DualModeFigureWords::tr("Time computing"),
              DualModeFigureWords::tr("time each array computes in one run of the network, predicted")},
             {DualModeFigure::MemoryMode, DualModeFigureWords::tr("Time as memory"),
              DualModeFigureWords::tr("time each array is memory in one run of the network, predicted")},
             {DualModeFigure::BusyTime, DualModeFigureWords::tr("Busy time"),
              DualModeFigureWords::tr("time each one works in one run of the network, predicted"), true}},
            figuresOf,
            usesOf};
}

} // namespace pim::views
