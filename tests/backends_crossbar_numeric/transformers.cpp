// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends_crossbar_numeric/transformers.h"

#include "core/graph/import.h"
#include "tests/core_graph/onnx_builder.h"

#include <cmath>
#include <random>

namespace pim::test {

namespace {

using Ints = std::vector<std::int64_t>;
constexpr int kInt64 = 7; // TensorProto.INT64

class Transformer {
public:
    explicit Transformer(unsigned seed) : m_random(seed) {}

    Result<std::shared_ptr<const Graph>> build(const std::string& file) {
        m_heads = pick(1, 3);
        m_width = pick(2, 5);
        m_hidden = m_heads * m_width;
        std::string x = pick(0, 3) == 0 ? patches() : embedded();
        const std::string mask = m_hasIds && pick(0, 1) == 0 ? masked() : std::string();
        for (std::int64_t layer = pick(1, 2); layer > 0; --layer) {
            const bool before = pick(0, 1) == 0; // normalised in front of the work or behind the sum
            const std::string attended = attention(before ? norm(x) : x, mask);
            x = before ? node("Add", {x, attended}) : norm(node("Add", {attended, x}));
            const std::string fed = feedForward(before ? norm(x) : x);
            x = before ? node("Add", {x, fed}) : norm(node("Add", {fed, x}));
        }
        results(x);
        return loadGraph(m_b.save(file));
    }

private:
    std::int64_t pick(std::int64_t from, std::int64_t to) {
        return from + std::int64_t(m_random() % std::uint32_t(to - from + 1));
    }
    std::string next() { return "t" + std::to_string(m_count++); }
    std::string node(const std::string& type, const std::vector<std::string>& inputs,
                     const Attributes& attributes = {}) {
        const std::string out = next();
        m_b.node(type, inputs, {out}, attributes);
        return out;
    }
    std::string weights(const Ints& dims, double spread, double middle = 0) {
        std::int64_t count = 1;
        for (const std::int64_t d : dims)
            count *= d;
        std::vector<float> values;
        for (std::int64_t i = 0; i < count; ++i)
            values.push_back(float(middle + (double(m_random() % 20001) / 10000 - 1) * spread));
        const std::string name = next();
        m_b.floats(name, dims, values);
        return name;
    }
    std::string number(double value) { return weights({}, 0, value); }
    std::string ints(const Ints& values, bool scalar = false) {
        const std::string name = next();
        m_b.ints(name, values, scalar);
        return name;
    }

    std::string embedded() {
        m_hasIds = true;
        m_tokens = pick(2, 7);
        m_b.input("ids", {std::int64_t(1), m_tokens}, kInt64);
        const std::string words = node("Gather", {weights({pick(5, 300), m_hidden}, 1), "ids"});
        const std::string placed = node("Add", {words, weights({1, m_tokens, m_hidden}, 0.5)});
        return pick(0, 1) == 0 ? norm(placed) : placed;
    }
    std::string patches() {
        const std::int64_t y = pick(1, 3), x = pick(1, 3);
        m_tokens = y * x;
        m_b.input("image", {std::int64_t(1), std::int64_t(2), 2 * y, 2 * x});
        const std::string pixels =
            node("Conv", {"image", weights({m_hidden, 2, 2, 2}, 0.6), weights({m_hidden}, 0.2)},
                 {{"strides", Ints{2, 2}}});
        const std::string rows = node("Reshape", {pixels, ints({0, m_hidden, -1})});
        std::string tokens = node("Transpose", {rows}, {{"perm", Ints{0, 2, 1}}});
        if (pick(0, 1) == 0) { // cores read what is joined
            tokens = node("Concat", {tokens, node("Tanh", {tokens})}, {{"axis", std::int64_t(1)}});
            m_tokens *= 2;
        }
        return pick(0, 1) == 0 ? node("Add", {tokens, weights({1, m_tokens, m_hidden}, 0.5)}) : tokens;
    }
    /// 0 where a token counts, -4 where it is padding; computed from whole numbers.
    std::string masked() {
        m_b.input("visible", {std::int64_t(1), m_tokens}, kInt64);
        const std::string wide = node("Unsqueeze", {"visible", ints({1, 2})});
        const std::string numbers = node("Cast", {wide}, {{"to", std::int64_t(1)}});
        return node("Mul", {node("Sub", {number(1.5), numbers}), number(-4)});
    }

    std::string norm(const std::string& x) {
        const Attributes mean{{"axes", Ints{-1}}, {"keepdims", std::int64_t(1)}};
        const auto scale = [&] { return weights({m_hidden}, 0.3, 1); };
        switch (pick(0, 3)) {
        case 0:
            return node("LayerNormalization", {x, scale(), weights({m_hidden}, 0.3)},
                        {{"axis", std::int64_t(-1)}, {"epsilon", 1e-3}});
        case 1:
            return node("SimplifiedLayerNormalization", {x, scale()}, {{"axis", std::int64_t(-1)}});
        case 2: { // root mean square, in single ops
            const std::string squares = node("ReduceMean", {node("Pow", {x, number(2)})}, mean);
            const std::string root = node("Sqrt", {node("Add", {squares, number(1e-3)})});
            return node("Mul", {node("Div", {x, root}), scale()});
        }
        default: {
            const std::string centred = node("Sub", {x, node("ReduceMean", {x}, mean)});
            const std::string variance = node("ReduceMean", {node("Pow", {centred, number(2)})}, mean);
            const std::string root = node("Sqrt", {node("Add", {variance, number(1e-3)})});
            const std::string normal = node("Div", {centred, root});
            return node("Add", {node("Mul", {normal, scale()}), weights({m_hidden}, 0.3)});
        }
        }
    }

