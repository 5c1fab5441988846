// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Models of one operator each: every operator that core/numeric computes, with the types, attributes and shapes of
/// operands that it can have, enumerated. What comes out is in tests/golden/numeric/operators.json, from ONNX Runtime.
#include "tests/support/onnx_runtime.h"

#include <set>
#include <vector>

namespace pim::test {

/// The same in every run; names are unique: "ReduceSum 13 f32[2, 3, 4] i64[1]=1 keepdims=0".
std::vector<ModelCase> operatorCases();
/// Those of these names, the same operands and attributes, as models of operator set \p opset.
std::vector<ModelCase> operatorCases(const std::set<std::string>& names, std::int64_t opset);

} // namespace pim::test
