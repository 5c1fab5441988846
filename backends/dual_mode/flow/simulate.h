// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Event-level timing of a flow: what the analytic model of CMSwitch (§4.3) leaves out, it charges.
/// Flow: DualModeFlow + DualModeChip -> [simulateFlow] -> DualModeSimulation -> views, report.
///
/// The machine: every operator of a block goes through its rows in portions, each of which is read,
/// computed and written; reading the next portion overlaps with computing this one and writing the last
/// one (two portions of buffer a side).
/// * A portion starts once its producers are far enough: FlowPace, as CIM-MLC's pipeline model has it.
/// * One bus to main memory, D_main, first come first served: activations, weights, write-back. The
///   arrays of one MEM.hold serve reads and writes one after the other with D_cim each.
/// * One vector unit, vectorLanes elements per cycle; it also adds partial sums of operators cut along the
///   reduction.
/// * Stores and mode switches at the start of a block run one after the other before anything else
///   (CMSwitch eq. 1: switches of arrays add up). Weights of a piece are written array by array, pieces
///   side by side or one after the other (RewriteRule).
/// * Weights come over the bus as well, each block of them once for all its copies; memory arrays do not
///   help there, which the analytic model (weights are part of an operator's traffic) lets them do.
/// * Bringing sums to 8 bit and adding the row blocks of one piece happens in the periphery of the arrays
///   within the cycles of a product; changes of shape and operators of the host cost their transfers
///   alone.
#include "backends/dual_mode/flow/flow.h"
#include "backends/dual_mode/plan.h"
#include "core/base/task.h"
#include "core/timeline/timeline.h"

#include <optional>

namespace pim {

/// Cycles of one block; the first four follow one another and are the total.
struct DualModeBlockTime {
    double writeBack = 0, switching = 0, rewrite = 0, intra = 0;

    double cycles() const { return writeBack + switching + rewrite + intra; }
};

/// Why a block takes other time than the analytic model says, cycles; adds up to simulated - analytic.
struct DualModeGap {
    double writeBack = 0, switching = 0;
    double rewrite = 0;  ///< Weights over the bus, arrays that need not be written again.
    double transfer = 0; ///< Operators by themselves: bytes that lie elsewhere than in the model, whole rows.
    double fill = 0;     ///< Consumers wait for the first rows of their producers.
    double vector = 0;   ///< Operators that are no matrix product.
    double bus = 0;      ///< Operators share the bus to main memory.

    double total() const { return writeBack + switching + rewrite + transfer + fill + vector + bus; }
    DualModeGap& operator+=(const DualModeGap& other);
};

struct DualModeBlockSimulation {
    std::string name;
    double startNs = 0, endNs = 0;
    DualModeBlockTime simulated;
    DualModeBlockTime analytic; ///< Zero without a plan.
    DualModeGap gap;            ///< Zero without a plan.
};

/// One matrix product, vector or host operator.
struct DualModeOpTime {
    std::string name;
    OpId op;
    int piece = -1; ///< -1: no matrix product.
    int block = 0;
    double startNs = 0, endNs = 0;
    double busyNs = 0;                    ///< Its arrays or the vector unit at work.
    double mainBytes = 0, arrayBytes = 0; ///< Moved over the bus, and in and out of memory-mode arrays.
};

/// Picojoules; absent where the chip has no figure.
struct DualModeEnergy {
    std::optional<double> mac, arrays, main, rewrite, switching;
    std::optional<double> total; ///< Of those known; absent if none is.
    bool complete = false;       ///< All are known.
};

struct DualModeSimulation {
    double ns = 0, cycles = 0;
    double analyticCycles = 0; ///< Of the plan; 0 without one.
    DualModeGap gap;           ///< Sum over blocks.
    std::vector<DualModeBlockSimulation> blocks;
    std::vector<DualModeOpTime> ops; ///< In the order of the flow.
    // What happened.
    double macs = 0, mainBytes = 0, arrayBytes = 0;
    std::int64_t arraysWritten = 0, switches = 0, events = 0;
    int hostOps = 0; ///< Operators whose own time is not known and not charged.
    DualModeEnergy energy;
    /// Tracks: arrays, main memory bus, vector unit. Bands: blocks. Labels: pieces and graph ops.
    Timeline timeline;
    double stretchNs = 0; ///< Spans that are shorter are drawn together; 0: all are drawn.
};

class FlowBlockTable;

struct DualModeSimulationOptions {
    RewriteRule rewrite = RewriteRule::Max;
    bool timeline = true;
    /// At most so many portions of rows an operator, besides the small first and last ones.
    int portions = 64;
    FlowBlockTable* blocks =
        nullptr; ///< Of several simulations, for what their blocks have in common; null: one of its own.
};

/// Times \p flow on \p chip. \param segmentation of the plan the flow was made from: one segment a block;
/// null: nothing to compare. Errors: InvalidFile with the position where the flow breaks the rules of the
/// machine (an array computes in memory mode or without weights, is in two modes, data are read that nobody
/// makes), Cancelled.
Result<DualModeSimulation> simulateFlow(const DualModeFlow& flow, const DualModeChip& chip,
                                        const DualModeSimulationOptions& options = {},
                                        const Segmentation* segmentation = nullptr,
                                        const TaskContext& task = {});
/// The same for a flow that checkFlow() passed.
Result<DualModeSimulation> simulateChecked(const DualModeFlow& flow, const DualModeChip& chip,
                                           const DualModeSimulationOptions& options,
                                           const Segmentation* segmentation, const TaskContext& task);
/// The same, compared with the analytic model of the plan.
Result<DualModeSimulation> simulateFlow(const DualModeFlow& flow, const DualModePlan& plan,
                                        const TaskContext& task = {});

/// What emitFlow() makes of a plan, with what it takes, without a timeline; its error on a chip whose times are not known.
struct TimedFlow {
    DualModeFlow flow;
    Result<DualModeSimulation> simulation;
};
/// Errors: as emitFlow(). \param blocks as DualModeSimulationOptions::blocks.
Result<TimedFlow> emitTimedFlow(const Graph& graph, const DualModePlan& plan, const TaskContext& task = {},
                                FlowBlockTable* blocks = nullptr);

} // namespace pim
