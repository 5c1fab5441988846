// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Traces of the public aim_simulator (0f28a07): instructions of the host, one a line, fields apart by blanks
/// (src/base/request.h, src/frontend/impl/memory_trace/aim_trace.cpp). Those that our programs need:
///
///     W CFR 0 1                  products take their second operand from the global buffer
///     AiM WR_GB n gpr mask       n bursts into the global buffers, from slot 0 on
///     AiM WR_BIAS gpr mask       the accumulators of all banks
///     AiM MAC_ABK n mask row     columns 0 to n-1 of a row of all banks, times slots 0 to n-1
///     AiM EWMUL n mask row       columns 0 to n-1: bank 0 times bank 1 into bank 2
///     AiM RD_MAC gpr mask        the accumulators to the host, which waits for them
///     W MEM channel bank row     32 B of the host; R MEM reads
///     AiM EOC                    the end, of every trace
///
/// Bit i of a mask is channel 31 - i (src/memory_system/impl/aim_DRAM_system.cpp); W MEM and R MEM name channels as they are.
/// Registers of the host (gpr, 32 B each) carry no values there.
#include "core/base/task.h"
#include "core/dram/aim/aim_kernel.h"

#include <map>
#include <optional>
#include <string>

namespace pim {

struct AimTraceRun {
    std::map<std::string, std::int64_t> commands; ///< "AiM WR_GB", "W MEM", …
    std::int64_t lines = 0;
    int channels = 0; ///< Named by any mask.
    /// By the rules of aim_kernel.h; absent where \ref untimed says why.
    std::optional<AimCost> cost;
    std::string untimed; ///< What there are no rules for: "AiM AF in line 12".
};

/// Reads a trace, plain or gzip, and times it on the way, in constant memory. Error::Io; Error::InvalidFile with the line.
Result<AimTraceRun> runAimTrace(const std::string& file, const AimTiming& timing = {},
                                const TaskContext& task = {});

} // namespace pim
