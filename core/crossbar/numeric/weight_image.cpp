// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/numeric/weight_image.h"

#include "core/base/hash.h"
#include "core/base/mapped_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace pim {

namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "pim crossbar weights 1";

std::vector<std::byte> packed(const GroupWeights& weights, const CellCode& code) {
    const std::int64_t row = packedRowBytes(code, weights.columns);
    std::vector<std::byte> bytes(std::size_t(row * weights.rows * code.arrays()));
    for (int array = 0; array < code.arrays(); ++array)
        for (int i = 0; i < weights.rows; ++i) {
            std::byte* to = bytes.data() + (std::int64_t(array) * weights.rows + i) * row;
            for (int j = 0; j < weights.columns; ++j) {
                const int cell = code.cell(weights.weight(i, j), array);
                for (int bit = 0; bit < code.cellBits; ++bit) {
                    const int at = j * code.cellBits + bit;
                    to[at / 8] |= std::byte(((cell >> bit) & 1) << (at % 8));
                }
            }
        }
    return bytes;
}

ordered_json manifestOf(const CrossbarWeightImage& image, const CrossbarNetwork* network) {
    ordered_json pieces = ordered_json::array(), places = ordered_json::array();
    for (const WeightPiece& piece : image.pieces) {
        ordered_json entry{{"layer", piece.layer},     {"part", piece.part},     {"rows", piece.rows},
                           {"columns", piece.columns}, {"offset", piece.offset}, {"bytes", piece.bytes},
                           {"sha256", piece.sha256}};
        if (network)
            entry["name"] = network->layers[std::size_t(piece.layer)].name;
        pieces.push_back(std::move(entry));
    }
    for (const WeightPlace& place : image.places)
        places.push_back({{"group", place.group},
                          {"piece", place.piece},
                          {"replica", place.replica},
                          {"core", place.core},
                          {"first_crossbar", place.firstCrossbar},
                          {"crossbars", place.crossbars}});
    return {{"format", kFormat},
            {"weight_bits", image.code.weightBits},
            {"cell_bits", image.code.cellBits},
            {"differential", image.code.differential},
            {"bytes", image.bytes},
            {"pieces", std::move(pieces)},
            {"array_groups", std::move(places)}};
}

class ImageWriter {
public:
    ImageWriter(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                const CrossbarNumbers& numbers)
        : m_network(network), m_mapping(mapping), m_numbers(numbers),
          m_nextCrossbar(std::size_t(chip.cores())), m_physical(chip.physicalPerLogical) {
        m_image.code = cellCode(chip, numbers.weightBits);
    }

    Result<CrossbarWeightImage> write(const std::filesystem::path& folder, const TaskContext& task) {
        std::ofstream stream(folder / "weights.bin", std::ios::binary | std::ios::trunc);
        for (const LayerMapping& entry : m_mapping.layers) {
            if (task.cancelled())
                return TaskContext::cancelledError("writing weights");
            task.report("writing weights", entry.partition.layer, std::int64_t(m_network.layers.size()));
            const int firstPiece = int(m_image.pieces.size());
            for (int part = 0; part < entry.groups(); ++part)
                addPiece(entry, part, stream);
            for (int replica = 0; replica < entry.replicas; ++replica)
                for (int part = 0; part < entry.groups(); ++part)
                    addPlace(entry, replica, part, firstPiece + part);
        }
        stream.flush();
        std::ofstream manifest(folder / "weights.json", std::ios::binary | std::ios::trunc);
        manifest
            << manifestOf(m_image, &m_network).dump(1, ' ', false, ordered_json::error_handler_t::replace)
            << '\n';
        manifest.flush();
        if (!stream || !manifest)
            return fail(ErrorCode::Io,
                        fmt::format("the weights, {} bytes, could not be written", m_image.bytes),
                        folder.string(), "is there room on the disk?");
        return std::move(m_image);
    }

private:
    void addPiece(const LayerMapping& entry, int part, std::ofstream& stream) {
        const auto layer = std::size_t(entry.partition.layer);
        const GroupWeights weights =
            groupWeights(m_network.layers[layer], m_numbers.layers[layer], entry.partition, part);
        const std::vector<std::byte> bytes = packed(weights, m_image.code);
        stream.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
        Sha256 sum;
        sum.add(bytes);
        m_image.pieces.push_back({int(layer), part, weights.rows, weights.columns, m_image.bytes,
                                  std::int64_t(bytes.size()), sum.hex()});
        m_image.bytes += std::int64_t(bytes.size());
    }
    void addPlace(const LayerMapping& entry, int replica, int part, int piece) {
        const int core = entry.core(replica, part),
                  crossbars = entry.partition.groups[std::size_t(part)].crossbars * m_physical;
        int& next = m_nextCrossbar[std::size_t(core)];
        m_image.places.push_back({entry.number(replica, part), piece, replica, core, next, crossbars});
        next += crossbars;
    }

