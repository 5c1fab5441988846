// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/host_run.h"
#include "backends/upmem/lut/lut_program.h"

#include <algorithm>
#include <random>

namespace pim::upmem {
namespace {

/// One DPU with so many rows and features.
Result<double> cyclesOf(LutLayer layer, LutMapping mapping, const LutSplit& part, const TaskContext& task) {
    layer.rows = mapping.split.rows = part.rows;
    layer.features = mapping.split.features = part.features;
    layer.dpus = 1;
    PIM_TRY(const LutProgram made, lutProgram(layer, mapping));
    std::mt19937_64 random(1);
    std::vector<std::uint16_t> indices(static_cast<std::size_t>(layer.rows * layer.codebooks));
    for (std::uint16_t& index : indices)
        index = std::uint16_t(random() % std::uint64_t(layer.centroids));
    const std::vector<std::int8_t> table(
        static_cast<std::size_t>(layer.codebooks * layer.centroids * layer.features), 1);
    PIM_TRY(const HostData inputs, lutInputs(layer, mapping, indices, table));
    PIM_TRY(const HostRun run, runOnEngine({made.host, *made.code, made.sizes, made.tasklets}, inputs,
                                           dpuTiming(DpuPreset::Hardware), task));
    return double(run.cycles);
}

} // namespace

/// Tiles of rows and of features are alike, so cycles are a + b n + c f + d n f in their numbers; a static load keeps its table whole.
Result<LutSimulation> simulateLut(const LutLayer& layer, const LutMapping& mapping, const TaskContext& task) {
    const LutSplit& split = mapping.split;
    PIM_TRY(const LutProgram checked, lutProgram(layer, mapping));
    const std::int64_t rowTiles = split.rows / mapping.kernel.rows,
                       featureTiles = split.features / mapping.kernel.features;
    const auto part = [&](std::int64_t rows, std::int64_t features) {
        return cyclesOf(layer, mapping, {rows * mapping.kernel.rows, features * mapping.kernel.features},
                        task);
    };
    if (rowTiles <= 2 && featureTiles <= 2) {
        PIM_TRY(const double cycles, part(rowTiles, featureTiles));
        return LutSimulation{cycles, true};
    }
    // Where there is one tile alone, a second might not fit, and none is counted on.
    const std::int64_t n = std::min<std::int64_t>(rowTiles, 2), f = std::min<std::int64_t>(featureTiles, 2);
    PIM_TRY(const double one, part(1, 1));
    PIM_TRY(const double rows, part(n, 1));
    PIM_TRY(const double features, part(1, f));
    PIM_TRY(const double both, part(n, f));
    const auto moreRows = double(rowTiles - 1), moreFeatures = double(featureTiles - 1);
    return LutSimulation{one + (rows - one) * moreRows + (features - one) * moreFeatures +
                             (both - rows - features + one) * moreRows * moreFeatures,
                         false};
}

} // namespace pim::upmem
