// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the fullest channel of an AiM machine does for one draft. Price and program are made from the same
/// counts. Flow: kernel + draft -> [ChannelModel] -> price, program.
#include "backends/aim/dots.h"
#include "backends/aim/passes.h"
#include "backends/dram_pim/machine.h"

namespace pim::aim {

/// Distances in cycles between the commands of code.h on the device gddr6-aim: what the last MAC16 before and
/// the first after lie apart, less what is counted elsewhere. aim_simulator 0f28a07 takes 98 for a row, as it
/// opens rows after mode changes.
struct Timing {
    double nsPerCycle = 0.5;
    double macGap = 2;  ///< MAC16 to MAC16
    double loadGap = 2; ///< WRGB to WRGB
    /// Closing a row and opening the next; tRCD passes behind what follows: nRTP + nRP.
    double rowFixed = 44;
    double openFixed = 54;   ///< The rest where nothing follows: nRCDMAC - macGap.
    double resultFixed = 67; ///< Reading one result a bank: two mode changes, RDMAC16, WRMAC16.
    double pieceFixed = 62;  ///< Loading a piece while accumulation goes on: two mode changes.
    double sweepFixed = 24;  ///< A first row, opened after the mode change: nRCDMAC - nMODCH.
    double modeFixed = 64;   ///< To registers and back, once.
    double mulGap = 2;       ///< EWMUL16 to EWMUL16
    double mulRowOpen = 23;  ///< nRCDEWMUL - mulGap
    double mulRowClose = 71; ///< nCWL + nWR + nRP
    std::int64_t mulElements = 64;
    bool refreshes = false;
    explicit Timing(const Target& target);
    dram::DotCosts costs() const { return {loadGap, rowFixed, resultFixed}; }
};

struct ChannelWork {
    struct Write {
        int tensor = -1;
        Movement movement;
        bool toBuffer = false; ///< WRGB; else WR into banks.
    };
    std::vector<Write> writes;
    bool isMultiply = false; ///< Element-wise product in the bank groups; else dot products.
    Dots dots;
    /// Cores of a channel that need different operands take turns: there is one buffer.
    std::int64_t bufferSets = 1;
    /// Of dots.loads(), those that bring in a streamed operand for the first time.
    std::int64_t firstLoads = 0;
    std::int64_t multiplies = 0; ///< EWMUL16
    std::int64_t multiplyRows = 0;
    double cycles = 0; ///< Compute, no refresh.
    Movement read;     ///< Of dot products only what the host adds up: results leave as they are made.
};

class ChannelModel {
public:
    ChannelModel(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
                 bool groupCommands, const Passes& passes = {});
    ChannelWork of(const DraftSummary& draft) const;
    dram::DotProducts work(const DraftSummary& draft) const; ///< Of the busiest core.
    /// Cores of a channel that need different operands take turns: there is one buffer.
    static std::int64_t bufferSets(const DraftSummary& draft, const dram::DotProducts& work);

    const Timing& timing() const { return m_timing; }
    const MovementMachine& machine() const { return m_machine; }
    std::int64_t rowBursts() const { return m_rowBursts; }
    std::int64_t elementBytes(int tensor) const {
        return bytesOf(m_space.kernel().tensors[static_cast<std::size_t>(tensor)].dtype);
    }

private:
    void products(const DraftSummary& draft, ChannelWork& channel) const;
    void multiply(const DraftSummary& draft, ChannelWork& channel) const;

    const TilingSpace& m_space;
    Timing m_timing;
    MovementMachine m_machine;
    std::vector<Residency> m_residency;
    dram::DotOperands m_operands;
    std::int64_t m_rowBursts = 64;
    int m_output = -1;
    bool m_padded = true;
    Passes m_passes;
};

} // namespace pim::aim
