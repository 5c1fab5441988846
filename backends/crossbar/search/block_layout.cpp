// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/search.h"
#include "backends/crossbar/search/strategies.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace pim {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Tried, each kPeriodStep times the one before, from the shortest there can be. LL: what is found is spread
/// afterwards, see LayoutSpreader; without a search one period less is tried. [measured, five networks on three
/// chips: as good with two as with three, 9 % longer samples with one]
constexpr int kPeriods = 6, kPeriodsOfLatency = 3, kQuickPeriodsOfLatency = 2;
/// How often a period is made longer by kPeriodStep, and whether what fills gaps gets cores of its own: for the rest of a network with
/// layers in tiles. [measured by the rules of PIMCOMP-NN: on ResNet-18 and -34, GoogLeNet and SqueezeNet, products of 800 and 4000 ns, one of these is the best or near it]
struct PeriodTry {
    int steps = 0;
    bool apart = false;
    double depth = 0;
    bool thorough = false; ///< Of a search alone.
};
constexpr PeriodTry kTriesBesideTiles[] = {
    {1, false, 0.5, false}, {1, true, 0.5, false}, {1, false, 1, false}, {2, false, 0.5, true},
    {2, true, 0.5, true},   {0, false, 0.5, true}, {2, true, 1, true}};
constexpr double kPeriodStep = 1.15;
constexpr int kMostSteps = 60;    // to a period for which there are arrays
constexpr int kMostLonger = 20;   // steps to one for which a plan is found: 16 times as long
constexpr double kHopeless = 1.1; // LL: what takes this much longer than another is not followed to its end
constexpr std::size_t kTogether = 2; ///< Layouts timed before the best of them is a limit for the next.
// a layer with less work per array than this part of a busy core's fills gaps
constexpr double kFillerDensity = 0.4;

/// See BlockPlanner::speedOf(); tried one after the other.
std::vector<double> depthsOf(CrossbarMode mode) {
    return mode == CrossbarMode::HighThroughput ? std::vector<double>{0} : std::vector<double>{0.5, 1};
}

/// A stretch of layers and the cores it gets.
struct Block {
    int begin = 0, end = 0; ///< Of BlockPlanner::m_dense.
    int cores = 0;
};

/// One try: blocks for one period.
class BlockPlanner {
public:
    /// \param start: layers that are in it stay as they are.
    /// \param apart: layers that fill gaps get cores of their own.
    /// \param depth: LL; how much faster than the period layers of fewer rows are, see speedOf().
    BlockPlanner(const CrossbarLayout& start, double period, bool apart, double depth)
        : m_start(start), m_model(start.model()), m_period(period), m_depth(depth) {
        for (const MatrixId entry : m_model.allEntries())
            if (isLeft(entry))
                m_mostRows = std::max(m_mostRows, rowsOf(at(entry)));
        for (const MatrixId entry : m_model.allEntries())
            m_speed.push_back(std::pow(double(rowsOf(at(entry))) / m_mostRows, m_depth));
        m_areas.resize(m_model.flows.size());
        capacityOfCore();
        for (const MatrixId entry : m_model.allEntries())
            if (isDense(entry))
                m_dense.push_back(entry);
        findHomes();
        m_cores = m_model.cores() - (apart ? coresOfFillers() : 0);
    }

    /// What products take to be issued, with all cores always busy.
    double issueNs() const {
        double period = 0;
        for (const MatrixId entry : m_model.allEntries())
            if (isLeft(entry))
                period += workNs(entry) / m_model.cores();
        return period;
    }
    /// No period below this is possible: longer than issueNs() where there are not arrays enough for it.
    double shortest() const {
        double period = issueNs();
        for (int step = 0; step < kMostSteps && !hasArrays(period); ++step)
            period *= kPeriodStep;
        return period;
    }

