// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the compiler decided for a dual-mode chip: how operators are cut, which segments there are, which array is in
/// which mode in each of them. Flow: Graph + Target + Overrides -> [DualModePlan] -> flow -> simulation, views, report.
#include "backends/dual_mode/segmentation.h"
#include "core/plan/plan_detail.h"

#include <memory>
#include <optional>

namespace pim {

enum class ArrayMode : std::uint8_t { Idle, Compute, Memory };

/// What one physical array does in one segment.
struct ArrayUse {
    ArrayMode mode = ArrayMode::Idle; ///< Idle: keeps the mode it had, takes no part.
    /// Compute: whose weights. Memory: whose output it collects, -1 if none.
    int subOp = -1;
    /// Memory: whose input it feeds, -1 if none; with subOp set as well it is shared.
    int reader = -1;
    int slot = -1; ///< Compute: block of the weights it holds, copy * minArrays + block.
    friend bool operator==(const ArrayUse&, const ArrayUse&) = default;
};

/// Neighbours that do the same in one segment.
struct ArrayUseRun {
    int arrays = 0;
    ArrayUse use; ///< Of the first; slots count up.
    friend bool operator==(const ArrayUseRun&, const ArrayUseRun&) = default;
};

/// Physical arrays of one segment, as runs: there may be hundreds of thousands of segments, and one takes few runs.
struct DualModePlacement {
    std::vector<ArrayUseRun> runs;        ///< Array 0 first, all arrays.
    std::vector<int> toMemory, toCompute; ///< Arrays switched on entering, ascending.

    std::vector<ArrayUse> arrays() const; ///< [array]
    friend bool operator==(const DualModePlacement&, const DualModePlacement&) = default;
};

struct DualModeBaseline {
    DualModeStrategy strategy = DualModeStrategy::AllCompute;
    std::string name; ///< "all compute (CIM-MLC-like)"
    double cycles = 0;
};

/// What one sub-operator takes in the flow of a plan, cycles.
struct DualModePieceTime {
    double busy = 0;    ///< Its arrays at work.
    double elapsed = 0; ///< From its first row to its last, waiting included; >= busy.
};

/// What the vector unit works for one op that is no matrix product, in one segment of the flow, cycles.
struct DualModeVectorTime {
    OpId op;
    int segment = 0;
    double busy = 0;
};

/// Bytes that a request moves in the flow of a plan.
struct DualModeTraffic {
    double main = 0;   ///< Over the bus to main memory, weights among them.
    double arrays = 0; ///< In and out of arrays in memory mode.
};

/// One cap that was tried, or the cuts a search found.
struct DualModeCapTrial {
    int cap = 0;
    bool searched = false; ///< Every kind of operator has a cut of its own; the cap is the largest of theirs.
    std::int64_t subOps = 0;
    double cycles = 0; ///< Of the strategy asked for.
    double allComputeCycles = 0;
};

struct DualModePlan : PlanDetail {
    DualModeChip chip;
    DualModeOptions options;
    /// Of all plans of a network; never null.
    std::shared_ptr<const DualModeWorkload> workload = std::make_shared<const DualModeWorkload>();
    int cap = 0;               ///< That won.
    bool searchedCuts = false; ///< As DualModeCapTrial::searched.
    std::vector<DualModeSubOp> subOps;
    DualModePins pins;
    Segmentation segmentation;
    std::vector<DualModePieceTime>
        pieceTimes; ///< One a sub-operator where plans are judged by their flow; else empty.
    std::vector<DualModeVectorTime> vectorTimes; ///< Likewise.
    std::optional<DualModeTraffic> traffic;      ///< Likewise.
    std::vector<DualModePlacement> placement;    ///< One a segment.
    std::vector<DualModeBaseline> baselines;     ///< Best cap of each.
    std::vector<DualModeCapTrial> caps;          ///< Always by formula.

    std::string_view kind() const override { return "dual-mode"; }
    std::string json() const override;
    std::vector<std::pair<std::string, double>> figures() const override;
    std::string subOpName(int subOp) const; ///< "conv3", "conv8 piece 1/2"
    /// Speed-up over the all-compute chip, each with its best cap.
    double speedup() const;
    /// Share of array-time in memory mode, weighted by segments' latency: 0..1.
    double memoryShare() const;
};

/// Chooses physical arrays segment by segment so that as few as possible switch: an array keeps its mode until the segment
/// cannot do without it, which is the least over the whole run. At a border whose first segment leaves no array idle these are
/// the counts of eq. 1 (CMSwitch §4.3.1); an idle array keeps one mode while eq. 1 lets it have either, so elsewhere there
/// can be more. Copies of a sub-operator have consecutive slots. An array that holds an output feeds it to its reader in the next segment.
/// \param workload of the sub-operators: who reads whom. Without it the operators are taken for a chain.
std::vector<DualModePlacement> placeArrays(const std::vector<DualModeSubOp>& subOps,
                                           const Segmentation& segmentation, const DualModeChip& chip,
                                           const DualModeWorkload& workload = {});

} // namespace pim
