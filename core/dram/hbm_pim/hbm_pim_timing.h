// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Timing parameters and limits of one HBM2-PIM pseudo-channel as Samsung's public simulator reads them
/// (PIMSimulator b464dde, HBM2_samsung_2M_16B_x64). All times are clocks of the memory (1 ns).
#include "core/base/result.h"

#include <cstdint>

namespace pim {

/// Geometry the simulator has built in: other values cannot be configured there either.
struct HbmPimGeometry {
    static constexpr int kBankGroups = 4;
    static constexpr int kBanksPerGroup = 4;
    static constexpr int kBanks = kBankGroups * kBanksPerGroup;
    static constexpr int kBlocks = kBanks / 2;  ///< One block of 16 lanes for two banks.
    static constexpr int kBurstsPerRow = 32;    ///< Of 32 bytes.
    static constexpr int kLanes = 16;           ///< FP16 values of a burst.
    static constexpr int kRows = 16384;         ///< Of a bank.
    static constexpr int kDataRows = 4096;      ///< Row bit 12 set is register space: data ends below it.
    static constexpr int kQueueDepth = 64;      ///< Command queue of a rank.
    static constexpr int kParkRow = 0x1000;     ///< Read in all banks before and after PIM modes.
    static constexpr int kEnterRow = 0x17ff;    ///< Activated in banks 0, 1, 8, 9: single bank -> all banks.
    static constexpr int kLeaveRow = 0x1fff;    ///< Precharged in banks 0, 1: all banks -> single bank.
    static constexpr int kRegisterRow = 0x3fff; ///< CRF, GRF, SRF and control registers.
    /// Column of the register row where GRF_A begins: 8 with 8 registers. No public source says where 16 of
    /// them lie; here at the next place where they fit.
    static constexpr int firstRegisterColumn(int registers) { return registers; }
};

struct HbmPimTiming {
    int BL = 4; ///< Beats of a burst, two a clock.
    int RL = 20, WL = 8;
    int tCCDS = 2, tCCDL = 4;
    int tRCDRD = 14, tRCDWR = 10;
    int tRAS = 33, tRP = 14, tRC = 47;
    int tRRDS = 4, tRRDL = 6;
    int tRTPL = 5, tWR = 16, tWTRL = 9, tRTRS = 1;
    int tREFI = 3900, tRFC = 350;
    int tXAW = 16; ///< Four-activate window: read and ignored by the simulator.
    int tWTRS = 4; ///< Likewise: it takes tWTRL whatever the bank group.
    /// Controller `strict`: what the simulator leaves out. Four activations at most in any tXAW; one in
    /// all-bank mode opens eight banks, the second four of them tXAW after the first, and its row is ready,
    /// may be closed and opened again that much later. A refresh waits tRP for the last row closed. tRTPL in
    /// full from read to precharge, tWTRS between bank groups in single-bank mode, the long distances for
    /// commands to banks of all groups.
    bool strict = false;

    int burst() const { return BL / 2; }
    int readToPrecharge() const {
        return strict ? (tRTPL > burst() ? tRTPL : burst()) : burst() + (tRTPL > tCCDL ? tRTPL - tCCDL : 0);
    }
    int writeToPrecharge() const { return WL + burst() + tWR; }
    int readToWrite() const { return RL + burst() + tRTRS - WL; }
    int writeToRead() const { return WL + burst() + tWTRL; }
    int writeToOtherGroup() const { return WL + burst() + (strict ? tWTRS : tWTRL); }
    int readDone() const { return RL + burst() + 1; } ///< From issue to the last data at the host.
    int writeDone() const { return WL + burst(); }
};

/// Sets one parameter by its name above. Error::Usage for an unknown name or a value the model cannot run
/// with.
Result<void> setHbmPimTiming(HbmPimTiming& timing, std::string_view name, std::int64_t value);

} // namespace pim
