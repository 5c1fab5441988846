// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/map_cuts.h"
#include "backends/crossbar/schedule/schedule.h"
#include "backends/crossbar/search/strategies.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

namespace pim {
namespace {

constexpr int kLeastRows = 13; // maps of fewer are smaller than the cores are many: tiles of a pixel or none
constexpr int kMostHeights = 3, kMostHeightsOfSearch = 4;
constexpr std::size_t kOfEachHeightOfSearch = 3;
constexpr double kParts[] = {0.25, 0.5, 0.75, 1}; // of the arrays of a core, for the layers in tiles

/// How the layers of the largest maps are laid out: one after the other in the same cores, each of which has
/// the same part of all maps and so reads little of others.
class TilePlan {
public:
    /// \param rows that the maps of these layers have at least.
    TilePlan(const CrossbarLayoutModel& model, int rows, int cores)
        : m_model(model), m_chip(*model.chip), m_rows(rows), m_cores(cores),
          m_replicas(model.layers.size(), 1) {
        for (const MatrixId entry : model.allEntries())
            if (map(entry).height >= rows)
                m_entries.push_back(entry);
    }

    /// Whether the user has not decided about these layers, and each fits into a core.
    bool isFree() const {
        return std::ranges::all_of(m_entries, [&](MatrixId entry) {
            return m_model.pinned[entry.index()].empty() && m_model.wantedReplicas[entry.index()] == 0 &&
                   at(entry).crossbars <=
                       *std::ranges::min_element(m_model.capacity[std::size_t(at(entry).arrayKind)]);
        });
    }

    /// Replicas for those that shorten the sum most for their arrays, up to \p part of the arrays, with
    /// enough left for the others.
    void grow(double part) {
        std::int64_t all = 0, others = 0;
        for (const auto& kind : m_model.capacity)
            all += std::accumulate(kind.begin(), kind.end(), std::int64_t(0));
        for (const MatrixId entry : m_model.allEntries())
            if (map(entry).height < m_rows)
                others += m_model.layers[entry.index()].crossbars;
        const std::int64_t most = std::int64_t(part * double(all) / m_model.cores()) * m_cores;
        for (std::int64_t left = std::min(most, all - others) - arrays(); left > 0;) {
            MatrixId best;
            int bestReplicas = 0;
            double bestSaved = 0;
            for (const MatrixId entry : m_entries) {
                // as many more as make a difference
                const int replicas = m_replicas[entry.index()], windows = int(windowsOf(entry)),
                          turns = (windows + replicas - 1) / replicas;
                if (turns < 2)
                    continue;
                const int more = (windows + turns - 2) / (turns - 1),
                          arrays = (more - replicas) * at(entry).crossbars * m_cores;
                const double saved = (productsNs(entry, replicas) - productsNs(entry, more)) / arrays;
                if (arrays <= left && saved > bestSaved) {
                    bestSaved = saved;
                    best = entry;
                    bestReplicas = more;
                }
            }
            if (!best.valid())
                return;
            left -= std::int64_t(bestReplicas - m_replicas[best.index()]) * at(best).crossbars * m_cores;
            m_replicas[best.index()] = bestReplicas;
        }
    }

    /// Of a sample in these layers, about: products of the largest tile until the last is done, and the
    /// borders that tiles exchange.
    double ns() const {
        double sum = 0;
        for (const MatrixId entry : m_entries) {
            const CrossbarLayer& l = m_model.network->layers[at(entry).layer.index()];
            const PixelWindow& window = l.matrix()->window;
            const auto [down, across] = tiles(entry);
            const double width = l.in.width / across, height = l.in.height / down;
            const double border = (width + std::max(0, window.kernelX - window.strideX)) *
                                      (height + std::max(0, window.kernelY - window.strideY)) /
                                      (width * height) -
                                  1;
            sum += productsNs(entry, m_replicas[entry.index()]) + m_chip.mvmNs +
                   border * double(l.in.elements()) * m_chip.activationBytes() / m_chip.connectionBytesPerNs;
        }
        return sum;
    }

