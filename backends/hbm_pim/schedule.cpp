// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/schedule.h"

#include <algorithm>
#include <cmath>

namespace pim::hbm {
namespace {

using dram::ceilDiv;

std::vector<bool> residentOnes(const std::vector<Residency>& residency) {
    std::vector<bool> resident;
    for (const Residency r : residency)
        resident.push_back(r == Residency::Resident);
    return resident;
}

} // namespace

Timing::Timing(const Target& target) {
    const dram::Cycles cycles(target);
    nsPerCycle = cycles.nsPerCycle();
    column = cycles("timing.nCCDL", 4);
    const double burst = cycles("timing.nBL", 2), write = cycles("timing.nCWL", 8) + burst;
    readToWrite = cycles("timing.nRTW", 15);
    writeToRead = cycles("timing.nWTR", write + cycles("timing.nWTRL", 9));
    const double readToPrecharge = cycles("timing.nRDPRE", cycles("timing.nRTPL", 5)), precharge = cycles("timing.nRP", 14);
    rowForRead = readToPrecharge + precharge + cycles("timing.nRCDRD", 14);
    rowForWrite = readToPrecharge + precharge + cycles("timing.nRCDWR", 10);
    afterWrite = cycles("timing.nWRPRE", write + cycles("timing.nWR", 16)) + precharge + cycles("timing.nRCDRD", 14);
    refreshes = target.isOn("policy.refresh");
    registers = std::max<std::int64_t>(1, static_cast<std::int64_t>(cycles("register.GRF.entries", 8)));
    modeSwitch = cycles("command.modeSwitch.time", 331);
    // 409 = 367 + 42 cycles that ADD, MUL and RELU take beyond their tiles; 549 = 331 + 218 of the reduction: clearing the
    // registers, adding the two files and halving three times.
    modeSwitchElementwise = cycles("command.binary.fixed.time", modeSwitch + 78);
    modeSwitchReduce = cycles("command.reduce.fixed.time", modeSwitch + 218);
}

double Timing::dotTile(double inputs, double outputs, bool odd) const {
    const double bursts = inputs * outputs, rows = std::max(1.0, std::ceil(bursts / static_cast<double>(rowBursts)));
    const double even = (inputs - 1) * column + writeToRead + (bursts - rows) * column + (rows - 1) * rowForRead + readToWrite;
    return odd ? even + (afterWrite - writeToRead) + (rowForWrite - readToWrite) : even;
}

double Timing::storeResults() const { return rowForWrite + static_cast<double>(registers) * column + writeToRead; }

double Timing::elementwise(double operands, double bursts) const {
    return (operands + 1) * (bursts - 1) * column + (operands - 1) * rowForRead + rowForWrite + writeToRead;
}

double Timing::reduce(double bursts) const {
    // Half of the data in either bank of a block; the first rows open while the registers are cleared.
    const double rowsOfBank = std::max(1.0, std::ceil(bursts / 2 / static_cast<double>(rowBursts)));
    return bursts * column + 2 * (rowsOfBank - 1) * (rowForRead - column);
}

Scheduler::Scheduler(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
                     bool groupCommands)
    : m_space(space), m_timing(target), m_machine(movementMachine(target)), m_residency(residency),
      m_operands(space.kernel(), residentOnes(residency)), m_padded(groupCommands) {
    m_timing.rowBursts = std::max<std::int64_t>(1, m_machine.rowBytes / m_machine.burstBytes);
    for (std::size_t t = 0; t < space.kernel().tensors.size(); ++t)
        if (space.kernel().tensors[t].role != TensorRole::Input)
            m_output = static_cast<int>(t);
}

/// Outputs stay in the second register file, the vector passes through the first. [PIMSimulator b464dde, GEMV kernel]
void Scheduler::dots(const DraftSummary& draft, Schedule& schedule) const {
    const dram::DotProducts work = m_operands.of(draft, m_space.resources().simdLanes);
    const std::int64_t registers = m_timing.registers;
    schedule.kind = Schedule::Kind::Dots;
    schedule.vectors = work.batches * work.bufferVectors;
    schedule.outputTiles = ceilDiv(work.bankVectors, registers);
    schedule.outputsOfTile = std::min(registers, work.bankVectors);
    schedule.outputsOfLast = work.bankVectors - (schedule.outputTiles - 1) * registers;
    schedule.inputTiles = ceilDiv(work.bursts, registers);
    schedule.inputsOfTile = std::min(registers, work.bursts);
    schedule.inputsOfLast = work.bursts - (schedule.inputTiles - 1) * registers;
    // One bank of the pair after the other: even tiles first, and half of them from the odd bank.
    const auto sweep = [&](double outputs) {
        double cycles = m_timing.storeResults();
        const std::int64_t full = schedule.inputTiles - 1, oddFull = full / 2;
        cycles += static_cast<double>(full - oddFull) * m_timing.dotTile(static_cast<double>(schedule.inputsOfTile), outputs, false);
        cycles += static_cast<double>(oddFull) * m_timing.dotTile(static_cast<double>(schedule.inputsOfTile), outputs, true);
        return cycles + m_timing.dotTile(static_cast<double>(schedule.inputsOfLast), outputs, schedule.inputTiles % 2 == 0);
    };
    schedule.cycles = static_cast<double>(schedule.vectors) *
                      (static_cast<double>(schedule.outputTiles - 1) * sweep(static_cast<double>(schedule.outputsOfTile)) +
                       sweep(static_cast<double>(schedule.outputsOfLast)));
    schedule.modeSwitch = m_timing.modeSwitch;
    schedule.registerWrites = static_cast<double>(schedule.vectors * work.bursts) * m_timing.column;
    // Lanes are not added up in the block: a result is one burst, its lanes are added by the host.
    schedule.read = readTiles(m_machine, draft, m_output, elementBytes(m_output), m_space.resources().simdLanes);
}

void Scheduler::elementwise(const DraftSummary& draft, Schedule& schedule) const {
    const Kernel& kernel = m_space.kernel();
    schedule.kind = Schedule::Kind::Elementwise;
    schedule.operands = 0;
    for (const TensorAccess& access : kernel.accesses)
        schedule.operands += access.isWrite ? 0 : 1;
    schedule.operands = std::max<std::int64_t>(1, schedule.operands);
    schedule.bursts = ceilDiv(std::max<std::int64_t>(1, draft.iterationsPerCore), m_space.resources().simdLanes);
    const std::int64_t full = schedule.bursts / m_timing.registers, rest = schedule.bursts % m_timing.registers;
    const double operands = static_cast<double>(schedule.operands);
    schedule.cycles = static_cast<double>(full) * m_timing.elementwise(operands, static_cast<double>(m_timing.registers)) +
                      (rest > 0 ? m_timing.elementwise(operands, static_cast<double>(rest)) : 0);
    schedule.modeSwitch = m_timing.modeSwitchElementwise;
    schedule.read = readTiles(m_machine, draft, m_output, elementBytes(m_output));
}

/// Lanes run along the outputs where a core has enough of them, else along the sum; then a result is a burst of partial sums.
void Scheduler::reduce(const DraftSummary& draft, Schedule& schedule) const {
    const Kernel& kernel = m_space.kernel();
    std::int64_t outputs = 1, summed = 1;
    for (std::size_t l = 0; l < kernel.loops.size(); ++l)
        (kernel.isReductionLoop(static_cast<int>(l)) ? summed : outputs) *= std::max<std::int64_t>(1, draft.loopTile[l]);
    const std::int64_t lanes = m_space.resources().simdLanes;
    const bool alongOutputs = outputs >= lanes;
    schedule.kind = Schedule::Kind::Reduce;
    schedule.results = alongOutputs ? ceilDiv(outputs, lanes) : outputs;
    schedule.bursts = alongOutputs ? schedule.results * summed : outputs * ceilDiv(summed, lanes);
    schedule.cycles = m_timing.reduce(static_cast<double>(schedule.bursts)) +
                      static_cast<double>(ceilDiv(schedule.results, m_timing.registers) - 1) * m_timing.storeResults();
    schedule.modeSwitch = m_timing.modeSwitchReduce;
    schedule.read = readTiles(m_machine, draft, m_output, elementBytes(m_output), alongOutputs ? 1 : lanes);
}

Schedule Scheduler::of(const DraftSummary& draft) const {
    Schedule schedule;
    const Kernel& kernel = m_space.kernel();
    switch (kernel.body) {
    case BodyKind::Elementwise: elementwise(draft, schedule); break;
    case BodyKind::Reduce: reduce(draft, schedule); break;
    case BodyKind::Mac:
    case BodyKind::Attention: dots(draft, schedule); break;
    }
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        if (kernel.tensors[t].role == TensorRole::Output || m_residency[t] == Residency::Resident)
            continue;
        const int tensor = static_cast<int>(t);
        Schedule::Write write{tensor, writeTiles(m_machine, draft, tensor, elementBytes(tensor), m_padded), false};
        // A register write reaches all blocks of the group alike, so it serves only an operand all of them share;
        // any other lies in the banks and is filled into the registers from there, at the same pace.
        write.toRegisters = schedule.kind == Schedule::Kind::Dots && tensor == m_operands.buffer() && write.movement.tiles == 1;
        if (write.toRegisters)
            write.movement.ns = schedule.registerWrites * m_timing.nsPerCycle +
                                static_cast<double>(write.movement.blocks) * m_machine.firstAccessNs;
        schedule.writes.push_back(write);
    }
    if (std::none_of(schedule.writes.begin(), schedule.writes.end(), [](const auto& write) { return write.toRegisters; }))
        schedule.registerWrites = 0;
    return schedule;
}

} // namespace pim::hbm
