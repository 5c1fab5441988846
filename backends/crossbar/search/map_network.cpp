// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/compat.h"
#include "backends/crossbar/schedule/schedule.h"
#include "backends/crossbar/search/baselines.h"
#include "backends/crossbar/search/genetic.h"
#include "backends/crossbar/search/latency_search.h"
#include "backends/crossbar/search/layout_cost.h"
#include "backends/crossbar/search/program_search.h"
#include "backends/crossbar/search/referee.h"
#include "backends/crossbar/search/row_pipeline.h"
#include "backends/crossbar/search/search_budget.h"
#include "backends/crossbar/search/spread_layout.h"
#include "backends/crossbar/search/strategies.h"
#include "core/base/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pim {
namespace {

/// LL without a search: kinds of layouts, by which layers are in tiles, and estimates of changes of each and
/// then of the best: as many as follow so many windows, as an estimate takes as long as there are windows.
/// [measured, five networks on three chips, by the profiler and by the rules of PIMCOMP-NN: 8 of each kind
/// make samples 4 % shorter and take 60 % longer; BERT base on PUMA: 4 instead of 2 make them 22 % shorter]
constexpr std::size_t kKinds = 2;
constexpr int kFewestTries = 2, kMostTries = 8, kTriesOfSearch = 6;
constexpr double kTriedWindows = 40'000;
/// Where memories are small and windows more than this, nothing is changed: schedules take long there, and a compile
/// would take more than half a second. [measured, VGG16 on ISAAC and PUMA, products of 800, 2000 and 4000 ns: changes
/// take a sixth of a compile and make samples 16 and 5 % shorter in two of six cases, none longer; on D, with larger
/// memories, they are worth up to 40 %]
constexpr double kMostInSmallMemories = 100'000;
// beginning so much later than the best, none came to be it [measured, 20 cases]
constexpr double kFarBehind = 1.1;
/// What changes have to shorten a sample to, together, where nobody times the program: the estimate is a few
/// percent beside it.
constexpr double kWorthIt = 0.95, kWorthItDraining = 0.99;

/// Cuts layers finer until all fit: an array at a time they always do, if there are arrays enough.
Result<std::unique_ptr<CrossbarLayoutModel>>
packableModel(const CrossbarNetwork& network, const CrossbarChip& chip, const MappingOptions& options) {
    PIM_TRY(std::vector<LayerPartition> partitions, partitionNetwork(network, chip, options));
    for (;;) {
        PIM_TRY(CrossbarLayoutModel model, crossbarLayoutModel(network, chip, partitions, options.wishes));
        auto result = std::make_unique<CrossbarLayoutModel>(std::move(model));
        result->referee = options.referee;
        CrossbarLayout layout(*result);
        const MatrixId entry = packOnce(layout);
        if (!entry.valid())
            return result;
        LayerPartition& tight = partitions[entry.index()];
        int largest = 0;
        for (const ArrayGroupShape& group : tight.groups)
            largest = std::max(largest, group.crossbars);
        if (largest <= 1)
            return fail(ErrorCode::InvalidTarget,
                        fmt::format("{} arrays of {} x {} per replica find no room with the others in place",
                                    tight.crossbars(), tight.arrayRows, tight.arrayColumns),
                        network.layers[tight.layer.index()].name,
                        "ask for fewer replicas or remove pinned array groups");
        PIM_TRY(tight, partitionLayer(network, tight.layer, tight.unfolding, tight.arrayRows,
                                      tight.arrayColumns, largest / 2));
    }
}

/// LL: the best of what comes of the first layouts, one of each kind by which layers are in tiles: what is
/// best before need not be afterwards.
class UntimedSpreads {
public:
    explicit UntimedSpreads(const BlockLayouts& blocks) {
        const CrossbarReferee referee = blocks.layouts.front().model().referee;
        m_worthIt = referee == CrossbarReferee::Profiler ? kWorthIt : kWorthItDraining;
        double windows = 1;
        for (const CrossbarLayoutLayer& layer : blocks.layouts.front().model().layers)
            windows += double(layer.windows);
        const bool isLong =
            hasSmallMemories(*blocks.layouts.front().model().chip) && windows > kMostInSmallMemories;
        m_tries = isLong ? 0 : std::clamp(int(kTriedWindows / windows), kFewestTries, kMostTries);
        std::set<int> kinds;
        for (const std::size_t quick : blocks.quick) {
            const CrossbarLayout& start = blocks.layouts[quick];
            const RowPipelineTimes& times = blocks.times[quick];
            if (m_spreads.size() < kKinds && times.ns <= kFarBehind * blocks.times[blocks.quick.front()].ns &&
                kinds.insert(start.tiles().fromRows).second)
                m_spreads.push_back({start, times.ns, LayoutSpreader(start, times)});
        }
    }
    /// Nobody will time it.
    CrossbarLayout quick(const TaskContext& task) {
        spreadEach(m_tries, task);
        best().spreader.run(m_tries, task);
        return worthy(best());
    }
    CrossbarLayout thorough(const TaskContext& task) {
        spreadEach(kTriesOfSearch, task);
        return worthy(best());
    }

private:
    struct Spread {
        const CrossbarLayout& start;
        double startNs;
        LayoutSpreader spreader;
        double ns() const { return spreader.ns(); }
    };
    void spreadEach(int tries, const TaskContext& task) {
        for (Spread& spread : m_spreads)
            spread.spreader.run(tries, task);
    }
    Spread& best() { return *std::ranges::min_element(m_spreads, {}, &Spread::ns); }
    CrossbarLayout worthy(const Spread& spread) const {
        return spread.ns() <= m_worthIt * spread.startNs ? spread.spreader.best() : spread.start;
    }

