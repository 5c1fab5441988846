// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The allocations worth considering for a stretch of sub-operators, and what going from one segment to the
/// next costs. Flow: sub-operators -> [SegmentPrices] -> segmentation. Segments that look alike (same
/// weights, work, traffic, edges and decisions) are priced once, so repeated layers of a network cost
/// nothing.
#include "backends/dual_mode/segment_table.h"

#include <span>

namespace pim {

/// One allocation of a segment.
struct SegmentChoice {
    std::shared_ptr<const Allocation> allocation; ///< Never null; shared by all segments that look alike.
    double rewrite = 0;                           ///< Cycles.
    int compute = 0, memory = 0;                  ///< Arrays, memory less those shared.
    bool allCompute = false;                      ///< Made for a chip whose arrays all compute.
    /// Arrays without use that can keep what the segment before left in them; they count as memory of \ref
    /// holder.
    int idle = 0;
    int holder = -1; ///< Position of an operator in the segment; -1: memory of all is decided.

    double latency() const { return allocation->latency; }
    /// What the segment costs by itself, without its borders.
    double inside() const { return allocation->latency + rewrite; }
};

/// What a border needs to know of the segment before it. The default is the chip as it starts: nothing to
/// save.
struct BorderSide {
    int compute = 0, memory = 0;
    double liveBytes = 0; ///< Outputs that are needed after the segment.
};

struct BorderCost {
    int toMemory = 0, toCompute = 0;     ///< Arrays.
    double writeBack = 0, switching = 0; ///< Cycles.
    double cycles() const { return writeBack + switching; }
};

/// Fewest switches over all placements, write-back of what lies in memory arrays that are given up.
BorderCost borderCost(const BorderSide& before, int compute, int memory, const DualModeChip& chip);

/// The sub-operators of a network as segments see them: which look alike, who feeds whom, how long outputs are needed.
class SegmentOps {
public:
    SegmentOps(const SegmentationProblem& problem, SegmentTable& table);

    /// Sub-operators of \p first.. that feed \p at, by how far back they are, nearest first.
    std::span<const int> feeders(int first, int at) const;
    /// SegmentTable's number for \p at in a segment that starts at \p first.
    int step(int first, int at) const;
    int edgeCap(int at) const { return m_edgeCap[static_cast<std::size_t>(at)]; }
    /// Last sub-operator that reads the output of an operator; INT_MAX: the world does.
    int lastReader(int op) const { return m_lastReader[static_cast<std::size_t>(op)]; }
    /// As an allocation sees it, with what is pinned.
    const AllocationOp& op(int at) const { return m_ops[static_cast<std::size_t>(at)]; }
    /// Can \p at be given arrays at all, with or without memory arrays?
    bool isLegal(int at, bool memoryArrays) const {
        return m_legal[static_cast<std::size_t>(at)][memoryArrays ? 1 : 0];
    }

private:
    std::vector<AllocationOp> m_ops;
    std::vector<int> m_edgeCap, m_lastReader;
    std::vector<std::size_t>
        m_begin; ///< Of a sub-operator's feeders; of its steps that many and its number further on.
    std::vector<int> m_back, m_step;
    std::vector<std::array<bool, 2>> m_legal;
};

class SegmentPrices {
public:
    /// \p problem, its \p ops and \p table must outlive this; the problem has passed the checks of segmentNetwork().
    SegmentPrices(const SegmentationProblem& problem, const SegmentOps& ops, SegmentTable& table);

    /// A segment that starts at \p first and holds nothing yet.
    void start(int first);
    /// Takes the next sub-operator in. False: it does not fit, nor will it into any longer segment.
    bool grow();
    /// No choice of the segment costs less inside.
    double leastInside() const { return m_here->leastInside; }
    /// Of a segment that fits, best inside cost first. Valid as long as this.
    const std::vector<SegmentChoice>& choices();

    /// Outputs of sub-operators first..last that a later one, or the world, needs.
    double liveBytes(int first, int last) const;
    /// Arrays that \p allocation of first..last uses as output of one and input of another.
    std::vector<SharedArrays> shared(int first, int last, const Allocation& allocation) const;
    /// Why sub-operators first..last do not fit together.
    Error refusal(int first, int last) const;

    std::int64_t priced() const { return m_priced; }
    std::int64_t solved() const { return m_solved; }

private:
    /// Segments that look alike.
    struct Known {
        bool fits = false;
        double leastInside = 0;
        std::vector<SegmentChoice> choices; ///< Empty: not asked for yet.
    };
    void add(AllocationProblem& problem, int first, int at) const;
    void spellOut();
    const std::shared_ptr<const Allocation>& fastest(SegmentTable::Way way);
    Known looked();
    std::vector<SegmentChoice> solve();
    void addSlower(std::vector<SegmentChoice>& choices, SegmentTable::Way way);
    void prune(std::vector<SegmentChoice>& choices) const;
    int holder() const;
    bool canHold() const;
    SegmentChoice choice(std::shared_ptr<const Allocation> allocation, bool allCompute) const;
    double rewrite(const std::vector<int>& compute) const;

    const SegmentationProblem& m_problem;
    const SegmentOps& m_ops;
    SegmentTable& m_table;
    std::vector<SegmentTable::Way> m_ways;  ///< Of the strategy.
    std::unordered_map<int, Known> m_known; ///< By stretch.
    Known* m_here = nullptr;
    AllocationProblem m_segment; ///< Being grown.
    std::array<bool, 2> m_legal{};
    std::vector<int> m_least; ///< Fewest compute arrays of each of its sub-operators.
    int m_first = 0, m_last = -1;
    int m_stretch = 0, m_shorter = 0;
    std::int64_t m_priced = 0, m_solved = 0;
};

} // namespace pim
