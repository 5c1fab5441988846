// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How long the code of a draft takes on an AttAcc machine, worked out from its sizes: the events that
/// codegen.cpp emits, stage by stage, under the timing of the device.
/// Flow: kernel + draft -> [ChannelModel] -> cycles of the phases -> price.
///
/// A stage opens a row, fills the operand buffers meanwhile, multiplies, and moves its last results out while
/// the row closes; results of earlier blocks leave between the MACABs. Stages of attention open the first row
/// of the next one before their last results have left.
#include "backends/attacc/passes.h"
#include "backends/attacc/product.h"
#include "core/rearrange/movement.h"

namespace pim::attacc {

/// Command timing of a channel, in cycles. [AttAcc simulator c600051; reference runs: 232 cycles per row of 32
/// MACs with the power limit, 170 without; it leaves out the four-activate window of ACTAB,
/// policy.allBankFaw]
struct Timing {
    double nsPerCycle = 0.769;
    double macGap = 6;     ///< MACAB to MACAB: nCCDAB, with or without the power limit.
    double rowOpen = 19;   ///< ACTAB to MACAB: nRCDRD, and the windows of opening all banks.
    double rowClose = 27;  ///< From the last MACAB of a row to the next ACTAB: nRTPL + nRP.
    double rowLeast = 26;  ///< From the first MACAB, if it comes as soon as it can, to PREA: nRAS - nRCDRD.
    double rowFixed = 40;  ///< Of a row besides its MACs: rowOpen + rowClose - macGap.
    double writeTurn = 32; ///< Before the first WR and from the last to a MAC.
    double summed = 21;    ///< From a MACAB to its sum: nCL + nBL.
    double moved = 6;      ///< From a MVSB or MVGB to its data: nCCDL + nBL.
    double written = 8;    ///< From a WRGB or WRSB to its data: nCWL + nBL.
    /// From the last MAC to its result at the host: sum done, moved to the accumulator, read.
    double lastResult = 48;
    double moveGap = 1; ///< WRGB, MVSB, MVGB to the next: nCCDS, the pseudo-channels in turn.
    // Rows of single banks, which the host writes.
    double bankGap = 4;     ///< WR to WR of a bank group: nCCDL.
    double writeOpen = 19;  ///< ACT to WR: nRCDWR.
    double writeClose = 29; ///< WR to PREA: nCWL + nBL + nWR.
    double precharge = 19;  ///< PREA to ACT: nRP.
    double actWindow = 39;  ///< Of four ACTs in a rank: nFAW.
    double softmax = 1;     ///< SFM to SFM: nSFM.
    double readTurn = 17;   ///< RDSB to WRGB: nCL + nBL + 2 - nCWL.
    bool refreshes = true;
    explicit Timing(const Target& target);

    /// Rows one after the other that nothing else holds up.
    double rowsNs(double rows, double macs) const { return (rows * rowFixed + macs * macGap) * nsPerCycle; }
};

/// Cycles of the phases on the fullest channel, refreshes included.
struct PhaseCycles {
    double input = 0, compute = 0, output = 0;
    double macs = 0, rows = 0; ///< MACABs and ACTABs.
    double readSlots = 0;      ///< Of the softmax buffer that are read: 16 results each.
    double lastRow = 0; ///< Of compute, behind its last ACTAB: refreshes hold up the opening of rows only.
};

class ChannelModel {
public:
    ChannelModel(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
                 const Passes& passes);
    PhaseCycles of(const DraftSummary& draft) const;
    /// Additions of the host that merge partial results of groups. \param readSlots PhaseCycles::readSlots.
    double mergeNs(const DraftSummary& draft, double readSlots) const;

