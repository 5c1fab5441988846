// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/hbm_pim/hbm_pim_timing.h"

#include <fmt/format.h>

namespace pim {
namespace {

struct Field {
    std::string_view name;
    int HbmPimTiming::*member;
    int low; ///< Least value that still means something.
};

constexpr Field kFields[] = {
    {"BL", &HbmPimTiming::BL, 2},         {"RL", &HbmPimTiming::RL, 1},
    {"WL", &HbmPimTiming::WL, 1},         {"tCCDS", &HbmPimTiming::tCCDS, 1},
    {"tCCDL", &HbmPimTiming::tCCDL, 1},   {"tRCDRD", &HbmPimTiming::tRCDRD, 1},
    {"tRCDWR", &HbmPimTiming::tRCDWR, 1}, {"tRAS", &HbmPimTiming::tRAS, 1},
    {"tRP", &HbmPimTiming::tRP, 1},       {"tRC", &HbmPimTiming::tRC, 1},
    {"tRRDS", &HbmPimTiming::tRRDS, 1},   {"tRRDL", &HbmPimTiming::tRRDL, 1},
    {"tRTPL", &HbmPimTiming::tRTPL, 1},   {"tWR", &HbmPimTiming::tWR, 0},
    {"tWTRL", &HbmPimTiming::tWTRL, 0},   {"tRTRS", &HbmPimTiming::tRTRS, 0},
    {"tREFI", &HbmPimTiming::tREFI, 1},   {"tRFC", &HbmPimTiming::tRFC, 1},
    {"tXAW", &HbmPimTiming::tXAW, 0},     {"tWTRS", &HbmPimTiming::tWTRS, 0},
};
constexpr int kMostClocks = 1'000'000;

} // namespace

Result<void> setHbmPimTiming(HbmPimTiming& timing, std::string_view name, std::int64_t value) {
    std::string known;
    for (const Field& field : kFields) {
        if (field.name != name) {
            known += known.empty() ? "" : ", ";
            known += field.name;
            continue;
        }
        if (value < field.low || value > kMostClocks)
            return fail(ErrorCode::Usage, fmt::format("{} is {} clocks, allowed are {} to {}", name, value,
                                                      field.low, kMostClocks));
        if (name == "BL" && value != 4)
            return fail(ErrorCode::Unsupported, fmt::format("BL is {}, a burst of this device is 4", value));
        HbmPimTiming changed = timing;
        changed.*field.member = static_cast<int>(value);
        if (changed.readToWrite() < 1)
            return fail(
                ErrorCode::Usage,
                fmt::format("RL {} and WL {} leave {} clocks from a read to a write, at least 1 is needed",
                            changed.RL, changed.WL, changed.readToWrite()));
        if (changed.tREFI <= changed.tRFC + 2 * (changed.tRC + changed.writeToPrecharge()))
            return fail(ErrorCode::Usage,
                        fmt::format("tREFI {} leaves no time between refreshes of tRFC {}", changed.tREFI,
                                    changed.tRFC),
                        {}, "choose a longer tREFI");
        timing = changed;
        return {};
    }
    return fail(ErrorCode::Usage, fmt::format("\"{}\" is no timing parameter of hbm-pim", name), {},
                "known are " + known);
}

} // namespace pim
