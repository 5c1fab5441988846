// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/pimcomp_evaluation.h"

#include "app/evaluation/published_rows.h"
#include "backends/crossbar/profile.h"
#include "backends/crossbar/schedule/schedule.h"
#include "backends/crossbar/search/baselines.h"
#include "core/base/parallel.h"
#include "core/base/parse_number.h"
#include "core/graph/zoo/zoo_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace pim::evaluation {
namespace {

/// A product of 16-bit operands, bit by bit. [PIMCOMP-NN git 2ed10c8: what it computes; see compat.h]
constexpr double kProductNs = 800;

/// One mapping of a network on a chip.
struct CrossbarSample {
    double ns = 0, pj = 0, leakagePj = 0;
    double movingNs = 0; ///< Of the time, for bringing weights in.
};

struct CrossbarCell {
    CrossbarMode mode = CrossbarMode::HighThroughput;
    std::string network, target;
    std::string problem; ///< Not empty: it cannot be mapped.
    CrossbarSample ours;
    std::map<std::string, CrossbarSample> others;
};

constexpr std::string_view kBaselines[]{"songc", "puma", "polyhedral"};

Result<CrossbarSample> profiled(const CrossbarNetwork& network, const CrossbarChip& chip,
                                const MappingOptions& options, const TaskContext& task) {
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(network, chip, options, task));
    PIM_TRY(const CrossbarSchedule schedule, scheduleCrossbar(network, chip, mapping));
    PIM_TRY(const CrossbarProfile profile, profileCrossbar(schedule.program, chip, {}, task));
    return CrossbarSample{profile.periodNs, profile.energy.total().value_or(0),
                          profile.energy.leakage.value_or(0), 0};
}

Result<CrossbarSample> passedByLayers(const CrossbarNetwork& network, const CrossbarChip& chip,
                                      const MappingOptions& options, const CrossbarSample& ours,
                                      const TaskContext& task) {
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(network, chip, options, task));
    const bool movesWeights = options.strategy == "songc";
    const double ns = layerByLayerNs(network, chip, mapping, movesWeights);
    const double moving = movesWeights ? ns - layerByLayerNs(network, chip, mapping, false) : 0;
    return CrossbarSample{ns, ours.pj - ours.leakagePj + ours.leakagePj / ours.ns * ns, 0, moving};
}

Result<void> compute(CrossbarCell& cell, const Graph& graph, const Target& target, const TaskContext& task) {
    PIM_TRY(CrossbarChip chip, crossbarChip(target));
    chip.mvmNs = kProductNs;
    PIM_TRY(const CrossbarNetwork network, crossbarNetwork(std::make_shared<const Graph>(graph), chip));
    MappingOptions options;
    options.strategy = "search"; // as a compile that nobody tells otherwise
    options.mode = cell.mode;
    options.threads = 1; // cases are side by side
    PIM_TRY(cell.ours, profiled(network, chip, options, task));
    for (const std::string_view baseline : kBaselines) {
        options.strategy = std::string(baseline);
        const bool byLayers =
            baseline == "songc" || (baseline == "polyhedral" && cell.mode == CrossbarMode::LowLatency);
        PIM_TRY(cell.others[options.strategy], byLayers
                                                   ? passedByLayers(network, chip, options, cell.ours, task)
                                                   : profiled(network, chip, options, task));
    }
    return {};
}

std::string_view titleOfPimComp(std::string_view place) {
    return place == "Figure 10"   ? "Throughput over the other compilers, high-throughput mode"
           : place == "Figure 11" ? "Energy over the other compilers, high-throughput mode"
           : place == "Figure 12" ? "Latency over the other compilers, low-latency mode"
                                  : "Energy over the other compilers, low-latency mode";
}

/// \param moving share of the baseline's time that goes into bringing weights in.
std::string reasonOf(const std::string& place, const std::string& baseline, const Spread& ours,
                     double published, double moving) {
    if (!ours.mean)
        return "no case could be mapped, or its energy is unknown";
    const double ratio = *ours.mean / published;
    if (ratio > 0.8 && ratio < 1.25)
        return "";
    if (place == "Figure 11" || place == "Figure 13")
        return "all compute the same, so energy differs by leakage, which follows the time";
    if (baseline == "songc")
        return fmt::format("{:.0f} % of its time here is bringing weights in, at the full bandwidth of the "
                           "global memory; writing the cells is not counted, and how the paper counts either "
                           "it does not say",
                           100 * moving);
    return ratio > 1
               ? "ours is the fastest of the programs that a search has timed; the paper's search goes by "
                 "an estimate"
               : "all get the same unfolding and window reuse, as in the paper; why its version of the "
                 "baseline is slower is not known";
}

} // namespace

