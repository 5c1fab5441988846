// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Our mappings against the compilers the PIMCOMP paper compares itself with (baselines.h), on its networks
/// and architectures: times and energies of a sample as multiples of ours, and their geometric means, beside
/// those of the paper (§VIII-B, Figs 10 to 13). Programs are timed by the profiler. What passes layer by
/// layer has no program: its time is layerByLayerNs(), its energy that of our program with leakage over its
/// own time, since all compute the same. Fails where a mean time is not longer than ours.
/// `bench_crossbar_baselines [strategy [seconds [target,… [network,…]]]]`
#include "crossbar_cases.h"

#include "backends/crossbar/search/baselines.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

using namespace pim;

namespace {

struct Sample {
    double ns = 0, pj = 0, leakagePj = 0;
};

Result<Sample> sampleOf(const CrossbarCase& one, const MappingOptions& options) {
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(one.network, one.chip, options));
    PIM_TRY(const CrossbarSchedule schedule, scheduleCrossbar(one.network, one.chip, mapping));
    PIM_TRY(const CrossbarProfile profile, profileCrossbar(schedule.program, one.chip));
    return Sample{profile.periodNs, profile.energy.total().value_or(0), profile.energy.leakage.value_or(0)};
}

Result<Sample> layerByLayer(const CrossbarCase& one, const MappingOptions& options, const Sample& ours) {
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(one.network, one.chip, options));
    const double ns = layerByLayerNs(one.network, one.chip, mapping, options.strategy == "songc");
    return Sample{ns, ours.pj - ours.leakagePj + ours.leakagePj / ours.ns * ns, 0};
}

/// Factors of a baseline over all cases.
struct Means {
    double logNs = 0, logPj = 0;
    int count = 0;
    double ns() const { return std::exp(logNs / count); }
    double pj() const { return std::exp(logPj / count); }
};

struct Asked {
    CrossbarMode mode;
    const char* strategy;
    double ns, pj; ///< Of the paper.
};
/// [PIMCOMP §VIII-B; energy in HT: nearly that of Polyhedral; SongC 9.0, 7.7 and 3.9 on the three
/// architectures]
constexpr Asked kAsked[]{{CrossbarMode::HighThroughput, "polyhedral", 3.3, 1.0},
                         {CrossbarMode::HighThroughput, "songc", 149.5, 6.5},
                         {CrossbarMode::LowLatency, "polyhedral", 5.4, 2.3},
                         {CrossbarMode::LowLatency, "puma", 9.8, 2.0},
                         {CrossbarMode::LowLatency, "songc", 21.8, 5.6}};

void addCase(const std::string& network, const std::string& target, const MappingOptions& base,
             std::map<const Asked*, Means>& means) {
    const auto refused = [&](const std::string& who, const Error& error) {
        fmt::print("| {} | {} | {} | {} | {} |\n", name(base.mode), network, target, who, error.text());
    };
    const Result<CrossbarCase> one = crossbarCase(network, target);
    if (!one)
        return refused("all", one.error());
    const Result<Sample> ours = sampleOf(*one, base);
    if (!ours)
        return refused("ours", ours.error());
    for (const Asked& asked : kAsked) {
        if (asked.mode != base.mode)
            continue;
        MappingOptions options = base;
        options.strategy = asked.strategy;
        const bool alone = options.strategy == "songc" ||
                           (options.strategy == "polyhedral" && asked.mode == CrossbarMode::LowLatency);
        const Result<Sample> other = alone ? layerByLayer(*one, options, *ours) : sampleOf(*one, options);
        if (!other) {
            refused(asked.strategy, other.error());
            continue;
        }
        fmt::print("| {} | {} | {} | {} | {:.0f} | {:.1f} | {:.2f} |\n", name(base.mode), network, target,
                   asked.strategy, ours->ns, other->ns / ours->ns, ours->pj > 0 ? other->pj / ours->pj : 0);
        Means& sum = means[&asked];
        sum.logNs += std::log(other->ns / ours->ns);
        sum.logPj += ours->pj > 0 ? std::log(other->pj / ours->pj) : 0;
        ++sum.count;
    }
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    MappingOptions base;
    base.strategy = argc > 1 ? argv[1] : "constructive";
    base.seconds = argc > 2 ? std::stod(argv[2]) : 5;
    std::map<const Asked*, Means> means;
    fmt::print("| mode | network | target | baseline | ours, ns | its time / ours | its energy / ours |\n"
               "|---|---|---|---|---|---|---|\n");
    for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency})
        for (const std::string& target : splitWords(argc > 3 ? argv[3] : "isaac-12,puma-16,arch-c"))
            for (const std::string& network :
                 splitWords(argc > 4 ? argv[4] : "vgg8,resnet18,resnet34,googlenet")) {
                base.mode = mode;
                addCase(network, target, base, means);
            }
    fmt::print("\n| mode | baseline | cases | time, mean | paper | energy, mean | paper "
               "|\n|---|---|---|---|---|---|---|\n");
    bool good = true;
    for (const Asked& asked : kAsked) {
        const Means& mean = means[&asked];
        if (mean.count == 0)
            continue;
        fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.2f} | {:.1f} |\n", name(asked.mode), asked.strategy,
                   mean.count, mean.ns(), asked.ns, mean.pj(), asked.pj);
        good = good && mean.ns() > 1;
    }
    return good ? 0 : 1;
}
