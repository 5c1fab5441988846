// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// From which tick on a command may be issued, and which row of the device's table says so.
///
/// DramEngine pushes: issuing a command updates one number for every command and bank it keeps back, which
/// suits controllers that ask often and issue rarely. Code is issued in order, so here asking is as frequent
/// as issuing, and most commands address all banks: this class pulls. It keeps when each command was last
/// issued to each node that some row looks at, and a question walks the rows. The state is small, and can be
/// saved relative to the tick. No allocation after construction.
#include "core/dram_pim/dram_nodes.h"

#include <span>

namespace pim {

class CommandClock {
public:
    /// Reasons that every device has; those of its table follow.
    enum Reason : int { kBus, kData, kRefresh, kFirstRow };
    struct Ready {
        DramTick tick = 0; ///< Far in the past if nothing holds it back.
        int reason = -1;
    };

    /// \param used commands that will ever be issued, by index.
    CommandClock(const DramDevice& device, const std::vector<bool>& used);

    /// First tick by the rows of the table alone.
    Ready ready(int command, int bank) const {
        const Asked& asked = m_asked[std::size_t(command)];
        Ready latest{kLongAgo, -1};
        for (const Look& look : asked.looks) {
            const DramTick tick =
                m_times[std::size_t(look.first + m_nodes.of(look.level, bank) * look.size)] + look.ticks;
            if (tick > latest.tick)
                latest = {tick, look.reason};
        }
        if (!asked.wide.empty())
            askWide(command, bank, latest);
        return latest;
    }
    void issue(int command, int bank, DramTick now);

    /// "ACTAB -> MACAB 19 (nRCDRD)", by reason.
    const std::vector<std::string>& reasons() const { return m_reasons; }
    const DramNodes& nodes() const { return m_nodes; }

    /// The state as far as it can still matter to a command at \p now or later: two equal ones behave alike
    /// from then on.
    std::size_t stateSize() const { return m_times.size(); }
    void save(DramTick now, DramTick* into) const;
    void restore(DramTick now, const DramTick* from);

private:
    static constexpr DramTick kLongAgo = -(DramTick(1) << 60);

    /// A row as a command sees it that looks at one node: m_times[first + node * size] + ticks.
    struct Look {
        int first = 0;
        int size = 1; ///< Of a node's memory: as many issues back as the window is long, the oldest first.
        int level = 0;
        DramTick ticks = 0;
        int reason = 0;
    };
    /// One that looks at several nodes.
    struct WideLook {
        Look look;
        bool siblings = false;
    };
    struct Asked {
        std::vector<Look> looks;
        std::vector<WideLook> wide;
    };
    /// Memory of a command's issues, one a node of a level.
    struct Memory {
        int first = 0, size = 1, level = 0;
        bool one = false; ///< The command touches one node of the level, and only its last issue is kept.
    };

    void addRow(const DramDevice& device, const DramConstraint& row, int before, int after);
    int memoryOf(const DramCommand& command, int before, int level, int window, DramTick reach);
    int reasonOf(const DramDevice& device, const DramConstraint& row, int before, int after);
    void askWide(int command, int bank, Ready& latest) const;

    DramNodes m_nodes;
    std::vector<Asked> m_asked;                  ///< By command.
    std::vector<std::vector<Memory>> m_memories; ///< By command.
    std::vector<DramTick> m_times;
    std::vector<DramTick> m_reach; ///< For how long each of `m_times` can matter.
    std::vector<std::string> m_reasons;
};

} // namespace pim
