// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A kernel on numbers: DPU by DPU on the engine, as many as there is time for. Flow: Arrangement + operands -> [runOnDpus] -> results.
#include "backends/upmem/arrange.h"

namespace pim::upmem {

struct DpuRunLimits {
    /// DPU instructions the engine may take for the kernel, by count. Where all DPUs need more, the first, the last and some evenly
    /// spread between are run.
    std::int64_t instructions = 0;
    int threads = 0; ///< 0: as many as the machine has.
    bool asksRest =
        true; ///< DPUs the engine does not run are computed in plain loops; else their results are left out.
    bool comparesEach = false; ///< Every DPU on the engine is held against plain loops.
};

struct DpuShare {
    int dpus = 0, onEngine = 0;
    std::int64_t instructions = 0; ///< Issued on the engine.
    std::int64_t compared = 0;     ///< Results of DPUs that were held against plain loops,
    std::int64_t different = 0;    ///< and those that are not the same.
    std::string first;             ///< Difference, in words.
};

/// Which DPUs the engine runs.
std::vector<int> dpusOnEngine(const Arrangement& arrangement, std::int64_t instructions);
/// Of one DPU, about.
double instructionsOf(const Arrangement& arrangement);

/// Sets the result tensor in \p tensors. ErrorCode::Unsupported: a type without instructions of its own; Internal: operands that
/// do not fit its type; InvalidKernel: a program that cannot be; Cancelled.
Result<DpuShare> runOnDpus(const Arrangement& arrangement, KernelNumbers& tensors, const DpuTiming& timing,
                           const DpuRunLimits& limits, const TaskContext& task);

} // namespace pim::upmem
