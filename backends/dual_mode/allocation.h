// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Exact allocation of compute and memory arrays inside one segment (CMSwitch §4.3.2, eqs 5-10): the smallest
/// latency T such that every operator has arrays enough to finish within T. Polynomial; no solver.
///   compute arrays for T:  W * ceil(computeWork / W / T)       (DuplicationRule::Copies)
///   memory arrays for T:   ceil((traffic / T - D_main) / D_cim), at least 0
///   arrays shared between an operator's output and the next one's input: a maximum b-matching on the edges
/// T is feasible if the arrays needed, less those shared, are on the chip; feasibility is monotone in T: one
/// memory array more costs one and lets at most one more be shared. The optimum is the latency of some
/// operator with some whole number of arrays, so bisection that snaps to those latencies ends at it exactly.
/// MainBandwidthRule::Shared divides D_main in proportion to the bytes the operators move. Without memory
/// arrays that is the best division there is: all streams end together. With them, one chosen freely for
/// every T could save less than one memory array an operator before sharing, as each count is rounded up once
/// either way.
///
/// Flow: segment of DualModeSubOps -> [allocate] -> segmentation, views.
#include "backends/dual_mode/options.h"
#include "core/base/result.h"

#include <optional>
#include <vector>

namespace pim {

struct AllocationOp {
    int minArrays = 0;
    double computeWork = 0;
    double traffic = 0;
    std::optional<int>
        pinnedCompute; ///< The user's decision: exactly so many. Whole copies with DuplicationRule::Copies.
    std::optional<int> pinnedMemory;
};

/// Output of ops[from] is input of ops[to]; at most \ref cap arrays can serve as both.
struct AllocationEdge {
    int from = 0, to = 0, cap = 0;
};

struct AllocationProblem {
    int arrays = 0;                ///< N
    double arrayBytesPerCycle = 0; ///< D_cim
    double mainBytesPerCycle = 0;  ///< D_main
    DuplicationRule duplication = DuplicationRule::Copies;
    MainBandwidthRule mainBandwidth = MainBandwidthRule::Each;
    bool memoryArrays = true; ///< False: all arrays compute.
    std::vector<AllocationOp> ops;
    std::vector<AllocationEdge> edges;
};

struct Allocation {
    double latency = 0;               ///< T, cycles.
    std::vector<int> compute, memory; ///< One an op: fewest that reach T.
    std::vector<int> shared;          ///< One an edge.
    int arraysUsed() const;           ///< sum of compute and memory less shared.
};

/// What no allocation of \p problem can mend: pins that are impossible by themselves, a chip without arrays or without bandwidth,
/// operators and edges that make no sense. Errors: as allocate().
Result<void> checkAllocation(const AllocationProblem& problem);

/// Room to work in, of one allocation after the other.
struct AllocationScratch {
    std::vector<double> main, computeAlone, memoryAlone;
    std::vector<int> compute, memory, shared, ends;
};

/// allocate() of a problem that passed checkAllocation(), without words: nothing where it does not fit. \param atLeast no allocation
/// has a smaller latency; 0: nothing is known.
std::optional<Allocation> fastestAllocation(const AllocationProblem& problem, double atLeast,
                                            AllocationScratch& scratch);

/// Smallest latency, then fewest arrays. Thread-safe.
/// Error::Unsupported where not even one copy of all weights fits, IllegalOverride where pins are impossible
/// by themselves or do not fit (both with the arrays needed and there), InvalidTarget for a chip without
/// arrays or without bandwidth, InvalidFile for operators and edges that make no sense.
Result<Allocation> allocate(const AllocationProblem& problem);

/// Allocations that give up latency: for latencies above that of \p fastest, up to \p maxLatency, the fewest
/// arrays that reach it. Each one has fewer compute or fewer memory arrays than the one before. \param
/// fastest what allocate() answered for \p problem. \param most    stops after so many.
std::vector<Allocation> slowerAllocations(const AllocationProblem& problem, const Allocation& fastest,
                                          double maxLatency, int most, AllocationScratch& scratch);

/// Latency of one operator of \p problem with given arrays; infinity without bandwidth.
double operatorLatency(const AllocationOp& op, int compute, int memory, const AllocationProblem& problem);

} // namespace pim
