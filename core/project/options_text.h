// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Reads back what optionsJson() wrote, so that a stored run can be compiled again.
#include "core/compile/backend.h"

namespace pim {

/// Keys left out keep their default; a key nobody knows is an error, because the run would not be the same.
Result<CompileOptions> optionsFromJson(std::string_view json, std::string_view where);

} // namespace pim
