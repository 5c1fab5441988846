// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A small machine and commands on it as its controller would issue them, any number of them: rows of all
/// banks opened, computed on and closed, a load bank by bank before, refresh in between.
#include "core/dram_pim/command_trace.h"

#include <memory>
#include <string>

namespace pim::test {

inline constexpr const char* kSampleDevice = R"({
  "name": "sample-pim", "standard": "sample", "organisation": "8 banks", "speed_grade": "1000", "source": "made up",
  "protocol": "two-bus", "tick_ps": 1000, "ticks_per_clock": 1, "read_latency": 10, "access_bytes": 32,
  "levels": [{"name": "Channel", "count": 1}, {"name": "PseudoChannel", "count": 2}, {"name": "BankGroup", "count": 2},
             {"name": "Bank", "count": 2}, {"name": "Row", "count": 1024}, {"name": "Column", "count": 64}],
  "address_map": [{"level": "Column", "bits": 5}, {"level": "PseudoChannel", "bits": 1}, {"level": "BankGroup", "bits": 1},
                  {"level": "Bank", "bits": 1}, {"level": "Row", "bits": 10}],
  "timing": {"nBL": 2, "nCL": 8, "nCWL": 6, "nRCD": 10, "nRP": 8, "nREFI": 2000, "nRFC": 100},
  "commands": [
    {"name": "ACT", "at": "Bank", "row": "opens", "bus": "row"},
    {"name": "PRE", "at": "Bank", "row": "closes", "bus": "row"},
    {"name": "WR", "at": "Bank", "access": "write", "bus": "column"},
    {"name": "ACTAB", "at": "Channel", "row": "opens", "bus": "row"},
    {"name": "MACAB", "at": "Channel", "access": "other", "bus": "column"},
    {"name": "MACE", "at": "Bank", "repeated_over": "BankGroup", "access": "other", "bus": "column"},
    {"name": "PREA", "at": "Channel", "row": "closes", "bus": "row"},
    {"name": "REFab", "at": "PseudoChannel", "refresh": true, "bus": "row"}
  ],
  "constraints": [
    {"level": "Channel", "before": ["ACTAB"], "after": ["MACAB", "MACE"], "ticks": "nRCD"},
    {"level": "Channel", "before": ["MACAB", "MACE"], "after": ["MACAB", "MACE"], "ticks": 4},
    {"level": "Channel", "before": ["MACAB", "MACE"], "after": ["PREA"], "ticks": 4},
    {"level": "Channel", "before": ["PREA"], "after": ["ACTAB"], "ticks": "nRP"},
    {"level": "PseudoChannel", "before": ["REFab"], "after": ["ACT", "ACTAB"], "ticks": "nRFC"},
    {"level": "Bank", "before": ["ACT"], "after": ["WR"], "ticks": "nRCD"},
    {"level": "Bank", "before": ["WR"], "after": ["PRE"], "ticks": 12}
  ]
})";

enum SampleCommand { kAct, kPre, kWr, kActAb, kMacAb, kMacEven, kPreA, kRefresh };
enum SampleReason { kRowToMac, kMacToMac, kMacToClose, kRefreshWait, kReasons };

/// \p rows rows, each with 16 MACs of all banks; every 16 rows a refresh. With \p loads, first bank 1 and
/// then bank 6 get a row written, and the last MAC of each row is one of the even banks alone.
inline std::shared_ptr<const CommandTrace> sampleCommands(int rows, bool loads = true) {
    auto trace = std::make_shared<CommandTrace>();
    trace->op = "fc1";
    trace->device = *parseDramDevice(kSampleDevice, "sample");
    trace->movesData.assign(trace->device.commands.size(), false);
    trace->movesData[kWr] = true;
    SequenceTiming& timing = trace->timing;
    timing.tickPs = trace->device.tickPs;
    timing.reasons = {"ACTAB -> MACAB 10 (nRCD)", "MACAB -> MACAB 4", "MACAB -> PREA 4", "refresh"};
    timing.waited.assign(kReasons, 0);
    timing.commands.assign(trace->device.commands.size(), 0);
    DramTick now = 0, last = -1;
    int phase = 0;
    const auto issue = [&](int command, DramTick tick, int bank, std::int64_t row, std::int64_t column,
                           int reason) {
        SequencedCommand made{tick, command, bank, row, column, 0, -1, phase};
        if (reason >= 0 && tick > last + 1) {
            made.waited = tick - last - 1;
            made.reason = reason;
            timing.waited[std::size_t(reason)] += made.waited;
        }
        last = tick;
        ++timing.commands[std::size_t(command)];
        trace->commands.push_back(made);
    };
    if (loads) {
        for (const int bank : {1, 6}) {
            issue(kAct, now, bank, 3, -1, -1);
            issue(kWr, now += 10, bank, -1, 5, kRowToMac);
            issue(kPre, now += 12, bank, -1, -1, kMacToClose);
            now += 8;
        }
        timing.phases.push_back({"input", 0, now});
        phase = 1;
    }
    const DramTick begin = now;
    for (int row = 0; row < rows; ++row) {
        issue(kActAb, now, 0, row, -1, kRefreshWait);
        now += 10;
        for (int mac = 0; mac < 16; ++mac, now += 4)
            issue(loads && mac == 15 ? kMacEven : kMacAb, now, 0, -1, mac, mac == 0 ? kRowToMac : kMacToMac);
        issue(kPreA, now, 0, -1, -1, kMacToClose);
        now += 8;
        if (row % 16 == 15) {
            issue(kRefresh, now, 0, -1, -1, -1);
            issue(kRefresh, now + 1, 4, -1, -1, -1);
            now += 101;
            timing.refreshTicks += 101;
        }
    }
    timing.phases.push_back({"compute", begin, now});
    timing.ticks = now;
    return trace;
}

} // namespace pim::test
