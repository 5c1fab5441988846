// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of one channel with their times and what they waited for, for people: logs, command timelines, tables of
/// banks. Flow: timeProgram -> [CommandTrace] -> views, CSV.
#include "core/dram_pim/sequencer.h"

namespace pim {

struct CommandTrace {
    std::string op;
    DramDevice device;
    std::string controller = "strict";
    SequenceTiming timing;
    std::vector<SequencedCommand> commands; ///< In order; the first kMost of a long run.
    bool truncated = false;                 ///< There were more.
    static constexpr std::size_t kMost = 2'000'000;
};

/// How a bank was used.
struct BankUse {
    std::int64_t activations = 0;
    std::int64_t hits = 0;      ///< Accesses to a row that an earlier access had been to.
    std::int64_t misses = 0;    ///< First accesses after the bank was closed by a refresh or idle.
    std::int64_t conflicts = 0; ///< First accesses after another row was open.
    DramTick open = 0;          ///< Ticks with a row open.
};
/// One a bank of the channel.
std::vector<BankUse> bankUse(const CommandTrace& trace);

/// Share of ticks in which the column, row and data buses are taken, in equal slices of the run.
struct BusUse {
    std::vector<double> column, row, data;
};
BusUse busUse(const CommandTrace& trace, int slices);

/// tick, command, bank, row, column, waited, reason: a line a command, with a heading.
std::string commandTraceCsv(const CommandTrace& trace);

} // namespace pim
