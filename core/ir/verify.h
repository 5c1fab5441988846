// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Is a module what its dialects say it has to be?
///
/// Signatures: `operands -> results`, each a list of
///   T          a scalar; T stands for one scalar type throughout the op (any capital letter but those in brackets)
///   i32, index a scalar of this type
///   T[M,K]     a tensor; M and K stand for one extent each throughout the op
///   T[*S]      a tensor of any shape, the same for all S
///   &T[M]      a memref
///   !cnm.workgroup  a dialect's type of this name
///   any        anything
/// A trailing `?` may be left out, a trailing `*` occurs any number of times (with T and S anew each time: `any*`).
#include "core/ir/dialect.h"

namespace pim::ir {

/// One op: signature, regions, its own rules. Error::InvalidFile with the op's name and number
/// ("cinm.gemm #12 (MatMul_3)").
Result<void> verify(const Module& module, OperationId op);
/// All ops; also that values are set before they are used, and regions end as they should.
Result<void> verify(const Module& module);

/// "cinm.gemm #12 (MatMul_3)"
std::string describe(const Module& module, OperationId op);

} // namespace pim::ir
