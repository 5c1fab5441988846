// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Commands a second of the sequencer: a matrix-vector product on a channel of 64 banks (each row opened in
/// all banks, 32 all-bank operations, closed; operands and results in between) and a load of single banks,
/// walked and with repeats skipped. Prints medians of five; fails below what the product promises.
#include "core/dram_pim/sequencer.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

using namespace pim;

namespace {

constexpr double kPromised = 2e6; // commands per second, every one walked

/// Constraints of the kinds that HBM3 has, for 64 banks.
const char* const kDevice = R"({
  "name": "bench", "standard": "HBM3", "organisation": "64 banks", "speed_grade": "5.2 Gb/s", "source": "times of HBM3 at 5.2 Gb/s, for a benchmark",
  "protocol": "two-bus", "tick_ps": 769, "ticks_per_clock": 1, "read_latency": 21, "access_bytes": 32,
  "levels": [{"name": "Channel", "count": 1}, {"name": "PseudoChannel", "count": 2}, {"name": "Rank", "count": 2},
             {"name": "BankGroup", "count": 4}, {"name": "Bank", "count": 4}, {"name": "Row", "count": 16384}, {"name": "Column", "count": 32}],
  "address_map": [{"level": "Column", "bits": 5}, {"level": "PseudoChannel", "bits": 1}, {"level": "Rank", "bits": 1},
                  {"level": "BankGroup", "bits": 2}, {"level": "Bank", "bits": 2}, {"level": "Row", "bits": 14}],
  "timing": {"nBL": 2, "nCL": 19, "nCWL": 6, "nRCD": 19, "nRP": 19, "nRAS": 45, "nRC": 63, "nWR": 21, "nRTP": 8, "nCCDS": 2,
             "nCCDL": 4, "nRRDS": 2, "nRRDL": 4, "nFAW": 39, "nRFC": 456, "nREFI": 5070, "nCCDAB": 6},
  "commands": [
    {"name": "ACT", "at": "Bank", "row": "opens", "bus": "row"},
    {"name": "PRE", "at": "Bank", "row": "closes", "bus": "row"},
    {"name": "PREA", "at": "Channel", "row": "closes", "bus": "row"},
    {"name": "ACTAB", "at": "Channel", "row": "opens", "bus": "row"},
    {"name": "MACAB", "at": "Channel", "access": "other", "bus": "column"},
    {"name": "RD", "at": "Bank", "access": "read", "bus": "column"},
    {"name": "WR", "at": "Bank", "access": "write", "bus": "column"},
    {"name": "WRGB", "at": "Channel", "bus": "column"},
    {"name": "MVSB", "at": "Bank", "bus": "column"},
    {"name": "REFab", "at": "PseudoChannel", "refresh": true, "bus": "row"}
  ],
  "constraints": [
    {"level": "Channel", "before": ["MACAB"], "after": ["MACAB"], "ticks": "nCCDAB"},
    {"level": "Channel", "before": ["MACAB"], "after": ["PREA"], "ticks": "nRTP"},
    {"level": "Channel", "before": ["ACTAB"], "after": ["ACTAB", "ACT"], "ticks": "nRC"},
    {"level": "Channel", "before": ["ACTAB"], "after": ["MACAB", "RD", "WR"], "ticks": "nRCD + 3*nFAW"},
    {"level": "Channel", "before": ["ACTAB"], "after": ["PREA", "PRE"], "ticks": "nRAS"},
    {"level": "Channel", "before": ["PREA"], "after": ["ACTAB", "ACT"], "ticks": "nRP"},
    {"level": "PseudoChannel", "before": ["WRGB", "MVSB", "RD", "WR"], "after": ["WRGB", "MVSB", "RD", "WR"], "ticks": "nBL"},
    {"level": "PseudoChannel", "before": ["PREA", "PRE"], "after": ["REFab"], "ticks": "nRP"},
    {"level": "PseudoChannel", "before": ["REFab"], "after": ["ACT", "ACTAB"], "ticks": "nRFC"},
    {"level": "Rank", "before": ["ACT"], "after": ["ACT"], "ticks": "nFAW", "window": 4},
    {"level": "Rank", "before": ["ACT"], "after": ["ACT"], "ticks": "nRRDS"},
    {"level": "Rank", "before": ["RD"], "after": ["WR"], "ticks": 17},
    {"level": "Rank", "before": ["WR"], "after": ["RD"], "ticks": 16},
    {"level": "BankGroup", "before": ["MVSB", "RD", "WR"], "after": ["MVSB", "RD", "WR"], "ticks": "nCCDL"},
    {"level": "BankGroup", "before": ["ACT"], "after": ["ACT"], "ticks": "nRRDL"},
    {"level": "Bank", "before": ["ACT"], "after": ["ACT", "ACTAB"], "ticks": "nRC"},
    {"level": "Bank", "before": ["ACT"], "after": ["RD", "WR"], "ticks": "nRCD"},
    {"level": "Bank", "before": ["ACT"], "after": ["PRE", "PREA"], "ticks": "nRAS"},
    {"level": "Bank", "before": ["PRE"], "after": ["ACT", "ACTAB"], "ticks": "nRP"},
    {"level": "Bank", "before": ["WR"], "after": ["PRE", "PREA"], "ticks": "nCWL + nBL + nWR"}
  ]
})";

