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

bool CrossbarLayout::fitsWhole(MatrixId entry, CoreId core) const {
    const CrossbarLayoutLayer& layer = m_model->layers[entry.index()];
    return free(layer.arrayKind, core) >= layer.crossbars;
}

void CrossbarLayout::take(MatrixId entry, std::span<const CoreId> cores, int sign) {
    const CrossbarLayoutLayer& layer = m_model->layers[entry.index()];
    auto& free = m_free[std::size_t(layer.arrayKind)];
    for (std::size_t group = 0; group < cores.size(); ++group) {
        int& left = free[cores[group].index()];
        left -= sign * layer.partition->groups[group].crossbars;
        PIM_ASSERT(left >= 0, "a core holds more array groups than it has arrays");
    }
}

void CrossbarLayout::add(MatrixId entry, std::span<const CoreId> cores) {
    PIM_ASSERT(int(cores.size()) == groups(entry), "a replica has one core a group");
    take(entry, cores, 1);
    auto& all = m_cores[entry.index()];
    all.insert(all.end(), cores.begin(), cores.end());
}

void CrossbarLayout::addWhole(MatrixId entry, CoreId core) {
    add(entry, std::vector(std::size_t(groups(entry)), core));
}

void CrossbarLayout::remove(MatrixId entry, ReplicaId index) {
    take(entry, replica(entry, index), -1);
    auto& all = m_cores[entry.index()];
    const auto size = std::size_t(groups(entry));
    const auto gap = all.begin() + std::ptrdiff_t(index.index() * size);
    std::copy(all.end() - std::ptrdiff_t(size), all.end(), gap);
    all.resize(all.size() - size);
}

CrossbarMapping CrossbarLayout::mapping(CrossbarMode mode, std::string strategy,
                                        const std::vector<CoreId>& place) const {
    CrossbarMapping result;
    result.mode = mode;
    result.tiles = m_tiles;
    result.strategy = std::move(strategy);
    const auto placeOf = [&](CoreId core) { return place.empty() ? core : place[core.index()]; };
    for (const MatrixId entry : m_model->allEntries()) {
        LayerMapping layer;
        layer.partition = *m_model->layers[entry.index()].partition;
        layer.replicas = replicas(entry);
        std::vector<ReplicaId> order = FirstIds<ReplicaId>(layer.replicas).list();
        if (m_model->pinned[entry.index()].empty()) // pins count replicas as they are
            std::ranges::stable_sort(order, {},
                                     [&](ReplicaId index) { return placeOf(replica(entry, index).front()); });
        for (const ReplicaId index : order) {
            const auto cores = replica(entry, index);
            for (const CoreId core : cores)
                layer.cores.push_back(placeOf(core));
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

bool CrossbarLayout::isTiled(MatrixId entry) const {
    const LayerId layer = m_model->layers[entry.index()].layer;
    return m_tiles.fromRows > 0 && m_model->network->layers[layer.index()].out.height >= m_tiles.fromRows;
}

bool areSame(const CrossbarLayout& a, const CrossbarLayout& b) {
    if (a.tiles() != b.tiles())
        return false;
    for (const MatrixId entry : a.model().allEntries())
        if (a.cores(entry) != b.cores(entry))
            return false;
    return true;
}

std::vector<CoreId> bestFit(const CrossbarLayout& layout, MatrixId entry, std::span<const CoreId> allowed) {
    const CrossbarLayoutLayer& layer = layout.model().layers[entry.index()];
    std::vector<CoreId> cores(allowed.begin(), allowed.end());
    if (allowed.empty())
        cores = layout.model().allCores().list();
    CoreId best;
    for (const CoreId core : cores)
        if (layout.fitsWhole(entry, core) &&
            (!best.valid() || layout.free(layer.arrayKind, core) < layout.free(layer.arrayKind, best)))
            best = core;
    if (best.valid())
        return std::vector(std::size_t(layer.groups), best);

    std::vector<int> left(cores.size());
    std::ranges::transform(cores, left.begin(),
                           [&](CoreId core) { return layout.free(layer.arrayKind, core); });
    std::vector<std::size_t> order(cores.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return -left[i]; });
    std::vector<CoreId> result(std::size_t(layer.groups));
    const std::vector<int> groups = groupsByChannels(layer);
    std::size_t placed = 0;
    // Emptiest core first, as many groups as it takes; a group too large for the rest of a core waits for the
    // next.
    for (const std::size_t i : order) {
        for (const int group : groups)
            if (const int crossbars = layer.partition->groups[std::size_t(group)].crossbars;
                !result[std::size_t(group)].valid() && crossbars <= left[i]) {
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
