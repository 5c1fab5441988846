// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/lut/lut_program.h"

#include "backends/upmem/lut/lut_code.h"

#include <fmt/format.h>

#include <cstring>

namespace pim::upmem {
namespace {

HostProgram hostOf(const LutLayer& layer, const LutMapping& mapping) {
    const LutSplit& split = mapping.split;
    const auto rowTiles = int(layer.rows / split.rows), featureTiles = int(layer.features / split.features);
    HostProgram host;
    host.name = "LUT";
    host.meaning = fmt::format("sums of {} look-ups in a table of {} x {} x {}", layer.rows, layer.codebooks,
                               layer.centroids, layer.features);
    host.dpus = int(layer.dpus);
    HostInput index{.name = "index", .meaning = "places in the table, tile by tile"};
    index.type = Element::U16;
    index.elements = layer.rows * layer.codebooks;
    index.slice = split.rows * layer.codebooks;
    index.sharers = featureTiles;
    index.slices = rowTiles;
    HostInput table{.name = "table", .meaning = "products of centroids and weights, tile by tile"};
    table.type = Element::I8;
    table.elements = layer.codebooks * layer.centroids * layer.features;
    table.slice = layer.codebooks * layer.centroids * split.features;
    table.slices = featureTiles;
    host.inputs = {std::move(index), std::move(table)};
    host.outputs.push_back(
        {"sums", "tile by tile", Element::I32, layer.rows * layer.features, split.rows * split.features});
    return host;
}

} // namespace

Result<LutProgram> lutProgram(const LutLayer& layer, const LutMapping& mapping) {
    PIM_CHECK(checkLutCode(layer, mapping));
    LutProgram made{std::make_unique<TaskletCode>("LUT"), {}, int(layer.tasklets), hostOf(layer, mapping)};
    writeLut(*made.code, lutStructure(mapping));
    made.sizes = lutSizes(layer, mapping);
    return made;
}

Result<HostData> lutInputs(const LutLayer& layer, const LutMapping& mapping,
                           std::span<const std::uint16_t> indices, std::span<const std::int8_t> table) {
    const std::int64_t codebooks = layer.codebooks, centroids = layer.centroids, features = layer.features;
    if (std::ssize(indices) != layer.rows * codebooks ||
        std::ssize(table) != codebooks * centroids * features)
        return fail(ErrorCode::Usage,
                    fmt::format("{} indices and {} entries for a layer of {} x {} and {} x {} x {}",
                                indices.size(), table.size(), layer.rows, codebooks, codebooks, centroids,
                                features),
                    "LUT");
    const LutKernel& kernel = mapping.kernel;
    const std::int64_t loaded = loadedFeatures(mapping);
    std::vector<std::uint16_t> places;
    places.reserve(indices.size());
    for (std::int64_t tile = 0; tile < layer.rows; tile += mapping.split.rows)
        for (std::int64_t c = 0; c < codebooks; c += kernel.codebooks)
            for (std::int64_t n = tile; n < tile + mapping.split.rows; ++n)
                for (std::int64_t i = c; i < c + kernel.codebooks; ++i) {
                    const std::int64_t index = indices[std::size_t(n * codebooks + i)];
                    if (index >= centroids)
                        return fail(ErrorCode::Usage,
                                    fmt::format("index {} of row {}, codebook {}; there are {} centroids",
                                                index, n, i, centroids),
                                    "LUT", "make the indices with the codebooks of this table");
                    places.push_back(lutPlace(layer, mapping, i, index));
                }
    std::vector<std::int8_t> entries;
    entries.reserve(table.size());
    for (std::int64_t f = 0; f < features; f += loaded)
        for (std::int64_t row = 0; row < codebooks * centroids; ++row) {
            const auto from = table.subspan(std::size_t(row * features + f), std::size_t(loaded));
            entries.insert(entries.end(), from.begin(), from.end());
        }
    const auto bytes = [](const auto& values) {
        const auto all = std::as_bytes(std::span(values));
        return std::vector<std::byte>(all.begin(), all.end());
    };
    return HostData{{"index", bytes(places)}, {"table", bytes(entries)}};
}

std::vector<std::int32_t> lutSums(const LutLayer& layer, const LutMapping& mapping,
                                  std::span<const std::byte> sums) {
    const LutSplit& split = mapping.split;
    std::vector<std::int32_t> made(static_cast<std::size_t>(layer.rows * layer.features));
    PIM_ASSERT(sums.size() == made.size() * kLutOutputBytes, "a sum for each row and feature");
    const auto rowBytes = std::size_t(mapping.kernel.features * kLutOutputBytes);
    const std::byte* from = sums.data();
    for (std::int64_t n = 0; n < layer.rows; n += split.rows)
        for (std::int64_t f = 0; f < layer.features; f += split.features)
            for (std::int64_t tile = f; tile < f + split.features; tile += mapping.kernel.features)
                for (std::int64_t row = n; row < n + split.rows; ++row, from += rowBytes)
                    std::memcpy(made.data() + row * layer.features + tile, from, rowBytes);
    return made;
}

} // namespace pim::upmem
