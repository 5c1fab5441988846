// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/attacc/readiness.h"

namespace pim {
namespace {

using C = AttAccCommand;
constexpr int kPseudoBit = 32; ///< In a bank number.

} // namespace

AttAccRules::AttAccRules(const DramDevice& device) {
    std::vector<int> ours(device.commands.size(), -1); // by index in the device
    for (int i = 0; i < kAttAccCommands; ++i) {
        const int index = device.command(attAccName(AttAccCommand(i)));
        PIM_ASSERT(index >= 0, "a device that is not AttAcc's");
        ours[std::size_t(index)] = i;
    }
    for (const DramConstraint& constraint : device.constraints) {
        const auto level = AttAccLevel(constraint.level);
        for (const int after : constraint.after) {
            if (ours[std::size_t(after)] < 0 ||
                constraint.level > device.commands[std::size_t(after)].checkedTo)
                continue;
            const auto held = AttAccCommand(ours[std::size_t(after)]);
            Levels& levels = checks[std::size_t(held)];
            if (std::find(levels.of.begin(), levels.of.begin() + levels.count, level) ==
                levels.of.begin() + levels.count)
                levels.of[levels.count++] = level;
            for (const int before : constraint.before)
                if (ours[std::size_t(before)] >= 0)
                    effects[std::size_t(ours[std::size_t(before)])].push_back(
                        {held, level, int(constraint.ticks), constraint.window > 1});
        }
    }
}

void AttAccReadiness::keep(const AttAccRules::Effect& effect, int bank, std::int64_t cycle) {
    std::int64_t& ready = m_ready[std::size_t(effect.after)][node(effect.level, bank)];
    ready = std::max(ready, cycle + effect.ticks);
}

void AttAccReadiness::issue(AttAccCommand command, int bank, int row, std::int64_t cycle,
                            bool wholePseudoChannel) {
    if (command == C::Act) {
        const std::size_t rank = std::size_t(bank >> 4);
        m_activations[rank][m_oldest[rank]] = cycle + 1;
        m_oldest[rank] = (m_oldest[rank] + 1) % 4;
    }
    const auto& effects = m_rules.effects[std::size_t(command)];
    for (const AttAccRules::Effect& effect : effects) {
        if (wholePseudoChannel && effect.level > AttAccLevel::PseudoChannel)
            continue;
        if (effect.fourth) {
            const std::size_t rank = std::size_t(bank >> 4);
            if (const std::int64_t past = m_activations[rank][m_oldest[rank]]; past > 0)
                keep(effect, bank, past - 1);
        } else {
            keep(effect, bank, cycle);
        }
    }
    const auto alsoIn = [&](int other) {
        for (const AttAccRules::Effect& effect : effects)
            if (effect.level == AttAccLevel::Bank)
                keep(effect, other, cycle);
    };
    switch (command) {
    case C::MacSame:
        for (int other = bank % 4; other < kAttAccBanks; other += 4)
            alsoIn(other);
        break;
    case C::MacPer: {
        // Meant is the same bank in the other pseudo-channel. The original goes one parent too high: what it
        // takes for the rank is the pseudo-channel, what it takes for the bank group is the rank.
        const int other = (bank >> 5 & 1) << 4 | (bank >> 4 & 1) << 2 | (bank & 3);
        alsoIn(other);
        alsoIn(other | kPseudoBit);
        break;
    }
    case C::Act:
        open(bank, row);
        break;
    case C::ActAll:
        for (int other = 0; other < kAttAccBanks; ++other)
            open(other, row);
        break;
    case C::ActSame:
        for (int other = bank % 4; other < kAttAccBanks; other += 4)
            open(other, row);
        break;
    case C::ActPer:
        open(bank & ~kPseudoBit, row);
        open(bank | kPseudoBit, row);
        break;
    case C::Pre:
        m_rows[std::size_t(bank)].clear();
        break;
    case C::PreAll:
        for (auto& rows : m_rows)
            rows.clear();
        break;
    case C::PreSame: // not the banks of the other groups, although ACTSB opens them
    case C::PrePer:
        m_rows[std::size_t(bank & ~kPseudoBit)].clear();
        m_rows[std::size_t(bank | kPseudoBit)].clear();
        break;
    default:
        break;
    }
}

void AttAccReadiness::open(int bank, int row) {
    auto& rows = m_rows[std::size_t(bank)];
    if (const auto found = std::find(rows.begin(), rows.end(), row); found != rows.end())
        rows.erase(found);
    rows.push_back(std::uint16_t(row));
}

bool AttAccReadiness::isOpen(int bank, int row) const {
    const auto& rows = m_rows[std::size_t(bank)];
    return std::find(rows.rbegin(), rows.rend(), row) != rows.rend();
}

bool AttAccReadiness::anyOpen() const {
    return std::any_of(m_rows.begin(), m_rows.end(), [](const auto& rows) { return !rows.empty(); });
}

AttAccCommand AttAccReadiness::next(AttAccCommand final, int bank, int row) const {
    const auto over = [&](int first, int step, C opens, C closes) {
        for (int other = first; other < kAttAccBanks; other += step) {
            if (m_rows[std::size_t(other)].empty())
                return opens;
            if (!isOpen(other, row))
                return closes;
        }
        return final;
    };
    switch (final) {
    case C::Read:
    case C::Write:
        return m_rows[std::size_t(bank)].empty() ? C::Act : isOpen(bank, row) ? final : C::Pre;
    case C::MacAll:
        return over(0, 1, C::ActAll, C::PreAll);
    case C::MacSame:
        return over(bank % 4, 4, C::ActSame, C::PreSame);
    case C::MacPer:
        return over(bank & ~kPseudoBit, kPseudoBit, C::ActPer, C::PrePer);
    case C::Refresh:
        return anyOpen() ? C::PreAll : final;
    default:
        return final;
    }
}

} // namespace pim