    const CrossbarNetwork& m_network;
    const CrossbarMapping& m_mapping;
    const CrossbarNumbers& m_numbers;
    std::vector<int> m_nextCrossbar; ///< [core]
    int m_physical;
    CrossbarWeightImage m_image;
};

tl::unexpected<Error> invalid(const std::filesystem::path& folder, std::string why) {
    return fail(ErrorCode::InvalidFile, std::move(why), (folder / "weights.json").string(),
                "write the weights again");
}

Result<CrossbarWeightImage> parsedManifest(const std::filesystem::path& folder) {
    std::ifstream stream(folder / "weights.json", std::ios::binary);
    if (!stream)
        return fail(ErrorCode::Io, "it cannot be read", (folder / "weights.json").string());
    CrossbarWeightImage image;
    try {
        const auto json = nlohmann::json::parse(stream);
        if (json.at("format") != kFormat)
            return invalid(folder, "it is of another format");
        image.code = {json.at("weight_bits"), json.at("cell_bits"), json.at("differential")};
        image.bytes = json.at("bytes");
        for (const auto& piece : json.at("pieces"))
            image.pieces.push_back({piece.at("layer"), piece.at("part"), piece.at("rows"),
                                    piece.at("columns"), piece.at("offset"), piece.at("bytes"),
                                    piece.at("sha256")});
        for (const auto& place : json.at("array_groups"))
            image.places.push_back({place.at("group"), place.at("piece"), place.at("replica"),
                                    place.at("core"), place.at("first_crossbar"), place.at("crossbars")});
    } catch (const nlohmann::json::exception& error) {
        return invalid(folder, error.what());
    }
    return image;
}

} // namespace

Result<CrossbarWeightImage> writeWeightImage(const CrossbarNetwork& network, const CrossbarChip& chip,
                                             const CrossbarMapping& mapping, const CrossbarNumbers& numbers,
                                             const std::filesystem::path& folder, const TaskContext& task) {
    if (numbers.real)
        return fail(ErrorCode::Usage, "real weights cannot be put into cells", network.name, "quantise them");
    return ImageWriter(network, chip, mapping, numbers).write(folder, task);
}

Result<CrossbarWeightImage> readWeightImage(const std::filesystem::path& folder) {
    PIM_TRY(CrossbarWeightImage image, parsedManifest(folder));
    PIM_TRY(const auto file, MappedFile::open(folder / "weights.bin"));
    const CellCode& code = image.code;
    if (code.cellBits < 1 || code.cellBits > 16 || code.weightBits < 1 || code.weightBits > 16)
        return invalid(folder,
                       fmt::format("weights of {} bits in cells of {}", code.weightBits, code.cellBits));
    for (std::size_t i = 0; i < image.pieces.size(); ++i) {
        const WeightPiece& piece = image.pieces[i];
        if (piece.rows < 0 || piece.columns < 0 || piece.offset < 0 ||
            piece.bytes != packedRowBytes(code, piece.columns) * piece.rows * code.arrays() ||
            piece.offset > std::int64_t(file->bytes().size()) - piece.bytes)
            return invalid(folder, fmt::format("piece {} takes {} bytes at {}, weights.bin has {}", i,
                                               piece.bytes, piece.offset, file->bytes().size()));
        Sha256 sum;
        sum.add(file->bytes().subspan(std::size_t(piece.offset), std::size_t(piece.bytes)));
        if (sum.hex() != piece.sha256)
            return invalid(folder, fmt::format("piece {} of layer {} was changed", i, piece.layer));
    }
    for (const WeightPlace& place : image.places)
        if (place.piece < 0 || std::size_t(place.piece) >= image.pieces.size())
            return invalid(folder, fmt::format("array group {} holds piece {} of {}", place.group,
                                               place.piece, image.pieces.size()));
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