    double m_worthIt = 0;
    int m_tries = 0;
    std::vector<Spread> m_spreads;
};

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
    const bool searches = strategy == "search" && !SearchBudget::isSpentAtOnce(*model, options);
    if (strategy == "search" || strategy == "constructive") {
        BlockLayouts blocks = blockLayouts(balancedLayout(once), options.mode, searches);
        std::vector<CrossbarLayout>& starts = blocks.layouts;
        // What comes without a search is the first start of one.
        if (latency) {
            UntimedSpreads spreads(blocks);
            std::vector<CrossbarLayout> first{spreads.quick(task)};
            if (searches)
                first.push_back(spreads.thorough(task));
            starts.insert(starts.begin(), first.begin(), first.end());
        }
        if (!searches) {
            MappingOptions made = options;
            made.strategy = "constructive";
            return placedMapping(starts.front(), made);
        }
        // Where memory or arrays are scarce, layers in cores of their own can be better than the best of those
        // in strips; that strategy knows no wishes.
        if (options.wishes.empty()) {
            const auto strips =
                std::ranges::find(starts, 0, [](const auto& one) { return one.tiles().fromRows; });
            starts.insert(strips == starts.end() ? strips : strips + 1, polyhedralLayout(once));
        }
        // HT: where the referee's products take another time than the target says, programs decide for which
        // of the two to plan.
        const CrossbarChip refereeChip = chipOfReferee(given, options.referee);
        std::unique_ptr<CrossbarLayoutModel> refereeModel;
        if (refereeChip.mvmNs != chip.mvmNs) {
            PIM_TRY(refereeModel, packableModel(network, refereeChip, options));
            CrossbarLayout refereeOnce(*refereeModel);
            packOnce(refereeOnce);
            starts.insert(starts.begin() + 1,
                          std::move(blockLayouts(balancedLayout(refereeOnce), options.mode).layouts.front()));
        }
        MappingOptions rest = options;
        if (rest.seconds)
            *rest.seconds -= watch.milliseconds() / 1000;
        return latency ? searchLatency(starts, rest, task) : searchPrograms(starts, rest, task);
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
    for (const MatrixId entry : model->allEntries())
        for (const ReplicaId replica : FirstIds<ReplicaId>(mapping.at(entry).replicas)) {
            std::vector<CoreId> cores;
            for (const GroupId group : FirstIds<GroupId>(mapping.at(entry).groups()))
                cores.push_back(mapping.at(entry).core(replica, group));
            layout.add(entry, cores);
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
