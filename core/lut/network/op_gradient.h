// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Reverse-mode differentiation, one op: from the gradient of a loss with respect to its output to those with respect to its inputs.
/// Knows what networks of dense layers, convolutions and attention consist of; operators that only move elements are differentiated by
/// sending the numbers of the elements through them.
/// Flow: Tape (tape.h), last op first -> inputGradients -> the ops before.
#include "core/graph/graph.h"
#include "core/numeric/element_access.h"

#include <map>
#include <span>
#include <vector>

namespace pim::lut {

/// What a run left behind of one op.
struct TapeStep {
    OpId op;
    std::vector<Value> inputs, outputs; ///< Constants included.
};

/// Gradient of an input, of the shape the input has; empty where it was not asked for.
using Gradients = std::vector<std::vector<float>>;

/// Where each output element of moving ops comes from, kept for the next step with the same graph.
using MovementMaps = std::map<std::int64_t, std::vector<std::int32_t>>;

/// \param output gradient with respect to output 0, of its shape. \param wanted by input.
/// Errors: Unsupported for operators or forms not known here, with the op.
Result<Gradients> inputGradients(const Graph& graph, const TapeStep& step, std::span<const float> output,
                                 const std::vector<bool>& wanted, int threads);

/// The same for an op that takes elements of input 0 (or, of Concat, any) elsewhere.
Result<Gradients> movedGradients(const Graph& graph, const TapeStep& step, std::span<const float> output,
                                 const std::vector<bool>& wanted, MovementMaps& maps);
/// Is it such an op?
bool onlyMoves(const Op& op);

} // namespace pim::lut
