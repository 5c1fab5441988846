// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Compiles a program for UPMEM (C for the host, C for the DPUs) with the system's compiler, against the vendor's calls as
/// `resources/upmem_sdk` offers them, runs it and says what it moved and which rules of the hardware it broke.
#include "core/base/task.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pim::upmem {

/// Both sources see NR_TASKLETS, NR_DPUS and the defines; the host's also DPU_BINARY, the path that dpu_load takes.
struct CProgram {
    std::string name; ///< Of the files; letters, digits, - and _.
    std::string hostSource, dpuSource;
    int tasklets = 16; ///< More than 24 are compiled, and found by the checker.
    int dpus = 1;
    std::vector<std::pair<std::string, std::string>> defines; ///< Name, value.
};

/// Content of files by name. The host program runs in the folder they are in.
using CFiles = std::map<std::string, std::vector<std::byte>>;

struct CRunOptions {
    /// Empty: $PIM_CC, else "cc".
    std::string compiler;
    std::vector<std::string> compilerFlags; ///< For example "-fsanitize=address".
    /// Where sources, programs and files are put; stays. Empty: a temporary folder that is removed.
    std::filesystem::path folder;
    double limitSeconds = 60; ///< For running it.
};

/// What the checker counted.
struct CTraffic {
    std::int64_t dpus = 0, launches = 0;
    std::int64_t wramBytes = 0; ///< Globals and heap of the fullest DPU.
    std::int64_t dmaReads = 0, dmaReadBytes = 0, dmaWrites = 0, dmaWriteBytes = 0;
    std::int64_t hostTransfers = 0; ///< Calls; a push to many DPUs is one.
    std::int64_t hostToBytes = 0, hostFromBytes = 0;

    std::int64_t dmas() const { return dmaReads + dmaWrites; }
    std::int64_t dmaBytes() const { return dmaReadBytes + dmaWriteBytes; }
};

struct CRun {
    int exitCode = 0;
    int signal = 0; ///< That ended it; 0: none.
    std::string out, err;
    CFiles outputs;
    /// Without a signal. The line as the checker wrote it: the same for every run of the same program.
    std::string report;
    CTraffic traffic;
    std::int64_t violations = 0;
    std::map<std::string, std::int64_t>
        violationsOfKind;              ///< "dma_size", "deadlock", ...: README of resources/upmem_sdk.
    std::vector<std::string> messages; ///< Of the first 20.
};

/// \param outputs names of the files to bring back; one that the program has not written is not among them.
/// Errors: NotFound, there is no C compiler; InvalidFile, a source does not compile (the compiler's own words); Unsupported,
/// it takes longer than it may; Cancelled; Io. A program that ends badly or breaks rules is a CRun: see problemOf().
Result<CRun> compileAndRun(const CProgram& program, const CFiles& inputs,
                           const std::vector<std::string>& outputs, const CRunOptions& options = {},
                           const TaskContext& task = {});

/// What keeps a run from being a good one: a violation, a signal, an exit code.
Result<void> problemOf(const std::string& name, const CRun& run);

} // namespace pim::upmem
