// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/bundle/mapping_file.h"

#include "core/base/json_number.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace pim {

namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "pim crossbar mapping 2";

ordered_json layerJson(const LayerMapping& entry, const CrossbarNetwork& network) {
    const LayerPartition& partition = entry.partition;
    ordered_json groups = ordered_json::array(), cores = ordered_json::array();
    for (const ArrayGroupShape& group : partition.groups)
        groups.push_back({group.blockBegin, group.blocks, group.rowBegin, group.rows, group.columnBegin,
                          group.columns, group.crossbars, group.phase});
    for (const CoreId core : entry.cores)
        cores.push_back(core.value);
    return {{"layer", partition.layer.value},
            {"name", network.layers[partition.layer.index()].name},
            {"unfolding", name(partition.unfolding)},
            {"h", partition.h},
            {"w", partition.w},
            {"p", partition.p},
            {"array_rows", partition.arrayRows},
            {"array_columns", partition.arrayColumns},
            {"replicas", entry.replicas},
            {"groups", std::move(groups)},
            {"cores", std::move(cores)}};
}

/// Reads what has the right form; whether it is possible is asked afterwards.
class Reader {
public:
    Reader(const CrossbarNetwork& network, const CrossbarChip& chip, const std::string& where)
        : m_network(network), m_chip(chip), m_where(where) {}

    Result<CrossbarPlacement> read(const nlohmann::json& json) {
        if (json.value("format", "") != kFormat)
            return wrong(fmt::format("its format is not \"{}\"", kFormat));
        CrossbarPlacement placement;
        const auto mode = crossbarModeNamed(json.at("mode").get<std::string>());
        if (!mode)
            return wrong("it is of no known pipeline");
        placement.mapping.mode = *mode;
        placement.mapping.strategy = json.at("strategy").get<std::string>();
        PIM_CHECK(readStages(json, placement.mapping.stages));
        PIM_CHECK(readTiles(json, placement.mapping.tiles));
        if (json.at("layers").size() != m_network.matrixLayers.size())
            return wrong(fmt::format("it has {} layers with weights, the network {}",
                                     json.at("layers").size(), m_network.matrixLayers.size()));
        for (const auto& entry : json.at("layers")) {
            const std::size_t at = placement.mapping.layers.size();
            PIM_TRY(LayerMapping layer, readLayer(entry, m_network.matrixLayers[at]));
            placement.mapping.layers.push_back(std::move(layer));
        }
        placement.mapping.number();
        PIM_CHECK(readMaps(json.at("maps"), placement));
        if (const auto possible = checkMapping(placement.mapping, m_network, m_chip); !possible)
            return wrong(possible.error().text());
        return placement;
    }

private:
    tl::unexpected<Error> wrong(std::string what) const {
        return fail(ErrorCode::InvalidFile, std::move(what), m_where, "compile again");
    }

    /// A layer a stage where nothing is said.
    Result<void> readStages(const nlohmann::json& json, MappedStages& stages) const {
        stages.layersAStage = wholeNumber(json, "layers_a_stage", 1);
        if (stages.layersAStage < 1)
            return wrong(
                fmt::format("it has {} layers per stage, at least 1 is needed", stages.layersAStage));
        for (const auto& one : json.value("waiting", nlohmann::json::array())) {
            const auto name = one.get<std::string>();
            const auto layer = std::ranges::find(m_network.layers, name, &CrossbarLayer::name);
            if (layer == m_network.layers.end())
                return wrong(
                    fmt::format("its layer \"{}\", which waits for others, is none of the network", name));
            stages.waiting.emplace_back(layer - m_network.layers.begin());
        }
        if (!std::ranges::is_sorted(stages.waiting, std::less_equal()) ||
            (stages.layersAStage == 1 && !stages.waiting.empty()))
            return wrong("its layers that wait for others are not in the order of the network, each once, or "
                         "wait with a layer a stage");
        return {};
    }

    /// Strips, handed on row by row, where nothing is said.
    Result<void> readTiles(const nlohmann::json& json, MappedTiles& tiles) const {
        tiles.fromRows = wholeNumber(json, "tiles_from_rows", 0);
        tiles.bands = wholeNumber(json, "bands", 0);
        if (tiles.fromRows < 0 || tiles.bands < 0)
            return wrong(fmt::format("it has tiles from {} rows on and {} bands, no less than 0 are possible",
                                     tiles.fromRows, tiles.bands));
        return {};
    }