    std::optional<CrossbarLayout> run() {
        if (m_cores < 1 || (m_dense.empty() && m_start.tiles().fromRows == 0) || !plan())
            return std::nullopt;
        if (!m_blocks.empty())
            spreadSpareCores();
        CrossbarLayout layout = m_start;
        if (!placePins(layout) || !placeBlocks(layout) || !placeFillers(layout))
            return std::nullopt;
        return layout;
    }

private:
    /// Enough for the replicas it takes?
    bool hasArrays(double period) const {
        for (std::size_t kind = 0; kind < m_model.capacity.size(); ++kind) {
            double needed = 0, free = 0;
            for (const MatrixId entry : m_model.allEntries())
                if (const CrossbarLayoutLayer& layer = m_model.layers[entry.index()];
                    isLeft(entry) && layer.arrayKind == int(kind))
                    needed +=
                        std::clamp(chainNs(entry) / period, 1.0, double(layer.maxReplicas)) * layer.crossbars;
            for (const CoreId core : m_model.allCores())
                free += m_start.free(int(kind), core);
            if (needed > free)
                return false;
        }
        return true;
    }
    bool isLeft(MatrixId entry) const { return m_start.replicas(entry) == 0; }
    const CrossbarLayoutLayer& at(MatrixId entry) const { return m_model.layers[entry.index()]; }
    int rowsOf(const CrossbarLayoutLayer& layer) const {
        return m_model.network->layers[layer.layer.index()].out.height;
    }
    /// Layers begin when the first rows of their input are there. Of a map of few rows these are a large
    /// part, and all after it wait: such layers have to take less time than the period.
    double speedOf(MatrixId entry) const { return m_speed[entry.index()]; }
    double workNs(MatrixId entry) const {
        return double(at(entry).windows) * at(entry).groups * m_model.chip->mvmIssueNs / speedOf(entry);
    }
    double chainNs(MatrixId entry) const {
        return double(at(entry).windows) * m_model.chip->mvmNs / speedOf(entry);
    }
    /// With the columns at the borders of strips that a fused pool needs twice.
    double workNs(MatrixId entry, int cores) const {
        if (!at(entry).pool.valid())
            return workNs(entry);
        return double(areasOf(at(entry).pool, cores).most) / MapPart::kColumnParts * cores *
               at(entry).groups * m_model.chip->mvmIssueNs / speedOf(entry);
    }
    /// What strips of so many cores need of a flow: the one with most, and all together.
    struct Areas {
        std::int64_t most = -1, all = 0;
    };
    const Areas& areasOf(FlowId flow, int cores) const {
        std::vector<Areas>& known = m_areas[flow.index()];
        if (known.size() <= std::size_t(cores))
            known.resize(std::size_t(cores) + 1);
        Areas& areas = known[std::size_t(cores)];
        if (areas.most >= 0)
            return areas;
        areas.most = 0;
        for (const MapPart& strip : stripsOf(m_model.network->at(m_model.flows[flow.index()].to).out,
                                             std::vector<StripWorker>(std::size_t(cores)))) {
            const std::int64_t area = m_model.flows[flow.index()].needs(strip).area();
            areas.most = std::max(areas.most, area);
            areas.all += area;
        }
        return areas;
    }

    /// Blocks are for cores that are all alike; of others, the smallest counts.
    void capacityOfCore() {
        for (std::size_t kind = 0; kind < m_model.capacity.size(); ++kind) {
            int least = std::numeric_limits<int>::max();
            for (const CoreId core : m_model.allCores())
                least = std::min(least, m_start.free(int(kind), core));
            m_capacity.push_back(least);
        }
    }

    bool isDense(MatrixId entry) const {
        const CrossbarLayoutLayer& layer = at(entry);
        const int capacity = m_capacity[std::size_t(layer.arrayKind)];
        if (layer.crossbars > capacity || m_model.wantedReplicas[entry.index()] > 0 || !isLeft(entry))
            return false;
        const double density = std::max(workNs(entry), chainNs(entry)) / layer.crossbars;
        return density > kFillerDensity * m_period / capacity;
    }

