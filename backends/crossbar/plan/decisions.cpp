// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/plan/decisions.h"

#include "backends/crossbar/option_text.h"
#include "core/base/parse_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace pim {
namespace {

tl::unexpected<Error> refused(const Override& decision, std::string why, std::string hint = {}) {
    return fail(ErrorCode::IllegalOverride, fmt::format("{} = {}: {}", decision.field, decision.value, why),
                decision.op.empty() ? "network" : decision.op, std::move(hint));
}

Result<void> setNetworkWide(const Override& decision, CrossbarOptions& options) {
    if (decision.field == "mode") {
        const auto mode = crossbarModeNamed(decision.value);
        if (!mode)
            return refused(decision, "no such mode; allowed: ht, ll");
        options.mode = *mode;
    } else if (decision.field == "strategy") {
        const auto known = mappingStrategies();
        if (std::ranges::find(known, decision.value) == known.end())
            return refused(decision, fmt::format("no such strategy; allowed: {}", fmt::join(known, ", ")));
        options.strategy = decision.value;
    } else if (decision.field == "stage-layers" || decision.field == "groups" /* its name before */) {
        const auto layers = layersAStageFromText(decision.value);
        if (!layers)
            return refused(decision,
                           fmt::format("layers per stage are mapped, auto, or 1 to {}", kMostLayersAStage));
        options.layersAStage = *layers;
    } else if (decision.field == "tiles") {
        const auto rows = tilesFromText(decision.value);
        if (!rows)
            return refused(
                decision,
                fmt::format("tiles are mapped, none, or of maps of 1 to {} rows and more", kMostTileRows));
        options.tilesFromRows = *rows;
    } else {
        return refused(
            decision,
            "of a whole network on crossbar cores only mode, strategy, stage-layers and tiles are decided");
    }
    return {};
}

Result<void> addTo(LayerWish& wish, const MatrixWork& work, const Override& decision) {
    if (decision.field == "replicas") {
        const auto count = parsePositive<int>(decision.value);
        if (!count)
            return refused(decision, "a layer has one replica or more");
        wish.replicas = *count;
    } else if (decision.field == "unfolding") {
        wish.unfolding = unfoldingNamed(decision.value);
        if (!wish.unfolding)
            return refused(decision, "no such unfolding; allowed: i,o,k2; i,ok2,1; ik,o,k; ik,ok,1; ik2,o,1");
        if (const std::string_view why = whyNotUnfolded(work, *wish.unfolding); !why.empty())
            return refused(decision, std::string(why),
                           "choose ik2,o,1; convolutions without groups take any, transposed ones ik2,o,1; "
                           "ik,o,k; i,o,k2");
    } else if (decision.field != "cores") {
        return refused(decision, "of a layer on crossbar cores replicas, unfolding and cores are decided");
    }
    return {};
}

/// Arrays that hold no weights.
class FreeArrays {
public:
    FreeArrays(const CrossbarChip& chip, const CrossbarMapping& mapping) : m_chip(chip) {
        for (const LayerMapping& layer : mapping.layers)
            for (std::size_t place = 0; place < layer.cores.size(); ++place)
                m_used[{layer.cores[place], layer.partition.arrayRows, layer.partition.arrayColumns}] +=
                    layer.partition.groups[place % layer.partition.groups.size()].crossbars;
    }
    int in(CoreId core, const LayerPartition& size) const {
        int arrays = 0;
        for (const CrossbarGroup& group : m_chip.arraysOf(core))
            if (group.rows == size.arrayRows && group.columns == size.arrayColumns)
                arrays += group.count;
        const auto used = m_used.find({core, size.arrayRows, size.arrayColumns});
        return arrays - (used == m_used.end() ? 0 : used->second);
    }
    std::int64_t inAll(const LayerPartition& size) const {
        std::int64_t sum = 0;
        for (const CoreId core : FirstIds<CoreId>(m_chip.cores()))
            sum += in(core, size);
        return sum;
    }
    /// What other layers could give up: all their replicas but one.
    static std::int64_t givenUp(const CrossbarMapping& mapping, const LayerMapping& but) {
        std::int64_t sum = 0;
        for (const LayerMapping& layer : mapping.layers)
            if (&layer != &but && layer.partition.arrayRows == but.partition.arrayRows &&
                layer.partition.arrayColumns == but.partition.arrayColumns)
                sum += std::int64_t(layer.replicas - 1) * layer.partition.crossbars();
        return sum;
    }

private:
    const CrossbarChip& m_chip;
    std::map<std::tuple<CoreId, int, int>, int> m_used; ///< By core and size.
};

} // namespace

MatrixId crossbarEntryOf(const CrossbarNetwork& network, std::string_view op) {
    for (const MatrixId entry : FirstIds<MatrixId>(std::ssize(network.matrixLayers)))
        for (const OpId id : network.layers[network.matrixLayers[entry.index()].index()].ops)
            if (network.graph->op(id).name == op)
                return entry;
    return {};
}

std::string coresText(std::vector<PinnedGroup> cores, int groups) {
    std::ranges::sort(cores);
    std::string text;
    for (const auto& [place, core] : cores)
        text +=
            fmt::format("{}{}.{}={}", text.empty() ? "" : " ", place / groups, place % groups, core.value);
    return text;
}