enum : std::uint16_t { kAct, kPrea, kActab, kMacab, kWr, kWrgb, kMvsb };

ProgramItem item(std::uint16_t opcode, std::vector<std::int64_t> operands,
                 std::vector<std::vector<std::int64_t>> strides = {}) {
    ProgramItem made;
    made.command = {opcode, std::move(operands)};
    made.strides = std::move(strides);
    return made;
}

ProgramItem repeated(std::int64_t turns, std::vector<ProgramItem> body) {
    ProgramItem made;
    made.repeat = turns;
    made.body = std::move(body);
    return made;
}

Program programOf(std::vector<ProgramItem> items) {
    Program program;
    program.op = "bench";
    program.opcodes = {
        {"ACT", {"bank", "row"}},       {"PREA", {}}, {"ACTAB", {"row"}}, {"MACAB", {"row", "col"}},
        {"WR", {"bank", "row", "col"}}, {"WRGB", {}}, {"MVSB", {"bank"}}};
    program.phases = {{"compute", {{"groups", std::move(items)}}}};
    return program;
}

/// 64 times (operand of 64 bursts, 32 rows of 32 operations, 16 results).
Program product() {
    return programOf({repeated(
        64, {repeated(64, {item(kWrgb, {})}),
             repeated(32, {item(kActab, {0}, {{32}, {1}}),
                           repeated(32, {item(kMacab, {0, 0}, {{32, 0}, {1, 0}, {0, 1}})}), item(kPrea, {})}),
             repeated(16, {item(kMvsb, {0}, {{0}, {4}})})})});
}

/// 256 rows of all banks, the banks interleaved.
Program load() {
    return programOf({repeated(
        256, {repeated(64, {item(kAct, {0, 0}, {{0, 1}, {1, 0}})}),
              repeated(32, {repeated(64, {item(kWr, {0, 0, 0}, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}})})}),
              item(kPrea, {})})});
}

struct Measured {
    double seconds = 0;
    SequenceTiming timing;
};

Measured measure(const DramDevice& device, const Program& program, bool skip) {
    Measured result;
    std::array<double, 5> seconds{};
    for (double& time : seconds) {
        const auto start = std::chrono::steady_clock::now();
        result.timing = timeProgram(device, program, {true, 1, skip}).value();
        time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    std::sort(seconds.begin(), seconds.end());
    result.seconds = seconds[2];
    return result;
}

/// Commands a second when all are walked; 0 if skipping changes the result.
double run(const char* name, const DramDevice& device, const Program& program) {
    const Measured walked = measure(device, program, false), skipped = measure(device, program, true);
    if (walked.timing.ticks != skipped.timing.ticks || walked.timing.commands != skipped.timing.commands ||
        walked.timing.waited != skipped.timing.waited) {
        std::fprintf(stderr, "%s: repeats change the result\n", name);
        return 0;
    }
    const auto commands = double(walked.timing.walked);
    std::printf("%-8s %8.0f commands: walked %6.1f M/s (%.2f ms), repeats skipped %7.1f M/s (%.3f ms, %.1f "
                "%% walked): %.1f times as fast\n",
                name, commands, commands / walked.seconds / 1e6, walked.seconds * 1e3,
                commands / skipped.seconds / 1e6, skipped.seconds * 1e3,
                100.0 * double(skipped.timing.walked) / commands, walked.seconds / skipped.seconds);
    return commands / walked.seconds;
}

} // namespace

int main() {
    const DramDevice device = parseDramDevice(kDevice, "bench").value();
    const double slowest = std::min(run("product", device, product()), run("load", device, load()));
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("largest memory %.1f MB\n", double(usage.ru_maxrss) / 1024);
    if (slowest < kPromised) {
        std::fprintf(stderr, "below %.0f M commands/s\n", kPromised / 1e6);
        return 1;
    }
    return 0;
}
