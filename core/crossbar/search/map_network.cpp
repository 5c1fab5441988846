// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/baselines.h"
#include "core/crossbar/search/genetic.h"
#include "core/crossbar/search/layout_cost.h"
#include "core/crossbar/search/referee.h"
#include "core/crossbar/search/search.h"
#include "core/crossbar/search/strategies.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace pim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kAnnealingPart = 0.5;      // of the time of a search
constexpr double kTimedAfter = 2.5;         // time kept for so many programs
constexpr std::size_t kMostCandidates = 24; // whose programs are timed

/// Cuts layers finer until all fit: an array at a time they always do, if there are arrays enough.
Result<std::unique_ptr<CrossbarLayoutModel>>
packableModel(const CrossbarNetwork& network, const CrossbarChip& chip, const MappingOptions& options) {
    PIM_TRY(std::vector<LayerPartition> partitions, partitionNetwork(network, chip, options));
    for (;;) {
        PIM_TRY(CrossbarLayoutModel model, crossbarLayoutModel(network, chip, partitions, options.wishes));
        auto result = std::make_unique<CrossbarLayoutModel>(std::move(model));
        CrossbarLayout layout(*result);
        const int entry = packOnce(layout);
        if (entry < 0)
            return result;
        LayerPartition& tight = partitions[std::size_t(entry)];
        int largest = 0;
        for (const ArrayGroupShape& group : tight.groups)
            largest = std::max(largest, group.crossbars);
        if (largest <= 1)
            return fail(ErrorCode::InvalidTarget,
                        fmt::format("{} arrays of {} x {} a replica find no room beside the others",
                                    tight.crossbars(), tight.arrayRows, tight.arrayColumns),
                        network.layers[std::size_t(tight.layer)].name,
                        "ask for fewer replicas or remove pinned array groups");
        PIM_TRY(tight, partitionLayer(network, tight.layer, tight.unfolding, tight.arrayRows,
                                      tight.arrayColumns, largest / 2));
    }
}

CrossbarMapping inOrder(const CrossbarLayout& layout, const MappingOptions& options) {
    return layout.mapping(options.mode, options.strategy, busiestFirst(layout, options.mode));
}

/// The program of the cheapest start is made and timed first, which tells how long that takes; annealing from
/// it gets a part of the time, and what it found and the next starts are timed in what is left. The first
/// start is kept unless one of their programs is faster.
CrossbarMapping searched(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                         const TaskContext& task) {
    const Clock::time_point begin = Clock::now();
    const auto since = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const std::optional<double> startNs = refereeNs(starts.front(), options, task);
    const double once = since();
    MappingOptions annealing = options;
    annealing.seconds = std::min(options.seconds * kAnnealingPart, options.seconds - kTimedAfter * once);
    LayoutSearchResult found{starts.front(), {}, {}, 0};
    if (annealing.seconds > 0)
        found = searchLayout(starts.front(), annealing, task);
    std::vector<const CrossbarLayout*> candidates{&found.best};
    for (std::size_t i = 1; i < std::min(starts.size(), kMostCandidates); ++i)
        candidates.push_back(&starts[i]);
    // Where the cheapest start has no program, another second goes to finding one that has.
    const double left = startNs ? options.seconds - since() - once : std::max(options.seconds, 1.0);
    RefereeChoice choice;
    if (left > 0 && !task.cancelled())
        choice = chooseByProgram(candidates, left, options, task);
    const bool better = choice.best >= 0 && (!startNs || choice.ns < *startNs);
    CrossbarMapping mapping =
        inOrder(better ? *candidates[std::size_t(choice.best)] : starts.front(), options);
    mapping.history = std::move(found.history);
    return mapping;
}

} // namespace

std::vector<std::string> mappingStrategies() {
    return {"search", "constructive", "genetic", "balance", "w0h0", "uniform", "polyhedral", "puma", "songc"};
}

Result<CrossbarMapping> mapNetwork(const CrossbarNetwork& network, const CrossbarChip& chip,
                                   const MappingOptions& options, const TaskContext& task) {
    const std::vector<std::string> names = mappingStrategies();
    const std::string& strategy = options.strategy;
    if (std::ranges::find(names, strategy) == names.end())
        return fail(ErrorCode::NotFound, fmt::format("no mapping strategy '{}'", strategy), {},
                    fmt::format("there are {}", fmt::join(names, ", ")));
    PIM_TRY(const std::unique_ptr<CrossbarLayoutModel> model, packableModel(network, chip, options));
    if (task.cancelled())
        return TaskContext::cancelledError("the mapping");
    CrossbarLayout once(*model);
    packOnce(once);
    std::vector<CrossbarLayout> starts;
    if (strategy == "constructive" || strategy == "search")
        starts = blockLayouts(balancedLayout(once), options.mode);
    if (strategy == "constructive")
        return inOrder(starts.front(), options);
    if (strategy == "search")
        return searched(starts, options, task);
    if (strategy == "genetic") {
        LayoutSearchResult found = geneticLayout(once, options, task);
        CrossbarMapping mapping = inOrder(found.best, options);
        mapping.history = std::move(found.history);
        return mapping;
    }
    if (strategy == "polyhedral")
        return polyhedralLayout(once).mapping(options.mode, strategy);
    if (strategy == "puma" || strategy == "songc")
        return consecutiveLayout(once).mapping(options.mode, strategy);
    const PeerReplication rule = strategy == "balance" ? PeerReplication::Balance
                                 : strategy == "w0h0"  ? PeerReplication::Areas
                                                       : PeerReplication::Uniform;
    PIM_TRY(const CrossbarLayout layout, peerLayout(*model, rule));
    return layout.mapping(options.mode, strategy);
}

CrossbarCost estimateCost(const CrossbarNetwork& network, const CrossbarChip& chip,
                          const CrossbarMapping& mapping) {
    std::vector<LayerPartition> partitions;
    for (const LayerMapping& layer : mapping.layers)
        partitions.push_back(layer.partition);
    const Result<CrossbarLayoutModel> model = crossbarLayoutModel(network, chip, std::move(partitions));
    PIM_ASSERT(model.has_value(), "a mapping that fits its network and chip");
    CrossbarLayout layout(*model);
    for (std::size_t entry = 0; entry < mapping.layers.size(); ++entry)
        for (int replica = 0; replica < mapping.layers[entry].replicas; ++replica) {
            const auto size = std::size_t(mapping.layers[entry].groups());
            layout.add(int(entry),
                       std::span(mapping.layers[entry].cores).subspan(std::size_t(replica) * size, size));
        }
    return CrossbarLayoutCost(layout, mapping.mode).cost();
}

} // namespace pim
