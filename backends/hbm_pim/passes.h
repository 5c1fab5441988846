// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The optimiser passes over HBM-PIM code and which of them are on. [DCC §IV-C; what the shipped kernels leave: Samsung
/// PIMSimulator b464dde]
#include "backends/dram_pim/dram_pim_backend.h"

#include <array>

namespace pim::hbm {

inline constexpr std::array<CodePassInfo, 10> kCodePasses{{
    dram::kBlocksPass,
    dram::kBroadcastPass,
    {"spread-blocks", "Consecutive cores lie on different buses, ranks and bank groups, so that few of them "
                      "are as quick as many."},
    {"one-row", "Small sums and element-wise ops keep all they need in one row of the even banks, bursts "
                "without padding, while "
                "the odd banks keep the registers open."},
    {"short-groups", "Where a block has fewer outputs than registers, columns of those that are not there "
                     "are not computed on."},
    {"mode-sequence", "Rows are closed at once instead of reading a parking row of every bank, and the "
                      "program is written with "
                      "the rows open that switch modes."},
    {"input-banks", "The operand in registers is written through the banks that do not compute, even or odd, "
                    "instead of always "
                    "the odd ones."},
    {"alternate-banks",
     "The next row opens in the odd banks while the even ones are computed on, and the other way round."},
    {kInPlacePass, "What an element-wise op leaves in the banks is taken there by the next one, without a "
                   "way out and in, and the "
                   "blocks stay in their mode meanwhile."},
    {"add-registers", "Partial sums in the registers of a block are added up there before they leave."},
}};

struct Passes {
    bool broadcast = true, spreadBlocks = true, oneRow = true, shortGroups = true, modeSequence = true,
         inputBanks = true, alternateBanks = true, addRegisters = true, inPlace = true;

    Passes() = default;
    explicit Passes(const CodePasses& passes)
        : broadcast(passes.isOn(dram::kBroadcastPass.id)), spreadBlocks(passes.isOn("spread-blocks")),
          oneRow(passes.isOn("one-row")), shortGroups(passes.isOn("short-groups")),
          modeSequence(passes.isOn("mode-sequence")), inputBanks(passes.isOn("input-banks")),
          alternateBanks(passes.isOn("alternate-banks")), addRegisters(passes.isOn("add-registers")),
          inPlace(passes.isOn(kInPlacePass)) {}
};

} // namespace pim::hbm
