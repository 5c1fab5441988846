// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a kernel of PrIM takes on all DPUs of a machine: its launches on the engine, its transfers by the model of the link.
#include "backends/upmem/benchmarks/benchmarks.h"
#include "backends/upmem/dpu/dpu.h"
#include "backends/upmem/host_link.h"
#include "core/base/task.h"

namespace pim::upmem {

/// All launches of a benchmark on the engine.
struct BenchmarkLaunches {
    int launches = 0;
    std::int64_t cycles = 0; ///< Of the slowest DPU of each.
};
/// Kernels of one launch have DPUs that work alike: one of them runs. The others run on all. Errors of makeBenchmark() and
/// runOnEngine().
Result<BenchmarkLaunches> benchmarkLaunches(std::string_view name, const BenchmarkOptions& options,
                                            const DpuTiming& timing, const TaskContext& task = {});
/// What goes to and fro once, and from launch to launch, ns. What the host makes of results is not counted.
double transfersNs(const HostProgram& program, int launches, const HostLink& link);

} // namespace pim::upmem