    /// Layers that fit into a core together share cores, those with most room.
    std::optional<CrossbarLayout> layout() const {
        CrossbarLayout layout(m_model);
        layout.setTiles({m_rows, 0});
        for (auto entry = m_entries.begin(); entry != m_entries.end();) {
            const std::vector<CoreId> cores = roomiest(layout);
            const auto fits = [&](MatrixId next) {
                return std::ranges::all_of(cores, [&](CoreId core) {
                    return m_replicas[next.index()] * at(next).crossbars <=
                           layout.free(at(next).arrayKind, core);
                });
            };
            if (!fits(*entry))
                return std::nullopt;
            for (; entry != m_entries.end() && fits(*entry); ++entry)
                for (const CoreId core : cores)
                    for (int i = 0;
                         i < m_replicas[entry->index()] && layout.replicas(*entry) < at(*entry).maxReplicas;
                         ++i)
                        layout.addWhole(*entry, core);
        }
        return layout;
    }

private:
    const CrossbarLayoutLayer& at(MatrixId entry) const { return m_model.layers[entry.index()]; }
    const PixelMap& map(MatrixId entry) const { return m_model.network->layers[at(entry).layer.index()].out; }
    std::int64_t arrays() const {
        std::int64_t sum = 0;
        for (const MatrixId entry : m_entries)
            sum += std::int64_t(m_replicas[entry.index()]) * at(entry).crossbars * m_cores;
        return sum;
    }

    /// Tiles in a column and in a row.
    std::pair<double, double> tiles(MatrixId entry) const {
        const double down = rowsOfTiles(map(entry), m_cores);
        return {down, std::max(1.0, std::floor(m_cores / down))};
    }
    /// Of the largest tile.
    double windowsOf(MatrixId entry) const {
        const auto [down, across] = tiles(entry);
        return std::ceil(map(entry).height / down) * std::ceil(map(entry).width / across);
    }
    double productsNs(MatrixId entry, int replicas) const {
        const double windows = windowsOf(entry);
        return std::max(windows * at(entry).groups * m_chip.mvmIssueNs,
                        std::ceil(windows / replicas) * m_chip.mvmNs);
    }

    std::vector<CoreId> roomiest(const CrossbarLayout& layout) const {
        std::vector<CoreId> cores = m_model.allCores().list();
        std::vector<int> free(cores.size(), 0);
        for (std::size_t kind = 0; kind < m_model.capacity.size(); ++kind)
            for (const CoreId core : cores)
                free[core.index()] += layout.free(int(kind), core);
        std::ranges::stable_sort(cores, std::greater(), [&](CoreId core) { return free[core.index()]; });
        cores.resize(std::size_t(m_cores));
        std::ranges::sort(cores);
        return cores;
    }

    const CrossbarLayoutModel& m_model;
    const CrossbarChip& m_chip;
    int m_rows, m_cores;
    std::vector<MatrixId> m_entries; ///< In tiles.
    std::vector<int> m_replicas;     ///< [entry] in each core.
};

/// All cores, or as many as make a square of tiles.
std::vector<int> coreCounts(int cores) {
    std::vector<int> counts{cores};
    for (int side = int(std::sqrt(double(cores))); side > 1 && side * side * 3 > cores; --side)
        if (side * side < cores)
            counts.push_back(side * side);
    return counts;
}

/// Tiles wait in local memory until they are done, and the estimate does not know how full that is. By the
/// rules of PIMCOMP-NN vectors and results take little of it. [measured by the profiler on cores with 64 KiB,
/// layouts without a search: ResNet-50 on PUMA 2.3 ms in strips, 3.9 ms with tiles]
bool isTooSmallForTiles(const CrossbarLayoutModel& model) {
    return model.referee == CrossbarReferee::Profiler && hasSmallMemories(*model.chip);
}

} // namespace

std::vector<TiledHead> tiledHeads(const CrossbarLayoutModel& model, bool thorough) {
    if (isTooSmallForTiles(model))
        return {};
    std::set<int, std::greater<>> heights;
    for (const CrossbarLayoutLayer& layer : model.layers)
        if (const int rows = model.network->layers[layer.layer.index()].out.height; rows >= kLeastRows)
            heights.insert(rows);
    std::vector<TiledHead> heads;
    int count = 0;
    for (const int rows : heights) {
        if (++count > (thorough ? kMostHeightsOfSearch : kMostHeights) || !TilePlan(model, rows, 1).isFree())
            break;
        std::vector<std::pair<double, CrossbarLayout>> ofHeight;
        for (const int cores : coreCounts(model.cores()))
            for (const double part : kParts) {
                TilePlan plan(model, rows, cores);
                plan.grow(part);
                if (std::optional<CrossbarLayout> layout = plan.layout()) {
                    const auto isSame = [&](const auto& other) { return areSame(other.second, *layout); };
                    if (std::ranges::none_of(ofHeight, isSame))
                        ofHeight.emplace_back(plan.ns(), std::move(*layout));
                }
            }
        std::ranges::stable_sort(ofHeight, {}, [](const auto& one) { return one.first; });
        const std::size_t most = thorough ? kOfEachHeightOfSearch : 1;
        for (std::size_t i = 0; i < std::min(ofHeight.size(), most); ++i)
            heads.push_back({std::move(ofHeight[i].second), i > 0 || count > kMostHeights});
    }
    return heads;
}

} // namespace pim
