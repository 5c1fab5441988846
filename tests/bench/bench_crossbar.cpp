// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Programs of crossbar cores against PIMCOMP-NN (git 2ed10c8): the period by that program's own rules, all layers scheduled,
/// over its best published run (genetic algorithm, the best of its seeds) on the same hardware with the same constants.
/// Mappings and programs are made for that program's rules (referee pimcomp-compat; 4000 ns: pimcomp-nominal).
/// `bench_crossbar [strategy [seconds [ht|ll]]]`; fails where a schedule takes longer than the ceiling or is slower than half the peer.
#include "crossbar_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

using namespace pim;

namespace {

/// Best period of the peer, nanoseconds; 0: it refuses the network. [PIMCOMP-NN, 200 x 3, best of the seeds measured]
struct PeerResult {
    const char* target;
    const char* network;
    CrossbarMode mode;
    double mvmNs, periodNs;
};
constexpr auto kHt = CrossbarMode::HighThroughput;
constexpr auto kLl = CrossbarMode::LowLatency;
constexpr PeerResult kPeer[] = {
    {"pimcomp-default", "resnet18", kHt, 800, 319190},
    {"pimcomp-default", "resnet34", kHt, 800, 576663},
    {"pimcomp-default", "resnet50", kHt, 800, 765494},
    {"pimcomp-default", "googlenet", kHt, 800, 370717},
    {"pimcomp-default", "squeezenet", kHt, 800, 190973},
    {"pimcomp-default", "resnet18", kHt, 4000, 370538},
    {"pimcomp-default", "resnet34", kHt, 4000, 618182},
    {"pimcomp-default", "resnet50", kHt, 4000, 932874},
    {"pimcomp-default", "googlenet", kHt, 4000, 374300},
    {"pimcomp-default", "squeezenet", kHt, 4000, 249109},
    {"isaac", "resnet18", kHt, 800, 296862},
    {"isaac", "resnet34", kHt, 800, 536519},
    {"isaac", "resnet50", kHt, 800, 741361},
    {"isaac", "googlenet", kHt, 800, 373579},
    {"isaac", "squeezenet", kHt, 800, 269514},
    {"isaac-12", "resnet18", kHt, 800, 421974},
    {"isaac-12", "resnet34", kHt, 800, 879206},
    {"isaac-12", "resnet50", kHt, 800, 0},
    {"isaac-12", "googlenet", kHt, 800, 443302},
    {"isaac-12", "squeezenet", kHt, 800, 223020},
    {"arch-c", "resnet18", kHt, 800, 271736},
    {"arch-c", "resnet34", kHt, 800, 522216},
    {"arch-c", "resnet50", kHt, 800, 532760},
    {"arch-c", "googlenet", kHt, 800, 250864},
    {"arch-c", "squeezenet", kHt, 800, 210793},
    {"pimcomp-default", "resnet18", kLl, 800, 1878216},
    {"pimcomp-default", "resnet34", kLl, 800, 3633050},
    {"pimcomp-default", "resnet50", kLl, 800, 3730349},
    {"pimcomp-default", "googlenet", kLl, 800, 2325406},
    {"pimcomp-default", "squeezenet", kLl, 800, 834781},
    {"pimcomp-default", "resnet18", kLl, 4000, 2943345},
    {"pimcomp-default", "resnet34", kLl, 4000, 5895144},
    {"pimcomp-default", "resnet50", kLl, 4000, 14558801},
    {"pimcomp-default", "googlenet", kLl, 4000, 4479778},
    {"pimcomp-default", "squeezenet", kLl, 4000, 1700595},
};
/// Of scheduling one network on a busy machine; about 0.1 to 0.4 s on an idle one.
constexpr double kCeilingMs = 2000;

double milliseconds() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// What no round is shorter than, and which of it is longest: products of the busiest core and of the busiest array group, its
/// vector work (which products hide), memory and bus of the busiest chip. Microseconds.
std::string limitOf(const CrossbarProgram& program, const CompatHardware& hardware,
                    const CompatResult& result) {
    double products = 0, vectors = 0, group = 0;
    std::vector<double> groups;
    for (const CompatCore& core : result.cores) {
        products = std::max(products, double(core.products) * hardware.issueNs);
        vectors = std::max(vectors, core.vectorNs);
    }
    for (const auto& instructions : program.cores)
        for (const CrossbarInstruction& instruction : instructions)
            if (instruction.opcode == CrossbarOpcode::Mvm) {
                groups.resize(std::max<std::size_t>(groups.size(), instruction.index + 1));
                group = std::max(group, groups[instruction.index] += hardware.mvmNs);
            }
    const std::pair<const char*, double> parts[] = {{"products", products},
                                                    {"array group", group},
                                                    {"vectors", vectors},
                                                    {"memory", result.memoryBoundNs},
                                                    {"bus", result.busBoundNs}};
    std::string text;
    for (const auto& part : parts)
        text += fmt::format(" {:>6.1f}", part.second / 1e3);
    return text + fmt::format("  {:<11}", std::ranges::max_element(parts, {}, [](const auto& part) {
                                              return part.second;
                                          })->first);
}

/// \returns false where a ceiling is exceeded.
Result<bool> measure(const PeerResult& peer, const TargetCatalog& catalog, const std::string& strategy,
                     double seconds) {
    PIM_TRY(const auto target, catalog.find(peer.target));
    PIM_TRY(const CrossbarChip chip, crossbarChip(*target));
    PIM_TRY(auto graph, zooGraph(peer.network));
    const double start = milliseconds();
    PIM_TRY(const CrossbarNetwork network, crossbarNetwork(std::move(graph), chip));
    MappingOptions options;
    options.mode = peer.mode;
    options.strategy = strategy;
    options.seconds = seconds;
    options.referee =
        peer.mvmNs == kPublishedMvmNs ? CrossbarReferee::PimcompCompat : CrossbarReferee::PimcompNominal;
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(network, chip, options));
    const double mapped = milliseconds();
    PIM_TRY(const CrossbarSchedule schedule,
            scheduleCrossbar(network, chip, mapping, {.rules = options.referee}));
    const double scheduled = milliseconds();
    CompatHardware hardware = compatHardware(chip);
    hardware.mvmNs = peer.mvmNs;
    PIM_TRY(const CompatResult result, compatPeriod(schedule.program, hardware));
    const double ratio = peer.periodNs / result.periodNs;
    fmt::print("{:<16} {:<11} {} {:>5.0f} ns {:>9.1f} us {:>9.1f} us {:>6.2f}x {}  {:>6} {:>8} {:>7.0f} "
               "{:>7.0f} ms\n",
               peer.target, peer.network, name(peer.mode), peer.mvmNs, result.periodNs / 1e3,
               peer.periodNs / 1e3, ratio, limitOf(schedule.program, hardware, result), schedule.layersAStage,
               schedule.program.size(), mapped - start, scheduled - mapped);
    return scheduled - mapped <= kCeilingMs && (ratio >= 0.5 || peer.periodNs == 0);
}

} // namespace

int main(int count, char** words) {
    const TargetCatalog catalog = TargetCatalog::load();
    const std::string strategy = count > 1 ? words[1] : "constructive";
    const double seconds = count > 2 ? std::stod(words[2]) : 5;
    const std::string only = count > 3 ? words[3] : "";
    fmt::print("{:<16} {:<11} mode    mvm       ours         peer   gain  products group vectors memory bus "
               "(us), longest  layers per stage  instr.   mapping  schedule\n",
               "target", "network");
    bool good = true;
    for (const PeerResult& peer : kPeer) {
        if (!only.empty() && name(peer.mode) != only)
            continue;
        const auto row = measure(peer, catalog, strategy, seconds);
        if (!row) {
            fmt::print("{:<16} {:<11} {} {}\n", peer.target, peer.network, name(peer.mode),
                       row.error().text());
            good = false;
            continue;
        }
        good = good && *row;
    }
    return good ? 0 : 1;
}
