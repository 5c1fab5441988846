// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/program_search.h"

#include "backends/crossbar/schedule/stage_groups.h"
#include "backends/crossbar/search/referee.h"
#include "backends/crossbar/search/search.h"
#include "backends/crossbar/search/search_budget.h"
#include "backends/crossbar/search/trade_offs.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/base/time_limit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace pim {
namespace {

constexpr double kTimedAnnealingPart = 0.15; ///< Of the effort, but …
constexpr double kLeastTimedAnnealing = 0.5; ///< … no less, where evaluations count: a program takes longer.
constexpr double kTradeOffPart = 0.1;        ///< Of the seconds, for what is shown beside the result.
constexpr double kTimedAsGood = 1.1;         ///< A start that takes no more than this times the best is.
constexpr double kPromise =
    0.98; ///< Of the least estimate timed so far: a first annealed layout is timed below it.
constexpr double kNearBound = 0.8;  ///< Of the time of a sample.
constexpr double kLeastGain = 5e-4; ///< Of the time of a sample, for which layers wait or cease to.
constexpr int kStageSizes[] = {4, 2};
constexpr std::size_t kFirstStarts = 2;  ///< Start layouts that are timed first, and …
constexpr std::size_t kMostStarts = 4;   ///< … when stages are as good as they get, and …
constexpr std::size_t kMostAnnealed = 4; ///< … at a time of those annealing found.
constexpr std::size_t kMovesAtOnce = 2;  ///< However many threads there are.
constexpr std::size_t kMostRanked = 256; ///< Moves of stages; ranking one looks at every layer.

/// Layers that begin to wait, or cease to.
using StageMove = std::vector<LayerId>;
struct RankedMove {
    StageMove move;
    double gainNs = 0; ///< Of the bound of the round.
};

class ProgramSearch {
public:
    ProgramSearch(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                  const TaskContext& task)
        : m_starts(starts), m_options(options), m_task(task), m_budget(options),
          m_limit(task, m_budget.endSeconds() * (1 - kTradeOffPart)) {}

    Result<CrossbarMapping> run() {
        PIM_CHECK(timeStarts());
        m_onceMore = m_watch.milliseconds() / 1000;
        if (!over())
            timePromising();
        if (m_options.layersAStage == kMappedStages) {
            sizeStages();
            moveStages();
        }
        const double before = m_best.ns;
        time(candidatesOf(m_starts, kFirstStarts, kMostStarts));
        if (m_best.ns < before && m_options.layersAStage == kMappedStages)
            moveStages();
        for (int round = 1; !over(); ++round)
            timeAnnealed(round);
        m_best.mapping.history = std::move(m_history);
        m_best.mapping.tradeOffs = tradeOffs();
        return std::move(m_best.mapping);
    }

private:
    struct Candidate {
        const CrossbarLayoutModel* model = nullptr;
        CrossbarMapping mapping;
        double estimateNs = 0; ///< layoutNs()
        double mostTwice = 0;  ///< CrossbarSchedule::mostTwice; 0: no program was made of this layout.
        std::size_t instructions = 0;
        double ns = std::numeric_limits<double>::infinity();
    };

    bool over() const { return m_limit.over() || m_budget.over(); }

    std::vector<Candidate> candidatesOf(const std::vector<CrossbarLayout>& layouts, std::size_t begin,
                                        std::size_t end) const {
        std::vector<Candidate> candidates;
        for (std::size_t i = begin; i < std::min(end, layouts.size()); ++i)
            candidates.push_back({&layouts[i].model(), placedMapping(layouts[i], m_options),
                                  layoutNs(layouts[i], m_options.mode)});
        return candidates;
    }

    /// Makes and times its program. Its stages become what came out.
    Result<void> timeOne(Candidate& candidate, const TaskContext& task) const {
        PIM_TRY(TimedProgram program,
                timeProgram(*candidate.model, candidate.mapping, m_options, task, candidate.mostTwice));
        candidate.ns = program.ns;
        candidate.mapping.stages = std::move(program.stages);
        candidate.mostTwice = program.mostTwice;
        candidate.instructions = program.instructions;
        return {};
    }

    /// Times as many as the budget allows; one that takes less than the best by \p leastGain of it becomes the
    /// best. \returns those, with their times, infinite where there is no program.
    std::vector<Candidate> time(std::vector<Candidate> candidates, double leastGain = 0) {
        candidates.resize(m_budget.take(candidates.size()));
        parallelFor(candidates.size(), m_options.threads, [&](std::size_t i) {
            if (!m_limit.over() && !timeOne(candidates[i], m_limit.context()))
                candidates[i].ns = std::numeric_limits<double>::infinity();
        });
        const double most = m_best.ns * (1 - leastGain);
        for (const Candidate& candidate : candidates)
            if (candidate.ns < most)
                consider(candidate);
        return candidates;
    }
    void consider(const Candidate& candidate) {
        if (candidate.ns >= m_best.ns)
            return;
        m_best = candidate;
        m_history.push_back({m_budget.spent(), m_best.ns});
        m_task.report("timing programs", m_budget.spent());
    }

