// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the fullest channel of an AttAcc machine does for one draft, as counts of commands. Price and program
/// are made from the same counts. Flow: kernel + draft -> [schedule] -> price, program.
#include "backends/dram_pim/dot_products.h"
#include "backends/dram_pim/machine.h"

namespace pim::attacc {

/// Command timing of a channel, in cycles. [AttAcc simulator c600051; reference runs: 232 cycles a row of 32
/// MACs with the power limit, 170 without; it leaves out the four-activate window of ACTAB, policy.allBankFaw]
struct Timing {
    double nsPerCycle = 0.769;
    double macGap = 6;    ///< MACAB to MACAB: nCCDAB, with or without the power limit.
    double rowFixed = 40; ///< Of a row besides its MACs: nRCDRD + nRTPL + nRP - macGap, and the windows of opening all banks.
    double rowClose = 27; ///< Of rowFixed, what comes after the last MAC: nRTPL + nRP.
    double writeTurn = 32; ///< Before the first WR and from the last to a MAC.
    double lastResult = 48; ///< From the last MAC to its result at the host: sum done, moved to the accumulator, read.
    double moveGap = 1;   ///< WRGB, MVSB, MVGB to the next: nCCDS, the pseudo-channels in turn.
    bool refreshes = true;
    double softmaxNsPerElement = 0;
    explicit Timing(const Target& target);

    double rowsNs(double rows, double macs) const { return (rows * rowFixed + macs * macGap) * nsPerCycle; }
};

/// One sweep of GEMV units over their banks: score or context of attention, or a whole product.
struct Sweep {
    dram::DotSchedule dots;
    std::int64_t operands =
        1; ///< Different buffer contents among the cores; a broadcast (WRGB, MVGB) reaches those alike.
    std::int64_t moveOut = 0; ///< MVSB: results of all cores to the accumulator, 32 B each.
    bool fromSoftmax = false; ///< The buffers are filled by MVGB from the softmax buffer, else by WRGB.

    std::int64_t loads() const { return operands * dots.allLoads(); }
};

struct Write {
    int tensor = -1;
    Movement movement;
    bool toBuffer = false; ///< WRGB into the GEMV buffers; else WR into the banks.
};

struct Schedule {
    std::vector<Write> writes; ///< Streamed inputs.
    std::vector<Sweep> sweeps;
    std::int64_t reloads =
        0; ///< WRGB beyond the first of each burst, because the buffer does not hold the operand.
    double softmaxElements = 0; ///< Of one channel.
    bool softmaxHidden = false; ///< Another head is computed meanwhile.
    std::int64_t scoreRoundTrips =
        0;         ///< Bursts of partial scores that channels exchange through the host, and back.
    Movement read; ///< Results over the bus.
    int outputTensor = -1;
};

class Scheduler {
public:
    Scheduler(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
              bool groupCommands, bool broadcast = true);
    Schedule of(const DraftSummary& draft) const;

    const Timing& timing() const { return m_timing; }
    const MovementMachine& machine() const { return m_machine; }
    std::int64_t rowBursts() const { return m_unit.rowBursts; }
    /// Kernel tensors that MACABs read from the banks.
    std::vector<int> bankTensors() const;
    std::int64_t elementBytes(int tensor) const {
        return bytesOf(m_space.kernel().tensors[static_cast<std::size_t>(tensor)].dtype);
    }

private:
    void product(const DraftSummary& draft, Schedule& schedule) const;
    void attention(const DraftSummary& draft, Schedule& schedule) const;
    std::int64_t movesOut(const DraftSummary& draft, std::int64_t results, std::int64_t partialCores) const;

    const TilingSpace& m_space;
    Timing m_timing;
    MovementMachine m_machine;
    std::vector<Residency> m_residency;
    dram::DotOperands m_operands;
    dram::DotUnit m_unit;
    std::int64_t m_banksPerBankGroup = 4;
    int m_output = -1, m_query = 0;
    std::vector<int> m_attentionLoops; ///< Loops by part: heads (0), rows (1), keys (2), features (3).
    bool m_padded = true, m_broadcast = true;
};

} // namespace pim::attacc
