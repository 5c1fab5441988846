// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The memory device of a target: resources/devices/NAME.json with the target's own times in it, so that
/// whoever edits a target simulates what he wrote.
#include "core/dram/device.h"
#include "core/hardware/target.h"

#include <optional>

namespace pim {

/// The device that the fact "memory.device" names. Parameters "timing.NAME" (clock cycles, or times, rounded
/// up to whole cycles) and "policy.NAME" (switches) replace the entry NAME of the device's `timing`;
/// "timing.tCK" is its clock. Error::InvalidTarget if there is no such fact or a value makes no sense, else
/// what loadDramDevice says.
Result<DramDevice> deviceOf(const Target& target);
/// SHA-256 of the file that deviceOf() reads.
Result<std::string> deviceFileHash(const Target& target);

/// Energy of one command in pJ, from the text in the device file and the parameters of the target (in pJ,
/// pJ/B and other base units). Nothing where the file has no text or the target lacks one of the figures.
std::optional<double> commandEnergyPj(const DramDevice& device, int command, const Target& target);

} // namespace pim
