// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The last word on layouts: the estimate finds candidates, the scheduled and timed program decides between
/// them.
#include "core/crossbar/search/layout.h"

#include <optional>

namespace pim {

/// Nanoseconds of a sample (HT: period, LL: latency) of the program the schedule makes of \p layout, by
/// profileCrossbar(). Nothing where there is no program, because a local memory is too small.
std::optional<double> refereeNs(const CrossbarLayout& layout, const MappingOptions& options,
                                const TaskContext& task);

/// Which of \p layouts is best; they are tried in order until \p seconds are over, the first in any case. -1:
/// none has a program.
struct RefereeChoice {
    int best = -1;
    double ns = 0;
    int tried = 0;
};
RefereeChoice chooseByProgram(const std::vector<const CrossbarLayout*>& layouts, double seconds,
                              const MappingOptions& options, const TaskContext& task);

} // namespace pim
