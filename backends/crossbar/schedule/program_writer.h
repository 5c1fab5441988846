// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A program while it is written: an instruction comes to the end of its core's, a transfer to those of both of its
/// cores at once, so that all cores meet transfers in one order.
/// Flow: rows -> [ProgramWriter] -> CrossbarProgram, and when cores reach its end.
#include "backends/crossbar/schedule/core_clocks.h"
#include "backends/crossbar/schedule/schedule.h"

namespace pim {

/// What an instruction is part of.
struct WriteAt {
    CoreId core;
    LayerId layer;
    CrossbarStage stage = CrossbarStage::Main;
};

class ProgramWriter {
public:
    ProgramWriter(const CrossbarChip& chip, CrossbarMode mode, CrossbarReferee rules);

    /// The instruction, in place until the next one comes.
    CrossbarInstruction& emit(const WriteAt& at, CrossbarOpcode opcode, std::uint32_t dst, std::uint32_t src1,
                              std::uint32_t length);
    void copy(const WriteAt& at, std::uint32_t dst, std::uint32_t src, std::uint32_t length) {
        emit(at, CrossbarOpcode::Copy, dst, src, length);
    }
    /// From \p from to the core \p to. \p wide: accumulators. \returns LL: when it is there, by clocks().
    double send(const WriteAt& from, CoreId to, std::uint32_t src, std::uint32_t dst, std::uint32_t length,
                bool wide);
    /// Of instructions, in all cores.
    void endGroup();

    CrossbarProgram& program() { return m_program; }
    std::uint32_t transfers() const { return m_transfers; } ///< Sent so far.
    CoreClocks& clocks() { return m_clocks; }

private:
    CrossbarProgram m_program;
    CoreClocks m_clocks;
    bool m_keepsTime; ///< LL: transfers come when the clocks say.
    std::uint32_t m_transfers = 0;
};

} // namespace pim
