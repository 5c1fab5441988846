// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The controller and HBM3-PIM device of the AttAcc simulator, cycle by cycle and quirk by quirk, so that
/// results can be compared with published ones ("attacc-compat"). It jumps from event to event; every channel
/// runs, unless the trace says that one stands for all. The rules, and where a real device would differ, are
/// in README.md.
#include "core/base/task.h"
#include "core/dram/attacc/trace.h"
#include "core/dram/device.h"

#include <functional>

namespace pim {

/// The device table of AttAcc's HBM3 (resources/devices/attacc-hbm3-compat.json): "4.8", "5.2", "5.6", "6.0"
/// or "6.4" Gbit/s a pin, with the gap that the power limit keeps between MACs or without. Its authors scaled
/// HBM2 values of DRAMsim3 in nanoseconds, as no HBM3 timing was published. NotFound or InvalidTarget if
/// there is no such table.
Result<DramDevice> attAccDevice(std::string_view speed = "5.2", bool powerLimit = true);

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
    DramDevice device; ///< Of attAccDevice().
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
