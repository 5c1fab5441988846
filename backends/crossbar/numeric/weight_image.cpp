// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/weight_image.h"

#include "backends/crossbar/numeric/part_weights.h"
#include "core/base/file_io.h"
#include "core/base/file_text.h"
#include "core/base/hash.h"
#include "core/base/json_number.h"
#include "core/base/mapped_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace pim {

namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "pim crossbar weights 1";

std::vector<std::byte> packed(const GroupWeights& weights, const CellCode& code) {
    const std::int64_t row = packedRowBytes(code, weights.columns);
    std::vector<std::byte> bytes(std::size_t(row * weights.rows * code.arrays()));
    std::byte* to = bytes.data();
    for (int array = 0; array < code.arrays(); ++array)
        for (int i = 0; i < weights.rows; ++i) {
            unsigned gathered = 0; // bits that fill no byte yet
            int bits = 0;
            for (int j = 0; j < weights.columns; ++j) {
                gathered |= unsigned(code.cell(weights.weight(i, j), array)) << bits;
                for (bits += code.cellBits; bits >= 8; bits -= 8, gathered >>= 8)
                    *to++ = std::byte(gathered);
            }
            if (bits > 0)
                *to++ = std::byte(gathered);
        }
    return bytes;
}

ordered_json manifestOf(const CrossbarWeightImage& image, const CrossbarNetwork* network) {
    ordered_json pieces = ordered_json::array(), places = ordered_json::array();
    for (const WeightPiece& piece : image.pieces) {
        ordered_json entry{{"layer", piece.layer.value}, {"part", piece.part.value}, {"rows", piece.rows},
                           {"columns", piece.columns},   {"offset", piece.offset},   {"bytes", piece.bytes},
                           {"sha256", piece.sha256}};
        if (network)
            entry["name"] = network->layers[piece.layer.index()].name;
        pieces.push_back(std::move(entry));
    }
    for (const WeightPlace& place : image.places)
        places.push_back({{"group", place.group.value},
                          {"piece", place.piece},
                          {"replica", place.replica.value},
                          {"core", place.core.value},
                          {"first_crossbar", place.firstCrossbar},
                          {"crossbars", place.crossbars}});
    ordered_json manifest{{"format", kFormat},
                          {"weight_bits", image.code.weightBits},
                          {"cell_bits", image.code.cellBits},
                          {"differential", image.code.differential},
                          {"bytes", image.bytes},
                          {"pieces", std::move(pieces)},
                          {"array_groups", std::move(places)}};
    if (!image.missing.empty())
        manifest["missing"] = image.missing;
    return manifest;
}

/// Where everything goes; nothing of what the cells hold.
CrossbarWeightImage placesOf(const CrossbarMapping& mapping, const CrossbarChip& chip, int weightBits) {
    CrossbarWeightImage image;
    image.code = cellCode(chip, weightBits);
    std::vector<int> nextCrossbar(std::size_t(chip.cores()));
    for (const LayerMapping& entry : mapping.layers) {
        const int firstPiece = int(image.pieces.size());
        for (const GroupId part : FirstIds<GroupId>(entry.groups())) {
            const ArrayGroupShape& shape = entry.partition.groups[part.index()];
            image.pieces.push_back({entry.partition.layer, part, shape.rows, shape.columns, 0, 0, {}});
        }
        for (const ReplicaId replica : FirstIds<ReplicaId>(entry.replicas))
            for (const GroupId part : FirstIds<GroupId>(entry.groups())) {
                const CoreId core = entry.core(replica, part);
                const int crossbars =
                    entry.partition.groups[part.index()].crossbars * chip.physicalPerLogical;
                int& next = nextCrossbar[core.index()];
                image.places.push_back(
                    {entry.number(replica, part), firstPiece + part.value, replica, core, next, crossbars});
                next += crossbars;
            }
    }
    return image;
}

