// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/baselines.h"

#include "backends/crossbar/search/layout_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace pim {
namespace {

/// Cores for one replica that nobody else uses, lowest first; empty if there are not enough.
std::vector<int> ownCores(const CrossbarLayout& layout, int entry, int& next) {
    const CrossbarLayoutModel& model = layout.model();
    const CrossbarLayoutLayer& layer = model.layers[std::size_t(entry)];
    std::vector<int> cores(std::size_t(layer.groups), -1);
    int core = next, left = 0;
    bool open = false;
    for (std::size_t group = 0; group < cores.size(); ++group) {
        const int crossbars = layer.partition->groups[group].crossbars;
        while (!open || left < crossbars) {
            if (open)
                ++core;
            if (core >= model.cores())
                return {};
            left = model.capacity[std::size_t(layer.arrayKind)][std::size_t(core)];
            open = true;
        }
        left -= crossbars;
        cores[group] = core;
    }
    next = core + 1;
    return cores;
}

/// First core with room, array group by array group.
bool addFirstFit(CrossbarLayout& layout, int entry) {
    const CrossbarLayoutLayer& layer = layout.model().layers[std::size_t(entry)];
    std::vector<int> cores, taken(std::size_t(layout.model().cores()), 0);
    for (const ArrayGroupShape& group : layer.partition->groups) {
        int core = 0;
        while (core < layout.model().cores() &&
               layout.free(layer.arrayKind, core) - taken[std::size_t(core)] < group.crossbars)
            ++core;
        if (core == layout.model().cores())
            return false;
        taken[std::size_t(core)] += group.crossbars;
        cores.push_back(core);
    }
    layout.add(entry, cores);
    return true;
}

bool isConvolution(const CrossbarLayoutLayer& layer) {
    return layer.windows > 1;
}

/// [PIMCOMP-NN git 2ed10c8, weight replication "balance": stops at half of what is left beside fully
/// connected layers]
std::vector<int> balanceReplicas(const CrossbarLayoutModel& model, std::int64_t arrays) {
    std::vector<int> replicas(model.layers.size(), 1);
    std::int64_t budget = arrays;
    for (const CrossbarLayoutLayer& layer : model.layers)
        if (!isConvolution(layer))
            budget -= layer.crossbars;
    budget /= 2;
    for (;;) {
        int most = -1;
        double mostWindows = 1;
        for (std::size_t entry = 0; entry < replicas.size(); ++entry)
            if (const double windows = double(model.layers[entry].windows) / replicas[entry];
                isConvolution(model.layers[entry]) && windows > mostWindows) {
                most = int(entry);
                mostWindows = windows;
            }
        if (most < 0 || (budget -= model.layers[std::size_t(most)].crossbars) < 0)
            return replicas;
        ++replicas[std::size_t(most)];
    }
}

/// [PIMCOMP-NN git 2ed10c8, "W0H0" and "uniform": floor(free / sum / 1.2) times the ratios; areas over the
/// second smallest]
std::vector<int> proportionalReplicas(const CrossbarLayoutModel& model, std::int64_t arrays, bool byArea) {
    constexpr double kMargin = 1.2;
    std::set<std::int64_t> areas;
    for (const CrossbarLayoutLayer& layer : model.layers)
        if (isConvolution(layer))
            areas.insert(layer.windows);
    const double unit =
        areas.empty() ? 1 : double(areas.size() > 1 ? *std::next(areas.begin()) : *areas.begin());
    std::vector<double> ratio(model.layers.size(), 0);
    double sum = 0;
    std::int64_t spare = arrays;
    for (std::size_t entry = 0; entry < ratio.size(); ++entry) {
        const CrossbarLayoutLayer& layer = model.layers[entry];
        if (!isConvolution(layer)) {
            spare -= layer.crossbars;
            continue;
        }
        ratio[entry] = byArea ? std::ceil(double(layer.windows) / unit) : 1;
        sum += ratio[entry] * layer.crossbars;
    }
    const double times = std::floor(double(spare) / std::max(1.0, sum) / kMargin);
    std::vector<int> replicas(model.layers.size(), 1);
    for (std::size_t entry = 0; entry < ratio.size(); ++entry)
        replicas[entry] = int(std::clamp(ratio[entry] * times, 1.0, double(model.layers[entry].maxReplicas)));
    return replicas;
}

} // namespace

