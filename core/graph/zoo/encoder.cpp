// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/layers.h"
#include "core/graph/zoo/networks.h"

#include <numeric>

namespace pim::zoo {
namespace {

std::string selfAttention(GraphWriter& g, const EncoderShape& s, const std::string& x,
                          const std::string& mask) {
    const GraphWriter::Scope scope(g, "attention");
    const std::int64_t width = s.hidden / s.heads;
    std::vector<std::string> qkv;
    for (const char* name : {"query", "key", "value"})
        qkv.push_back(splitHeads(g, linear(g, name, x, s.hidden, s.hidden), s.heads, width));
    const std::string context = attention(g, {qkv[0], qkv[1], qkv[2], s.heads, width}, mask);
    return linear(g, "out", context, s.hidden, s.hidden);
}

std::string feedForward(GraphWriter& g, const EncoderShape& s, const std::string& x) {
    const GraphWriter::Scope scope(g, "mlp");
    return linear(g, "fc2", gelu(g, linear(g, "fc1", x, s.hidden, s.inner)), s.inner, s.hidden);
}

} // namespace

void buildBert(GraphWriter& g, const EncoderShape& s, const Extents& extents) {
    // [Devlin et al., arXiv:1810.04805: vocabulary 30522, 512 positions, 2 segments]
    constexpr std::int64_t kVocabulary = 30522, kPositions = 512;
    constexpr double kEpsilon = 1e-12;
    const std::vector<Dim> dims{extents.batch, extents.seq};
    const std::string token = g.input("input_ids", DataType::I64, dims);
    const std::string visible = g.input("attention_mask", DataType::I64, dims);
    const std::string segment = g.input("token_type_ids", DataType::I64, dims);

    // 0 where a token counts, -10000 where it is padding.
    const std::string wide = g.node("Unsqueeze", {visible, g.ints({1, 2})});
    const std::string numbers = g.node("Cast", {wide}, {{"to", std::int64_t{1}}}); // 1: TensorProto.FLOAT
    const std::string mask = g.node("Mul", {g.node("Sub", {g.scalar(1), numbers}), g.scalar(-10000)});

    std::string x;
    {
        const GraphWriter::Scope scope(g, "embeddings");
        std::vector<std::int64_t> ids(kPositions);
        std::iota(ids.begin(), ids.end(), 0);
        const std::string seq = g.node("Unsqueeze", {extentOf(g, token, 1), g.ints({0})});
        const std::string used = g.node("Slice", {g.intTable("embeddings.position_ids", {1, kPositions}, ids),
                                                  g.ints({0}), seq, g.ints({1})});
        const Fill fill{.spread = 0.04};
        x = g.node("Gather", {g.weight("word.weight", {kVocabulary, s.hidden}, fill), token});
        x = g.node("Add", {x, g.node("Gather", {g.weight("segment.weight", {2, s.hidden}, fill), segment})});
        x = g.node("Add",
                   {x, g.node("Gather", {g.weight("position.weight", {kPositions, s.hidden}, fill), used})});
        x = layerNorm(g, "norm", x, s.hidden, kEpsilon);
    }
    for (std::int64_t i = 0; i < s.layers; ++i) {
        const GraphWriter::Scope scope(g, "layers." + std::to_string(i));
        x = layerNorm(g, "norm1", g.node("Add", {selfAttention(g, s, x, mask), x}), s.hidden, kEpsilon);
        x = layerNorm(g, "norm2", g.node("Add", {feedForward(g, s, x), x}), s.hidden, kEpsilon);
    }
    const std::string first = g.node("Gather", {x, g.intScalar(0)}, {{"axis", std::int64_t{1}}});
    const std::string pooled = g.node("Tanh", {gemm(g, "pooler", first, s.hidden, s.hidden)});
    g.output(x, "last_hidden_state", {extents.batch, extents.seq, s.hidden});
    g.output(pooled, "pooler_output", {extents.batch, s.hidden});
}

void buildVit(GraphWriter& g, const EncoderShape& s, std::int64_t patch, const Extents& extents) {
    // [Dosovitskiy et al., arXiv:2010.11929]
    constexpr std::int64_t kImage = 224, kClasses = 1000;
    constexpr double kEpsilon = 1e-6;
    const std::int64_t tokens = (kImage / patch) * (kImage / patch) + 1;
    const std::string image = g.input("image", DataType::F32, {extents.batch, 3, kImage, kImage});

    std::string x;
    {
        const GraphWriter::Scope scope(g, "patches");
        const std::vector<std::int64_t> edge{patch, patch};
        const std::string weight = g.weight("weight", {s.hidden, 3, patch, patch}, {.spread = 0.05});
        x = g.node("Conv", {image, weight, g.weight("bias", {s.hidden}, {.spread = 0.02})},
                   {{"kernel_shape", edge}, {"strides", edge}});
        x = g.node("Reshape", {x, g.ints({0, s.hidden, -1})});
        x = g.node("Transpose", {x}, {{"perm", std::vector<std::int64_t>{0, 2, 1}}});
        const std::string batch = g.node("Unsqueeze", {extentOf(g, x, 0), g.ints({0})});
        const std::string shape =
            g.node("Concat", {batch, g.ints({1, s.hidden})}, {{"axis", std::int64_t{0}}});
        const std::string cls =
            g.node("Expand", {g.weight("class_token", {1, 1, s.hidden}, {.spread = 0.02}), shape});
        x = g.node("Concat", {cls, x}, {{"axis", std::int64_t{1}}});
        x = g.node("Add", {x, g.weight("positions", {1, tokens, s.hidden}, {.spread = 0.02})});
    }
    for (std::int64_t i = 0; i < s.layers; ++i) {
        const GraphWriter::Scope scope(g, "layers." + std::to_string(i));
        x = g.node("Add", {x, selfAttention(g, s, layerNorm(g, "norm1", x, s.hidden, kEpsilon), {})});
        x = g.node("Add", {x, feedForward(g, s, layerNorm(g, "norm2", x, s.hidden, kEpsilon))});
    }
    x = layerNorm(g, "norm", x, s.hidden, kEpsilon);
    const std::string first = g.node("Gather", {x, g.intScalar(0)}, {{"axis", std::int64_t{1}}});
    g.output(gemm(g, "head", first, s.hidden, kClasses), "scores", {extents.batch, kClasses});
}

} // namespace pim::zoo
