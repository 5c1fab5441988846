// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Who computes which pixels and who reads them, as a row pipeline (row_pipeline.h) follows them.
/// Flow: CrossbarMapping + CrossbarTasks -> [PipelineShares] -> rowPipelineTimes().
#include "backends/crossbar/mapping.h"
#include "backends/crossbar/schedule/input_pieces.h"
#include "backends/crossbar/schedule/tasks.h"

#include <optional>

namespace pim {

inline ColumnSpan meet(ColumnSpan a, ColumnSpan b) {
    return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// What a core has of a map.
struct PipelineLane {
    CoreId core;
    LayerId layer;
    bool global = false; ///< Read from global memory.
    int channelBegin = 1 << 30, channelEnd = 0;
    std::vector<ColumnSpan> want; ///< [row] what readers in the core need, within the map.
    std::vector<int> missing;     ///< [row] elements that are still to come.
    std::vector<ShareId> readers;
    std::vector<std::pair<ShareId, int>> feeds; ///< That read it: position in PipelineShare::feeds.
    int complete = 0;                           ///< Rows before this are here.
    ColumnSpan columns;                         ///< All of \ref want together …
    int rowBegin = 1 << 30, rowEnd = 0;         ///< … and the rows in which there are any.
    int channels() const { return channelEnd - channelBegin; }
};

struct PipelineFeed {
    LaneId lane;
    int input = 0;
    LayerId source;
    int need = 0; ///< Rows before this are read by the next job.
};

/// One core of a share, per window; where products span windows, per piece of the input.
struct PipelinePart {
    CoreId core;
    int width = 0; ///< Output channels its sums are for.
    double issueNs = 0, sumNs = 0, chainNs = 0;
};

/// Columns of a row for a lane.
struct PipelinePiece {
    LaneId lane;
    int row = 0, channels = 0;
    ColumnSpan span;
};

/// A job whose products are under way.
struct PipelineEnding {
    int y = 0;
    ColumnSpan span;
    double productsNs = 0; ///< When its last product is done.
};

/// What is asked for with every window comes first.
struct PipelineShare {
    CoreId head;                     ///< TaskShare::core.
    int window = 0;                  ///< Next of the job.
    double arrivedNs = 0;            ///< The last of what came to it.
    std::vector<PipelinePart> parts; ///< Of a matrix layer.
    std::size_t taker = 0;           ///< Of the next window: replicas take turns.
    std::vector<double> replicaFree; ///< [replica, phase of a row] ns
    int y = -1;
    ColumnSpan span;     ///< Of the next job.
    double issuedNs = 0; ///< When its last product was.
    bool queued = false; ///< Its next job is among the steps.
    bool begun = false;  ///< The band its next job is in.
    bool done = false;
    const TaskShare* task = nullptr;
    const CrossbarLayer* layer = nullptr;
    std::optional<InputPieces> pieces; ///< Where products span windows: what they are for.
    std::vector<PipelineFeed> feeds;
    LaneId outLane;
    std::vector<LaneId> targets; ///< Of other cores, that want some of it.
    std::size_t missing = 0;     ///< Feed that kept it from being ready when that was asked last.
    int piece = 1;               ///< Columns of a job at most.
    int block = 1;               ///< Columns of a row that lie side by side, and are handed on together.
    std::int64_t left = 0;       ///< Pixels whose results have not been handed on.
    std::vector<PipelinePiece> unsent;
    std::vector<PipelineEnding> ending; ///< All there have been …
    std::size_t ended = 0;              ///< … and how many are over.
};

struct PipelineShares {
    std::vector<PipelineLane> lanes;
    std::vector<std::vector<LaneId>> lanesOf; ///< [layer]
    std::vector<PipelineShare> shares;
};
/// Before their first rows. \p tasks: of \p mapping; must outlive the result.
PipelineShares pipelineShares(const CrossbarNetwork& network, const CrossbarChip& chip,
                              const CrossbarMapping& mapping, const CrossbarTasks& tasks);

} // namespace pim
