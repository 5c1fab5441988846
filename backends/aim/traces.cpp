// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/aim/traces.h"

#include "backends/aim/commands.h"
#include "backends/dram_pim/dram_pim_backend.h"
#include "backends/dram_pim/stream_walk.h"
#include "core/dram/aim/aim_trace.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace pim {
namespace {

using aim::AimOpcode;

constexpr std::array<TraceFormat, 1> kAimFormats{
    {{"aim", "aim_simulator 0f28a07, Ramulator 2.0",
      "A line an instruction of the host, as AiM MAC_ABK 64 0x3 0"}}};
constexpr std::size_t kAimPiece = 1 << 16; // bytes handed to the sink at once
// Registers of the host that operands, biases and sums pass through; the simulator keeps nothing in them.
constexpr int kOperandGpr = 0, kBiasGpr = 4, kSumGpr = 8;
constexpr double kAimClockNs = 0.5;

class AimTraceWriter {
public:
    AimTraceWriter(int channels, const TraceSink& sink) : m_sink(sink) {
        m_summary.channels = channels;
        m_mask = channels == AimGeometry::kChannels ? 0xffffffffu : (1u << channels) - 1;
        line("W CFR", "0 1");
    }

    Result<void> command(int opcode, std::span<const std::int64_t> operands) {
        const AimOpcode is = AimOpcode(opcode);
        switch (is) {
        case AimOpcode::WrGb:
            continueRun(is, 0, operands[0]);
            break;
        case AimOpcode::Mac16:
        case AimOpcode::Ewmul16:
            continueRun(is, operands[0], operands[1]);
            break;
        case AimOpcode::WrMac16:
            endRun();
            line("AiM WR_BIAS", fmt::format("{} {:#x}", kBiasGpr, m_mask));
            break;
        case AimOpcode::RdMac16:
            endRun();
            line("AiM RD_MAC", fmt::format("{} {:#x}", kSumGpr, m_mask));
            break;
        case AimOpcode::Wr:
        case AimOpcode::Rd:
            endRun();
            // Bit i of the mask is channel 31 - i.
            for (int channel = 0; channel < m_summary.channels; ++channel)
                line(is == AimOpcode::Wr ? "W MEM" : "R MEM",
                     fmt::format("{} {} {}", AimGeometry::kChannels - 1 - channel, operands[0], operands[1]));
            break;
        case AimOpcode::Act16:
        case AimOpcode::PreA:
        case AimOpcode::Tmod:
            break;
        }
        if (m_text.size() < kAimPiece)
            return {};
        const Result<void> taken = m_sink(m_text);
        m_text.clear();
        return taken;
    }

    Result<TraceSummary> finish(int groups) {
        endRun();
        line("AiM EOC", {});
        PIM_CHECK(m_sink(m_text));
        if (m_shifted > 0)
            m_summary.notes.push_back(
                fmt::format("Written as if from column and slot 0, where the simulator begins: "
                            "{} of the instructions. It takes as long.",
                            m_shifted));
        if (groups > m_summary.channels)
            m_summary.notes.push_back(
                fmt::format("{} channels run these commands at the same time, {} are written.", groups,
                            m_summary.channels));
        return std::move(m_summary);
    }

private:
    struct Run {
        AimOpcode opcode = AimOpcode::Act16; ///< Of one of the three that come in runs.
        std::int64_t row = 0, first = 0, count = 0;
    };

    void continueRun(AimOpcode opcode, std::int64_t row, std::int64_t column) {
        if (m_run.count > 0 &&
            (m_run.opcode != opcode || m_run.row != row || m_run.first + m_run.count != column))
            endRun();
        if (m_run.count == 0)
            m_run = {opcode, row, column, 0};
        ++m_run.count;
    }
    void endRun() {
        const Run run = std::exchange(m_run, {});
        if (run.count == 0)
            return;
        m_shifted += run.first != 0;
        if (run.opcode == AimOpcode::WrGb)
            return line("AiM WR_GB", fmt::format("{} {} {:#x}", run.count, kOperandGpr, m_mask));
        line(run.opcode == AimOpcode::Mac16 ? "AiM MAC_ABK" : "AiM EWMUL",
             fmt::format("{} {:#x} {}", run.count, m_mask, run.row));
    }
    void line(std::string_view word, std::string_view fields) {
        m_text += word;
        if (!fields.empty())
            m_text += ' ';
        m_text += fields;
        m_text += '\n';
        ++m_summary.lines;
        ++m_summary.commands[std::string(word)];
    }

    const TraceSink& m_sink;
    std::string m_text;
    TraceSummary m_summary;
    std::uint32_t m_mask = 0;
    Run m_run;
    std::int64_t m_shifted = 0;
};

} // namespace

std::span<const TraceFormat> AimTraces::formats() const {
    return kAimFormats;
}

Result<TraceSummary> AimTraces::write(const TraceRequest& request, const TraceSink& sink,
                                      const TaskContext& task) const {
    PIM_TRY(const PimCode code, m_backend.codeWithChain(*request.plan, request.op));
    PIM_TRY(const int channels, dram::channelsWritten(request.channels, code.groups, AimGeometry::kChannels));
    AimTraceWriter writer(channels, sink);
    PIM_CHECK(dram::walkStream(
        code.program,
        {[&](int opcode, std::span<const std::int64_t> operands) { return writer.command(opcode, operands); },
         {}},
        task));
    return writer.finish(code.groups);
}

Result<TraceSummary> AimTraces::read(std::string_view, const std::string& file, const Target*,
                                     const TaskContext& task) const {
    PIM_TRY(AimTraceRun run, runAimTrace(file, {}, task));
    TraceSummary summary;
    summary.commands = std::move(run.commands);
    summary.lines = run.lines;
    summary.channels = run.channels;
    if (run.cost) {
        summary.cycles = run.cost->cycles;
        summary.ns = double(run.cost->cycles) * kAimClockNs;
        summary.engine = "aim-compat";
    } else {
        summary.notes.push_back(fmt::format("No time: aim-compat has no rules for {}.", run.untimed));
    }
    return summary;
}

} // namespace pim
