// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The chip the networks are planned for.
#include "backends/dual_mode/chip.h"

namespace pim::test {

/// DynaPlasia as CMSwitch has it, with the constants its figures are reproduced best with.
inline DualModeChip chipOf(int arrays) {
    DualModeChip chip;
    chip.name = "dynaplasia";
    chip.arrays = arrays;
    chip.rows = 320;
    chip.columns = 40;
    chip.arrayBytes = 12800;
    chip.cycleNs = 4;
    chip.cyclesPerMvm = 100;
    chip.arrayBytesPerCycle = 4;
    chip.mainBytesPerCycle = 32;
    chip.writeCyclesPerArray = 32;
    chip.writeBackBytesPerCycle = 32;
    chip.toMemoryCycles = chip.toComputeCycles = 1;
    chip.bufferBytes = 81920;
    chip.vectorLanes = 64;
    return chip;
}

} // namespace pim::test
