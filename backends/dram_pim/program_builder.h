// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Puts programs together: commands by opcode name, nested loops with strides.
#include "core/program/program.h"
#include "core/tiling/tiling.h"

#include <initializer_list>

namespace pim::dram {

/// Items of one stream. loop() and end() nest; a command may add a stride an enclosing loop to each of its operands.
class StreamBuilder {
public:
    explicit StreamBuilder(const std::vector<Opcode>& opcodes) : m_opcodes(opcodes), m_open{{}} {}

    /// A loop of no turns leaves out everything up to its end(); one of a single turn is still a loop.
    StreamBuilder& loop(std::int64_t turns);
    StreamBuilder& end();
    /// \param operands one an operand of the opcode; \param strides [enclosing loop, outermost first][operand]; may be
    /// shorter than the nest.
    StreamBuilder& command(std::string_view opcode, std::vector<std::int64_t> operands = {},
                           std::vector<std::vector<std::int64_t>> strides = {});
    std::vector<ProgramItem> take();

private:
    const std::vector<Opcode>& m_opcodes;
    std::vector<std::vector<ProgramItem>> m_open; ///< Bodies under construction, outermost first.
    std::vector<std::int64_t> m_turns;            ///< Of the open loops.
};

/// "groups 0-79" for the groups a draft uses.
std::string groupsText(const DraftSummary& summary);

} // namespace pim::dram
