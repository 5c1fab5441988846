// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Contradictions a schema cannot see: a bank larger than its rows, a refresh longer than its interval.
#include "core/hardware/target.h"

namespace pim {

/// Errors are contradictions, warnings are figures no known machine has.
/// \param where file name, put before every path.
Diagnostics checkPlausible(const Target& target, std::string_view where);
Diagnostics checkPlausible(const Host& host, std::string_view where);

} // namespace pim
