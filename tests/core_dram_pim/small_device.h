// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A small memory with processing units, and programs for it put together or drawn at random.
#include "core/dram_pim/sequencer.h"

#include <fmt/format.h>

#include <random>

namespace pim_test {

/// 2 pseudo-channels of 2 bank groups of 4 banks, 2 buses; times like those of HBM3 by order of magnitude.
inline const char* const kSmallDevice = R"({
  "name": "small", "standard": "test", "organisation": "test", "speed_grade": "test", "source": "made up for tests",
  "protocol": "PROTOCOL", "tick_ps": 769, "ticks_per_clock": 1, "read_latency": "nCL + nBL", "access_bytes": 32,
  "levels": [{"name": "Channel", "count": 1}, {"name": "PseudoChannel", "count": 2}, {"name": "BankGroup", "count": 2},
             {"name": "Block", "count": 2}, {"name": "Bank", "count": 2}, {"name": "Row", "count": 4096}, {"name": "Column", "count": 32}],
  "address_map": [{"level": "Column", "bits": 5}, {"level": "PseudoChannel", "bits": 1}, {"level": "BankGroup", "bits": 1},
                  {"level": "Block", "bits": 1}, {"level": "Bank", "bits": 1}, {"level": "Row", "bits": 12}],
  "timing": {"nBL": 2, "nCL": 19, "nCWL": 6, "nRCD": 19, "nRP": 19, "nRAS": 45, "nRC": 63, "nWR": 21, "nRTP": 8, "nCCDS": 2,
             "nCCDL": 4, "nCCDR": 3, "nRRDS": 2, "nRRDL": 4, "nFAW": 39, "nRFC": 456, "nREFI": 5070, "nCCDAB": 6, "nSFM": 50},
  "commands": [
    {"name": "ACT", "at": "Bank", "row": "opens", "bus": "row"},
    {"name": "PRE", "at": "Bank", "row": "closes", "bus": "row"},
    {"name": "PREA", "at": "Channel", "row": "closes", "bus": "row"},
    {"name": "ACTAB", "at": "Channel", "row": "opens", "bus": "row"},
    {"name": "ACTH", "at": "Bank", "repeated_over": "Block", "row": "opens", "bus": "row", "ticks": 2},
    {"name": "MACH", "at": "Bank", "repeated_over": "Block", "access": "other", "bus": "column"},
    {"name": "MACAB", "at": "Channel", "access": "other", "bus": "column", "data_ticks": 7},
    {"name": "RD", "at": "Bank", "access": "read", "bus": "column"},
    {"name": "WR", "at": "Bank", "access": "write", "bus": "column"},
    {"name": "WRGB", "at": "PseudoChannel", "bus": "column"},
    {"name": "SFM", "at": "Channel", "bus": "none", "data_ticks": "nSFM"},
    {"name": "HOST", "at": "Channel", "bus": "none", "waits_for_data": true},
    {"name": "REFab", "at": "PseudoChannel", "refresh": true, "bus": "row"}
  ],
  "constraints": [
    {"level": "Channel", "before": ["MACAB"], "after": ["MACAB"], "ticks": "nCCDAB"},
    {"level": "Channel", "before": ["MACAB"], "after": ["PREA", "PRE"], "ticks": "nRTP"},
    {"level": "Channel", "before": ["ACTAB"], "after": ["ACTAB", "ACT", "ACTH"], "ticks": "nRC"},
    {"level": "Channel", "before": ["ACTAB"], "after": ["MACAB", "RD", "WR", "MACH"], "ticks": "nRCD + nFAW"},
    {"level": "Channel", "before": ["ACTAB"], "after": ["PREA", "PRE"], "ticks": "nRAS"},
    {"level": "Channel", "before": ["PREA"], "after": ["ACTAB", "ACT", "ACTH"], "ticks": "nRP"},
    {"level": "Channel", "before": ["SFM"], "after": ["SFM"], "ticks": "nSFM"},
    {"level": "PseudoChannel", "before": ["WRGB", "RD", "WR", "MACH"], "after": ["WRGB", "RD", "WR", "MACH", "MACAB"], "ticks": "nCCDS"},
    {"level": "PseudoChannel", "before": ["RD"], "after": ["WR"], "ticks": 17},
    {"level": "PseudoChannel", "before": ["WR"], "after": ["RD"], "ticks": 19},
    {"level": "PseudoChannel", "before": ["RD"], "after": ["RD"], "ticks": "nCCDR", "siblings": true},
    {"level": "PseudoChannel", "before": ["ACT", "ACTH"], "after": ["ACT", "ACTH"], "ticks": "nRRDS"},
    {"level": "PseudoChannel", "before": ["ACT"], "after": ["ACT", "ACTH", "ACTAB"], "ticks": "nFAW", "window": 4},
    {"level": "PseudoChannel", "before": ["PREA", "PRE"], "after": ["REFab"], "ticks": "nRP"},
    {"level": "PseudoChannel", "before": ["REFab"], "after": ["ACT", "ACTAB", "ACTH", "REFab"], "ticks": "nRFC"},
    {"level": "PseudoChannel", "before": ["REFab"], "after": ["REFab"], "ticks": 11, "siblings": true},
    {"level": "BankGroup", "before": ["RD", "WR"], "after": ["RD", "WR"], "ticks": "nCCDL"},
    {"level": "BankGroup", "before": ["ACT"], "after": ["ACT"], "ticks": "nRRDL"},
    {"level": "Block", "before": ["ACTH"], "after": ["ACTH"], "ticks": 9},
    {"level": "Block", "before": ["ACT"], "after": ["ACTH"], "ticks": 21, "siblings": true},
    {"level": "Bank", "before": ["ACT", "ACTH"], "after": ["ACT", "ACTH", "ACTAB"], "ticks": "nRC"},
    {"level": "Bank", "before": ["ACT", "ACTH"], "after": ["RD", "WR", "MACAB", "MACH"], "ticks": "nRCD"},
    {"level": "Bank", "before": ["ACT", "ACTH"], "after": ["PRE", "PREA"], "ticks": "nRAS"},
    {"level": "Bank", "before": ["PRE"], "after": ["ACT", "ACTH", "ACTAB"], "ticks": "nRP"},
    {"level": "Bank", "before": ["RD", "MACH"], "after": ["PRE", "PREA"], "ticks": "nRTP"},
    {"level": "Bank", "before": ["WR"], "after": ["PRE", "PREA"], "ticks": "nCWL + nBL + nWR"}
  ]
})";

