// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/layout_cost.h"
#include "backends/crossbar/search/strategies.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim {
namespace {

int largestGroup(const CrossbarLayoutLayer& layer) {
    int largest = 0;
    for (const ArrayGroupShape& group : layer.partition->groups)
        largest = std::max(largest, group.crossbars);
    return largest;
}

/// A replica with some groups where the user wants them; the others beside them where there is room.
std::vector<CoreId> aroundPins(const CrossbarLayout& layout, MatrixId entry, std::vector<CoreId> cores) {
    const CrossbarLayoutLayer& layer = layout.model().layers[entry.index()];
    std::vector<int> left; // [core]
    for (const CoreId core : layout.model().allCores())
        left.push_back(layout.free(layer.arrayKind, core));
    const auto crossbars = [&](std::size_t group) { return layer.partition->groups[group].crossbars; };
    for (std::size_t group = 0; group < cores.size(); ++group)
        if (cores[group].valid() && (left[cores[group].index()] -= crossbars(group)) < 0)
            return {};
    const std::vector<CoreId> pins = cores;
    for (std::size_t group = 0; group < cores.size(); ++group) {
        if (cores[group].valid())
            continue;
        const auto near = std::ranges::find_if(
            pins, [&](CoreId core) { return core.valid() && left[core.index()] >= crossbars(group); });
        const CoreId core =
            near != pins.end() ? *near : CoreId(std::ranges::max_element(left) - left.begin());
        if ((left[core.index()] -= crossbars(group)) < 0)
            return {};
        cores[group] = core;
    }
    return cores;
}

} // namespace

bool placePinned(CrossbarLayout& layout, MatrixId entry) {
    const CrossbarLayoutModel& model = layout.model();
    const auto groups = std::size_t(layout.groups(entry));
    std::vector<CoreId> all(groups * std::size_t(model.wantedReplicas[entry.index()]));
    for (const auto& [group, core] : model.pinned[entry.index()])
        all[std::size_t(group)] = core;
    for (std::size_t begin = 0; begin < all.size(); begin += groups) {
        const std::vector<CoreId> cores =
            aroundPins(layout, entry,
                       {all.begin() + std::ptrdiff_t(begin), all.begin() + std::ptrdiff_t(begin + groups)});
        if (cores.empty())
            return false;
        layout.add(entry, cores);
    }
    return true;
}

MatrixId packOnce(CrossbarLayout& layout) {
    const CrossbarLayoutModel& model = layout.model();
    std::vector<MatrixId> order = model.allEntries().list();
    std::ranges::stable_sort(order, {}, [&](MatrixId entry) {
        const CrossbarLayoutLayer& layer = model.layers[entry.index()];
        return std::tuple{model.pinned[entry.index()].empty(), -largestGroup(layer), -layer.crossbars};
    });
    for (const MatrixId entry : order) {
        if (!model.pinned[entry.index()].empty()) {
            if (!placePinned(layout, entry))
                return entry;
            continue;
        }
        for (int left = std::max(1, model.wantedReplicas[entry.index()]); left > 0; --left) {
            const std::vector<CoreId> cores = bestFit(layout, entry);
            if (cores.empty())
                return entry;
            layout.add(entry, cores);
        }
    }
    return {};
}

namespace {

/// Deals replicas out for periods shorter and shorter.
class Balancer {
public:
    explicit Balancer(const CrossbarLayout& base) : m_base(base), m_model(base.model()) {}

    CrossbarLayout run() {
        CrossbarLayout best = m_base;
        double low = 0, high = 0;
        for (const MatrixId entry : m_model.allEntries())
            high = std::max(high, workNs(entry) + chainNs(entry));
        for (int step = 0; step < 24 && high - low > 0.005 * high; ++step) {
            const double period = (low + high) / 2;
            if (std::optional<CrossbarLayout> layout = tryPeriod(period)) {
                best = std::move(*layout);
                high = period;
            } else {
                low = period;
            }
        }
        return best;
    }

private:
    double workNs(MatrixId entry) const {
        const CrossbarLayoutLayer& layer = m_model.layers[entry.index()];
        return double(layer.windows) * layer.groups * m_model.chip->mvmIssueNs;
    }
    /// An array group takes a new window only when it is done with the last one.
    double chainNs(MatrixId entry) const {
        return double(m_model.layers[entry.index()].windows) * m_model.chip->mvmNs;
    }

