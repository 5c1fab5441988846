// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the ops of the cinm dialect compute. Integers wrap at the width of their type; sums of reals are made
/// in double and rounded once.
#include "core/ir/interpret.h"

namespace pim::ir::cinm {

Result<void> runBinary(Interpreter& at, const Operation& op);
Result<void> runNot(Interpreter& at, const Operation& op);
Result<void> runPopCount(Interpreter& at, const Operation& op);
Result<void> runGemm(Interpreter& at, const Operation& op); ///< gemv too.
Result<void> runTranspose(Interpreter& at, const Operation& op);
Result<void> runHistogram(Interpreter& at, const Operation& op);
Result<void> runMajority(Interpreter& at, const Operation& op);
Result<void> runTopK(Interpreter& at, const Operation& op);
Result<void> runSimSearch(Interpreter& at, const Operation& op);
Result<void> runReduce(Interpreter& at, const Operation& op);
Result<void> runScan(Interpreter& at, const Operation& op);

/// [M][K] x [K][N] (+ [M][N], which may be null) over row-major elements.
Array product(const Array& a, const Array& b, const Array* plus);

} // namespace pim::ir::cinm
