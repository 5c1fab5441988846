// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Gradients of matrix products: with respect to rows and to weights, for all forms of matrix_form.h that have one group.
#include "core/lut/network/op_gradient.h"
#include "core/numeric/matrix_form.h"

namespace pim::lut {

/// Of Conv, Gemm, MatMul. Errors: Unsupported for fused attention, groups of convolutions, weights of a Conv or a bias that are wanted.
Result<Gradients> productGradients(const Graph& graph, const TapeStep& step, std::span<const float> output,
                                   const std::vector<bool>& wanted, int threads);

/// product [rows, columns] = a [rows, n] x b [n, columns], both contiguous unless turned ([n, rows], [columns, n]).
struct Factor {
    std::span<const float> values;
    bool turned = false;
};
std::vector<float> product(const Factor& a, const Factor& b, std::int64_t rows, std::int64_t n, int threads);

} // namespace pim::lut
