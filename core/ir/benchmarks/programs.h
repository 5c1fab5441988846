// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The two halves of the list of benchmarks.
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/scalar_bytes.h"

namespace pim::ir {

std::vector<Benchmark> productBenchmarks(); ///< mm, 2mm, 3mm, conv, contrl, contrs1, contrs2, mlp, mv.
std::vector<Benchmark> primBenchmarks();    ///< va, sel, bfs, hst-l, red, ts.

// Numbers of the plain loops.
using Numbers = std::vector<std::int64_t>;
using Inputs = std::vector<Numbers>;
inline std::size_t at(std::int64_t i) {
    return static_cast<std::size_t>(i);
}
inline std::int64_t wrap(std::int64_t value) {
    return wrapped(value, Scalar::I32);
}

inline Type i32(const Shape& extents) {
    return Type::tensor(extents, Scalar::I32);
}
inline ValueId after(ValueId first, std::int32_t n) {
    return ValueId(first.value + n);
}

} // namespace pim::ir
