// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Sums of products over any dimensions as gemms: the rewrite of CINM (section 3.2.3, after the Open CIM Compiler).
/// Dimensions of both operands that the result lacks are summed up (K); those of one operand are its rows or
/// columns; those of all three are a batch, one gemm each.
#include "core/base/result.h"
#include "core/ir/module.h"

namespace pim::ir {

/// One letter for each dimension: "ab", "bc" -> "ac".
struct Contraction {
    std::string left, right, out;
};
/// "ab,bc->ac"; without an arrow the letters that occur once, in the order of the alphabet. Error::Unsupported for
/// an ellipsis, more than two operands, a letter twice in one operand, or one that only one operand has and the
/// result lacks.
Result<Contraction> parseContraction(std::string_view equation);

/// Transposes, reshapes, `cinm.gemm` (in a loop over the batch). The extents fit: shared letters have one extent.
ValueId contract(Builder& to, const Contraction& what, ValueId left, ValueId right);

/// Dimension i of the result is perms[i] of \p tensor; the same value where nothing moves.
ValueId transpose(Builder& to, ValueId tensor, const std::vector<std::int64_t>& perms);

} // namespace pim::ir
