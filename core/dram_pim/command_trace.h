// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of one channel with their times and what they waited for, for people: logs, command
/// timelines, tables of banks. Flow: timeProgram -> [CommandTrace] -> views, CSV.
#include "core/dram_pim/sequencer.h"

namespace pim {

struct CommandTrace {
    std::string op;
    DramDevice device;
    std::string controller = "strict";
    SequenceTiming timing;
    std::vector<SequencedCommand> commands; ///< In order; the first kMost of a long run.
    bool truncated = false;                 ///< There were more.
    std::vector<bool> movesData;            ///< By index into DramDevice::commands: data crosses the bus.
    static constexpr std::size_t kMost = 2'000'000;
};

/// Times a program (sequencer.h) and keeps its commands. \p opName goes into the result. `timing` is that of
/// the whole run even if the commands are not all kept.
Result<CommandTrace> traceProgram(const DramDevice& device, const Program& program, std::string opName,
                                  const SequencerOptions& options = {},
                                  const std::vector<std::string>& phases = {}, const TaskContext& task = {});

/// How a bank was used.
struct BankUse {
    std::int64_t activations = 0;
    std::int64_t hits = 0; ///< Accesses to a row that an access has been to since it was opened.
    /// First accesses to a row where the bank was closed before: never used, or refreshed.
    std::int64_t misses = 0;
    std::int64_t conflicts = 0; ///< First accesses to a row where another (or the same) was open before.
    DramTick open = 0;          ///< Ticks with a row open.
};
/// One a bank of the channel.
std::vector<BankUse> bankUse(const CommandTrace& trace);

/// Share of ticks in which the column, row and data buses are taken, in equal slices of the run, 0 … 1. On
/// devices with one command bus, what opens, closes or refreshes counts as row. Each pseudo-channel has a
/// data bus of its own; data crosses it in the last nBL ticks before it is at its place.
struct BusUse {
    std::vector<double> column, row, data;
};
BusUse busUse(const CommandTrace& trace, int slices); ///< \param slices at least 1.

/// tick, command, bank, row, column, waited, reason: a line a command, with a heading.
std::string commandTraceCsv(const CommandTrace& trace);

} // namespace pim