    std::string linear(const std::string& x, std::int64_t in, std::int64_t out) {
        const std::string product = node("MatMul", {x, weights({in, out}, 1.5 / std::sqrt(double(in)))});
        return pick(0, 2) == 0 ? product : node("Add", {weights({out}, 0.2), product});
    }
    std::string heads(const std::string& x) {
        const std::string apart = node("Reshape", {x, ints({0, 0, m_heads, m_width})});
        return node("Transpose", {apart}, {{"perm", Ints{0, 2, 1, 3}}});
    }
    std::string attention(const std::string& x, const std::string& mask) {
        const std::string q = heads(linear(x, m_hidden, m_hidden));
        std::string k = heads(linear(x, m_hidden, m_hidden)), v = heads(linear(x, m_hidden, m_hidden));
        if (mask.empty() && pick(0, 1) == 0) { // behind those of earlier tokens
            k = behindEarlier(k);
            v = behindEarlier(v);
        }
        const std::string turned = node("Transpose", {k}, {{"perm", Ints{0, 1, 3, 2}}});
        std::string scores = node("Div", {node("MatMul", {q, turned}), number(std::sqrt(double(m_width)))});
        if (!mask.empty())
            scores = node("Add", {scores, mask});
        const std::string context =
            node("MatMul", {node("Softmax", {scores}, {{"axis", std::int64_t(-1)}}), v});
        const std::string tokens = node("Transpose", {context}, {{"perm", Ints{0, 2, 1, 3}}});
        const std::string joined = node("Reshape", {tokens, ints({0, 0, m_hidden})});
        return linear(joined, m_hidden, m_hidden);
    }
    std::string behindEarlier(const std::string& x) {
        const std::string earlier = next();
        m_b.input(earlier, {std::int64_t(1), m_heads, std::int64_t(3), m_width});
        const std::string all = node("Concat", {earlier, x}, {{"axis", std::int64_t(2)}});
        m_b.output(all);
        return all;
    }
    std::string feedForward(const std::string& x) {
        const std::int64_t inner = pick(3, 12);
        const std::string up = linear(x, m_hidden, inner);
        if (pick(0, 1) == 0)
            return linear(node("Mul", {node("Sigmoid", {up}), linear(x, m_hidden, inner)}), inner, m_hidden);
        return linear(node("Tanh", {up}), inner, m_hidden);
    }

    /// All tokens, one of them pooled, a part of them, tokens turned round or in the opposite order, channels
    /// mixed over tokens, or the number of the largest.
    void results(const std::string& x) {
        const std::int64_t kind = pick(0, 6);
        if (kind == 0) {
            m_b.output(x);
            return;
        }
        if (kind == 1) {
            m_b.output(x);
            const std::string first =
                node("Gather", {x, ints({m_tokens - 1}, true)}, {{"axis", std::int64_t(1)}});
            m_b.output(node("Tanh", {node("Gemm", {first, weights({4, m_hidden}, 0.5), weights({4}, 0.2)},
                                          {{"transB", std::int64_t(1)}})}));
        } else if (kind == 2) {
            const std::string part = node("Slice", {x, ints({m_tokens / 2}), ints({m_tokens}), ints({1})});
            m_b.output(linear(part, m_hidden, 3));
        } else if (kind == 3) {
            m_b.output(node("Transpose", {x}, {{"perm", Ints{0, 2, 1}}}));
        } else if (kind == 4) {
            const std::string back =
                node("Slice", {x, ints({-1}), ints({-m_tokens - 1}), ints({1}), ints({-1})});
            m_b.output(linear(back, m_hidden, 3));
        } else if (kind == 5) {
            m_b.output(linear(node("Transpose", {x}, {{"perm", Ints{0, 2, 1}}}), m_tokens, 3));
        } else {
            const std::string largest =
                node("ArgMax", {x}, {{"axis", std::int64_t(-1)}, {"keepdims", std::int64_t(0)}});
            m_b.output(node("Unsqueeze", {largest, ints({1})}));
            m_b.output(x);
        }
    }

    std::mt19937 m_random;
    OnnxBuilder m_b{17};
    std::int64_t m_tokens = 0, m_heads = 1, m_width = 1, m_hidden = 1;
    bool m_hasIds = false;
    int m_count = 0;
};

} // namespace

Result<std::shared_ptr<const Graph>> randomTransformer(unsigned seed, const std::string& file) {
    return Transformer(seed).build(file);
}

} // namespace pim::test
