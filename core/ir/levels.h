// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A program on its way down: every level kept, verified and printed.
#include "core/base/result.h"
#include "core/ir/print.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pim::ir {

struct Level {
    std::string name; ///< "cinm", "cim"
    std::shared_ptr<const Module> module;
    PrintedModule printed;
    double milliseconds = 0; ///< To make, verify and print it.
};

struct Lowering {
    std::string level;
    std::function<Result<Module>(const Module&)> make; ///< From the level before.
};

/// \p first and what \p lowerings make of it, one after the other. Errors of a lowering, or Internal with the level and the
/// op where a lowering made something that is not sound.
Result<std::vector<Level>> lowerAll(Module first, const std::vector<Lowering>& lowerings);

/// Ops of a level that come from op \p op of the level above it, ascending.
std::vector<OperationId> madeFrom(const Module& level, OperationId op);
/// Ops of a level that come from one of the network.
std::vector<OperationId> madeFrom(const Module& level, std::string_view graphOp);

} // namespace pim::ir
