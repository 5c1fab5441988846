// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/search.h"

#include "core/base/parallel.h"
#include "core/crossbar/search/search_random.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

namespace pim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kFirstTemperature = 0.01; // of the start's cost
constexpr double kLastTemperature = 0.0001;
constexpr double kSearchStepsPerSecond =
    10000;                             // of one chain; slow enough that the clock seldom ends a search
constexpr int kStepsBetweenLooks = 64; // at clock and stop flag
constexpr std::size_t kMostTradeOffs = 32;

/// Replicas taken out and put in by one step, so that it can be taken back.
struct LayoutEdit {
    int entry = 0;
    std::vector<int> cores; ///< Of the replica.
    bool added = false;
};

/// One chain of annealing.
class Chain {
public:
    Chain(const CrossbarLayout& start, CrossbarMode mode, std::uint64_t seed)
        : m_model(start.model()), m_layout(start), m_cost(m_layout, mode), m_best(start), m_random(seed) {
        m_value = m_bestValue = m_cost.objective();
        for (std::size_t entry = 0; entry < m_model.layers.size(); ++entry)
            if (m_model.pinned[entry].empty())
                m_loose.push_back(int(entry));
        m_unit = m_value;
    }
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;

    double bestValue() const { return m_bestValue; }
    const CrossbarLayout& best() const { return m_best; }
    const CrossbarLayout& current() const { return m_layout; }

    /// One step at \p progress of the way (0 … 1); true if the best got better.
    bool step(double progress) {
        if (m_loose.empty())
            return false;
        m_edits.clear();
        if (!propose()) {
            takeBack();
            return false;
        }
        for (const int entry : changedEntries())
            m_cost.update(entry);
        const double value = m_cost.objective();
        const double temperature =
            m_unit * kFirstTemperature * std::pow(kLastTemperature / kFirstTemperature, progress);
        if (value > m_value && m_random.unit() >= std::exp((m_value - value) / temperature)) {
            const std::vector<int> entries = changedEntries();
            takeBack();
            for (const int entry : entries)
                m_cost.update(entry);
            return false;
        }
        m_value = value;
        if (value >= m_bestValue * (1 - 1e-9))
            return false;
        m_bestValue = value;
        m_best = m_layout;
        return true;
    }

private:
    const CrossbarLayoutLayer& at(int entry) const { return m_model.layers[std::size_t(entry)]; }
    bool mayChangeCount(int entry) const { return m_model.wantedReplicas[std::size_t(entry)] == 0; }

    std::vector<int> changedEntries() const {
        std::vector<int> entries;
        for (const LayoutEdit& edit : m_edits)
            if (std::ranges::find(entries, edit.entry) == entries.end())
                entries.push_back(edit.entry);
        return entries;
    }

    void add(int entry, std::vector<int> cores) {
        m_layout.add(entry, cores);
        m_edits.push_back({entry, std::move(cores), true});
    }
    void remove(int entry, int replica) {
        const auto cores = m_layout.replica(entry, replica);
        m_edits.push_back({entry, {cores.begin(), cores.end()}, false});
        m_layout.remove(entry, replica);
    }
    void takeBack() {
        while (!m_edits.empty()) {
            const LayoutEdit& edit = m_edits.back();
            if (edit.added)
                m_layout.remove(edit.entry, m_layout.replicas(edit.entry) - 1);
            else
                m_layout.add(edit.entry, edit.cores);
            m_edits.pop_back();
        }
    }

    int anyEntry() { return m_loose[std::size_t(m_random.below(int(m_loose.size())))]; }
    int anyCore() { return m_random.below(m_model.cores()); }

    /// A core that has something to do with \p entry: holds it, or a layer it reads or that reads it; else
    /// any.
    int relatedCore(int entry) {
        const int layer = at(entry).layer;
        const auto& flows =
            m_random.below(2) ? m_model.flowsFrom[std::size_t(layer)] : m_model.flowsTo[std::size_t(layer)];
        int other = layer;
        if (!flows.empty() && m_random.below(3)) {
            const CrossbarFlow& flow =
                m_model.flows[std::size_t(flows[std::size_t(m_random.below(int(flows.size())))])];
            other = flow.from == layer ? flow.to : flow.from;
        }
        const auto& shares = m_cost.shares(other);
        if (shares.empty() || m_model.inGlobalMemory[std::size_t(other)])
            return anyCore();
        return shares[std::size_t(m_random.below(int(shares.size())))].core;
    }

