// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/schedule/core_clocks.h"

#include <algorithm>
#include <cmath>

namespace pim {

CoreClocks::CoreClocks(const CrossbarProgram& program, const CrossbarChip& chip)
    : m_program(program), m_chip(chip), m_interconnect(chip), m_cores(std::size_t(chip.cores())) {}

void CoreClocks::count(int core) {
    Core& c = m_cores[std::size_t(core)];
    const auto& instructions = m_program.cores[std::size_t(core)];
    for (; c.counted < instructions.size(); ++c.counted) {
        const CrossbarInstruction& i = instructions[c.counted];
        const auto bytes = [&](std::uint8_t wide) {
            return std::int64_t(i.length) * m_chip.activationBytes() *
                   ((i.flags & wide) != 0 ? m_program.accumulatorElements : 1);
        };
        switch (i.opcode) {
        case CrossbarOpcode::Mvm:
            c.front = std::max({c.front, c.nextIssue, c.localFree});
            c.nextIssue = c.front + m_chip.mvmIssueNs;
            break;
        case CrossbarOpcode::Vec:
            c.front = std::max(c.front, c.vectorFree);
            c.vectorFree = c.front + std::ceil(double(std::max(bytes(CrossbarInstruction::kWideSource),
                                                               bytes(CrossbarInstruction::kWideResult))) /
                                               m_chip.vectorBytes) *
                                         m_chip.vectorNs * vectorPasses(i.vec);
            break;
        case CrossbarOpcode::Copy:
        case CrossbarOpcode::Write:
            c.front = std::max(c.front, c.localFree);
            c.localFree = c.front + double(bytes(CrossbarInstruction::kWideSource) +
                                           bytes(CrossbarInstruction::kWideResult)) /
                                        m_chip.localBytesPerNs;
            break;
        case CrossbarOpcode::Load:
        case CrossbarOpcode::Store: // what is loaded is copied or multiplied: it waits
            c.front = std::max(c.front, i.opcode == CrossbarOpcode::Store ? c.vectorFree : c.front);
            c.localFree = std::max(c.localFree, m_interconnect.access(m_chip.chipOf(core),
                                                                      bytes(CrossbarInstruction::kWideSource),
                                                                      c.front, nullptr));
            break;
        case CrossbarOpcode::Send:
        case CrossbarOpcode::Recv:
            break; // see transfer()
        }
    }
}

double CoreClocks::transfer(int from, int to, std::int64_t bytes) {
    count(from);
    count(to);
    Core &source = m_cores[std::size_t(from)], &target = m_cores[std::size_t(to)];
    const double ready = std::max(source.front, source.vectorFree);
    const double end =
        m_interconnect
            .send(from, to, bytes, m_chip.synchronous ? std::max(ready, target.front) : ready, nullptr)
            .endNs;
    if (m_chip.synchronous)
        target.front = end;
    source.front = m_chip.synchronous ? end : ready;
    return end;
}

} // namespace pim
