// SPDX-License-Identifier: GPL-3.0-or-later
// Ops that hand on their input as it is: Identity, Dropout at inference, a Cast to the same type, a Reshape
// to the same shape, a Transpose in the same order, ….
#include "core/graph/passes/passes.h"
#include "core/graph/passes/rewriter.h"
#include "core/graph/semantics/op_facts.h"
#include "core/graph/semantics/values.h"

#include <algorithm>

namespace pim {

namespace {

bool handsOn(const Rewriter& rewriter, const Op& op) {
    if (!op.domain.empty() || op.inputs.empty() || !op.inputs[0].valid() || op.outputs.empty() ||
        !op.outputs[0].valid())
        return false;
    const auto unused = [&](TensorId id) { return !id.valid() || rewriter.usedOnlyBy(id, {}); };
    if (!std::all_of(op.outputs.begin() + 1, op.outputs.end(), unused))
        return false;
    if (op.type == "Identity" || op.type == "Dropout")
        return true;
    const Tensor &in = rewriter.tensor(op.inputs[0]), &out = rewriter.tensor(op.outputs[0]);
    if (in.dtype == DataType::Unknown || in.dtype != out.dtype || !rewriter.shape(op.inputs[0]) ||
        in.shape != out.shape)
        return false;
    if (op.type == "Transpose")
        return keepsOrder(op, *in.shape);
    if (op.type == "Slice") // all of it, unless backwards
        return op.inputs.size() < 5;
    if (op.type == "Pad") {
        const auto pads =
            op.inputs.size() == 2 && op.inputs[1].valid() && rewriter.tensor(op.inputs[1]).constant
                ? intsOf(*rewriter.tensor(op.inputs[1]).constant, rewriter.tensor(op.inputs[1]).dtype)
                : op.intsAttribute("pads", {1});
        return std::all_of(pads.begin(), pads.end(), [](std::int64_t p) { return p == 0; });
    }
    static constexpr std::string_view kSameShape[]{"Reshape", "Flatten", "Squeeze",  "Unsqueeze",
                                                   "Expand",  "Cast",    "CastLike", "Tile"};
    static constexpr std::string_view kOneOperand[]{"Concat", "Sum", "Max", "Min", "Mean", "Split"};
    const auto isOneOf = [&](const auto& list) {
        return std::find(std::begin(list), std::end(list), op.type) != std::end(list);
    };
    return isOneOf(kSameShape) || (op.inputs.size() == 1 && isOneOf(kOneOperand));
}

} // namespace

int removeIdentity(Graph& graph) {
    Rewriter rewriter(graph);
    int changes = 0;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const Op& op = graph.ops[i];
        const auto id = OpId(static_cast<std::int64_t>(i));
        if (!handsOn(rewriter, op))
            continue;
        const TensorId in = op.inputs[0], out = op.outputs[0];
        if (!graph.tensor(out).isOutput) {
            rewriter.replaceUses(out, in);
        } else {
            // The graph output keeps its name: its producer writes it directly.
            const OpId producer = rewriter.producerId(in);
            if (!producer.valid() || graph.tensor(in).isOutput)
                continue;
            auto& outputs = graph.ops[producer.index()].outputs;
            std::replace(outputs.begin(), outputs.end(), in, out);
            graph.tensors[out.index()].producer = producer;
            rewriter.replaceUses(in, out);
            graph.ops[i].inputs.clear();
        }
        rewriter.remove(id);
        ++changes;
    }
    rewriter.commit();
    return changes;
}

} // namespace pim
