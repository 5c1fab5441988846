// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The text of a module: MLIR's generic form, so that mlir-opt reads every level.
#include "core/ir/module.h"

namespace pim::ir {

/// Lines count from 0; an op with regions ends at the line of its closing brace.
struct LineRange {
    int first = 0, last = 0;
};

struct PrintedModule {
    std::string text;
    std::vector<LineRange> lines; ///< For each op of the module.
    int lineCount = 0;
};

struct PrintOptions {
    bool locations = true; ///< `loc("MatMul_3")` behind every op.
};
/// The same module gives the same bytes.
PrintedModule print(const Module& module, PrintOptions options = {});
/// The op alone, its regions included, without its location.
std::string printOp(const Module& module, OperationId op);

} // namespace pim::ir
