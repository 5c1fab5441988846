// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Between an op of the network and its kernel: the numbers a kernel gets, and what the host still does to
/// its results. A kernel leaves to the host what adds no loop: scale of attention, bias, factors of a Gemm,
/// divisor of a mean. Flow: values of the graph -> [kernelOperands] -> PIM -> [opResult] -> value of the
/// graph.
#include "core/kernel/kernel.h"
#include "core/numeric/element_access.h"

namespace pim {

/// One a tensor of \p kernel (kernelFromOp of the op), row-major; outputs are empty. \param inputs of the op,
/// bytes null for an input left out; fractions are F32. Error::Unsupported, with the reason, where the kernel
/// does not compute the op on these numbers: a mask that hides keys.
Result<std::vector<std::vector<float>>> kernelOperands(const Graph& graph, OpId op, const Kernel& kernel,
                                                       std::span<const TensorId> sources,
                                                       std::span<const Value> inputs);

/// Value of the op's first output. \param tensors of the kernel after it ran.
Result<Value> opResult(const Graph& graph, OpId op, const Kernel& kernel, std::span<const Value> inputs,
                       const std::vector<std::vector<float>>& tensors);

} // namespace pim
