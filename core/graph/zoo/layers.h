// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Layers as the PyTorch exporter decomposes them, shared by the networks of the zoo.
#include "core/graph/zoo/graph_writer.h"

namespace pim::zoo {

/// x * W + b with W [in, out], as MatMul and Add. \param bias false: no Add.
std::string linear(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t in,
                   std::int64_t out, bool bias = true);
/// x * W^T + b on two-dimensional x with W [out, in], as one Gemm: the form exporters use behind Flatten.
std::string gemm(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t in,
                 std::int64_t out);
/// ReduceMean, Sub, Pow, ReduceMean, Add, Sqrt, Div, Mul, Add over the last axis.
std::string layerNorm(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t hidden,
                      double epsilon);
/// Pow, ReduceMean, Add, Sqrt, Div, Mul, Mul over the last axis.
std::string rmsNorm(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t hidden,
                    double epsilon);
/// 0.5 x (1 + erf(x / sqrt 2)) as Div, Erf, Add, Mul, Mul.
std::string gelu(GraphWriter& g, const std::string& x);
/// [batch, tokens, heads * width] -> [batch, heads, tokens, width]
std::string splitHeads(GraphWriter& g, const std::string& x, std::int64_t heads, std::int64_t width);
/// All of q, k, v are [batch, heads, tokens, width].
struct Heads {
    std::string q, k, v;
    std::int64_t heads = 1, width = 0;
};
/// softmax(q k^T / sqrt(width) + mask) v, heads merged again: [batch, tokens, heads * width].
/// \param mask empty: none.
std::string attention(GraphWriter& g, const Heads& of, const std::string& mask);
/// Extent of one axis as a scalar: Shape, Gather.
std::string extentOf(GraphWriter& g, const std::string& x, std::int64_t axis);

} // namespace pim::zoo
