// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/dataflow.h"

#include <algorithm>
#include <array>

namespace pim {
namespace {

bool movesNothing(const Graph& graph, const Op& op) {
    static constexpr std::array<std::string_view, 5> kViews{"Reshape", "Flatten", "Squeeze", "Unsqueeze",
                                                            "Identity"};
    if (op.opClass != OpClass::Movement || op.inputs.empty() || !op.inputs[0].valid() ||
        op.outputs.size() != 1)
        return false;
    if (std::find(kViews.begin(), kViews.end(), op.type) != kViews.end())
        return true;
    const auto& shape = graph.tensor(op.inputs[0]).shape;
    if (op.type != "Transpose" || !shape)
        return false;
    std::vector<std::int64_t> reversed(shape->size());
    for (std::size_t i = 0; i < reversed.size(); ++i)
        reversed[i] = static_cast<std::int64_t>(reversed.size() - 1 - i);
    std::int64_t last = -1; // axes longer than one must keep their order
    for (const std::int64_t axis : op.intsAttribute("perm", reversed)) {
        if (axis < 0 || axis >= static_cast<std::int64_t>(shape->size()))
            return false;
        if ((*shape)[static_cast<std::size_t>(axis)] == 1)
            continue;
        if (axis < last)
            return false;
        last = axis;
    }
    return true;
}

bool isFloat(DataType type) {
    return type == DataType::F32 || type == DataType::F16 || type == DataType::BF16 ||
           type == DataType::F64 || type == DataType::Unknown;
}

} // namespace

Dataflow::Dataflow(const Graph& graph)
    : m_isView(graph.ops.size(), false), m_valueOf(graph.tensors.size(), SIZE_MAX) {
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        m_isView[i] = movesNothing(graph, graph.ops[i]);
    // Ops are in topological order, so the value of an input is known before the op is reached.
    const auto own = [&](TensorId tensor, OpId producer) {
        if (m_valueOf[tensor.index()] != SIZE_MAX)
            return;
        m_valueOf[tensor.index()] = m_values.size();
        m_values.push_back({tensor, producer, {}, false});
    };
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op& op = graph.ops[i];
        for (const TensorId input : op.inputs) {
            if (!input.valid())
                continue;
            own(input, graph.tensor(input).producer);
            auto& consumers = m_values[m_valueOf[input.index()]].consumers;
            if (!m_isView[i] && (consumers.empty() || consumers.back() != OpId(static_cast<std::int64_t>(i))))
                consumers.push_back(OpId(static_cast<std::int64_t>(i)));
        }
        for (const TensorId output : op.outputs) {
            if (!output.valid())
                continue;
            if (m_isView[i])
                m_valueOf[output.index()] = m_valueOf[op.inputs[0].index()];
            else
                own(output, OpId(static_cast<std::int64_t>(i)));
        }
    }
    for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
        own(TensorId(static_cast<std::int64_t>(t)), graph.tensors[t].producer);
        if (graph.tensors[t].isOutput)
            m_values[m_valueOf[t]].isGraphOutput = true;
    }
}

std::int64_t bytesAs(const Tensor& tensor, DataType type) {
    if (!tensor.shape || !isStatic(*tensor.shape))
        return 0;
    const auto elements = elementCount(*tensor.shape);
    return elements ? storedBytes(isFloat(tensor.dtype) ? type : tensor.dtype, *elements) : 0;
}

double intensityAs(const Graph& graph, const Op& op, DataType type) {
    std::int64_t bytes = 0;
    for (const auto* list : {&op.inputs, &op.outputs})
        for (const TensorId tensor : *list)
            if (tensor.valid())
                bytes += bytesAs(graph.tensor(tensor), type);
    return bytes > 0 ? static_cast<double>(op.work.flops()) / static_cast<double>(bytes) : 0;
}

bool appendsToCache(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    if (op.type != "Concat" || op.outputs.empty() || !op.outputs[0].valid() ||
        !graph.tensor(op.outputs[0]).isOutput)
        return false;
    // As one op, or as products with keys and values.
    const auto feedsAttention = [&graph](TensorId tensor) {
        for (int steps = 0; steps < 8; ++steps) { // a chain of movement ops, as kernels see caches
            OpId onward;
            for (const OpId consumer : graph.tensor(tensor).consumers) {
                if (const OpClass kind = graph.op(consumer).opClass;
                    kind == OpClass::Attention || kind == OpClass::MatMul)
                    return true;
                if (graph.op(consumer).opClass == OpClass::Movement && !graph.op(consumer).outputs.empty())
                    onward = consumer;
            }
            if (!onward.valid() || !graph.op(onward).outputs[0].valid())
                return false;
            tensor = graph.op(onward).outputs[0];
        }
        return false;
    };
    return std::any_of(op.inputs.begin(), op.inputs.end(),
                       [&](TensorId input) { return input.valid() && graph.tensor(input).isInput; }) &&
           feedsAttention(op.outputs[0]);
}

std::int64_t appendedBytes(const Graph& graph, TensorId cache, DataType type) {
    const std::int64_t all = bytesAs(graph.tensor(cache), type);
    std::int64_t kept = 0;
    std::vector<TensorId> open{cache};
    for (int steps = 0; !open.empty() && steps < 64; ++steps) {
        const Tensor& tensor = graph.tensor(open.back());
        open.pop_back();
        if (tensor.isInput || tensor.isConstant()) {
            kept += bytesAs(tensor, type);
        } else if (tensor.producer.valid() && graph.op(tensor.producer).opClass == OpClass::Movement) {
            const Op& producer = graph.op(tensor.producer);
            const std::size_t count = producer.type == "Concat" ? producer.inputs.size() : 1;
            for (std::size_t i = 0; i < std::min(count, producer.inputs.size()); ++i)
                if (producer.inputs[i].valid())
                    open.push_back(producer.inputs[i]);
        }
    }
    return std::clamp<std::int64_t>(all - kept, 0, all);
}

} // namespace pim
