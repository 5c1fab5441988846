// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/search.h"

#include "core/base/parallel.h"
#include "core/crossbar/search/layout_moves.h"

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

/// One chain of annealing.
class Chain {
public:
    Chain(const CrossbarLayout& start, CrossbarMode mode, std::uint64_t seed)
        : m_layout(start), m_cost(m_layout, mode), m_moves(m_layout, m_cost, seed), m_best(start) {
        m_unit = m_value = m_bestValue = m_cost.objective();
    }
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;

    double bestValue() const { return m_bestValue; }
    const CrossbarLayout& best() const { return m_best; }

    /// One step at \p progress of the way (0 … 1); true if the best got better.
    bool step(double progress) {
        if (!m_moves.propose())
            return false;
        const std::vector<int> entries = m_moves.changedEntries();
        for (const int entry : entries)
            m_cost.update(entry);
        const double value = m_cost.objective();
        const double temperature =
            m_unit * kFirstTemperature * std::pow(kLastTemperature / kFirstTemperature, progress);
        if (value > m_value && m_moves.random().unit() >= std::exp((m_value - value) / temperature)) {
            m_moves.takeBack();
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
    CrossbarLayout m_layout;
    CrossbarLayoutCost m_cost;
    LayoutMoves m_moves;
    CrossbarLayout m_best;
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