    /// The dense layer in whose cores the pixels of each network layer lie.
    void findHomes() {
        m_home.assign(m_model.network->layers.size(), -1);
        for (std::size_t i = 0; i < m_dense.size(); ++i)
            m_home[at(m_dense[i]).layer.index()] = int(i);
        for (const CrossbarVectorLayer& vector : m_model.vectors)
            if (vector.home.valid())
                m_home[vector.layer.index()] = m_home[at(vector.home).layer.index()];
        m_loads.resize(m_dense.size());
        m_most.assign(m_model.network->layers.size(), -1);
        for (const FlowId flow : FirstIds<FlowId>(std::ssize(m_model.flows)))
            if (const int to = m_home[m_model.flows[flow.index()].to.index()];
                to >= 0 && !m_model.flows[flow.index()].local)
                m_loads[std::size_t(to)].push_back(flow);
    }

    int replicasInCore(MatrixId entry, int cores) const {
        constexpr double kMost = 1e9; // more than there are arrays
        return int(std::clamp(std::ceil(chainNs(entry) / (m_period * cores)), 1.0, kMost));
    }

    /// Do layers [begin, end) fit side by side in one of so many cores? If so, then in one of more.
    bool fitsCore(int begin, int end, int cores) const {
        std::vector<int> left = m_capacity;
        for (int i = begin; i < end; ++i) {
            const CrossbarLayoutLayer& layer = at(m_dense[std::size_t(i)]);
            const int replicas = replicasInCore(m_dense[std::size_t(i)], cores);
            if (replicas > left[std::size_t(layer.arrayKind)] / layer.crossbars)
                return false;
            left[std::size_t(layer.arrayKind)] -= replicas * layer.crossbars;
        }
        return true;
    }

    /// Fewest cores for layers [begin, end), 0 if they do not fit side by side in one. \param fewest those in which the block without
    /// its first layer fits; those in which all of it does.
    int coresFor(int begin, int end, int& fewest) const {
        double work = 0;
        for (int i = begin; i < end; ++i)
            work += workNs(m_dense[std::size_t(i)]);
        const double busy = std::ceil(work / m_period);
        if (!(busy <= m_cores)) // nor is it a number where the period is 0
            return 0;
        fewest = std::max(fewest, int(busy));
        int high = fewest;
        for (int step = 1; !fitsCore(begin, end, high); step *= 2) {
            if (high == m_cores)
                return 0;
            fewest = high + 1;
            high = std::min(m_cores, high + step);
        }
        while (fewest < high) {
            const int middle = (fewest + high) / 2;
            if (fitsCore(begin, end, middle))
                high = middle;
            else
                fewest = middle + 1;
        }
        for (int cores = fewest; cores <= m_cores; ++cores) { // fused pools need more in many
            work = 0;
            for (int i = begin; i < end; ++i)
                work += workNs(m_dense[std::size_t(i)], cores);
            if (work <= m_period * cores * (1 + 1e-9))
                return cores;
        }
        return 0;
    }

    /// Bytes that cores of a block load. Layers of a block that read the same map load it once.
    double trafficOf(int begin, int end, int cores) {
        m_read.clear();
        for (int to = begin; to < end; ++to)
            for (const FlowId at : m_loads[std::size_t(to)]) {
                const CrossbarFlow& flow = m_model.flows[at.index()];
                double& most = m_most[flow.from.index()];
                if (most < 0)
                    m_read.push_back(flow.from);
                most = std::max(most, double(areasOf(at, cores).all) * flow.source.channels);
            }
        if (!std::ranges::is_sorted(m_read))
            std::ranges::sort(m_read);
        double bytes = 0;
        for (const LayerId from : m_read)
            bytes += std::exchange(m_most[from.index()], -1) / MapPart::kColumnParts *
                     m_model.chip->activationBytes();
        return bytes;
    }

