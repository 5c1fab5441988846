// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles that look up: the mapping of PIM-DL that is best within a DPU, and how long it takes.
#include "backends/upmem/lut/split_search.h"
#include "backends/upmem/tile_blocks.h"
#include "backends/upmem/tile_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>

namespace pim::upmem {
namespace {

struct Found {
    LutTile tile;
    double seconds = 0; ///< Of the kernel, by PIM-DL's cost model.
};

/// Within one DPU, all of whose rows and features are whole tiles.
Result<Found> mapped(LutLayer layer) {
    const LutSplit split{layer.rows, layer.features};
    PIM_CHECK(checkLayer(layer));
    if (const auto refusal = refusalOf(layer, split))
        return impossible(text(*refusal, layer, {split, {}}));
    const detail::LutSpace space(layer, LutReading::Strict);
    detail::SplitSearch search(space, split);
    search.search();
    const auto winner = search.winner();
    if (!winner)
        return impossible(detail::whyNoKernel(
            space, split, {{}, {}, layer.tasklets, layer.features, layer.codebooks, 0, 0}));
    Found found{{std::move(layer), {split, winner->kernel}}, winner->times.kernel()};
    PIM_CHECK(checkLutCode(found.tile.layer, found.tile.mapping));
    return found;
}

using Form = TileShape::Form;

} // namespace

/// Pieces of tasklets are whole multiples of 8 bytes, which odd numbers of rows seldom allow: a few more rows can take less time.
Result<Tile> Tile::bestLookUps(const TileShape& shape) {
    constexpr std::int64_t kSteps[]{1, 4, 8};
    const std::int64_t tasklets = shape.vectorTasklets, each = (shape.vectors + tasklets - 1) / tasklets;
    std::set<std::int64_t> rows;
    for (const std::int64_t step : kSteps)
        rows.insert(roundUp(each, step) * tasklets);
    std::optional<Found> best;
    std::optional<Error> why;
    for (const std::int64_t padded : rows) {
        auto found = mapped({padded, shape.length, shape.centroids, roundUp(shape.outputs, 8), 1, tasklets});
        if (!found)
            why = found.error();
        else if (!best || found->seconds < best->seconds)
            best = std::move(*found);
    }
    if (!best)
        return tl::unexpected<Error>(*why);
    return ofLookUps(shape, std::move(best->tile));
}

Result<Tile> Tile::withLookUps(const TileShape& shape, const LutChoice& choice) {
    const LutSplit& split = choice.mapping.split;
    if (shape.vectors != split.rows || shape.outputs != split.features ||
        shape.vectorTasklets != choice.tasklets)
        return impossible(fmt::format(
            "its mapping is for {} x {} a DPU and {} tasklets, the draft has {} x {} and {}", split.rows,
            split.features, choice.tasklets, shape.vectors, shape.outputs, shape.vectorTasklets));
    LutTile tile{{split.rows, shape.length, shape.centroids, split.features, 1, choice.tasklets},
                 choice.mapping};
    PIM_CHECK(checkLutCode(tile.layer, tile.mapping));
    return ofLookUps(shape, std::move(tile));
}

Result<Tile> Tile::ofLookUps(const TileShape& shape, LutTile lookUps) {
    Tile tile;
    tile.m_shape = shape;
    tile.m_lookUps = std::move(lookUps);
    TileStructure structure{.form = Form::LookUp};
    structure.lookUps = lutStructure(tile.m_lookUps->mapping);
    tile.m_kernel = tileKernel(structure);
    tile.setSizes();
    PIM_CHECK(tile.code().checkSizes(tile.sizes(), shape.vectorTasklets));
    return tile;
}

Tile Tile::partOfLookUps(std::int64_t rowTiles, std::int64_t featureTiles) const {
    Tile part = *this;
    auto& [layer, mapping] = *part.m_lookUps;
    layer.rows = mapping.split.rows = std::min(rowTiles * mapping.kernel.rows, mapping.split.rows);
    layer.features = mapping.split.features =
        std::min(featureTiles * mapping.kernel.features, mapping.split.features);
    part.m_shape.vectors = std::min(m_shape.vectors, layer.rows);
    part.m_shape.outputs = std::min(m_shape.outputs, layer.features);
    part.setSizes();
    return part;
}

/// Tiles of rows and of features are alike, so cycles are a + b n + c f + d n f in their numbers.
Result<double> Tile::simulatedLookUps(const DpuTiming& timing, const TaskContext& task) const {
    const LutMapping& mapping = m_lookUps->mapping;
    const std::int64_t rowTiles = mapping.split.rows / mapping.kernel.rows,
                       featureTiles = mapping.split.features / mapping.kernel.features;
    const auto run = [&](std::int64_t n, std::int64_t f) -> Result<double> {
        const Tile part = partOfLookUps(n, f);
        PIM_TRY(const TaskletProgram made, part.program());
        Dpu dpu(timing);
        sampleIndices(part, dpu.mram());
        PIM_TRY(const DpuRun done, dpu.run(made.program, m_shape.tasklets(), {}, task));
        return double(done.cycles);
    };
    if (rowTiles <= 2 && featureTiles <= 2)
        return run(rowTiles, featureTiles);
    const std::int64_t n = std::min<std::int64_t>(rowTiles, 2), f = std::min<std::int64_t>(featureTiles, 2);
    PIM_TRY(const double one, run(1, 1));
    PIM_TRY(const double rows, n == 1 ? Result<double>(one) : run(n, 1));
    PIM_TRY(const double features, f == 1 ? Result<double>(one) : run(1, f));
    PIM_TRY(const double both, n == 1 ? Result<double>(features) : f == 1 ? Result<double>(rows) : run(n, f));
    const auto moreRows = double(rowTiles - 1), moreFeatures = double(featureTiles - 1);
    return one + (rows - one) * moreRows + (features - one) * moreFeatures +
           (both - rows - features + one) * moreRows * moreFeatures;
}

void sampleIndices(const Tile& tile, std::span<std::uint8_t> mram) {
    if (!tile.lookUps())
        return;
    const auto& [layer, mapping] = *tile.lookUps();
    std::minstd_rand random(1);
    std::uint8_t* to = mram.data();
    for (std::int64_t c = 0; c < layer.codebooks; c += mapping.kernel.codebooks)
        for (std::int64_t row = 0; row < layer.rows; ++row)
            for (std::int64_t i = c; i < c + mapping.kernel.codebooks; ++i, to += kLutIndexBytes) {
                const std::uint16_t place =
                    lutPlace(layer, mapping, i, std::int64_t(random() >> 8) % layer.centroids);
                std::memcpy(to, &place, sizeof place);
            }
}

} // namespace pim::upmem
