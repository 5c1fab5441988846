// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/layers.h"

#include <cmath>

namespace pim::zoo {
namespace {

constexpr Fill kBias{.spread = 0.02};
constexpr Fill kGain{.center = 1, .spread = 0.1};

/// Keeps the variance of activations: uniform with standard deviation 1/sqrt(fan in).
Fill weightFill(std::int64_t fanIn) {
    return {.spread = std::sqrt(3.0 / static_cast<double>(fanIn))};
}

const Attributes kLastAxisMean{{"axes", std::vector<std::int64_t>{-1}}, {"keepdims", std::int64_t{1}}};

} // namespace

std::string linear(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t in,
                   std::int64_t out, bool bias) {
    const GraphWriter::Scope scope(g, name);
    const std::string product = g.node("MatMul", {x, g.weight("weight", {in, out}, weightFill(in))});
    return bias ? g.node("Add", {g.weight("bias", {out}, kBias), product}) : product;
}

std::string gemm(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t in,
                 std::int64_t out) {
    const GraphWriter::Scope scope(g, name);
    const std::string weight = g.weight("weight", {out, in}, weightFill(in));
    return g.node("Gemm", {x, weight, g.weight("bias", {out}, kBias)}, {{"transB", std::int64_t{1}}});
}

std::string layerNorm(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t hidden,
                      double epsilon) {
    const GraphWriter::Scope scope(g, name);
    const std::string centred = g.node("Sub", {x, g.node("ReduceMean", {x}, kLastAxisMean)});
    const std::string square = g.node("Pow", {centred, g.scalar(2)});
    const std::string variance = g.node("ReduceMean", {square}, kLastAxisMean);
    const std::string deviation = g.node("Sqrt", {g.node("Add", {variance, g.scalar(epsilon)})});
    const std::string normal = g.node("Div", {centred, deviation});
    const std::string scaled = g.node("Mul", {normal, g.weight("weight", {hidden}, kGain)});
    return g.node("Add", {scaled, g.weight("bias", {hidden}, kBias)});
}

std::string rmsNorm(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t hidden,
                    double epsilon) {
    const GraphWriter::Scope scope(g, name);
    const std::string mean = g.node("ReduceMean", {g.node("Pow", {x, g.scalar(2)})}, kLastAxisMean);
    const std::string root = g.node("Sqrt", {g.node("Add", {mean, g.scalar(epsilon)})});
    const std::string normal = g.node("Mul", {x, g.node("Div", {g.scalar(1), root})});
    return g.node("Mul", {normal, g.weight("weight", {hidden}, kGain)});
}

std::string gelu(GraphWriter& g, const std::string& x) {
    const std::string erf = g.node("Erf", {g.node("Div", {x, g.scalar(std::sqrt(2.0))})});
    return g.node("Mul", {g.node("Mul", {x, g.node("Add", {erf, g.scalar(1)})}), g.scalar(0.5)});
}

std::string splitHeads(GraphWriter& g, const std::string& x, std::int64_t heads, std::int64_t width) {
    const std::string apart = g.node("Reshape", {x, g.ints({0, 0, heads, width})});
    return g.node("Transpose", {apart}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
}

std::string attention(GraphWriter& g, const Heads& of, const std::string& mask) {
    const auto& [q, k, v, heads, width] = of;
    const std::string turned = g.node("Transpose", {k}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
    const std::string product = g.node("MatMul", {q, turned});
    std::string scores = g.node("Div", {product, g.scalar(std::sqrt(static_cast<double>(width)))});
    if (!mask.empty())
        scores = g.node("Add", {scores, mask});
    const std::string weights = g.node("Softmax", {scores}, {{"axis", std::int64_t{-1}}});
    const std::string context = g.node("MatMul", {weights, v});
    const std::string tokens =
        g.node("Transpose", {context}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
    return g.node("Reshape", {tokens, g.ints({0, 0, heads * width})});
}

std::string extentOf(GraphWriter& g, const std::string& x, std::int64_t axis) {
    return g.node("Gather", {g.node("Shape", {x}), g.intScalar(axis)}, {{"axis", std::int64_t{0}}});
}

} // namespace pim::zoo
