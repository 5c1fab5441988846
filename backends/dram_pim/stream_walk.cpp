// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/stream_walk.h"

#include "core/dram_pim/flat_program.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::dram {

Result<void> walkStream(const Program& program, const StreamListener& listener, const TaskContext& task) {
    constexpr std::int64_t kPollCommands = 1 << 14;
    std::int64_t count = 0;
    bool isFirst = true;
    for (const Phase& phase : program.phases) {
        if (phase.name == "load" || phase.name == "unload")
            continue;
        PIM_TRY(const FlatPhase flat, flatten(program, phase));
        if (!isFirst && listener.onPhaseEnd)
            PIM_CHECK(listener.onPhaseEnd());
        isFirst = false;
        Result<void> result;
        walkFlat(flat, [&](const FlatNode& node, std::span<const std::int64_t> operands) {
            if (++count % kPollCommands == 0 && task.cancelled())
                result = TaskContext::cancelledError("walking the commands");
            else
                result = listener.onCommand(node.opcode, operands);
            return result.has_value();
        });
        PIM_CHECK(result);
    }
    return {};
}

Result<int> channelsWritten(int asked, int working, int most) {
    const int there = std::max(1, std::min(working, most));
    if (asked == 0)
        return there;
    if (asked < 0 || asked > there)
        return fail(
            ErrorCode::Usage,
            fmt::format("{} channels cannot be written: {} work, the simulator has {}", asked, working, most),
            {}, fmt::format("ask for 1 to {}", there));
    return asked;
}

} // namespace pim::dram