Result<void> writeManifest(const CrossbarWeightImage& image, const CrossbarNetwork& network,
                           const std::filesystem::path& folder) {
    return replaceFile(
        folder / "weights.json",
        manifestOf(image, &network).dump(1, ' ', false, ordered_json::error_handler_t::replace) + '\n');
}

tl::unexpected<Error> invalid(const std::filesystem::path& folder, std::string why) {
    return fail(ErrorCode::InvalidFile, std::move(why), (folder / "weights.json").string(),
                "write the weights again");
}

Result<CrossbarWeightImage> parsedManifest(const std::filesystem::path& folder) {
    PIM_TRY(const std::string text, fileText(folder / "weights.json"));
    CrossbarWeightImage image;
    try {
        const auto json = nlohmann::json::parse(text);
        if (json.at("format") != kFormat)
            return invalid(folder, "it is of another format");
        image.code = {wholeNumber<int>(json.at("weight_bits")), wholeNumber<int>(json.at("cell_bits")),
                      json.at("differential")};
        image.bytes = wholeNumber<std::int64_t>(json.at("bytes"));
        image.missing = json.value("missing", "");
        for (const auto& piece : json.at("pieces"))
            image.pieces.push_back({LayerId(wholeNumber<int>(piece.at("layer"))),
                                    GroupId(wholeNumber<int>(piece.at("part"))),
                                    wholeNumber<int>(piece.at("rows")), wholeNumber<int>(piece.at("columns")),
                                    wholeNumber<std::int64_t>(piece.at("offset")),
                                    wholeNumber<std::int64_t>(piece.at("bytes")), piece.at("sha256")});
        for (const auto& place : json.at("array_groups"))
            image.places.push_back(
                {ArrayGroupId(wholeNumber<int>(place.at("group"))), wholeNumber<int>(place.at("piece")),
                 ReplicaId(wholeNumber<int>(place.at("replica"))), CoreId(wholeNumber<int>(place.at("core"))),
                 wholeNumber<int>(place.at("first_crossbar")), wholeNumber<int>(place.at("crossbars"))});
    } catch (const std::exception& error) {
        return invalid(folder, error.what());
    }
    return image;
}

Result<void> checkPieces(const CrossbarWeightImage& image, const std::filesystem::path& folder) {
    const CellCode& code = image.code;
    if (code.cellBits < 1 || code.cellBits > 16 || code.weightBits < 1 || code.weightBits > 16)
        return invalid(folder,
                       fmt::format("weights of {} bits in cells of {}", code.weightBits, code.cellBits));
    std::ifstream file(folder / "weights.bin", std::ios::binary);
    if (!file)
        return fail(ErrorCode::Io, "it cannot be read", (folder / "weights.bin").string());
    file.seekg(0, std::ios::end);
    const auto size = std::int64_t(file.tellg());
    if (size != image.bytes)
        return invalid(folder, fmt::format("weights.bin has {} bytes, it says {}", size, image.bytes));
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < image.pieces.size(); ++i) {
        const WeightPiece& piece = image.pieces[i];
        if (piece.rows < 0 || piece.columns < 0 || piece.offset < 0 || piece.bytes > size ||
            piece.bytes != packedRowBytes(code, piece.columns) * piece.rows * code.arrays() ||
            piece.offset > size - piece.bytes)
            return invalid(folder, fmt::format("piece {} takes {} bytes at {}, weights.bin has {}", i,
                                               piece.bytes, piece.offset, size));
        bytes.resize(std::size_t(piece.bytes));
        file.seekg(piece.offset);
        file.read(reinterpret_cast<char*>(bytes.data()), piece.bytes);
        Sha256 sum;
        sum.add(bytes);
        if (!file || sum.hex() != piece.sha256)
            return invalid(folder, fmt::format("piece {} of layer {} was changed", i, piece.layer.value));
    }
    return {};
}

} // namespace

