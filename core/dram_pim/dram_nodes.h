// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which nodes of a level the banks lie in that a command addresses.
#include "core/dram/device.h"

namespace pim {

/// Nodes first, first + stride, … (count of them), counted over the channel.
struct DramNodeSet {
    int first = 0, stride = 1, count = 1;
};

class DramNodes {
public:
    explicit DramNodes(const DramDevice& device)
        : m_commands(device.commands), m_bankLevel(device.bankLevel) {
        for (int level = 0; level <= m_bankLevel; ++level) {
            m_under.push_back(device.banksUnder(level));
            for (int bank = 0; bank < banks(); ++bank)
                m_node.push_back(bank / under(level));
        }
    }

    int bankLevel() const { return m_bankLevel; }
    int banks() const { return m_under[0]; }
    int count(int level) const { return m_under[0] / under(level); }
    /// Banks below a node.
    int under(int level) const { return m_under[std::size_t(level)]; }
    int of(int level, int bank) const { return m_node[std::size_t(level * banks() + bank)]; }

    /// Nodes of \p level touched by a command to \p bank.
    DramNodeSet touched(int command, int bank, int level) const {
        const DramCommand& row = m_commands[std::size_t(command)];
        if (row.repeatedOver < 0) {
            if (level <= row.level)
                return {of(level, bank), 1, 1};
            return {of(row.level, bank) * (under(row.level) / under(level)), 1,
                    under(row.level) / under(level)};
        }
        if (level <= row.repeatedOver)
            return {0, 1, count(level)};
        const int inNode = bank - of(row.repeatedOver, bank) * under(row.repeatedOver);
        return {of(level, inNode), under(row.repeatedOver) / under(level), count(row.repeatedOver)};
    }
    DramNodeSet banksOf(int command, int bank) const { return touched(command, bank, m_bankLevel); }

private:
    std::vector<DramCommand> m_commands;
    std::vector<int> m_under; ///< Banks under a node, by level.
    std::vector<int> m_node;  ///< [level][bank]: a division in the loop is slow.
    int m_bankLevel;
};

} // namespace pim
