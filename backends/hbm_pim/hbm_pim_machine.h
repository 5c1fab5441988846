// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What generated code has to know of an HBM-PIM target.
#include "core/dram/hbm_pim/hbm_pim_timing.h"
#include "core/hardware/target.h"

namespace pim::hbm {

struct Machine {
    int blocks = HbmPimGeometry::kBlocks; ///< Of a pseudo-channel, two banks each.
    int registers = 8;                    ///< Of each file: 8 or 16.
    int banks() const { return 2 * blocks; }
    /// Error::InvalidTarget for registers or blocks that the code cannot be made for.
    static Result<Machine> of(const Target& target);
};

} // namespace pim::hbm
