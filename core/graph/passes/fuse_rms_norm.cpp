// SPDX-License-Identifier: GPL-3.0-or-later
// Pow, ReduceMean, Add, Sqrt, Div, Mul [, Mul gamma] -> RmsNorm (Zhang and Sennrich 2019, eq. 4).
#include "core/graph/passes/fuse_norm.h"
#include "core/graph/passes/passes.h"

namespace pim {

int fuseRmsNorm(Graph& graph) {
    Rewriter rewriter(graph);
    int changes = 0;
    for (std::size_t i = 0; i < rewriter.size(); ++i) {
        if (!rewriter.isAlive(OpId(static_cast<std::int64_t>(i))))
            continue;
        auto match = matchRootMeanSquare(rewriter, graph.ops[i]);
        if (!match)
            continue;
        auto parts = match->parts;
        // Mixed precision: normalised in f32, cast back before the scale.
        if (const Op* cast = rewriter.onlyUser(match->result, "Cast")) {
            TensorId behind = cast->outputs[0];
            auto withCast = parts;
            withCast.push_back(cast);
            const TensorId gamma = takeConstant(rewriter, "Mul", behind, withCast);
            if (gamma.valid()) {
                Op norm;
                norm.type = "RmsNorm";
                norm.domain = "pim";
                norm.inputs = {match->x, gamma};
                norm.attributes = {{"epsilon", match->epsilon}, {"axes", match->axes}};
                rewriter.fuse(std::move(norm), withCast);
                ++changes;
                continue;
            }
        }
        Op norm;
        norm.type = "RmsNorm";
        norm.domain = "pim";
        norm.inputs = {match->x};
        norm.attributes = {{"epsilon", match->epsilon}, {"axes", match->axes}};
        if (const TensorId gamma = takeConstant(rewriter, "Mul", match->result, parts); gamma.valid())
            norm.inputs.push_back(gamma);
        rewriter.fuse(std::move(norm), parts);
        ++changes;
    }
    rewriter.commit();
    return changes;
}

} // namespace pim