    /// least[k][n]: fewest bytes for the first k dense layers on n cores.
    bool plan() {
        const auto layers = m_dense.size();
        const auto cores = std::size_t(m_cores);
        std::vector<std::vector<double>> least(layers + 1, std::vector<double>(cores + 1, kNever));
        std::vector<std::vector<Block>> last(layers + 1, std::vector<Block>(cores + 1));
        least[0][0] = 0;
        for (std::size_t end = 1; end <= layers; ++end) {
            int fewest = 1;
            for (std::size_t begin = end; begin-- > 0;) {
                const int count = coresFor(int(begin), int(end), fewest);
                if (count == 0)
                    break;
                const double bytes = trafficOf(int(begin), int(end), count);
                for (std::size_t n = std::size_t(count); n <= cores; ++n)
                    if (const double sum = least[begin][n - std::size_t(count)] + bytes;
                        sum < least[end][n]) {
                        least[end][n] = sum;
                        last[end][n] = {int(begin), int(end), count};
                    }
            }
        }
        const auto best = std::ranges::min_element(least[layers]);
        if (*best == kNever)
            return false;
        auto n = std::size_t(best - least[layers].begin());
        for (std::size_t end = layers; end > 0;) {
            const Block& block = last[end][n];
            m_blocks.insert(m_blocks.begin(), block);
            n -= std::size_t(block.cores);
            end = std::size_t(block.begin);
        }
        return true;
    }

    void spreadSpareCores() {
        int spare = m_cores;
        for (const Block& block : m_blocks)
            spare -= block.cores;
        const auto load = [&](const Block& block) {
            double work = 0;
            for (int i = block.begin; i < block.end; ++i)
                work += workNs(m_dense[std::size_t(i)], block.cores);
            return work / block.cores;
        };
        for (; spare > 0; --spare)
            ++std::ranges::max_element(m_blocks, {}, load)->cores;
    }

    bool placePins(CrossbarLayout& layout) const {
        for (const MatrixId entry : m_model.allEntries())
            if (!m_model.pinned[entry.index()].empty() && !placePinned(layout, entry))
                return false;
        return true;
    }

    bool placeBlocks(CrossbarLayout& layout) const {
        CoreId core(0);
        for (const Block& block : m_blocks)
            for (int i = 0; i < block.cores; ++i, ++core.value)
                for (int dense = block.begin; dense < block.end; ++dense) {
                    const MatrixId entry = m_dense[std::size_t(dense)];
                    for (int left = replicasInCore(entry, block.cores); left > 0; --left) {
                        if (layout.replicas(entry) == at(entry).maxReplicas)
                            break;
                        if (!layout.fitsWhole(entry, core))
                            return false;
                        layout.addWhole(entry, core);
                    }
                }
        return true;
    }

    int replicasOfFiller(MatrixId entry) const {
        if (const int wanted = m_model.wantedReplicas[entry.index()])
            return wanted;
        const double spread = std::max(
            1.0, std::ceil(double(at(entry).crossbars) / m_capacity[std::size_t(at(entry).arrayKind)]));
        const double needed = std::ceil(std::max(workNs(entry) / spread, chainNs(entry)) / m_period);
        return int(std::clamp(needed, 1.0, double(at(entry).maxReplicas)));
    }

    int coresOfFillers() const {
        std::vector<double> arrays(m_capacity.size(), 0);
        double work = 0;
        for (const MatrixId entry : m_model.allEntries())
            if (!isDense(entry) && isLeft(entry)) {
                arrays[std::size_t(at(entry).arrayKind)] +=
                    double(replicasOfFiller(entry)) * at(entry).crossbars;
                work += workNs(entry);
            }
        const double all = m_model.cores(); // more than all is as bad as all
        double cores = work <= 0 ? 0 : work < all * m_period ? work / m_period : all;
        for (std::size_t kind = 0; kind < arrays.size(); ++kind)
            cores = std::max(cores, arrays[kind] / std::max(1, m_capacity[kind]));
        return int(std::ceil(std::min(cores, all)));
    }

