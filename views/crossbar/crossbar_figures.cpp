// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/crossbar/crossbar_figures.h"

#include "core/base/number_text.h"
#include "views/crossbar/crossbar_use.h"

#include <QCoreApplication>

#include <algorithm>

namespace pim::views {
namespace {

struct CrossbarFigures {
    Q_DECLARE_TR_FUNCTIONS(pim::views::CrossbarFigures)
};

/// Where the weights of the op lie.
void arraysOfOp(const CrossbarPlan& plan, OpId op, CoreFigures& figures) {
    constexpr double kHolds = 1;
    figures.most = kHolds;
    figures.kinds = {{kHolds, Role::Compute, CrossbarFigures::tr("C"), CrossbarFigures::tr("computes")}};
    figures.text = [](double) { return CrossbarFigures::tr("holds weights of this op"); };
    if (!op.valid()) {
        figures.note = CrossbarFigures::tr("Select an op to see its arrays");
        return;
    }
    for (const ArrayOfLayer& array : arrayUses(plan))
        figures.values.push_back(isOfLayer(plan, array.layer, op) ? kHolds : -1);
    if (std::ranges::none_of(figures.values, [](double value) { return value >= 0; })) {
        figures.values.clear();
        figures.note = CrossbarFigures::tr(
            "No array holds weights of the selected op: it has none, or the host computes it");
    }
}

/// How long each array with weights computes.
void computeTimes(const CrossbarPlan& plan, CoreFigures& figures) {
    figures.text = [](double ns) { return QString::fromStdString(timeText(ns)); };
    for (const ArrayOfLayer& array : arrayUses(plan))
        figures.values.push_back(array.layer.valid() ? array.busyNs : -1);
}

CoreFigures figuresOf(const Plan& plan, OpId op, int choice) {
    CoreFigures figures;
    const auto* crossbar = dynamic_cast<const CrossbarPlan*>(plan.detail.get());
    if (crossbar && choice == CrossbarFigure::ArraysOfOp)
        arraysOfOp(*crossbar, op, figures);
    else if (crossbar)
        computeTimes(*crossbar, figures);
    return figures;
}

ArrayUses usesOf(const Plan& plan, OpId op) {
    using By = ArrayUses::By;
    ArrayUses uses;
    const auto* crossbar = dynamic_cast<const CrossbarPlan*>(plan.detail.get());
    if (!crossbar)
        return uses;
    uses.arrayBytes = crossbar->chip.weights() / std::max<std::int64_t>(1, crossbar->chip.logicalArrays()) *
                      crossbar->chip.weightBits / 8;
    for (const ArrayOfLayer& array : arrayUses(*crossbar))
        uses.takenBy.push_back(!array.layer.valid()                    ? By::Nobody
                               : isOfLayer(*crossbar, array.layer, op) ? By::Op
                                                                       : By::Others);
    return uses;
}

} // namespace

ArrayFigures crossbarFigures() {
    return {{{CrossbarFigure::ArraysOfOp, CrossbarFigures::tr("Arrays of the op"),
              CrossbarFigures::tr("what each array does for the selected op")},
             {CrossbarFigure::ComputeTime, CrossbarFigures::tr("Time computing"),
              CrossbarFigures::tr("time each array computes in one run of the network, predicted")}},
            figuresOf,
            usesOf};
}

} // namespace pim::views
