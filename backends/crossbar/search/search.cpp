// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/search.h"

#include "backends/crossbar/search/layout_moves.h"
#include "backends/crossbar/search/row_pipeline.h"
#include "backends/crossbar/search/strategies.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

constexpr double kFirstTemperature = 0.01; // of the start's cost
constexpr double kLastTemperature = 0.0001;
/// Steps of a chain a second; slow enough that the clock seldom ends a search. The low-latency pipeline is
/// followed anew for each, which takes as long as there are layers.
constexpr double kSearchStepsPerSecond = 10000;
constexpr double kPipelineLayersPerSecond = 1200;
/// A step looks at the replicas of a layer anew, so steps take longer where layers have more than so many on average. [measured, two
/// layers of 256 replicas and 1 on ISAAC: 3 s of CPU time instead of 30, the period 0.01 % longer]
constexpr double kReplicasAtThatRate = 8;
constexpr int kStepsBetweenLooks = 64; // at the stop flag
constexpr std::size_t kChains = 2;     // whatever the number of threads
constexpr int kPhases = 12;            // of a chain, the best layout of each is kept
constexpr double kStartsApart = 1.1; // another start is as good if it costs no more than this times the best

/// One chain of annealing.
class Chain {
public:
    Chain(const CrossbarLayout& start, CrossbarMode mode, std::uint64_t seed)
        : m_mode(mode), m_layout(start), m_cost(m_layout, mode), m_moves(m_layout, m_cost, seed),
          m_best(start) {
        m_unit = m_value = m_bestValue = objective(std::numeric_limits<double>::infinity());
        m_moves.setWeights(m_nextWeights);
    }
    Chain(const Chain&) = delete;
    Chain& operator=(const Chain&) = delete;

    double bestValue() const { return m_bestValue; }
    const CrossbarLayout& best() const { return m_best; }
    /// Cheapest of each phase.
    const std::vector<std::pair<double, CrossbarLayout>>& found() const { return m_found; }

    /// One step at \p progress of the way (0 … 1).
    void step(double progress) {
        if (!m_moves.propose())
            return;
        const std::vector<MatrixId> entries = m_moves.changedEntries();
        for (const MatrixId entry : entries)
            m_cost.update(entry);
        const double temperature =
            m_unit * kFirstTemperature * std::pow(kLastTemperature / kFirstTemperature, progress);
        // Worse ones are taken with probability exp(-difference / temperature).
        const auto most = [&] { return m_value - temperature * std::log(m_moves.random().unit()); };
        const bool knowsMost = m_mode == CrossbarMode::LowLatency; // before it is followed
        const double limitNs = knowsMost ? most() : std::numeric_limits<double>::infinity();
        const double value = objective(limitNs);
        if (value > m_value && value > (knowsMost ? limitNs : most())) {
            m_moves.takeBack();
            for (const MatrixId entry : entries)
                m_cost.update(entry);
            return;
        }
        m_value = value;
        m_moves.setWeights(m_nextWeights);
        keep(int(progress * kPhases));
        if (value >= m_bestValue * (1 - 1e-9))
            return;
        m_bestValue = value;
        m_best = m_layout;
    }

private:
    /// LL: infinite where it is more than \p limitNs.
    double objective(double limitNs) {
        if (m_mode == CrossbarMode::HighThroughput)
            return m_cost.objective();
        const RowPipelineTimes times = pipelineTimes(m_layout, limitNs);
        if (times.ns > limitNs)
            return times.ns;
        m_nextWeights = criticalWeights(m_layout.model(), times.layerEndNs);
        return times.ns;
    }
    void keep(int phase) {
        if (phase != m_phase || m_found.empty()) {
            m_phase = phase;
            m_found.emplace_back(m_value, m_layout);
        } else if (m_value < m_found.back().first) {
            m_found.back() = {m_value, m_layout};
        }
    }

    CrossbarMode m_mode;
    CrossbarLayout m_layout;
    CrossbarLayoutCost m_cost;
    LayoutMoves m_moves;
    CrossbarLayout m_best;
    std::vector<std::pair<double, CrossbarLayout>> m_found;
    std::vector<double> m_nextWeights; ///< Of the layout that was evaluated last.
    int m_phase = 0;
    double m_value = 0, m_bestValue = 0, m_unit = 0;
};

/// Curves of chains that go step by step side by side, as one.
std::vector<SearchPoint> joinedCurves(const std::vector<std::vector<SearchPoint>>& curves) {
    std::vector<SearchPoint> all;
    for (const std::vector<SearchPoint>& curve : curves)
        for (const SearchPoint& point : curve)
            all.push_back({point.evaluations * std::ssize(curves), point.ns});
    std::ranges::stable_sort(all, {}, &SearchPoint::evaluations);
    std::vector<SearchPoint> best;
    for (const SearchPoint& point : all)
        if (best.empty() || point.ns < best.back().ns)
            best.push_back(point);
    return best;
}

} // namespace

