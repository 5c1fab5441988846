// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The allocations worth considering for a stretch of sub-operators, and what going from one segment to the
/// next costs. Flow: sub-operators -> [SegmentPrices] -> segmentation. Segments that look alike (same
/// weights, work, traffic, edges and decisions) are allocated once, so repeated layers of a network cost
/// nothing.
#include "backends/dual_mode/segmentation.h"

#include <memory>
#include <string>
#include <unordered_map>

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

class SegmentPrices {
public:
    /// \p problem must outlive this and have passed the checks of segmentNetwork().
    explicit SegmentPrices(const SegmentationProblem& problem);

    /// A segment that starts at \p first and holds nothing yet.
    void start(int first);
    /// Takes the next sub-operator in. Answers the choices, best inside cost first; empty: does not fit, nor
    /// will any longer segment. Valid as long as this.
    const std::vector<SegmentChoice>& grow();

    /// Outputs of sub-operators first..last that a later one, or the world, needs.
    double liveBytes(int first, int last) const;
    /// Arrays that \p allocation of first..last uses as output of one and input of another.
    std::vector<SharedArrays> shared(int first, int last, const Allocation& allocation) const;
    /// Why sub-operators first..last do not fit together.
    Error refusal(int first, int last) const;

    std::int64_t priced() const { return m_priced; }
    std::int64_t solved() const { return m_solved; }

private:
    AllocationProblem allocationProblem(int first, int last, bool memoryArrays) const;
    bool feeds(int from, int to) const;
    int edgeCap(int from) const;
    std::vector<SegmentChoice> solve() const;
    void addChoices(std::vector<SegmentChoice>& choices, const AllocationProblem& problem,
                    bool allCompute) const;
    void prune(std::vector<SegmentChoice>& choices) const;
    int holder() const;
    bool canHold() const;
    SegmentChoice choice(Allocation allocation, bool allCompute) const;
    double rewrite(const std::vector<int>& compute) const;

    const SegmentationProblem& m_problem;
    std::vector<char32_t> m_class; ///< Of each sub-operator: same number, same operator to the allocation.
    std::vector<int> m_lastReader; ///< Last sub-operator that reads the output of an operator.
    std::unordered_map<std::u32string, std::vector<SegmentChoice>> m_known;
    std::u32string m_key;
    int m_first = 0, m_last = -1;
    std::int64_t m_priced = 0, m_solved = 0;
};

} // namespace pim
