// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Parts of tensors as ops of the tensor dialect: what every lowering cuts and puts together.
#include "core/ir/interpret.h"
#include "core/ir/module.h"

#include <limits>

namespace pim::ir {

/// MLIR 16's mark for "this offset is an operand".
constexpr std::int64_t kDynamicOffset = std::numeric_limits<std::int64_t>::min();

/// Where a part begins in one dimension: a constant, or a value of the program.
struct Offset {
    std::int64_t constant = 0;
    ValueId value; ///< Used if valid.
    Offset(std::int64_t at) : constant(at) {}
    Offset(ValueId at) : value(at) {}
};

/// `tensor.extract_slice`; \p strides empty: 1. \p extents of the result empty: those of \p sizes.
ValueId extractSlice(Builder& to, ValueId whole, const std::vector<Offset>& offsets, const Shape& sizes,
                     const Shape& strides = {}, const Shape& extents = {});
/// `tensor.insert_slice` of \p part, whose elements are \p sizes.
ValueId insertSlice(Builder& to, ValueId part, ValueId whole, const std::vector<Offset>& offsets,
                    const Shape& sizes);
/// `tensor.collapse_shape` and `tensor.expand_shape` as needed; the same value where nothing changes.
ValueId reshape(Builder& to, ValueId tensor, const Shape& extents);

/// Calls \p visit with the position and length of runs that lie together, in row-major order.
template <class Visit>
void forEachRun(const Array& array, Visit visit) {
    Array lines = array;
    std::int64_t run = 1;
    while (!lines.extents.empty() && (lines.strides.back() == run || lines.extents.back() == 1)) {
        run *= lines.extents.back();
        lines.extents.pop_back();
        lines.strides.pop_back();
    }
    forEachPosition(lines, [&](std::int64_t position) { visit(position, run); });
}

} // namespace pim::ir
