// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Layout of weights on crossbar chips: programs of the start and of searches of several budgets, timed by the
/// profiler and by the rules of PIMCOMP-NN (products of 800 ns); their ratio to the best published result of
/// its genetic algorithm, and the baselines. Fails where a search is slower than its start.
/// `bench_crossbar_search [ht|ll [target[,target…] [network[,network…] [budget[,budget…]]]]]`; a budget is auto, a number of
/// evaluations, or seconds (5s).
#include "crossbar_cases.h"

#include "backends/crossbar/search/baselines.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

using namespace pim;

namespace {

struct Peer {
    const char *target, *network;
    double htNs, llNs;
};
/// Best of the genetic algorithm of PIMCOMP-NN git 2ed10c8 over all seeds, products of 800 ns.
constexpr Peer kPeer[]{
    {"pimcomp-default", "resnet18", 319190, 1878216}, {"pimcomp-default", "resnet34", 576663, 3633050},
    {"pimcomp-default", "resnet50", 765494, 3730349}, {"pimcomp-default", "googlenet", 370717, 2325406},
    {"isaac", "resnet18", 296862, 2151485},           {"isaac", "resnet34", 536519, 3859638},
    {"isaac", "resnet50", 741361, 4169471},           {"isaac", "googlenet", 373579, 2364508},
    {"isaac-12", "resnet18", 421974, 2001583},        {"isaac-12", "resnet34", 879206, 4134038},
    {"isaac-12", "googlenet", 443302, 3065500},       {"arch-c", "resnet18", 271736, 2404942},
    {"arch-c", "resnet34", 522216, 2939789},          {"arch-c", "resnet50", 532760, 5578668},
    {"arch-c", "googlenet", 250864, 2704798}};

double peerNs(const std::string& target, const std::string& network, CrossbarMode mode) {
    for (const Peer& peer : kPeer)
        if (peer.target == target && peer.network == network)
            return mode == CrossbarMode::HighThroughput ? peer.htNs : peer.llNs;
    return std::numeric_limits<double>::quiet_NaN();
}

Result<CrossbarNetwork> networkOf(const std::string& name, const CrossbarChip& chip) {
    PIM_TRY(std::shared_ptr<const Graph> graph, zooGraph(name));
    return crossbarNetwork(std::move(graph), chip);
}

struct Timed {
    double seconds = 0, cpuSeconds = 0, profileNs = 0, peerRulesNs = 0, estimateNs = 0;
    std::int64_t evaluations = 0; ///< When the best was found.
};

Result<Timed> timed(const CrossbarNetwork& network, const CrossbarChip& chip, const MappingOptions& options) {
    Timed result;
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t cpuBegin = std::clock();
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(network, chip, options));
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result.cpuSeconds = double(std::clock() - cpuBegin) / CLOCKS_PER_SEC;
    result.evaluations = mapping.history.empty() ? 0 : mapping.history.back().evaluations;
    PIM_CHECK(checkMapping(mapping, network, chip));
    result.estimateNs = estimateCost(network, chip, mapping).periodNs;
    const bool alone = options.strategy == "songc" ||
                       (options.strategy == "polyhedral" && options.mode == CrossbarMode::LowLatency);
    if (alone) {
        result.profileNs = result.peerRulesNs =
            layerByLayerNs(network, chip, mapping, options.strategy == "songc");
        return result;
    }
    PIM_TRY(const CrossbarSchedule schedule, scheduleCrossbar(network, chip, mapping));
    PIM_TRY(const CrossbarProfile profile, profileCrossbar(schedule.program, chip));
    PIM_TRY(const CompatResult compat, compatPeriod(schedule.program, compatHardware(chip)));
    result.profileNs = profile.periodNs;
    result.peerRulesNs = compat.periodNs;
    return result;
}

/// \returns false where a search is slower than its start.
Result<bool> rows(const std::string& name, const std::string& target, CrossbarMode mode,
                  const std::vector<std::string>& budgets) {
    static const TargetCatalog catalog = TargetCatalog::load();
    PIM_TRY(const std::shared_ptr<const Target> machine, catalog.find(target));
    PIM_TRY(CrossbarChip chip, crossbarChip(*machine));
    chip.mvmNs = 800;
    PIM_TRY(const CrossbarNetwork network, networkOf(name, chip));
    double startNs = std::numeric_limits<double>::infinity();
    bool good = true;
    const auto row = [&](const std::string& label, const MappingOptions& options) {
        const Result<Timed> one = timed(network, chip, options);
        if (!one) {
            fmt::print("| {} | {} | {} | {} |\n", name, target, label, one.error().text());
            return;
        }
        fmt::print("| {} | {} | {} | {} | {:.2f} | {:.2f} | {:.0f} | {:.0f} | {:.0f} | {:.2f} |\n", name,
                   target, label, one->evaluations, one->seconds, one->cpuSeconds, one->estimateNs,
                   one->profileNs, one->peerRulesNs, peerNs(target, name, mode) / one->peerRulesNs);
        if (options.strategy == "constructive")
            startNs = one->profileNs;
        if (options.strategy == "search")
            good = good && one->profileNs <= startNs;
    };
    row("constructive", {.mode = mode, .strategy = "constructive"});
    for (const std::string& budget : budgets) {
        MappingOptions options{.mode = mode, .strategy = "search"};
        if (budget.ends_with('s'))
            options.seconds = std::stod(budget);
        else if (budget != "auto")
            options.evaluations = std::stoi(budget);
        row("search " + budget, options);
    }
    row("polyhedral", {.mode = mode, .strategy = "polyhedral"});
    row(mode == CrossbarMode::LowLatency ? "puma" : "songc",
        {.mode = mode, .strategy = mode == CrossbarMode::LowLatency ? "puma" : "songc"});
    return good;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> modes = splitWords(argc > 1 ? argv[1] : "ht,ll");
    const std::vector<std::string> targets =
        splitWords(argc > 2 ? argv[2] : "pimcomp-default,isaac-12,arch-c");
    const std::vector<std::string> networks =
        splitWords(argc > 3 ? argv[3] : "vgg8,resnet18,resnet34,googlenet");
    const std::vector<std::string> budgets = splitWords(argc > 4 ? argv[4] : "16,64,auto");
    bool good = true;
    for (const std::string& mode : modes) {
        fmt::print("\n{}: nanoseconds a sample; the last column is how often it goes into the peer's\n\n",
                   mode);
        fmt::print(
            "| network | target | strategy | found after | s | CPU s | estimate | profiler | peer's rules | "
            "ratio |\n");
        fmt::print("|---|---|---|---|---|---|---|---|---|---|\n");
        for (const std::string& network : networks)
            for (const std::string& target : targets) {
                const Result<bool> done = rows(network, target, *crossbarModeNamed(mode), budgets);
                if (!done)
                    fmt::print("{} {}: {}\n", network, target, done.error().text());
                good = good && done && *done;
            }
    }
    return good ? 0 : 1;
}