    Result<LayerMapping> readLayer(const nlohmann::json& json, LayerId expected) const {
        const std::string& layer = m_network.layers[expected.index()].name;
        LayerMapping entry;
        LayerPartition& partition = entry.partition;
        partition.layer = LayerId(wholeNumber<int>(json.at("layer")));
        const auto unfolding = unfoldingNamed(json.at("unfolding").get<std::string>());
        if (partition.layer != expected || !unfolding)
            return wrong(fmt::format("it does not say how \"{}\" is unfolded", layer));
        partition.unfolding = *unfolding;
        if (const std::string_view why =
                whyNotUnfolded(*m_network.layers[expected.index()].matrix(), *unfolding);
            !why.empty())
            return wrong(fmt::format("\"{}\" is unfolded {}: {}", layer, name(*unfolding), why));
        partition.h = wholeNumber<std::int64_t>(json.at("h"));
        partition.w = wholeNumber<std::int64_t>(json.at("w"));
        partition.p = wholeNumber<std::int64_t>(json.at("p"));
        partition.arrayRows = wholeNumber<int>(json.at("array_rows"));
        partition.arrayColumns = wholeNumber<int>(json.at("array_columns"));
        PIM_CHECK(readGroups(json.at("groups"), layer, partition));
        entry.replicas = wholeNumber<int>(json.at("replicas"));
        for (const int core : wholeNumbers<int>(json.at("cores")))
            entry.cores.emplace_back(core);
        if (entry.replicas < 1 || entry.cores.size() != std::size_t(entry.replicas) * partition.groups.size())
            return wrong(fmt::format("\"{}\" has {} replicas of {} array groups in {} cores", layer,
                                     entry.replicas, partition.groups.size(), entry.cores.size()));
        return entry;
    }

    /// The groups of a layer have to be those its partition is made of, or finer ones: within the layer's
    /// rows and columns.
    Result<void> readGroups(const nlohmann::json& json, const std::string& layer,
                            LayerPartition& partition) const {
        const MatrixWork& work = *m_network.layers[partition.layer.index()].matrix();
        for (const auto& numbers : json) {
            const auto n = wholeNumbers<int>(numbers);
            const bool whole = n.size() == 8 && n[7] >= 0 && n[7] < work.window.phases();
            const PixelWindow window = whole ? phaseWindow(work.window, n[7]).window : PixelWindow();
            const bool spans = spansWindows(work, partition.unfolding);
            const UnfoldedMatrix all =
                unfoldedMatrix(work, window, spans ? partition.unfolding : Unfolding::WholeWindow);
            const bool sound = whole && n[0] >= 0 && n[1] >= 1 && n[0] + n[1] <= work.groups && n[2] >= 0 &&
                               n[3] >= 1 && n[2] + std::int64_t(n[3]) <= all.rows * n[1] && n[4] >= 0 &&
                               n[5] >= 1 && n[4] + std::int64_t(n[5]) <= all.columns * n[1] && n[6] >= 1;
            if (!sound)
                return wrong(fmt::format("array group {} of \"{}\" is no part of its weights",
                                         partition.groups.size(), layer));
            partition.groups.push_back({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]});
        }
        return {};
    }

    Result<void> readMaps(const nlohmann::json& json, CrossbarPlacement& placement) const {
        if (json.size() != m_network.layers.size())
            return wrong(fmt::format("it has {} maps, the network {}", json.size(), m_network.layers.size()));
        for (const auto& map : json) {
            const CrossbarLayer& layer = m_network.layers[placement.mapAddress.size()];
            if (map.at("name").get<std::string>() != layer.name)
                return wrong(
                    fmt::format("its map {} is not \"{}\"", placement.mapAddress.size(), layer.name));
            const auto& address = map.at("address");
            placement.mapAddress.push_back(address.is_null() ? CrossbarSchedule::kNowhere
                                                             : wholeNumber<std::uint32_t>(address));
            placement.copies.push_back(wholeNumber<int>(map.at("copies")));
            placement.stage.push_back(wholeNumber<int>(map.at("stage")));
        }
        return {};
    }

    const CrossbarNetwork& m_network;
    const CrossbarChip& m_chip;
    const std::string& m_where;
};

} // namespace

std::string placementText(const CrossbarNetwork& network, const CrossbarMapping& mapping,
                          const CrossbarSchedule& schedule) {
    ordered_json layers = ordered_json::array(), maps = ordered_json::array();
    for (const LayerMapping& entry : mapping.layers)
        layers.push_back(layerJson(entry, network));
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        const CrossbarLayer& layer = network.layers[i];
        const std::uint32_t address = schedule.mapAddress[i];
        maps.push_back(
            {{"name", layer.name},
             {"height", layer.out.height},
             {"width", layer.out.width},
             {"channels", layer.out.channels},
             {"address", address == CrossbarSchedule::kNowhere ? ordered_json() : ordered_json(address)},
             {"copies", schedule.copies[i]},
             {"stage", schedule.stage[i]}});
    }
    ordered_json waiting = ordered_json::array();
    for (const LayerId layer : schedule.waiting)
        waiting.push_back(network.layers[layer.index()].name);
    const ordered_json json{{"format", kFormat},
                            {"mode", name(mapping.mode)},
                            {"strategy", mapping.strategy},
                            {"layers_a_stage", schedule.layersAStage},
                            {"waiting", std::move(waiting)},
                            {"tiles_from_rows", mapping.tiles.fromRows},
                            {"bands", mapping.tiles.bands},
                            {"layers", std::move(layers)},
                            {"maps", std::move(maps)}};
    return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Result<CrossbarPlacement> parsePlacement(std::string_view text, const CrossbarNetwork& network,
                                         const CrossbarChip& chip, const std::string& where) {
    try {
        return Reader(network, chip, where).read(nlohmann::json::parse(text));
    } catch (const std::exception& error) {
        return fail(ErrorCode::InvalidFile, error.what(), where, "compile again");
    }
}

} // namespace pim
