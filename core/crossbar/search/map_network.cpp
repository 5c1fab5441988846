// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/stopwatch.h"
#include "core/base/time_limit.h"
#include "core/crossbar/compat.h"
#include "core/crossbar/search/baselines.h"
#include "core/crossbar/search/genetic.h"
#include "core/crossbar/search/layout_cost.h"
#include "core/crossbar/search/program_search.h"
#include "core/crossbar/search/referee.h"
#include "core/crossbar/search/row_pipeline.h"
#include "core/crossbar/search/search.h"
#include "core/crossbar/search/strategies.h"
#include "core/crossbar/search/trade_offs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace pim {
namespace {

/// LL: estimates without a search, which take no more than half a second together, and for another start of
/// one: what more tries find is not always better when it is timed.
constexpr int kSpreadTries = 12, kSpreadTriesOfSearch = 60;
constexpr double kSpreadGrowth = 1.6, kSpreadGrowthOfSearch = 1.3;
constexpr double kSpreadPart = 0.25;                  // of the time of a search, LL
constexpr double kAnnealingPart = 0.5;                // of the time of a search
constexpr std::size_t kKinds = 2, kKindsOfSearch = 3; // of layouts, by which layers are in tiles
constexpr double kTimedAfter = 4;                     // time kept for so many programs
constexpr std::size_t kMostStartsMet = 8;             // among the trade-offs
constexpr std::size_t kMostCandidates = 24;           // whose programs are timed

/// Cuts layers finer until all fit: an array at a time they always do, if there are arrays enough.
Result<std::unique_ptr<CrossbarLayoutModel>>
packableModel(const CrossbarNetwork& network, const CrossbarChip& chip, const MappingOptions& options) {
    PIM_TRY(std::vector<LayerPartition> partitions, partitionNetwork(network, chip, options));
    for (;;) {
        PIM_TRY(CrossbarLayoutModel model, crossbarLayoutModel(network, chip, partitions, options.wishes));
        auto result = std::make_unique<CrossbarLayoutModel>(std::move(model));
        result->referee = options.referee;
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

/// The first layout that has a program, where time is no object.
RefereeChoice firstProgram(const std::vector<const CrossbarLayout*>& layouts, const MappingOptions& options,
                           const TaskContext& task) {
    RefereeChoice choice;
    for (std::size_t i = 0; i < layouts.size() && choice.best < 0 && !task.cancelled(); ++i)
        if (const Result<TimedProgram> made = timeProgram(*layouts[i], options, task))
            choice = {int(i), made->ns, int(i) + 1};
    return choice;
}

/// LL: the program of the first start is made and timed whatever that takes, that of the second beside it;
/// this tells how long it takes. Annealing gets a part of the time, and what it found and the next starts are
/// timed in what is left. The better of the two is kept unless one of their programs is faster.
CrossbarMapping searched(const std::vector<CrossbarLayout>& starts, const MappingOptions& options,
                         const TaskContext& task) {
    const Stopwatch watch;
    const TimeLimit limit(task, options.seconds);
    const std::vector<const CrossbarLayout*> firstTwo{&starts[0],
                                                      &starts[std::min<std::size_t>(1, starts.size() - 1)]};
    const RefereeChoice start = chooseByProgram(firstTwo, options, limit.context(), &task);
    const double once = watch.milliseconds() / 1000;
    MappingOptions annealing = options;
    annealing.seconds = std::min(options.seconds * kAnnealingPart, options.seconds - kTimedAfter * once);
    LayoutSearchResult found{starts.front(), {}, {}, 0};
    if (annealing.seconds > 0)
        found = searchLayout(starts, annealing, task);
    std::vector<const CrossbarLayout*> met{&found.best};
    for (std::size_t i = 0; i < std::min(starts.size(), kMostStartsMet); ++i)
        met.push_back(&starts[i]);
    for (const CrossbarLayout& layout : found.others)
        met.push_back(&layout);
    std::vector<MappingTradeOff> tradeOffs = tradeOffsOf(met, options, task);
    std::vector<const CrossbarLayout*> candidates{&found.best};
    // What was met on the way and other starts in turn: where the estimate is wrong, it is for one kind.
    for (std::size_t i = 0;
         candidates.size() < kMostCandidates && i < std::max(found.others.size(), starts.size()); ++i) {
        if (i < found.others.size())
            candidates.push_back(&found.others[i]);
        if (i + 1 < starts.size())
            candidates.push_back(&starts[i + 1]);
    }
    task.report("timing the best");
    RefereeChoice choice = chooseByProgram(candidates, options, limit.context());
    if (start.best < 0 && choice.best < 0) // any program is better than none, however long it takes to find
        choice = firstProgram(candidates, options, task);
    const bool better = choice.best >= 0 && (start.best < 0 || choice.ns < start.ns);
    CrossbarMapping mapping = placedMapping(better ? *candidates[std::size_t(choice.best)]
                                                   : *firstTwo[std::size_t(std::max(0, start.best))],
                                            options);
    mapping.history = std::move(found.history);
    mapping.tradeOffs = std::move(tradeOffs);
    return mapping;
}

/// LL: the first of \p starts is spread, and the first of those with other layers in tiles, as what is best
/// before need not be afterwards. What comes of them goes first, the best before others. \param most kinds.
void spreadKinds(std::vector<CrossbarLayout>& starts, std::size_t most, int tries, double growth, bool timed,
                 const TaskContext& task = {}) {
    std::vector<CrossbarLayout> kinds;
    for (const CrossbarLayout& start : starts)
        if (kinds.size() < most && std::ranges::none_of(kinds, [&](const CrossbarLayout& kind) {
                return kind.tiles().fromRows == start.tiles().fromRows;
            }))
            kinds.push_back(start);
    std::vector<std::pair<double, CrossbarLayout>> found;
    for (const CrossbarLayout& kind : kinds) {
        CrossbarLayout spread = spreadLayout(kind, tries, growth, timed, task);
        found.emplace_back(layoutNs(spread, CrossbarMode::LowLatency), std::move(spread));
    }
    std::ranges::stable_sort(found, std::greater(), [](const auto& one) { return one.first; });
    for (auto& [ns, layout] : found)
        starts.insert(starts.begin(), std::move(layout));
}

} // namespace

std::vector<std::string> mappingStrategies() {
    return {"search", "constructive", "genetic", "balance", "w0h0", "uniform", "polyhedral", "puma", "songc"};
}

Result<CrossbarMapping> mapNetwork(const CrossbarNetwork& network, const CrossbarChip& given,
                                   const MappingOptions& options, const TaskContext& task) {
    // HT plans for products as long as the target says: replicas that shorter ones do not need keep arrays
    // from being always busy. [measured, products of 800 ns: on four chips better more often than not]
    const bool latency = options.mode == CrossbarMode::LowLatency;
    const CrossbarChip chip = latency ? chipOfReferee(given, options.referee) : given;
    const Stopwatch watch;
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
    if (latency && !starts.empty())
        spreadKinds(starts, kKinds, kSpreadTries, kSpreadGrowth, false);
    if (strategy == "constructive")
        return placedMapping(starts.front(), options);
    if (strategy == "search") {
        if (latency) {
            // What comes without a search stays first: its program is timed, whatever that takes.
            std::vector<CrossbarLayout> more = blockLayouts(balancedLayout(once), options.mode, true);
            const TimeLimit limit(task, options.seconds * kSpreadPart);
            spreadKinds(more, kKindsOfSearch, kSpreadTriesOfSearch, kSpreadGrowthOfSearch, true,
                        limit.context());
            more.insert(more.begin(), starts.front());
            starts = std::move(more);
        }
        // Where memory or arrays are scarce, layers in cores of their own can be the better start; it knows
        // no wishes.
        if (options.wishes.empty())
            starts.insert(starts.begin() + (latency ? 2 : 1), polyhedralLayout(once));
        // HT: where the referee's products take another time than the target says, programs decide for which
        // of the two to plan.
        const CrossbarChip refereeChip = chipOfReferee(given, options.referee);
        std::unique_ptr<CrossbarLayoutModel> refereeModel;
        if (refereeChip.mvmNs != chip.mvmNs) {
            PIM_TRY(refereeModel, packableModel(network, refereeChip, options));
            CrossbarLayout refereeOnce(*refereeModel);
            packOnce(refereeOnce);
            starts.insert(starts.begin() + 1,
                          blockLayouts(balancedLayout(refereeOnce), options.mode).front());
        }
        MappingOptions rest = options;
        rest.seconds -= watch.milliseconds() / 1000;
        return latency ? searched(starts, rest, task) : searchPrograms(starts, rest, task);
    }
    if (strategy == "genetic") {
        LayoutSearchResult found = geneticLayout(once, options, task);
        CrossbarMapping mapping = placedMapping(found.best, options);
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

CrossbarCost estimateCost(const CrossbarNetwork& network, const CrossbarChip& given,
                          const CrossbarMapping& mapping, CrossbarReferee referee) {
    const CrossbarChip chip = chipOfReferee(given, referee);
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
    const CrossbarLayoutCost layoutCost(layout, mapping.mode);
    CrossbarCost cost = layoutCost.cost();
    if (mapping.mode == CrossbarMode::LowLatency) {
        cost.periodNs = rowPipelineTimes(network, chip, mapping, referee).ns;
        cost.energyPj = layoutCost.energyPj(cost, cost.periodNs);
    }
    return cost;
}

} // namespace pim