RowPipelineTimes pipelineTimes(const CrossbarLayout& layout, double limitNs) {
    return rowPipelineTimes(
        *layout.model().network, *layout.model().chip,
        layout.mapping(CrossbarMode::LowLatency, {}, busiestFirst(layout, CrossbarMode::LowLatency)),
        layout.model().referee, limitNs);
}

std::vector<double> criticalWeights(const CrossbarLayoutModel& model, const std::vector<double>& layerEndNs) {
    constexpr double kLeastWeight = 0.2; // of all layers together, beside those a sample waits for
    std::vector<MatrixId> entryOf = model.entryOf;
    for (const CrossbarVectorLayer& vector : model.vectors)
        if (vector.home.valid())
            entryOf[vector.layer.index()] = vector.home;
    const double last = *std::ranges::max_element(layerEndNs);
    std::vector<double> weights(model.layers.size(), kLeastWeight * last / double(model.layers.size()));
    for (LayerId layer(std::ranges::max_element(layerEndNs) - layerEndNs.begin()); layer.valid();) {
        LayerId before;
        for (const FlowId flow : model.flowsTo[layer.index()])
            if (const LayerId from = model.flows[flow.index()].from;
                !before.valid() || layerEndNs[from.index()] > layerEndNs[before.index()])
                before = from;
        const double since = before.valid() ? layerEndNs[before.index()] : 0;
        if (const MatrixId entry = entryOf[layer.index()]; entry.valid())
            weights[entry.index()] += std::max(0.0, layerEndNs[layer.index()] - since);
        layer = before;
    }
    return weights;
}

double layoutNs(const CrossbarLayout& layout, CrossbarMode mode, double limitNs) {
    if (mode == CrossbarMode::HighThroughput)
        return CrossbarLayoutCost(layout, mode).objective();
    return pipelineTimes(layout, limitNs).ns;
}

std::int64_t annealingSteps(const CrossbarLayout& start, CrossbarMode mode, double seconds) {
    const CrossbarLayoutModel& model = start.model();
    double replicas = 0;
    for (const MatrixId entry : model.allEntries())
        replicas += start.replicas(entry);
    const double mean = replicas / double(std::max<std::size_t>(1, model.layers.size()));
    const double rate =
        mode == CrossbarMode::HighThroughput
            ? kSearchStepsPerSecond / std::max(1.0, mean / kReplicasAtThatRate)
            : kPipelineLayersPerSecond / double(std::max<std::size_t>(1, model.layers.size()));
    return std::max<std::int64_t>(1, std::llround(seconds * rate));
}

LayoutSearchResult searchLayout(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                                std::int64_t steps, const TaskContext& task) {
    std::vector<std::unique_ptr<Chain>> chains;
    for (std::size_t i = 0; i < kChains; ++i) {
        const std::uint64_t seed = options.seed * 1'000'003ULL + i;
        auto chain = std::make_unique<Chain>(starts[i % starts.size()], options.mode, seed);
        if (i > 0 && chain->bestValue() > kStartsApart * chains.front()->bestValue())
            chain = std::make_unique<Chain>(starts.front(), options.mode, seed);
        chains.push_back(std::move(chain));
    }
    std::vector<std::int64_t> done(chains.size(), 0);
    std::vector<std::vector<SearchPoint>> curves(chains.size());
    // Where a step takes long, the stop flag is looked at after each.
    const int looks = options.mode == CrossbarMode::HighThroughput ? kStepsBetweenLooks : 1;
    parallelFor(chains.size(), options.threads, [&](std::size_t i) {
        const auto look = [&] {
            if (curves[i].empty() || chains[i]->bestValue() < curves[i].back().ns)
                curves[i].push_back({done[i], chains[i]->bestValue()});
        };
        for (std::int64_t step = 0; step < steps; ++step, ++done[i]) {
            if (step % looks == 0) {
                look();
                if (task.cancelled())
                    break;
                if (i == 0)
                    task.report("searching replicas and places", step, steps);
            }
            chains[i]->step(double(step) / double(steps));
        }
        look();
    });
    const auto best =
        std::ranges::min_element(chains, {}, [](const auto& chain) { return chain->bestValue(); });
    LayoutSearchResult result{(*best)->best(), {}, joinedCurves(curves), 0};
    std::vector<std::pair<double, const CrossbarLayout*>> found;
    for (const auto& chain : chains)
        for (const auto& [ns, layout] : chain->found())
            if (ns > (*best)->bestValue())
                found.emplace_back(ns, &layout);
    std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
    for (const auto& [ns, layout] : found)
        result.others.push_back(*layout);
    for (const std::int64_t count2 : done)
        result.steps += count2;
    return result;
}

} // namespace pim
