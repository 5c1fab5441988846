// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the networks of the CMSwitch evaluation (§5) cost from end to end, by its formulas. Flow: shapes -> workload of a layer ->
/// [costOf] -> cycles of all layers, beside those of the chip with all arrays computing.
#include "backends/dual_mode/planner.h"
#include "backends/dual_mode/transformer_layers.h"

namespace pim {

/// Cycles of the strategy asked for and of the all-compute chip, each with its best cap.
struct DualModeCost {
    double cycles = 0, allCompute = 0;
    double memoryTime = 0; ///< Arrays x cycles in memory mode.
    double time = 0;       ///< Arrays x cycles.
    double switching = 0;  ///< Of the cycles.

    double speedup() const { return allCompute / cycles; }
    double memoryShare() const { return memoryTime / time; }
    void add(const DualModeCost& other, double times);
};

/// Errors of planDualMode().
Result<DualModeCost> costOf(const DualModeWorkload& workload, const DualModeChip& chip,
                            const DualModeOptions& options);

/// How the layers of a transformer add up.
enum class LayerBorders {
    Alone, ///< One layer by itself, as many times as there are layers: what the reference results do.
    Joined ///< The first layer, and the others with their border to the one before; segments may reach across.
};
Result<DualModeCost> costOfLayers(const DualModeTransformer& shape, std::int64_t batch, std::int64_t tokens,
                                  std::int64_t keys, const DualModeChip& chip, const DualModeOptions& options,
                                  LayerBorders how = LayerBorders::Alone);

/// A prompt of \p in tokens, then \p out steps. The cost of a step grows evenly with the keys: those at a quarter and three quarters
/// stand for all.
Result<DualModeCost> costOfGeneration(const DualModeTransformer& shape, std::int64_t batch, std::int64_t in,
                                      std::int64_t out, const DualModeChip& chip,
                                      const DualModeOptions& options, LayerBorders how = LayerBorders::Alone);

/// A convolutional network at another batch: more rows, the same weights.
DualModeWorkload withBatch(DualModeWorkload workload, std::int64_t batch);

} // namespace pim
