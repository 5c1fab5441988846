// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How full the local memories of cores are over time: bytes that hold what is still to be read. An element
/// is in use from the start of the instruction that writes it to the end of the last one that reads it before
/// it is written again; what nobody reads, while it is written; what is read but never written (it is of the
/// round before) from the beginning. Flow: CrossbarProgram + times of a profile -> [MemoryOccupancy] ->
/// picture, table.
#include "backends/crossbar/profile.h"

namespace pim {

struct CoreOccupancy {
    std::int64_t peakBytes = 0;
    std::vector<std::int64_t>
        mostBytes; ///< [step] most of any moment of it; empty for a core without instructions.
};

struct MemoryOccupancy {
    double stepNs = 0;
    std::int64_t capacityBytes = 0; ///< Of each core.
    std::vector<CoreOccupancy> cores;
};

/// \param profile with times. \param steps equal parts of its endNs. Errors: Cancelled.
Result<MemoryOccupancy> memoryOccupancy(const CrossbarProgram& program, const CrossbarChip& chip,
                                        const CrossbarProfile& profile, int steps,
                                        const TaskContext& task = {});

} // namespace pim
