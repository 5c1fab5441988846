// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/hbm_pim.h"

#include "backends/dram_pim/program_builder.h"
#include "backends/hbm_pim/schedule.h"

#include <algorithm>
#include <array>

namespace pim {
namespace {

using hbm::Schedule;
using hbm::Scheduler;

class HbmPimPricer final : public KernelPricer {
public:
    HbmPimPricer(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency, bool groupCommands)
        : m_target(target), m_scheduler(space, target, residency, groupCommands), m_groupCommands(groupCommands) {}

    KernelPrice price(const Draft&, const DraftSummary& draft) const override {
        const Schedule schedule = m_scheduler.of(draft);
        const hbm::Timing& timing = m_scheduler.timing();
        KernelPrice price;
        for (const Schedule::Write& write : schedule.writes)
            price.busInputNs += write.movement.ns;
        const dram::Cycles cycles(m_target);
        // The blocks compute in all-bank mode only, so commands always go to the whole group.
        const double compute = std::max(0.0, schedule.cycles - schedule.registerWrites);
        price.computeNs = dram::withRefresh(cycles, timing.refreshes, compute) * timing.nsPerCycle;
        price.busOutputNs = schedule.read.ns;
        price.modeSwitchNs = schedule.modeSwitch * timing.nsPerCycle;
        return price;
    }

