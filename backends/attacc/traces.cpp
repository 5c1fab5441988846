// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/traces.h"

#include "backends/attacc/commands.h"
#include "backends/dram_pim/dram_pim_backend.h"
#include "backends/dram_pim/stream_walk.h"
#include "core/dram/attacc/simulator.h"
#include "core/dram/attacc/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace pim {
namespace {

using attacc::Op;

constexpr std::array<TraceFormat, 1> kAttAccFormats{
    {{"attacc", "AttAcc simulator c600051, Ramulator 2.0",
      "A line a request: a word of the simulator and a byte address"}}};
constexpr std::size_t kAttAccPiece = 1 << 16; // bytes handed to the sink at once

/// The simulator has one organisation; addresses of another would name other places.
Result<void> checkStack(const Target& target) {
    const attacc::Geometry is(target), needed;
    if (is.pseudochannels == needed.pseudochannels && is.ranks == needed.ranks &&
        is.bankGroups == needed.bankGroups && is.banks == needed.banks && is.rows == kAttAccRows &&
        is.columns == kAttAccColumns)
        return {};
    return fail(
        ErrorCode::Unsupported,
        fmt::format(
            "a channel of {} pseudo-channels, {} ranks, {} bank groups of {} banks, {} rows of {} columns "
            "has no address in the AttAcc simulator",
            is.pseudochannels, is.ranks, is.bankGroups, is.banks, is.rows, is.columns),
        target.id, "its organisation is 2, 2, 4, 4, 16384, 32, that of the target attacc");
}

/// The word for a command; Act: none, it is not written.
AttAccCommand wordOf(Op op) {
    switch (op) {
    case Op::SETM:
        return AttAccCommand::SetModel;
    case Op::SETH:
        return AttAccCommand::SetHead;
    case Op::WR:
        return AttAccCommand::Write;
    case Op::RD:
        return AttAccCommand::Read;
    case Op::MACAB:
        return AttAccCommand::MacAll;
    case Op::WRGB:
        return AttAccCommand::WriteGemv;
    case Op::MVSB:
        return AttAccCommand::MoveSoftmax;
    case Op::SFM:
        return AttAccCommand::Softmax;
    case Op::MVGB:
        return AttAccCommand::MoveGemv;
    case Op::BARRIER:
        return AttAccCommand::Barrier;
    default:
        return AttAccCommand::Act;
    }
}

class AttAccTraceWriter {
public:
    AttAccTraceWriter(const Program& program, int channels, const TraceSink& sink) : m_sink(sink) {
        m_summary.channels = channels;
        for (const Opcode& opcode : program.opcodes) {
            const auto position = [&](std::string_view name) {
                const auto at = std::find(opcode.operands.begin(), opcode.operands.end(), name);
                return at == opcode.operands.end() ? -1 : int(at - opcode.operands.begin());
            };
            m_places.push_back({position("bank"), position("row"), position("col")});
        }
    }

    Result<void> command(int opcode, std::span<const std::int64_t> operands) {
        const Op op = Op(opcode);
        if (op == Op::RDSB || op == Op::WRSB)
            ++(op == Op::RDSB ? m_readsLeftOut : m_writesLeftOut);
        const AttAccCommand word = wordOf(op);
        if (word == AttAccCommand::Act)
            return {};
        m_hostAccesses += word == AttAccCommand::Read || word == AttAccCommand::Write;
        const std::array<int, 3>& places = m_places[std::size_t(opcode)];
        const auto value = [&](int i) {
            return places[std::size_t(i)] < 0 ? std::uint64_t(0)
                                              : std::uint64_t(operands[std::size_t(places[std::size_t(i)])]);
        };
        return line(word, value(0) * kAttAccBankStride + value(1) * kAttAccRowStride +
                              value(2) * kAttAccAccessBytes);
    }
    /// Written with the next command, so that none stands at the end.
    void phaseEnd() { m_barrierDue = m_summary.lines > 0; }

    Result<TraceSummary> finish(int groups) {
        PIM_CHECK(m_sink(m_text));
        if (m_readsLeftOut + m_writesLeftOut > 0)
            m_summary.notes.push_back(fmt::format("Left out: {} RDSB and {} WRSB of each channel, results "
                                                  "and scores between softmax buffer and host, which "
                                                  "the simulator does not show.",
                                                  m_readsLeftOut, m_writesLeftOut));
        if (m_hostAccesses > 0)
            m_summary.notes.push_back(fmt::format("{} LD and ST of each channel: the simulator queues them "
                                                  "apart from the PIM commands and does not order them.",
                                                  m_hostAccesses));
        if (groups > m_summary.channels)
            m_summary.notes.push_back(
                fmt::format("{} channels run these commands at the same time, {} are written.", groups,
                            m_summary.channels));
        return std::move(m_summary);
    }

private:
    Result<void> line(AttAccCommand word, std::uint64_t place) {
        if (std::exchange(m_barrierDue, false))
            PIM_CHECK(line(AttAccCommand::Barrier, 0));
        for (int channel = 0; channel < m_summary.channels; ++channel)
            appendAttAccLine(m_text, {word, std::uint64_t(channel) * kAttAccChannelStride + place});
        m_summary.lines += m_summary.channels;
        m_summary.commands[std::string(attAccWord(word))] += m_summary.channels;
        if (m_text.size() < kAttAccPiece)
            return {};
        const Result<void> taken = m_sink(m_text);
        m_text.clear();
        return taken;
    }

    const TraceSink& m_sink;
    std::vector<std::array<int, 3>>
        m_places; ///< Of bank, row, column among the operands of each opcode; -1: none.
    std::string m_text;
    TraceSummary m_summary;
    bool m_barrierDue = false;
    std::int64_t m_readsLeftOut = 0, m_writesLeftOut = 0, m_hostAccesses = 0;
};

} // namespace

std::span<const TraceFormat> AttAccTraces::formats() const {
    return kAttAccFormats;
}

Result<TraceSummary> AttAccTraces::write(const TraceRequest& request, const TraceSink& sink,
                                         const TaskContext& task) const {
    PIM_CHECK(checkStack(*request.plan->target));
    PIM_TRY(const PimCode code, m_backend.codeWithChain(*request.plan, request.op));
    PIM_TRY(const int channels, dram::channelsWritten(request.channels, code.groups, kAttAccChannels));
    AttAccTraceWriter writer(code.program, channels, sink);
    PIM_CHECK(dram::walkStream(
        code.program,
        {[&](int opcode, std::span<const std::int64_t> operands) { return writer.command(opcode, operands); },
         [&]() -> Result<void> {
             writer.phaseEnd();
             return {};
         }},
        task));
    return writer.finish(code.groups);
}

Result<TraceSummary> AttAccTraces::read(std::string_view, const std::string& file, const Target* target,
                                        const TaskContext& task) const {
    PIM_TRY(const auto trace, openAttAccTrace(file));
    AttAccOptions options;
    PIM_TRY(options.device, attAccDevice("5.2", !target || target->isOn("policy.powerLimit")));
    PIM_TRY(const AttAccResult result, simulateAttAcc(*trace, options, {}, task));
    TraceSummary summary;
    summary.lines = result.requests;
    for (int i = 0; i < kAttAccCommands; ++i)
        if (const std::int64_t count = result.requested.of[std::size_t(i)]; count > 0)
            summary.commands[std::string(attAccWord(AttAccCommand(i)))] = count;
    summary.cycles = result.cycles;
    summary.ns = double(result.cycles) * options.device.tickPs / 1000;
    summary.engine = "attacc-compat";
    return summary;
}

} // namespace pim