    /// The busiest of a few cores.
    int busyCore() {
        int best = anyCore();
        for (int i = 0; i < 6; ++i)
            if (const int core = anyCore(); m_cost.productNs(core) > m_cost.productNs(best))
                best = core;
        return best;
    }

    /// A replica with a group in \p core: (entry, replica), or (-1, -1).
    std::pair<int, int> replicaIn(int core) {
        std::pair<int, int> found{-1, -1};
        int seen = 0;
        for (const int entry : m_loose) {
            const auto& cores = m_layout.cores(entry);
            for (std::size_t i = 0; i < cores.size(); ++i) {
                if (cores[i] != core)
                    continue;
                if (m_random.below(++seen) == 0)
                    found = {entry, int(i) / at(entry).groups};
                i = (i / std::size_t(at(entry).groups) + 1) * std::size_t(at(entry).groups) -
                    1; // on to the next replica
            }
        }
        return found;
    }

    bool addSomewhere(int entry) {
        if (m_layout.replicas(entry) >= at(entry).maxReplicas)
            return false;
        for (int i = 0; i < 4; ++i)
            if (const int core = i < 3 ? relatedCore(entry) : anyCore(); m_layout.fitsWhole(entry, core)) {
                add(entry, std::vector<int>(std::size_t(at(entry).groups), core));
                return true;
            }
        std::vector<int> cores = bestFit(m_layout, entry);
        if (cores.empty())
            return false;
        add(entry, std::move(cores));
        return true;
    }

    bool removeAny(int entry) {
        if (m_layout.replicas(entry) < 2)
            return false;
        remove(entry, m_random.below(m_layout.replicas(entry)));
        return true;
    }

    /// A replica leaves a busy core.
    bool moveOne() {
        const auto [entry, replica] = replicaIn(m_random.below(4) ? busyCore() : anyCore());
        if (entry < 0)
            return false;
        remove(entry, replica);
        return addSomewhere(entry);
    }

    /// One replica goes so that another layer gets one more where it was.
    bool trade() {
        const int core = anyCore();
        const auto [entry, replica] = replicaIn(core);
        if (entry < 0 || !mayChangeCount(entry) || m_layout.replicas(entry) < 2)
            return false;
        remove(entry, replica);
        const int other = anyEntry();
        if (!mayChangeCount(other) || !m_layout.fitsWhole(other, core) ||
            m_layout.replicas(other) >= at(other).maxReplicas)
            return false;
        add(other, std::vector<int>(std::size_t(at(other).groups), core));
        return true;
    }

    /// Two replicas change places.
    bool swapTwo() {
        const int first = busyCore(), second = anyCore();
        const auto [a, i] = replicaIn(first);
        const auto [b, j] = replicaIn(second);
        if (a < 0 || b < 0 || a == b || first == second)
            return false;
        remove(a, i);
        remove(b, j);
        if (!m_layout.fitsWhole(a, second))
            return false;
        add(a, std::vector<int>(std::size_t(at(a).groups), second));
        if (!m_layout.fitsWhole(b, first))
            return false;
        add(b, std::vector<int>(std::size_t(at(b).groups), first));
        return true;
    }

    /// One group of a replica that lies in several cores goes to another of them, or to a new one.
    bool moveGroup() {
        const int entry = anyEntry();
        const CrossbarLayoutLayer& layer = at(entry);
        if (layer.groups < 2)
            return false;
        const int replica = m_random.below(m_layout.replicas(entry));
        const auto now = m_layout.replica(entry, replica);
        std::vector<int> cores(now.begin(), now.end());
        const int group = m_random.below(layer.groups);
        const int core = m_random.below(4) ? cores[std::size_t(m_random.below(layer.groups))] : anyCore();
        if (core == cores[std::size_t(group)] ||
            m_layout.free(layer.arrayKind, core) < layer.partition->groups[std::size_t(group)].crossbars)
            return false;
        remove(entry, replica);
        cores[std::size_t(group)] = core;
        add(entry, std::move(cores));
        return true;
    }

    bool propose() {
        switch (m_random.below(10)) {
        case 0:
        case 1: {
            const int entry = anyEntry();
            return mayChangeCount(entry) && addSomewhere(entry);
        }
        case 2: {
            const int entry = anyEntry();
            return mayChangeCount(entry) && removeAny(entry);
        }
        case 3:
        case 4:
        case 5:
            return moveOne();
        case 6:
        case 7:
            return trade();
        case 8:
            return swapTwo();
        default:
            return moveGroup();
        }
    }