Result<PaperEvaluation> computePimComp(const TargetCatalog& catalog, const PimCompScope& scope,
                                       const TaskContext& task) {
    PIM_TRY(const auto lines, publishedRows("pimcomp.csv", 6));
    std::map<std::string, std::shared_ptr<const Graph>> graphs;
    std::map<std::string, std::shared_ptr<const Target>> targets;
    for (const std::string& network : scope.networks) {
        PIM_TRY(graphs[network], zooGraph(network, {}, task));
    }
    for (const std::string& id : scope.targets) {
        PIM_TRY(targets[id], catalog.find(id));
    }
    std::vector<CrossbarCell> cells;
    for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency})
        for (const std::string& id : scope.targets)
            for (const std::string& network : scope.networks)
                cells.push_back({mode, network, id, {}, {}, {}});
    std::mutex mutex;
    std::int64_t done = 0;
    parallelFor(cells.size(), 0, [&](std::size_t i) {
        if (task.cancelled())
            return;
        CrossbarCell& cell = cells[i];
        const auto computed =
            compute(cell, *graphs.at(cell.network), *targets.at(cell.target), {task.stop, {}});
        if (!computed)
            cell.problem = computed.error().message;
        const std::lock_guard lock(mutex);
        task.report(fmt::format("{} on {}", cell.network, cell.target), ++done, std::ssize(cells));
    });
    if (task.cancelled())
        return TaskContext::cancelledError("the evaluation of PIMCOMP");
    PaperEvaluation evaluation;
    evaluation.paper = "pimcomp";
    evaluation.headline = "The evaluation of PIMCOMP, recomputed";
    evaluation.lead =
        "PIMCOMP (arXiv:2411.09159): how many times the time and the energy of ours the other compilers "
        "need, "
        "each rebuilt here from its description. vgg8, ResNet-18, ResNet-34 and GoogLeNet on three "
        "architectures; programs are timed by our profiler. Geometric mean and, in brackets, range over "
        "the cases.";
    for (const PublishedRow& line : lines) {
        const std::string &place = line[0], &baseline = line[2], &architecture = line[4];
        const bool isEnergy = line[3] == "energy";
        const auto published = parseNumber<double>(line[5]);
        if (!published)
            return fail(ErrorCode::InvalidFile, fmt::format("\"{}\" is no number", line[5]), "pimcomp.csv");
        std::vector<double> factors;
        double moving = 0, all = 0; // ns of all cases
        for (const CrossbarCell& cell : cells) {
            if (!cell.problem.empty() || name(cell.mode) != line[1] ||
                (architecture != "-" && architecture != cell.target))
                continue;
            const CrossbarSample& other = cell.others.at(baseline);
            moving += other.movingNs;
            all += other.ns;
            const double own = isEnergy ? cell.ours.pj : cell.ours.ns;
            if (own > 0)
                factors.push_back((isEnergy ? other.pj : other.ns) / own);
        }
        if (evaluation.tables.empty() || evaluation.tables.back().place != place)
            evaluation.tables.push_back({place, std::string(titleOfPimComp(place)), {}, {}});
        PaperRow row;
        row.subject = baseline + (architecture == "-" ? "" : " on " + architecture);
        row.what = isEnergy ? "its energy / ours" : "its time / ours";
        row.published.mean = *published;
        row.ours = spreadOf(factors);
        row.reason = reasonOf(place, baseline, row.ours, *published, all > 0 ? moving / all : 0);
        evaluation.tables.back().rows.push_back(std::move(row));
    }
    PaperTable each{
        "All cases", "times and energies of ours, and how many times as long the others take", {}, {}};
    for (const CrossbarCell& cell : cells) {
        const std::string subject = fmt::format("{} on {}, {}", cell.network, cell.target, name(cell.mode));
        if (!cell.problem.empty()) {
            each.rows.push_back({subject, "cannot be mapped", {}, {}, cell.problem});
            continue;
        }
        each.rows.push_back({subject, "ours, µs", {}, {{}, cell.ours.ns / 1e3, {}}, {}});
        for (const auto& [baseline, other] : cell.others)
            each.rows.push_back({subject, baseline + " / ours", {}, {{}, other.ns / cell.ours.ns, {}}, {}});
    }
    evaluation.tables.push_back(std::move(each));
    return evaluation;
}

} // namespace pim::evaluation
