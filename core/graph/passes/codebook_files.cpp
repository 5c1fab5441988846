// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/passes/codebook_files.h"

#include "core/base/file_text.h"
#include "core/base/json_number.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace pim {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostExtent = 1 << 24;

/// Where the elements of an array begin, which has to be of this type (NumPy's "<f4", "|i1") and length in C order.
Result<InitializerRef> dataOf(const fs::path& file, std::string_view type, std::int64_t bytes) {
    std::ifstream stream(file, std::ios::binary);
    const auto wrong = [&](std::string why) {
        return fail(ErrorCode::InvalidFile, std::move(why), file.string(),
                    "write the folder anew: pimc accuracy --out FOLDER");
    };
    std::string start(10, '\0');
    if (!stream)
        return fail(ErrorCode::Io, "it cannot be read", file.string(), "layers.json names it");
    if (!stream.read(start.data(), std::ssize(start)) || !start.starts_with("\x93NUMPY\x01"))
        return wrong("it is no array of NumPy, format 1.0");
    const auto headerBytes = static_cast<std::size_t>(static_cast<unsigned char>(start[8])) |
                             static_cast<std::size_t>(static_cast<unsigned char>(start[9])) << 8;
    std::string header(headerBytes, '\0');
    if (!stream.read(header.data(), std::ssize(header)))
        return wrong("it ends within its header");
    if (header.find(fmt::format("'{}'", type)) == std::string::npos ||
        header.find("'fortran_order': False") == std::string::npos)
        return wrong(fmt::format("its elements are not {} in C order: {}", type, header));
    InitializerRef data;
    data.file = file;
    data.offset = std::ssize(start) + std::ssize(header);
    data.length = bytes;
    std::error_code failure;
    const auto size = fs::file_size(file, failure);
    if (failure || static_cast<std::int64_t>(size) != data.offset + bytes)
        return wrong(fmt::format("it has {} B, layers.json wants {} B of elements behind {} B of header",
                                 failure ? 0 : size, bytes, data.offset));
    return data;
}

Result<LayerFiles> layerOf(const fs::path& folder, const nlohmann::json& entry) {
    LayerFiles layer;
    layer.op = entry.at("op").get<std::string>();
    for (const auto& [key, number] :
         {std::pair("codebooks", &layer.codebooks), std::pair("centroids", &layer.centroids),
          std::pair("length", &layer.length), std::pair("features", &layer.features)}) {
        *number = wholeNumber<std::int64_t>(entry.at(key));
        if (*number < 1 || *number > kMostExtent)
            return fail(
                ErrorCode::InvalidFile,
                fmt::format("{} of \"{}\" is {}; 1 to {} are possible", key, layer.op, *number, kMostExtent),
                (folder / "layers.json").string());
    }
    const auto files = entry.at("files").get<std::string>();
    const auto file = [&](std::string_view what) {
        return folder / fs::path(fmt::format("{}_{}.npy", files, what)).filename();
    };
    const bool whole = entry.at("table").get<std::string>() == "int8";
    const std::int64_t rows = layer.codebooks * layer.centroids;
    if (rows > kMostExtent || layer.features > (std::int64_t(1) << 40) / rows ||
        layer.length > (std::int64_t(1) << 40) / rows)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("the table of \"{}\" has {} x {} x {} elements, beyond any memory", layer.op,
                                layer.codebooks, layer.centroids, layer.features),
                    (folder / "layers.json").string());
    PIM_TRY(layer.centroidData, dataOf(file("centroids"), "<f4", rows * layer.length * 4));
    PIM_TRY(layer.tableData,
            dataOf(file("table"), whole ? "|i1" : "<f4", rows * layer.features * (whole ? 1 : 4)));
    if (!whole)
        return layer;
    layer.scales = 1;
    auto one = dataOf(file("scales"), "<f4", 4);
    if (!one && layer.features > 1) {
        layer.scales = layer.features;
        one = dataOf(file("scales"), "<f4", 4 * layer.features);
    }
    PIM_TRY(layer.scaleData, std::move(one));
    return layer;
}

} // namespace

Result<std::vector<LayerFiles>> readLayerFiles(const fs::path& folder) {
    const fs::path index = folder / "layers.json";
    PIM_TRY(const std::string text,
            fileText(index, "name a folder that `pimc accuracy --lut .. --out FOLDER` wrote"));
    try {
        const auto list = nlohmann::json::parse(text);
        if (!list.is_array())
            return fail(ErrorCode::InvalidFile, "it is no list of layers", index.string());
        std::vector<LayerFiles> layers;
        for (const auto& entry : list) {
            PIM_TRY(LayerFiles layer, layerOf(folder, entry));
            layers.push_back(std::move(layer));
        }
        return layers;
    } catch (const std::exception& problem) {
        return fail(ErrorCode::InvalidFile, fmt::format("it is no list of layers: {}", problem.what()),
                    index.string(), "write the folder anew: pimc accuracy --out FOLDER");
    }
}

} // namespace pim
