// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// HT: which layers share a stage of the pipeline, so that the first result is there sooner: after one round
/// a stage. [PIMCOMP §VII-A, layer grouping strategy] The paper groups what depends on each other "without
/// compromising throughput" and does not say how; here a stage is filled by an estimate (round_times.h) and
/// the program is timed.
#include "backends/crossbar/schedule/schedule.h"

#include <functional>
#include <limits>

namespace pim {

/// Layers of which mapping are to share stages, and how.
struct StageRequest {
    const CrossbarNetwork& network;
    const CrossbarChip& chip;
    const CrossbarMapping& mapping;
    /// layersAStage at most, whatever that costs; kAutomaticStages: as few stages as there are with a round at most kLongerRound
    /// times as long as with a stage for every layer.
    const MappedStages& stages;
    CrossbarReferee rules; ///< By which rounds are timed.
};

/// \param make writes the program with such stages. Where memory is too small for what layers of a stage hand to each
/// other, the layer that found no room and those it shares its stage with wait for no other any more:
/// CrossbarSchedule::apart. Errors: those of \p make.
Result<CrossbarSchedule>
scheduleInStages(const StageRequest& request, const TaskContext& task,
                 const std::function<Result<CrossbarSchedule>(const StageGrouping&)>& make);

/// What a program with such stages will be like where memories have room for them, without making it.
struct StagePreview {
    std::vector<LayerId> waiting; ///< CrossbarSchedule::waiting
    double boundNs = 0;           ///< RowEngine::roundBoundNs()
};
/// \param mostTwice CrossbarSchedule::mostTwice of a program of the mapping.
StagePreview previewStages(const StageRequest& request, double mostTwice);
/// MappedStages::layersAStage that says nothing.
constexpr int kAnyLayersAStage = std::numeric_limits<int>::max();

constexpr double kLongerRound = 1.03;

} // namespace pim
