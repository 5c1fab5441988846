// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/schedule/schedule.h"

#include "core/crossbar/schedule/high_throughput.h"
#include "core/crossbar/schedule/low_latency.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
    // Where a memory is too small for stretches as long as usual, shorter ones are tried, then fewer products under way.
    constexpr std::array<std::pair<int, int>, 5> kShares{{{1, 1}, {4, 1}, {4, 2}, {16, 4}, {16, 16}}};
    for (std::size_t attempt = 0;; ++attempt) {
        tried.memoryShare = options.memoryShare * kShares[attempt].first;
        tried.ringShare = options.ringShare * kShares[attempt].second;
        auto made = scheduleOnce(network, chip, mapping, tried, task);
        if (made || made.error().code != ErrorCode::InvalidTarget || attempt + 1 == kShares.size())
            return made;
    }
}

} // namespace pim
