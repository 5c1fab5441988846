// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Ops whose kernel is a program of its own, not a draft of a tile, because tasklets or DPUs tell each other something: histograms, prefix
/// sums, largest elements, rows most like a query, majorities. Flow: op -> [programOf] -> DpuProgram -> price, engine, C of
/// backends/upmem/benchmarks.
#include "backends/upmem/benchmarks/benchmarks.h"
#include "backends/upmem/execute.h"
#include "backends/upmem/upmem.h"
#include "core/drafts/opwise.h"
#include "core/ir/interpret.h"

namespace pim::cinm {

struct DpuProgram {
    std::string name; ///< Of upmem::benchmarks(): "HST-L".
    upmem::BenchmarkOptions options;
    upmem::BenchmarkOptions slice; ///< As much as some DPUs have, which are run for the price.
    int dpus = 1;                  ///< With work.
    double instructions = 0;       ///< Of all DPUs, about; once priced.
};

bool isProgram(const ir::Operation& op);

/// Error::Unsupported with a sentence: there is none for this op, or its buffers do not fit (sizes seen and allowed).
Result<DpuProgram> programOf(const ir::Module& module, const ir::Operation& op,
                             const upmem::Machine& machine);

/// Some DPUs on the engine; every one has as much.
/// \param constant operands that stay in MRAM from run to run.
Result<KernelPrice> priceOf(DpuProgram& program, const upmem::Machine& machine,
                            const std::vector<bool>& constant, const TaskContext& task);

/// The whole op on the engine, every DPU. Nothing: it takes more than ten times \p instructions, or a score has no room in the 32 bits
/// that DPUs add up in.
Result<std::optional<upmem::DpuShare>> runProgram(ir::Interpreter& at, const ir::Operation& op,
                                                  const DpuProgram& program, const upmem::DpuTiming& timing,
                                                  std::int64_t instructions, const TaskContext& task);

Result<upmem::BenchmarkCase> caseOf(const DpuProgram& program);

} // namespace pim::cinm
