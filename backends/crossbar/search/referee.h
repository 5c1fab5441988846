// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The last word on layouts: the estimate finds candidates, the scheduled and timed program decides between
/// them.
#include "backends/crossbar/search/layout.h"

#include <vector>

namespace pim {

/// The mapping a layout stands for, its cores in the order in which they are used best.
CrossbarMapping placedMapping(const CrossbarLayout& layout, const MappingOptions& options);

/// A program that was made and timed.
struct TimedProgram {
    double ns = 0;        ///< Of a sample (HT: period, LL: latency), by MappingOptions::referee.
    MappedStages stages;  ///< HT: as they came out; a mapping with them has this program.
    double mostTwice = 0; ///< HT: CrossbarSchedule::mostTwice.
    std::size_t instructions = 0;
};
/// Of CrossbarMapping::stages, or of MappingOptions::layersAStage where that is not what the mapping says.
/// \param mostTwice of another program of the same layout; 0: none was made. Errors: those of
/// scheduleCrossbar(), as where a local memory is too small; Cancelled.
Result<TimedProgram> timeProgram(const CrossbarLayoutModel& model, const CrossbarMapping& mapping,
                                 const MappingOptions& options, const TaskContext& task,
                                 double mostTwice = 0);

/// The same of a layout with a stage for every layer.
Result<TimedProgram> timeProgram(const CrossbarLayout& layout, const MappingOptions& options,
                                 const TaskContext& task);

/// Which of \p layouts is best; they are tried in order until \p task is over. -1: none has a program.
struct RefereeChoice {
    int best = -1;
    double ns = 0;
    std::size_t instructions = 0; ///< Of the best one's program.
};
/// \p first is asked instead of \p task for the first of them, which then is timed whatever that takes.
RefereeChoice chooseByProgram(const std::vector<const CrossbarLayout*>& layouts,
                              const MappingOptions& options, const TaskContext& task,
                              const TaskContext* first = nullptr);

} // namespace pim
