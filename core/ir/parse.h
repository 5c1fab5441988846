// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Reads the text of a module: MLIR's generic form as far as our dialects go.
#include "core/base/result.h"
#include "core/ir/module.h"

namespace pim::ir {

struct ParsedModule {
    Module module;
    std::vector<int> lines; ///< Of each op, from 1.
};

/// parse(print(m).text) prints the same again. Verified. Error::InvalidFile with `name:line:column`. Not read: several blocks in a region, forward references, dynamic extents.
Result<ParsedModule> parse(std::string_view text, std::string_view fileName = "program");

/// The line an error of parse() is about and a caret under the place, for terminals; empty if it names none.
std::string excerpt(std::string_view text, const Error& error);

} // namespace pim::ir
