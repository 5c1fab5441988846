// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// From which cycle on each command may go to a channel of AttAcc's device, and which rows are open.
#include "core/dram/attacc/simulator.h"

#include <algorithm>

namespace pim {

enum class AttAccLevel : std::uint8_t { Channel, PseudoChannel, Rank, Group, Bank };
inline constexpr int kAttAccLevels = 5;

/// The constraints of a device, shared by its channels. A constraint is kept at nodes of one level and holds
/// between commands whose addresses lie in the same node; a command is checked only down to its scope.
struct AttAccRules {
    /// \p device has the levels of AttAccLevel and all commands; others of its table are left alone.
    explicit AttAccRules(const DramDevice& device);

    struct Effect {
        AttAccCommand after;
        AttAccLevel level;
        int ticks;
        bool fourth; ///< Counted from the fourth last issue.
    };
    std::array<std::vector<Effect>, kAttAccCommands> effects; ///< By the command that is issued.
    struct Levels {
        std::uint8_t count = 0;
        std::array<AttAccLevel, kAttAccLevels> of{};
    };
    std::array<Levels, kAttAccCommands> checks; ///< Levels that can hold a command back.
};

/// One channel.
class AttAccReadiness {
public:
    explicit AttAccReadiness(const AttAccRules& rules) : m_rules(rules) {}

    /// First cycle at which the command may go to \p bank.
    std::int64_t earliest(AttAccCommand command, int bank) const {
        std::int64_t cycle = 0;
        const AttAccRules::Levels& levels = m_rules.checks[std::size_t(command)];
        const auto& ready = m_ready[std::size_t(command)];
        for (int i = 0; i < levels.count; ++i)
            cycle = std::max(cycle, ready[node(levels.of[std::size_t(i)], bank)]);
        return cycle;
    }
    /// What holds for every bank of the channel; never later than earliest().
    std::int64_t earliestAnywhere(AttAccCommand command) const { return m_ready[std::size_t(command)][0]; }
    /// \param wholePseudoChannel the address ends at the pseudo-channel: nothing below it is touched.
    void issue(AttAccCommand command, int bank, int row, std::int64_t cycle, bool wholePseudoChannel = false);

    /// What has to go to the device next so that \p final can: itself, or what opens or closes its banks.
    AttAccCommand next(AttAccCommand final, int bank, int row) const;
    bool anyOpen() const;

private:
    static std::size_t node(AttAccLevel level, int bank) {
        constexpr int first[] = {0, 1, 3, 7, 23}, shift[] = {6, 5, 4, 2, 0};
        return std::size_t(first[int(level)] + (bank >> shift[int(level)]));
    }
    void keep(const AttAccRules::Effect& effect, int bank, std::int64_t cycle);
    void open(int bank, int row);
    bool isOpen(int bank, int row) const;

    static constexpr std::size_t kNodes = 1 + 2 + 4 + 16 + 64;
    const AttAccRules& m_rules;
    std::array<std::array<std::int64_t, kNodes>, kAttAccCommands> m_ready{};
    std::array<std::array<std::int64_t, 4>, 4>
        m_activations{}; ///< Last four ACT of each rank plus one; 0: none yet.
    std::array<std::uint8_t, 4> m_oldest{};
    /// Rows a bank answers for, the last opened at the end. More than one only through PRESB, which closes
    /// the banks of one rank and bank group while ACTSB opens those of all.
    std::array<std::vector<std::uint16_t>, kAttAccBanks> m_rows;
};

} // namespace pim
