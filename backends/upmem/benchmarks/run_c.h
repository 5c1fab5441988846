// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A benchmark as C: its two sources, and what they do on simulated DPUs. Flow: BenchmarkCase -> sources -> [compileAndRun] -> CRun.
#include "backends/upmem/benchmarks/benchmarks.h"
#include "backends/upmem/c_run.h"

namespace pim::upmem {

/// Errors: as cCode() and hostCode().
Result<CProgram> cProgram(const BenchmarkCase& benchmark);
/// Inputs by file name.
CFiles inputFiles(const BenchmarkCase& benchmark);
/// Errors: as cProgram() and compileAndRun().
Result<CRun> runInC(const BenchmarkCase& benchmark, const CRunOptions& options = {},
                    const TaskContext& task = {});
/// Names of results that are not those of the plain loop.
std::vector<std::string> wrongResults(const BenchmarkCase& benchmark, const HostData& results);
/// As wrongResults(), of files.
std::vector<std::string> wrongFiles(const BenchmarkCase& benchmark, const CFiles& files);

} // namespace pim::upmem
