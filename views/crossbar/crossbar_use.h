// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What lies in every logical array of a machine of crossbar cores, in the order of the machine: chip by chip, core by
/// core. Flow: CrossbarPlan -> [ArrayUses] -> machine_use.
#include "backends/crossbar/plan/plan.h"

#include <vector>

namespace pim::views {

struct ArrayOfLayer {
    LayerId layer;     ///< Invalid: the array is free.
    double busyNs = 0; ///< It computes products of a sample for so long.
};

/// One an array. Array groups of a core take its arrays in the order of layers, replicas and groups: which of them it
/// is makes no difference. Sizes a core has several of are not told apart.
std::vector<ArrayOfLayer> arrayUses(const CrossbarPlan& plan);

/// Does \p op work with the weights of \p layer?
bool isOfLayer(const CrossbarPlan& plan, LayerId layer, OpId op);

} // namespace pim::views