    int replicasFor(MatrixId entry, double period) const {
        const CrossbarLayoutLayer& layer = m_model.layers[entry.index()];
        if (const int wanted = m_model.wantedReplicas[entry.index()])
            return wanted;
        const double needed = std::ceil(std::max(workNs(entry) / cores(entry), chainNs(entry)) / period);
        return int(std::clamp(needed, 1.0, double(layer.maxReplicas)));
    }

    /// Cores one replica is spread over at least.
    double cores(MatrixId entry) const {
        const CrossbarLayoutLayer& layer = m_model.layers[entry.index()];
        const auto& capacity = m_model.capacity[std::size_t(layer.arrayKind)];
        return std::ceil(double(layer.crossbars) / std::max(1, *std::ranges::max_element(capacity)));
    }

    std::optional<CrossbarLayout> tryPeriod(double period) const {
        std::vector<std::int64_t> arrays(m_model.kinds.size(), 0);
        std::vector<MatrixId> order;
        for (const MatrixId entry : m_model.allEntries()) {
            const CrossbarLayoutLayer& layer = m_model.layers[entry.index()];
            arrays[std::size_t(layer.arrayKind)] +=
                std::int64_t(replicasFor(entry, period)) * layer.crossbars;
            order.push_back(entry);
        }
        CrossbarLayout layout(m_model);
        for (std::size_t kind = 0; kind < arrays.size(); ++kind)
            if (arrays[kind] > layout.freeInAll(int(kind)))
                return std::nullopt;
        // Hard ones first: pinned, then those that need most of a core.
        std::ranges::stable_sort(order, {}, [&](MatrixId entry) {
            return std::pair{m_model.pinned[entry.index()].empty(), -m_model.layers[entry.index()].crossbars};
        });
        std::vector<double> load(std::size_t(m_model.cores()), 0);
        for (const MatrixId entry : order)
            if (!place(layout, entry, replicasFor(entry, period), period, load))
                return std::nullopt;
        return layout;
    }

    bool place(CrossbarLayout& layout, MatrixId entry, int replicas, double period,
               std::vector<double>& load) const {
        const CrossbarLayoutLayer& layer = m_model.layers[entry.index()];
        if (!m_model.pinned[entry.index()].empty()) {
            if (!placePinned(layout, entry))
                return false;
            for (const CoreId core : layout.cores(entry))
                load[core.index()] += workNs(entry) / replicas / layer.groups;
            return true;
        }
        const double one = workNs(entry) / replicas;
        for (int left = replicas; left > 0; --left) {
            CoreId best;
            for (const CoreId core : m_model.allCores())
                if (layout.fitsWhole(entry, core) && load[core.index()] + one <= period * (1 + 1e-9) &&
                    (!best.valid() || layout.free(layer.arrayKind, core) - load[core.index()] / period >
                                          layout.free(layer.arrayKind, best) - load[best.index()] / period))
                    best = core;
            if (best.valid()) {
                layout.addWhole(entry, best);
                load[best.index()] += one;
                continue;
            }
            const std::vector<CoreId> cores = bestFit(layout, entry);
            if (cores.empty())
                return false;
            layout.add(entry, cores);
            for (const CoreId core : cores)
                if ((load[core.index()] += one / layer.groups) > period * (1 + 1e-9))
                    return false;
        }
        return true;
    }

    const CrossbarLayout& m_base;
    const CrossbarLayoutModel& m_model;
};

} // namespace

CrossbarLayout balancedLayout(const CrossbarLayout& base) {
    return Balancer(base).run();
}

std::vector<CoreId> busiestFirst(const CrossbarLayout& layout, CrossbarMode mode) {
    const CrossbarLayoutModel& model = layout.model();
    const CrossbarChip& chip = *model.chip;
    std::vector<CoreId> place = model.allCores().list();
    const bool pinned = std::ranges::any_of(model.pinned, [](const auto& pins) { return !pins.empty(); });
    if (pinned || chip.connection == CrossbarConnection::Mesh || !chip.coreGroups.empty())
        return place;
    const CrossbarLayoutCost cost(layout, mode);
    for (int first = 0; first < chip.cores(); first += chip.coresPerChip()) {
        std::vector<CoreId> order(place.begin() + first, place.begin() + first + chip.coresPerChip());
        std::ranges::stable_sort(order, {}, [&](CoreId core) { return -cost.busyNs(core); });
        for (std::size_t i = 0; i < order.size(); ++i)
            place[order[i].index()] = CoreId(first + std::int64_t(i));
    }
    return place;
}

} // namespace pim
