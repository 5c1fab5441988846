// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/whole_product.h"

#include "core/numeric/matrix_form.h"
#include "core/numeric/real_ops.h"

namespace pim {
namespace {

using Whole = std::uint64_t; // sums of which wrap

/// Elements less their zero point, which is one for all or one for each line of \p axis.
std::optional<std::vector<std::int64_t>> centred(std::span<const Value> in, std::size_t operand,
                                                 std::size_t zero, std::size_t axis) {
    auto values = intsOf(*in[operand].bytes, in[operand].dtype);
    if (zero >= in.size() || !in[zero].bytes)
        return values;
    const auto zeros = intsOf(*in[zero].bytes, in[zero].dtype);
    const Shape& shape = in[operand].shape;
    const bool perLine = zeros.size() != 1;
    if (perLine && (axis >= shape.size() || in[zero].shape != Shape{shape[axis]}))
        return std::nullopt;
    const auto inner = static_cast<std::size_t>(perLine ? numeric::splitAt(shape, axis).inner : 1);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] -= zeros[perLine ? i / inner % zeros.size() : 0];
    return values;
}

std::vector<std::int64_t> multiplied(const MatrixForm& form, const std::vector<std::int64_t>& input,
                                     const std::vector<std::int64_t>& weights) {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(form.outputs()));
    const auto n = static_cast<std::size_t>(form.n);
    std::vector<std::int64_t> columns(static_cast<std::size_t>(form.k) * n), row(n);
    for (std::int64_t instance = 0; instance < form.g; ++instance) {
        gatherWeights(form, weights.data(), {instance, 0, form.k, 0, form.n}, columns.data(), form.n);
        for (std::int64_t m = 0; m < form.m; ++m) {
            gatherInput(form, input.data(), {instance, m, 1, 0, form.n}, row.data(), form.n);
            for (std::int64_t k = 0; k < form.k; ++k) {
                Whole sum = 0;
                for (std::size_t i = 0; i < n; ++i)
                    sum += static_cast<Whole>(row[i]) *
                           static_cast<Whole>(columns[static_cast<std::size_t>(k) * n + i]);
                sums[static_cast<std::size_t>(form.outIndex(instance, m, k))] =
                    static_cast<std::int64_t>(sum);
            }
        }
    }
    return sums;
}

bool addsBias(const Op& op, std::span<const Value> in, const MatrixForm& form,
              std::vector<std::int64_t>& sums) {
    if (op.type != "Gemm")
        return true;
    if (op.floatAttribute("alpha", 1) != 1 || op.floatAttribute("beta", 1) != 1)
        return false;
    if (in.size() < 3 || !in[2].bytes)
        return true;
    const auto bias = intsOf(*in[2].bytes, in[2].dtype);
    const Shape &from = in[2].shape, to{form.m, form.k};
    if (from.size() > 2)
        return false;
    for (std::size_t d = 0; d < from.size(); ++d)
        if (from[d] != 1 && from[d] != to[2 - from.size() + d])
            return false;
    numeric::forBroadcast(from, to, [&](std::size_t at, std::size_t source) {
        sums[at] = static_cast<std::int64_t>(static_cast<Whole>(sums[at]) + static_cast<Whole>(bias[source]));
    });
    return true;
}

} // namespace

bool isWholeProduct(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    if (!op.domain.empty() || op.inputs.empty() || !op.inputs[0].valid())
        return false;
    if (op.type == "MatMulInteger" || op.type == "ConvInteger")
        return true;
    const DataType type = graph.tensor(op.inputs[0]).dtype;
    return (op.type == "MatMul" || op.type == "Gemm") && !isRealType(type) && bytesOf(type) > 0;
}

std::optional<Value> wholeProduct(const Graph& graph, OpId id, std::span<const Value> in) {
    const Op& op = graph.op(id);
    if (in.size() < 2 || !in[0].bytes || !in[1].bytes || op.outputs.empty() || !op.outputs[0].valid())
        return std::nullopt;
    const Tensor& result = graph.tensor(op.outputs[0]);
    const auto forms = wholeForms(graph, id);
    if (!forms || forms->size() != 1 || !result.shape ||
        forms->front().outputs() != elementCount(*result.shape).value_or(-1))
        return std::nullopt;
    const bool isConv = op.type == "ConvInteger", hasZeros = isConv || op.type == "MatMulInteger";
    const std::size_t none = in.size(), rank = in[0].shape.size(), ofWeights = in[1].shape.size();
    const auto input = centred(in, 0, hasZeros ? 2 : none, rank < 2 ? 0 : rank - 2),
               weights = centred(in, 1, hasZeros ? 3 : none, isConv ? 0 : ofWeights - 1);
    if (!input || !weights)
        return std::nullopt;
    auto sums = multiplied(forms->front(), *input, *weights);
    if (!addsBias(op, in, forms->front(), sums))
        return std::nullopt;
    return Value{result.dtype, *result.shape,
                 std::make_shared<const std::vector<std::byte>>(bytesFromInts(sums, result.dtype))};
}

} // namespace pim