    /// The first whatever that takes, and any rather than none.
    Result<void> timeStarts() {
        std::vector<Candidate> starts = candidatesOf(m_starts, 0, kFirstStarts);
        m_budget.spend(starts.size());
        std::vector<Result<void>> made(starts.size());
        parallelFor(starts.size(), m_options.threads, [&](std::size_t i) {
            made[i] = timeOne(starts[i], i == 0 ? quiet() : m_limit.context());
        });
        for (std::size_t i = 0; i < starts.size(); ++i)
            if (made[i]) {
                consider(starts[i]);
                m_timed.push_back(starts[i]);
            }
        for (std::size_t i = 1; !m_best.model && i < m_starts.size(); ++i)
            if (Candidate start = candidatesOf(m_starts, i, i + 1).front(); timeOne(start, quiet())) {
                consider(start);
                m_timed.push_back(start);
            }
        m_budget.setProgramSize(m_best.instructions, m_starts.front().model());
        return m_best.model ? Result<void>() : made.front();
    }
    TaskContext quiet() const { return {.stop = m_task.stop, .onProgress = {}}; }

    /// Where arrays are left over, other layouts gain more than stages do, so stages are moved in the best of them.
    void timePromising() {
        std::vector<Candidate> annealed = anneal(0);
        double least = m_best.estimateNs; // of one chip: another one's products take another time
        for (const Candidate& start : m_timed)
            if (start.model == m_best.model)
                least = std::min(least, start.estimateNs);
        std::erase_if(annealed, [&](const Candidate& one) { return one.estimateNs > kPromise * least; });
        std::ranges::copy_if(time(std::move(annealed)), std::back_inserter(m_timed),
                             [](const Candidate& one) { return std::isfinite(one.ns); });
    }

    /// Other layouts by the estimate, the best first.
    std::vector<Candidate> anneal(int round) {
        MappingOptions annealing = m_options;
        annealing.seed += unsigned(round);
        const TimeLimit limit(m_limit.context(), m_budget.endSeconds() * kTimedAnnealingPart);
        std::vector<CrossbarLayout> starts;
        for (const CrossbarLayout& start : m_starts)
            if (&start.model() == m_best.model)
                starts.push_back(start);
        const double seconds = m_budget.effortSeconds() * kTimedAnnealingPart;
        const std::int64_t steps =
            annealingSteps(starts.front(), m_options.mode,
                           m_options.seconds ? seconds : std::max(seconds, kLeastTimedAnnealing));
        LayoutSearchResult found = searchLayout(starts, annealing, steps, limit.context());
        std::vector<CrossbarLayout>& layouts = m_annealed.emplace_back(std::move(found.others));
        layouts.insert(layouts.begin(), std::move(found.best));
        layouts.resize(std::min(layouts.size(), kMostAnnealed), layouts.front());
        return candidatesOf(layouts, 0, layouts.size());
    }

    /// With the stages that were best so far.
    void timeAnnealed(int round) {
        const double before = m_best.ns;
        std::vector<Candidate> candidates = anneal(round);
        for (Candidate& candidate : candidates)
            candidate.mapping.stages = m_best.mapping.stages;
        time(std::move(candidates));
        if (m_best.ns < before && m_options.layersAStage == kMappedStages)
            moveStages();
    }

    std::vector<MappingTradeOff> tradeOffs() const {
        std::vector<const CrossbarLayout*> met;
        for (const CrossbarLayout& start : m_starts)
            met.push_back(&start);
        for (const std::vector<CrossbarLayout>& layouts : m_annealed)
            for (const CrossbarLayout& layout : layouts)
                met.push_back(&layout);
        const TimeLimit limit(m_task, m_budget.endSeconds() - m_onceMore - m_watch.milliseconds() / 1000);
        return tradeOffsOf(met, m_options, limit.context());
    }

    /// Stages of several layers, whichever they are, of all starts that are about as good: with a layer a
    /// stage they may differ by little, with several by half.
    void sizeStages() {
        m_roundNs = m_best.ns;
        std::vector<Candidate> candidates;
        for (const int layers : kStageSizes)
            for (const Candidate& start : m_timed) {
                if (start.ns > kTimedAsGood * m_roundNs)
                    continue;
                Candidate& candidate = candidates.emplace_back(start);
                candidate.mapping.stages.layersAStage = layers;
                candidate.mapping.stages.roundNs = start.ns;
                candidate.ns = std::numeric_limits<double>::infinity();
            }
        time(std::move(candidates));
    }

