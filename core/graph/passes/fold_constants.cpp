// SPDX-License-Identifier: GPL-3.0-or-later
// The values are there already (see graph_builder.cpp); this pass takes away the ops that would compute them,
// and the ops whose results nobody uses.
#include "core/graph/passes/passes.h"
#include "core/graph/passes/rewriter.h"

#include <algorithm>

namespace pim {

int foldConstants(Graph& graph) {
    Rewriter rewriter(graph);
    int changes = 0;
    for (std::size_t i = graph.ops.size(); i-- > 0;) { // backwards: users are decided before their producers
        const Op& op = graph.ops[i];
        const bool folded = std::all_of(op.outputs.begin(), op.outputs.end(), [&](TensorId id) {
            if (!id.valid() || graph.tensor(id).isConstant())
                return true;
            const Tensor& t = graph.tensor(id);
            return !t.isOutput && std::none_of(t.consumers.begin(), t.consumers.end(),
                                               [&](OpId user) { return rewriter.isAlive(user); });
        });
        if (folded) {
            rewriter.remove(OpId(static_cast<std::int64_t>(i)));
            ++changes;
        }
    }
    rewriter.commit();
    return changes;
}

} // namespace pim
