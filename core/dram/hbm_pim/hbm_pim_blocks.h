// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the commands of a pseudo-channel do to its data: 16 banks, 8 PIM blocks with their registers, the
/// microprogram all blocks step through together. FP16 with every operation rounded, multiply-accumulate not
/// fused (rules of Samsung's public simulator, PIMSimulator b464dde). A step takes effect as its command
/// arrives.
#include "core/base/half_float.h"
#include "core/dram/hbm_pim/hbm_pim_kernel.h"
#include "core/dram/hbm_pim/hbm_pim_program.h"

#include <memory>

namespace pim {

/// How often the microprogram ran what (once for all blocks); jumps count whether taken or not.
struct HbmPimSteps {
    std::int64_t mac = 0, add = 0, mul = 0, mad = 0, fill = 0, mov = 0, nop = 0, jump = 0;
};

class HbmPimBlocks {
public:
    /// \param banks two a block; \param registers of each file, 8 (HBM2-PIM) or 16. As many columns in a row
    /// go through them in turn: what takes 8 commands or 8 columns with 8 registers takes 16 with 16.
    explicit HbmPimBlocks(int banks = HbmPimGeometry::kBanks, int registers = 8);

    /// Direct access of the host; \p column counts bursts along the rows of the bank. Unwritten memory is
    /// zero.
    void store(int bank, std::int64_t column, const HbmPimWord& word);
    HbmPimWord load(int bank, std::int64_t column) const;

    /// Runs commands as logged by HbmPimChannel with the data of the stream they came from.
    /// Error::Unsupported on an instruction the hardware has not.
    Result<void> run(const std::vector<HbmPimCommand>& commands, const std::vector<HbmPimWord>& data);

    /// One command. \param word what a write carries, null where that is of no interest; \param out what a
    /// read brings in single-bank mode.
    Result<void> run(const HbmPimCommand& command, const HbmPimWord* word, HbmPimWord* out = nullptr);

    const HbmPimSteps& steps() const { return m_steps; }

private:
    using Row = std::array<HbmPimWord, HbmPimGeometry::kBurstsPerRow>;
    struct Block {
        std::vector<HbmPimWord> grfA, grfB;
        std::array<HalfBits, 8> srfM{}, srfA{};
    };

    HbmPimWord& at(int bank, int row, int column);
    void writeRegister(const HbmPimCommand& command, const HbmPimWord& word);
    void copy(const HbmPimCommand& command);
    Result<void> step(const HbmPimCommand& command);
    Result<void> execute(const HbmPimInstruction& instruction, const HbmPimCommand& command);
    HbmPimWord operand(HbmPimInstruction::Place place, int index, std::size_t block,
                       const HbmPimInstruction& instruction, const HbmPimCommand& command);

    int registerIndex(const HbmPimInstruction& instruction, HbmPimInstruction::Place place, int index,
                      const HbmPimCommand& command) const;
    static void clear(std::vector<HbmPimWord>& registers) {
        registers.assign(registers.size(), HbmPimWord{});
    }

    std::vector<std::vector<std::unique_ptr<Row>>> m_rows; ///< By bank.
    std::vector<Block> m_blocks;
    int m_registers;
    std::array<std::uint32_t, 32> m_program{};
    int m_at = 0;        ///< Next instruction.
    int m_repeats = 0;   ///< Commands the current instruction has had.
    int m_lastJump = -1; ///< There is one loop counter only.
    int m_jumpsLeft = 0;
    bool m_exited = false;
    bool m_allRegisters = false; ///< Copies address GRF_A and GRF_B as one file.
    bool m_oddOff = false, m_evenOff = false, m_highRows = false;
    HbmPimSteps m_steps;
};

} // namespace pim
