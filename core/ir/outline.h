// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What an op of the level above became, as loops with their turns: how often tiles are written, what is sent and started.
#include "core/ir/module.h"

#include <optional>
#include <string>
#include <vector>

namespace pim::ir {

/// Turns of a loop with constant bounds; nothing where they are computed.
std::optional<std::int64_t> turnsOf(const Module& module, const Operation& loop);

struct OutlineLine {
    OperationId op; ///< The loop, or the first of the ops that the line is about.
    int depth = 0;
    std::string text;       ///< "for k: 16 turns", "cim.write x 4"
    std::int64_t times = 1; ///< In all, by the loops around it; 0 where a loop's bounds are computed.
};
/// Loops and ops of machines that come from \p op of the level above; the arithmetic of indices, slices and constants are left out.
/// Equal ops of a loop are one line.
std::vector<OutlineLine> outline(const Module& level, OperationId op);
/// Indented by two spaces a depth, with the times behind.
std::string text(const std::vector<OutlineLine>& lines);

} // namespace pim::ir
