// SPDX-License-Identifier: GPL-3.0-or-later
// BatchNormalization behind a Conv, ConvTranspose or Gemm with constant weights becomes part of the weights
// and bias. Their new values are Derivations ("FoldedWeight", "FoldedBias"): computed when somebody reads
// them, by readConstant().
#include "core/graph/graph_builder.h"
#include "core/graph/passes/passes.h"
#include "core/graph/passes/rewriter.h"

namespace pim {

int foldBatchNorm(Graph& graph) {
    Rewriter rewriter(graph);
    int changes = 0;
    for (std::size_t i = 0; i < rewriter.size(); ++i) {
        const Op& norm = graph.ops[i];
        if (norm.type != "BatchNormalization" || !norm.domain.empty() || norm.inputs.size() < 5)
            continue;
        const TensorId data = norm.inputs[0];
        const Op* conv = rewriter.producer(data, "Conv");
        const Op* transposed = conv ? nullptr : rewriter.producer(data, "ConvTranspose");
        const Op* gemm = conv || transposed ? nullptr : rewriter.producer(data, "Gemm");
        const Op* linear = conv ? conv : transposed ? transposed : gemm;
        if (!linear || !rewriter.usedOnlyBy(data, {&norm}) || linear->inputs.size() < 2)
            continue;
        if (gemm && (gemm->floatAttribute("alpha", 1) != 1 || gemm->floatAttribute("beta", 1) != 1))
            continue;
        bool plain = norm.outputs.size() <= 1 || [&] { // running statistics must not be asked for
            for (std::size_t k = 1; k < norm.outputs.size(); ++k)
                if (norm.outputs[k].valid() && !rewriter.usedOnlyBy(norm.outputs[k], {}))
                    return false;
            return true;
        }();
        std::vector<Tensor> parameters; // scale, shift, mean, variance
        for (std::size_t k = 1; k <= 4 && plain; ++k) {
            plain = norm.inputs[k].valid() && rewriter.tensor(norm.inputs[k]).isConstant() &&
                    rewriter.shape(norm.inputs[k]);
            if (plain)
                parameters.push_back(rewriter.tensor(norm.inputs[k]));
        }
        const TensorId weightId = linear->inputs[1];
        const Shape* shape = rewriter.shape(weightId);
        if (!plain || !shape || shape->empty() || !rewriter.tensor(weightId).isConstant())
            continue;
        // Weights are [groups][input][channel of the group][run].
        std::int64_t channels = shape->front(), groups = channels, run = 1;
        if (gemm && gemm->intAttribute("transB", 0) == 0) {
            channels = shape->back();
            groups = 1;
        } else if (transposed && shape->size() > 2) {
            groups = transposed->intAttribute("group", 1);
            channels = groups * (*shape)[1];
            for (std::size_t axis = 2; axis < shape->size(); ++axis)
                run *= (*shape)[axis];
        }
        const TensorId biasId = linear->inputs.size() > 2 ? linear->inputs[2] : TensorId();
        if (biasId.valid() &&
            (!rewriter.tensor(biasId).isConstant() || rewriter.tensor(biasId).shape != Shape{channels}))
            continue;
        // Bare copies: the originals may be shared, and stay as they are.
        const Tensor weight = rewriter.tensor(weightId),
                     bias = biasId.valid() ? rewriter.tensor(biasId) : Tensor();
        Op recipe;
        recipe.domain = "pim";
        recipe.attributes["epsilon"] = norm.floatAttribute("epsilon", 1e-5);
        recipe.attributes["groups"] = groups;
        recipe.attributes["run"] = run;
        recipe.type = "FoldedWeight";
        Tensor newWeight =
            derivedTensor(weight.name + "/folded_" + norm.name, recipe,
                          {weight, parameters[0], parameters[3]}, 0, {{weight.dtype, *weight.shape}});
        newWeight.data = weight.data;
        recipe.type = "FoldedBias";
        recipe.attributes["run"] = std::int64_t(1);
        Tensor newBias =
            derivedTensor((biasId.valid() ? bias.name : weight.name + "/bias") + "/folded_" + norm.name,
                          recipe, {bias, parameters[0], parameters[3], parameters[2], parameters[1]}, 0,
                          {{weight.dtype, Shape{channels}}});
        Op merged = *linear;
        merged.inputs.resize(3);
        merged.inputs[1] = rewriter.addTensor(std::move(newWeight));
        merged.inputs[2] = rewriter.addTensor(std::move(newBias));
        merged.outputs = {norm.outputs[0]};
        const std::string name = linear->name; // users know the convolution, not its normalisation
        const auto place = rewriter.idOf(&norm);
        rewriter.fuse(std::move(merged), {linear, &norm});
        graph.ops[place.index()].name = name;
        ++changes;
    }
    rewriter.commit();
    return changes;
}

} // namespace pim
