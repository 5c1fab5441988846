// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A program as a device sees it: which command each opcode is, and whether the device can do what the
/// program wants. Flow: DramDevice + Program -> [DeviceProgram] -> sequencer.cpp.
#include "core/base/task.h"
#include "core/dram/device.h"
#include "core/dram_pim/flat_program.h"

namespace pim {

/// An opcode that is a command of the device; -1 for operands it has not.
struct OpcodeUse {
    int command = -1; ///< -1: the device has no command of that name (an error where it is used).
    int bank = -1, row = -1, column = -1; ///< Positions among the operands.
};

struct DeviceProgram {
    std::vector<OpcodeUse> opcodes;  ///< One an opcode of the program.
    std::vector<FlatPhase> phases;   ///< Those that run.
    std::vector<int> phaseOfProgram; ///< Their positions in Program::phases.
};

/// Lays the phases flat and checks that the device has every command, bank, row and column, and that rows are
/// open where they are accessed and closed where they are opened. Rows and banks depend on loop counters
/// linearly, and a turn begins with what the turn before left open; so the first two turns and the last stand
/// for all, and nothing is unrolled. \param names of phases, as timeProgram has them. Errors as timeProgram
/// has them.
Result<DeviceProgram> programForDevice(const DramDevice& device, const Program& program,
                                       const std::vector<std::string>& names, const TaskContext& task = {});

} // namespace pim
