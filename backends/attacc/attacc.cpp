// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/attacc.h"

#include "backends/attacc/schedule.h"
#include "backends/dram_pim/program_builder.h"

#include <algorithm>
#include <array>

namespace pim {
namespace {

using attacc::Schedule;
using attacc::Scheduler;
using attacc::Sweep;

class AttAccPricer final : public KernelPricer {
public:
    AttAccPricer(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency, bool groupCommands)
        : m_target(target), m_scheduler(space, target, residency, groupCommands), m_groupCommands(groupCommands) {}

    KernelPrice price(const Draft&, const DraftSummary& draft) const override {
        const Schedule schedule = m_scheduler.of(draft);
        const attacc::Timing& timing = m_scheduler.timing();
        const double cores = static_cast<double>(draft.coresUsed);
        KernelPrice price;
        for (const attacc::Write& write : schedule.writes)
            price.busInputNs += write.movement.ns;
        double macs = 0, rows = 0;
        for (const Sweep& sweep : schedule.sweeps) {
            rows += static_cast<double>(sweep.dots.rows());
            macs += static_cast<double>(sweep.dots.macs());
        }
        double cycles = rows * timing.rowFixed + macs * timing.macGap;
        if (!m_groupCommands)
            cycles = dram::bankLevelCycles(m_target, cycles, macs + 2 * rows, cores);
        // Reloads of the buffer use the same command bus but not the banks, so MACs hide them as far as they reach.
        cycles = std::max(cycles, (static_cast<double>(schedule.reloads)) * timing.moveGap);
        cycles = schedule.sweeps.size() > 1 ? withSoftmax(schedule, cycles) : cycles;
        const dram::Cycles counts(m_target);
        price.computeNs = dram::withRefresh(counts, timing.refreshes, cycles) * timing.nsPerCycle;
        if (schedule.scoreRoundTrips > 0)
            price.computeNs += static_cast<double>(schedule.scoreRoundTrips) * m_scheduler.machine().burstNs +
                               2 * m_scheduler.machine().firstAccessNs;
        price.busOutputNs = static_cast<double>(schedule.sweeps.back().moveOut) * timing.moveGap * timing.nsPerCycle +
                            schedule.read.ns;
        price.modeSwitchNs = (counts("command.SETM.time", 1) + counts("command.SETH.time", 1)) * timing.nsPerCycle;
        return price;
    }

    double residentLoadNs(int tensor, const DraftSummary& draft) const override {
        return dram::loadNs(m_scheduler.machine(), m_target, draft, tensor, m_scheduler.elementBytes(tensor), m_groupCommands);
    }

private:
    /// Between score and context: scores out, softmax, probabilities in. Scores leave while later ones are computed, and
    /// opening the first row of V hides some; with several heads a channel, all of it runs under the MACs of another head.
    /// [AttAcc simulator c600051: order of its traces; rows are prepared across barriers]
    double withSoftmax(const Schedule& schedule, double cycles) const {
        const attacc::Timing& timing = m_scheduler.timing();
        const double scoresOut = static_cast<double>(schedule.sweeps[0].moveOut) * timing.moveGap;
        const double after = static_cast<double>(schedule.sweeps[1].loads()) * timing.moveGap +
                             schedule.softmaxElements * timing.softmaxNsPerElement / timing.nsPerCycle;
        if (schedule.softmaxHidden)
            return std::max(cycles, scoresOut + after);
        return std::max(cycles, scoresOut) + std::max(0.0, after - (timing.rowFixed + timing.macGap));
    }

