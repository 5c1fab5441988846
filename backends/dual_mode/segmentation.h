// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Cuts the list of operators into segments that run one after the other, by dynamic programming over (last
/// segment, its allocation) (CMSwitch §4.3.1, eqs 1-4).
///   cost of a border S' -> S: write-back + mode switch + rewrite of weights
///   write-back = min(live-out bytes of S', memory arrays given up * array bytes) / bandwidth
///   switches m->c = max(0, compute(S) - (N - memory(S'))), c->m = max(0, memory(S) - (N - compute(S')))
///   rewrite = max (or sum) over operators of compute arrays * L_write
/// The chip starts with all arrays in compute mode, and the first segment pays its rewrite.
/// With DualModeOptions::jointBorders a segment may also be slower with fewer arrays, and idle arrays may hold
/// what the segment before left in them: the best over all allocations, as long as a segment has less than a
/// hundred that are worth trying. Strategies: AllCompute is the same search without memory arrays; Puma takes
/// as many operators as fit into each segment and copies weights where that makes the slowest faster; Occ has
/// one operator a segment and one copy of its weights.
#include "backends/dual_mode/allocation.h"
#include "backends/dual_mode/workload.h"
#include "core/base/task.h"

#include <map>
#include <memory>
#include <set>

namespace pim {

/// Decisions of the user, by sub-operator.
struct DualModePins {
    std::map<int, int> compute, memory; ///< Arrays of sub-operator.
    std::set<int> borders;              ///< A segment starts here.
    std::set<int> joints;               ///< No segment starts here.
    friend bool operator==(const DualModePins&, const DualModePins&) = default;
};

struct SegmentationProblem {
    std::vector<DualModeSubOp> subOps;
    /// Of the operators the sub-operators are cut from, see predecessorsOf(). Where a short-cut goes through the whole network, as
    /// many as the square of its operators.
    std::shared_ptr<const std::vector<std::vector<int>>> predecessors =
        std::make_shared<const std::vector<std::vector<int>>>();
    DualModeChip chip;
    DualModeOptions options;
    DualModePins pins;
};

struct SharedArrays {
    int from = 0, to = 0, arrays = 0; ///< Sub-operators.
    friend bool operator==(const SharedArrays&, const SharedArrays&) = default;
};

struct DualModeSegment {
    int first = 0, last = 0;          ///< Sub-operators, both included.
    std::vector<int> compute, memory; ///< Arrays, one a sub-operator of the segment.
    std::vector<SharedArrays> shared;
    /// Memory arrays that no operator here needs: they keep what the segment before left in them, so that it
    /// is not written back. Counted as memory of one operator.
    int held = 0;
    bool allCompute = false;         ///< The all-compute allocation was the better one here.
    int toMemory = 0, toCompute = 0; ///< Arrays switched on entering.
    // Cycles. The parts are the total.
    double intra = 0, writeBack = 0, switching = 0, rewrite = 0;

    double cycles() const { return intra + writeBack + switching + rewrite; }
    int computeArrays() const;
    int memoryArrays() const; ///< Less the shared ones.
};

struct Segmentation {
    std::vector<DualModeSegment> segments;
    double cycles = 0;               ///< Sum over segments.
    std::int64_t segmentsPriced = 0; ///< Candidate segments whose allocation was asked for
    std::int64_t segmentsSolved = 0; ///< and those that were not answered from memory.
};

/// DualModeOp::predecessors of each, for all ways to cut them.
std::shared_ptr<const std::vector<std::vector<int>>> predecessorsOf(const DualModeWorkload& workload);

class SegmentOps;
class SegmentTable;

/// By options.strategy. Error with the operator and the arrays needed where no segmentation exists. \param table of the chip and options,
/// for those that segment more than once; null: one of its own.
Result<Segmentation> segmentNetwork(const SegmentationProblem& problem, const TaskContext& task = {},
                                    SegmentTable* table = nullptr);

/// A network cut in one way that is segmented more than once. Not thread-safe.
class CutNetwork {
public:
    /// \p table outlives it.
    CutNetwork(SegmentationProblem problem, SegmentTable& table);
    CutNetwork(CutNetwork&&) noexcept;
    ~CutNetwork();

    const std::vector<DualModeSubOp>& subOps() const { return m_problem.subOps; }
    /// segmentNetwork() with these in place of the problem's.
    Result<Segmentation> segment(DualModeStrategy strategy, bool jointBorders, const TaskContext& task);

private:
    SegmentationProblem m_problem;
    SegmentTable* m_table;
    std::unique_ptr<const SegmentOps> m_ops; ///< Once they are needed.
};

} // namespace pim
