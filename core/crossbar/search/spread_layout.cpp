// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parallel.h"
#include "core/crossbar/schedule/schedule.h"
#include "core/crossbar/search/search.h"
#include "core/crossbar/search/strategies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace pim {
namespace {

constexpr double kWorthIt = 0.997; // a try is kept if a sample then takes at most this part …
constexpr double kWorthAll = 0.97; // … and all together if this: for less, the estimate may be mistaken
constexpr double kWorthAllDraining =
    0.99; // by the rules of PIMCOMP-NN it is mostly within 5 % on five networks
/// Where nobody times the program, and rows have little room in local memory, which the estimate does not
/// know. [measured by the profiler on cores with 64 KiB: SqueezeNet on PUMA 367 us estimated instead of 403,
/// and 544 instead of 416 us in the program; ResNet-18 there 0.36 of the estimate and 0.59 of the time]
constexpr double kWorthAllUntimed = 0.7;
constexpr double kOtherLoad =
    0.25; // what layers of other heights weigh in a core: they mostly work at another time

constexpr int kMostFailures = 3;
constexpr double kHopeOfBands = 0.2; // of what a sample takes
constexpr int kThreads = 2;

/// Layers whose maps have the same height work at the same time; they get more replicas, or replicas in more
/// cores, together.
class Spreader {
public:
    Spreader(const CrossbarLayout& start, double growth, bool timed)
        : m_model(start.model()), m_best(start), m_growth(growth),
          m_worthAll(m_model.referee != CrossbarReferee::Profiler ? kWorthAllDraining
                     : timed || !hasSmallMemories(*m_model.chip)  ? kWorthAll
                                                                  : kWorthAllUntimed) {}

    /// What a sample waits for most is changed first, a change that failed later. A few tries are estimated
    /// beside each other, and the best of them is kept if it is better.
    CrossbarLayout run(int tries, const TaskContext& task) {
        const CrossbarLayout start = m_best;
        keep(pipelineTimes(m_best));
        const double startNs = m_bestNs;
        std::vector<Change> changes = allChanges();
        while (tries > 0 && !task.cancelled()) {
            std::vector<Try> next;
            const auto rank = [&](const Change& change) { return -rankOf(change); };
            std::ranges::stable_sort(changes, {}, rank);
            for (Change& change : changes) {
                if (std::ssize(next) == std::min(tries, kThreads) || change.failures >= kMostFailures)
                    break;
                ++change.failures;
                if (std::optional<CrossbarLayout> layout = rebuilt(change))
                    next.push_back({&change, std::move(*layout), {}});
            }
            if (next.empty())
                break;
            parallelFor(next.size(), kThreads, [&](std::size_t i) {
                next[i].times = pipelineTimes(next[i].layout, m_bestNs * kWorthIt);
            });
            tries -= int(next.size());
            Try& best = *std::ranges::min_element(next, {}, [](const Try& one) { return one.times.ns; });
            if (best.times.ns > m_bestNs * kWorthIt)
                continue;
            best.change->failures = 0;
            m_best = std::move(best.layout);
            keep(best.times);
        }
        return m_bestNs <= startNs * m_worthAll ? std::move(m_best) : start;
    }

private:
    bool mayChange(int entry) const {
        return m_model.pinned[std::size_t(entry)].empty() &&
               m_model.wantedReplicas[std::size_t(entry)] == 0 && !m_best.isTiled(entry);
    }
    int heightOf(int entry) const {
        return m_model.network->layers[std::size_t(m_model.layers[std::size_t(entry)].layer)].out.height;
    }

    int mostRows() const {
        int rows = 1;
        for (std::size_t entry = 0; entry < m_model.layers.size(); ++entry)
            rows = std::max(rows, heightOf(int(entry)));
        return rows;
    }

    /// Of the replicas of all layers of one height, and of the cores of a replica.
    struct Change {
        int height = 0;
        double replicas = 1, cores = 1;
        double hope = 1;  ///< Of those of a height, which is better more often.
        int bands = -1;   ///< Of all strips; then nothing else changes.
        int failures = 0; ///< Since it was better.
    };
    struct Try {
        Change* change = nullptr;
        CrossbarLayout layout;
        RowPipelineTimes times;
    };
    std::vector<Change> allChanges() const {
        std::set<int> heights;
        for (std::size_t entry = 0; entry < m_model.layers.size(); ++entry)
            if (mayChange(int(entry)))
                heights.insert(heightOf(int(entry)));
        std::vector<Change> changes;
        for (const int height : heights) { // the last layers first: they have the fewest rows
            changes.push_back({height, m_growth, 1, 1});
            changes.push_back({height, 1, m_growth, 0.8});
            changes.push_back({height, 1 / m_growth, 1, 0.4});
            changes.push_back({height, 1, 1, 0.4});
        }
        // Bands of so many rows of the largest map. [measured by the rules of PIMCOMP-NN, products of 4000
        // ns: SqueezeNet 849 to 659 us, ResNet-18 with its first layer in tiles 1084 to 1006 us; products of
        // 800 ns: none better]
        if (m_model.referee != CrossbarReferee::Profiler && !heights.empty())
            for (const int rows : {2, 4, 6})
                changes.push_back({0, 1, 1, kHopeOfBands, std::max(1, mostRows() / rows)});
        return changes;
    }
    /// What a sample waits for at layers of its height, and less after failures.
    double rankOf(const Change& change) const {
        if (change.bands >= 0)
            return m_bestNs * change.hope * std::pow(0.5, change.failures);
        const auto at = m_waits.find(change.height);
        return (at == m_waits.end() ? 0 : at->second) * change.hope * std::pow(0.5, change.failures);
    }
    void keep(const RowPipelineTimes& times) {
        m_bestNs = times.ns;
        m_waits.clear();
        const std::vector<double> weights = criticalWeights(m_model, times.layerEndNs);
        for (std::size_t entry = 0; entry < m_model.layers.size(); ++entry)
            m_waits[heightOf(int(entry))] += weights[entry];
    }

    /// The best layout, but for layers of one height, which are placed anew.
    std::optional<CrossbarLayout> rebuilt(const Change& change) {
        CrossbarLayout layout = m_best;
        if (change.bands >= 0) {
            layout.setTiles({layout.tiles().fromRows, change.bands});
            return layout;
        }
        struct Wanted {
            int entry = 0, replicas = 0, cores = 0;
        };
        std::vector<Wanted> all;
        for (std::size_t i = 0; i < m_model.layers.size(); ++i) {
            const int entry = int(i);
            if (!mayChange(entry) || heightOf(entry) != change.height)
                continue;
            const CrossbarLayoutLayer& layer = m_model.layers[i];
            const auto first = layout.replica(entry, 0);
            const std::set<int> cores(first.begin(), first.end());
            all.push_back({entry,
                           std::clamp(int(std::lround(layout.replicas(entry) * change.replicas +
                                                      (change.replicas > 1 ? 0.5 : 0))),
                                      1, layer.maxReplicas),
                           std::min(layer.groups, int(std::ceil(double(cores.size()) * change.cores)))});
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
    double m_growth; ///< Of replicas, or of the cores of a replica, from try to try.
    double m_worthAll;
    double m_bestNs = 0;
    std::map<int, double> m_waits; ///< Height -> ns.
    std::vector<double> m_load;    ///< [core] products, ns
};

} // namespace

CrossbarLayout spreadLayout(const CrossbarLayout& start, int tries, double growth, bool timed,
                            const TaskContext& task) {
    return Spreader(start, growth, timed).run(tries, task);
}

} // namespace pim
