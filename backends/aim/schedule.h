// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the fullest channel of an AiM machine does for one draft. Price and program are made from the same
/// counts. Flow: kernel + draft -> [schedule] -> price, program.
#include "backends/aim/dots.h"
#include "backends/dram_pim/machine.h"

namespace pim::aim {

/// Distances in cycles. They reproduce the runs of aim_simulator 0f28a07: 226 cycles a full row, GEMV with
/// outputs kept T (414 + 406 (K - 1)) + 1, with inputs kept K (414 + 286 (T - 1)) + 1.
struct Timing {
    double nsPerCycle = 0.5;
    double macGap = 2;       ///< MAC16 to MAC16
    double rowFixed = 98;    ///< Of a row besides its MACs: nRCDMAC + nRTP + nRP - macGap
    double loadGap = 2;      ///< WRGB to WRGB
    double resultFixed = 60; ///< Reading one result a bank: mode change, RDMAC16, bias. Measured.
    double pieceFixed = 52;  ///< Loading a piece while accumulation goes on: mode change. Measured.
    double mulGap = 2;       ///< EWMUL16 to EWMUL16
    double mulRowOpen = 23;  ///< nRCDEWMUL - mulGap
    double mulRowClose = 71; ///< nCWL + nWR + nRP
    std::int64_t mulElements = 64;
    bool refreshes = false;
    explicit Timing(const Target& target);
    dram::DotCosts costs() const { return {loadGap, rowFixed, resultFixed}; }
};

struct Schedule {
    struct Write {
        int tensor = -1;
        Movement movement;
        bool toBuffer = false; ///< WRGB; else WR into banks.
    };
    std::vector<Write> writes;
    bool isMultiply = false; ///< Element-wise product in the bank groups; else dot products.
    Dots dots;
    std::int64_t bufferSets =
        1; ///< Cores of a channel that need different operands take turns: there is one buffer.
    std::int64_t firstLoads =
        0; ///< Of dots.loads(), those that bring in a streamed operand for the first time.
    std::int64_t multiplies = 0; ///< EWMUL16
    std::int64_t multiplyRows = 0;
    double cycles = 0; ///< Compute, no refresh.
    Movement read;     ///< Of dot products only what the host adds up: results leave as they are made.
};

class Scheduler {
public:
    Scheduler(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
              bool groupCommands);
    Schedule of(const DraftSummary& draft) const;

    const Timing& timing() const { return m_timing; }
    const MovementMachine& machine() const { return m_machine; }
    std::int64_t rowBursts() const { return m_rowBursts; }
    std::int64_t elementBytes(int tensor) const {
        return bytesOf(m_space.kernel().tensors[static_cast<std::size_t>(tensor)].dtype);
    }

private:
    void products(const DraftSummary& draft, Schedule& schedule) const;
    void multiply(const DraftSummary& draft, Schedule& schedule) const;

    const TilingSpace& m_space;
    Timing m_timing;
    MovementMachine m_machine;
    std::vector<Residency> m_residency;
    dram::DotOperands m_operands;
    std::int64_t m_rowBursts = 64;
    int m_output = -1;
    bool m_padded = true;
};

} // namespace pim::aim
