// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/layers.h"
#include "core/graph/zoo/networks.h"

namespace pim::zoo {
namespace {

constexpr double kClosed = -65504; // lowest finite f16: what exporters put where attention must not look

/// What all layers of one graph share.
struct Positions {
    std::string mask;     ///< Added to scores; empty: every token is visible.
    std::string cos, sin; ///< Rows of the rotary tables for the new tokens; empty: learned positions.
};

struct Cache {
    std::string key, value;
};

class Decoder {
public:
    Decoder(GraphWriter& writer, const DecoderShape& shape)
        : m_g(writer), m_s(shape), m_width(shape.hidden / shape.heads) {}

    struct Step {
        std::string token;
        std::string past, total; ///< Extents (scalars) of the caches, and after this step.
        bool masked = false;
        std::vector<Cache> caches;
        std::vector<Dim> cacheDims, logitDims;
    };
    void run(const Step& step) {
        const auto& [token, past, total, masked, caches, cacheDims, logitDims] = step;
        const std::string table = m_g.weight("embed.weight", {m_s.vocabulary, m_s.hidden}, {.spread = 0.04});
        std::string x = m_g.node("Gather", {table, token});
        std::string ids = m_g.node("Range", {past, total, m_g.intScalar(1)});
        Positions positions;
        if (m_s.style == DecoderStyle::Llama) {
            positions.cos = m_g.node(
                "Gather", {m_g.table("rotary.cos", {m_s.positions, m_width}, {Fill::Kind::RotaryCos}), ids});
            positions.sin = m_g.node(
                "Gather", {m_g.table("rotary.sin", {m_s.positions, m_width}, {Fill::Kind::RotarySin}), ids});
        } else {
            // OPT keeps two rows for padding in front of the table. [arXiv:2205.01068, reference
            // implementation]
            const std::int64_t shift = m_s.style == DecoderStyle::Opt ? 2 : 0;
            if (shift > 0)
                ids = m_g.node("Add", {ids, m_g.intScalar(shift)});
            const std::string rows =
                m_g.weight("positions.weight", {m_s.positions + shift, m_s.hidden}, {.spread = 0.02});
            x = m_g.node("Add", {x, m_g.node("Gather", {rows, ids})});
        }
        if (masked)
            positions.mask = causalMask(total);

        std::vector<Cache> present;
        for (std::int64_t i = 0; i < m_s.layers; ++i) {
            const GraphWriter::Scope scope(m_g, "layers." + std::to_string(i));
            const Cache none;
            x = layer(x, caches.empty() ? none : caches[static_cast<std::size_t>(i)], positions, present);
        }
        const std::string logits = outputLayer(norm("norm", x), table);
        m_g.output(logits, "logits", logitDims);
        for (std::size_t i = 0; i < present.size(); ++i) {
            m_g.output(present[i].key, "present_k_" + std::to_string(i), cacheDims);
            m_g.output(present[i].value, "present_v_" + std::to_string(i), cacheDims);
        }
    }

private:
    std::string norm(const std::string& name, const std::string& x) {
        return m_s.style == DecoderStyle::Llama ? rmsNorm(m_g, name, x, m_s.hidden, 1e-5)
                                                : layerNorm(m_g, name, x, m_s.hidden, 1e-5);
    }

    /// The corner of a [1, 1, positions, positions] table that \p total tokens need.
    std::string causalMask(const std::string& total) {
        const std::string table =
            m_g.table("mask", {1, 1, m_s.positions, m_s.positions}, {Fill::Kind::CausalMask, 0, kClosed});
        const std::string extent = m_g.node("Unsqueeze", {total, m_g.ints({0})});
        const std::string ends = m_g.node("Concat", {extent, extent}, {{"axis", std::int64_t{0}}});
        return m_g.node("Slice", {table, m_g.ints({0, 0}), ends, m_g.ints({2, 3})});
    }

    std::string layer(const std::string& x, const Cache& cache, const Positions& positions,
                      std::vector<Cache>& present) {
        const std::string attended =
            m_g.node("Add", {x, selfAttention(norm("norm1", x), cache, positions, present)});
        return m_g.node("Add", {attended, feedForward(norm("norm2", attended))});
    }

    std::string selfAttention(const std::string& x, const Cache& cache, const Positions& positions,
                              std::vector<Cache>& present) {
        const GraphWriter::Scope scope(m_g, "attention");
        std::vector<std::string> qkv;
        if (m_s.style == DecoderStyle::Gpt) {
            const std::string fused = linear(m_g, "qkv", x, m_s.hidden, 3 * m_s.hidden);
            qkv = m_g.nodes("Split", {fused, m_g.ints({m_s.hidden, m_s.hidden, m_s.hidden})}, 3,
                            {{"axis", std::int64_t{2}}});
        } else {
            for (const char* name : {"q", "k", "v"})
                qkv.push_back(linear(m_g, name, x, m_s.hidden,
                                     *name == 'q' ? m_s.hidden : m_s.hidden / m_s.sharedBy,
                                     m_s.style == DecoderStyle::Opt));
        }
        for (std::size_t i = 0; i < qkv.size(); ++i)
            qkv[i] = splitHeads(m_g, qkv[i], i == 0 ? m_s.heads : m_s.heads / m_s.sharedBy, m_width);
        if (!positions.cos.empty()) {
            qkv[0] = rotate(qkv[0], positions);
            qkv[1] = rotate(qkv[1], positions);
        }
        if (!cache.key.empty()) {
            qkv[1] = m_g.node("Concat", {cache.key, qkv[1]}, {{"axis", std::int64_t{2}}});
            qkv[2] = m_g.node("Concat", {cache.value, qkv[2]}, {{"axis", std::int64_t{2}}});
        }
        present.push_back({qkv[1], qkv[2]});
        const std::string context = attention(
            m_g, {qkv[0], forAllHeads(qkv[1]), forAllHeads(qkv[2]), m_s.heads, m_width}, positions.mask);
        return linear(m_g, "out", context, m_s.hidden, m_s.hidden, m_s.style != DecoderStyle::Llama);
    }

