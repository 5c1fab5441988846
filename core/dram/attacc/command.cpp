// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/attacc/command.h"

#include <numeric>

namespace pim {
namespace {

struct Names {
    std::string_view name, word;
};
constexpr std::array<Names, kAttAccCommands> kNames{{
    {"ACT", ""},
    {"PRE", ""},
    {"PREA", ""},
    {"PRESB", ""},
    {"PREPB", ""},
    {"RD", "LD"},
    {"WR", "ST"},
    {"REFab", ""},
    {"ACTAB", ""},
    {"ACTSB", ""},
    {"ACTPB", ""},
    {"MACAB", "PIM_MAC_AB"},
    {"MACSB", "PIM_MAC_SB"},
    {"MACPB", "PIM_MAC_PB"},
    {"WRGB", "PIM_WR_GB"},
    {"MVSB", "PIM_MV_SB"},
    {"MVGB", "PIM_MV_GB"},
    {"SFM", "PIM_SFM"},
    {"SETM", "PIM_SET_MODEL"},
    {"SETH", "PIM_SET_HEAD"},
    {"BARRIER", "PIM_BARRIER"},
}};

} // namespace

std::string_view attAccName(AttAccCommand command) {
    return kNames[std::size_t(command)].name;
}

std::string_view attAccWord(AttAccCommand command) {
    return kNames[std::size_t(command)].word;
}

std::uint64_t attAccFromHostMap(std::uint64_t address) {
    struct Part {
        int bits, to; ///< Where it begins in our map.
    };
    constexpr Part kParts[] = {{5, 0}, {4, 30}, {1, 29}, {2, 26}, {5, 5}, {1, 28}, {2, 24}, {14, 10}};
    std::uint64_t result = 0;
    for (const Part& part : kParts) {
        result |= (address & ((std::uint64_t(1) << part.bits) - 1)) << part.to;
        address >>= part.bits;
    }
    return result | address << 34; // beyond the stack it stays beyond
}

std::int64_t AttAccCounts::total() const {
    return std::accumulate(of.begin(), of.end(), std::int64_t(0));
}

} // namespace pim
