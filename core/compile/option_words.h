// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Compile options by their names, for sweeps and programs that embed the compiler. Flow: name + text -> [setCompileOption] ->
/// CompileOptions.
#include "core/plan/backend.h"

namespace pim {

/// Sets one option: "dtype", "conv" (gemm | direct), "mapping" (searched | fixed), "overlap-transfer" and "group-commands" (on |
/// off), "verify" and "seed" (numbers), "no-code-pass" (an id; more of them by more calls), or one of a family (family_options.h).
/// \param target id of the backend whose options are meant by a name alone. Error::Usage says what is allowed.
Result<void> setCompileOption(const BackendList& backends, CompileOptions& options, const std::string& option,
                              const std::string& value, std::string_view target = {});

} // namespace pim