    /// Largest first, into cores without blocks while they last; among those the one with least left over.
    bool placeFillers(CrossbarLayout& layout) const {
        std::vector<MatrixId> order;
        std::vector<CoreId> apart = m_model.allCores().list();
        apart.erase(apart.begin(), apart.begin() + m_cores);
        for (const MatrixId entry : m_model.allEntries())
            if (layout.replicas(entry) == 0)
                order.push_back(entry);
        std::ranges::stable_sort(order, {}, [&](MatrixId entry) { return -at(entry).crossbars; });
        for (const MatrixId entry : order)
            for (int left = replicasOfFiller(entry); left > 0; --left) {
                std::vector<CoreId> cores;
                if (!apart.empty())
                    cores = bestFit(layout, entry, apart);
                if (cores.empty())
                    cores = bestFit(layout, entry);
                if (cores.empty())
                    return false;
                layout.add(entry, cores);
            }
        return true;
    }

    const CrossbarLayout& m_start;
    const CrossbarLayoutModel& m_model;
    double m_period, m_depth;
    int m_mostRows = 1;
    int m_cores = 0;             ///< For blocks: the first ones.
    std::vector<int> m_capacity; ///< [kind]
    std::vector<MatrixId> m_dense;
    std::vector<int> m_home;                  ///< [layer of the network] -> position in m_dense, or -1.
    std::vector<std::vector<FlowId>> m_loads; ///< [position in m_dense] that its cores load.
    std::vector<LayerId> m_read;              ///< See trafficOf(); m_most is of it alone, -1 elsewhere.
    std::vector<double> m_most;               ///< [layer of the network] elements.
    std::vector<double> m_speed;              ///< [entry] see speedOf().
    mutable std::vector<std::vector<Areas>> m_areas; ///< [flow][cores]; worked out when it is asked for.
    std::vector<Block> m_blocks;
};

/// On one chip, where most windows are of maps wider than a pixel, the base takes a quarter of the time of all
/// layouts and was the best of none. [measured: eight networks, each on three to five chips; of sequences, on
/// several chips, and where arrays rather than their issue bound the period, it is the best now and then]
bool needsBase(const CrossbarLayout& empty) {
    const CrossbarLayoutModel& model = empty.model();
    const BlockPlanner planner(empty, 1, false, 0);
    if (model.chip->chips() > 1 || planner.shortest() > planner.issueNs())
        return true;
    double all = 0, ofImages = 0;
    for (const CrossbarLayoutLayer& layer : model.layers) {
        const double windows = double(layer.windows) * layer.groups;
        all += windows;
        ofImages += model.network->layers[layer.layer.index()].out.width > 1 ? windows : 0;
    }
    return 2 * ofImages <= all;
}

/// A layout that was found, and how long it takes.
struct FoundLayout {
    CrossbarLayout layout;
    bool thorough = false;
    RowPipelineTimes times;
    double ns() const { return times.ns; }
};
/// What a layout starts from, and for which period blocks are planned.
struct BlockPlan {
    const CrossbarLayout* start;
    PeriodTry how;
};

int periodsOf(CrossbarMode mode, bool thorough) {
    return mode == CrossbarMode::HighThroughput ? kPeriods
           : thorough                           ? kPeriodsOfLatency
                                                : kQuickPeriodsOfLatency;
}

/// \param heads and \p empty outlive the result.
std::vector<BlockPlan> blockPlans(const std::vector<TiledHead>& heads, const CrossbarLayout& empty,
                                  CrossbarMode mode, bool thorough) {
    const bool throughput = mode == CrossbarMode::HighThroughput;
    std::vector<BlockPlan> plans;
    for (const TiledHead& head : heads)
        for (PeriodTry one : kTriesBesideTiles) {
            one.thorough = one.thorough || head.thorough;
            if (thorough || !one.thorough)
                plans.push_back({&head.layout, one});
        }
    for (const double depth : depthsOf(mode))
        for (int i = 0; i < 2 * periodsOf(mode, thorough); ++i)
            plans.push_back({&empty,
                             {i / 2, i % 2 == (throughput ? 0 : 1), depth,
                              !throughput && i / 2 >= kQuickPeriodsOfLatency}});
    // The quick ones come as they do alone: what two plans have in common is that of the quick one.
    std::ranges::stable_partition(plans, [](const BlockPlan& plan) { return !plan.how.thorough; });
    return plans;
}

