// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What ops there are, as data: name, meaning, form, what else has to hold, and what running one does.
#include "core/base/result.h"
#include "core/ir/module.h"

namespace pim::ir {

class Interpreter;

struct OpDef {
    std::string_view name;    ///< "cinm.gemm"
    std::string_view meaning; ///< One sentence for help and tool tips.
    /// Operands and results: "T[M,K], T[K,N], T[M,N]? -> T[M,N]". See verify.h for the language.
    std::string_view signature;
    /// What the signature cannot say; null if nothing. Errors: message alone, the caller adds op and place.
    Result<void> (*verify)(const Module&, const Operation&) = nullptr;
    /// Sets the results (Interpreter::set). Null for an op that cannot run by itself.
    Result<void> (*run)(Interpreter&, const Operation&) = nullptr;
    std::uint32_t regions = 0;
    bool endsRegion = false;
};

struct Dialect {
    std::string_view name;    ///< "cinm"
    std::string_view meaning; ///< One sentence.
    std::span<const OpDef> ops;
};

/// "gemm" of "cinm.gemm".
inline std::string_view shortName(const Operation& op) {
    return op.def->name.substr(op.def->name.find('.') + 1);
}

/// All there are, the most abstract first.
std::span<const Dialect* const> dialects();
/// Null if no dialect has it.
const OpDef* findOp(std::string_view name);

} // namespace pim::ir
