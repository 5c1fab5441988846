// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What generated code has to know of an HBM-PIM target.
#include "backends/hbm_pim/passes.h"
#include "core/dram/hbm_pim/hbm_pim_timing.h"
#include "core/hardware/target.h"

#include <algorithm>

namespace pim::hbm {

/// Distances between commands in clocks, as the devices hbm2-pim and hbm3-pim have them; the target's own
/// where it names them. To choose between forms and for prices. Defaults: PIMSimulator b464dde,
/// HBM2_samsung_2M_16B_x64.
struct Distances {
    std::int64_t column = 4;      ///< nCCDL: column commands of all blocks.
    std::int64_t otherColumn = 2; ///< nCCDS, at least a burst: banks of other bank groups.
    std::int64_t readToWrite = 15, writeToRead = 19;
    std::int64_t openToRead = 14, openToWrite = 10, openToClose = 33, openAgain = 47;
    std::int64_t readToClose = 5, writeToClose = 26, closeToOpen = 14;
    std::int64_t open = 4, openInGroup = 6, window = 16; ///< nRRDS, nRRDL, nFAW.
    std::int64_t readDone = 22, writeDone = 10;          ///< nCL + nBL, nCWL + nBL
    std::int64_t refresh = 350, refreshInterval = 3900;  ///< nRFC, nREFI
    /// All blocks open rows in two windows of four: the last is ready, and may be closed and opened again,
    /// this much later. 0: no window is charged (policy.allBankFaw).
    std::int64_t allBankWindow = 16;
    /// ACT_AB to the next row of any bank.
    std::int64_t openAllToOpen() const { return std::max(openInGroup, 2 * allBankWindow); }
    /// First to last of the four activations that enter all-bank mode: banks 0, 8, 1, 9.
    std::int64_t enter() const { return std::max({open + openInGroup, 3 * open, openInGroup + open}); }
};

struct Machine {
    int blocks = HbmPimGeometry::kBlocks; ///< Of a pseudo-channel, two banks each.
    int registers = 8;                    ///< Of each file: 8 or 16.
    Distances distances;
    Passes passes;
    int banks() const { return 2 * blocks; }
    int ranks() const { return blocks / HbmPimGeometry::kBlocks; } ///< With an activation window each.
    int buses() const { return ranks() > 1 ? 2 : 1; } ///< Halves of the ranks have a data bus each (HBM3).
    /// Error::InvalidTarget for registers or blocks that the code cannot be made for.
    static Result<Machine> of(const Target& target, const CodePasses& passes = {});
    /// Of a core of a draft: itself, or, spread, the next on another bus, rank, bank group.
    int blockOf(int core) const {
        if (!passes.spreadBlocks)
            return core;
        const int ofRank = core / ranks(), ranksOfBus = ranks() / buses();
        const int rank = core % buses() * ranksOfBus + core / buses() % ranksOfBus;
        constexpr int kGroups = HbmPimGeometry::kBankGroups, kBlocks = HbmPimGeometry::kBlocks;
        return rank * kBlocks + ofRank % kGroups * (kBlocks / kGroups) + ofRank / kGroups;
    }
};

} // namespace pim::hbm
