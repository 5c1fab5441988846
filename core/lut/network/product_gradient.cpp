// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/product_gradient.h"

#include "core/lut/network/product_layer.h"
#include "core/numeric/matrix_product.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::lut {
namespace {

std::size_t element(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

/// One operand of all instances where its gradient goes: base[instance] + a * stepA + b * stepB.
struct Place {
    const std::vector<std::int64_t>& base;
    std::int64_t stepA, stepB;
};

/// Adds [instances, a, b] to an operand; instances that share it add up.
void scatter(std::span<const float> gradient, std::int64_t countA, std::int64_t countB, const Place& place,
             std::vector<float>& to) {
    std::size_t from = 0;
    for (const std::int64_t base : place.base)
        for (std::int64_t a = 0; a < countA; ++a)
            for (std::int64_t b = 0; b < countB; ++b)
                to[element(base + a * place.stepA + b * place.stepB)] += gradient[from++];
}

std::vector<std::int64_t> contiguous(std::int64_t instances, std::int64_t size) {
    std::vector<std::int64_t> base;
    for (std::int64_t i = 0; i < instances; ++i)
        base.push_back(i * size);
    return base;
}

/// [g, m, n]: gradient of the output times weights turned.
Result<std::vector<float>> rowGradients(const MatrixForm& form, std::span<const float> output,
                                        std::span<const float> weights, int threads) {
    MatrixForm turned;
    turned.g = form.g;
    turned.m = form.m;
    turned.n = form.k;
    turned.k = form.n;
    turned.inputBase = contiguous(form.g, form.m * form.k);
    turned.inputRow = form.k;
    turned.inputStep = 1;
    turned.weightBase = form.weightBase;
    turned.weightStep = form.weightColumn;
    turned.weightColumn = form.weightStep;
    return multiplyReal(turned, output, weights, threads);
}

/// [g, n, k]: rows turned times the gradient of the output.
Result<std::vector<float>> weightGradients(const MatrixForm& form, std::span<const float> output,
                                           std::span<const float> input, int threads) {
    MatrixForm turned;
    turned.g = form.g;
    turned.m = form.n;
    turned.n = form.m;
    turned.k = form.k;
    turned.inputBase = form.inputBase;
    turned.inputRow = form.inputStep;
    turned.inputStep = form.inputRow;
    turned.weightBase = contiguous(form.g, form.m * form.k);
    turned.weightStep = form.k;
    turned.weightColumn = 1;
    return multiplyReal(turned, input, output, threads);
}

} // namespace

std::vector<float> product(const Factor& a, const Factor& b, std::int64_t rows, std::int64_t n, int threads) {
    MatrixForm form;
    form.g = 1;
    form.m = rows;
    form.n = n;
    form.k = std::ssize(b.values) / n;
    form.inputBase = form.weightBase = {0};
    form.inputRow = a.turned ? 1 : n;
    form.inputStep = a.turned ? rows : 1;
    form.weightStep = b.turned ? 1 : form.k;
    form.weightColumn = b.turned ? n : 1;
    return multiplyReal(form, a.values, b.values, threads).value(); // nothing stops it
}

Result<Gradients> productGradients(const Graph& graph, const TapeStep& step, std::span<const float> output,
                                   const std::vector<bool>& wanted, int threads) {
    const Op& op = graph.op(step.op);
    const auto refuse = [&](std::string why) {
        return fail(ErrorCode::Unsupported, std::move(why), fmt::format("{} \"{}\"", op.type, op.name),
                    "method=refit needs no gradients");
    };
    PIM_TRY(const auto forms, matrixForms(graph, step.op));
    const MatrixForm& form = forms[0];
    if (forms.size() != 1)
        return refuse("the gradient of fused attention is not known here");
    if (wanted.size() > 2 && wanted[2])
        return refuse("its bias is computed by converted layers");
    std::vector<float> scaled(output.begin(), output.end());
    if (const double alpha = op.type == "Gemm" ? op.floatAttribute("alpha", 1) : 1; alpha != 1)
        for (float& value : scaled)
            value = static_cast<float>(double(value) * alpha);
    Gradients made(step.inputs.size());
    const auto held = [&](TensorId tensor) {
        return element(std::ranges::find(op.inputs, tensor) - op.inputs.begin());
    };
    const std::size_t input = held(form.input), weights = held(form.weights);
    if (input == weights && (wanted[input] || wanted[weights]))
        return refuse("it multiplies a tensor by itself");
    if (form.isConv()) {
        if (wanted[weights] || form.g != 1)
            return refuse("the gradient of a convolution is known here for constant weights and one group");
        PIM_TRY(const auto layer, ProductLayer::of(graph, step.op, 1));
        PIM_TRY(const auto matrix, layer.weights(graph));
        const std::vector<float> sums = layer.fromOutput(scaled);
        made[input].resize(element(step.inputs[input].count()));
        layer.addToInput(product({sums}, {matrix, true}, layer.rows(), layer.features(), threads),
                         made[input]);
        return made;
    }
    if (wanted[input]) {
        PIM_TRY(const auto rows, rowGradients(form, scaled, elements<float>(step.inputs[weights]), threads));
        made[input].resize(element(step.inputs[input].count()));
        scatter(rows, form.m, form.n, {form.inputBase, form.inputRow, form.inputStep}, made[input]);
    }
    if (wanted[weights]) {
        PIM_TRY(const auto columns,
                weightGradients(form, scaled, elements<float>(step.inputs[input]), threads));
        made[weights].resize(element(step.inputs[weights].count()));
        scatter(columns, form.n, form.k, {form.weightBase, form.weightStep, form.weightColumn},
                made[weights]);
    }
    return made;
}

} // namespace pim::lut
