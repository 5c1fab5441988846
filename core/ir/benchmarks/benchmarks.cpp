// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/benchmarks/benchmarks.h"

#include "core/base/split_mix.h"
#include "core/ir/benchmarks/programs.h"

#include <algorithm>

namespace pim::ir {

const std::vector<Benchmark>& benchmarks() {
    static const std::vector<Benchmark> kAll = [] {
        std::vector<Benchmark> all = productBenchmarks();
        const std::vector<Benchmark> more = primBenchmarks();
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }();
    return kAll;
}

const Benchmark* findBenchmark(std::string_view name) {
    const auto found = std::ranges::find(benchmarks(), name, &Benchmark::name);
    return found == benchmarks().end() ? nullptr : &*found;
}

Module build(const Benchmark& benchmark, const Shape& sizes) {
    std::vector<Type> inputs, results;
    benchmark.types(sizes, inputs, results);
    Module module("cinm");
    Builder to(module);
    to.setLocation({{std::string(benchmark.name)}, {}, {}});
    const ValueId first = to.beginFunction("main", inputs, results);
    to.endFunction(benchmark.body(to, sizes, first));
    return module;
}

std::vector<Array> sampleArguments(const Benchmark& benchmark, const Shape& sizes, std::uint64_t seed) {
    std::vector<Type> inputs, results;
    benchmark.types(sizes, inputs, results);
    std::vector<Array> arguments;
    const auto range = static_cast<std::uint64_t>(benchmark.most - benchmark.least + 1);
    for (const Type& type : inputs) {
        std::vector<std::int64_t> values(static_cast<std::size_t>(type.count()));
        for (std::int64_t& value : values)
            value = benchmark.least + static_cast<std::int64_t>(nextRandom(seed) % range);
        arguments.push_back(arrayOf(std::span<const std::int64_t>(values), *type.element(), type.extents()));
    }
    return arguments;
}

std::vector<Array> expectedResults(const Benchmark& benchmark, const Shape& sizes,
                                   const std::vector<Array>& arguments) {
    std::vector<Type> inputs, types;
    benchmark.types(sizes, inputs, types);
    std::vector<std::vector<std::int64_t>> numbers;
    for (const Array& argument : arguments)
        numbers.push_back(intsOf(argument));
    const auto values = benchmark.reference(sizes, numbers);
    std::vector<Array> results;
    for (std::size_t r = 0; r < types.size(); ++r)
        results.push_back(
            arrayOf(std::span<const std::int64_t>(values[r]), *types[r].element(), types[r].extents()));
    return results;
}

} // namespace pim::ir
