// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What each line of a program's text stands for, for people who read it. Flow: programText -> [lines] ->
/// views.
#include "core/program/program.h"

namespace pim {

/// Least and greatest value an operand takes over all turns of the loops around it.
struct OperandRange {
    std::string name; ///< "bank"
    std::int64_t first = 0, low = 0, high = 0;
};

struct ProgramLine {
    enum class Kind { Other, Phase, Stream, Loop, Command };
    Kind kind = Kind::Other;
    std::string phase;      ///< "compute"; empty outside of phases.
    std::string unit;       ///< "groups 0-79"; empty outside of streams.
    std::string opcode;     ///< Commands only.
    std::int64_t turns = 1; ///< How often the line runs in one unit; stays at 2^63-1 beyond.
    std::vector<OperandRange> operands;

    const OperandRange* operand(std::string_view name) const;
};

/// One a line of \p text, which programText() made; of any other text the lines are Other.
std::vector<ProgramLine> programLines(std::string_view text);

} // namespace pim
