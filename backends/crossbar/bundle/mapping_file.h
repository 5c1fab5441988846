// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// chip/mapping.json of a bundle: how weights are cut into array groups, which core holds which, and where
/// maps lie in global memory. With it a program can be run without deciding anything again.
/// Flow: CrossbarMapping + CrossbarSchedule -> [text] -> bundle -> `pimc verify --numeric`.
#include "backends/crossbar/mapping.h"
#include "backends/crossbar/schedule/schedule.h"

#include <string>
#include <string_view>

namespace pim {

struct CrossbarPlacement {
    CrossbarMapping mapping;
    std::vector<std::uint32_t> mapAddress; ///< As CrossbarSchedule has them, likewise those below.
    std::vector<int> copies, stage;
};

/// Canonical JSON; stages are those of the schedule, whoever asked for them. Numbers of instructions and times are not part of it.
std::string placementText(const CrossbarNetwork& network, const CrossbarMapping& mapping,
                          const CrossbarSchedule& schedule);
/// Errors: InvalidFile where it is not that, or of another network or chip.
Result<CrossbarPlacement> parsePlacement(std::string_view text, const CrossbarNetwork& network,
                                         const CrossbarChip& chip, const std::string& where);

} // namespace pim
