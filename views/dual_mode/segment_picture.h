// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the segment editor shows of a plan: pieces in order, segments, counts and costs, and what the user
/// decided. Runs of equal segments (the layers of a transformer) are found so that they can be shown once.
#include "backends/dual_mode/plan.h"

#include <QString>

#include <vector>

namespace pim::views {

/// One piece of an operator, as it is computed at once.
struct PieceBar {
    // Shared by the pieces of an op: of a large model there are tens of thousands.
    QString opName;    ///< Name of the op in the graph: what decisions are filed under.
    QString work;      ///< Of the work it is a piece of: "/layers.0/attention/Attention scores".
    QString shortWork; ///< For narrow columns: "layers.0/attention scores".
    QString part; ///< What the op calls that work: "scores ", "context ", or nothing where it has one alone.
    int op = -1;  ///< Position in the graph, -1 if unknown.
    int index = 0, of = 1;     ///< Among the pieces of the work.
    QString name() const;      ///< "conv8 piece 1/2"
    QString shortName() const; ///< "conv3 1/2"
    QString pieceText() const; ///< PIECE of "border/PIECE": "1 of 2".
    int compute = 0, memory = 0;
    int leastCompute = 0, computeStep = 1; ///< Fewest compute arrays, and by how many they grow.
    bool computeIsPinned = false, memoryIsPinned = false;
    bool startIsPinned = false,
         joinIsPinned = false; ///< A segment starts here, or none does, because the user said so.
};

struct SegmentBar {
    int first = 0, last = 0; ///< Pieces, both included.
    int compute = 0, memory = 0, shared = 0;
    int toMemory = 0, toCompute = 0;
    // Cycles.
    double intra = 0, writeBack = 0, switching = 0, rewrite = 0;
    double cycles() const { return intra + writeBack + switching + rewrite; }
};

/// \ref count segments from \ref first, \ref repeats times over.
struct SegmentRun {
    int first = 0, count = 1, repeats = 1;
};

struct SegmentPicture {
    int arrays = 0;
    double cycleNs = 0, cycles = 0;
    double speedup = 0; ///< Over \ref baseline; 0: unknown.
    QString baseline;
    double memoryShare = 0;
    std::vector<PieceBar> pieces;
    std::vector<SegmentBar> segments;
    std::vector<SegmentRun> runs; ///< Cover all segments, in order; repeats 1 where nothing repeats.

    int switches() const;
    int segmentOf(int piece) const; ///< -1 outside.
};

/// \p graph names the ops; null: the names of the workload are taken.
SegmentPicture segmentPicture(const DualModePlan& plan, const Graph* graph);

/// Fills \ref SegmentPicture::runs.
void findRuns(SegmentPicture& picture);

} // namespace pim::views
