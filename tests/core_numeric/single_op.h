// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Graphs of one op, without a file.
#include "core/graph/graph.h"
#include "core/graph/semantics/values.h"

namespace pim::test {

/// \param outputs types and shapes; one without a type is left out. Operands whose position is in \p constants are constants, the others
/// graph inputs.
inline std::shared_ptr<const Graph> singleOp(Op op, const std::vector<Value>& inputs,
                                             const std::vector<Value>& outputs,
                                             const std::vector<std::size_t>& constants = {},
                                             std::int64_t opset = 17) {
    auto graph = std::make_shared<Graph>();
    graph->name = "single";
    graph->source.opsets[""] = opset;
    op.name = op.type + "_0";
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].dtype == DataType::Unknown) {
            op.inputs.emplace_back();
            continue;
        }
        Tensor tensor;
        tensor.name = "in" + std::to_string(i);
        tensor.dtype = inputs[i].dtype;
        tensor.shape = inputs[i].shape;
        tensor.consumers = {OpId(0)};
        const TensorId id(static_cast<std::int64_t>(graph->tensors.size()));
        bool isConstant = false;
        for (const std::size_t c : constants)
            isConstant = isConstant || c == i;
        if (isConstant) {
            tensor.constant = inputs[i].bytes;
        } else {
            tensor.isInput = true;
            graph->inputs.push_back(id);
        }
        op.inputs.push_back(id);
        graph->tensors.push_back(std::move(tensor));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].dtype == DataType::Unknown) {
            op.outputs.emplace_back();
            continue;
        }
        Tensor tensor;
        tensor.name = "out" + std::to_string(i);
        tensor.dtype = outputs[i].dtype;
        tensor.shape = outputs[i].shape;
        tensor.producer = OpId(0);
        tensor.isOutput = true;
        const TensorId id(static_cast<std::int64_t>(graph->tensors.size()));
        op.outputs.push_back(id);
        graph->outputs.push_back(id);
        graph->tensors.push_back(std::move(tensor));
    }
    graph->ops.push_back(std::move(op));
    return graph;
}

} // namespace pim::test
