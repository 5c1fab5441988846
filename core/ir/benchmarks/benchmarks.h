// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The 15 programs CINM was measured with (ASPLOS 2025, section 4: PrIM, OCC and machine learning), as cinm
/// programs of a few ops. Elements are i32. Where the paper and its public artifact leave a size open, the one
/// of PrIM (Gómez-Luna et al., 2021) or of the artifact's inputs is taken.
#include "core/ir/interpret.h"
#include "core/ir/module.h"

namespace pim::ir {

/// \p Small: for tests, with sizes that nothing divides.
enum class BenchmarkSize : std::uint8_t { Small, Paper };

struct Benchmark {
    std::string_view name;    ///< "mm"
    std::string_view meaning; ///< One sentence, with the axes.
    Shape paper, small;       ///< Its sizes, in the order \ref meaning names them.
    /// Types of the arguments and of the results for some sizes.
    void (*types)(const Shape& sizes, std::vector<Type>& inputs, std::vector<Type>& results);
    /// The body: arguments (\p first and those behind it) to results.
    std::vector<ValueId> (*body)(Builder& to, const Shape& sizes, ValueId first);
    /// The same by plain loops, to compare with.
    std::vector<std::vector<std::int64_t>> (*reference)(const Shape& sizes,
                                                        const std::vector<std::vector<std::int64_t>>& inputs);
    std::int64_t least = -50, most = 50; ///< Range of sample inputs.
    const Shape& sizes(BenchmarkSize size) const { return size == BenchmarkSize::Paper ? paper : small; }
};
const std::vector<Benchmark>& benchmarks();
/// Null if there is none of this name.
const Benchmark* findBenchmark(std::string_view name);

/// Level "cinm", one function "main".
Module build(const Benchmark& benchmark, const Shape& sizes);
/// The same for the same seed on every machine.
std::vector<Array> sampleArguments(const Benchmark& benchmark, const Shape& sizes, std::uint64_t seed);
/// What \ref Benchmark::reference makes of \p arguments.
std::vector<Array> expectedResults(const Benchmark& benchmark, const Shape& sizes,
                                   const std::vector<Array>& arguments);

} // namespace pim::ir
