// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of an AttAcc channel as generated code uses them, and the sizes of its units. Names are those
/// of the device file attacc-hbm3. [AttAcc simulator c600051; RDSB and WRSB are ours: the simulator leaves
/// out how results reach the host. They stand for host accesses to the buffer die, timed as RD and WR without
/// a bank.]
#include "core/hardware/target.h"
#include "core/program/program.h"

namespace pim::attacc {

enum class Op : std::uint8_t {
    SETM,
    SETH,
    ACT,
    PRE,
    WR,
    RD,
    PREA,
    ACTAB,
    MACAB,
    WRGB,
    MVSB,
    SFM,
    MVGB,
    WRSB,
    RDSB,
    BARRIER
};
/// One an Op, in its order.
std::vector<Opcode> opcodes();

/// Results under way in a GEMV unit: two sets, one that is added to and one that is moved out. [AttAcc
/// simulator c600051: one MVSB takes the results of 16 steps, while the next 16 are computed]
inline constexpr int kAccumulators = 16;
inline constexpr int kAccumulatorSets = 2;
/// MACABs between the last one of a result and its MVSB, if no BARRIER or ACTAB stands between: the depth of
/// the unit's pipeline, nCL + nBL = 21 cycles at no less than 6 (4) a MACAB.
inline constexpr int kPipeline = 6;

/// Sizes of a channel.
struct Geometry {
    int pseudochannels = 2, ranks = 2, bankGroups = 4, banks = 4; ///< Each in one of the level above.
    std::int64_t rows = 16384;                                    ///< Of a bank.
    std::int64_t columns = 32;                                    ///< 32 B accesses of a row.
    std::int64_t bufferBursts = 64;                               ///< Of a GEMV unit's operand buffer.
    std::int64_t softmaxSlots = 8192; ///< Of the softmax buffer: 16 values of FP32 each.
    int softmaxElements = 32;         ///< One SFM takes in.
    int macGap = 6;                   ///< Cycles from MACAB to MACAB,
    int rowOpen = 19;                 ///< and from ACTAB to MACAB.
    explicit Geometry(const Target& target);
    Geometry() = default;

    int allBanks() const { return pseudochannels * ranks * bankGroups * banks; }
    /// Spreads neighbours over pseudo-channels, then bank groups, then ranks, so that accesses one after the
    /// other do not wait for one another; each \p together neighbours stay in a bank group, whose adder can
    /// add their results.
    int bankAt(int position, int together) const;
    int positionOf(int bank, int together) const;
    /// Accesses without a bank of their own take the buses of the pseudo-channels and bank groups in turn.
    int buses() const { return pseudochannels * bankGroups; }
    std::int64_t busBank(std::int64_t turn) const { return bankAt(int(turn % buses()), 1); }
};

/// Scores that the softmax unit of one channel handles in the time of an SFM.
double softmaxElementsOf(const Target& target);

} // namespace pim::attacc
