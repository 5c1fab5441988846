// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The networks of the CMSwitch evaluation at any batch, and what they cost from end to end.
#include "backends/dual_mode/planner.h"
#include "tests/backends_dual_mode/golden.h"
#include "tests/backends_dual_mode/transformer_layers.h"

namespace pim::test {

/// Cycles of the strategy asked for and of the all-compute chip, each with its best cap.
struct PaperCost {
    double cycles = 0, allCompute = 0;
    double memoryTime = 0; ///< Arrays x cycles in memory mode.
    double time = 0;       ///< Arrays x cycles.

    double speedup() const { return allCompute / cycles; }
    double memoryShare() const { return memoryTime / time; }
    void add(const PaperCost& other, double times) {
        cycles += times * other.cycles;
        allCompute += times * other.allCompute;
        memoryTime += times * other.memoryTime;
        time += times * other.time;
    }
};

inline PaperCost costOf(const DualModeWorkload& workload, const DualModeChip& chip,
                        const DualModeOptions& options) {
    const auto plan = planDualMode(workload, chip, options);
    if (!plan)
        throw std::runtime_error(plan.error().text());
    PaperCost cost;
    cost.cycles = (*plan)->segmentation.cycles;
    cost.allCompute = (*plan)->speedup() * cost.cycles;
    cost.time = cost.cycles * chip.arrays;
    cost.memoryTime = (*plan)->memoryShare() * cost.time;
    return cost;
}

/// How the layers of a transformer add up.
enum class Layers {
    Alone, ///< One layer by itself, as many times as there are layers: what the reference results do.
    Joined ///< The first layer, and the others with their border to the one before; segments may reach
           ///< across.
};

inline PaperCost costOfLayers(const TransformerShape& shape, std::int64_t batch, std::int64_t tokens,
                              std::int64_t keys, const DualModeChip& chip, const DualModeOptions& options,
                              Layers how = Layers::Alone) {
    const PaperCost one = costOf(transformerLayers(shape, batch, tokens, keys, 1), chip, options);
    PaperCost all;
    all.add(one, how == Layers::Alone ? shape.layers : 2 - shape.layers);
    if (how == Layers::Joined)
        all.add(costOf(transformerLayers(shape, batch, tokens, keys, 2), chip, options), shape.layers - 1);
    return all;
}

/// A prompt of \p in tokens, then \p out steps. The cost of a step grows evenly with the keys: those at a
/// quarter and three quarters stand for all.
inline PaperCost costOfGeneration(const TransformerShape& shape, std::int64_t batch, std::int64_t in,
                                  std::int64_t out, const DualModeChip& chip, const DualModeOptions& options,
                                  Layers how = Layers::Alone) {
    PaperCost all = costOfLayers(shape, batch, in, in, chip, options, how);
    const auto half = static_cast<double>(out) / 2;
    all.add(costOfLayers(shape, batch, 1, in + out / 4, chip, options, how), half);
    all.add(costOfLayers(shape, batch, 1, in + 3 * out / 4, chip, options, how), half);
    return all;
}

/// A convolutional network of the reference at another batch: more rows, the same weights.
inline DualModeWorkload withBatch(DualModeWorkload workload, std::int64_t batch) {
    for (DualModeOp& op : workload.ops) {
        op.m *= batch;
        op.inBytes *= batch;
        op.outBytes *= batch;
    }
    return workload;
}

} // namespace pim::test
