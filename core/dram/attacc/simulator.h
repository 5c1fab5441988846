// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The controller and HBM3-PIM device of the AttAcc simulator, cycle by cycle and quirk by quirk, so that
/// results can be compared with published ones ("attacc-compat"). It jumps from event to event; every channel
/// runs, unless the trace says that one stands for all. The rules, and where a real device would differ, are
/// in README.md.
#include "core/base/task.h"
#include "core/dram/attacc/trace.h"

#include <functional>

namespace pim {

/// Cycles of 4 / data rate; 5.2 Gbit/s: 769 ps.
struct AttAccTiming {
    std::string_view speed; ///< "5.2": Gbit/s of a pin.
    int tickPs = 0;
    int burst = 0, readLatency = 0, writeLatency = 0;        ///< nBL, nCL, nCWL
    int rcd = 0, rp = 0, ras = 0, rc = 0, writeRecovery = 0; ///< nRCD, nRP, nRAS, nRC, nWR
    int readToPreShort = 0, readToPreLong = 0;               ///< nRTPS, nRTPL
    int ccdShort = 0, ccdLong = 0;                           ///< nCCDS, nCCDL
    int macAll = 0, macSame = 0;               ///< nCCDAB, nCCDSB: what the power limit changes.
    int rrdShort = 0, rrdLong = 0, faw = 0;    ///< nRRDS, nRRDL, nFAW
    int wtrShort = 0, wtrLong = 0;             ///< nWTRS, nWTRL
    int refreshCycle = 0, refreshInterval = 0; ///< nRFC, nREFI
};
/// Of "4.8", "5.2", "5.6", "6.0", "6.4"; NotFound for others.
Result<AttAccTiming> attAccTiming(std::string_view speed = "5.2", bool powerLimit = true);

/// One command as it goes to the device; -1 where the command has no such field.
struct AttAccIssue {
    std::int64_t cycle = 0;
    AttAccCommand command = AttAccCommand::Barrier;
    int channel = 0, pseudoChannel = 0, rank = 0, group = 0, bank = 0, row = 0, column = 0;
};
/// `cycle, COMMAND, channel, pseudo-channel, rank, bank group, bank, row, column` and a line feed.
void appendAttAccIssue(std::string& text, const AttAccIssue& issue);
using AttAccSink = std::function<void(const AttAccIssue&)>;

struct AttAccOptions {
    AttAccTiming timing;
    bool refresh = true;
    int channels = kAttAccChannels; ///< 1 to 16
};

struct AttAccResult {
    std::int64_t cycles = 0;   ///< Until the last request is done.
    std::int64_t requests = 0; ///< Lines of the trace.
    AttAccCounts issued;       ///< Of all channels.
    AttAccCounts requested;
};

/// Runs a trace to its end. \param sink gets every command in the order of issue, channel by channel within a
/// cycle; may be empty. Errors: those of the trace; Unsupported where the original would never end;
/// Cancelled.
Result<AttAccResult> simulateAttAcc(AttAccTrace& trace, const AttAccOptions& options,
                                    const AttAccSink& sink = {}, const TaskContext& task = {});

} // namespace pim
