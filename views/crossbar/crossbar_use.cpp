// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/crossbar/crossbar_use.h"

#include <algorithm>

namespace pim::views {

std::vector<ArrayOfLayer> arrayUses(const CrossbarPlan& plan) {
    const auto cores = std::size_t(plan.chip.cores());
    std::vector<std::size_t> next(cores + 1, 0); // of each core, the next free array
    for (std::size_t core = 0; core < cores; ++core)
        next[core + 1] = next[core] + std::size_t(plan.arrays(CoreId(core)));
    std::vector<ArrayOfLayer> arrays(next[cores]);
    for (const LayerMapping& mapped : plan.mapping.layers) {
        const LayerId layer = mapped.partition.layer;
        const double all = double(mapped.replicas) * mapped.groups();
        const double products = layer.index() < plan.profile->layers.size()
                                    ? double(plan.profile->layers[layer.index()].products)
                                    : 0;
        for (const ReplicaId replica : FirstIds<ReplicaId>(mapped.replicas))
            for (const GroupId group : FirstIds<GroupId>(mapped.groups()))
                for (int i = 0; i < mapped.partition.groups[group.index()].crossbars; ++i)
                    arrays[next[mapped.core(replica, group).index()]++] = {layer,
                                                                           products / all * plan.chip.mvmNs};
    }
    return arrays;
}

bool isOfLayer(const CrossbarPlan& plan, LayerId layer, OpId op) {
    return layer.valid() && std::ranges::find(plan.network->layers[layer.index()].ops, op) !=
                                plan.network->layers[layer.index()].ops.end();
}

} // namespace pim::views
