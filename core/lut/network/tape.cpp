// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/tape.h"

#include "core/lut/network/product_layer.h"

#include <algorithm>

namespace pim::lut {

Tape::Tape(std::shared_ptr<const Graph> graph, std::vector<OpId> layers)
    : m_graph(std::move(graph)), m_depends(m_graph->tensors.size()) {
    for (const OpId layer : layers)
        m_layers.insert(layer.value);
    for (std::size_t i = 0; i < m_graph->ops.size(); ++i) {
        const Op& op = m_graph->ops[i];
        if (!isLayer(OpId(static_cast<std::int64_t>(i))) &&
            std::ranges::none_of(op.inputs, [&](TensorId input) { return depends(input); }))
            continue;
        for (const TensorId output : op.outputs)
            if (output.valid() && isRealType(m_graph->tensor(output).dtype))
                m_depends[static_cast<std::size_t>(output.value)] = true;
    }
}

void Tape::record(OpId op, std::span<const Value> inputs, std::span<const Value> outputs) {
    if (std::ranges::any_of(m_graph->op(op).outputs, [&](TensorId output) { return depends(output); }))
        m_steps.push_back({op, {inputs.begin(), inputs.end()}, {outputs.begin(), outputs.end()}});
}

Result<Gradients> Tape::gradientsOf(const TapeStep& step, std::span<const float> output, int threads) {
    const Op& op = m_graph->op(step.op);
    std::vector<bool> wanted;
    for (const TensorId input : op.inputs)
        wanted.push_back(depends(input));
    if (onlyMoves(op))
        return movedGradients(*m_graph, step, output, wanted, m_maps);
    return inputGradients(*m_graph, step, output, wanted, threads);
}

Result<void> Tape::backward(std::span<const float> logits, const LayerBackward& layer, int threads) {
    std::vector<std::vector<float>> gradients(m_graph->tensors.size());
    const auto add = [&](TensorId tensor, std::vector<float> gradient) {
        auto& to = gradients[static_cast<std::size_t>(tensor.value)];
        if (to.empty())
            to = std::move(gradient);
        else
            std::ranges::transform(to, gradient, to.begin(), std::plus());
    };
    if (depends(m_graph->outputs[0]))
        add(m_graph->outputs[0], {logits.begin(), logits.end()});
    for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step) {
        const Op& op = m_graph->op(step->op);
        std::vector<float> output; // of all outputs, one after the other
        bool any = false;
        for (std::size_t i = 0; i < op.outputs.size() && i < step->outputs.size(); ++i) {
            if (!op.outputs[i].valid())
                continue;
            auto gradient = std::move(gradients[static_cast<std::size_t>(op.outputs[i].value)]);
            any = any || !gradient.empty();
            gradient.resize(static_cast<std::size_t>(step->outputs[i].count()));
            output.insert(output.end(), gradient.begin(), gradient.end());
        }
        if (!any) // leads to no output
            continue;
        if (isLayer(step->op)) {
            PIM_TRY(const auto product, ProductLayer::of(*m_graph, step->op, 1));
            const TensorId operand = op.inputs[product.inputOperand()];
            std::vector<float> input;
            PIM_CHECK(layer(*step, output, depends(operand) ? &input : nullptr));
            if (!input.empty())
                add(operand, std::move(input));
            continue;
        }
        PIM_TRY(auto inputs, gradientsOf(*step, output, threads));
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (!inputs[i].empty())
                add(op.inputs[i], std::move(inputs[i]));
    }
    return {};
}

} // namespace pim::lut