inline pim::DramDevice smallDevice(const char* protocol = "two-bus",
                                   const pim::DramOverrides& overrides = {}) {
    std::string text = kSmallDevice;
    text.replace(text.find("PROTOCOL"), 8, protocol);
    auto device = pim::parseDramDevice(text, "small", overrides);
    if (!device)
        std::fprintf(stderr, "%s\n", device.error().text().c_str());
    return std::move(device).value();
}

enum : std::uint16_t { kAct, kPre, kPrea, kActab, kActh, kMach, kMacab, kRd, kWr, kWrgb, kSfm, kHost };

inline pim::Program emptyProgram() {
    pim::Program program;
    program.op = "test";
    program.opcodes = {{"ACT", {"bank", "row"}},
                       {"PRE", {"bank"}},
                       {"PREA", {}},
                       {"ACTAB", {"row"}},
                       {"ACTH", {"bank", "row"}},
                       {"MACH", {"bank", "row", "col"}},
                       {"MACAB", {"row", "col"}},
                       {"RD", {"bank", "row", "col"}},
                       {"WR", {"bank", "row", "col"}},
                       {"WRGB", {"bank"}},
                       {"SFM", {}},
                       {"HOST", {}}};
    return program;
}

inline pim::ProgramItem item(std::uint16_t opcode, std::vector<std::int64_t> operands = {},
                             std::vector<std::vector<std::int64_t>> strides = {}) {
    pim::ProgramItem made;
    made.command = {opcode, std::move(operands)};
    made.strides = std::move(strides);
    return made;
}

