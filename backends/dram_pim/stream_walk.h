// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of an op in order, for writers of traces. Flow: PimCode -> [walkStream] -> lines of other simulators.
#include "core/base/task.h"
#include "core/dram_pim/pim_code.h"

#include <functional>
#include <span>

namespace pim::dram {

struct StreamListener {
    /// \param opcode position in Program::opcodes.
    std::function<Result<void>(int opcode, std::span<const std::int64_t> operands)> onCommand;
    /// Between two phases: what came before is done before what follows begins. May be empty.
    std::function<Result<void>()> onPhaseEnd;
};

/// All phases that a run consists of: all but "load" and "unload", as timeProgram has them. Errors: what the listener
/// returns; Cancelled.
Result<void> walkStream(const Program& program, const StreamListener& listener, const TaskContext& task);

/// How many of \p working channels a trace has: \p asked, or for 0 as many as the simulator has (\p most).
/// Error::Usage where that many are not there.
Result<int> channelsWritten(int asked, int working, int most);

} // namespace pim::dram
