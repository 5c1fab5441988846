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
std::vector<CoreId> ownCores(const CrossbarLayout& layout, MatrixId entry, CoreId& next) {
    const CrossbarLayoutModel& model = layout.model();
    const CrossbarLayoutLayer& layer = model.layers[entry.index()];
    std::vector<CoreId> cores(std::size_t(layer.groups));
    CoreId core = next;
    int left = 0;
    bool open = false;
    for (std::size_t group = 0; group < cores.size(); ++group) {
        const int crossbars = layer.partition->groups[group].crossbars;
        while (!open || left < crossbars) {
            if (open)
                ++core.value;
            if (core.value >= model.cores())
                return {};
            left = model.capacity[std::size_t(layer.arrayKind)][core.index()];
            open = true;
        }
        left -= crossbars;
        cores[group] = core;
    }
    next = CoreId(core.value + 1);
    return cores;
}

/// First core with room, array group by array group.
bool addFirstFit(CrossbarLayout& layout, MatrixId entry) {
    const CrossbarLayoutLayer& layer = layout.model().layers[entry.index()];
    std::vector<CoreId> cores;
    std::vector<int> taken(std::size_t(layout.model().cores()), 0);
    for (const ArrayGroupShape& group : layer.partition->groups) {
        CoreId core(0);
        while (core.value < layout.model().cores() &&
               layout.free(layer.arrayKind, core) - taken[core.index()] < group.crossbars)
            ++core.value;
        if (core.value == layout.model().cores())
            return false;
        taken[core.index()] += group.crossbars;
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
        MatrixId most;
        double mostWindows = 1;
        for (const MatrixId entry : model.allEntries())
            if (const double windows = double(model.layers[entry.index()].windows) / replicas[entry.index()];
                isConvolution(model.layers[entry.index()]) && windows > mostWindows) {
                most = entry;
                mostWindows = windows;
            }
        if (!most.valid() || (budget -= model.layers[most.index()].crossbars) < 0)
            return replicas;
        ++replicas[most.index()];
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
    for (const MatrixId entry : model.allEntries()) {
        const CrossbarLayoutLayer& layer = model.layers[entry.index()];
        if (!isConvolution(layer)) {
            spare -= layer.crossbars;
            continue;
        }
        ratio[entry.index()] = byArea ? std::ceil(double(layer.windows) / unit) : 1;
        sum += ratio[entry.index()] * layer.crossbars;
    }
    const double times = std::floor(double(spare) / std::max(1.0, sum) / kMargin);
    std::vector<int> replicas(model.layers.size(), 1);
    for (const MatrixId entry : model.allEntries())
        replicas[entry.index()] = int(
            std::clamp(ratio[entry.index()] * times, 1.0, double(model.layers[entry.index()].maxReplicas)));
    return replicas;
}

} // namespace

CrossbarLayout polyhedralLayout(const CrossbarLayout& once) {
    const CrossbarLayoutModel& model = once.model();
    CrossbarLayout layout(model);
    CoreId next(0);
    for (const MatrixId entry : model.allEntries()) {
        const std::vector<CoreId> cores = ownCores(layout, entry, next);
        if (cores.empty())
            return once;
        layout.add(entry, cores);
    }
    std::vector<bool> full(model.layers.size(), false);
    for (;;) {
        MatrixId slowest;
        double slowestNs = 0;
        for (const MatrixId entry : model.allEntries()) {
            const CrossbarLayoutLayer& layer = model.layers[entry.index()];
            const double perCore =
                double(layer.groups) /
                double(std::set<CoreId>(layout.cores(entry).begin(), layout.cores(entry).end()).size()) *
                layout.replicas(entry);
            const double ns = double(layer.windows) / layout.replicas(entry) *
                              std::max(perCore * model.chip->mvmIssueNs, model.chip->mvmNs);
            if (!full[entry.index()] && layout.replicas(entry) < layer.maxReplicas && ns > slowestNs) {
                slowest = entry;
                slowestNs = ns;
            }
        }
        if (!slowest.valid())
            return layout;
        const std::vector<CoreId> cores = ownCores(layout, slowest, next);
        if (cores.empty())
            full[slowest.index()] = true; // a smaller one may still fit
        else
            layout.add(slowest, cores);
    }
}

CrossbarLayout consecutiveLayout(const CrossbarLayout& once) {
    const CrossbarLayoutModel& model = once.model();
    CrossbarLayout layout(model);
    for (const MatrixId entry : model.allEntries())
        if (!addFirstFit(layout, entry))
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
    for (const MatrixId entry : model.allEntries())
        for (const ReplicaId replica : FirstIds<ReplicaId>(replicas[entry.index()]))
            if (!addFirstFit(layout, entry))
                return fail(ErrorCode::InvalidTarget,
                            fmt::format("replica {} of {} finds no core by first fit; this rule does not "
                                        "know how full the cores are",
                                        replica.value + 1, replicas[entry.index()]),
                            model.network->layers[model.layers[entry.index()].layer.index()].name,
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
