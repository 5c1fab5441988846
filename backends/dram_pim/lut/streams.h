// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Opcodes, phases and constants of look-ups on either chip. For code.cpp alone.
#include "backends/dram_pim/lut/code.h"

namespace pim::dram {

/// \param code with layer, mapping and machine.
void hbmStreams(LutCode& code);
void aimStreams(LutCode& code);

/// Positions in the opcodes of AiM's look-ups.
enum class AimLutOpcode : std::uint8_t { Act16, PreA, Wr, WrGb, WrMac16, RdMac16, Mac16, Tmod };

} // namespace pim::dram
