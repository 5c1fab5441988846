// SPDX-License-Identifier: GPL-3.0-or-later
// x * sigmoid(x) -> Silu (Elfwing et al. 2018).
#include "core/graph/passes/fuse_activation.h"
#include "core/graph/passes/passes.h"

namespace pim {

int fuseSilu(Graph& graph) {
    Rewriter rewriter(graph);
    int changes = 0;
    for (std::size_t i = 0; i < rewriter.size(); ++i) {
        const Op& sigmoid = graph.ops[i];
        if (sigmoid.type != "Sigmoid" || !sigmoid.domain.empty())
            continue;
        std::vector<const Op*> parts{&sigmoid};
        const TensorId x = sigmoid.inputs[0];
        if (!matchProduct(rewriter, sigmoid.outputs[0], x, 1, parts).valid())
            continue;
        Op silu;
        silu.type = "Silu";
        silu.domain = "pim";
        silu.inputs = {x};
        rewriter.fuse(std::move(silu), parts);
        ++changes;
    }
    rewriter.commit();
    return changes;
}

} // namespace pim