    /// [batch, groups, tokens, width], once for each head of a group. [the form of Hugging Face Transformers, repeat_kv]
    std::string forAllHeads(const std::string& x) {
        if (m_s.sharedBy == 1)
            return x;
        const std::string apart = m_g.node("Unsqueeze", {x, m_g.ints({2})});
        const std::string many = m_g.node("Expand", {apart, m_g.ints({1, 1, m_s.sharedBy, 1, 1})});
        return m_g.node("Reshape", {many, m_g.ints({0, m_s.heads, -1, m_width})});
    }

    /// x cos + (-second half, first half) sin. [RoFormer, arXiv:2104.09864 §3.4.2]
    std::string rotate(const std::string& x, const Positions& positions) {
        const std::string axis = m_g.ints({3});
        const std::string first = m_g.node("Slice", {x, m_g.ints({0}), m_g.ints({m_width / 2}), axis});
        const std::string second = m_g.node("Slice", {x, m_g.ints({m_width / 2}), m_g.ints({m_width}), axis});
        const std::string turned =
            m_g.node("Concat", {m_g.node("Neg", {second}), first}, {{"axis", std::int64_t{-1}}});
        return m_g.node("Add",
                        {m_g.node("Mul", {x, positions.cos}), m_g.node("Mul", {turned, positions.sin})});
    }

    std::string feedForward(const std::string& x) {
        const GraphWriter::Scope scope(m_g, "mlp");
        if (m_s.style == DecoderStyle::Llama) {
            const std::string gate = linear(m_g, "gate", x, m_s.hidden, m_s.inner, false);
            const std::string silu = m_g.node("Mul", {gate, m_g.node("Sigmoid", {gate})});
            const std::string up = linear(m_g, "up", x, m_s.hidden, m_s.inner, false);
            return linear(m_g, "down", m_g.node("Mul", {silu, up}), m_s.inner, m_s.hidden, false);
        }
        const std::string wide = linear(m_g, "fc1", x, m_s.hidden, m_s.inner);
        const std::string bent = m_s.style == DecoderStyle::Opt ? m_g.node("Relu", {wide}) : gelu(m_g, wide);
        return linear(m_g, "fc2", bent, m_s.inner, m_s.hidden);
    }

    std::string outputLayer(const std::string& x, const std::string& embedding) {
        const GraphWriter::Scope scope(m_g, "head");
        if (m_s.style == DecoderStyle::Llama)
            return linear(m_g, "lm", x, m_s.hidden, m_s.vocabulary, false);
        // The weights are the embedding itself [vocabulary, hidden]; a Gemm takes them as they lie.
        const std::string rows = m_g.node("Reshape", {x, m_g.ints({-1, m_s.hidden})});
        const std::string product = m_g.node("Gemm", {rows, embedding}, {{"transB", std::int64_t{1}}});
        const std::string shape = m_g.node("Concat",
                                           {m_g.node("Unsqueeze", {extentOf(m_g, x, 0), m_g.ints({0})}),
                                            m_g.node("Unsqueeze", {extentOf(m_g, x, 1), m_g.ints({0})}),
                                            m_g.ints({m_s.vocabulary})},
                                           {{"axis", std::int64_t{0}}});
        return m_g.node("Reshape", {product, shape});
    }

    GraphWriter& m_g;
    const DecoderShape& m_s;
    std::int64_t m_width; ///< Of one head.
};

} // namespace

void buildDecodeStep(GraphWriter& g, const DecoderShape& shape, const Extents& extents) {
    const std::int64_t width = shape.hidden / shape.heads;
    const std::string token = g.input("token", DataType::I64, {extents.batch, 1});
    std::vector<Cache> caches;
    for (std::int64_t i = 0; i < shape.layers; ++i) {
        const std::vector<Dim> dims{extents.batch, shape.heads / shape.sharedBy, extents.past, width};
        const std::string n = std::to_string(i);
        const std::string key = g.input("past_k_" + n, g.floatType(), dims);
        caches.push_back({key, g.input("past_v_" + n, g.floatType(), dims)});
    }
    const std::string past = extentOf(g, caches.front().key, 2);
    const std::string total = g.node("Add", {past, extentOf(g, token, 1)});
    const Dim totalDim = extents.past.symbol.empty() ? Dim(extents.past.value + 1) : Dim("total");
    Decoder(g, shape).run({token,
                           past,
                           total,
                           false,
                           caches,
                           {extents.batch, shape.heads / shape.sharedBy, totalDim, width},
                           {extents.batch, 1, shape.vocabulary}});
}

void buildPrefill(GraphWriter& g, const DecoderShape& shape, const Extents& extents) {
    const std::string token = g.input("token", DataType::I64, {extents.batch, extents.seq});
    const std::string total = extentOf(g, token, 1);
    Decoder(g, shape).run(
        {token,
         g.intScalar(0),
         total,
         true,
         {},
         {extents.batch, shape.heads / shape.sharedBy, extents.seq, shape.hidden / shape.heads},
         {extents.batch, extents.seq, shape.vocabulary}});
}

} // namespace pim::zoo
