// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/latency_search.h"

#include "backends/crossbar/search/referee.h"
#include "backends/crossbar/search/search.h"
#include "backends/crossbar/search/search_budget.h"
#include "backends/crossbar/search/spread_layout.h"
#include "backends/crossbar/search/trade_offs.h"
#include "core/base/stopwatch.h"
#include "core/base/time_limit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>

namespace pim {
namespace {

/// So many starts are spread, fewer and fewer as it is seen what comes of them, each time with this part of
/// the tries. What is found depends on the start more than on the number of tries.
struct Round {
    std::size_t starts = 0;
    double part = 0;
};
constexpr Round kRounds[] = {{4, 0.35}, {2, 0.65}};
/// Estimates a second, for a network of one layer: an estimate takes as long as there are layers. Slow enough
/// that the clock seldom ends them.
constexpr double kTryLayersPerSecond = 2000;
constexpr double kSpreadPart = 0.6;         // of the time
constexpr double kAnnealingPart = 0.1;      // of the time
constexpr double kTimedAfter = 4;           // time kept for so many programs
constexpr double kAsGood = 1.08;            // whose program may be the fastest for all we know
constexpr std::size_t kMostStartsMet = 8;   // among the trade-offs
constexpr std::size_t kMostCandidates = 48; // whose programs are timed

class LatencySearch {
public:
    LatencySearch(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                  const TaskContext& task)
        : m_starts(starts), m_options(options), m_task(task), m_budget(options) {}

    CrossbarMapping run() {
        // The first whatever that takes, and the second beside it; this tells how long programs take.
        const std::vector<const CrossbarLayout*> firstTwo{
            &m_starts[0], &m_starts[std::min<std::size_t>(1, m_starts.size() - 1)]};
        const double end = m_budget.endSeconds();
        const TimeLimit whole(m_task, end);
        const RefereeChoice start = chooseByProgram(firstTwo, m_options, whole.context(), &m_task);
        m_budget.spend(firstTwo.size());
        m_budget.setProgramSize(start.instructions, m_starts.front().model());
        const double onceMore = seconds(); // by who asked for the mapping: it is part of the time
        const double kept = kTimedAfter * onceMore;
        spread(std::min(kSpreadPart * end, end - kept));
        anneal(std::min(kAnnealingPart * end, end - kept - seconds()));
        std::vector<const CrossbarLayout*> candidates = allCandidates();
        candidates.resize(m_budget.take(candidates.size()));
        std::vector<MappingTradeOff> tradeOffs = tradeOffsOf(forTradeOffs(), m_options, m_task);
        m_task.report("timing the best");
        const TimeLimit limit(m_task, end - onceMore - seconds());
        RefereeChoice choice = chooseByProgram(candidates, m_options, limit.context());
        if (start.best < 0 && choice.best < 0) // any program rather than none, however long it takes to find
            choice = firstProgram(candidates);
        const bool better = choice.best >= 0 && (start.best < 0 || choice.ns < start.ns);
        CrossbarMapping mapping = placedMapping(better ? *candidates[std::size_t(choice.best)]
                                                       : *firstTwo[std::size_t(std::max(0, start.best))],
                                                m_options);
        mapping.history = std::move(m_history);
        mapping.tradeOffs = std::move(tradeOffs);
        return mapping;
    }

private:
    using Spread = std::unique_ptr<LayoutSpreader>;
    double seconds() const { return m_watch.milliseconds() / 1000; }

    void spread(double endSeconds) {
        const TimeLimit limit(m_task, endSeconds - seconds());
        const double layers = double(std::max<std::size_t>(1, m_starts.front().model().layers.size()));
        const double tries = kTryLayersPerSecond * kSpreadPart * m_budget.effortSeconds() / layers;
        for (const CrossbarLayout* start : variedStarts(kRounds[0].starts))
            m_spreads.push_back(std::make_unique<LayoutSpreader>(*start));
        for (const Round& round : kRounds) {
            for (; m_spreads.size() > round.starts; m_spreads.pop_back())
                m_dropped.push_back(std::move(m_spreads.back()));
            const int each = std::max(1, int(round.part * tries / double(m_spreads.size())));
            for (const Spread& spread : m_spreads) {
                m_task.report("searching replicas and places", m_estimates, std::llround(tries));
                const int before = spread->tried();
                spread->run(each, limit.context());
                m_estimates += spread->tried() - before;
                improved({m_estimates, spread->ns()});
            }
            std::ranges::stable_sort(m_spreads, {}, [](const Spread& spread) { return spread->ns(); });
        }
    }
    /// The best start of each kind, by which layers are in tiles, then the second best and so on; but for the
    /// first start, as the second came of it.
    std::vector<const CrossbarLayout*> variedStarts(std::size_t most) const {
        std::map<int, int> ofKind;
        std::vector<std::pair<int, const CrossbarLayout*>> ranked;
        for (const CrossbarLayout& start : std::span(m_starts).subspan(m_starts.size() > 1))
            ranked.emplace_back(ofKind[start.tiles().fromRows]++, &start);
        std::ranges::stable_sort(ranked, {}, [](const auto& one) { return one.first; });
        std::vector<const CrossbarLayout*> result;
        for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i)
            result.push_back(ranked[i].second);
        return result;
    }

