// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A dual-mode compute-in-memory chip in the figures the compiler works with (DEHA, CMSwitch §4.2), read from
/// a Target. Flow: Target -> [DualModeChip] -> operators, allocation, segmentation, simulation.
#include "core/hardware/target.h"

#include <optional>

namespace pim {

/// Times in cycles of the chip, bandwidths in bytes per cycle.
struct DualModeChip {
    std::string name;
    int arrays = 0;              ///< N_cim: arrays that can switch mode.
    int rows = 0;                ///< Word lines of an array: reduction length it takes.
    int columns = 0;             ///< Weights in a row: bit lines / cells a weight.
    std::int64_t arrayBytes = 0; ///< What an array holds in memory mode.
    double cycleNs = 0;
    double cyclesPerMvm = 0;           ///< t: one input vector through one array, all input bits.
    double arrayBytesPerCycle = 0;     ///< D_cim: of one array in memory mode.
    double mainBytesPerCycle = 0;      ///< D_main: main memory and original buffer together.
    double writeCyclesPerArray = 0;    ///< L_write: weights into one array.
    double writeBackBytesPerCycle = 0; ///< Live data to main memory between segments.
    double toMemoryCycles = 0;         ///< L_c->m of one array.
    double toComputeCycles = 0;        ///< L_m->c of one array.
    double readCycles = 0;             ///< Extra cycles of one access in memory mode; 0 if none is known.
    double computeCycles = 0;          ///< Extra cycles of one MVM in compute mode; 0 if none is known.
    std::int64_t bufferBytes = 0;      ///< Original on-chip buffer.
    double vectorLanes = 0;      ///< Elements a cycle of the digital unit (ReLU, add, pool, softmax, …).
    std::string switchMethod;    ///< "input of the global word lines GIA and /GIA"
    std::optional<double> macPj; ///< Energy of one 8-bit MAC; absent where nobody published it.
    std::optional<double> arrayBytePj, mainBytePj, writeArrayPj, switchPj;
};

/// Reads the parameters named in resources/targets/README.md ("dual-mode").
/// Error::InvalidTarget lists everything that is missing or impossible: no arrays, no bandwidth, …
Result<DualModeChip> dualModeChip(const Target& target);

/// The same, one line a problem; empty if the chip can be used. For lists of targets.
Diagnostics dualModeChipProblems(const Target& target);

/// Is the chip one that can compute? For chips that come from somewhere else than a Target.
/// Error::InvalidTarget lists everything that is impossible.
Result<void> checkDualModeChip(const DualModeChip& chip);

} // namespace pim
