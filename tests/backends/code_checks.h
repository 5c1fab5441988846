// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the tests of generated code share: kernels of every body in a type, and what they should compute.
#include "core/dram_pim/kernel_reference.h"
#include "core/plan/draft_facet.h"
#include "tests/backends/kernels.h"

#include <algorithm>
#include <cmath>

namespace pim::test {

/// Y[b][m][n] += X[b][m][k] * W[b][n][k]
inline Kernel batchedMatmul(const char* type, std::int64_t b, std::int64_t m, std::int64_t n,
                            std::int64_t k) {
    return kernelOf(fmt::format(
        "def matmul(X[{3}][{0}][{2}]: {4}, W[{3}][{1}][{2}]: {4}):\n"
        " Y = DCC.Tensor.zero([{3}, {0}, {1}], {4})\n"
        " for b in range({3}):\n  for m in range({0}):\n   for n in range({1}):\n    for k in range({2}):\n"
        "     Y[b][m][n] += X[b][m][k] * W[b][n][k]\n",
        m, n, k, b, type));
}

/// Direct nest over a square picture, weights resident.
inline Kernel directConvolution(const char* type, std::int64_t channels, std::int64_t filters,
                                std::int64_t size, std::int64_t window, std::int64_t stride,
                                std::int64_t pad) {
    const std::int64_t out = (size + 2 * pad - window) / stride + 1;
    return kernelOf(fmt::format(
        "def conv(X[{0}][{2}][{2}]: {7}, W[{1}][{0}][{3}][{3}]: const {7}):\n"
        " Y = DCC.Tensor.zero([{1}, {6}, {6}], {7})\n"
        " for o in range({1}):\n  for h in range({6}):\n   for w in range({6}):\n    for c in range({0}):\n"
        "     for r in range({3}):\n      for s in range({3}):\n"
        "       Y[o][h][w] += X[c][h*{4}+r-{5}][w*{4}+s-{5}] * W[o][c][r][s]\n",
        channels, filters, size, window, stride, pad, out, type));
}

/// Y[i] += X[i][k]
inline Kernel rowSums(const char* type, std::int64_t rows, std::int64_t length) {
    return kernelOf(fmt::format("def reduce(X[{0}][{1}]: {2}):\n Y = DCC.Tensor.zero([{0}], {2})\n"
                                " for i in range({0}):\n  for k in range({1}):\n   Y[i] += X[i][k]\n",
                                rows, length, type));
}

/// Weights and caches resident, the rest streamed.
inline std::vector<Residency> residencyOf(const Kernel& kernel) {
    std::vector<Residency> residency;
    for (const KernelTensor& tensor : kernel.tensors)
        residency.push_back(tensor.constant || tensor.cache ? Residency::Resident : Residency::Streamed);
    return residency;
}

inline int outputOf(const Kernel& kernel) {
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t)
        if (kernel.tensors[t].role == TensorRole::Output)
            return int(t);
    return -1;
}

/// What the kernel makes of \p inputs; \p magnitudes: of their absolute values, which bounds the roundings of a sum.
inline std::vector<double> reference(const Kernel& kernel, const std::vector<std::vector<float>>& inputs,
                                     bool magnitudes) {
    std::vector<std::vector<double>> numbers;
    for (const auto& tensor : inputs) {
        numbers.emplace_back(tensor.begin(), tensor.end());
        if (magnitudes)
            for (double& value : numbers.back())
                value = std::abs(value);
    }
    auto result = runKernel(kernel, numbers);
    if (!result)
        qFatal("%s", result.error().text().c_str());
    return (*result)[std::size_t(outputOf(kernel))];
}

/// All passes of a backend left out, one of them, or none. Group commands stay: without them there is no code.
inline std::vector<CodePasses> passesOneByOne(const Backend& backend) {
    std::vector<CodePasses> all{{}, {}};
    for (const CodePassInfo& pass : backend.drafts()->codePasses()) {
        if (pass.id == "group-commands")
            continue;
        all[1].leftOut.emplace_back(pass.id);
        all.push_back({{std::string(pass.id)}});
    }
    std::sort(all[1].leftOut.begin(), all[1].leftOut.end());
    return all;
}
inline std::string leftOutText(const CodePasses& passes) {
    return passes.leftOut.empty() ? "all passes" : fmt::format("without {}", fmt::join(passes.leftOut, ", "));
}

} // namespace pim::test
