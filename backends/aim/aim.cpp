// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/aim/aim.h"

#include "backends/aim/schedule.h"
#include "backends/dram_pim/program_builder.h"

#include <algorithm>
#include <array>

namespace pim {
namespace {

using aim::Schedule;
using aim::Scheduler;

class AimPricer final : public KernelPricer {
public:
    AimPricer(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency, bool groupCommands)
        : m_target(target), m_scheduler(space, target, residency, groupCommands), m_groupCommands(groupCommands) {}

    KernelPrice price(const Draft&, const DraftSummary& draft) const override {
        const Schedule schedule = m_scheduler.of(draft);
        const aim::Timing& timing = m_scheduler.timing();
        KernelPrice price;
        for (const Schedule::Write& write : schedule.writes)
            price.busInputNs += write.movement.ns;
        double cycles = schedule.cycles;
        if (!m_groupCommands && !schedule.isMultiply) // MAC and ACT for each bank instead of MAC16 and ACT16
            cycles = dram::bankLevelCycles(m_target, cycles, static_cast<double>(schedule.dots.macs() + 2 * schedule.dots.rows()),
                                           static_cast<double>(draft.coresUsed));
        price.computeNs = dram::withRefresh(dram::Cycles(m_target), timing.refreshes, cycles) * timing.nsPerCycle;
        price.busOutputNs = schedule.read.ns;
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
    return {{"WR", {"core", "row", "col"}, "Write 32 B of host data into the bank of a core."},
            {"WRGB", {"slot"}, "Write 32 B of host data into the global buffer of the channel."},
            {"ACT16", {"row"}, "Open a row in all banks of the channel."},
            {"MAC16", {"row", "col"}, "Every bank multiplies 16 elements with the global buffer and adds."},
            {"EWMUL16", {"row", "col"}, "Bank 0 times bank 1 into bank 2, 16 elements in each bank group."},
            {"PREA", {}, "Close the rows of all banks."},
            {"RDMAC16", {"result"}, "Read one result of every bank."},
            {"RD", {"core", "col"}, "Read 32 B of results over the bus."}};
}

/// Rows of one pass or of a whole element-wise product. \param outer what the enclosing loops add to the row.
void addRows(dram::StreamBuilder& stream, std::int64_t firstRow, std::int64_t fullRows, std::int64_t rowCommands,
             std::int64_t lastCommands, std::int64_t rowBursts, std::string_view opcode, const std::vector<std::int64_t>& outer) {
    std::vector<std::vector<std::int64_t>> row, column;
    for (const std::int64_t stride : outer) {
        row.push_back({stride});
        column.push_back({stride, 0});
    }
    auto inRow = column;
    row.push_back({1});
    inRow.insert(inRow.end(), {{1, 0}, {0, 0}, {0, 1}});
    stream.loop(fullRows).command("ACT16", {firstRow}, row);
    stream.loop(rowCommands / rowBursts).loop(rowBursts).command(opcode, {firstRow, 0}, inRow).end().end();
    stream.command("PREA").end();
    if (lastCommands > 0) {
        row.pop_back();
        column.push_back({0, 1});
        stream.command("ACT16", {firstRow + fullRows}, row);
        stream.loop(lastCommands).command(opcode, {firstRow + fullRows, 0}, column).end();
        stream.command("PREA");
    }
}

/// Dot products: sets of cores take turns at the buffer; in each, passes over the rows. Results leave when all pieces of their
/// operand have been through.
void addDots(dram::StreamBuilder& stream, const Schedule& schedule, std::int64_t rowBursts) {
    const dram::DotSchedule& dots = schedule.dots;
    const std::int64_t rows = dots.rowsOfPass(), pieces = dots.piecesOfResult(), results = dots.parts / pieces;
    const std::vector<std::int64_t> outer{0, dots.parts * rows, 0, pieces * rows};
    const auto pass = [&](std::int64_t piece, std::vector<std::int64_t> strides) {
        stream.loop(dots.loads).command("WRGB", {0}, [&] {
            std::vector<std::vector<std::int64_t>> slot(strides.size(), {0});
            slot.push_back({1});
            return slot;
        }()).end();
        addRows(stream, piece * rows, dots.fullRows, dots.rowMacs, dots.lastMacs, rowBursts, "MAC16", strides);
    };
    stream.loop(schedule.bufferSets).loop(dots.batches).loop(dots.revisits).loop(results);
    auto inner = outer;
    inner.push_back(rows);
    stream.loop(pieces - 1);
    pass(0, inner);
    stream.end();
    pass(pieces - 1, outer);
    stream.loop(dots.results).command("RDMAC16", {0}, {{0}, {0}, {0}, {dots.results}, {1}}).end();
    stream.end().end().end().end();
}

} // namespace

Diagnostics AimBackend::checkTarget(const Target& target) const {
    static constexpr std::array kNeeded{"timing.nRCDMAC", "timing.nRTP", "timing.nRP", "timing.nCCDAB"};
    return dram::checkTarget(target, kNeeded);
}

Result<void> AimBackend::supports(const Kernel& kernel, const Target& target) const {
    switch (kernel.body) {
    case BodyKind::Mac:
        PIM_CHECK(dram::needOperation(target, "core", "mac", kernel));
        if (dram::DotOperands(kernel, std::vector<bool>(kernel.tensors.size(), false)).buffer() < 0)
            return fail(ErrorCode::Unsupported, "a bank multiplies with the global buffer, not with itself", kernel.name);
        return {};
    case BodyKind::Attention: return dram::needOperation(target, "group", "softmax", kernel);
    case BodyKind::Reduce:
        return dram::needOperation(target, "core", kernel.function == "add" ? "sum" : kernel.function, kernel);
    case BodyKind::Elementwise:
        PIM_CHECK(dram::needOperation(target, "core", kernel.function, kernel));
        if (kernel.function != "mul")
            return fail(ErrorCode::Unsupported,
                        "activation functions of " + target.id + " work on results of dot products, not on tensors",
                        kernel.name);
        if (std::count_if(kernel.accesses.begin(), kernel.accesses.end(), [](const TensorAccess& a) { return !a.isWrite; }) != 2)
            return fail(ErrorCode::Unsupported, "the product of two tensors is the only one there is", kernel.name);
        return {};
    }
    return {};
}

TilingResources AimBackend::resources(const Target& target) const { return dram::tilingResources(target); }

std::unique_ptr<KernelPricer> AimBackend::pricer(const TilingSpace& space, const Target& target,
                                                 const std::vector<Residency>& residency,
                                                 const CompileOptions& options) const {
    return std::make_unique<AimPricer>(space, target, residency, options.groupCommands);
}

Result<Program> AimBackend::lowerKernel(const TilingSpace& space, const Draft& draft, const Target& target,
                                        const std::vector<Residency>& residency) const {
    const DraftSummary summary = space.summarize(draft);
    const Scheduler scheduler(space, target, residency, true);
    const Schedule schedule = scheduler.of(summary);
    const std::int64_t rowBursts = scheduler.rowBursts();
    Program program;
    program.opcodes = opcodes();
    const std::string unit = dram::groupsText(summary);
    dram::StreamBuilder input(program.opcodes);
    for (const Schedule::Write& write : schedule.writes) {
        if (write.toBuffer)
            continue; // in the compute phase, piece by piece
        const std::int64_t rows = write.movement.coreBursts / rowBursts, rest = write.movement.coreBursts % rowBursts;
        input.loop(write.movement.tiles);
        input.loop(rows).loop(rowBursts).command("WR", {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}).end().end();
        input.loop(rest).command("WR", {0, rows, 0}, {{1, 0, 0}, {0, 0, 1}}).end();
        input.end();
    }
    dram::StreamBuilder compute(program.opcodes);
    if (schedule.isMultiply)
        addRows(compute, 0, schedule.multiplies / rowBursts, rowBursts, schedule.multiplies % rowBursts, rowBursts, "EWMUL16", {});
    else
        addDots(compute, schedule, rowBursts);
    dram::StreamBuilder output(program.opcodes);
    output.loop(schedule.read.tiles).loop(schedule.read.coreBursts).command("RD", {0, 0}, {{1, 0}, {0, 1}}).end().end();
    program.phases = {{"input", {{unit, input.take()}}},
                      {"compute", {{unit, compute.take()}}},
                      {"output", {{unit, output.take()}}}};
    return program;
}

} // namespace pim
