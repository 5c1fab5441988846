// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/unsized.h"

#include <algorithm>

namespace pim {

std::vector<bool> unsizedOps(const Graph& graph) {
    std::vector<bool> all(graph.ops.size()), isOfOne(graph.tensors.size());
    const auto hasNoSize = [&](TensorId id) {
        if (!id.valid() || graph.tensor(id).isConstant())
            return false;
        const auto& shape = graph.tensor(id).shape;
        return isOfOne[id.index()] || !shape || !isStatic(*shape);
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Op& op = graph.ops[i];
        all[i] = std::ranges::any_of(op.inputs, hasNoSize) || std::ranges::any_of(op.outputs, hasNoSize);
        for (const TensorId output : op.outputs)
            if (all[i] && output.valid())
                isOfOne[output.index()] = true;
    }
    return all;
}

} // namespace pim
