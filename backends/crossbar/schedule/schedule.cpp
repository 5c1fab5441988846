// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/schedule.h"

#include "backends/crossbar/schedule/high_throughput.h"
#include "backends/crossbar/schedule/low_latency.h"
#include "backends/crossbar/schedule/stage_groups.h"
#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

namespace pim {
namespace {

/// \param full cores that work on the layer that found no room.
Result<CrossbarSchedule> scheduleOnce(const CrossbarNetwork& network, const CrossbarChip& chip,
                                      const CrossbarMapping& mapping, const ScheduleOptions& options,
                                      const TaskContext& task, std::set<CoreId>& full) {
    RowEngine engine(network, chip, mapping, options);
    const bool lowLatency = mapping.mode == CrossbarMode::LowLatency;
    if (const auto run =
            lowLatency ? scheduleLowLatency(engine, chip, task) : runHighThroughput(engine, chip, task);
        !run) {
        full = engine.fullCores();
        return tl::unexpected(engine.explained(run.error()));
    }
    if (lowLatency || engine.keptInTime())
        return engine.finish();
    PIM_ASSERT(!options.keepLate, "with a buffer more no row is read too late");
    ScheduleOptions late = options;
    late.keepLate = true;
    return scheduleOnce(network, chip, mapping, late, task, full);
}

/// HT: how much may be computed twice, so that the shortest round is shortest: whatever is needed, little, or nothing.
double shortestRound(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                     const ScheduleOptions& options) {
    double best = 0, bestNs = std::numeric_limits<double>::infinity();
    CrossbarTasks before; // of a larger part; a round of the same tasks is as long
    for (const double mostTwice : {1e9, 1.3, 1.2, 1.1, 1.0}) {
        CrossbarTasks tasks = dealOutTasks(network, chip, mapping, options.fuse, mostTwice, options.grouping);
        if (tasks == before)
            continue;
        before = std::move(tasks);
        ScheduleOptions tried = options;
        tried.mostTwice = mostTwice;
        if (const double ns = RowEngine(network, chip, mapping, tried).roundBoundNs(); ns < bestNs) {
            best = mostTwice;
            bestNs = ns;
        }
    }
    return best;
}

/// Layers whose maps cores store and the host needs for \p layer, those it computes in between left out.
void addStored(const CrossbarNetwork& network, const CrossbarSchedule& schedule, LayerId layer,
               std::set<LayerId>& seen, std::vector<LayerId>& stored) {
    for (const LayerId input : network.layers[layer.index()].inputs) {
        const CrossbarLayer& from = network.layers[input.index()];
        if (from.as<InputWork>() || !seen.insert(input).second)
            continue;
        if (from.as<HostWork>() || schedule.mapAddress[input.index()] == CrossbarSchedule::kNowhere)
            addStored(network, schedule, input, seen, stored); // what is nowhere is made of its inputs
        else
            stored.push_back(input);
    }
}

} // namespace

Error explained(const CrossbarSchedule& schedule, const CrossbarNetwork& network, const CrossbarChip& chip,
                Error error) {
    const double needed = double(schedule.globalElements) * chip.activationBytes();
    if (error.code == ErrorCode::Cancelled || needed <= double(chip.globalBytes))
        return error;
    return Error{
        ErrorCode::InvalidTarget,
        fmt::format("its maps take {} of global memory, the chip has {}", bytesText(needed),
                    bytesText(double(chip.globalBytes))),
        network.name,
        "use a chip with more global memory, bind dimensions to smaller values, or cut the input into "
        "parts"};
}

std::vector<HostMap> hostMapsOf(const CrossbarNetwork& network, const CrossbarSchedule& schedule,
                                CrossbarMode mode) {
    std::vector<HostMap> maps;
    const auto elementsOf = [&](LayerId layer) {
        const std::uint64_t begin = schedule.mapAddress[layer.index()];
        return HostMap::Elements{begin, begin + std::uint64_t(network.layers[layer.index()].out.elements())};
    };
    for (std::size_t i = 0; mode == CrossbarMode::LowLatency && i < network.layers.size(); ++i) {
        if (!network.layers[i].as<HostWork>())
            continue;
        std::set<LayerId> seen;
        std::vector<LayerId> stored;
        addStored(network, schedule, LayerId(i), seen, stored);
        if (stored.empty())
            continue; // there from the beginning
        HostMap& made = maps.emplace_back(HostMap{elementsOf(LayerId(i)), {}});
        for (const LayerId layer : stored)
            made.reads.push_back(elementsOf(layer));
    }
    return maps;
}

bool hasSmallMemories(const CrossbarChip& chip) {
    constexpr std::int64_t kSmall = 1 << 16; // elements
    return chip.localBytes / chip.activationBytes() < kSmall;
}

int memoryShareOf(const CrossbarChip& chip, CrossbarMode mode) {
    return hasSmallMemories(chip) && mode == CrossbarMode::HighThroughput ? 128 : 32;
}

int columnsOfPiece(const PixelMap& map, const CrossbarChip& chip, int memoryShare) {
    const std::int64_t elements = chip.localBytes / chip.activationBytes() / (memoryShare / 2);
    return int(std::clamp<std::int64_t>(elements / std::max(1, map.channels), 1, std::max(1, map.width)));
}

int ringShareOf(CrossbarMode mode) {
    return mode == CrossbarMode::HighThroughput ? 2 : 4;
}

int CrossbarSchedule::stages() const {
    return stage.empty() ? 0 : std::max(1, *std::ranges::max_element(stage));
}

Result<CrossbarSchedule> scheduleCrossbar(const CrossbarNetwork& network, const CrossbarChip& given,
                                          const CrossbarMapping& mapping, const ScheduleOptions& options,
                                          const TaskContext& task) {
    const CrossbarChip chip = chipOfReferee(given, options.rules);
    ScheduleOptions tried = options;
    if (tried.memoryShare <= 0)
        tried.memoryShare = memoryShareOf(chip, mapping.mode);
    if (tried.ringShare <= 0)
        tried.ringShare = ringShareOf(mapping.mode);
    if (mapping.mode == CrossbarMode::HighThroughput && options.fuse && options.mostTwice <= 0)
        tried.mostTwice = shortestRound(network, chip, mapping, tried);
    const MappedStages stages = options.layersAStage == kMappedStages
                                    ? mapping.stages
                                    : MappedStages{.layersAStage = options.layersAStage};
    tried.layersAStage = 1;
    if (mapping.mode == CrossbarMode::HighThroughput && stages.layersAStage != 1)
        return scheduleInStages({network, chip, mapping, stages, options.rules}, task,
                                [&](const StageGrouping& grouping) {
                                    ScheduleOptions grouped = tried;
                                    grouped.grouping = grouping;
                                    return scheduleCrossbar(network, chip, mapping, grouped, task);
                                });
    // Cores whose memory is too small do with less, then all of them.
    const int memoryShare = tried.memoryShare, ringShare = tried.ringShare;
    constexpr int kMostAlone = 5;
    constexpr std::array<std::pair<int, int>, 4> kShares{{{4, 1}, {4, 2}, {16, 4}, {16, 32}}};
    tried.tight.assign(std::size_t(chip.cores()), 0);
    for (std::size_t attempt = 0;; ++attempt) {
        std::set<CoreId> full;
        auto made = scheduleOnce(network, chip, mapping, tried, task, full);
        if (made)
            made->mostTwice = tried.mostTwice;
        if (made || made.error().code != ErrorCode::InvalidTarget ||
            attempt + 1 == kMostAlone + kShares.size())
            return made;
        if (attempt + 1 < kMostAlone) {
            for (const CoreId core : full)
                ++tried.tight[core.index()];
            continue;
        }
        const auto& [memory, ring] = kShares[attempt + 1 - kMostAlone];
        tried.tight.clear();
        tried.keep = false;
        tried.memoryShare = memoryShare * memory;
        tried.ringShare = ringShare * ring;
    }
}

} // namespace pim