    const Timing& timing() const { return m_timing; }
    const MovementMachine& machine() const { return m_machine; }
    std::int64_t rowBursts() const { return m_geometry.columns; }
    /// Kernel tensors that MACABs read from the banks.
    std::vector<int> bankTensors() const;
    std::int64_t elementBytes(int tensor) const {
        return bytesOf(m_space.kernel().tensors[static_cast<std::size_t>(tensor)].dtype);
    }

private:
    /// A product as Product (product.h) cuts it, in numbers only.
    struct Work {
        dram::DotProducts dots;
        ProductCut cut;
        double sets = 1;           ///< Different operands among the cores.
        double results = 1;        ///< Of all cores, for one element of a tile.
        double moves = 1;          ///< MVSB a block.
        std::int64_t together = 1; ///< Neighbours that one MVSB adds.
        bool ones = false;

        std::int64_t visits() const { return dram::ceilDiv(dots.bufferVectors, cut.abreast); }
        std::int64_t chunks() const { return dram::ceilDiv(dots.bankVectors, cut.chunkVectors); }
        std::int64_t lastVectors() const { return dots.bankVectors - (chunks() - 1) * cut.chunkVectors; }
        double visitSlots() const;
        double allSlots() const { return static_cast<double>(dots.batches * visits()) * visitSlots(); }
        bool keepsRow() const { return visits() > 1 && chunks() * cut.pieces * cut.stageRows == 1; }
        double loads(std::int64_t abreast) const {
            return sets * static_cast<double>(abreast * cut.pieceBursts);
        }
    };
    Work workOf(const dram::DotProducts& dots, const DraftSummary& draft, std::int64_t summedCores,
                bool outputsStay, std::int64_t abreast) const;
    void product(const DraftSummary& draft, PhaseCycles& cycles) const;
    void attention(const DraftSummary& draft, PhaseCycles& cycles) const;
    Work scoresOf(const DraftSummary& draft) const;
    Work valuesOf(const DraftSummary& draft) const;
    /// Of attention whose keys are in several groups. \param heads side by side.
    struct Parts {
        double reads = 0; ///< Scores of an item, to the host,
        double masks = 0; ///< and masks from there.
    };
    bool hasParts(const DraftSummary& draft, const Work& scores, const Work& values) const;
    Parts partsOf(const DraftSummary& draft, const Work& scores, double heads) const;
    double attendInChannel(const Work& scores, const Work& values, double softmax, double heads,
                           const Parts& parts) const;
    double attendThroughHost(const Work& scores, const Work& values, double heads) const;
    double lastStage(const Work& work) const;
    double visit(const Work& work, std::int64_t abreast) const;
    /// From the first MACAB of a stage to its last, and what is left to do then.
    struct Run {
        double cycles = 0;
        double moves = 0; ///< MVSB that did not find room between MACABs, those of the last block among them.
        double lastMacs = 0; ///< In the last row.
        double room = 0;     ///< For other commands, between MACABs and while rows after the first open.
    };
    Run run(const Work& work, std::int64_t vectors, std::int64_t abreast, bool movesOut) const;
    double head(double before) const;
    double results(const Run& run, double head) const;
    double tail(const Run& run, double head) const;
    double precharged(const Run& run, double head) const;
    double inTurn(double count) const;
    double writing(const DraftSummary& draft, const Work& work) const;
    void count(PhaseCycles& cycles, const Work& work) const;
    double reading(double readSlots) const { return (readSlots - 1) * m_timing.moveGap + m_timing.summed; }

    const TilingSpace& m_space;
    Timing m_timing;
    Geometry m_geometry;
    MovementMachine m_machine;
    std::vector<Residency> m_residency;
    dram::DotOperands m_operands;
    Passes m_passes;
    double m_hostAdditions = 0;           ///< That weigh the parts of attention.
    double m_refresh = 0, m_interval = 0; ///< nRFC, nREFI.
    int m_output = -1, m_query = 0;
    std::int64_t m_keys = 1;           ///< Of attention, of the whole kernel.
    std::vector<int> m_attentionLoops; ///< Loops by part: heads (0), rows (1), keys (2), features (3).
};

/// Do results stay in the accumulators, or operands in the buffer, where vectors are longer than the buffer?
bool outputsStay(const dram::DotProducts& work, const Geometry& geometry, const Timing& timing);

} // namespace pim::attacc
