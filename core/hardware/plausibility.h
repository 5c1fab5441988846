// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Contradictions a schema cannot see: a bank larger than its rows, a refresh longer than its interval. What is given
/// must agree, whatever kind of machine it describes; what a kind of machine needs besides is said by its backend
/// (Backend::checkTarget in core/plan/backend.h).
#include "core/hardware/target.h"

#include <span>

namespace pim {

/// Errors are contradictions, warnings are figures no known machine has.
/// \param where file name, put before every path.
Diagnostics checkPlausible(const Target& target, std::string_view where);
Diagnostics checkPlausible(const Host& host, std::string_view where);

/// What is wrong if a target does not have the levels \p wanted in this order, outermost first; empty if it has.
/// \param machines in words: "a crossbar target".
/// \param others may levels that are not in \p wanted stand between them?
enum class OtherLevels { Allowed, Refused };
Diagnostics checkLevelOrder(const Target& target, std::span<const std::string_view> wanted,
                            std::string_view machines, OtherLevels others);

} // namespace pim
