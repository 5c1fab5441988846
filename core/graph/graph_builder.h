// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// RawModel -> Graph in one sweep in topological order: dimensions bound, every op's shapes inferred,
/// constants computed on the way (so that a Reshape finds its target), functions and decided branches written
/// out in place.
#include "core/graph/file/onnx_model.h"
#include "core/graph/import.h"

namespace pim {

/// The graph before any pass. Tensors of folded values have both a producer and a value; the fold_constants
/// pass, or the end of buildGraph(), takes one of them away.
Result<Graph> instantiate(const file::RawModel& model, const GraphOptions& options, const TaskContext& task);

/// Dimensions nobody chose are 1, or \p size where they never come first in a shape (there is the batch).
/// Symbols that are sums or products of others ("past + 1") follow them.
Result<std::vector<DimBinding>> bindDimensions(const file::RawModel& model,
                                               const std::map<std::string, std::int64_t>& chosen,
                                               std::int64_t size);
/// Name of the open dimension \p axis of \p input; empty if its extent is fixed.
std::string dimensionSymbol(const file::RawValue& input, std::size_t axis);

/// A folded constant: \p inputs are constants, \p outputs the types and shapes of the op's outputs.
Tensor derivedTensor(std::string name, const Op& op, std::vector<Tensor> inputs, std::size_t output,
                     const std::vector<std::pair<DataType, Shape>>& outputs);

} // namespace pim
