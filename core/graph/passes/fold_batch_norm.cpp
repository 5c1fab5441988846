// SPDX-License-Identifier: GPL-3.0-or-later
// BatchNormalization behind a Conv, ConvTranspose or Gemm with constant weights becomes part of the weights
// and bias. Their new values are Derivations ("FoldedWeight", "FoldedBias"): computed when somebody reads
// them, by readConstant().
#include "core/graph/graph_builder.h"
#include "core/graph/passes/passes.h"
#include "core/graph/passes/rewriter.h"

#include <optional>

namespace pim {

namespace {

/// A normalisation and what it can become part of.
struct Foldable {
    const Op* norm = nullptr;
    const Op* linear = nullptr;
    std::vector<Tensor> parameters; ///< Scale, shift, mean, variance.
    // Weights are [groups][input][channel of the group][run].
    std::int64_t channels = 0, groups = 0, run = 1;
    TensorId weight, bias; ///< The bias may be invalid.
};

/// The op before, where it has constant weights and nobody else reads its result.
const Op* linearBefore(const Rewriter& rewriter, const Op& norm) {
    const TensorId data = norm.inputs[0];
    const Op* conv = rewriter.producer(data, "Conv");
    const Op* transposed = conv ? nullptr : rewriter.producer(data, "ConvTranspose");
    const Op* gemm = conv || transposed ? nullptr : rewriter.producer(data, "Gemm");
    const Op* linear = conv ? conv : transposed ? transposed : gemm;
    if (!linear || !rewriter.usedOnlyBy(data, {&norm}) || linear->inputs.size() < 2)
        return nullptr;
    if (gemm && (gemm->floatAttribute("alpha", 1) != 1 || gemm->floatAttribute("beta", 1) != 1))
        return nullptr;
    return linear;
}

/// Scale, shift, mean and variance; none where they are not constants, or somebody asks for running statistics.
std::vector<Tensor> parametersOf(const Rewriter& rewriter, const Op& norm) {
    for (std::size_t k = 1; k < norm.outputs.size(); ++k)
        if (norm.outputs[k].valid() && !rewriter.usedOnlyBy(norm.outputs[k], {}))
            return {};
    std::vector<Tensor> parameters;
    for (std::size_t k = 1; k <= 4; ++k) {
        if (!norm.inputs[k].valid() || !rewriter.tensor(norm.inputs[k]).isConstant() ||
            !rewriter.shape(norm.inputs[k]))
            return {};
        parameters.push_back(rewriter.tensor(norm.inputs[k]));
    }
    return parameters;
}

std::optional<Foldable> foldable(const Rewriter& rewriter, const Op& norm) {
    if (norm.type != "BatchNormalization" || !norm.domain.empty() || norm.inputs.size() < 5)
        return std::nullopt;
    Foldable fold{.norm = &norm, .linear = linearBefore(rewriter, norm)};
    if (!fold.linear)
        return std::nullopt;
    fold.parameters = parametersOf(rewriter, norm);
    const Op& linear = *fold.linear;
    fold.weight = linear.inputs[1];
    const Shape* shape = rewriter.shape(fold.weight);
    if (fold.parameters.empty() || !shape || shape->empty() || !rewriter.tensor(fold.weight).isConstant())
        return std::nullopt;
    fold.channels = fold.groups = shape->front();
    if (linear.type == "Gemm" && linear.intAttribute("transB", 0) == 0) {
        fold.channels = shape->back();
        fold.groups = 1;
    } else if (linear.type == "ConvTranspose" && shape->size() > 2) {
        fold.groups = linear.intAttribute("group", 1);
        fold.channels = fold.groups * (*shape)[1];
        for (std::size_t axis = 2; axis < shape->size(); ++axis)
            fold.run *= (*shape)[axis];
    }
    fold.bias = linear.inputs.size() > 2 ? linear.inputs[2] : TensorId();
    if (fold.bias.valid() && (!rewriter.tensor(fold.bias).isConstant() ||
                              rewriter.tensor(fold.bias).shape != Shape{fold.channels}))
        return std::nullopt;
    return fold;
}

/// The op with the weights and the bias of both.
Op merged(Rewriter& rewriter, const Foldable& fold) {
    // Bare copies: the originals may be shared, and stay as they are.
    const Tensor weight = rewriter.tensor(fold.weight),
                 bias = fold.bias.valid() ? rewriter.tensor(fold.bias) : Tensor();
    const std::vector<Tensor>& of = fold.parameters;
    Op recipe;
    recipe.domain = "pim";
    recipe.attributes["epsilon"] = fold.norm->floatAttribute("epsilon", 1e-5);
    recipe.attributes["groups"] = fold.groups;
    recipe.attributes["run"] = fold.run;
    recipe.type = "FoldedWeight";
    Tensor newWeight = derivedTensor(weight.name + "/folded_" + fold.norm->name, recipe,
                                     {weight, of[0], of[3]}, 0, {{weight.dtype, *weight.shape}});
    newWeight.data = weight.data;
    recipe.type = "FoldedBias";
    recipe.attributes["run"] = std::int64_t(1);
    Tensor newBias =
        derivedTensor((fold.bias.valid() ? bias.name : weight.name + "/bias") + "/folded_" + fold.norm->name,
                      recipe, {bias, of[0], of[3], of[2], of[1]}, 0, {{weight.dtype, Shape{fold.channels}}});
    Op made = *fold.linear;
    made.inputs.resize(3);
    made.inputs[1] = rewriter.addTensor(std::move(newWeight));
    made.inputs[2] = rewriter.addTensor(std::move(newBias));
    made.outputs = {fold.norm->outputs[0]};
    return made;
}

} // namespace

int foldBatchNorm(Graph& graph) {
    Rewriter rewriter(graph);
    int changes = 0;
    for (std::size_t i = 0; i < rewriter.size(); ++i) {
        const Op& norm = graph.ops[i];
        const std::optional<Foldable> fold = foldable(rewriter, norm);
        if (!fold)
            continue;
        const std::string name = fold->linear->name; // users know the convolution, not its normalisation
        const auto place = rewriter.idOf(&norm);
        Op made = merged(rewriter, *fold);
        rewriter.fuse(std::move(made), {fold->linear, &norm});
        graph.ops[place.index()].name = name;
        ++changes;
    }
    rewriter.commit();
    return changes;
}

} // namespace pim
