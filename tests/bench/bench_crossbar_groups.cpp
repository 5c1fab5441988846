// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What layers that share a stage of the high-throughput pipeline bring: stages, time of a round and time to
/// the first result, over those with a stage for every layer; mapping `constructive`, products of 800 ns.
/// `bench_crossbar_groups [TARGET,… [NETWORK,… [LAYERS A STAGE,…]]]`; fails where the automatic choice has
/// more stages than one a layer has, a round more than 3 % longer, or takes longer than the ceiling.
#include "crossbar_cases.h"

#include "backends/crossbar/schedule/stage_groups.h"

#include <ctime>

using namespace pim;

namespace {

constexpr double kCeilingSeconds = 20; ///< Of processor time for one program and what it is chosen from.

struct Row {
    int stages = 0;
    double periodNs = 0, firstNs = 0, seconds = 0;
    std::size_t apart = 0;
};

Result<Row> measure(const CrossbarCase& one, const CrossbarMapping& mapping, int layersAStage) {
    const std::clock_t start = std::clock();
    PIM_TRY(const CrossbarSchedule schedule,
            scheduleCrossbar(one.network, one.chip, mapping, {.layersAStage = layersAStage}));
    Row row;
    row.seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    PIM_TRY(const CrossbarProfile profile,
            profileCrossbar(schedule.program, one.chip, {.pipelineDepth = schedule.stages()}));
    row.stages = schedule.stages();
    row.periodNs = profile.periodNs;
    row.firstNs = profile.firstBatchNs;
    row.apart = schedule.apart.size();
    return row;
}

Result<bool> measureAll(const std::string& target, const std::string& network,
                        const std::vector<std::string>& sizes) {
    PIM_TRY(const CrossbarCase one, crossbarCase(network, target));
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(one.network, one.chip, {}));
    PIM_TRY(const Row single, measure(one, mapping, 1));
    bool good = true;
    for (const std::string& size : sizes) {
        const int layersAStage = size == "auto" ? kAutomaticStages : std::stoi(size);
        PIM_TRY(const Row row, layersAStage == 1 ? Result<Row>(single) : measure(one, mapping, layersAStage));
        fmt::print("{:<16} {:<11} {:>5} {:>6} {:>9.1f} us {:>6.3f} {:>8.3f} ms {:>6.3f} {:>5} {:>7.2f} s\n",
                   target, network, size, row.stages, row.periodNs / 1e3, row.periodNs / single.periodNs,
                   row.firstNs / 1e6, row.firstNs / single.firstNs, row.apart, row.seconds);
        std::fflush(stdout);
        if (layersAStage == kAutomaticStages)
            good = good && row.stages <= single.stages && row.periodNs <= kLongerRound * single.periodNs &&
                   row.seconds <= kCeilingSeconds;
    }
    return good;
}

} // namespace

int main(int count, char** words) {
    const auto list = [&](int at, const char* otherwise) {
        return splitWords(count > at ? words[at] : otherwise);
    };
    fmt::print("{:<16} {:<11} layers stages    period      over       first   over apart   schedule\n",
               "target", "network");
    bool good = true;
    for (const std::string& target : list(1, "pimcomp-default,isaac,arch-c"))
        for (const std::string& network : list(2, "resnet18,googlenet,squeezenet"))
            if (const auto row = measureAll(target, network, list(3, "1,2,4,auto")); row) {
                good = good && *row;
            } else {
                fmt::print("{:<16} {:<11} {}\n", target, network, row.error().text());
                good = false;
            }
    return good ? 0 : 1;
}
