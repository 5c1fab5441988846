// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Products of whole numbers, exact: MatMulInteger, ConvInteger, MatMul and Gemm whose operands have no fractions. [ONNX operators of
/// these names] Sums wrap as the type of the result does.
#include "core/numeric/element_access.h"

#include <optional>
#include <span>

namespace pim {

/// Is the op such a product? Nothing in core/numeric then asks for its matrixForms().
bool isWholeProduct(const Graph& graph, OpId op);
/// \returns nullopt for a form that is not computed: zero points for each line of a batch, factors of a Gemm that are not 1.
std::optional<Value> wholeProduct(const Graph& graph, OpId op, std::span<const Value> in);

} // namespace pim
