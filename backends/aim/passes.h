// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The optimiser passes over AiM code and which of them are on. The global buffer reaches all banks by its nature, so there is
/// no broadcast to leave out. [DCC §IV-C; data flows: aim_simulator 0f28a07]
#include "backends/dram_pim/dram_pim_backend.h"

#include <array>

namespace pim::aim {

inline constexpr std::array<CodePassInfo, 4> kCodePasses{{
    dram::kBlocksPass,
    dram::kGroupCommandsPass,
    {"stationary",
     "Of vectors longer than the global buffer, pieces stay in the buffer or results in the accumulators, "
     "whatever is quicker; without it, always results."},
    dram::kOverlapPass,
}};

struct Passes {
    bool groupCommands = true, stationary = true, overlap = true;

    Passes() = default;
    explicit Passes(const CodePasses& passes)
        : groupCommands(passes.isOn(dram::kGroupCommandsPass.id)), stationary(passes.isOn("stationary")),
          overlap(passes.isOn(dram::kOverlapPass.id)) {}
};

} // namespace pim::aim
