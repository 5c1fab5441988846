// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Operators on quantised numbers (QOperator format: QLinearConv, QLinearAdd, QGemm, …) written out as the QDQ format has them: each
/// operand to fractions, the operator itself, the result back to 8 bits. What they compute: onnx/docs/Operators.md (QLinearConv,
/// QLinearMatMul) and docs/ContribOperators.md of ONNX Runtime 1.20. Sums of products are then of fractions: a result on the border
/// between two whole numbers may come out as the other one.
#include "core/graph/function_writer.h"

#include <map>

namespace pim {

using QuantizedWriter = std::optional<file::RawFunction> (*)(FunctionWriter);
/// By "domain::type".
const std::map<std::string_view, QuantizedWriter>& quantizedWriters();

} // namespace pim
