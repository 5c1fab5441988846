// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/schedule/schedule.h"

#include "core/crossbar/schedule/high_throughput.h"
#include "core/crossbar/schedule/low_latency.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

Result<CrossbarSchedule> scheduleOnce(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                                      const ScheduleOptions& options, const TaskContext& task) {
    RowEngine engine(network, chip, mapping, options);
    if (mapping.mode == CrossbarMode::HighThroughput) {
        PIM_CHECK(runHighThroughput(engine, chip, task));
    } else {
        PIM_CHECK(scheduleLowLatency(engine, chip, task));
    }
    return engine.finish();
}

/// HT: how much may be computed twice, so that the shortest round is shortest: little or whatever is needed.
double shortestRound(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping, const ScheduleOptions& options) {
    constexpr double kLittle = 1.3, kMuch = 1e9;
    const auto boundNs = [&](double mostTwice) {
        ScheduleOptions tried = options;
        tried.mostTwice = mostTwice;
        return RowEngine(network, chip, mapping, tried).roundBoundNs();
    };
    return boundNs(kMuch) <= boundNs(kLittle) ? kMuch : kLittle;
}

} // namespace

int CrossbarSchedule::stages() const { return stage.empty() ? 0 : std::max(1, *std::ranges::max_element(stage)); }

Result<CrossbarSchedule> scheduleCrossbar(const CrossbarNetwork& network, const CrossbarChip& chip, const CrossbarMapping& mapping,
                                          const ScheduleOptions& options, const TaskContext& task) {
    ScheduleOptions tried = options;
    if (mapping.mode == CrossbarMode::HighThroughput && options.fuse && options.mostTwice <= 0)
        tried.mostTwice = shortestRound(network, chip, mapping, options);
    // Where a memory is too small for stretches as long as usual, shorter ones are tried.
    constexpr int kMostShare = 512;
    while (true) {
        auto made = scheduleOnce(network, chip, mapping, tried, task);
        if (made || made.error().code != ErrorCode::InvalidTarget || tried.memoryShare >= kMostShare)
            return made;
        tried.memoryShare *= 4;
    }
}

} // namespace pim
