// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// TaskletCode as instructions of a DPU, and as a count of them. Instructions are chosen and registers given once for a kernel; the
/// program and the price of a draft are made by putting its sizes in. Flow: TaskletCode -> [lower] -> LoweredCode -> DpuProgram, TaskletCounts.
///
/// The code is what a plain optimising compiler makes of the C text: values in registers, addresses in loads, no call but for
/// products and quotients of 32 bits. Registers are given so that two of one bank meet rarely.
#include "backends/upmem/dpu/isa.h"
#include "backends/upmem/dpu/timing.h"
#include "backends/upmem/tasklet/code.h"

#include <memory>

namespace pim::upmem {

/// Of one tasklet, for a whole launch.
struct TaskletCounts {
    double instructions = 0;
    double conflicts = 0; ///< Cycles lost to register banks.
    double dmas = 0, dmaBytes = 0;
    /// Cycles of the DPU: one tasklet issues every 11th, all together one a cycle, and all DMAs share one engine.
    double cycles(const DpuTiming& timing, int tasklets) const;
};

/// Where the buffers of a program lie in WRAM.
struct WramRegion {
    std::string name;
    std::int64_t begin = 0, bytes = 0;
    int tasklet = -1; ///< -1: of all.
};

struct TaskletProgram {
    DpuProgram program;
    std::vector<int> statementAt; ///< By instruction; -1: start and routines.
    std::vector<WramRegion> wram;
    std::int64_t wramBytes = 0;
};

class LoweredCode {
public:
    virtual ~LoweredCode() = default;
    virtual TaskletCounts count(std::span<const std::int64_t> sizes) const = 0;
    /// As checkSizes() of the code, and InvalidKernel for one that IRAM has no room for.
    virtual Result<TaskletProgram> program(std::span<const std::int64_t> sizes, int tasklets) const = 0;
    virtual std::size_t instructions() const = 0;
};

/// \param code outlives the result.
/// ErrorCode::Unsupported: more values alive at a time than there are registers.
Result<std::unique_ptr<LoweredCode>> lower(const TaskletCode& code);

} // namespace pim::upmem
