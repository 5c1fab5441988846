// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Small kernels and drafts for the tests of backends.
#include "backends/builtin.h"
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"
#include "core/plan/backend.h"

#include <fmt/format.h>

#include <QTest>

namespace pim::test {

inline Kernel kernelOf(const std::string& text) {
    auto kernel = parseKernel(text);
    if (!kernel)
        qFatal("%s", kernel.error().text().c_str());
    return *kernel;
}

/// y[b][o] += x[b][i] * W[o][i], weights resident.
inline Kernel gemv(std::int64_t outputs, std::int64_t inputs, std::int64_t batch = 1,
                   const char* type = "f16") {
    if (batch == 1)
        return kernelOf(
            fmt::format("def gemv(x[{1}]: {2}, W[{0}][{1}]: const {2}):\n"
                        " y = DCC.Tensor.zero([{0}], {2})\n"
                        " for o in range({0}):\n  for i in range({1}):\n   y[o] += x[i] * W[o][i]\n",
                        outputs, inputs, type));
    return kernelOf(fmt::format("def gemv(x[{3}][{1}]: {2}, W[{0}][{1}]: const {2}):\n"
                                " y = DCC.Tensor.zero([{3}, {0}], {2})\n"
                                " for b in range({3}):\n  for o in range({0}):\n   for i in range({1}):\n"
                                "    y[b][o] += x[b][i] * W[o][i]\n",
                                outputs, inputs, type, batch));
}

inline Kernel elementwise(std::int64_t length, const char* statement, const char* type = "f16") {
    const bool isBinary = std::string_view(statement).find("B[") != std::string_view::npos;
    return kernelOf(fmt::format("def f(A[{0}]: {1}, {3}C[{0}]: {1}):\n for i in range({0}):\n  {2}\n", length,
                                type, statement, isBinary ? fmt::format("B[{}]: {}, ", length, type) : ""));
}

inline Kernel attention(std::int64_t heads, std::int64_t keys, std::int64_t features) {
    return kernelOf(fmt::format(
        "def attention(Q[{0}][{2}]: f16, K[{0}][{1}][{2}]: cache f16, V[{0}][{1}][{2}]: cache f16):\n"
        " O = DCC.Tensor.zero([{0}, {2}], f16)\n"
        " for h in range({0}):\n  for l in range({1}):\n   for d in range({2}):\n"
        "    O[h][d] += softmax(Q[h][d] * K[h][l][d]) * V[h][l][d]\n",
        heads, keys, features));
}

inline std::shared_ptr<const Target> targetOf(std::string_view id) {
    static const TargetCatalog catalog = TargetCatalog::load();
    auto target = catalog.find(id);
    if (!target)
        qFatal("%s", target.error().text().c_str());
    return *target;
}

} // namespace pim::test
