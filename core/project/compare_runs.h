// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Stored runs set against one of them: totals, parts, every op, and what makes them comparable or not.
/// Window and command line show the same.
#include "core/project/project.h"

#include <string>
#include <vector>

namespace pim {

/// An op in one of the runs compared.
struct ComparedOpSide {
    bool there = false;
    std::string placement, draft;
    Origin origin = Origin::Predicted;
    CostSplit cost;
};
struct ComparedOp {
    std::string name, type;
    std::vector<ComparedOpSide> sides; ///< One a run.
};

struct RunsComparison {
    std::vector<RunInfo> runs;
    std::size_t baseline = 0;      ///< The run the others are compared with.
    std::vector<CostSplit> totals; ///< Sums over ops, in op order.
    std::vector<ComparedOp> ops;   ///< Largest difference first, ties in op order.
    std::vector<std::vector<std::string>>
        differences; ///< What decides the outcome and is not as in the baseline; one sentence each.
    bool sameModel = true, sameTarget = true;
    bool sameClock = true; ///< Times of samples, or times between samples in flight, not both.

    bool sameModelAndTarget() const { return sameModel && sameTarget; }
    /// Run minus baseline; an op that is not in a run takes no time there.
    double deltaNs(const ComparedOp& op, std::size_t run) const {
        return op.sides[run].cost.totalNs() - op.sides[baseline].cost.totalNs();
    }
    /// The run in which the op differs most from the baseline; the baseline itself if there is no other.
    std::size_t farthest(const ComparedOp& op) const;
    /// How many times faster than the baseline; 0: not known, or their times do not mean the same.
    double speedup(std::size_t run) const;
    /// Why a run takes longer or less than the baseline, in words; one sentence a line.
    std::string why(std::size_t run) const;
    /// The same for one op.
    std::string why(const ComparedOp& op, std::size_t run) const;
};

/// \param ops of each run, as Project::runOps gives them. \param baseline position in \p runs.
RunsComparison compareRuns(std::vector<RunInfo> runs, const std::vector<std::vector<RunOp>>& ops,
                           std::size_t baseline);

/// What decides the outcome and is not the same in both, from \p a to \p b; one sentence each.
std::vector<std::string> runDifferences(const RunInfo& a, const RunInfo& b);
/// "run 3", "run 3, with gemm"
std::string runTitle(const RunInfo& run);
/// Ids of the runs that are the fastest of all with the same model, dimensions, target and origin of the
/// figures; of equal ones the first made. A run that has no other to be compared with is none.
std::vector<std::int64_t> bestRuns(const std::vector<RunInfo>& runs);

} // namespace pim