    void anneal(double forSeconds) {
        if (forSeconds <= 0)
            return;
        std::vector<CrossbarLayout> starts;
        for (const Spread& spread : m_spreads)
            starts.push_back(spread->best());
        const TimeLimit limit(m_task, forSeconds);
        const std::int64_t steps =
            annealingSteps(m_starts.front(), m_options.mode,
                           std::min(forSeconds, kAnnealingPart * m_budget.effortSeconds()));
        LayoutSearchResult found = searchLayout(
            starts, m_options, steps, {.stop = limit.context().stop, .onProgress = m_task.onProgress});
        for (const SearchPoint& point : found.history)
            improved({m_estimates + point.evaluations, point.ns});
        m_annealed = std::move(found.others);
        m_annealed.insert(m_annealed.begin(), std::move(found.best));
    }

    void improved(const SearchPoint& point) {
        if (m_history.empty() || point.ns < m_history.back().ns)
            m_history.push_back(point);
    }

    /// What was met on the way and other starts, those of the spreads by their times.
    std::vector<const CrossbarLayout*> allCandidates() const {
        std::vector<std::pair<double, const CrossbarLayout*>> met;
        for (const auto* spreads : {&m_spreads, &m_dropped})
            for (const Spread& spread : *spreads)
                for (const auto& [ns, layout] : spread->met())
                    met.emplace_back(ns, &layout);
        std::ranges::stable_sort(met, {}, [](const auto& one) { return one.first; });
        std::vector<const CrossbarLayout*> candidates;
        std::size_t annealed = 0, start = 1;
        for (const auto& [ns, layout] : met) {
            if (ns > kAsGood * met.front().first)
                break;
            candidates.push_back(layout);
            // Others in turn: where the estimate is wrong, it is for one kind.
            if (annealed < m_annealed.size())
                candidates.push_back(&m_annealed[annealed++]);
            if (start < m_starts.size())
                candidates.push_back(&m_starts[start++]);
        }
        for (; start < m_starts.size(); ++start)
            candidates.push_back(&m_starts[start]);
        candidates.resize(std::min(candidates.size(), kMostCandidates));
        return candidates;
    }
    std::vector<const CrossbarLayout*> forTradeOffs() const {
        std::vector<const CrossbarLayout*> met;
        for (const Spread& spread : m_spreads)
            met.push_back(&spread->best());
        for (std::size_t i = 0; i < std::min(m_starts.size(), kMostStartsMet); ++i)
            met.push_back(&m_starts[i]);
        for (const CrossbarLayout& layout : m_annealed)
            met.push_back(&layout);
        return met;
    }

    /// The first layout that has a program, where time is no object.
    RefereeChoice firstProgram(const std::vector<const CrossbarLayout*>& layouts) const {
        RefereeChoice choice;
        for (std::size_t i = 0; i < layouts.size() && choice.best < 0 && !m_task.cancelled(); ++i)
            if (const Result<TimedProgram> made = timeProgram(*layouts[i], m_options, m_task))
                choice = {int(i), made->ns, made->instructions};
        return choice;
    }

    const std::vector<CrossbarLayout>& m_starts;
    const MappingOptions& m_options;
    const TaskContext& m_task;
    const Stopwatch m_watch;
    SearchBudget m_budget;
    std::int64_t m_estimates = 0;
    std::vector<Spread> m_spreads, m_dropped;
    std::vector<CrossbarLayout> m_annealed;
    std::vector<SearchPoint> m_history;
};

} // namespace

CrossbarMapping searchLatency(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                              const TaskContext& task) {
    return LatencySearch(starts, options, task).run();
}

} // namespace pim