    const CrossbarLayoutModel& m_model;
    CrossbarLayout m_layout;
    CrossbarLayoutCost m_cost;
    CrossbarLayout m_best;
    SearchRandom m_random;
    std::vector<int> m_loose; ///< Entries that may change.
    std::vector<LayoutEdit> m_edits;
    double m_value = 0, m_bestValue = 0, m_unit = 0;
};

/// What the chains share: curve and trade-offs.
class SearchRecord {
public:
    SearchRecord(const MappingOptions& options, const TaskContext& task) : m_options(options), m_task(task) {}

    double seconds() const { return std::chrono::duration<double>(Clock::now() - m_begin).count(); }
    bool over() const { return m_task.cancelled() || seconds() > m_options.seconds; }

    void improved(double ns, const CrossbarLayout& layout) {
        const std::lock_guard lock(m_mutex);
        if (m_history.empty() || ns < m_history.back().second)
            m_history.emplace_back(seconds(), ns);
        addTradeOff(layout);
    }
    void report(std::int64_t done, std::int64_t total) {
        const std::lock_guard lock(m_mutex);
        m_task.report("searching replicas and places", done, total);
    }
    std::vector<std::pair<double, double>> history() const { return m_history; }
    std::vector<MappingTradeOff> takeTradeOffs() {
        std::ranges::stable_sort(m_tradeOffs, {}, &MappingTradeOff::periodNs);
        return std::move(m_tradeOffs);
    }

private:
    static bool beats(const MappingTradeOff& a, const MappingTradeOff& b) {
        return a.periodNs <= b.periodNs && a.latencyNs <= b.latencyNs && a.energyPj <= b.energyPj;
    }
    void addTradeOff(const CrossbarLayout& layout) {
        const CrossbarCost ht = CrossbarLayoutCost(layout, CrossbarMode::HighThroughput).cost();
        const CrossbarCost ll = CrossbarLayoutCost(layout, CrossbarMode::LowLatency).cost();
        const bool throughput = m_options.mode == CrossbarMode::HighThroughput;
        MappingTradeOff point{ht.periodNs, ll.periodNs, throughput ? ht.energyPj : ll.energyPj, {}};
        if (std::ranges::any_of(m_tradeOffs,
                                [&](const MappingTradeOff& other) { return beats(other, point); }))
            return;
        std::erase_if(m_tradeOffs, [&](const MappingTradeOff& other) { return beats(point, other); });
        if (m_tradeOffs.size() >= kMostTradeOffs)
            return;
        point.mapping = layout.mapping(m_options.mode, "search");
        m_tradeOffs.push_back(std::move(point));
    }

    const MappingOptions& m_options;
    const TaskContext& m_task;
    Clock::time_point m_begin = Clock::now();
    std::mutex m_mutex;
    std::vector<std::pair<double, double>> m_history;
    std::vector<MappingTradeOff> m_tradeOffs;
};

} // namespace

LayoutSearchResult searchLayout(const CrossbarLayout& start, const MappingOptions& options,
                                const TaskContext& task, std::int64_t steps) {
    SearchRecord record(options, task);
    const int count = std::max(1, options.threads);
    if (steps <= 0)
        steps = std::max<std::int64_t>(1, std::llround(options.seconds * kSearchStepsPerSecond));
    std::vector<std::unique_ptr<Chain>> chains;
    for (int i = 0; i < count; ++i)
        chains.push_back(
            std::make_unique<Chain>(start, options.mode, options.seed * 1'000'003ULL + std::uint64_t(i)));
    record.improved(chains.front()->bestValue(), start);
    std::vector<std::int64_t> done(chains.size(), 0);
    parallelFor(chains.size(), count, [&](std::size_t i) {
        bool better = false;
        for (std::int64_t step = 0; step < steps; ++step, ++done[i]) {
            if (step % kStepsBetweenLooks == 0) {
                if (better)
                    record.improved(chains[i]->bestValue(), chains[i]->best());
                if (record.over())
                    return;
                if (i == 0)
                    record.report(step, steps);
                better = false;
            }
            better |= chains[i]->step(double(step) / double(steps));
        }
        record.improved(chains[i]->bestValue(), chains[i]->best());
    });
    const auto best =
        std::ranges::min_element(chains, {}, [](const auto& chain) { return chain->bestValue(); });
    LayoutSearchResult result{(*best)->best(), record.history(), record.takeTradeOffs(), 0};
    for (const std::int64_t count2 : done)
        result.steps += count2;
    return result;
}

} // namespace pim