    double residentLoadNs(int tensor, const DraftSummary& draft) const override {
        return dram::loadNs(m_scheduler.machine(), m_target, draft, tensor, m_scheduler.elementBytes(tensor), m_groupCommands);
    }

private:
    const Target& m_target;
    Scheduler m_scheduler;
    bool m_groupCommands;
};

std::vector<Opcode> opcodes() {
    return {{"PARK", {}, "Close all data rows before or after a mode change."},
            {"SB_HAB", {}, "From single-bank to all-bank mode."},
            {"CRF", {"word"}, "Write 32 B of the block's program (8 instructions)."},
            {"HAB_PIM", {"clear"}, "From all-bank mode to PIM mode; clear=1 zeroes the accumulators."},
            {"PIM_HAB", {}, "From PIM mode back to all-bank mode."},
            {"HAB_SB", {}, "From all-bank to single-bank mode."},
            {"WR", {"core", "row", "col"}, "Write 32 B of host data into a bank of a core."},
            {"WR_GRF", {"reg"}, "Write 32 B of host data into a register of all blocks."},
            {"FILL", {"bank", "reg"}, "Read 32 B of the bank into a register of every block."},
            {"MAC", {"bank", "col"}, "Every block multiplies 16 elements of its bank with a register and adds."},
            {"ALU", {"bank", "col"}, "Every block works on 16 elements of its bank and a register."},
            {"ST", {"bank", "col"}, "Every block stores a register to its bank."},
            {"RD", {"core", "col"}, "Read 32 B of results over the bus."}};
}

/// Loads of one piece of the vector, then its products with the outputs kept in registers.
void addDotTile(dram::StreamBuilder& stream, std::int64_t inputs, std::int64_t outputs, bool toRegisters, std::int64_t bank) {
    if (toRegisters)
        stream.loop(inputs).command("WR_GRF", {0}).end();
    else
        stream.loop(inputs).command("FILL", {bank, 0}).end();
    stream.loop(inputs * outputs).command("MAC", {bank, 0}).end();
}

void addSweep(dram::StreamBuilder& stream, const Schedule& schedule, std::int64_t outputs, bool toRegisters) {
    const std::int64_t full = schedule.inputTiles - 1, odd = full / 2;
    stream.command("HAB_PIM", {1});
    stream.loop(full - odd);
    addDotTile(stream, schedule.inputsOfTile, outputs, toRegisters, 0);
    stream.end().loop(odd);
    addDotTile(stream, schedule.inputsOfTile, outputs, toRegisters, 1);
    stream.end();
    addDotTile(stream, schedule.inputsOfLast, outputs, toRegisters, schedule.inputTiles % 2 == 0 ? 1 : 0);
    stream.loop(outputs).command("ST", {1, 0}).end();
    stream.command("PIM_HAB");
}

void addCompute(dram::StreamBuilder& stream, const Schedule& schedule, std::int64_t registers) {
    stream.command("PARK").command("SB_HAB").loop(4).command("CRF", {0}, {{1}}).end();
    if (schedule.kind == Schedule::Kind::Dots) {
        const bool toRegisters = std::any_of(schedule.writes.begin(), schedule.writes.end(), [](const auto& w) { return w.toRegisters; });
        stream.loop(schedule.vectors).loop(schedule.outputTiles - 1);
        addSweep(stream, schedule, schedule.outputsOfTile, toRegisters);
        stream.end();
        addSweep(stream, schedule, schedule.outputsOfLast, toRegisters);
        stream.end();
    } else {
        stream.command("HAB_PIM", {schedule.kind == Schedule::Kind::Reduce ? 1 : 0});
        if (schedule.kind == Schedule::Kind::Reduce) {
            stream.loop(schedule.bursts).command("ALU", {0, 0}).end();
            stream.loop(schedule.results).command("ST", {0, 0}).end();
        } else {
            const std::int64_t full = schedule.bursts / registers, rest = schedule.bursts % registers;
            for (const auto& [turns, bursts] : {std::pair(full, registers), std::pair<std::int64_t, std::int64_t>(rest > 0 ? 1 : 0, rest)}) {
                stream.loop(turns);
                stream.loop(bursts).command("FILL", {0, 0}, {{0, 0}, {0, 1}}).end();
                stream.loop(bursts * (schedule.operands - 1)).command("ALU", {0, 0}, {{0, bursts}, {0, 1}}).end();
                stream.loop(bursts).command("ST", {0, 0}, {{0, bursts}, {0, 1}}).end();
                stream.end();
            }
        }
        stream.command("PIM_HAB");
    }
    stream.command("HAB_SB").command("PARK");
}

/// "add+mul" is two operations.
std::vector<std::string> operationsOf(const Kernel& kernel) {
    std::vector<std::string> operations;
    for (std::size_t begin = 0; begin <= kernel.function.size();) {
        const std::size_t end = std::min(kernel.function.find('+', begin), kernel.function.size());
        operations.push_back(kernel.function.substr(begin, end - begin));
        begin = end + 1;
    }
    return operations;
}

} // namespace

Diagnostics HbmPimBackend::checkTarget(const Target& target) const {
    static constexpr std::array kNeeded{"timing.nCCDL", "timing.nRP", "timing.nRCDRD", "timing.nRCDWR", "timing.nCWL", "timing.nRTW"};
    return dram::checkTarget(target, kNeeded);
}

Result<void> HbmPimBackend::supports(const Kernel& kernel, const Target& target) const {
    switch (kernel.body) {
    case BodyKind::Mac:
        PIM_CHECK(dram::needOperation(target, "core", "mac", kernel));
        if (dram::DotOperands(kernel, std::vector<bool>(kernel.tensors.size(), false)).buffer() < 0)
            return fail(ErrorCode::Unsupported, "a block multiplies two different operands, bank by register", kernel.name);
        return {};
    case BodyKind::Attention:
        return dram::needOperation(target, "group", "softmax", kernel);
    case BodyKind::Reduce:
        return dram::needOperation(target, "core", kernel.function == "add" ? "sum" : kernel.function, kernel);
    case BodyKind::Elementwise:
        for (const std::string& operation : operationsOf(kernel))
            PIM_CHECK(dram::needOperation(target, "core", operation == "copy" ? "move" : operation, kernel));
        return {};
    }
    return {};
}

TilingResources HbmPimBackend::resources(const Target& target) const { return dram::tilingResources(target); }

std::unique_ptr<KernelPricer> HbmPimBackend::pricer(const TilingSpace& space, const Target& target,
                                                    const std::vector<Residency>& residency,
                                                    const CompileOptions& options) const {
    return std::make_unique<HbmPimPricer>(space, target, residency, options.groupCommands);
}

Result<Program> HbmPimBackend::lowerKernel(const TilingSpace& space, const Draft& draft, const Target& target,
                                           const std::vector<Residency>& residency) const {
    const DraftSummary summary = space.summarize(draft);
    const Scheduler scheduler(space, target, residency, true);
    const Schedule schedule = scheduler.of(summary);
    const std::int64_t rowBursts = scheduler.timing().rowBursts;
    Program program;
    program.opcodes = opcodes();
    const std::string unit = dram::groupsText(summary);
    dram::StreamBuilder input(program.opcodes);
    for (const Schedule::Write& write : schedule.writes) {
        if (write.toRegisters)
            continue; // in the compute phase, piece by piece
        const std::int64_t rows = write.movement.coreBursts / rowBursts, rest = write.movement.coreBursts % rowBursts;
        input.loop(write.movement.tiles);
        input.loop(rows).loop(rowBursts).command("WR", {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}).end().end();
        input.loop(rest).command("WR", {0, rows, 0}, {{1, 0, 0}, {0, 0, 1}}).end();
        input.end();
    }
    dram::StreamBuilder compute(program.opcodes);
    addCompute(compute, schedule, scheduler.timing().registers);
    dram::StreamBuilder output(program.opcodes);
    output.loop(schedule.read.tiles).loop(schedule.read.coreBursts).command("RD", {0, 0}, {{1, 0}, {0, 1}}).end().end();
    program.phases = {{"input", {{unit, input.take()}}},
                      {"compute", {{unit, compute.take()}}},
                      {"output", {{unit, output.take()}}}};
    return program;
}

} // namespace pim
