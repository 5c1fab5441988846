// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/import.h"
#include "core/graph/model_metadata.h"
#include "core/graph/weights.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

namespace {

/// What opens, opens with metadata as well, and is the same network.
void checkMetadata(const Graph& graph) {
    const std::filesystem::path with = graph.source.path.parent_path() / "with.onnx";
    const ModelMetadata metadata{graph.source.fileBytes, "fuzz.", {{"fuzz.a", "b"}}, {{{"fuzz.c", "d"}}}};
    const auto written = writeWithMetadata(graph.source.path, metadata, with);
    fuzz::require(written.has_value(), "a model that opens can be written again");
    const auto again = loadGraph(with);
    fuzz::require(again && (*again)->source.structureHash == graph.source.structureHash,
                  "metadata change no network");
}

} // namespace

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const auto graph = loadGraph(fuzz::fileOf("model.onnx", fuzz::textOf(data, size)));
    if (!graph)
        return 0;
    for (const Tensor& tensor : (*graph)->tensors) {
        constexpr std::int64_t kSmall = 1 << 20; // those computed on demand may have any shape
        if (tensor.isConstant() && tensor.bytes().value_or(kSmall) < kSmall)
            (void)readConstant(tensor);
    }
    checkMetadata(**graph);
    return 0;
}
