// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Remembers a run op by op and walks it backwards: gradients of a loss with respect to what converted layers put out.
/// Flow: observer of a run -> Tape -> backward(gradient of the logits) -> LayerBackward of every converted layer.
#include "core/lut/network/op_gradient.h"

#include <functional>
#include <set>

namespace pim::lut {

/// What a converted layer does with the gradient of its output: learns from it, and gives that of its operand if \p input is wanted.
using LayerBackward = std::function<Result<void>(const TapeStep& step, std::span<const float> output,
                                                 std::vector<float>* input)>;

class Tape {
public:
    /// Only ops behind one of \p layers have gradients.
    Tape(std::shared_ptr<const Graph> graph, std::vector<OpId> layers);

    const Graph& graph() const { return *m_graph; }
    void clear() { m_steps.clear(); }
    /// Takes a step if gradients go through it; in the order of the run.
    void record(OpId op, std::span<const Value> inputs, std::span<const Value> outputs);
    /// \param logits gradient with respect to the first output of the graph. \param operand which input of a layer the rows are.
    /// Errors: Unsupported with the op that cannot be differentiated; those of \p layer.
    Result<void> backward(std::span<const float> logits, const LayerBackward& layer, int threads);

private:
    bool isLayer(OpId op) const { return m_layers.contains(op.value); }
    bool depends(TensorId tensor) const {
        return tensor.valid() && m_depends[static_cast<std::size_t>(tensor.value)];
    }
    Result<Gradients> gradientsOf(const TapeStep& step, std::span<const float> output, int threads);

    std::shared_ptr<const Graph> m_graph;
    std::set<std::int64_t> m_layers;
    std::vector<bool> m_depends; ///< By tensor: on the output of a converted layer.
    std::vector<TapeStep> m_steps;
    MovementMaps m_maps;
};

} // namespace pim::lut
