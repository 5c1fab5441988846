// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/paper_networks.h"

namespace pim {

void DualModeCost::add(const DualModeCost& other, double times) {
    cycles += times * other.cycles;
    allCompute += times * other.allCompute;
    memoryTime += times * other.memoryTime;
    time += times * other.time;
    switching += times * other.switching;
}

Result<DualModeCost> costOf(const DualModeWorkload& workload, const DualModeChip& chip,
                            const DualModeOptions& options) {
    PIM_TRY(const auto plan, planDualMode(workload, chip, options));
    DualModeCost cost;
    cost.cycles = plan->segmentation.cycles;
    cost.allCompute = plan->speedup() * cost.cycles;
    cost.time = cost.cycles * chip.arrays;
    cost.memoryTime = plan->memoryShare() * cost.time;
    for (const DualModeSegment& segment : plan->segmentation.segments)
        cost.switching += segment.switching;
    return cost;
}

Result<DualModeCost> costOfLayers(const DualModeTransformer& shape, std::int64_t batch, std::int64_t tokens,
                                  std::int64_t keys, const DualModeChip& chip, const DualModeOptions& options,
                                  LayerBorders how) {
    PIM_TRY(const DualModeCost one, costOf(transformerLayers(shape, batch, tokens, keys, 1), chip, options));
    DualModeCost all;
    all.add(one, how == LayerBorders::Alone ? shape.layers : 2 - shape.layers);
    if (how == LayerBorders::Joined) {
        PIM_TRY(const DualModeCost two,
                costOf(transformerLayers(shape, batch, tokens, keys, 2), chip, options));
        all.add(two, shape.layers - 1);
    }
    return all;
}

Result<DualModeCost> costOfGeneration(const DualModeTransformer& shape, std::int64_t batch, std::int64_t in,
                                      std::int64_t out, const DualModeChip& chip,
                                      const DualModeOptions& options, LayerBorders how) {
    PIM_TRY(DualModeCost all, costOfLayers(shape, batch, in, in, chip, options, how));
    const auto half = static_cast<double>(out) / 2;
    for (const std::int64_t quarter : {1, 3}) {
        PIM_TRY(const DualModeCost step,
                costOfLayers(shape, batch, 1, in + quarter * out / 4, chip, options, how));
        all.add(step, half);
    }
    return all;
}

DualModeWorkload withBatch(DualModeWorkload workload, std::int64_t batch) {
    for (DualModeOp& op : workload.ops) {
        op.m *= batch;
        op.inBytes *= batch;
        op.outBytes *= batch;
    }
    return workload;
}

} // namespace pim
