// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// GEMV and element-wise product on GDDR6-AiM, command by command, with the clocks of the public
/// aim_simulator (commit 0f28a07, GDDR6_AiM_org / GDDR6_AiM_timing; no refresh as there, unless asked for).
/// Every channel runs the same commands strictly in order; a row of all 16 banks is open at a time.
#include "core/base/result.h"

#include <array>
#include <vector>

namespace pim {

enum class AimKernelKind : std::uint8_t { Gemv, Ewmul };
std::string_view name(AimKernelKind kind); ///< gemv, ewmul

enum class AimDataflow : std::uint8_t {
    OutputStationary, ///< Sums stay in the MAC registers; the vector is loaded again for each output tile.
    InputStationary,  ///< A piece of the vector stays in the global buffer; partial sums are spilled.
};
std::string_view name(AimDataflow dataflow); ///< os, is

struct AimGeometry {
    static constexpr int kBanks = 16;
    static constexpr int kLanes = 16;        ///< BF16 values of a burst.
    static constexpr int kBurstsPerRow = 64; ///< Also the size of the global buffer.
    static constexpr int kRows = 16384;
    static constexpr int kChannels = 32;
};

/// Clocks of 0.5 ns. Values of the simulator's preset; readReturn and columnDone are what its request path
/// adds, measured. Refresh: it has the commands and never issues them; a due one goes out here before the
/// mode or the row changes. [GDDR6_8Gb_x16 of Ramulator 2.1 c5b1c3a: 1.9 us, 120 ns]
struct AimTiming {
    int nCCD = 2;           ///< Column command or register write to the next.
    int nRCDMAC = 56;       ///< ACT16 to MAC16.
    int nRCDEWMUL = 25;     ///< ACT16 to EWMUL16.
    int nRTP = 12;          ///< MAC16 to PREA.
    int nCWL = 6, nWR = 33; ///< EWMUL16 to PREA: their sum.
    int nRP = 32, nRAS = 54, nRC = 89;
    int nMODCH = 32;    ///< Switch between register and bank commands.
    int readReturn = 6; ///< RDMAC16 to its value at the host, which waits for it.
    int columnDone = 3; ///< EWMUL16 to its completion.
    bool refresh = false;
    int nREFI = 3800, nRFC = 240;
};

struct AimShape {
    AimKernelKind kind = AimKernelKind::Gemv;
    AimDataflow dataflow = AimDataflow::OutputStationary;
    std::int64_t out = 0, in = 0, batch = 1;
    std::int64_t length = 0; ///< EWMUL
    int channels = 32;

    std::int64_t outTiles() const; ///< One output a bank.
    std::int64_t inChunks() const; ///< Pieces of the vector that fit the global buffer.
    std::int64_t columns() const;  ///< EWMUL: bursts of a bank; four bank groups work side by side.
};

/// Error::Usage where sizes are below 1, there are no such channels, or the operands do not fit the rows.
Result<void> checkAimShape(const AimShape& shape);

enum class AimCommandKind : std::uint8_t {
    Act16,
    PreA,
    Mac16,
    Ewmul16,
    WrGb,
    WrMac16,
    RdMac16,
    ModeChange,
    RefAb
};
inline constexpr std::size_t kAimCommandKinds = 9;
std::string_view name(AimCommandKind kind);

struct AimCommand {
    std::int64_t cycle = 0;
    AimCommandKind kind = AimCommandKind::Act16;
    std::int32_t row = -1;
    std::int32_t column = -1;
};

struct AimCost {
    std::int64_t cycles = 0;
    std::array<std::int64_t, kAimCommandKinds> perChannel{}; ///< Commands of a channel by AimCommandKind.
    std::int64_t of(AimCommandKind kind) const { return perChannel[static_cast<std::size_t>(kind)]; }
};

/// \param log Takes the commands of one channel if given.
Result<AimCost> runAimKernel(const AimShape& shape, const AimTiming& timing = {},
                             std::vector<AimCommand>* log = nullptr);

std::string aimLogCsv(const std::vector<AimCommand>& log);

} // namespace pim
