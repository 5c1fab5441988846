// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/kernels.h"

#include "backends/host/roofline.h"
#include "core/kernel/parse.h"

#include <fmt/format.h>

#include <cmath>

namespace pim::evaluation {
namespace {

Result<EvaluatedKernel> headsKernel(KernelKind kind, std::int64_t heads, std::int64_t length,
                                    std::int64_t batch, std::int64_t inner, const std::string& text) {
    EvaluatedKernel kernel{
        kind, fmt::format("{}x{}, batch {}", heads, length, batch), batch, heads, length, inner, {}};
    PIM_TRY(kernel.kernel, parseKernel(text));
    return kernel;
}

/// Share of the GPU that \p blocks equal thread blocks use.
double utilisation(const Host& host, double blocks) {
    return blocks / (std::ceil(blocks / host.cores) * host.cores);
}

} // namespace

std::string_view name(KernelKind kind) {
    switch (kind) {
    case KernelKind::Gemv:
        return "GEMV";
    case KernelKind::Attention:
        return "ATTN";
    case KernelKind::Reduce:
        return "RED";
    case KernelKind::Add:
        return "VA";
    case KernelKind::Relu:
        return "RELU";
    case KernelKind::Linear:
        break;
    }
    return "FC";
}

Result<EvaluatedKernel> gemvOf(std::int64_t heads, std::int64_t length, std::int64_t batch,
                               std::int64_t inner) {
    return headsKernel(KernelKind::Gemv, heads, length, batch, inner,
                       fmt::format("def gemv(X[{0}][{2}]: f16, W[{0}][{1}][{2}]: const f16):\n"
                                   " Y = DCC.Tensor.zero([{0}, {1}], f16)\n"
                                   " for h in range({0}):\n  for i in range({1}):\n   for k in range({2}):\n"
                                   "    Y[h][i] += X[h][k] * W[h][i][k]\n",
                                   heads * batch, length, inner));
}

Result<EvaluatedKernel> attentionOf(std::int64_t heads, std::int64_t length, std::int64_t batch,
                                    std::int64_t headSize) {
    return headsKernel(
        KernelKind::Attention, heads, length, batch, headSize,
        fmt::format(
            "def attention(Q[{0}][{2}]: f16, K[{0}][{1}][{2}]: cache f16, V[{0}][{1}][{2}]: cache f16):\n"
            " O = DCC.Tensor.zero([{0}, {2}], f16)\n"
            " for h in range({0}):\n  for l in range({1}):\n   for d in range({2}):\n"
            "    O[h][d] += softmax(Q[h][d] * K[h][l][d]) * V[h][l][d]\n",
            heads * batch, length, headSize));
}

Result<EvaluatedKernel> vectorsOf(KernelKind kind, std::int64_t dim, std::int64_t batch) {
    const std::string loops = fmt::format(" for b in range({}):\n  for i in range({}):\n   ", batch, dim);
    const std::string vectors = fmt::format("[{}][{}]: f16", batch, dim);
    std::string text;
    if (kind == KernelKind::Reduce)
        text = fmt::format("def red(x{}):\n y = DCC.Tensor.zero([{}], f16)\n{}y[b] += x[b][i]\n", vectors,
                           batch, loops);
    else if (kind == KernelKind::Add)
        text = fmt::format("def va(x{0}, y{0}, z{0}):\n{1}z[b][i] = x[b][i] + y[b][i]\n", vectors, loops);
    else
        text = fmt::format("def relu_of(x{0}, z{0}):\n{1}z[b][i] = relu(x[b][i])\n", vectors, loops);
    EvaluatedKernel kernel{kind, fmt::format("dim {}, batch {}", dim, batch), batch, 0, dim, 1, {}};
    PIM_TRY(kernel.kernel, parseKernel(text));
    return kernel;
}

Result<EvaluatedKernel> linearOf(std::int64_t outputs, std::int64_t inputs, std::int64_t batch) {
    EvaluatedKernel kernel{KernelKind::Linear,
                           fmt::format("{}x{}, batch {}", outputs, inputs, batch),
                           batch,
                           0,
                           outputs,
                           inputs,
                           {}};
    const std::string vector = batch == 1 ? "" : fmt::format("[{}]", batch), row = batch == 1 ? "" : "[b]";
    const std::string zero = batch == 1 ? "" : fmt::format("{}, ", batch);
    const std::string loop = batch == 1 ? "" : fmt::format(" for b in range({}):\n", batch),
                      indent = batch == 1 ? " " : "  ";
    PIM_TRY(kernel.kernel,
            parseKernel(fmt::format(
                "def linear(x{2}[{1}]: f16, W[{0}][{1}]: const f16):\n y = DCC.Tensor.zero([{3}{0}], f16)\n"
                "{4}{5}for o in range({0}):\n{5} for i in range({1}):\n{5}  y{6}[o] += x{6}[i] * W[o][i]\n",
                outputs, inputs, vector, zero, loop, indent, row)));
    return kernel;
}

double gpuNs(const Host& host, const EvaluatedKernel& kernel) {
    const double rows = double(kernel.heads * kernel.batch), length = double(kernel.length),
                 inner = double(kernel.inner);
    switch (kernel.kind) {
    case KernelKind::Gemv:
        return gemmCost(host, {1, length, inner, rows, false, 0}, DataType::F16).ns;
    case KernelKind::Attention:
        return gemmCost(host, {1, length, inner, rows, false, 0}, DataType::F16).ns +
               softmaxCost(host, rows * length, rows, DataType::F16).ns +
               gemmCost(host, {1, inner, length, rows, false, 0}, DataType::F16).ns;
    case KernelKind::Linear:
        return gemmCost(host, {double(kernel.batch), length, inner, 1, true, 0}, DataType::F16).ns;
    case KernelKind::Reduce:
    case KernelKind::Add:
    case KernelKind::Relu:
        break;
    }
    const double batch = double(kernel.batch);
    const double vectors = kernel.kind == KernelKind::Add ? 3 : kernel.kind == KernelKind::Relu ? 2 : 1;
    const double bytes = 2 * (vectors * batch * length + (kernel.kind == KernelKind::Reduce ? batch : 0));
    return bytes / (host.memoryBytesPerNs * host.memoryEfficiency * utilisation(host, batch));
}

} // namespace pim::evaluation
