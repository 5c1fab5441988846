// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/reference.h"

#include "core/numeric/matrix_form.h"
#include "core/numeric/matrix_product.h"
#include "core/numeric/real_ops.h"
#include "core/numeric/real_run.h"
#include "core/numeric/table_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

namespace {

Result<Value> product(const Graph& graph, const std::vector<MatrixForm>& forms, std::span<const Value> in,
                      int threads) {
    const OpId id = forms[0].op;
    PIM_TRY(auto sums, multiplyReal(forms[0], elements<float>(in[0]), elements<float>(in[1]), threads));
    if (forms.size() == 2) {
        PIM_CHECK(attentionSoftmax(graph, id, sums, in.size() > 3 ? in[3] : Value(), threads));
        PIM_TRY(sums, multiplyReal(forms[1], sums, elements<float>(in[2]), threads));
    } else {
        PIM_CHECK(finishProduct(graph, id, in, sums));
    }
    Fresh<float> fresh(DataType::F32, *graph.tensor(graph.op(id).outputs[0]).shape);
    std::copy(sums.begin(), sums.end(), fresh.data.begin());
    return fresh.value;
}

std::vector<double> mapOfResult(const Value& value, const CrossbarLayer& layer) {
    const std::vector<double> numbers = realsOf(*value.bytes, value.dtype);
    std::vector<double> map(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        map[std::size_t(layer.as<HostWork>()->writes.at(std::int64_t(i), layer.out))] = numbers[i];
    return map;
}

} // namespace

Result<std::vector<double>> hostLayer(const CrossbarNetwork& network, LayerId position,
                                      const std::function<std::vector<double>(LayerId input)>& mapOf,
                                      int threads) {
    const CrossbarLayer& layer = network.layers[position.index()];
    const HostWork& work = *layer.as<HostWork>();
    const Graph& graph = *network.graph;
    const OpId id = graph.tensor(layer.value).producer;
    const Op& op = graph.op(id);
    std::vector<Value> in;
    const bool rows = takesTableRows(graph, id);
    std::size_t next = 0; // inputs of the layer are the operands that are no constants, in their order
    for (const TensorId operand : op.inputs) {
        in.emplace_back();
        if (!operand.valid())
            continue;
        const Tensor& tensor = graph.tensor(operand);
        if (rows && operand == op.inputs[0])
            continue; // read row by row
        if (tensor.isConstant()) {
            PIM_TRY(in.back(), constantValue(tensor));
        } else if (next < layer.inputs.size()) {
            const LayerId input = layer.inputs[next];
            in.back() = tensorOfMap(mapOf(input), network.at(input).out, work.reads[next], tensor);
            ++next;
        } else {
            return fail(ErrorCode::Unsupported,
                        fmt::format("its operand \"{}\" is of no layer before it", tensor.name), layer.name);
        }
    }
    PIM_TRY(const auto forms, matrixForms(graph, id));
    Value value;
    if (rows) {
        PIM_TRY(value, tableRows(graph, id, in[1]));
    } else if (!forms.empty()) {
        PIM_TRY(value, product(graph, forms, in, threads));
    } else {
        PIM_TRY(const auto out, runRealOp(graph, id, in, threads));
        const auto at = std::find(op.outputs.begin(), op.outputs.end(), layer.value) - op.outputs.begin();
        if (std::size_t(at) >= out.size())
            return fail(ErrorCode::Unsupported, "its op does not give its value", layer.name);
        value = out[std::size_t(at)];
    }
    return mapOfResult(value, layer);
}

} // namespace pim
