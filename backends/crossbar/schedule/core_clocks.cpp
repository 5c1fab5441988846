// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/core_clocks.h"

#include <algorithm>
#include <cmath>

namespace pim {

CoreClocks::CoreClocks(const CrossbarProgram& program, const CrossbarChip& chip, CrossbarReferee rules)
    : m_program(program), m_chip(chip), m_interconnect(chip), m_cores(std::size_t(chip.cores())) {
    if (rules == CrossbarReferee::Profiler)
        return;
    m_compat = compatHardware(chip);
    m_compat->mvmNs = chip.mvmNs;
    m_peers.resize(m_cores.size());
    m_memories.resize(std::size_t(chip.chips()));
    m_buses.resize(std::size_t(chip.chips()));
}

void CoreClocks::count(CoreId core) {
    const auto& instructions = m_program.cores[core.index()];
    for (std::size_t& counted = m_cores[core.index()].counted; counted < instructions.size(); ++counted)
        if (m_compat)
            countCompat(instructions[counted], core);
        else
            countOwn(instructions[counted], core);
}

/// See CompatClock; transfers: see transfer().
void CoreClocks::countCompat(const CrossbarInstruction& instruction, CoreId core) {
    CompatClock& clock = peer(core);
    const auto chip = std::size_t(m_chip.chipOf(core));
    const std::uint32_t elements = instruction.length;
    switch (compatOp(instruction)) {
    case CompatOp::Mvm:
        if (instruction.index >= m_groupStart.size())
            m_groupStart.resize(instruction.index + 1);
        clock.product(*m_compat, m_groupStart[instruction.index]);
        break;
    case CompatOp::GatherAdd:
        clock.met = std::int64_t(double(clock.met) + compatVectorNs(*m_compat, elements));
        [[fallthrough]];
    case CompatOp::Vector:
        clock.now += compatVectorNs(*m_compat, elements);
        break;
    case CompatOp::InputMove:
        clock.moveInput(compatLocalNs(*m_compat, elements, 2));
        break;
    case CompatOp::InputFill:
        clock.moveInput(compatLocalNs(*m_compat, elements, 1));
        break;
    case CompatOp::Move:
        clock.now += double(compatLocalNs(*m_compat, elements, 2));
        break;
    case CompatOp::Fill:
        clock.now += double(compatLocalNs(*m_compat, elements, 1));
        break;
    case CompatOp::Load:
        clock.load(m_memories[chip],
                   compatPassNs(compatBytes(*m_compat, elements), m_compat->globalBytesPerNs));
        break;
    case CompatOp::Store:
        clock.store(m_memories[chip],
                    compatPassNs(compatBytes(*m_compat, elements), m_compat->globalBytesPerNs));
        break;
    default:
        break;
    }
}

void CoreClocks::countOwn(const CrossbarInstruction& i, CoreId core) {
    Core& c = m_cores[core.index()];
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

double CoreClocks::transfer(CoreId from, CoreId to, std::uint32_t elements, bool wide) {
    count(from);
    count(to);
    if (m_compat) {
        CompatClock &a = peer(from), &b = peer(to);
        const double met = CompatClock::meet(a, b);
        const std::int64_t size = compatBytes(*m_compat, elements);
        double taken = double(m_buses[std::size_t(m_chip.chipOf(from))].take(
            std::int64_t(met), compatPassNs(size, m_compat->busBytesPerNs)));
        if (m_chip.chipOf(from) != m_chip.chipOf(to))
            taken = std::floor(taken + double(size) / m_compat->offChipBytesPerNs);
        a.now += taken;
        b.now += taken;
        return met + taken;
    }
    const std::int64_t bytes =
        std::int64_t(elements) * (wide ? m_program.accumulatorElements : 1) * m_chip.activationBytes();
    Core &source = m_cores[from.index()], &target = m_cores[to.index()];
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
