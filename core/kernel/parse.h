// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Kernel text -> Kernel. Python-like loops as in the figures 4 and 5 of the DCC paper.
#include "core/kernel/kernel.h"

namespace pim {

/// Parses
/// \code
///   def name(A[12][16], B[8][16]: f16, C[12][16]):
///       for b in range(11):
///           for i in range(8):
///               A[b][i] = A[b+1][i*2] + B[i][k] * C[b][k]
/// \endcode
/// Extents may be written as `y.size(0)`; locals as `y = DCC.Tensor.zero([x.size(0), w.size(0)])`; `return y`
/// marks the output. \param sizes gives shapes of parameters written without one. Error::InvalidKernel with
/// `file:line:column`, what was found and what was expected.
Result<Kernel> parseKernel(std::string_view text, const std::map<std::string, Shape>& sizes = {},
                           std::string_view fileName = "kernel");

} // namespace pim
