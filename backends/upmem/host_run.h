// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A kernel and what the host does for it, on as many DPUs as it wants, each on the engine. Flow: HostProgram, TaskletCode, inputs ->
/// [runOnEngine] -> outputs, cycles, traffic.
#include "backends/upmem/dpu/dpu.h"
#include "backends/upmem/host_program.h"

namespace pim::upmem {

struct HostRun {
    HostData outputs; ///< Those that are files.
    int launches = 0;
    std::int64_t cycles = 0; ///< Of the slowest DPU of each launch.
    /// What those cycles were, as DpuRun has them: issuing, waiting for a DMA, else, held up.
    std::int64_t issued = 0, waitedDma = 0, waitedElse = 0, heldUp = 0;
    std::int64_t instructions = 0, reads = 0, readBytes = 0, writes = 0,
                 writeBytes = 0;             ///< DMAs; of all DPUs.
    std::int64_t toBytes = 0, fromBytes = 0; ///< Over the link, of all DPUs.

    std::int64_t dmaBytes() const { return readBytes + writeBytes; }
};

/// What runs; outlived by what it refers to.
struct EngineProgram {
    const HostProgram& host;
    const TaskletCode& code;
    std::span<const std::int64_t> sizes;
    int tasklets = 1;
};

/// \param inputs the files: an element for each input without a fill.
/// Errors: as LoweredCode::program(), Dpu::run() and checkHostProgram(); NotFound or InvalidFile: an input is not there or of another size.
Result<HostRun> runOnEngine(const EngineProgram& program, const HostData& inputs, const DpuTiming& timing,
                            const TaskContext& task = {});

} // namespace pim::upmem
