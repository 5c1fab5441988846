// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/layout.h"

#include <algorithm>
#include <numeric>

namespace pim {

CrossbarLayout::CrossbarLayout(const CrossbarLayoutModel& model)
    : m_model(&model), m_cores(model.layers.size()), m_free(model.capacity) {}

std::int64_t CrossbarLayout::freeInAll(int kind) const {
    const auto& free = m_free[std::size_t(kind)];
    return std::accumulate(free.begin(), free.end(), std::int64_t(0));
}

bool CrossbarLayout::fitsWhole(int entry, int core) const {
    const CrossbarLayoutLayer& layer = m_model->layers[std::size_t(entry)];
    return free(layer.arrayKind, core) >= layer.crossbars;
}

void CrossbarLayout::take(int entry, std::span<const int> cores, int sign) {
    const CrossbarLayoutLayer& layer = m_model->layers[std::size_t(entry)];
    auto& free = m_free[std::size_t(layer.arrayKind)];
    for (std::size_t group = 0; group < cores.size(); ++group) {
        int& left = free[std::size_t(cores[group])];
        left -= sign * layer.partition->groups[group].crossbars;
        PIM_ASSERT(left >= 0, "a core holds more array groups than it has arrays");
    }
}

void CrossbarLayout::add(int entry, std::span<const int> cores) {
    PIM_ASSERT(int(cores.size()) == groups(entry), "a replica has one core a group");
    take(entry, cores, 1);
    auto& all = m_cores[std::size_t(entry)];
    all.insert(all.end(), cores.begin(), cores.end());
}

void CrossbarLayout::addWhole(int entry, int core) {
    add(entry, std::vector<int>(std::size_t(groups(entry)), core));
}

void CrossbarLayout::remove(int entry, int index) {
    take(entry, replica(entry, index), -1);
    auto& all = m_cores[std::size_t(entry)];
    const auto size = std::size_t(groups(entry));
    const auto gap = all.begin() + std::ptrdiff_t(std::size_t(index) * size);
    std::copy(all.end() - std::ptrdiff_t(size), all.end(), gap);
    all.resize(all.size() - size);
}

CrossbarMapping CrossbarLayout::mapping(CrossbarMode mode, std::string strategy,
                                        const std::vector<int>& place) const {
    CrossbarMapping result;
    result.mode = mode;
    result.tiles = m_tiles;
    result.strategy = std::move(strategy);
    const auto placeOf = [&](int core) { return place.empty() ? core : place[std::size_t(core)]; };
    for (std::size_t entry = 0; entry < m_cores.size(); ++entry) {
        LayerMapping layer;
        layer.partition = *m_model->layers[entry].partition;
        layer.replicas = replicas(int(entry));
        std::vector<int> order(std::size_t(layer.replicas));
        std::iota(order.begin(), order.end(), 0);
        if (m_model->pinned[entry].empty()) // pins count replicas as they are
            std::ranges::stable_sort(order, {},
                                     [&](int index) { return placeOf(replica(int(entry), index).front()); });
        for (const int index : order) {
            const auto cores = replica(int(entry), index);
            for (const int core : cores)
                layer.cores.emplace_back(placeOf(core));
        }
        result.layers.push_back(std::move(layer));
    }
    result.number();
    return result;
}

namespace {

/// Groups in the order in which a split deals them out: those that read the same channels side by side,
/// larger ones first.
std::vector<int> groupsByChannels(const CrossbarLayoutLayer& layer) {
    std::vector<int> order(std::size_t(layer.groups));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int group) {
        return std::pair{-layer.partition->groups[std::size_t(group)].crossbars,
                         layer.groupChannels[std::size_t(group)].first};
    });
    return order;
}

} // namespace

bool CrossbarLayout::isTiled(int entry) const {
    const int layer = m_model->layers[std::size_t(entry)].layer;
    return m_tiles.fromRows > 0 &&
           m_model->network->layers[std::size_t(layer)].out.height >= m_tiles.fromRows;
}

bool areSame(const CrossbarLayout& a, const CrossbarLayout& b) {
    if (a.tiles() != b.tiles())
        return false;
    for (std::size_t entry = 0; entry < a.model().layers.size(); ++entry)
        if (a.cores(int(entry)) != b.cores(int(entry)))
            return false;
    return true;
}

std::vector<int> bestFit(const CrossbarLayout& layout, int entry, std::span<const int> allowed) {
    const CrossbarLayoutLayer& layer = layout.model().layers[std::size_t(entry)];
    std::vector<int> cores(allowed.begin(), allowed.end());
    if (allowed.empty()) {
        cores.resize(std::size_t(layout.model().cores()));
        std::iota(cores.begin(), cores.end(), 0);
    }
    int best = -1;
    for (const int core : cores)
        if (layout.fitsWhole(entry, core) &&
            (best < 0 || layout.free(layer.arrayKind, core) < layout.free(layer.arrayKind, best)))
            best = core;
    if (best >= 0)
        return std::vector<int>(std::size_t(layer.groups), best);

    std::vector<int> left(cores.size());
    std::ranges::transform(cores, left.begin(), [&](int core) { return layout.free(layer.arrayKind, core); });
    std::vector<std::size_t> order(cores.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return -left[i]; });
    std::vector<int> result(std::size_t(layer.groups), -1);
    const std::vector<int> groups = groupsByChannels(layer);
    std::size_t placed = 0;
    // Emptiest core first, as many groups as it takes; a group too large for the rest of a core waits for the
    // next.
    for (const std::size_t i : order) {
        for (const int group : groups)
            if (const int crossbars = layer.partition->groups[std::size_t(group)].crossbars;
                result[std::size_t(group)] < 0 && crossbars <= left[i]) {
                result[std::size_t(group)] = cores[i];
                left[i] -= crossbars;
                ++placed;
            }
        if (placed == groups.size())
            return result;
    }
    return {};
}

} // namespace pim
