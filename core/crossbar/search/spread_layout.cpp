// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/search.h"
#include "core/crossbar/search/strategies.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace pim {
namespace {

constexpr double kGrowth = 1.6;    // of replicas, or of the cores of a replica, from try to try
constexpr double kWorthIt = 0.997; // a try is kept if a sample then takes at most this part …
constexpr double kWorthAll = 0.97; // … and all together if this: for less, the estimate may be mistaken
constexpr double kOtherLoad =
    0.25; // what layers of other heights weigh in a core: they mostly work at another time

/// Layers whose maps have the same height work at the same time; they get more replicas, or replicas in more
/// cores, together.
class Spreader {
public:
    explicit Spreader(const CrossbarLayout& start) : m_model(start.model()), m_best(start) {}

    CrossbarLayout run(int tries) {
        m_left = tries;
        const CrossbarLayout start = m_best;
        const double startNs = layoutNs(m_best, CrossbarMode::LowLatency);
        m_bestNs = startNs;
        std::set<int> heights;
        for (std::size_t entry = 0; entry < m_model.layers.size(); ++entry)
            if (mayChange(int(entry)))
                heights.insert(heightOf(int(entry)));
        for (bool better = true; better;) {
            better = false;
            for (const int height : heights) // the last layers first: they have the fewest rows
                for (const auto& [replicas, cores] :
                     {std::pair{kGrowth, 1.0}, {1.0, kGrowth}, {1 / kGrowth, 1.0}, {1.0, 1.0}})
                    while (attempt(height, replicas, cores))
                        better = true;
        }
        return m_bestNs <= startNs * kWorthAll ? std::move(m_best) : start;
    }

private:
    bool mayChange(int entry) const {
        return m_model.pinned[std::size_t(entry)].empty() && m_model.wantedReplicas[std::size_t(entry)] == 0;
    }
    int heightOf(int entry) const {
        return m_model.network->layers[std::size_t(m_model.layers[std::size_t(entry)].layer)].out.height;
    }

    bool attempt(int height, double moreReplicas, double moreCores) {
        if (m_left <= 0)
            return false;
        const std::optional<CrossbarLayout> layout = rebuilt(height, moreReplicas, moreCores);
        if (!layout)
            return false;
        --m_left;
        const double ns = layoutNs(*layout, CrossbarMode::LowLatency);
        if (ns > m_bestNs * kWorthIt)
            return false;
        m_best = *layout;
        m_bestNs = ns;
        return true;
    }

    /// The best layout, but for layers of one height, which are placed anew.
    std::optional<CrossbarLayout> rebuilt(int height, double moreReplicas, double moreCores) {
        CrossbarLayout layout = m_best;
        struct Wanted {
            int entry = 0, replicas = 0, cores = 0;
        };
        std::vector<Wanted> all;
        for (std::size_t i = 0; i < m_model.layers.size(); ++i) {
            const int entry = int(i);
            if (!mayChange(entry) || heightOf(entry) != height)
                continue;
            const CrossbarLayoutLayer& layer = m_model.layers[i];
            const auto first = layout.replica(entry, 0);
            const std::set<int> cores(first.begin(), first.end());
            all.push_back({entry,
                           std::clamp(int(std::lround(layout.replicas(entry) * moreReplicas +
                                                      (moreReplicas > 1 ? 0.5 : 0))),
                                      1, layer.maxReplicas),
                           std::min(layer.groups, int(std::ceil(double(cores.size()) * moreCores)))});
            for (int replica = layout.replicas(entry); replica-- > 0;)
                layout.remove(entry, replica);
        }
        m_load = loadsOf(layout);
        std::ranges::stable_sort(
            all, {}, [&](const Wanted& w) { return -m_model.layers[std::size_t(w.entry)].crossbars; });
        for (const Wanted& wanted : all)
            for (int replica = 0; replica < wanted.replicas; ++replica) {
                const std::vector<int> cores = place(layout, wanted.entry, wanted.replicas, wanted.cores);
                if (cores.empty() && replica == 0)
                    return std::nullopt;
                if (cores.empty())
                    break;
                layout.add(wanted.entry, cores);
            }
        return layout;
    }

    std::vector<double> loadsOf(const CrossbarLayout& layout) const {
        std::vector<double> loads(std::size_t(m_model.cores()), 0);
        for (std::size_t i = 0; i < m_model.layers.size(); ++i)
            if (const int replicas = layout.replicas(int(i)); replicas > 0)
                for (const int core : layout.cores(int(i)))
                    loads[std::size_t(core)] += kOtherLoad * workNs(int(i), replicas);
        return loads;
    }
    /// Of one array group.
    double workNs(int entry, int replicas) const {
        return double(m_model.layers[std::size_t(entry)].windows) / replicas * m_model.chip->mvmIssueNs;
    }

    /// The least busy cores, \p count of them or more if there is no room in so few.
    std::vector<int> place(const CrossbarLayout& layout, int entry, int replicas, int count) {
        const CrossbarLayoutLayer& layer = m_model.layers[std::size_t(entry)];
        std::vector<int> byLoad(m_load.size()), groups(std::size_t(layer.groups));
        std::iota(byLoad.begin(), byLoad.end(), 0);
        std::ranges::stable_sort(byLoad, {}, [&](int core) { return m_load[std::size_t(core)]; });
        std::iota(groups.begin(), groups.end(), 0);
        std::ranges::stable_sort(groups, {},
                                 [&](int group) { return layer.groupChannels[std::size_t(group)]; });
        for (; count <= layer.groups; ++count) {
            std::vector<int> result(groups.size(), -1);
            std::size_t at = 0;
            int used = 0;
            for (const int core : byLoad) {
                // as many groups as this core's even part of them
                const std::size_t end = groups.size() * std::size_t(used + 1) / std::size_t(count);
                int crossbars = 0;
                for (std::size_t i = at; i < end; ++i)
                    crossbars += layer.partition->groups[std::size_t(groups[i])].crossbars;
                if (crossbars > layout.free(layer.arrayKind, core))
                    continue;
                for (; at < end; ++at)
                    result[std::size_t(groups[at])] = core;
                if (++used == count)
                    break;
            }
            if (used < count)
                continue;
            for (const int core : result)
                m_load[std::size_t(core)] += workNs(entry, replicas);
            return result;
        }
        return {};
    }

    const CrossbarLayoutModel& m_model;
    CrossbarLayout m_best;
    double m_bestNs = 0;
    int m_left = 0;             ///< Tries.
    std::vector<double> m_load; ///< [core] products, ns
};

} // namespace

CrossbarLayout spreadLayout(const CrossbarLayout& start, int tries) {
    return Spreader(start).run(tries);
}

} // namespace pim
