// SPDX-License-Identifier: GPL-3.0-or-later
// What the user may decide about layers on crossbar cores, and what is refused.
#include "backends/crossbar/decide.h"
#include "backends/crossbar/crossbar.h"

#include "backends/crossbar/option_text.h"
#include "backends/crossbar/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

namespace pim {
namespace {

/// Numbers of replicas worth offering: one, powers of two, what there is, the most.
std::vector<int> replicaChoices(int current, std::int64_t windows) {
    std::vector<int> counts{1, current};
    for (int count = 2; count <= windows && count <= 64; count *= 2)
        counts.push_back(count);
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

/// What the mapping says, one, a few, as many as cost little, and what there is.
std::vector<std::string> layersAStageChoices(int current) {
    std::vector<std::string> choices{"mapped", "1", "2", "3", "4", "8", "auto"};
    const std::string chosen = layersAStageText(current);
    if (std::ranges::find(choices, chosen) == choices.end())
        choices.insert(choices.end() - 1, chosen);
    return choices;
}

/// What the mapping says, none, the largest heights of maps there are, and what is chosen.
std::vector<std::string> tilesChoices(const CrossbarNetwork& network, int current) {
    constexpr std::size_t kMostHeights = 6;
    std::set<int, std::greater<>> heights;
    for (const LayerId layer : network.matrixLayers)
        heights.insert(network.layers[layer.index()].out.height);
    std::vector<std::string> choices{"mapped", "none"};
    for (const int height : heights)
        if (height > 1 && choices.size() < kMostHeights + 2)
            choices.push_back(tilesText(height));
    if (std::ranges::find(choices, tilesText(current)) == choices.end())
        choices.push_back(tilesText(current));
    return choices;
}

} // namespace

Result<std::vector<Override>> crossbarDecisions(const Graph& graph, const Overrides& overrides) {
    std::set<std::string_view> names;
    for (const Op& op : graph.ops)
        names.insert(op.name);
    std::vector<Override> decisions;
    for (const Override& decision : overrides.all()) {
        const std::string where =
            fmt::format("{}/{}", decision.op.empty() ? "network" : decision.op, decision.field);
        if (!decision.op.empty() && !names.contains(decision.op))
            return fail(ErrorCode::IllegalOverride, fmt::format("the model has no op \"{}\"", decision.op),
                        where, "remove this decision, or take the name from `pimc inspect`");
        if (decision.field == "placement")
            return fail(ErrorCode::IllegalOverride,
                        "crossbar chips run the whole network by themselves; only ops no core has a unit for "
                        "go to the host",
                        where, "remove this decision, or choose a DRAM-PIM target");
        decisions.push_back(decision);
    }
    return decisions;
}

std::vector<OverrideField> CrossbarBackend::overrideFields(const Plan& plan, OpId op) const {
    const CrossbarPlan* crossbar = crossbarPlan(plan);
    if (!crossbar || (op.valid() && op.index() >= plan.ops.size()))
        return {};
    const auto judged = [&](const std::string& name, OverrideField field,
                            const std::vector<std::string>& values) {
        field.overridden = plan.overrides.find(name, field.field) != nullptr;
        for (const std::string& value : values) {
            const auto legal =
                value == field.current ? Result<void>() : checkOverride(plan, {name, field.field, value});
            field.values.push_back({value, legal.has_value(), legal ? std::string() : legal.error().message});
        }
        return field;
    };
    if (!op.valid()) {
        std::vector<OverrideField> fields{
            judged({}, {"mode", "Pipeline", std::string(name(crossbar->options.mode)), false, {}},
                   {"ht", "ll"}),
            judged({}, {"strategy", "Strategy", crossbar->options.strategy, false, {}}, mappingStrategies())};
        if (crossbar->options.mode == CrossbarMode::HighThroughput) {
            const int chosen = crossbar->options.layersAStage;
            fields.push_back(judged({},
                                    {"stage-layers", "Layers per stage", layersAStageText(chosen), false, {}},
                                    layersAStageChoices(chosen)));
            fields.back().values.front().reason =
                fmt::format("{} by the mapping; a search decides it by timing programs",
                            crossbar->mapping.stages.layersAStage);
        }
        if (crossbar->options.mode == CrossbarMode::LowLatency) {
            const int chosen = crossbar->options.tilesFromRows;
            fields.push_back(judged({}, {"tiles", "Tiles from rows", tilesText(chosen), false, {}},
                                    tilesChoices(*crossbar->network, chosen)));
            if (chosen == kMappedTiles)
                fields.back().values.front().reason =
                    fmt::format("{} by the mapping", tilesText(crossbar->mapping.tiles.fromRows));
        }
        return fields;
    }
    const std::string& opName = plan.graph->op(op).name;
    const MatrixId entry = crossbarEntryOf(*crossbar->network, opName);
    if (!entry.valid())
        return {};
    const LayerMapping& layer = crossbar->mapping.at(entry);
    std::vector<std::string> replicas, unfoldings;
    for (const int count : replicaChoices(layer.replicas, crossbar->network->windows(layer.partition.layer)))
        replicas.push_back(std::to_string(count));
    for (int i = 0; i <= int(Unfolding::WholeWindow); ++i)
        unfoldings.emplace_back(name(Unfolding(i)));
    const std::string* pins = plan.overrides.find(opName, "cores");
    return {judged(opName, {"replicas", "Replicas", std::to_string(layer.replicas), false, {}}, replicas),
            judged(opName,
                   {"unfolding", "Unfolding", std::string(name(layer.partition.unfolding)), false, {}},
                   unfoldings),
            judged(opName, {"cores", "Pinned cores", pins ? *pins : std::string(), false, {}}, {})};
}

Result<void> CrossbarBackend::checkOverride(const Plan& plan, const Override& decision) const {
    const CrossbarPlan* crossbar = crossbarPlan(plan);
    if (!crossbar)
        return fail(ErrorCode::IllegalOverride, "the plan is not of crossbar cores", decision.op);
    Overrides one;
    one.set(decision);
    PIM_TRY(const auto decisions, crossbarDecisions(*plan.graph, one));
    return checkCrossbarDecision(*crossbar->network, crossbar->chip, crossbar->mapping, decisions.front());
}

} // namespace pim
