// SPDX-License-Identifier: GPL-3.0-or-later
// ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div [, Mul gamma] [, Add beta] -> LayerNorm (Ba et al. 2016,
// eq. 3-4).
#include "core/graph/passes/fuse_norm.h"
#include "core/graph/passes/passes.h"

namespace pim {

int fuseLayerNorm(Graph& graph) {
    Rewriter rewriter(graph);
    int changes = 0;
    for (std::size_t i = 0; i < rewriter.size(); ++i) {
        if (!rewriter.isAlive(OpId(static_cast<std::int64_t>(i))))
            continue;
        auto match = matchRootMeanSquare(rewriter, graph.ops[i]);
        const Op* difference = match ? rewriter.producer(match->x, "Sub") : nullptr;
        if (!difference || !rewriter.usedOnlyBy(match->x, {match->square, match->division}))
            continue;
        const Op* mean = rewriter.producer(difference->inputs[1], "ReduceMean");
        if (!mean || mean->inputs[0] != difference->inputs[0] ||
            !rewriter.usedOnlyBy(difference->inputs[1], {difference}) ||
            trailingAxes(rewriter, *mean) != match->axes)
            continue;
        auto parts = match->parts;
        parts.insert(parts.end(), {difference, mean});
        Op norm;
        norm.type = "LayerNorm";
        norm.domain = "pim";
        norm.inputs = {difference->inputs[0]};
        norm.attributes = {{"epsilon", match->epsilon}, {"axes", match->axes}};
        if (const TensorId gamma = takeConstant(rewriter, "Mul", match->result, parts); gamma.valid()) {
            norm.inputs.push_back(gamma);
            if (const TensorId beta = takeConstant(rewriter, "Add", match->result, parts); beta.valid())
                norm.inputs.push_back(beta);
        }
        rewriter.fuse(std::move(norm), parts);
        ++changes;
    }
    rewriter.commit();
    return changes;
}

} // namespace pim
