// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/plan/shared_steps.h"

namespace pim {
namespace {

/// Converters change what products give, not how long they take: numeric/ alone reads their bits.
CrossbarChip timedChip(const CrossbarPlan& plan) {
    CrossbarChip chip = plan.chip;
    chip.name.clear();
    chip.adcBits = chip.dacBits = 0;
    return chip;
}

/// Do times decide about its program beyond how products fill a round? Transfers of the low-latency pipeline come when clocks say so,
/// by the rules of PIMCOMP-NN likewise; layers share a stage where they are in time.
bool isProgramTimed(const CrossbarPlan& plan) {
    const int layersAStage = plan.options.layersAStage == kMappedStages ? plan.mapping.stages.layersAStage
                                                                        : plan.options.layersAStage;
    return plan.mapping.mode == CrossbarMode::LowLatency ||
           plan.options.referee != CrossbarReferee::Profiler || layersAStage != 1;
}

/// What a program depends on: shapes, memories and, for the length of a round, products and global memory. [RowEngine::roundBoundNs(),
/// ProductRings]
CrossbarChip programmedChip(const CrossbarPlan& plan) {
    CrossbarChip chip = timedChip(plan);
    chip.energy = {};
    if (isProgramTimed(plan))
        return chip;
    chip.offChipBytesPerNs = chip.connectionBytesPerNs = chip.hopNs = chip.localBytesPerNs = 0;
    chip.vectorUnits = 1;
    chip.vectorBytes = chip.vectorNs = 0;
    chip.inOrder = true;
    return chip;
}

/// Networks are made of a graph, which both plans keep alive, for what vector units of the chip can do.
bool haveSameGraph(const CrossbarPlan& other, const CrossbarPlan& plan) {
    return other.network->graph == plan.network->graph;
}

} // namespace

bool shareMapping(const CrossbarPlan& other, const CrossbarPlan& plan) {
    // With stages or tiles of the user's it may come of a search for others: what is there would depend on what was asked before.
    const bool searched =
        plan.options.layersAStage == kMappedStages && plan.options.tilesFromRows == kMappedTiles;
    return searched && haveSameGraph(other, plan) && other.options == plan.options &&
           other.seed == plan.seed && timedChip(other) == timedChip(plan);
}

bool shareProgram(const CrossbarPlan& other, const CrossbarPlan& plan) {
    const CrossbarMapping &a = other.mapping, &b = plan.mapping;
    return haveSameGraph(other, plan) && other.options.referee == plan.options.referee &&
           other.options.layersAStage == plan.options.layersAStage && a.mode == b.mode &&
           a.stages == b.stages && a.tiles == b.tiles && programmedChip(other) == programmedChip(plan) &&
           a.layers == b.layers;
}

bool shareProfile(const CrossbarPlan& other, const CrossbarPlan& plan) {
    return other.schedule == plan.schedule && timedChip(other) == timedChip(plan);
}

} // namespace pim