CrossbarLayout polyhedralLayout(const CrossbarLayout& once) {
    const CrossbarLayoutModel& model = once.model();
    CrossbarLayout layout(model);
    int next = 0;
    for (std::size_t entry = 0; entry < model.layers.size(); ++entry) {
        const std::vector<int> cores = ownCores(layout, int(entry), next);
        if (cores.empty())
            return once;
        layout.add(int(entry), cores);
    }
    std::vector<bool> full(model.layers.size(), false);
    for (;;) {
        int slowest = -1;
        double slowestNs = 0;
        for (std::size_t entry = 0; entry < model.layers.size(); ++entry) {
            const CrossbarLayoutLayer& layer = model.layers[entry];
            const double perCore =
                double(layer.groups) /
                double(
                    std::set<int>(layout.cores(int(entry)).begin(), layout.cores(int(entry)).end()).size()) *
                layout.replicas(int(entry));
            const double ns = double(layer.windows) / layout.replicas(int(entry)) *
                              std::max(perCore * model.chip->mvmIssueNs, model.chip->mvmNs);
            if (!full[entry] && layout.replicas(int(entry)) < layer.maxReplicas && ns > slowestNs) {
                slowest = int(entry);
                slowestNs = ns;
            }
        }
        if (slowest < 0)
            return layout;
        const std::vector<int> cores = ownCores(layout, slowest, next);
        if (cores.empty())
            full[std::size_t(slowest)] = true; // a smaller one may still fit
        else
            layout.add(slowest, cores);
    }
}

CrossbarLayout consecutiveLayout(const CrossbarLayout& once) {
    const CrossbarLayoutModel& model = once.model();
    CrossbarLayout layout(model);
    for (std::size_t entry = 0; entry < model.layers.size(); ++entry)
        if (!addFirstFit(layout, int(entry)))
            return once;
    return layout;
}

Result<CrossbarLayout> peerLayout(const CrossbarLayoutModel& model, PeerReplication rule) {
    CrossbarLayout layout(model);
    std::int64_t arrays = 0;
    for (std::size_t kind = 0; kind < model.kinds.size(); ++kind)
        arrays += layout.freeInAll(int(kind));
    const std::vector<int> replicas =
        rule == PeerReplication::Balance
            ? balanceReplicas(model, arrays)
            : proportionalReplicas(model, arrays, rule == PeerReplication::Areas);
    for (std::size_t entry = 0; entry < model.layers.size(); ++entry)
        for (int replica = 0; replica < replicas[entry]; ++replica)
            if (!addFirstFit(layout, int(entry)))
                return fail(ErrorCode::InvalidTarget,
                            fmt::format("replica {} of {} finds no core by first fit; this rule does not "
                                        "know how full the cores are",
                                        replica + 1, replicas[entry]),
                            model.network->layers[std::size_t(model.layers[entry].layer)].name,
                            "use the strategy 'constructive'");
    return layout;
}

double layerByLayerNs(const CrossbarNetwork& network, const CrossbarChip& chip,
                      const CrossbarMapping& mapping, bool weightsMoved) {
    double sum = 0;
    for (const LayerMapping& layer : mapping.layers) {
        const double windows =
            std::ceil(double(productsOfGroup(network, layer.partition.layer, layer.partition.unfolding)) /
                      layer.replicas);
        std::map<CoreId, int> groups; // of a core, over all replicas
        for (const CoreId core : layer.cores)
            ++groups[core];
        int most = 0;
        for (const auto& [core, count] : groups)
            most = std::max(most, count);
        const MatrixWork& work = *network.layers[layer.partition.layer.index()].matrix();
        const double weights =
            double(work.inOfGroup()) * work.window.kernel() * work.outChannels * chip.weightBits / 8;
        const CrossbarLayer& shape = network.layers[layer.partition.layer.index()];
        const double moved = double(shape.in.elements() + shape.out.elements()) * chip.activationBytes() /
                             chip.globalBytesPerNs;
        sum += std::max({windows * most * chip.mvmIssueNs, windows * chip.mvmNs, moved});
        if (weightsMoved)
            sum += weights / (chip.globalBytesPerNs * chip.chips());
    }
    return sum;
}

} // namespace pim
