// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/crossbar/crossbar_use.h"

#include <algorithm>

namespace pim::views {

std::vector<ArrayOfLayer> arrayUses(const CrossbarPlan& plan) {
    const auto cores = std::size_t(plan.chip.cores());
    std::vector<std::size_t> next(cores + 1, 0); // of each core, the next free array
    for (std::size_t core = 0; core < cores; ++core)
        next[core + 1] = next[core] + std::size_t(plan.arrays(int(core)));
    std::vector<ArrayOfLayer> arrays(next[cores]);
    for (const LayerMapping& mapped : plan.mapping.layers) {
        const int layer = mapped.partition.layer;
        const double all = double(mapped.replicas) * mapped.groups();
        const double products = std::size_t(layer) < plan.profile->layers.size()
                                    ? double(plan.profile->layers[std::size_t(layer)].products)
                                    : 0;
        for (int replica = 0; replica < mapped.replicas; ++replica)
            for (int group = 0; group < mapped.groups(); ++group)
                for (int i = 0; i < mapped.partition.groups[std::size_t(group)].crossbars; ++i)
                    arrays[next[std::size_t(mapped.core(replica, group))]++] = {layer, products / all *
                                                                                           plan.chip.mvmNs};
    }
    return arrays;
}

bool isOfLayer(const CrossbarPlan& plan, int layer, OpId op) {
    return layer >= 0 && std::ranges::find(plan.network->layers[std::size_t(layer)].ops, op) !=
                             plan.network->layers[std::size_t(layer)].ops.end();
}

} // namespace pim::views
