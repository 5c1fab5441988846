// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/transformer_layers.h"

namespace pim {

DualModeWorkload transformerLayers(const DualModeTransformer& shape, std::int64_t batch, std::int64_t tokens,
                                   std::int64_t keys, int layers) {
    DualModeWorkload made;
    const auto add = [&](std::string name, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t g,
                         bool produced, std::vector<int> predecessors) {
        DualModeOp op;
        op.name = std::move(name);
        op.m = m;
        op.n = n;
        op.k = k;
        op.g = g;
        op.producedWeights = produced;
        op.inBytes = m * n * g;
        op.outBytes = m * k * g;
        op.weightBytes = n * k * g;
        op.predecessors = std::move(predecessors);
        made.ops.push_back(std::move(op));
        return static_cast<int>(made.ops.size()) - 1;
    };
    const std::int64_t head = shape.hidden / shape.heads, rows = batch * tokens;
    std::vector<int> before;
    for (int layer = 0; layer < layers; ++layer) {
        const std::string at = layers > 1 ? "layer" + std::to_string(layer) + "." : "";
        const int q = add(at + "q", rows, shape.hidden, shape.hidden, 1, false, before);
        const int k = add(at + "k", rows, shape.hidden, shape.hidden, 1, false, before);
        const int v = add(at + "v", rows, shape.hidden, shape.hidden, 1, false, before);
        const int qk = add(at + "qk", tokens, head, keys, shape.heads * batch, true, {q, k});
        const int sv = add(at + "sv", tokens, keys, head, shape.heads * batch, true, {qk, v});
        const int o = add(at + "o", rows, shape.hidden, shape.hidden, 1, false, {sv});
        if (shape.gated) {
            const int gate = add(at + "gate", rows, shape.hidden, shape.inner, 1, false, {o});
            const int up = add(at + "up", rows, shape.hidden, shape.inner, 1, false, {o});
            before = {add(at + "down", rows, shape.inner, shape.hidden, 1, false, {gate, up})};
        } else {
            const int ffn = add(at + "ffn1", rows, shape.hidden, shape.inner, 1, false, {o});
            before = {add(at + "ffn2", rows, shape.inner, shape.hidden, 1, false, {ffn})};
        }
    }
    return made;
}

} // namespace pim
