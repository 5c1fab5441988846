// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/traces.h"

#include "backends/dram_pim/dram_pim_backend.h"
#include "backends/dram_pim/stream_walk.h"
#include "backends/hbm_pim/hbm_pim_machine.h"
#include "core/dram/hbm_pim/hbm_pim_trace.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace pim {
namespace {

using HbmGeometry = HbmPimGeometry;

constexpr std::array<TraceFormat, 1> kHbmPimFormats{
    {{"pimsimulator", "PIMSimulator b464dde",
      "A line a request: R or W with a byte address and data, B a barrier of a channel"}}};
constexpr std::size_t kHbmPimPiece = 1 << 16; // bytes handed to the sink at once
constexpr int kSwitchColumn = 0x1f, kSimulatedChannels = 64, kSimulatedRegisters = 8;

Result<void> checkMachine(const Target& target) {
    PIM_TRY(const hbm::Machine machine, hbm::Machine::of(target));
    if (machine.blocks == HbmGeometry::kBlocks && machine.registers == kSimulatedRegisters)
        return {};
    return fail(
        ErrorCode::Unsupported,
        fmt::format(
            "PIMSimulator has {} blocks of {} registers in a channel built in, this machine has {} of {}",
            HbmGeometry::kBlocks, kSimulatedRegisters, machine.blocks, machine.registers),
        target.id, "the target hbm-pim is the machine it simulates");
}

class HbmPimTraceWriter {
public:
    HbmPimTraceWriter(const PimCode& code, int channels, const TraceSink& sink)
        : m_code(code), m_channels(channels), m_system(hbmPimSystem(channels)), m_sink(sink),
          m_text(hbmPimTraceHead(m_system)) {
        m_summary.channels = channels;
    }

    Result<void> command(int opcode, std::span<const std::int64_t> operands) {
        const std::string_view name = m_code.program.opcodes[std::size_t(opcode)].name;
        if (name == "ACT")
            return operands[1] == HbmGeometry::kEnterRow ? switchMode(operands) : Result<void>();
        if (name == "ACT_AB")
            return operands[1] == HbmGeometry::kLeaveRow ? switchMode(operands) : Result<void>();
        if (name == "PRE" || name == "PRE_AB")
            return {};
        if (name == "PREA")
            return barrier();
        const bool isAllBank = name.ends_with("_AB");
        HbmPimBurst burst = burstOf(operands);
        burst.write = name.starts_with("WR");
        // Single banks: the order within a row does not matter, PREA ends it.
        PIM_CHECK(goOn(isAllBank ? Run{burst.write, burst.bank, burst.row} : Run{}));
        const bool isConstant = operands.size() == 5 && operands[3] == -1;
        return write(burst, isConstant ? &m_code.constants[std::size_t(operands[4])] : nullptr);
    }
    Result<void> phaseEnd() { return barrier(); }

    Result<TraceSummary> finish() {
        PIM_CHECK(m_sink(m_text));
        if (m_code.groups > m_channels)
            m_summary.notes.push_back(
                fmt::format("{} channels run these commands at the same time, {} are written.", m_code.groups,
                            m_channels));
        m_summary.notes.push_back("Values of operands are zeros: the trace is for times, not for results.");
        return std::move(m_summary);
    }

private:
    /// Bursts that may go out in any order; a barrier stands between two runs.
    struct Run {
        bool write = false;
        int bank = -1, row = -1;
        friend bool operator==(const Run&, const Run&) = default;
    };

    static HbmPimBurst burstOf(std::span<const std::int64_t> operands) {
        HbmPimBurst burst;
        burst.bank = std::uint8_t(operands[0]);
        burst.row = std::uint16_t(operands[1]);
        burst.column = std::uint8_t(operands[2]);
        return burst;
    }
    Result<void> switchMode(std::span<const std::int64_t> operands) {
        HbmPimBurst burst;
        burst.write = true;
        burst.bank = std::uint8_t(operands[0]);
        burst.row = std::uint16_t(operands[1]);
        burst.column = kSwitchColumn;
        PIM_CHECK(goOn({true, -1, int(operands[1])})); // of all its banks: one sequence
        return write(burst, nullptr);
    }
    Result<void> goOn(const Run& run) {
        if (!(std::exchange(m_run, run) == run))
            return barrier();
        return {};
    }
    Result<void> barrier() {
        if (!std::exchange(m_isOpen, false))
            return {};
        for (int channel = 0; channel < m_channels; ++channel)
            appendHbmPimBarrier(m_text, channel);
        return count("B");
    }
    Result<void> write(const HbmPimBurst& burst, const HbmPimWord* word) {
        m_isOpen = true;
        for (int channel = 0; channel < m_channels; ++channel)
            appendHbmPimLine(m_text, burst, word, channel, m_system);
        return count(burst.write ? "W" : "R");
    }
    Result<void> count(const char* word) {
        m_summary.commands[word] += m_channels;
        m_summary.lines += m_channels;
        if (m_text.size() < kHbmPimPiece)
            return {};
        const Result<void> taken = m_sink(m_text);
        m_text.clear();
        return taken;
    }

    const PimCode& m_code;
    int m_channels, m_system;
    const TraceSink& m_sink;
    std::string m_text;
    TraceSummary m_summary;
    Run m_run;
    bool m_isOpen = false; ///< Something was written since the last barrier.
};

} // namespace

std::span<const TraceFormat> HbmPimTraces::formats() const {
    return kHbmPimFormats;
}

Result<TraceSummary> HbmPimTraces::write(const TraceRequest& request, const TraceSink& sink,
                                         const TaskContext& task) const {
    PIM_CHECK(checkMachine(*request.plan->target));
    PIM_TRY(const PimCode code, m_backend.codeWithChain(*request.plan, request.op));
    PIM_TRY(const int channels, dram::channelsWritten(request.channels, code.groups, kSimulatedChannels));
    HbmPimTraceWriter writer(code, channels, sink);
    PIM_CHECK(dram::walkStream(
        code.program,
        {[&](int opcode, std::span<const std::int64_t> operands) { return writer.command(opcode, operands); },
         [&] { return writer.phaseEnd(); }},
        task));
    PIM_CHECK(writer.phaseEnd());
    return writer.finish();
}

Result<TraceSummary> HbmPimTraces::read(std::string_view, const std::string& file, const Target*,
                                        const TaskContext& task) const {
    PIM_TRY(const HbmPimTrace trace, readHbmPimTrace(file, task));
    PIM_TRY(const HbmPimTraceRun run, runHbmPimTrace(trace, {}, task));
    TraceSummary summary;
    summary.lines = trace.lines;
    summary.channels = run.channels;
    for (const auto& [word, count] :
         {std::pair("R", trace.reads), std::pair("W", trace.writes), std::pair("B", trace.barriers)})
        if (count > 0)
            summary.commands[word] = count;
    summary.cycles = run.cost.cycles;
    summary.ns = double(run.cost.cycles); // clocks of 1 ns
    summary.engine = "pimsimulator-compat";
    const HbmPimCounts& counts = run.cost.counts;
    summary.notes.push_back(fmt::format(
        "{} reads and {} writes took a step of the microprogram; {} bursts wrote the "
        "microprogram, {} registers, {} the mode.",
        counts.readSteps, counts.writeSteps, counts.crfWrites, counts.grfWrites, counts.modeWrites));
    return summary;
}

} // namespace pim