    /// Step by step, as long as a program gets faster. Some moves at once; where several are good, they are
    /// tried together.
    void moveStages() {
        std::vector<RankedMove> moves = stageMoves();
        std::set<std::vector<LayerId>> tried{m_best.mapping.stages.waiting};
        for (bool found = true; found && !over();) {
            found = false;
            rank(moves);
            std::vector<StageMove> good;
            for (auto next = moves.begin(); (next != moves.end() || !good.empty()) && !over();) {
                std::vector<Candidate> candidates;
                std::vector<StageMove> made;
                const auto propose = [&](const StageMove& move) {
                    Candidate moved = after(m_best, move);
                    if (!tried.insert(moved.mapping.stages.waiting).second)
                        return;
                    candidates.push_back(std::move(moved));
                    made.push_back(move);
                };
                for (const StageMove& move : std::exchange(good, {}))
                    propose(move);
                for (; candidates.size() < kMovesAtOnce && next != moves.end(); ++next)
                    propose(next->move);
                const double before = m_best.ns;
                candidates = time(std::move(candidates), kLeastGain);
                found = found || m_best.ns < before;
                for (std::size_t i = 0; i < candidates.size(); ++i) {
                    tried.insert(candidates[i].mapping.stages.waiting);
                    if (candidates[i].ns > m_best.ns && candidates[i].ns < before * (1 - kLeastGain))
                        good.push_back(made[i]);
                }
            }
        }
    }

    /// One layer that begins to wait or ceases to, or all that read a map: then it need not go to memory.
    std::vector<RankedMove> stageMoves() const {
        const auto& layers = m_best.model->network->layers;
        const std::vector<LayerId> waiting = preview(m_best, {.layersAStage = kAnyLayersAStage}).waiting;
        std::map<LayerId, StageMove> readers;
        std::vector<RankedMove> moves;
        for (const LayerId layer : waiting) {
            moves.push_back({{layer}});
            for (const LayerId input : layers[layer.index()].inputs)
                readers[input].push_back(layer);
        }
        for (auto& [map, all] : readers)
            if (all.size() > 1)
                moves.push_back({std::move(all)});
        if (moves.size() > kMostRanked) { // those of the largest maps, which memory would be spared
            std::ranges::stable_sort(moves, std::greater(), [&](const RankedMove& move) {
                return layers[move.move.front().index()].in.elements();
            });
            moves.resize(kMostRanked);
        }
        return moves;
    }

    /// Near the bound of the round what lowers it most comes first. Far from it cores wait for each other:
    /// then what hands most on should cease to, which makes the bound higher.
    void rank(std::vector<RankedMove>& moves) const {
        const double boundNs = preview(m_best, m_best.mapping.stages).boundNs;
        parallelFor(moves.size(), m_options.threads, [&](std::size_t i) {
            RankedMove& ranked = moves[i];
            const MappedStages stages = after(m_best, ranked.move).mapping.stages;
            ranked.gainNs = boundNs - preview(m_best, stages).boundNs;
        });
        const double sign = boundNs > kNearBound * m_best.ns ? 1 : -1;
        std::ranges::stable_sort(moves, std::greater(),
                                 [&](const RankedMove& ranked) { return sign * ranked.gainNs; });
    }

    StagePreview preview(const Candidate& base, const MappedStages& stages) const {
        return previewStages(
            {*base.model->network, *base.model->chip, base.mapping, stages, m_options.referee},
            base.mostTwice);
    }

    Candidate after(const Candidate& base, const StageMove& move) const {
        Candidate moved = base;
        MappedStages& stages = moved.mapping.stages;
        std::set<LayerId> waiting(stages.waiting.begin(), stages.waiting.end());
        const bool ceases = std::ranges::all_of(move, [&](LayerId layer) { return waiting.contains(layer); });
        for (const LayerId layer : move)
            if (ceases)
                waiting.erase(layer);
            else
                waiting.insert(layer);
        stages.waiting.assign(waiting.begin(), waiting.end());
        stages.layersAStage = waiting.empty() ? 1 : kAnyLayersAStage;
        stages.roundNs = m_roundNs;
        if (!waiting.empty())
            stages.waiting = preview(base, stages).waiting;
        return moved;
    }

    const std::vector<CrossbarLayout>& m_starts;
    const MappingOptions& m_options;
    const TaskContext& m_task;
    const Stopwatch m_watch;
    SearchBudget m_budget;
    const TimeLimit m_limit;
    /// Seconds it takes who asked for the mapping to make its program: part of the time.
    double m_onceMore = 0;
    Candidate m_best;
    double m_roundNs = 0;           ///< Of the best program with a stage for every layer.
    std::vector<Candidate> m_timed; ///< Starts that have a program, with a stage for every layer.
    std::vector<std::vector<CrossbarLayout>> m_annealed; ///< [round], the best by the estimate first.
    std::vector<SearchPoint> m_history;
};

} // namespace

Result<CrossbarMapping> searchPrograms(const std::vector<CrossbarLayout>& starts,
                                       const MappingOptions& options, const TaskContext& task) {
    return ProgramSearch(starts, options, task).run();
}

} // namespace pim
