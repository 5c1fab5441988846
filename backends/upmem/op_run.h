// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One op of a plan looked at closely on its busiest DPU: what lies where in MRAM and WRAM, what its tasklets did when, how often
/// every line of its C code was run. Flow: Plan + op -> [runOnDpu] -> views/upmem, report.
#include "backends/upmem/dpu/dpu.h"
#include "backends/upmem/tasklet/program.h"
#include "core/plan/plan.h"

namespace pim::upmem {

struct MramRegion {
    std::string name;    ///< Of the array: "w".
    std::string meaning; ///< "rows of the operand that streams, [tasklets][outputs][row]"
    std::string
        tensor; ///< That is kept there, as the network names it; empty: results, or rearranged pieces of several.
    std::int64_t begin = 0, bytes = 0;
    bool resident = false; ///< Stays from run to run.
};

/// Ceilings and the op's place under them, of one DPU.
struct DpuRoofline {
    double operations = 0;             ///< Products and sums of the op, two a MAC.
    double mramBytes = 0;              ///< Moved by DMA.
    double cycles = 0;                 ///< Of the whole tile.
    double operationsPerCycleMost = 0; ///< With its instructions an operation, the pipeline always busy.
    double bytesPerCycleMost = 2;      ///< Of the DMA engine in the longest DMAs.
    double taskletCeiling = 1; ///< Instructions a cycle that so few tasklets can issue at most, T / 11.
};

struct OpOnDpu {
    std::string op; ///< Name in the network.
    int dpus = 0, tasklets = 0, mostTasklets = 24;
    double cycleNs = 0;
    /// What was run; its first rows where the whole would take too long.
    DpuRun run;
    double cycles = 0; ///< Of the whole tile, counted on from what was run.
    double predictedCycles = 0;
    bool isWhole = false;
    TaskletProgram program;
    std::string c;                               ///< Text of the DPU program.
    std::vector<int> statementOfLine;            ///< One a line; -1: none.
    std::vector<std::int64_t> issuedOfStatement; ///< Instructions issued in the run, by id of the statement.
    std::vector<MramRegion> mram;
    std::int64_t mramBytes = 64 << 20, wramBytes = 64 << 10, wramKept = 16'384 + 656;
    DpuRoofline roofline;
};

/// \param op placed on the DPUs. ErrorCode::Unsupported: it is on the host, or in a type the engine does not run (with the
/// reason); Cancelled.
Result<std::shared_ptr<const OpOnDpu>> runOnDpu(const Plan& plan, OpId op, const TaskContext& task);

/// Of all DPUs of a plan, for the floor plan: how much of the MRAM is taken by what stays, what share of the time a DPU computes.
struct DpuLoad {
    int ranks = 0, dpusPerRank = 64, dpusPerChip = 8;
    std::vector<double> busyNs;         ///< One a DPU, all ops or the one asked for.
    std::vector<std::int64_t> mramKept; ///< Bytes that stay, one a DPU.
    std::vector<std::int64_t> mramPeak; ///< With what passes.
    double totalNs = 0;
};
/// \param op one alone; invalid: all.
DpuLoad loadOf(const Plan& plan, OpId op);

} // namespace pim::upmem
