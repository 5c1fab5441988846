// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Programs to hold the engine against uPIMulator: five kernels of PrIM as a person writes them in assembly, and loops of one
/// instruction. Each has its data, and knows what must come out.
#include "backends/upmem/dpu/dpu.h"

#include <string>
#include <string_view>

namespace pim::upmem {

struct ReferenceCase {
    std::string kernel;    ///< "VA", "RED", "HST-S", "HST-L", "GEMV"
    std::int64_t size = 0; ///< Elements; of GEMV rows of 64 columns.
    int tasklets = 1;
    int blockBytes = 1024; ///< Of a DMA.
};
std::span<const std::string_view> referenceKernels();

/// Runs it and compares the result with what a plain loop computes.
/// ErrorCode::Usage for a kernel there is not, tasklets other than 1 to 24, a block that no DMA can move, or a size that makes no
/// whole blocks or has no room; ErrorCode::Internal if a wrong number came out.
Result<DpuRun> runReference(const ReferenceCase& one, const DpuTiming& timing, const TaskContext& task);

/// A loop of one instruction or one DMA.
struct MicroCase {
    std::string test; ///< "dma_read", "dma_write", "alu_add_imm_x20", "alu_add_rrr_x20", "wram_lw_x20", …
    std::string argument; ///< Bytes of a DMA; factors of a product: "15 x 15".
    int tasklets = 1;
};
std::span<const std::string_view> microTests();

struct MicroResult {
    double cyclesPerTurn = 0; ///< Of all tasklets together.
    double instructionsPerTurn = 0;
    double conflictsPerTurn = 0;
};
Result<MicroResult> runMicro(const MicroCase& one, const DpuTiming& timing, const TaskContext& task);

} // namespace pim::upmem
