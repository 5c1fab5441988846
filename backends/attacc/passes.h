// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The optimiser passes over AttAcc code and which of them are on. [DCC §IV-C]
#include "backends/dram_pim/dram_pim_backend.h"

#include <array>

namespace pim::attacc {

inline constexpr CodePassInfo kPartialSoftmaxPass{
    "partial-softmax",
    "Where the keys of a head are in several channels, each does the softmax over its own; the host weighs "
    "the parts by the scores, which it reads under the products."};

inline constexpr std::array<CodePassInfo, 5> kCodePasses{{dram::kBlocksPass, dram::kGroupCommandsPass,
                                                          dram::kBroadcastPass, dram::kOverlapPass,
                                                          kPartialSoftmaxPass}};

struct Passes {
    bool groupCommands = true;
    /// Operands of products into the GEMV buffers. Queries and probabilities of fused attention are always
    /// broadcast.
    bool broadcast = true;
    bool overlap = true;
    bool partialSoftmax = true;

    Passes() = default;
    explicit Passes(const CodePasses& passes)
        : groupCommands(passes.isOn(dram::kGroupCommandsPass.id)),
          broadcast(passes.isOn(dram::kBroadcastPass.id)), overlap(passes.isOn(dram::kOverlapPass.id)),
          partialSoftmax(passes.isOn(kPartialSoftmaxPass.id)) {}
};

} // namespace pim::attacc
