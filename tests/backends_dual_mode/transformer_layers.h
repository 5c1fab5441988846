// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Layers of transformers as operators of a dual-mode chip, without a model file: the products of attention
/// and of the feed-forward block. [Vaswani et al. 2017; shapes: Devlin et al. 2018, Zhang et al.
/// arXiv:2205.01068, Touvron et al. arXiv:2307.09288]
#include "backends/dual_mode/workload.h"

namespace pim::test {

struct TransformerShape {
    const char* name;
    std::int64_t hidden, heads, inner;
    bool gated; ///< LLaMA: gate and up beside each other, then down.
    int layers;
};

inline constexpr TransformerShape kBertLarge{"bert-large", 1024, 16, 4096, false, 24};
inline constexpr TransformerShape kOpt6B{"opt-6.7b", 4096, 32, 16384, false, 32};
inline constexpr TransformerShape kOpt13B{"opt-13b", 5120, 40, 20480, false, 40};
inline constexpr TransformerShape kLlama7B{"llama2-7b", 4096, 32, 11008, true, 32};

/// \param tokens of each of \p batch sequences that run through the layer now; \param keys tokens they attend
/// to.
inline DualModeWorkload transformerLayers(const TransformerShape& shape, std::int64_t batch,
                                          std::int64_t tokens, std::int64_t keys, int layers) {
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

} // namespace pim::test
