// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_io.h"
#include "core/lut/network/conversion.h"
#include "core/numeric/npy.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::lut {
namespace {

namespace fs = std::filesystem;

template <class Number>
Value valueOf(DataType type, const Shape& shape, const std::vector<Number>& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    return {type, shape, std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end())};
}

Result<void> saveLayer(const LutLayer& layer, const fs::path& folder, std::size_t number) {
    const auto file = [&](std::string_view what) {
        return folder / fmt::format("{:03}_{}.npy", number, what);
    };
    const auto& [books, table, quantized] = layer;
    PIM_CHECK(
        writeNpy(file("centroids"),
                 valueOf(DataType::F32, {books.codebooks, books.centroids, books.length}, books.values)));
    const Shape shape{table.codebooks, table.centroids, table.features};
    if (!quantized)
        return writeNpy(file("table"), valueOf(DataType::F32, shape, table.values));
    PIM_CHECK(writeNpy(file("table"), valueOf(DataType::I8, shape, quantized->values)));
    return writeNpy(file("scales"),
                    valueOf(DataType::F32, {std::ssize(quantized->scales)}, quantized->scales));
}

} // namespace

Result<void> Conversion::save(const fs::path& folder) const {
    std::error_code error;
    fs::create_directories(folder, error);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& [op, layer] : layers) {
        PIM_CHECK(saveLayer(layer, folder, list.size()));
        list.push_back({{"op", op},
                        {"files", fmt::format("{:03}", list.size())},
                        {"codebooks", layer.books.codebooks},
                        {"centroids", layer.books.centroids},
                        {"length", layer.books.length},
                        {"features", layer.table.features},
                        {"table", layer.quantized ? "int8" : "float32"}});
    }
    return replaceFile(folder / "layers.json", list.dump(2) + '\n');
}

} // namespace pim::lut
