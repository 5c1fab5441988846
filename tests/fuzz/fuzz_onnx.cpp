// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/import.h"
#include "core/graph/weights.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const auto graph = loadGraph(fuzz::fileOf("model.onnx", fuzz::textOf(data, size)));
    if (!graph)
        return 0;
    for (const Tensor& tensor : (*graph)->tensors) {
        constexpr std::int64_t kSmall = 1 << 20; // those computed on demand may have any shape
        if (tensor.isConstant() && tensor.bytes().value_or(kSmall) < kSmall)
            (void)readConstant(tensor);
    }
    return 0;
}
