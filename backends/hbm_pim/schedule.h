// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the fullest pseudo-channel of an HBM-PIM machine does for one draft, as the kernels of PIMSimulator would: the
/// predicted price. Generated code is timed on its own. Flow: kernel + draft -> [schedule] -> price.
#include "backends/dram_pim/dot_products.h"
#include "backends/dram_pim/machine.h"

namespace pim::hbm {

/// Distances between commands, in cycles, and the registers. The sums below reproduce PIMSimulator b464dde without refresh:
/// 341 and 388 cycles for a tile of 128 inputs by 8 outputs from even and odd banks, 78 to store 8 outputs, 161 for 8 bursts
/// of ADD or MUL, 102 for 8 bursts of RELU.
struct Timing {
    double nsPerCycle = 1;
    double column = 4;          ///< nCCDL
    double readToWrite = 15;    ///< nRTW
    double writeToRead = 19;    ///< nCWL + nBL + nWTRL
    double rowForRead = 31;     ///< RD of one row to RD of the next: read to precharge, nRP, nRCDRD
    double rowForWrite = 27;    ///< RD of one row to WR of the next: read to precharge, nRP, nRCDWR
    double afterWrite = 54;     ///< WR of one row to RD of the next: write to precharge, nRP, nRCDRD
    bool refreshes = true;
    std::int64_t registers = 8; ///< Of a register file, a burst each.
    std::int64_t rowBursts = 32;
    double modeSwitch = 331;    ///< Park, enter PIM mode, program, leave, park.
    double modeSwitchElementwise = 409;
    double modeSwitchReduce = 549;
    explicit Timing(const Target& target);

    /// Multiply-accumulate of \p inputs bursts of the vector with \p outputs vectors of the bank: load the registers, then
    /// walk the rows. \param odd banks are the ones the registers are written through, which costs two row switches more.
    double dotTile(double inputs, double outputs, bool odd) const;
    /// Store as many results as there are registers.
    double storeResults() const;
    /// \p bursts (at most one register file) of \p operands tensors into one result.
    double elementwise(double operands, double bursts) const;
    /// Add \p bursts of the banks up in the registers.
    double reduce(double bursts) const;
};

struct Schedule {
    struct Write {
        int tensor = -1;
        Movement movement;
        bool toRegisters = false; ///< Written into the register files while the kernel runs, by broadcast; else into banks.
    };
    std::vector<Write> writes;
    double cycles = 0;            ///< Compute, no refresh; includes writes to registers.
    double registerWrites = 0;    ///< Cycles of the first writes to registers, which are input and not compute.
    double modeSwitch = 0;
    Movement read;

    // Counts the price is made of.
    enum class Kind { Dots, Elementwise, Reduce } kind = Kind::Dots;
    std::int64_t vectors = 1;     ///< Dots: buffer vectors times batches.
    std::int64_t outputTiles = 1; ///< Dots: sets of results kept in registers at once, a vector.
    std::int64_t outputsOfTile = 1, outputsOfLast = 1;
    std::int64_t inputTiles = 1;  ///< Dots: pieces of the vector that fit the registers.
    std::int64_t inputsOfTile = 1, inputsOfLast = 1;
    std::int64_t operands = 1;    ///< Elementwise: tensors read.
    std::int64_t bursts = 0;      ///< Elementwise and Reduce: of a core.
    std::int64_t results = 0;     ///< Reduce: bursts of results of a core.
};

class Scheduler {
public:
    Scheduler(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency, bool groupCommands);
    Schedule of(const DraftSummary& draft) const;

    const Timing& timing() const { return m_timing; }
    const MovementMachine& machine() const { return m_machine; }
    std::int64_t elementBytes(int tensor) const {
        return bytesOf(m_space.kernel().tensors[static_cast<std::size_t>(tensor)].dtype);
    }

private:
    void dots(const DraftSummary& draft, Schedule& schedule) const;
    void elementwise(const DraftSummary& draft, Schedule& schedule) const;
    void reduce(const DraftSummary& draft, Schedule& schedule) const;

    const TilingSpace& m_space;
    Timing m_timing;
    MovementMachine m_machine;
    std::vector<Residency> m_residency;
    dram::DotOperands m_operands;
    int m_output = -1;
    bool m_padded = true;
};

} // namespace pim::hbm
