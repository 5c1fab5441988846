// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/passes/fuse_norm.h"

#include "core/graph/passes/passes.h"
#include "core/graph/semantics/values.h"

#include <algorithm>

namespace pim {

std::optional<std::vector<std::int64_t>> trailingAxes(const Rewriter& rewriter, const Op& mean) {
    const Shape* shape = mean.inputs.empty() ? nullptr : rewriter.shape(mean.inputs[0]);
    if (!shape || mean.intAttribute("keepdims", 1) == 0)
        return std::nullopt;
    auto axes = mean.intsAttribute("axes", {});
    if (mean.inputs.size() > 1 && mean.inputs[1].valid()) {
        const Tensor& given = rewriter.tensor(mean.inputs[1]);
        if (!given.constant)
            return std::nullopt;
        axes = intsOf(*given.constant, given.dtype);
    }
    const auto rank = static_cast<std::int64_t>(shape->size());
    for (std::int64_t& axis : axes)
        axis = axis < 0 ? axis + rank : axis;
    std::sort(axes.begin(), axes.end());
    const auto count = static_cast<std::int64_t>(axes.size());
    for (std::int64_t i = 0; i < count; ++i)
        if (axes[static_cast<std::size_t>(i)] != rank - count + i)
            return std::nullopt;
    return count > 0 ? std::optional(axes) : std::nullopt;
}

TensorId takeConstant(const Rewriter& rewriter, std::string_view type, TensorId& result,
                      std::vector<const Op*>& parts) {
    const Op* user = rewriter.onlyUser(result, type);
    const TensorId constant = user ? otherInput(*user, result) : TensorId();
    if (!constant.valid() || !rewriter.tensor(constant).isConstant())
        return TensorId();
    if (rewriter.tensor(user->outputs[0]).shape != rewriter.tensor(result).shape)
        return TensorId();
    parts.push_back(user);
    result = user->outputs[0];
    return constant;
}

/// Forms: x / sqrt(v), x * (1 / sqrt(v)), x * reciprocal(sqrt(v)), x * pow(v, -0.5), with v = mean(x^2) +
/// epsilon and x^2 as pow(x, 2) or x * x.
std::optional<RootMeanSquare> matchRootMeanSquare(const Rewriter& rewriter, const Op& division) {
    if (!division.domain.empty() || division.inputs.size() != 2 || division.outputs.size() != 1)
        return std::nullopt;
    const bool isDiv = division.type == "Div";
    if (!isDiv && division.type != "Mul")
        return std::nullopt;
    for (std::size_t side = isDiv ? 1 : 0; side < 2; ++side) {
        RootMeanSquare match;
        match.x = division.inputs[1 - side];
        match.result = division.outputs[0];
        TensorId root = division.inputs[side];
        const auto step = [&](TensorId& at, const Op* part) {
            if (!part || !rewriter.onlyUser(at).valid())
                return false;
            match.parts.push_back(part);
            return true;
        };
        TensorId variance;
        if (!isDiv) {
            if (const Op* power = rewriter.producer(root, "Pow");
                power && rewriter.isScalar(power->inputs[1], -0.5)) {
                if (!step(root, power))
                    continue;
                variance = power->inputs[0];
            } else if (const Op* inverse = rewriter.producer(root, "Reciprocal")) {
                if (!step(root, inverse))
                    continue;
                root = inverse->inputs[0];
            } else if (const Op* quotient = rewriter.producer(root, "Div");
                       quotient && rewriter.isScalar(quotient->inputs[0], 1)) {
                if (!step(root, quotient))
                    continue;
                root = quotient->inputs[1];
            } else {
                continue;
            }
        }
        if (!variance.valid()) {
            const Op* sqrt = rewriter.producer(root, "Sqrt");
            if (!step(root, sqrt))
                continue;
            variance = sqrt->inputs[0];
        }
        const Op* add = rewriter.producer(variance, "Add");
        if (!step(variance, add))
            continue;
        const auto right = rewriter.scalar(add->inputs[1]), left = rewriter.scalar(add->inputs[0]);
        if (!right && !left)
            continue;
        match.epsilon = right ? *right : *left;
        TensorId mean = right ? add->inputs[0] : add->inputs[1];
        const Op* reduce = rewriter.producer(mean, "ReduceMean");
        if (!step(mean, reduce))
            continue;
        const auto axes = trailingAxes(rewriter, *reduce);
        TensorId square = reduce->inputs[0];
        const Op* power = rewriter.producer(square, "Pow");
        const Op* product = power ? nullptr : rewriter.producer(square, "Mul");
        const bool isSquare = (power && rewriter.isScalar(power->inputs[1], 2)) ||
                              (product && product->inputs[0] == product->inputs[1]);
        match.square = power ? power : product;
        if (!axes || !isSquare || match.square->inputs[0] != match.x || !step(square, match.square))
            continue;
        match.axes = *axes;
        match.division = &division;
        match.parts.push_back(&division);
        return match;
    }
    return std::nullopt;
}

} // namespace pim