Result<std::vector<PinnedGroup>> coresFromText(std::string_view text, int groups) {
    std::map<int, CoreId> cores; // by LayerMapping::position()
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (word.empty())
            continue;
        const std::size_t dot = word.find('.'), equals = word.find('=');
        if (dot == std::string_view::npos || equals == std::string_view::npos || dot > equals)
            return fail(ErrorCode::IllegalOverride, fmt::format("cores: \"{}\" is not understood", word), {},
                        "write REPLICA.GROUP=CORE, as 0.2=17");
        const auto replica = parseNumber<int>(word.substr(0, dot)),
                   group = parseNumber<int>(word.substr(dot + 1, equals - dot - 1)),
                   core = parseNumber<int>(word.substr(equals + 1));
        if (!replica || !group || !core || *replica < 0 || *replica > 1'000'000 || *group < 0 ||
            *group >= groups || *core < 0)
            return fail(ErrorCode::IllegalOverride,
                        fmt::format("cores: \"{}\" names no array group; a replica has groups 0 to {}", word,
                                    groups - 1),
                        {}, "write REPLICA.GROUP=CORE, as 0.2=17");
        cores[*replica * groups + *group] = CoreId(*core);
    }
    std::vector<PinnedGroup> pins;
    for (const auto& [place, core] : cores)
        pins.push_back({place, core});
    return pins;
}

Result<std::vector<LayerWish>> crossbarWishes(const CrossbarNetwork& network, const CrossbarChip& chip,
                                              const std::vector<Override>& decisions,
                                              CrossbarOptions& options) {
    std::map<MatrixId, LayerWish> wishes;
    for (const Override& decision : decisions) {
        if (decision.op.empty()) {
            PIM_CHECK(setNetworkWide(decision, options));
            continue;
        }
        const MatrixId entry = crossbarEntryOf(network, decision.op);
        if (!entry.valid())
            return refused(decision, "no crossbars hold weights of this op",
                           "remove this decision, or decide about a convolution or a matrix product");
        const CrossbarLayer& layer = network.layers[network.matrixLayers[entry.index()].index()];
        LayerWish& wish = wishes[entry];
        wish.layer = layer.name;
        PIM_CHECK(addTo(wish, *layer.matrix(), decision));
    }
    MappingOptions asked{.mode = options.mode};
    std::map<std::string, std::size_t> places;
    for (auto& [entry, wish] : wishes) {
        places[wish.layer] = asked.wishes.size();
        asked.wishes.push_back(std::move(wish));
    }
    // Array groups are known once their layer is cut as wished.
    std::vector<LayerPartition> partitions;
    for (const Override& decision : decisions) {
        if (decision.op.empty() || decision.field != "cores")
            continue;
        if (partitions.empty()) {
            PIM_TRY(partitions, partitionNetwork(network, chip, asked));
        }
        const auto& partition = partitions[crossbarEntryOf(network, decision.op).index()];
        LayerWish& wish = asked.wishes[places.at(network.layers[partition.layer.index()].name)];
        PIM_TRY(wish.cores, coresFromText(decision.value, int(partition.groups.size())));
    }
    return std::move(asked.wishes);
}

Result<void> checkCrossbarDecision(const CrossbarNetwork& network, const CrossbarChip& chip,
                                   const CrossbarMapping& mapping, const Override& decision) {
    CrossbarOptions options{.mode = mapping.mode};
    PIM_TRY(const auto wishes, crossbarWishes(network, chip, {decision}, options));
    if (wishes.empty())
        return {};
    const LayerMapping& layer = mapping.at(crossbarEntryOf(network, decision.op));
    const LayerWish& wish = wishes.front();
    const std::int64_t windows = network.windows(layer.partition.layer);
    if (wish.replicas && *wish.replicas > windows)
        return refused(
            decision,
            fmt::format("the layer has {} windows, so no more than as many replicas have work", windows));
    const FreeArrays free(chip, mapping);
    if (wish.replicas && *wish.replicas > layer.replicas) {
        const std::int64_t needed =
            std::int64_t(*wish.replicas - layer.replicas) * layer.partition.crossbars();
        const std::int64_t room = free.inAll(layer.partition) + free.givenUp(mapping, layer);
        if (needed > room)
            return refused(decision,
                           fmt::format("{} more arrays of {} x {} are needed, {} can be had", needed,
                                       layer.partition.arrayRows, layer.partition.arrayColumns, room),
                           "ask for fewer replicas");
    }
    // Groups come and go at once: what leaves a core makes room for what comes.
    std::map<CoreId, int> change;
    for (const auto& [place, core] : wish.cores) {
        if (core.value >= chip.cores())
            return refused(decision, fmt::format("there is no core {}; cores are 0 to {}", core.value,
                                                 chip.cores() - 1));
        const int arrays = layer.partition.groups[std::size_t(place % layer.groups())].crossbars;
        if (std::size_t(place) >= layer.cores.size())
            return refused(decision, fmt::format("there is no replica {}; replicas are 0 to {}",
                                                 place / layer.groups(), layer.replicas - 1));
        change[layer.cores[std::size_t(place)]] -= arrays;
        change[core] += arrays;
    }
    for (const auto& [core, more] : change)
        if (const int room = free.in(core, layer.partition); more > room)
            return refused(decision,
                           fmt::format("core {} has {} free arrays of {} x {}, {} are needed", core.value,
                                       room, layer.partition.arrayRows, layer.partition.arrayColumns, more),
                           "choose a core with more room, or move something out of it first");
    return {};
}

} // namespace pim
