// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/product_layer.h"

#include "core/numeric/real_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::lut {
namespace {

std::size_t offset(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

} // namespace

Result<ProductLayer> ProductLayer::of(const Graph& graph, OpId id, std::int64_t length) {
    const Op& op = graph.op(id);
    const std::string where = fmt::format("{} \"{}\"", op.type, op.name);
    PIM_TRY(const auto forms, matrixForms(graph, id));
    if (forms.size() != 1)
        return fail(ErrorCode::Unsupported, "it is no product with constant weights", where);
    ProductLayer layer;
    layer.m_form = forms[0];
    const Tensor& weights = graph.tensor(layer.m_form.weights);
    if (!weights.isConstant())
        return fail(ErrorCode::Unsupported,
                    fmt::format("its weights \"{}\" are computed while the network runs", weights.name),
                    where, "only products with constant weights become look-ups");
    if (!isRealType(weights.dtype))
        return fail(ErrorCode::Unsupported, fmt::format("its weights are {}", name(weights.dtype)), where,
                    "convert the network before it is quantised");
    if (layer.m_form.g != 1)
        return fail(ErrorCode::Unsupported,
                    fmt::format("it has {} groups, look-ups are for one", layer.m_form.g), where);
    const auto operand = std::ranges::find(op.inputs, layer.m_form.input);
    if (operand == op.inputs.end() || length < 1)
        return fail(ErrorCode::Unsupported, fmt::format("sub-vectors of {} elements", length), where);
    layer.m_input = offset(operand - op.inputs.begin());
    layer.m_padded = (layer.m_form.n + length - 1) / length * length;
    return layer;
}

std::vector<float> ProductLayer::inputRows(const Value& input) const {
    std::vector<float> rows(offset(m_form.m * m_padded));
    const std::int64_t image = m_form.isConv() ? m_form.window.outHeight * m_form.window.outWidth : m_form.m;
    for (std::int64_t first = 0; first < m_form.m; first += image) // a block never crosses an image
        gatherInput(m_form, elements<float>(input).data(), {0, first, image, 0, m_form.n},
                    rows.data() + first * m_padded, m_padded);
    return rows;
}

void ProductLayer::addToInput(std::span<const float> rowGradients, std::span<float> operandGradients) const {
    if (!m_form.isConv()) {
        for (std::int64_t r = 0; r < m_form.m; ++r)
            for (std::int64_t i = 0; i < m_form.n; ++i)
                operandGradients[offset(m_form.inputBase[0] + r * m_form.inputRow + i * m_form.inputStep)] +=
                    rowGradients[offset(r * m_padded + i)];
        return;
    }
    const auto& w = m_form.window;
    const std::int64_t pixels = w.outHeight * w.outWidth, taps = w.kernelHeight * w.kernelWidth;
    for (std::int64_t r = 0; r < m_form.m; ++r)
        for (std::int64_t i = 0; i < m_form.n; ++i) {
            const std::int64_t y =
                r % pixels / w.outWidth * w.strideY - w.top + i % taps / w.kernelWidth * w.dilationY;
            const std::int64_t x = r % w.outWidth * w.strideX - w.left + i % w.kernelWidth * w.dilationX;
            if (y >= 0 && y < w.height && x >= 0 && x < w.width)
                operandGradients[offset(((r / pixels * w.channels + i / taps) * w.height + y) * w.width +
                                        x)] += rowGradients[offset(r * m_padded + i)];
        }
}

Result<std::vector<float>> ProductLayer::weights(const Graph& graph) const {
    PIM_TRY(const Value constant, constantValue(graph.tensor(m_form.weights)));
    std::vector<float> turned(offset(m_form.k * m_form.n)); // [features][inputs]
    gatherWeights(m_form, elements<float>(constant).data(), {0, 0, m_form.k, 0, m_form.n}, turned.data(),
                  m_form.n);
    std::vector<float> matrix(offset(m_padded * m_form.k));
    for (std::int64_t k = 0; k < m_form.k; ++k)
        for (std::int64_t n = 0; n < m_form.n; ++n)
            matrix[offset(n * m_form.k + k)] = turned[offset(k * m_form.n + n)];
    return matrix;
}

std::vector<float> ProductLayer::toOutput(std::span<const float> sums) const {
    if (!m_form.isConv())
        return {sums.begin(), sums.end()};
    std::vector<float> output(sums.size());
    for (std::int64_t r = 0; r < m_form.m; ++r)
        for (std::int64_t k = 0; k < m_form.k; ++k)
            output[offset(m_form.outIndex(0, r, k))] = sums[offset(r * m_form.k + k)];
    return output;
}

std::vector<float> ProductLayer::fromOutput(std::span<const float> output) const {
    if (!m_form.isConv())
        return {output.begin(), output.end()};
    std::vector<float> sums(output.size());
    for (std::int64_t r = 0; r < m_form.m; ++r)
        for (std::int64_t k = 0; k < m_form.k; ++k)
            sums[offset(r * m_form.k + k)] = output[offset(m_form.outIndex(0, r, k))];
    return sums;
}

Result<Value> ProductLayer::finished(const Graph& graph, std::span<const Value> in,
                                     std::span<const float> sums) const {
    Fresh<float> fresh(DataType::F32, *graph.tensor(graph.op(m_form.op).outputs[0]).shape);
    const std::vector<float> ordered = toOutput(sums);
    if (ordered.size() != fresh.data.size())
        return fail(ErrorCode::InvalidModel,
                    fmt::format("{} sums for an output of {} elements", ordered.size(), fresh.data.size()),
                    graph.op(m_form.op).name);
    std::ranges::copy(ordered, fresh.data.begin());
    PIM_CHECK(finishProduct(graph, m_form.op, in, fresh.data));
    return fresh.value;
}

} // namespace pim::lut
