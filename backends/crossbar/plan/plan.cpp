// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/plan/plan.h"

#include "backends/crossbar/option_text.h"

#include <nlohmann/json.hpp>

namespace pim {
namespace {

using Ordered = nlohmann::ordered_json;

Ordered layerJson(const LayerMapping& layer, const CrossbarNetwork& network) {
    Ordered one;
    one["layer"] = network.layers[layer.partition.layer.index()].name;
    one["unfolding"] = name(layer.partition.unfolding);
    one["rows"] = layer.partition.h;
    one["columns"] = layer.partition.w;
    one["matrices"] = layer.partition.p;
    if (const int phases = network.layers[layer.partition.layer.index()].matrix()->window.phases();
        phases > 1)
        one["phases"] = phases; // of a transposed convolution
    one["arrayGroups"] = layer.groups();
    one["arrays"] = layer.partition.crossbars();
    one["replicas"] = layer.replicas;
    one["cores"] = Ordered::array();
    for (const CoreId core : layer.cores)
        one["cores"].push_back(core.value);
    return one;
}

} // namespace

std::string CrossbarPlan::json() const {
    Ordered object;
    object["kind"] = kind();
    object["chip"] = {
        {"name", chip.name}, {"chips", chip.chips()}, {"cores", chip.cores()}, {"arrays", arrays()}};
    object["mode"] = pim::name(options.mode);
    object["strategy"] = mapping.strategy;
    if (options.mode == CrossbarMode::HighThroughput) {
        object["layersAStage"] = schedule->layersAStage;
        object["waitingLayers"] = Ordered::array();
        for (const LayerId layer : schedule->waiting)
            object["waitingLayers"].push_back(network->layers[layer.index()].name);
    } else {
        object["tilesFromRows"] = mapping.tiles.fromRows;
        object["bands"] = mapping.tiles.bands;
    }
    Ordered chosen = Ordered::object();
    for (const auto& [key, value] : crossbarOptionTable().write(options))
        chosen[key] = value;
    object["options"] = std::move(chosen);
    Ordered figuresJson = Ordered::object();
    for (const auto& [key, value] : figures())
        figuresJson[key] = value;
    object["figures"] = std::move(figuresJson);
    object["layers"] = Ordered::array();
    for (const LayerMapping& layer : mapping.layers)
        object["layers"].push_back(layerJson(layer, *network));
    object["tradeOffs"] = Ordered::array();
    for (const MappingTradeOff& point : mapping.tradeOffs)
        object["tradeOffs"].push_back({{"period_ns", point.periodNs},
                                       {"latency_ns", point.latencyNs},
                                       {"energy_pj", point.energyPj},
                                       {"replicas", point.replicas}});
    return object.dump();
}

std::vector<std::pair<std::string, double>> CrossbarPlan::figures() const {
    std::vector<std::pair<std::string, double>> all{
        {"samples_per_second", profile->samplesPerSecond()},
        {"latency_ns", firstSampleNs().value_or(profile->latencyNs)},
        {"first_batch_ns", profile->firstBatchNs},
        {"stages", double(schedule->stages())},
        {"period_ns", profile->periodNs},
        {"arrays_used_share", arrays() > 0 ? double(usedArrays()) / arrays() : 0},
        {"arrays_busy_share", profile->arrayBusy},
        {"instructions", double(profile->instructions)},
        {"load_bytes", double(profile->loadBytes)},
        {"store_bytes", double(profile->storeBytes)},
        {"network_bytes", double(profile->networkBytes)},
    };
    if (const auto pj = energyPj())
        all.emplace_back("energy_pj", *pj);
    return all;
}

std::optional<double> CrossbarPlan::firstSampleNs() const {
    const bool inStages = options.mode == CrossbarMode::HighThroughput && profile->instructions > 0;
    return inStages ? std::optional(profile->firstBatchNs) : std::nullopt;
}

int CrossbarPlan::arrays(CoreId core) const {
    int sum = 0;
    for (const CrossbarGroup& group : chip.arraysOf(core))
        sum += group.count;
    return sum;
}

int CrossbarPlan::arrays() const {
    int sum = 0;
    for (const CoreId core : FirstIds<CoreId>(chip.cores()))
        sum += arrays(core);
    return sum;
}

int CrossbarPlan::usedArrays() const {
    int sum = 0;
    for (const LayerMapping& layer : mapping.layers)
        sum += layer.replicas * layer.partition.crossbars();
    return sum;
}

double CrossbarPlan::sampleNs() const {
    return options.mode == CrossbarMode::HighThroughput ? profile->periodNs : profile->latencyNs;
}

CrossbarProgram instructionsOf(const CrossbarProgram& program, std::uint32_t layer) {
    CrossbarProgram part;
    part.accumulatorElements = program.accumulatorElements;
    part.localPeak = program.localPeak;
    part.cores.resize(program.cores.size());
    part.groupEnds.resize(program.groupEnds.size());
    for (std::size_t core = 0; core < program.cores.size(); ++core) {
        std::size_t at = 0;
        for (const std::uint32_t end : program.groupEnds[core]) {
            for (; at < end; ++at)
                if (program.cores[core][at].layer == layer)
                    part.cores[core].push_back(program.cores[core][at]);
            part.groupEnds[core].push_back(std::uint32_t(part.cores[core].size()));
        }
    }
    return part;
}

} // namespace pim
