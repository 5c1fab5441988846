// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Networks on crossbar chips for benchmarks: models of the zoo without weights, targets of the catalog,
/// programs and what they take.
#include "backends/crossbar/compat.h"
#include "backends/crossbar/profile.h"
#include "backends/crossbar/schedule/schedule.h"
#include "core/graph/zoo/zoo_graph.h"
#include "core/hardware/catalog.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// Products of the published measurements: what PIMCOMP-NN git 2ed10c8 computes, see compat.h.
constexpr double kPublishedMvmNs = 800;

inline std::vector<std::string> splitWords(std::string_view text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

/// A network and the chip it is for.
struct CrossbarCase {
    CrossbarChip chip;
    CrossbarNetwork network;
};

inline Result<CrossbarCase> crossbarCase(const std::string& model, const std::string& target) {
    static const TargetCatalog catalog = TargetCatalog::load();
    CrossbarCase made;
    PIM_TRY(const std::shared_ptr<const Target> machine, catalog.find(target));
    PIM_TRY(made.chip, crossbarChip(*machine));
    made.chip.mvmNs = kPublishedMvmNs;
    PIM_TRY(std::shared_ptr<const Graph> graph, zooGraph(model));
    PIM_TRY(made.network, crossbarNetwork(std::move(graph), made.chip));
    return made;
}

/// A sample by the profiler and by the rules of PIMCOMP-NN, in nanoseconds; energy by the profiler.
struct CrossbarTimes {
    double profileNs = 0, peerNs = 0, energyPj = 0;
};

inline Result<CrossbarTimes> programTimes(const CrossbarCase& one, const CrossbarMapping& mapping) {
    PIM_TRY(const CrossbarSchedule schedule, scheduleCrossbar(one.network, one.chip, mapping));
    ProfileOptions options;
    for (const LayerMapping& layer : mapping.layers)
        for (int replica = 0; replica < layer.replicas; ++replica)
            for (const ArrayGroupShape& group : layer.partition.groups)
                options.arraysOfGroup.push_back(std::uint32_t(group.crossbars));
    PIM_TRY(const CrossbarProfile profile, profileCrossbar(schedule.program, one.chip, options));
    PIM_TRY(const CompatResult compat, compatPeriod(schedule.program, compatHardware(one.chip)));
    return CrossbarTimes{profile.periodNs, compat.periodNs, profile.energy.total().value_or(0)};
}

} // namespace pim
