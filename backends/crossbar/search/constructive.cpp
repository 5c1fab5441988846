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
std::vector<int> aroundPins(const CrossbarLayout& layout, int entry, std::vector<int> cores) {
    const CrossbarLayoutLayer& layer = layout.model().layers[std::size_t(entry)];
    std::vector<int> left(std::size_t(layout.model().cores()));
    for (std::size_t core = 0; core < left.size(); ++core)
        left[core] = layout.free(layer.arrayKind, int(core));
    const auto crossbars = [&](std::size_t group) { return layer.partition->groups[group].crossbars; };
    for (std::size_t group = 0; group < cores.size(); ++group)
        if (cores[group] >= 0 && (left[std::size_t(cores[group])] -= crossbars(group)) < 0)
            return {};
    const std::vector<int> pins = cores;
    for (std::size_t group = 0; group < cores.size(); ++group) {
        if (cores[group] >= 0)
            continue;
        const auto near = std::ranges::find_if(
            pins, [&](int core) { return core >= 0 && left[std::size_t(core)] >= crossbars(group); });
        const auto core = near != pins.end() ? std::size_t(*near)
                                             : std::size_t(std::ranges::max_element(left) - left.begin());
        if ((left[core] -= crossbars(group)) < 0)
            return {};
        cores[group] = int(core);
    }
    return cores;
}

} // namespace

bool placePinned(CrossbarLayout& layout, int entry) {
    const CrossbarLayoutModel& model = layout.model();
    const auto groups = std::size_t(layout.groups(entry));
    std::vector<int> all(groups * std::size_t(model.wantedReplicas[std::size_t(entry)]), -1);
    for (const auto& [group, core] : model.pinned[std::size_t(entry)])
        all[std::size_t(group)] = core.value;
    for (std::size_t begin = 0; begin < all.size(); begin += groups) {
        const std::vector<int> cores =
            aroundPins(layout, entry,
                       {all.begin() + std::ptrdiff_t(begin), all.begin() + std::ptrdiff_t(begin + groups)});
        if (cores.empty())
            return false;
        layout.add(entry, cores);
    }
    return true;
}

int packOnce(CrossbarLayout& layout) {
    const CrossbarLayoutModel& model = layout.model();
    std::vector<int> order(model.layers.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int entry) {
        const CrossbarLayoutLayer& layer = model.layers[std::size_t(entry)];
        return std::tuple{model.pinned[std::size_t(entry)].empty(), -largestGroup(layer), -layer.crossbars};
    });
    for (const int entry : order) {
        if (!model.pinned[std::size_t(entry)].empty()) {
            if (!placePinned(layout, entry))
                return entry;
            continue;
        }
        for (int replica = 0; replica < std::max(1, model.wantedReplicas[std::size_t(entry)]); ++replica) {
            const std::vector<int> cores = bestFit(layout, entry);
            if (cores.empty())
                return entry;
            layout.add(entry, cores);
        }
    }
    return -1;
}

namespace {

/// Deals replicas out for periods shorter and shorter.
class Balancer {
public:
    explicit Balancer(const CrossbarLayout& base) : m_base(base), m_model(base.model()) {}

