// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/program_writer.h"

namespace pim {

ProgramWriter::ProgramWriter(const CrossbarChip& chip, CrossbarMode mode, CrossbarReferee rules)
    : m_clocks(m_program, chip, rules), m_keepsTime(mode == CrossbarMode::LowLatency) {
    m_program.accumulatorElements = chip.accumulatorElements();
    m_program.cores.resize(std::size_t(chip.cores()));
    m_program.groupEnds.resize(std::size_t(chip.cores()));
}

constexpr int kAhead = 8; // instructions, four lines of a cache

CrossbarInstruction& ProgramWriter::emit(const WriteAt& at, CrossbarOpcode opcode, std::uint32_t dst,
                                         std::uint32_t src1, std::uint32_t length) {
    // In place: a copy would wait for these stores, and for all before them. Where the core's next instructions come
    // is far from the caches, as it goes round all cores. [a seventh of the time of a schedule, VGG16 on ISAAC]
    CrossbarInstruction& made = m_program.cores[at.core.index()].emplace_back();
    __builtin_prefetch(&made + kAhead, 1);
    made.opcode = opcode;
    made.stage = at.stage;
    made.layer = std::uint32_t(at.layer.value);
    made.dst = dst;
    made.src1 = src1;
    made.length = length;
    return made;
}

double ProgramWriter::send(const WriteAt& from, CoreId to, std::uint32_t src, std::uint32_t dst,
                           std::uint32_t length, bool wide) {
    const std::uint8_t flags = wide ? CrossbarInstruction::kWideSource | CrossbarInstruction::kWideResult : 0;
    CrossbarInstruction& sent = emit(from, CrossbarOpcode::Send, 0, src, length);
    sent.peer = std::uint32_t(to.value);
    sent.index = m_transfers;
    sent.flags = flags;
    CrossbarInstruction& received = emit({to, from.layer, from.stage}, CrossbarOpcode::Recv, dst, 0, length);
    received.peer = std::uint32_t(from.core.value);
    received.index = m_transfers;
    received.flags = flags;
    ++m_transfers;
    return m_keepsTime ? m_clocks.transfer(from.core, to, length, wide) : 0;
}

void ProgramWriter::endGroup() {
    for (std::size_t core = 0; core < m_program.cores.size(); ++core)
        m_program.groupEnds[core].push_back(std::uint32_t(m_program.cores[core].size()));
}

} // namespace pim
