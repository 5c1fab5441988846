// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/traces.h"

#include "backends/crossbar/compat.h"
#include "backends/crossbar/decide.h"
#include "backends/crossbar/network.h"
#include "backends/crossbar/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace pim {
namespace {

constexpr std::array<TraceFormat, 1> kCrossbarFormats{
    {{"pimcomp", "PIMCOMP-NN 2ed10c8", "CSV, an instruction a line with its group, core and elements",
      true}}};
constexpr std::size_t kCrossbarPiece = 1 << 16; // bytes handed to the sink at once

/// The instructions that work on the layer of an op.
Result<CrossbarProgram> partOf(const CrossbarPlan& crossbar, const Graph& graph, OpId op) {
    const auto& layers = crossbar.network->layers;
    const auto found = std::ranges::find_if(layers, [&](const CrossbarLayer& layer) {
        return std::ranges::find(layer.ops, op) != layer.ops.end();
    });
    if (found == layers.end() || found->as<HostWork>())
        return fail(ErrorCode::Unsupported, "it runs on the host, so there are no instructions for the cores",
                    graph.op(op).name, "name an op of the chip, or leave --op out for all of them");
    return instructionsOf(crossbar.schedule->program, std::uint32_t(found - layers.begin()));
}

bool isTransfer(const CrossbarInstruction& instruction) {
    return instruction.opcode == CrossbarOpcode::Send || instruction.opcode == CrossbarOpcode::Recv;
}

class StreamWriter {
public:
    StreamWriter(const CrossbarProgram& program, const TraceSink& sink) : m_program(program), m_sink(sink) {
        for (const auto& core : program.cores) {
            m_summary.channels += !core.empty();
            for (const CrossbarInstruction& instruction : core)
                if (isTransfer(instruction))
                    ++m_sides[instruction.index];
        }
    }

    Result<TraceSummary> write(const TaskContext& task) {
        m_text = compatHeader();
        const std::size_t groups = m_program.groupEnds.empty() ? 0 : m_program.groupEnds.front().size();
        for (std::size_t group = 0; group < groups; ++group) {
            if (task.cancelled())
                return TaskContext::cancelledError("writing the stream");
            for (std::size_t core = 0; core < m_program.cores.size(); ++core)
                PIM_CHECK(block(group, core));
        }
        PIM_CHECK(m_sink(m_text));
        if (m_leftOut > 0)
            m_summary.notes.push_back(
                fmt::format("Left out: {} sides of transfers from and to other layers.", m_leftOut));
        if (m_asSums > 0)
            m_summary.notes.push_back(fmt::format(
                "{} vector operations have no opcode that PIMCOMP-NN times; they are written as VVADD.",
                m_asSums));
        return std::move(m_summary);
    }

private:
    Result<void> block(std::size_t group, std::size_t core) {
        const auto& ends = m_program.groupEnds[core];
        for (std::size_t i = group == 0 ? 0 : ends[group - 1]; i < ends[group]; ++i) {
            const CrossbarInstruction& instruction = m_program.cores[core][i];
            if (isTransfer(instruction) && m_sides[instruction.index] != 2) {
                ++m_leftOut;
                continue;
            }
            m_asSums += instruction.opcode == CrossbarOpcode::Vec && !hasCompatOpcode(instruction.vec);
            ++m_summary.lines;
            ++m_summary.commands[std::string(
                appendCompatLine(m_text, std::uint32_t(group), std::uint32_t(core), instruction))];
        }
        if (m_text.size() < kCrossbarPiece)
            return {};
        const Result<void> taken = m_sink(m_text);
        m_text.clear();
        return taken;
    }

    const CrossbarProgram& m_program;
    const TraceSink& m_sink;
    std::map<std::uint32_t, int> m_sides; ///< Of each transfer.
    std::string m_text;
    TraceSummary m_summary;
    std::int64_t m_leftOut = 0, m_asSums = 0;
};

} // namespace

std::span<const TraceFormat> CrossbarTraces::formats() const {
    return kCrossbarFormats;
}

Result<TraceSummary> CrossbarTraces::write(const TraceRequest& request, const TraceSink& sink,
                                           const TaskContext& task) const {
    const CrossbarPlan* const crossbar = crossbarPlan(*request.plan);
    PIM_ASSERT(crossbar != nullptr, "a plan of this backend");
    if (request.channels != 0)
        return fail(ErrorCode::Usage, "a crossbar chip has cores, not channels", {},
                    "leave the number of channels out");
    if (!request.op.valid())
        return StreamWriter(crossbar->schedule->program, sink).write(task);
    PIM_TRY(const CrossbarProgram part, partOf(*crossbar, *request.plan->graph, request.op));
    return StreamWriter(part, sink).write(task);
}

Result<TraceSummary> CrossbarTraces::read(std::string_view, const std::string& file, const Target* target,
                                          const TaskContext& task) const {
    CompatHardware hardware;
    if (target) {
        PIM_TRY(const CrossbarChip chip, crossbarChip(*target));
        hardware = compatHardware(chip);
    }
    PIM_TRY(const CompatStream stream, readCompatStream(file, task));
    PIM_TRY(const CompatResult result, evaluateCompat(stream, hardware, task));
    TraceSummary summary;
    summary.commands = stream.opcodes;
    summary.lines = std::ssize(stream.instructions);
    std::vector<bool> works(stream.cores);
    for (const CompatBlock& block : stream.blocks)
        works[block.core] = true;
    summary.channels = int(std::ranges::count(works, true));
    summary.ns = result.periodNs;
    summary.engine = "pimcomp-compat";
    summary.notes.push_back(fmt::format(
        "A product takes {:.0f} ns, as in the shipped program; `pimc crossbar-stream --t-mvm` changes that.",
        hardware.mvmNs));
    return summary;
}

} // namespace pim
