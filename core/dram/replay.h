// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Drives requests through one channel until all are served.
#include "core/base/task.h"
#include "core/dram/trace.h"

namespace pim {

enum class DramInjection : std::uint8_t {
    OneATick, ///< One request is offered in a tick; if it finds no room, again in the next.
    Greedy,   ///< As many as find room.
};

/// All requests of \p source in order, then until the last has left; ticks count from 1. Deterministic,
/// constant memory. \p source gives addresses within the device. Error::Cancelled, or what the source or the
/// configuration gives.
Result<DramStatistics> replayDram(const DramDevice& device, const DramControllerConfig& config,
                                  IDramSource& source, DramInjection injection = DramInjection::OneATick,
                                  const TaskContext& task = {}, IDramObserver* observer = nullptr);

/// The scheduler, refresh, page policy of that name ("FRFCFS", "ab", "closed"); Error::Usage lists the names.
Result<DramScheduler> dramSchedulerNamed(std::string_view schedulerName);
Result<DramRefresh> dramRefreshNamed(std::string_view refreshName);
Result<DramPagePolicy> dramPagePolicyNamed(std::string_view policyName);
std::string_view dramSchedulerName(DramScheduler scheduler);
std::string_view dramPagePolicyName(DramPagePolicy policy);
/// The controller configuration of that name; Error::Usage lists the names.
Result<DramControllerConfig> dramControllerNamed(std::string_view controllerName);

} // namespace pim
