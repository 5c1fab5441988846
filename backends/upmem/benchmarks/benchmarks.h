// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Kernels of PrIM (CMU-SAFARI/prim-benchmarks 9a1498f), and others that programs of CINM need, each as a kernel of a DPU and what the
/// host does for it, with inputs of a fixed seed and the results of a plain loop. What PrIM has is computed as in PrIM; how data is
/// moved is not: every DMA is as long as what it is for, vectors and partial results stay in WRAM, none has zero bytes.
#include "backends/upmem/host_program.h"

#include <memory>

namespace pim::upmem {

struct BenchmarkOptions {
    int dpus = 4, tasklets = 16;
    std::int64_t size = 0;            ///< Meaning and what 0 stands for: the list.
    std::int64_t second = 0;          ///< As size.
    std::int64_t third = 0;           ///< As size.
    std::optional<Element> type = {}; ///< Of the elements, where the kernel has several.
    ValueKind fold = ValueKind::Add;  ///< Of SCAN: Add, Mul, Min, Max, And, Or or Xor.
};

struct BenchmarkCase {
    std::unique_ptr<TaskletCode> code;
    std::vector<std::int64_t> sizes;
    int tasklets = 16;
    HostProgram host;
    HostData inputs, expected;
};

struct Benchmark {
    std::string_view name, meaning;
    std::string_view sizeMeaning;
    std::int64_t size = 0; ///< Default.
    std::string_view secondMeaning;
    std::int64_t second = 0;
    /// ErrorCode::Usage for sizes that it cannot have. Whether its buffers fit is found when code is made.
    Result<BenchmarkCase> (*make)(const BenchmarkOptions& options) = nullptr;
    std::string_view thirdMeaning = {};
    std::int64_t third = 0;
    std::string_view types = {}; ///< Of BenchmarkOptions::type; empty: there is one alone.
};

std::span<const Benchmark> benchmarks();
/// "int8"; nothing for other names.
std::optional<Element> benchmarkType(std::string_view name);
/// With the defaults filled in. ErrorCode::NotFound with the names there are; Usage for sizes that cannot be.
Result<BenchmarkCase> makeBenchmark(std::string_view name, BenchmarkOptions options);

} // namespace pim::upmem