inline pim::ProgramItem repeated(std::int64_t turns, std::vector<pim::ProgramItem> body) {
    pim::ProgramItem made;
    made.repeat = turns;
    made.body = std::move(body);
    return made;
}

inline pim::Program programOf(std::vector<pim::ProgramItem> items) {
    pim::Program program = emptyProgram();
    program.phases = {{"compute", {{"groups", std::move(items)}}}};
    return program;
}

/// Legal programs: pieces that open, use and close rows, in loops in loops, rows and banks moving with the
/// counters.
class RandomProgram {
public:
    RandomProgram(unsigned seed, std::int64_t longest) : m_random(seed), m_longest(longest) {}

    pim::Program make() {
        pim::Program program = emptyProgram();
        for (const char* name : {"input", "compute", "output"})
            program.phases.push_back({name, {{"groups", body(0)}}});
        return program;
    }

private:
    int below(std::int64_t limit) { return int(m_random() % std::uint64_t(limit)); }
    std::vector<pim::ProgramItem> body(int depth) {
        std::vector<pim::ProgramItem> items;
        for (int i = 1 + below(3); i > 0; --i) {
            if (depth < 3 && below(3) != 0)
                items.push_back(repeated(1 + below(depth == 0 ? m_longest : 7), body(depth + 1)));
            else
                piece(items, depth);
        }
        return items;
    }
    /// Strides of as many loops: \p moving of the operand \p at.
    std::vector<std::vector<std::int64_t>> rowStrides(int depth, std::size_t operands, std::size_t at) {
        std::vector<std::vector<std::int64_t>> strides;
        for (int i = 0; i < depth; ++i) {
            strides.emplace_back(operands, 0);
            strides.back()[at] = m_rowStride[std::size_t(i)];
        }
        return strides;
    }
    void piece(std::vector<pim::ProgramItem>& items, int depth) {
        for (std::int64_t& stride : m_rowStride)
            stride = below(3);
        const std::int64_t row = below(100), bank = below(16);
        const auto inner = [&](std::size_t operands) { // row as outside, column by the turn
            auto strides = rowStrides(depth, operands, operands - 2);
            strides.emplace_back(operands, 0);
            strides.back()[operands - 1] = 1;
            return strides;
        };
        switch (below(7)) {
        case 0:
            items.push_back(item(kActab, {row}, rowStrides(depth, 1, 0)));
            items.push_back(repeated(1 + below(32), {item(kMacab, {row, 0}, inner(2))}));
            items.push_back(item(kPrea));
            break;
        case 1: {
            const std::uint16_t access = below(2) ? kRd : kWr;
            items.push_back(item(kAct, {bank, row}, rowStrides(depth, 2, 1)));
            items.push_back(repeated(1 + below(8), {item(access, {bank, row, 0}, inner(3))}));
            items.push_back(item(kPre, {bank}));
            break;
        }
        case 2: { // all banks one after the other
            auto moving = rowStrides(depth, 2, 1);
            moving.push_back({1, 0});
            items.push_back(repeated(16, {item(kAct, {0, row}, moving)}));
            auto access = rowStrides(depth, 3, 1);
            access.push_back({1, 0, 0});
            items.push_back(repeated(16, {item(below(2) ? kRd : kWr, {0, row, 3}, access)}));
            items.push_back(item(kPrea));
            break;
        }
        case 3:
            items.push_back(item(kActh, {bank, row}, rowStrides(depth, 2, 1)));
            items.push_back(repeated(1 + below(8), {item(kMach, {bank, row, 0}, inner(3))}));
            items.push_back(item(kPrea));
            break;
        case 4:
            items.push_back(repeated(1 + below(20), {item(kWrgb, {below(16)})}));
            break;
        case 5:
            items.push_back(item(kSfm));
            break;
        default:
            items.push_back(item(kHost));
        }
    }

    std::mt19937 m_random;
    std::int64_t m_longest;
    std::array<std::int64_t, 4> m_rowStride{};
};

} // namespace pim_test