    CrossbarLayout run() {
        CrossbarLayout best = m_base;
        double low = 0, high = 0;
        for (std::size_t entry = 0; entry < m_model.layers.size(); ++entry)
            high = std::max(high, workNs(int(entry)) + chainNs(int(entry)));
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
    double workNs(int entry) const {
        const CrossbarLayoutLayer& layer = m_model.layers[std::size_t(entry)];
        return double(layer.windows) * layer.groups * m_model.chip->mvmIssueNs;
    }
    /// An array group takes a new window only when it is done with the last one.
    double chainNs(int entry) const {
        return double(m_model.layers[std::size_t(entry)].windows) * m_model.chip->mvmNs;
    }

    int replicasFor(int entry, double period) const {
        const CrossbarLayoutLayer& layer = m_model.layers[std::size_t(entry)];
        if (const int wanted = m_model.wantedReplicas[std::size_t(entry)])
            return wanted;
        const double needed = std::ceil(std::max(workNs(entry) / cores(entry), chainNs(entry)) / period);
        return int(std::clamp(needed, 1.0, double(layer.maxReplicas)));
    }

    /// Cores one replica is spread over at least.
    double cores(int entry) const {
        const CrossbarLayoutLayer& layer = m_model.layers[std::size_t(entry)];
        const auto& capacity = m_model.capacity[std::size_t(layer.arrayKind)];
        return std::ceil(double(layer.crossbars) / std::max(1, *std::ranges::max_element(capacity)));
    }

    std::optional<CrossbarLayout> tryPeriod(double period) const {
        std::vector<std::int64_t> arrays(m_model.kinds.size(), 0);
        std::vector<int> order;
        for (std::size_t entry = 0; entry < m_model.layers.size(); ++entry) {
            const CrossbarLayoutLayer& layer = m_model.layers[entry];
            arrays[std::size_t(layer.arrayKind)] +=
                std::int64_t(replicasFor(int(entry), period)) * layer.crossbars;
            order.push_back(int(entry));
        }
        CrossbarLayout layout(m_model);
        for (std::size_t kind = 0; kind < arrays.size(); ++kind)
            if (arrays[kind] > layout.freeInAll(int(kind)))
                return std::nullopt;
        // Hard ones first: pinned, then those that need most of a core.
        std::ranges::stable_sort(order, {}, [&](int entry) {
            return std::pair{m_model.pinned[std::size_t(entry)].empty(),
                             -m_model.layers[std::size_t(entry)].crossbars};
        });
        std::vector<double> load(std::size_t(m_model.cores()), 0);
        for (const int entry : order)
            if (!place(layout, entry, replicasFor(entry, period), period, load))
                return std::nullopt;
        return layout;
    }

    bool place(CrossbarLayout& layout, int entry, int replicas, double period,
               std::vector<double>& load) const {
        const CrossbarLayoutLayer& layer = m_model.layers[std::size_t(entry)];
        if (!m_model.pinned[std::size_t(entry)].empty()) {
            if (!placePinned(layout, entry))
                return false;
            for (const int core : layout.cores(entry))
                load[std::size_t(core)] += workNs(entry) / replicas / layer.groups;
            return true;
        }
        const double one = workNs(entry) / replicas;
        for (int replica = 0; replica < replicas; ++replica) {
            int best = -1;
            for (int core = 0; core < m_model.cores(); ++core)
                if (layout.fitsWhole(entry, core) && load[std::size_t(core)] + one <= period * (1 + 1e-9) &&
                    (best < 0 || layout.free(layer.arrayKind, core) - load[std::size_t(core)] / period >
                                     layout.free(layer.arrayKind, best) - load[std::size_t(best)] / period))
                    best = core;
            if (best >= 0) {
                layout.addWhole(entry, best);
                load[std::size_t(best)] += one;
                continue;
            }
            const std::vector<int> cores = bestFit(layout, entry);
            if (cores.empty())
                return false;
            layout.add(entry, cores);
            for (const int core : cores)
                if ((load[std::size_t(core)] += one / layer.groups) > period * (1 + 1e-9))
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

std::vector<int> busiestFirst(const CrossbarLayout& layout, CrossbarMode mode) {
    const CrossbarLayoutModel& model = layout.model();
    const CrossbarChip& chip = *model.chip;
    std::vector<int> place(std::size_t(chip.cores()));
    std::iota(place.begin(), place.end(), 0);
    const bool pinned = std::ranges::any_of(model.pinned, [](const auto& pins) { return !pins.empty(); });
    if (pinned || chip.connection == CrossbarConnection::Mesh || !chip.coreGroups.empty())
        return place;
    const CrossbarLayoutCost cost(layout, mode);
    for (int first = 0; first < chip.cores(); first += chip.coresPerChip()) {
        std::vector<int> order(std::size_t(chip.coresPerChip()));
        std::iota(order.begin(), order.end(), first);
        std::ranges::stable_sort(order, {}, [&](int core) { return -cost.busyNs(core); });
        for (std::size_t i = 0; i < order.size(); ++i)
            place[std::size_t(order[i])] = first + int(i);
    }
    return place;
}

} // namespace pim
