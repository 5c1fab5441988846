// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What limits a run, as tables of text: the same for plans and for the driver calls of memristor tiles.
#include "core/compile/run_limits.h"

#include <functional>
#include <string>
#include <string_view>

namespace pim::cli {

inline constexpr double kPsInNs = 1000; ///< Limits are in picoseconds, texts are made of nanoseconds.

/// "12.5 %" of the stretch that \p limits are about.
std::string percentOf(std::int64_t ps, const Limits& limits);
/// Resources, and the chain of work by what it does, where and why. \param top lines of each table of the chain.
std::string tablesText(const Limits& limits, int top);
/// \param how each row was found, in one sentence.
std::string whatIfText(const WhatIf& whatIf, std::string_view how);
/// Ceilings, and the \p top ops under them that take most time. \param nameOf an op. \param more what shows the others: "--top shows more".
std::string rooflineText(const Roofline& roofline, int top, const std::function<std::string(OpId)>& nameOf,
                         std::string_view more);

} // namespace pim::cli
