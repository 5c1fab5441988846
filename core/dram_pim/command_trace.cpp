// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram_pim/command_trace.h"

#include "core/dram_pim/dram_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace pim {
namespace {

class Keeper final : public ISequenceObserver {
public:
    explicit Keeper(CommandTrace& trace) : m_trace(trace) {}
    bool onCommand(const SequencedCommand& command) override {
        if (m_trace.commands.size() == CommandTrace::kMost) {
            m_trace.truncated = true;
            return false;
        }
        m_trace.commands.push_back(command);
        return true;
    }

private:
    CommandTrace& m_trace;
};

/// Tick after the last that the trace knows about.
DramTick endOf(const CommandTrace& trace) {
    if (!trace.truncated)
        return trace.timing.ticks;
    return trace.commands.empty() ? 0 : trace.commands.back().tick + 1;
}

bool isRowCommand(const DramCommand& command) {
    return command.bus == DramBus::Row ||
           (command.bus == DramBus::Any && (command.refreshes || command.row != DramRowEffect::None));
}

/// Adds up how much of each slice is taken.
class Slices {
public:
    Slices(DramTick end, int slices) : m_taken(std::size_t(slices), 0), m_end(end) {}

    void add(DramTick from, DramTick to, double weight) {
        from = std::clamp<DramTick>(from, 0, m_end);
        to = std::clamp<DramTick>(to, 0, m_end);
        const auto count = std::int64_t(m_taken.size());
        while (from < to) {
            const std::int64_t slice = from * count / m_end;
            const DramTick next = std::min(to, ((slice + 1) * m_end + count - 1) / count);
            m_taken[std::size_t(slice)] += double(next - from) * weight;
            from = next;
        }
    }
    std::vector<double> shares() const {
        std::vector<double> result;
        const auto count = std::int64_t(m_taken.size());
        const auto begin = [&](std::int64_t slice) { return (slice * m_end + count - 1) / count; };
        for (std::int64_t i = 0; i < count; ++i) {
            const DramTick ticks = begin(i + 1) - begin(i);
            result.push_back(ticks > 0 ? std::min(1.0, m_taken[std::size_t(i)] / double(ticks)) : 0);
        }
        return result;
    }

private:
    std::vector<double> m_taken;
    DramTick m_end;
};

} // namespace

Result<CommandTrace> traceProgram(const DramDevice& device, const Program& program, std::string opName,
                                  const SequencerOptions& options, const std::vector<std::string>& phases,
                                  const TaskContext& task) {
    CommandTrace trace;
    trace.op = std::move(opName);
    trace.device = device;
    trace.movesData.assign(device.commands.size(), false);
    for (std::size_t i = 0; i < device.commands.size(); ++i)
        trace.movesData[i] =
            device.commands[i].access == DramAccess::Read || device.commands[i].access == DramAccess::Write;
    for (const Opcode& opcode : program.opcodes)
        if (const int command = device.command(opcode.name);
            command >= 0 &&
            std::find(opcode.operands.begin(), opcode.operands.end(), "tensor") != opcode.operands.end())
            trace.movesData[std::size_t(command)] = true;
    Keeper keeper(trace);
    PIM_TRY(trace.timing, timeProgram(device, program, options, phases, &keeper, task));
    return trace;
}

std::vector<BankUse> bankUse(const CommandTrace& trace) {
    struct State {
        DramTick since = -1;  ///< Of the open row; -1: none.
        bool fresh = false;   ///< Opened and not accessed yet.
        bool used = false;    ///< A row was open before, and no refresh since.
        bool wasUsed = false; ///< The same when the open row was opened.
    };
    const DramNodes nodes(trace.device);
    std::vector<BankUse> uses(std::size_t(nodes.banks()));
    std::vector<State> states(uses.size());
    const auto close = [](BankUse& use, State& state, DramTick tick) {
        if (state.since >= 0)
            use.open += tick - state.since;
        state.since = -1;
    };
    for (const SequencedCommand& command : trace.commands) {
        const DramCommand& row = trace.device.commands[std::size_t(command.command)];
        if (row.access == DramAccess::None && row.row == DramRowEffect::None && !row.refreshes)
            continue;
        const DramNodeSet banks = nodes.banksOf(command.command, command.bank);
        for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride) {
            BankUse& use = uses[std::size_t(b)];
            State& state = states[std::size_t(b)];
            if (row.access != DramAccess::None) {
                ++(!state.fresh ? use.hits : state.wasUsed ? use.conflicts : use.misses);
                state.fresh = false;
            }
            if (row.row == DramRowEffect::Opens) {
                close(use, state, command.tick);
                ++use.activations;
                state = {command.tick, true, true, state.used};
            } else if (row.row == DramRowEffect::Closes) {
                close(use, state, command.tick);
            }
            if (row.refreshes)
                state.used = false;
        }
    }
    for (std::size_t b = 0; b < uses.size(); ++b)
        close(uses[b], states[b], endOf(trace));
    return uses;
}

BusUse busUse(const CommandTrace& trace, int slices) {
    PIM_ASSERT(slices > 0, "a run has at least one slice");
    const DramTick end = endOf(trace);
    if (end == 0)
        return {std::vector<double>(std::size_t(slices), 0), std::vector<double>(std::size_t(slices), 0),
                std::vector<double>(std::size_t(slices), 0)};
    const DramNodes nodes(trace.device);
    const int busLevel = std::max(0, trace.device.level("PseudoChannel"));
    const DramTick burst = std::max<DramTick>(1, trace.device.time("nBL"));
    Slices column(end, slices), row(end, slices), data(end, slices);
    for (const SequencedCommand& command : trace.commands) {
        const DramCommand& what = trace.device.commands[std::size_t(command.command)];
        if (what.bus != DramBus::None)
            (isRowCommand(what) ? row : column).add(command.tick, command.tick + what.ticks, 1);
        if (!trace.movesData[std::size_t(command.command)])
            continue;
        const DramTick done = command.tick + std::max(burst, what.dataTicks);
        const double share =
            double(nodes.touched(command.command, command.bank, busLevel).count) / nodes.count(busLevel);
        data.add(done - burst, done, share);
    }
    return {column.shares(), row.shares(), data.shares()};
}

std::string commandTraceCsv(const CommandTrace& trace) {
    std::string text = "tick,command,bank,row,column,waited,reason\n";
    auto out = std::back_inserter(text);
    for (const SequencedCommand& command : trace.commands)
        fmt::format_to(out, "{},{},{},{},{},{},{}\n", command.tick,
                       trace.device.commands[std::size_t(command.command)].name, command.bank, command.row,
                       command.column, command.waited,
                       command.reason < 0 ? "" : trace.timing.reasons[std::size_t(command.reason)].c_str());
    return text;
}

} // namespace pim
