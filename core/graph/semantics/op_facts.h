// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The one table of operators: what kind of work each is, how its output shapes follow, what it costs. A new
/// operator is one line in op_facts.cpp and, if its shapes follow no rule yet, one function in a
/// shape_rules_*.cpp.
#include "core/graph/semantics/op_context.h"

namespace pim {

/// Sets the outputs it can tell; leaves the others unset where inputs are unknown. An error means the model
/// is wrong.
using ShapeRule = Result<void> (*)(OpContext&);

struct OpFact {
    std::string_view key; ///< Operator type; for other domains "domain::type".
    OpClass opClass = OpClass::Other;
    ShapeRule shapes = nullptr; ///< Null: libonnx is asked.
    int minInputs = 0;
    /// Element operations (add, multiply, compare, exp, …, each counts one) for each output element, or, for
    /// reductions, for each input element. MACs are counted elsewhere.
    int opsPerElement = 0;
};

/// Null for an operator nobody knows.
const OpFact* findOpFact(std::string_view domain, std::string_view type);

/// Does a Transpose leave the elements where they are, because only axes of extent 1 move?
bool keepsOrder(const Op& transpose, const Shape& shape);

/// Resize of opset 18 to \p sizes without another ratio of its axes: the one scale that fits inside them, or that covers them; nullopt
/// where every axis is stretched by itself.
std::optional<double> sameScale(const Op& resize, const Shape& shape, const std::vector<std::int64_t>& sizes);

/// Work of an op whose tensors have shapes; see OpWork.
OpWork workOf(const Graph& graph, const Op& op);

/// Shapes by libonnx, for the operators without a rule of ours. Nothing is set if it does not know either.
Result<void> inferWithLibonnx(OpContext& context);
/// Is there such an operator in ONNX's own lists?
bool knownToLibonnx(const std::string& domain, const std::string& type, std::int64_t opset);

} // namespace pim
