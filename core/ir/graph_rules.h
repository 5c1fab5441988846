// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How ops of a network become cinm ops: one rule for each type of op.
#include "core/graph/graph.h"
#include "core/ir/module.h"

#include <functional>

namespace pim::ir {

/// An op on its way into the program.
struct OpInGraph {
    const Graph& graph;
    OpId id;
    Builder& to;
    std::vector<ValueId> operands; ///< Of the inputs that are tensors of the program.

    const Op& op() const { return graph.op(id); }
    const Tensor& input(std::size_t n) const { return graph.tensor(op().inputs[n]); }
    const Shape& inputShape(std::size_t n) const { return *input(n).shape; }
    const Shape& outShape() const { return *graph.tensor(op().outputs[0]).shape; }
    bool hasInput(std::size_t n) const { return n < op().inputs.size() && op().inputs[n].valid(); }
    Scalar element() const;
};

struct GraphRule {
    std::string_view type;
    std::size_t tensors =
        1; ///< Leading inputs that are tensors of the program; the others are read while it is made.
    /// Empty if the rule holds for this op, else why not, in a sentence.
    std::string (*whyNot)(const Graph&, OpId) = nullptr;
    ValueId (*make)(const OpInGraph&) = nullptr;
};
/// Null if there is none for ops of this type.
const GraphRule* findRule(const Op& op);

} // namespace pim::ir
