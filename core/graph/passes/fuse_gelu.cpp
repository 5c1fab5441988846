// SPDX-License-Identifier: GPL-3.0-or-later
// GELU (Hendrycks and Gimpel 2016): 0.5 x (1 + erf(x / sqrt 2)), and its approximation
// 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))).
#include "core/graph/passes/fuse_activation.h"
#include "core/graph/passes/passes.h"

#include <cmath>
#include <numbers>

namespace pim {

TensorId matchProduct(const Rewriter& rewriter, TensorId start, TensorId x, double factor,
                      std::vector<const Op*>& parts) {
    bool hasX = false, hasFactor = factor == 1;
    for (int i = 0; i < 2 && !(hasX && hasFactor); ++i) {
        const Op* mul = rewriter.onlyUser(start, "Mul");
        const TensorId other = mul ? otherInput(*mul, start) : TensorId();
        if (!other.valid())
            return TensorId();
        if (!hasX && other == x) {
            hasX = true;
        } else if (!hasFactor && rewriter.isScalar(other, factor)) {
            hasFactor = true;
        } else if (const Op* scaled = rewriter.producer(other, "Mul");
                   scaled && !hasX && !hasFactor && rewriter.onlyUser(other).valid() &&
                   rewriter.isScalar(otherInput(*scaled, x), factor)) {
            hasX = hasFactor = true;
            parts.push_back(scaled);
        } else {
            return TensorId();
        }
        parts.push_back(mul);
        start = mul->outputs[0];
    }
    return hasX && hasFactor ? start : TensorId();
}

namespace {

/// x of sqrt(2/pi) * (x + 0.044715 * x^3), the argument of the tanh.
TensorId matchCubic(const Rewriter& rewriter, TensorId argument, std::vector<const Op*>& parts) {
    const auto scaledBy = [&](TensorId product, double factor) {
        const Op* mul = rewriter.onlyUser(product).valid() ? rewriter.producer(product, "Mul") : nullptr;
        for (std::size_t side = 0; mul && side < 2; ++side)
            if (rewriter.isScalar(mul->inputs[side], factor)) {
                parts.push_back(mul);
                return mul->inputs[1 - side];
            }
        return TensorId();
    };
    const TensorId sum = scaledBy(argument, std::sqrt(2 / std::numbers::pi));
    const Op* add = sum.valid() && rewriter.onlyUser(sum).valid() ? rewriter.producer(sum, "Add") : nullptr;
    for (std::size_t side = 0; add && side < 2; ++side) {
        const TensorId x = add->inputs[side];
        const std::size_t before = parts.size();
        const TensorId cube = scaledBy(add->inputs[1 - side], 0.044715);
        if (cube.valid() && rewriter.onlyUser(cube).valid()) {
            if (const Op* power = rewriter.producer(cube, "Pow");
                power && power->inputs[0] == x && rewriter.isScalar(power->inputs[1], 3)) {
                parts.insert(parts.end(), {add, power});
                return x;
            }
            const Op* outer = rewriter.producer(cube, "Mul");
            const TensorId square = outer ? otherInput(*outer, x) : TensorId();
            const Op* inner = square.valid() && rewriter.onlyUser(square).valid()
                                  ? rewriter.producer(square, "Mul")
                                  : nullptr;
            if (inner && inner->inputs[0] == x && inner->inputs[1] == x) {
                parts.insert(parts.end(), {add, outer, inner});
                return x;
            }
        }
        parts.resize(before);
    }
    return TensorId();
}

/// x of x / sqrt 2, the argument of the erf.
TensorId matchScaled(const Rewriter& rewriter, TensorId argument, std::vector<const Op*>& parts) {
    if (!rewriter.onlyUser(argument).valid())
        return TensorId();
    if (const Op* div = rewriter.producer(argument, "Div");
        div && rewriter.isScalar(div->inputs[1], std::numbers::sqrt2)) {
        parts.push_back(div);
        return div->inputs[0];
    }
    const Op* mul = rewriter.producer(argument, "Mul");
    for (std::size_t side = 0; mul && side < 2; ++side)
        if (rewriter.isScalar(mul->inputs[side], 1 / std::numbers::sqrt2)) {
            parts.push_back(mul);
            return mul->inputs[1 - side];
        }
    return TensorId();
}

} // namespace

int fuseGelu(Graph& graph, const FuseGeluOptions& options) {
    Rewriter rewriter(graph);
    int changes = 0;
    for (std::size_t i = 0; i < rewriter.size(); ++i) {
        const Op& curve = graph.ops[i];
        const bool isErf = curve.type == "Erf" && options.form != GeluForm::Tanh,
                   isTanh = curve.type == "Tanh" && options.form != GeluForm::Erf;
        if ((!isErf && !isTanh) || !curve.domain.empty() ||
            !rewriter.isAlive(OpId(static_cast<std::int64_t>(i))))
            continue;
        std::vector<const Op*> parts{&curve};
        const TensorId x = isErf ? matchScaled(rewriter, curve.inputs[0], parts)
                                 : matchCubic(rewriter, curve.inputs[0], parts);
        const Op* add = rewriter.onlyUser(curve.outputs[0], "Add");
        if (!x.valid() || !add || !rewriter.isScalar(otherInput(*add, curve.outputs[0]), 1))
            continue;
        parts.push_back(add);
        const TensorId result = matchProduct(rewriter, add->outputs[0], x, 0.5, parts);
        if (!result.valid() || rewriter.tensor(result).shape != rewriter.tensor(x).shape)
            continue;
        Op gelu;
        gelu.type = "Gelu";
        gelu.domain = "pim";
        gelu.inputs = {x};
        gelu.attributes = {{"approximate", std::string(isErf ? "none" : "tanh")}};
        rewriter.fuse(std::move(gelu), parts);
        ++changes;
    }
    rewriter.commit();
    return changes;
}

} // namespace pim