/// Layouts of plans in their order, where there is room for one; \p longer: steps by which periods had to be
/// lengthened.
struct PlannedLayouts {
    std::vector<std::optional<CrossbarLayout>> layouts;
    int longer = 0;
};
PlannedLayouts planned(const std::vector<BlockPlan>& plans, CrossbarMode mode, int periods) {
    const bool throughput = mode == CrossbarMode::HighThroughput;
    PlannedLayouts made{std::vector<std::optional<CrossbarLayout>>(plans.size()), 0};
    const auto isThere = [](const auto& one) { return one.has_value(); };
    // Where arrays are scarce only longer periods have room. HT: the base is the better one there. [measured,
    // products of 4000
    // ns, four networks on isaac-12 and puma-16: blocks make it 5 % shorter in one case, 18 to 48 % longer in four]
    const int mostLonger = throughput ? periods : kMostLonger;
    for (; made.longer < mostLonger && std::ranges::none_of(made.layouts, isThere); made.longer += periods)
        parallelFor(plans.size(), 0, [&](std::size_t i) {
            const auto& [start, how] = plans[i];
            const BlockPlanner any(*start, 1, false, how.depth);
            const double period = throughput ? any.issueNs() : any.shortest();
            made.layouts[i] = BlockPlanner(*start, period * std::pow(kPeriodStep, how.steps + made.longer),
                                           how.apart, how.depth)
                                  .run();
        });
    return made;
}

void timeAll(std::vector<FoundLayout>& found, CrossbarMode mode) {
    double best = kNever;
    for (std::size_t begin = 0; begin < found.size(); begin += kTogether) {
        const std::size_t count = std::min(found.size() - begin, kTogether);
        parallelFor(count, 0, [&](std::size_t i) {
            FoundLayout& one = found[begin + i];
            if (mode == CrossbarMode::HighThroughput)
                one.times.ns = layoutNs(one.layout, mode);
            else
                one.times = pipelineTimes(one.layout, kHopeless * best);
        });
        for (std::size_t i = 0; i < count; ++i)
            best = std::min(best, found[begin + i].ns());
    }
}

} // namespace

BlockLayouts blockLayouts(const CrossbarLayout& base, CrossbarMode mode, bool thorough) {
    const CrossbarLayoutModel& model = base.model();
    const bool throughput = mode == CrossbarMode::HighThroughput;
    std::vector<TiledHead> heads;
    if (!throughput) // first: mostly the best, and others are followed until they are worse
        heads = tiledHeads(model, thorough);
    const CrossbarLayout empty(model);
    const std::vector<BlockPlan> plans = blockPlans(heads, empty, mode, thorough);
    const int periods = periodsOf(mode, thorough);
    PlannedLayouts made = planned(plans, mode, periods);
    std::vector<FoundLayout> found{{base}};
    for (std::size_t i = 0; i < plans.size(); ++i) {
        std::optional<CrossbarLayout>& layout = made.layouts[i];
        const auto isSame = [&](const FoundLayout& other) { return areSame(other.layout, *layout); };
        if (layout && std::ranges::none_of(found, isSame))
            found.push_back({std::move(*layout), plans[i].how.thorough});
    }
    // Of the quick ones the base comes last: it takes longest.
    const auto rest =
        std::ranges::stable_partition(found, [](const FoundLayout& one) { return !one.thorough; });
    std::rotate(found.begin(), found.begin() + 1, rest.begin());
    if (!throughput && !thorough && found.size() > 1 && made.longer <= periods && !needsBase(empty))
        found.pop_back();
    timeAll(found, mode);
    std::ranges::stable_sort(found, {}, &FoundLayout::ns);
    BlockLayouts result;
    double last = -1;
    for (FoundLayout& one : found) {
        if (one.ns() == last) // the same period often comes out of several tries
            continue;
        last = one.ns();
        if (!one.thorough)
            result.quick.push_back(result.layouts.size());
        result.layouts.push_back(std::move(one.layout));
        result.times.push_back(std::move(one.times));
    }
    return result;
}

} // namespace pim
