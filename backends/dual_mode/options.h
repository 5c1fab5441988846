// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the CMSwitch paper leaves a choice, the choice is an option. Defaults are the readings that give the figures
/// of the paper best; each alternative says what it stands for.
#include <cstdint>
#include <vector>

namespace pim {

/// What decides over the arrays of the chip. All strategies see the same operators, cut the same way.
enum class DualModeStrategy : std::uint8_t {
    DualMode,   ///< CMSwitch: modes, segments and duplication decided together.
    AllCompute, ///< All arrays compute; duplication and pipelining inside segments (as CIM-MLC does).
    Puma,       ///< All arrays compute; greedy segments, duplication balances the pipeline (as PUMA does).
    Occ,        ///< All arrays compute; one operator at a time, no duplication, no pipeline (as OCC does).
};

/// How many compute arrays an operator may have.
enum class DuplicationRule : std::uint8_t {
    Copies, ///< Whole copies of the weights: a multiple of the minimum. What hardware can do.
    Any,    ///< Any number from the minimum up, as CMSwitch §4.3.2 is printed.
};

/// Which bytes an operator moves.
enum class TrafficRule : std::uint8_t {
    All,         ///< Inputs, weights and outputs (FLOPs per memory operation of CMSwitch Figs 1, 5, 6).
    Activations, ///< Inputs and outputs.
    Inputs,      ///< Inputs alone: "AI = K" of CMSwitch §4.3.2.
};

enum class MainBandwidthRule : std::uint8_t {
    Each,   ///< Every concurrent operator has the whole of it, as CMSwitch eq. 10.
    Shared, ///< The operators of a segment share it.
};

enum class RewriteRule : std::uint8_t {
    Max, ///< Operators are rewritten side by side, CMSwitch eq. 2.
    Sum, ///< One write port: one after the other.
    /// Side by side, but weights first come over the bus to main memory, once for all copies. The paper
    /// leaves the bus out; simulation does not.
    Bus,
};

/// What a plan is judged by.
enum class CostRule : std::uint8_t {
    Formula, ///< The published model: CMSwitch eqs 1-10, with the readings above. Plans by it are simulated at 1.7 to 9 times their time.
    /// The event-level timing of the plan's own flow (flow/simulate.h), as the simulator charges it: see timed_plan.h.
    Flow,
    /// A first look at the same: only the formulas that come nearest to the simulator propose, without joint borders, and each flow is
    /// timed once.
    Once,
};

struct DualModeOptions {
    DualModeStrategy strategy = DualModeStrategy::DualMode;
    DuplicationRule duplication = DuplicationRule::Copies;
    TrafficRule traffic = TrafficRule::All;
    MainBandwidthRule mainBandwidth = MainBandwidthRule::Each;
    RewriteRule rewrite = RewriteRule::Max;
    CostRule cost = CostRule::Flow;
    /// Caps tried when oversized operators are cut, in arrays; the best one wins. Empty: 1, 5/6, 2/3, 1/2, 5/12, 1/3
    /// and 1/4 of the chip (96, 80, 64, 48, 40, 32, 24 of 96 arrays).
    std::vector<int> caps;
    /// Also keep the all-compute allocation of every segment, so that the result is never worse than a static chip.
    bool keepAllCompute = true;
    /// Further than the paper: also try allocations that give up latency inside a segment for cheaper borders.
    bool jointBorders = true;
    int maxSegmentOps = 24; ///< Operators a segment may hold.

    friend bool operator==(const DualModeOptions&, const DualModeOptions&) = default;
};

} // namespace pim
