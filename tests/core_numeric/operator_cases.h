// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Models of one operator each: every operator that core/numeric computes, with the types, attributes and shapes of
/// operands that it can have, enumerated. What comes out is in tests/golden/numeric/operators.json, from ONNX Runtime.
#include "core/graph/semantics/values.h"

#include <string>
#include <vector>

namespace pim::test {

struct OperatorCase {
    std::string name;                                  ///< "ReduceSum 13 f32 [2, 3, 4] axes=1 keepdims=0"
    std::string onnx;                                  ///< Bytes of the model.
    std::vector<std::pair<std::string, Value>> inputs; ///< In the types of the model.
};

/// The same in every run; names are unique.
std::vector<OperatorCase> operatorCases();

} // namespace pim::test
