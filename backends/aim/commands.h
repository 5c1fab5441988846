// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of AiM programs; all of them are commands of the device `gddr6-aim`.
/// [instruction set and DRAM commands: aim_simulator 0f28a07]
#include "core/program/program.h"

namespace pim::aim {

/// Positions in \ref opcodes.
enum class AimOpcode : std::uint8_t { Act16, PreA, Wr, Rd, WrGb, WrMac16, RdMac16, Mac16, Ewmul16, Tmod };

std::vector<Opcode> opcodes();

/// Of PimCode::constants.
inline constexpr std::int64_t kZeros = 0, kOnes = 1;

} // namespace pim::aim
