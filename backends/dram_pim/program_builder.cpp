// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/program_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::dram {

StreamBuilder& StreamBuilder::loop(std::int64_t turns) {
    m_open.emplace_back();
    m_turns.push_back(turns);
    return *this;
}

StreamBuilder& StreamBuilder::end() {
    PIM_ASSERT(!m_turns.empty(), "an end() for every loop()");
    ProgramItem item;
    item.repeat = m_turns.back();
    item.variable = fmt::format("i{}", m_turns.size() - 1);
    item.body = std::move(m_open.back());
    m_open.pop_back();
    m_turns.pop_back();
    if (item.repeat > 0 && !item.body.empty())
        m_open.back().push_back(std::move(item));
    return *this;
}

StreamBuilder& StreamBuilder::command(std::string_view opcode, std::vector<std::int64_t> operands,
                                      std::vector<std::vector<std::int64_t>> strides) {
    const auto at = std::find_if(m_opcodes.begin(), m_opcodes.end(),
                                 [opcode](const Opcode& o) { return o.name == opcode; });
    PIM_ASSERT(at != m_opcodes.end() && at->operands.size() == operands.size(),
               "a command of the backend's table");
    ProgramItem item;
    item.command.opcode = static_cast<std::uint16_t>(at - m_opcodes.begin());
    item.command.operands = std::move(operands);
    // The text form leaves out strides that do not move anything, and so must the value it stands for.
    const bool moves = std::any_of(strides.begin(), strides.end(), [](const auto& row) {
        return std::any_of(row.begin(), row.end(), [](std::int64_t stride) { return stride != 0; });
    });
    if (moves) {
        strides.resize(m_turns.size());
        for (auto& row : strides)
            row.resize(item.command.operands.size());
        item.strides = std::move(strides);
    }
    m_open.back().push_back(std::move(item));
    return *this;
}

std::vector<ProgramItem> StreamBuilder::take() {
    PIM_ASSERT(m_turns.empty(), "all loops are closed");
    return std::move(m_open.front());
}

std::string groupsText(const DraftSummary& summary) {
    return summary.groupsUsed > 1 ? fmt::format("groups 0-{}", summary.groupsUsed - 1) : "group 0";
}

} // namespace pim::dram
