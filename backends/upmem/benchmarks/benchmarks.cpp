// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/benchmarks/benchmarks.h"

#include "backends/upmem/benchmarks/build.h"
#include "backends/upmem/dpu/isa.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::upmem {
namespace {

constexpr std::string_view kUpTo32 = "int8, int16, int32";

constexpr Benchmark kBenchmarks[] = {
    {"VA", "c = a + b, int32", "elements", 65'536, {}, 0, vectorAdd},
    {"GEMV", "y = A x, uint32", "rows", 1'024, "columns", 256, matrixVector},
    {"RED", "sum of int64", "elements", 65'536, {}, 0, reduction},
    {"HST-L", "histogram of values of 12 bits", "values", 65'536, "bins, a power of two", 256, histogram},
    {"SEL", "odd ones of uint64, in their order", "elements", 65'536, {}, 0, selection},
    {"BFS", "distance of every node from node 0", "nodes", 2'048, "edges", 8'192, breadthFirst},
    {"TS", "window of a series nearest to a query", "values of the series", 4'096,
     "values of the query, a multiple of 4", 64, timeSeries},
    {"MLP", "three square layers with ReLU, int32", "neurons of a layer", 256, {}, 0, perceptron},
    {"SCAN",
     "every element added to all before it in its row, int64",
     "elements of a row",
     65'536,
     "rows",
     1,
     prefixScan,
     {},
     0,
     "int8, int16, int32, int64"},
    {"TOPK",
     "the largest elements and where they stand, int32",
     "elements",
     65'536,
     "of them",
     16,
     largest,
     {},
     0,
     kUpTo32},
    {"MAJ",
     "for each bit of a row what most of its elements have, int32",
     "rows",
     1'024,
     "elements of a row",
     64,
     majority,
     {},
     0,
     kUpTo32},
    {"SIM-DOT", "rows of a table with the largest product with a query, int8", "rows", 4'096,
     "elements of a row", 64, similarByProduct, "rows wanted", 8, kUpTo32},
    {"SIM-L2", "rows of a table nearest to a query, int8", "rows", 4'096, "elements of a row", 64,
     similarByDistance, "rows wanted", 8, kUpTo32},
};

/// "int8"
std::string nameOf(Element type) {
    return std::string(cName(type).substr(0, cName(type).size() - 2));
}

constexpr std::int64_t kMostElements = std::int64_t(1) << 28;

} // namespace

std::span<const Benchmark> benchmarks() {
    return kBenchmarks;
}

std::optional<Element> benchmarkType(std::string_view name) {
    for (const Element type : {Element::I8, Element::I16, Element::I32, Element::I64})
        if (nameOf(type) == name)
            return type;
    return std::nullopt;
}

Result<BenchmarkCase> makeBenchmark(std::string_view name, BenchmarkOptions options) {
    const auto* const found = std::ranges::find(kBenchmarks, name, &Benchmark::name);
    if (found == std::end(kBenchmarks)) {
        std::string names;
        for (const Benchmark& benchmark : kBenchmarks)
            names += fmt::format("{}{}", names.empty() ? "" : ", ", benchmark.name);
        return fail(ErrorCode::NotFound, "is none of the benchmarks", std::string(name),
                    "there are " + names);
    }
    options.size = options.size != 0 ? options.size : found->size;
    options.second = options.second != 0 ? options.second : found->second;
    options.third = options.third != 0 ? options.third : found->third;
    if (options.tasklets < 1 || options.tasklets > kMaxTasklets)
        return fail(ErrorCode::Usage,
                    fmt::format("{} tasklets; a DPU has 1 to {}", options.tasklets, kMaxTasklets),
                    std::string(name));
    if (options.dpus < 1 || options.dpus > 2560)
        return fail(ErrorCode::Usage, fmt::format("{} DPUs; 1 to 2560 are possible", options.dpus),
                    std::string(name));
    if (options.size < 1 || options.size > kMostElements || options.second < 0 ||
        options.second > kMostElements || options.third < 0 || options.third > kMostElements)
        return fail(ErrorCode::Usage,
                    fmt::format("a size of {}, {} and {}; 1 to {} are possible", options.size, options.second,
                                options.third, kMostElements),
                    std::string(name));
    if (options.type && found->types.find(nameOf(*options.type)) == std::string_view::npos)
        return fail(ErrorCode::Usage, fmt::format("no elements of {} are possible", nameOf(*options.type)),
                    std::string(name),
                    found->types.empty() ? "leave the type out" : fmt::format("there are {}", found->types));
    return found->make(options);
}

BenchmarkBuilder::BenchmarkBuilder(std::string name, std::string meaning, const BenchmarkOptions& options)
    : m_made{std::make_unique<TaskletCode>(name), {}, options.tasklets, {}, {}, {}},
      m_tasklets(*m_made.code, -1) {
    m_made.host.name = std::move(name);
    m_made.host.meaning = std::move(meaning);
    m_made.host.dpus = options.dpus;
    m_tasklets = size("TASKLETS", options.tasklets, "of a DPU");
}

TaskletValue BenchmarkBuilder::size(std::string name, std::int64_t number, std::string meaning) {
    m_made.sizes.push_back(number);
    return code().size(std::move(name), std::move(meaning));
}

void BenchmarkBuilder::blocks(TaskletValue bytes, TaskletValue block,
                              const std::function<void(TaskletValue, TaskletValue)>& body) {
    const TaskletValue step = block * m_tasklets;
    code().range("base", code().me() * block, bytes, step, (bytes + step - 1) / step, [&](TaskletValue base) {
        body(base, code().variable("bytes", Element::U32, min(block, bytes - base)));
    });
}

TaskletValue BenchmarkBuilder::slices(const std::string& name, Element type, std::int64_t elements,
                                      std::int64_t slice, TaskletValue bytes, const std::string& meaning) {
    HostInput input;
    input.name = name;
    input.meaning = meaning;
    input.type = type;
    input.elements = elements;
    input.slice = slice;
    host().inputs.push_back(std::move(input));
    return code().array(name, type, bytes, meaning);
}

} // namespace pim::upmem
