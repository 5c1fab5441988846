// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/attacc/simulator.h"

#include <fmt/format.h>

namespace pim {
namespace {

/// The device table of AttAcc's HBM3 with power limit. Its authors scaled HBM2 values of DRAMsim3 in
/// nanoseconds, as no HBM3 timing was published. The last column is the gap between MACs without the limit.
struct Preset {
    std::string_view speed;
    int rate; ///< Mbit/s of a pin
    int cl, rcd, ras, rc, wr, rtps, rtpl, cwl, macAll, macSame, wtrs, wtrl, faw, refi;
};
constexpr Preset kPresets[] = {
    {"4.8", 4800, 17, 17, 41, 58, 20, 5, 8, 5, 6, 6, 8, 10, 36, 4680},
    {"5.2", 5200, 19, 19, 45, 63, 21, 6, 8, 6, 6, 6, 8, 11, 39, 5070},
    {"5.6", 5600, 20, 20, 48, 68, 23, 6, 9, 6, 6, 7, 9, 12, 42, 5460},
    {"6.0", 6000, 21, 21, 51, 72, 24, 6, 9, 6, 6, 7, 9, 12, 45, 5850},
    {"6.4", 6400, 23, 23, 55, 77, 26, 7, 10, 7, 7, 8, 10, 13, 48, 6240},
};
constexpr int kUnlimitedMacGap = 4;
constexpr std::int64_t kRefreshPs = 350'000; ///< tRFC of 8 Gbit a channel, JESD238A

/// Nanoseconds to cycles as JEDEC rounds them: up, forgiving 2.6 % of a cycle.
int cyclesOf(std::int64_t ps, std::int64_t tickPs) {
    return int((ps * 1000 / tickPs + 974) / 1000);
}

} // namespace

Result<AttAccTiming> attAccTiming(std::string_view speed, bool powerLimit) {
    std::string known;
    for (const Preset& p : kPresets) {
        known += (known.empty() ? "" : ", ") + std::string(p.speed);
        if (p.speed != speed)
            continue;
        AttAccTiming t;
        t.speed = p.speed;
        t.tickPs = 1'000'000 / (p.rate / 4); // four bits a cycle and pin
        t.burst = 2;
        t.readLatency = p.cl;
        t.writeLatency = p.cwl;
        t.rcd = t.rp = p.rcd;
        t.ras = p.ras;
        t.rc = p.rc;
        t.writeRecovery = p.wr;
        t.readToPreShort = p.rtps;
        t.readToPreLong = p.rtpl;
        t.ccdShort = 2;
        t.ccdLong = 4;
        t.macAll = powerLimit ? p.macAll : kUnlimitedMacGap;
        t.macSame = powerLimit ? p.macSame : kUnlimitedMacGap;
        t.rrdShort = 2;
        t.rrdLong = 4;
        t.faw = p.faw;
        t.wtrShort = p.wtrs;
        t.wtrLong = p.wtrl;
        t.refreshInterval = p.refi;
        t.refreshCycle = cyclesOf(kRefreshPs, t.tickPs);
        return t;
    }
    return fail(ErrorCode::NotFound, fmt::format("no HBM3 of {} Gbit/s", speed), {}, "there are " + known);
}

void appendAttAccIssue(std::string& text, const AttAccIssue& i) {
    fmt::format_to(std::back_inserter(text), "{}, {}, {}, {}, {}, {}, {}, {}, {}\n", i.cycle,
                   attAccName(i.command), i.channel, i.pseudoChannel, i.rank, i.group, i.bank, i.row,
                   i.column);
}

} // namespace pim
