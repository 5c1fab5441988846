// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The dialects, one source file each. The list is in core/ir/dialect.cpp.
#include "core/ir/dialect.h"

namespace pim::ir {

const Dialect& hostDialect();      ///< What stays on the host.
const Dialect& cinmDialect();      ///< Linear algebra over tensors: Table 1 of the CINM paper.
const Dialect& cnmDialect();       ///< Work spread over processing units: Table 2 of the CINM paper.
const Dialect& upmemDialect();     ///< DPUs, their tasklets and memories.
const Dialect& cimDialect();       ///< Arrays that compute in memory: Table 3 of the CINM paper.
const Dialect& memristorDialect(); ///< Calls of a driver for memristor tiles.
const Dialect& funcDialect();      ///< As in MLIR.
const Dialect& scfDialect();       ///< As in MLIR: counted loops.
const Dialect& arithDialect();     ///< As in MLIR.
const Dialect& tensorDialect();    ///< As in MLIR.
const Dialect& memrefDialect();    ///< As in MLIR.

} // namespace pim::ir
