// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Programs from code that emits plain commands: loops are written as functions of the turn, strides are
/// found by comparing turns, and runs of similar commands become loops by themselves. Flow: commands with all
/// their operands -> [LoopBuilder] -> items of a stream.
#include "core/program/program.h"

#include <functional>

namespace pim::dram {

class LoopBuilder {
public:
    LoopBuilder() : m_lists(1) {}

    void command(int opcode, std::vector<std::int64_t> operands);
    /// \p body emits the commands of a turn: the same ones in every turn, operands growing by the same
    /// amounts. Called for the first two turns only (and the last, in debug builds, to check that). No turns,
    /// no commands; one turn, no loop.
    void repeat(std::int64_t turns, const std::function<void(std::int64_t turn)>& body);
    /// All commands so far, rolled up.
    std::vector<ProgramItem> take();

private:
    std::vector<ProgramItem> collect(const std::function<void(std::int64_t)>& body, std::int64_t turn);

    std::vector<std::vector<ProgramItem>> m_lists; ///< Under construction, outermost first.
};

/// Makes loops of neighbours that differ by constant steps only, innermost first. \param depth loops around
/// the list.
void rollLoops(std::vector<ProgramItem>& items, std::size_t depth = 0);

} // namespace pim::dram