    const Target& m_target;
    Scheduler m_scheduler;
    bool m_groupCommands;
};

std::vector<Opcode> opcodes() {
    return {{"SETM", {}, "Set up the units for the kernel."},
            {"WR", {"core", "row", "col"}, "Write 32 B of host data into the bank of a core."},
            {"WRGB", {"slot"}, "Write 32 B of host data into the GEMV buffers that share them."},
            {"ACTAB", {"row"}, "Open a row in all banks of the channel."},
            {"MACAB", {"row", "col"}, "Multiply and add 16 elements in every bank with the GEMV buffer."},
            {"PREA", {}, "Close the rows of all banks."},
            {"MVSB", {"slot"}, "Move 32 B of results to the accumulator and softmax buffer."},
            {"SFM", {"head"}, "Start the softmax of a head."},
            {"MVGB", {"slot"}, "Move 32 B of probabilities into the GEMV buffers."},
            {"RD", {"slot"}, "Read 32 B of results over the bus."}};
}

/// Passes of one sweep: fill the buffers, then rows: open, MACs, close. Rows count from the first of the operand, which
/// is the same in every bank (layout.json).
void addSweep(dram::StreamBuilder& stream, const Sweep& sweep, std::int64_t rowBursts) {
    const dram::DotSchedule& dots = sweep.dots;
    const std::int64_t rows = dots.rowsOfPass(), loads = sweep.operands * dots.loads, slots = dots.parts * loads;
    using Strides = std::vector<std::vector<std::int64_t>>;
    const Strides row{{dots.parts * rows}, {0}, {rows}, {1}};
    Strides column{{dots.parts * rows, 0}, {0, 0}, {rows, 0}, {1, 0}, {0, 0}, {0, 1}};
    stream.loop(dots.batches).loop(dots.revisits).loop(dots.parts);
    stream.loop(loads).command(sweep.fromSoftmax ? "MVGB" : "WRGB", {0}, {{dots.revisits * slots}, {slots}, {loads}, {1}}).end();
    stream.loop(dots.fullRows).command("ACTAB", {0}, row);
    stream.loop(dots.rowMacs / rowBursts); // each burst once for every vector in the buffer
    stream.loop(rowBursts).command("MACAB", {0, 0}, column).end().end();
    stream.command("PREA").end();
    if (dots.lastMacs > 0) {
        const std::int64_t vectors = std::max<std::int64_t>(1, dots.rowMacs / rowBursts);
        column.erase(column.begin() + 3); // no loop over rows
        stream.command("ACTAB", {dots.fullRows}, {row[0], row[1], row[2]});
        stream.loop(vectors).loop(dots.lastMacs / vectors).command("MACAB", {dots.fullRows, 0}, column).end().end();
        stream.command("PREA");
    }
    stream.end().end().end();
}

} // namespace

Diagnostics AttAccBackend::checkTarget(const Target& target) const {
    static constexpr std::array kNeeded{"timing.nRCDRD", "timing.nRTPL", "timing.nRP", "timing.nCCDAB", "timing.nCCDS"};
    return dram::checkTarget(target, kNeeded);
}

Result<void> AttAccBackend::supports(const Kernel& kernel, const Target& target) const {
    switch (kernel.body) {
    case BodyKind::Mac: {
        PIM_CHECK(dram::needOperation(target, "core", "mac", kernel));
        if (dram::DotOperands(kernel, std::vector<bool>(kernel.tensors.size(), false)).buffer() < 0)
            return fail(ErrorCode::Unsupported, "a GEMV unit multiplies two different operands, bank by buffer", kernel.name);
        return {};
    }
    case BodyKind::Reduce:
        return dram::needOperation(target, "core", kernel.function == "add" ? "sum" : kernel.function, kernel);
    case BodyKind::Attention:
        PIM_CHECK(dram::needOperation(target, "core", "mac", kernel));
        return dram::needOperation(target, "group", "softmax", kernel);
    case BodyKind::Elementwise: return dram::needOperation(target, "core", kernel.function, kernel);
    }
    return {};
}

TilingResources AttAccBackend::resources(const Target& target) const { return dram::tilingResources(target); }

std::unique_ptr<KernelPricer> AttAccBackend::pricer(const TilingSpace& space, const Target& target,
                                                    const std::vector<Residency>& residency,
                                                    const CompileOptions& options) const {
    return std::make_unique<AttAccPricer>(space, target, residency, options.groupCommands);
}

Result<Program> AttAccBackend::lowerKernel(const TilingSpace& space, const Draft& draft, const Target& target,
                                           const std::vector<Residency>& residency) const {
    const DraftSummary summary = space.summarize(draft);
    const Scheduler scheduler(space, target, residency, true);
    const Schedule schedule = scheduler.of(summary);
    const std::int64_t rowBursts = std::max<std::int64_t>(1, scheduler.machine().rowBytes / scheduler.machine().burstBytes);
    Program program;
    program.opcodes = opcodes();
    const std::string unit = dram::groupsText(summary);

    dram::StreamBuilder input(program.opcodes);
    input.command("SETM");
    for (const attacc::Write& write : schedule.writes) {
        if (write.toBuffer)
            continue; // in the compute phase, piece by piece
        const std::int64_t rows = write.movement.coreBursts / rowBursts, rest = write.movement.coreBursts % rowBursts;
        input.loop(write.movement.tiles);
        input.loop(rows).loop(rowBursts).command("WR", {0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}).end().end();
        input.loop(rest).command("WR", {0, rows, 0}, {{1, 0, 0}, {0, 0, 1}}).end();
        input.end();
    }
    dram::StreamBuilder compute(program.opcodes);
    for (std::size_t i = 0; i < schedule.sweeps.size(); ++i) {
        const Sweep& sweep = schedule.sweeps[i];
        const bool last = i + 1 == schedule.sweeps.size();
        addSweep(compute, sweep, rowBursts);
        if (!last) {
            compute.loop(sweep.moveOut).command("MVSB", {0}, {{1}}).end();
            compute.command("SFM", {0});
        }
    }
    dram::StreamBuilder output(program.opcodes);
    output.loop(schedule.sweeps.back().moveOut).command("MVSB", {0}, {{1}}).end();
    output.loop(schedule.read.busBursts).command("RD", {0}, {{1}}).end();
    program.phases = {{"input", {{unit, input.take()}}},
                      {"compute", {{unit, compute.take()}}},
                      {"output", {{unit, output.take()}}}};
    return program;
}

} // namespace pim
