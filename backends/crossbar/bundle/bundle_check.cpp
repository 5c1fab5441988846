// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/bundle/bundle_check.h"

#include "backends/crossbar/bundle/mapping_file.h"
#include "backends/crossbar/numeric/part_weights.h"
#include "backends/crossbar/numeric/weight_image.h"
#include "core/base/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pim {

namespace {

Result<std::string> textOf(const std::filesystem::path& file) {
    PIM_TRY(const auto mapped, MappedFile::open(file));
    return std::string(reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size());
}

/// Cells are made with the numbers of the bundle's own calibration, whatever seed the check has.
class CellCheck {
public:
    CellCheck(const std::filesystem::path& folder, const CrossbarNetwork& network, const CrossbarChip& chip,
              const CrossbarMapping& mapping, CrossbarBundleCheck& result)
        : m_folder(folder), m_network(network), m_chip(chip), m_mapping(mapping), m_result(result) {}

    Result<void> run(const TaskContext& task) {
        PIM_TRY(const CrossbarWeightImage image, readWeightImage(m_folder));
        m_result.missingWeights = image.missing;
        PIM_CHECK(checkPlaces(image));
        if (!image.missing.empty() || !m_result.wrongCell.empty())
            return {};
        NumbersOptions options = numbersOptions(m_chip);
        options.weights = false;
        PIM_TRY(const CrossbarNumbers numbers, quantiseNetwork(m_network, options, task));
        PartWeights weights(m_network, numbers);
        for (const int piece : inOrderOfFile(image)) {
            if (task.cancelled())
                return TaskContext::cancelledError("comparing weights");
            task.report("comparing weights", piece, std::ssize(image.pieces));
            PIM_CHECK(checkPiece(image, piece, weights));
            if (!m_result.wrongCell.empty())
                break;
        }
        return {};
    }

private:
    /// Which is that in which weights are read least.
    static std::vector<int> inOrderOfFile(const CrossbarWeightImage& image) {
        std::vector<int> pieces(image.pieces.size());
        std::iota(pieces.begin(), pieces.end(), 0);
        std::ranges::sort(pieces, {}, [&](int piece) { return image.pieces[std::size_t(piece)].offset; });
        return pieces;
    }

    Result<void> checkPlaces(const CrossbarWeightImage& image) {
        if (int(image.places.size()) != m_mapping.arrayGroups())
            return fail(ErrorCode::InvalidFile,
                        fmt::format("it places {} array groups, mapping.json has {}", image.places.size(),
                                    m_mapping.arrayGroups()),
                        (m_folder / "weights.json").string(), "compile again");
        for (const WeightPlace& place : image.places) {
            if (!place.group.valid() || place.group.value >= m_mapping.arrayGroups())
                return fail(ErrorCode::InvalidFile,
                            fmt::format("it places array group {}", place.group.value),
                            (m_folder / "weights.json").string(), "compile again");
            const CrossbarMapping::Place where = m_mapping.place(place.group);
            const LayerMapping& entry = m_mapping.at(where.entry);
            const WeightPiece& piece = image.pieces[std::size_t(place.piece)];
            if (entry.core(where.replica, where.group) != place.core ||
                piece.layer != entry.partition.layer || piece.part != where.group) {
                m_result.wrongCell = fmt::format("array group {} lies in core {} by weights.json, in core {} "
                                                 "by mapping.json",
                                                 place.group.value, place.core.value,
                                                 entry.core(where.replica, where.group).value);
                return {};
            }
        }
        return {};
    }

    Result<void> checkPiece(const CrossbarWeightImage& image, int number, PartWeights& weights) {
        const WeightPiece& piece = image.pieces[std::size_t(number)];
        const LayerMapping* entry = m_mapping.of(piece.layer);
        if (!entry || !piece.part.valid() || piece.part.value >= entry->groups())
            return fail(ErrorCode::InvalidFile, fmt::format("piece {} is of no array group", number),
                        (m_folder / "weights.json").string(), "compile again");
        const CrossbarLayer& layer = m_network.layers[piece.layer.index()];
        const GroupLayout layout(layer, entry->partition, entry->partition.groups[piece.part.index()]);
        if (piece.rows != layout.rows() || piece.columns != layout.columns())
            return fail(ErrorCode::InvalidFile,
                        fmt::format("piece {} has {} x {} weights, its array group {} x {}", number,
                                    piece.rows, piece.columns, layout.rows(), layout.columns()),
                        (m_folder / "weights.json").string(), "compile again");
        PIM_TRY(const GroupWeights group, weights.of(entry->partition, piece.part));
        PIM_TRY(const std::vector<int> held, weightsOfPiece(image, m_folder, number));
        for (int row = 0; row < piece.rows; ++row)
            for (int column = 0; column < piece.columns; ++column) {
                const int cell = held[std::size_t(row) * std::size_t(piece.columns) + std::size_t(column)];
                if (cell == group.weight(row, column))
                    continue;
                m_result.wrongCell =
                    fmt::format("layer \"{}\", part {}, row {}, column {}: cells hold {}, the weight is {}",
                                layer.name, piece.part.value, row, column, cell, group.weight(row, column));
                return {};
            }
        m_result.cells += std::ssize(held);
        return {};
    }

    std::filesystem::path m_folder;
    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    const CrossbarMapping& m_mapping;
    CrossbarBundleCheck& m_result;
};

} // namespace

Result<CrossbarBundleCheck> checkCrossbarBundle(const std::filesystem::path& folder,
                                                const CrossbarNetwork& network, const CrossbarChip& chip,
                                                const CrossbarCheckOptions& options,
                                                const TaskContext& task) {
    const auto mappingFile = folder / "chip" / "mapping.json";
    PIM_TRY(const std::string mappingJson, textOf(mappingFile));
    PIM_TRY(const CrossbarPlacement placement,
            parsePlacement(mappingJson, network, chip, mappingFile.string()));
    PIM_TRY(const std::string text, textOf(folder / "programs" / "network.xbar"));
    PIM_TRY(const CrossbarProgram program, parseCrossbarText(text));
    if (program.cores.size() != std::size_t(chip.cores()))
        return fail(
            ErrorCode::InvalidFile,
            fmt::format("the program is for {} cores, the chip has {}", program.cores.size(), chip.cores()),
            (folder / "programs" / "network.xbar").string(), "compile again");
    CrossbarBundleCheck result;
    result.mode = placement.mapping.mode;
    PIM_CHECK(CellCheck(folder / "chip", network, chip, placement.mapping, result).run(task));
    PIM_TRY(result.program, checkCrossbar({program, network, placement.mapping, chip, placement.mapAddress,
                                           placement.stage, placement.copies},
                                          options, task));
    return result;
}

} // namespace pim