Result<CrossbarWeightImage> writeWeightImage(const CrossbarNetwork& network, const CrossbarChip& chip,
                                             const CrossbarMapping& mapping, const CrossbarNumbers& numbers,
                                             const std::filesystem::path& folder, const TaskContext& task) {
    if (numbers.real)
        return fail(ErrorCode::Usage, "real weights cannot be put into cells", network.name, "quantise them");
    CrossbarWeightImage image = placesOf(mapping, chip, numbers.weightBits);
    PartWeights weights(network, numbers);
    PIM_TRY(OutputFile out, OutputFile::create(folder / "weights.bin"));
    std::size_t firstPiece = 0;
    for (const LayerMapping& entry : mapping.layers) {
        const LayerPartition& partition = entry.partition;
        task.report("writing weights", partition.layer.value, std::ssize(network.layers));
        for (const GroupId part : PartWeights::order(network.layers[partition.layer.index()], partition)) {
            if (task.cancelled())
                return TaskContext::cancelledError("writing weights");
            PIM_TRY(const GroupWeights group, weights.of(partition, part));
            const std::vector<std::byte> bytes = packed(group, image.code);
            PIM_CHECK(out.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
            Sha256 sum;
            sum.add(bytes);
            WeightPiece& piece = image.pieces[firstPiece + part.index()];
            piece.offset = image.bytes;
            piece.bytes = std::ssize(bytes);
            piece.sha256 = sum.hex();
            image.bytes += piece.bytes;
        }
        firstPiece += partition.groups.size();
    }
    PIM_CHECK(out.finish());
    PIM_CHECK(writeManifest(image, network, folder));
    return image;
}

Result<CrossbarWeightImage> writeWeightPlaces(const CrossbarNetwork& network, const CrossbarChip& chip,
                                              const CrossbarMapping& mapping, std::string why,
                                              const std::filesystem::path& folder) {
    CrossbarWeightImage image = placesOf(mapping, chip, chip.weightBits);
    image.missing = std::move(why);
    PIM_CHECK(writeManifest(image, network, folder));
    return image;
}

Result<CrossbarWeightImage> readWeightImage(const std::filesystem::path& folder) {
    PIM_TRY(CrossbarWeightImage image, parsedManifest(folder));
    for (const WeightPlace& place : image.places)
        if (place.piece < 0 || std::size_t(place.piece) >= image.pieces.size())
            return invalid(folder, fmt::format("array group {} holds piece {} of {}", place.group.value,
                                               place.piece, image.pieces.size()));
    if (image.missing.empty())
        PIM_CHECK(checkPieces(image, folder));
    return image;
}

Result<std::vector<int>> weightsOfPiece(const CrossbarWeightImage& image, const std::filesystem::path& folder,
                                        int number) {
    const WeightPiece& piece = image.pieces[std::size_t(number)];
    PIM_TRY(const auto file, MappedFile::open(folder / "weights.bin"));
    const auto bytes = file->bytes().subspan(std::size_t(piece.offset), std::size_t(piece.bytes));
    const CellCode& code = image.code;
    const std::int64_t row = packedRowBytes(code, piece.columns);
    std::vector<int> weights(std::size_t(piece.rows) * std::size_t(piece.columns), -code.offset());
    for (int array = 0; array < code.arrays(); ++array)
        for (int i = 0; i < piece.rows; ++i)
            for (int j = 0; j < piece.columns; ++j) {
                int cell = 0;
                for (int bit = 0; bit < code.cellBits; ++bit) {
                    const std::int64_t at = std::int64_t(j) * code.cellBits + bit;
                    const auto byte =
                        bytes[std::size_t((std::int64_t(array) * piece.rows + i) * row + at / 8)];
                    cell |= ((int(byte) >> (at % 8)) & 1) << bit;
                }
                weights[std::size_t(i) * std::size_t(piece.columns) + std::size_t(j)] +=
                    int(cell * code.worth(array));
            }
    return weights;
}

} // namespace pim
