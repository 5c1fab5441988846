// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/lut/tuner.h"

#include "backends/upmem/lut/split_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim::upmem {
namespace {

using detail::BestKernel;
using detail::LutSpace;
using detail::SplitSearch;

/// Totals that close are compared by the cost model.
constexpr double kTie = 1e-12;

std::string whyNoSplit(const LutLayer& layer) {
    return fmt::format(
        "{} DPUs do not divide the layer: no a with N = {} divisible by a and F = {} by {} / a; "
        "give a number of DPUs with such a divisor",
        layer.dpus, layer.rows, layer.features, layer.dpus);
}

/// Why none of the splits in \p searches has a kernel, with the mapping that breaks the last rule.
std::string whyNothing(const LutSpace& space, const std::vector<SplitSearch>& searches,
                       const std::vector<LutSplit>& splits) {
    const LutLayer& layer = space.layer;
    if (searches.empty()) {
        const LutSplit least = *std::ranges::min_element(
            splits, {}, [&](const LutSplit& split) { return mramBytes(layer, split); });
        return fmt::format(
            "no split over {} DPUs fits: the smallest, {} x {}, needs {} B of MRAM, which has {} B",
            layer.dpus, least.rows, least.features, mramBytes(layer, least), kLutMramBytes);
    }
    if (std::ranges::none_of(
            searches, [&](const SplitSearch& search) { return search.split().rows % layer.tasklets == 0; }))
        return fmt::format(
            "no split gives a DPU a number of rows that {} tasklets can share evenly: N = {} over "
            "a divisor of {}",
            layer.tasklets, layer.rows, layer.dpus);
    std::int64_t tiles = 0;
    std::optional<detail::NearMiss> closest;
    for (const SplitSearch& search : searches)
        search.forEachTile([&](const LutKernel& tile) {
            ++tiles;
            const auto miss = detail::nearestMiss(space, search.split(), tile);
            if (miss && (!closest || miss->isCloserThan(*closest)))
                closest = miss;
        });
    const LutKernel& tile = closest->mapping.kernel;
    return fmt::format("none of {} micro-kernels of {} splits is possible; closest is {} x {} in tiles of {} "
                       "x {} x {}, {}: {}",
                       tiles, searches.size(), closest->mapping.split.rows, closest->mapping.split.features,
                       tile.rows, tile.features, tile.codebooks, name(tile.load),
                       text(closest->refusal, layer, closest->mapping));
}

std::optional<std::size_t> firstBest(std::vector<std::optional<BestKernel>>& winners) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < winners.size(); ++i)
        if (winners[i] && (!best || winners[i]->times.total() < winners[*best]->times.total()))
            best = i;
    return best;
}

/// One for each split, empty where it cannot be the best.
std::vector<std::optional<BestKernel>> searched(std::vector<SplitSearch>& searches, int& visited) {
    std::vector<std::size_t> order(searches.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return searches[i].bound(); });

    double best = std::numeric_limits<double>::infinity();
    std::vector<double> totals(searches.size(), best);
    for (const std::size_t i : order) {
        if (searches[i].bound() > best)
            break;
        totals[i] = searches[i].transfers().transfers() + searches[i].search();
        best = std::min(best, totals[i]);
        ++visited;
    }
    std::vector<std::optional<BestKernel>> winners(searches.size());
    for (std::size_t i = 0; i < searches.size(); ++i)
        if (totals[i] < std::numeric_limits<double>::infinity() && totals[i] <= best * (1 + kTie))
            winners[i] = searches[i].winner();
    return winners;
}

std::vector<SplitSearch> searchesOf(const LutSpace& space, const std::vector<LutSplit>& splits) {
    std::vector<SplitSearch> searches;
    searches.reserve(splits.size());
    for (const LutSplit& split : splits)
        if (mramBytes(space.layer, split) <= kLutMramBytes)
            searches.emplace_back(space, split);
    return searches;
}

} // namespace

std::vector<LutSplit> lutSplits(const LutLayer& layer) {
    std::vector<LutSplit> splits;
    for (const std::int64_t parts : detail::divisors(layer.dpus))
        if (layer.rows % parts == 0 && layer.features % (layer.dpus / parts) == 0)
            splits.push_back({layer.rows / parts, layer.features / (layer.dpus / parts)});
    return splits;
}

Result<LutTuning> tune(const LutLayer& layer, LutReading reading) {
    PIM_CHECK(checkLayer(layer));
    LutTuning tuning;
    const std::vector<LutSplit> splits = lutSplits(layer);
    tuning.splits = static_cast<int>(splits.size());
    if (splits.empty()) {
        tuning.reason = whyNoSplit(layer);
        return tuning;
    }
    const LutSpace space(layer, reading);
    std::vector<SplitSearch> searches = searchesOf(space, splits);
    std::vector<std::optional<BestKernel>> winners;
    if (reading == LutReading::Released) {
        for (const SplitSearch& search : searches)
            winners.push_back(search.winnerOfAll());
        tuning.splitsVisited = static_cast<int>(searches.size());
    } else {
        winners = searched(searches, tuning.splitsVisited);
    }
    if (const auto best = firstBest(winners)) {
        tuning.mapping = LutMapping{searches[*best].split(), winners[*best]->kernel};
        tuning.times = winners[*best]->times;
    } else {
        tuning.reason = whyNothing(space, searches, splits);
    }
    return tuning;
}

Result<std::vector<LutSplitPoints>> landscape(const LutLayer& layer, LutReading reading) {
    PIM_CHECK(checkLayer(layer));
    const LutSpace space(layer, reading);
    std::vector<LutSplitPoints> all;
    for (const LutSplit& split : lutSplits(layer)) {
        LutSplitPoints& here = all.emplace_back();
        here.split = split;
        if (const auto refusal = refusalOf(layer, split)) {
            here.reason = text(*refusal, layer, {split, {}});
            continue;
        }
        const SplitSearch search(space, split);
        search.forEachTile([&](const LutKernel& tile) {
            LutPoint point{tile.rows, tile.features, tile.codebooks, {}, {}, {}};
            if (const auto best = bestKernel(space, split, search.transfers(), tile)) {
                point.best = best->kernel;
                point.times = best->times;
                if (here.best < 0 ||
                    point.times.kernel() < here.points[static_cast<std::size_t>(here.best)].times.kernel())
                    here.best = std::ssize(here.points);
            } else {
                point.reason = whyNoKernel(space, split, tile);
            }
            here.points.push_back(std::move(point));
        });
        if (here.points.empty())
            here.reason =
                fmt::format("{} rows cannot be dealt out evenly to {} tasklets", split.rows, layer.tasklets);
    }
    return all;
}

} // namespace pim::upmem
