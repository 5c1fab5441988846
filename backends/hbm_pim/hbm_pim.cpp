// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/hbm_pim.h"

#include "backends/dram_pim/program_builder.h"
#include "backends/hbm_pim/schedule.h"

#include <algorithm>
#include <array>
#include <tuple>

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
            {"WR_GRF", {"burst"}, "Write 32 B of the operand into the next register of all blocks."},
            {"FILL", {"bank", "burst"}, "Read 32 B of the bank into a register of every block."},
            {"MAC", {"bank", "burst"}, "Every block multiplies 16 elements of its bank with a register and adds."},
            {"ALU", {"bank", "burst"}, "Every block works on 16 elements of its bank and a register."},
            {"ST", {"bank", "burst"}, "Every block stores a register to its bank."},
            {"RD", {"core", "col"}, "Read 32 B of results over the bus."}};
}

/// Where a tile of products stands: bursts of both operands, and what the enclosing loops (buffer vector, output tile and,
/// if there is one, input tile) add to them. Bursts count from the first of the operand, laid out in tiles (layout.json).
struct TilePlace {
    std::int64_t bank = 0;
    std::int64_t matrix = 0, matrixOfOutputs = 0, matrixOfInputs = 0;
    std::int64_t vector = 0, vectorOfVectors = 0, vectorOfInputs = 0;
    bool inInputLoop = false;
};

/// Loads of one piece of the vector, then its products with the outputs kept in registers.
void addDotTile(dram::StreamBuilder& stream, std::int64_t inputs, std::int64_t outputs, bool toRegisters, const TilePlace& place,
                bool inOutputLoop) {
    using Strides = std::vector<std::vector<std::int64_t>>;
    Strides vector{{place.vectorOfVectors}}, banked{{0, place.vectorOfVectors}}, matrix{{0, 0}};
    if (inOutputLoop) {
        vector.push_back({0});
        banked.push_back({0, 0});
        matrix.push_back({0, place.matrixOfOutputs});
    }
    if (place.inInputLoop) {
        vector.push_back({place.vectorOfInputs});
        banked.push_back({0, place.vectorOfInputs});
        matrix.push_back({0, place.matrixOfInputs});
    }
    vector.push_back({1});
    banked.push_back({0, 1});
    matrix.push_back({0, 1});
    if (toRegisters)
        stream.loop(inputs).command("WR_GRF", {place.vector}, vector).end();
    else
        stream.loop(inputs).command("FILL", {place.bank, place.vector}, banked).end();
    stream.loop(inputs * outputs).command("MAC", {place.bank, place.matrix}, matrix).end();
}

void addSweep(dram::StreamBuilder& stream, const Schedule& schedule, std::int64_t outputs, bool toRegisters, bool last) {
    const std::int64_t full = schedule.inputTiles - 1, odd = full / 2, inputs = full * schedule.inputsOfTile + schedule.inputsOfLast;
    const std::int64_t tile = schedule.inputsOfTile * outputs; // bursts of the matrix
    TilePlace place;
    place.matrixOfOutputs = inputs * schedule.outputsOfTile;
    place.matrix = last ? (schedule.outputTiles - 1) * inputs * schedule.outputsOfTile : 0;
    const std::int64_t firstBurst = place.matrix;
    place.matrixOfInputs = 2 * tile;
    place.vectorOfVectors = inputs;
    place.vectorOfInputs = 2 * schedule.inputsOfTile;
    place.inInputLoop = true;
    stream.command("HAB_PIM", {1});
    stream.loop(full - odd);
    addDotTile(stream, schedule.inputsOfTile, outputs, toRegisters, place, !last);
    stream.end().loop(odd);
    place.bank = 1;
    place.matrix = firstBurst + tile;
    place.vector = schedule.inputsOfTile;
    addDotTile(stream, schedule.inputsOfTile, outputs, toRegisters, place, !last);
    stream.end();
    place.bank = schedule.inputTiles % 2 == 0 ? 1 : 0;
    place.matrix = firstBurst + full * tile;
    place.vector = full * schedule.inputsOfTile;
    place.inInputLoop = false;
    addDotTile(stream, schedule.inputsOfLast, outputs, toRegisters, place, !last);
    const std::int64_t results = (schedule.outputTiles - 1) * schedule.outputsOfTile + schedule.outputsOfLast;
    if (last)
        stream.loop(outputs).command("ST", {1, results - outputs}, {{0, results}, {0, 1}}).end();
    else
        stream.loop(outputs).command("ST", {1, 0}, {{0, results}, {0, outputs}, {0, 1}}).end();
    stream.command("PIM_HAB");
}

void addCompute(dram::StreamBuilder& stream, const Schedule& schedule, std::int64_t registers) {
    stream.command("PARK").command("SB_HAB").loop(4).command("CRF", {0}, {{1}}).end();
    if (schedule.kind == Schedule::Kind::Dots) {
        const bool toRegisters = std::any_of(schedule.writes.begin(), schedule.writes.end(), [](const auto& w) { return w.toRegisters; });
        stream.loop(schedule.vectors).loop(schedule.outputTiles - 1);
        addSweep(stream, schedule, schedule.outputsOfTile, toRegisters, false);
        stream.end();
        addSweep(stream, schedule, schedule.outputsOfLast, toRegisters, true);
        stream.end();
    } else {
        stream.command("HAB_PIM", {schedule.kind == Schedule::Kind::Reduce ? 1 : 0});
        if (schedule.kind == Schedule::Kind::Reduce) {
            stream.loop(schedule.bursts).command("ALU", {0, 0}, {{0, 1}}).end();
            stream.loop(schedule.results).command("ST", {0, 0}, {{0, 1}}).end();
        } else {
            const std::int64_t full = schedule.bursts / registers, rest = schedule.bursts % registers;
            for (const auto& [turns, bursts, first] : {std::tuple(full, registers, std::int64_t{0}),
                                                       std::tuple(std::int64_t{rest > 0 ? 1 : 0}, rest, full * registers)}) {
                stream.loop(turns);
                stream.loop(bursts).command("FILL", {0, first}, {{0, bursts}, {0, 1}}).end();
                stream.loop(schedule.operands - 1).loop(bursts);
                stream.command("ALU", {0, first}, {{0, bursts}, {0, schedule.bursts}, {0, 1}}).end().end();
                stream.loop(bursts).command("ST", {0, first}, {{0, bursts}, {0, 1}}).end();
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
