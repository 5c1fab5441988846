// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/attacc/readiness.h"

namespace pim {
namespace {

using C = AttAccCommand;
using Commands = std::vector<AttAccCommand>;

/// Where a check stops. REFab, PREA and the softmax commands see nothing below the channel.
AttAccLevel scopeOf(AttAccCommand command) {
    switch (command) {
    case C::PreAll:
    case C::Refresh:
    case C::Softmax:
    case C::SetHead:
    case C::Barrier:
        return AttAccLevel::Channel;
    default:
        return AttAccLevel::Bank;
    }
}

struct Constraint {
    AttAccLevel level;
    Commands before, after;
    int ticks;
    bool fourth = false;
};

/// Constraint table of AttAcc's HBM3-PIM device, in its order.
std::vector<Constraint> constraints(const AttAccTiming& t) {
    constexpr auto channel = AttAccLevel::Channel, pseudo = AttAccLevel::PseudoChannel,
                   rank = AttAccLevel::Rank, group = AttAccLevel::Group, bank = AttAccLevel::Bank;
    const Commands moves{C::WriteGemv, C::MoveSoftmax, C::MoveGemv, C::Softmax, C::Read, C::Write};
    const int writeDone = t.writeLatency + t.burst;
    return {
        // All banks of a channel.
        {channel, {C::ActAll}, {C::ActAll, C::Act, C::Pre, C::PreAll, C::Refresh}, 2},
        {channel, {C::MacAll}, {C::MacAll}, t.macAll},
        {channel, {C::ActAll}, {C::ActAll}, t.rc},
        {channel, {C::ActAll}, {C::MacAll}, t.rcd},
        {channel, {C::ActAll}, {C::PreAll}, t.ras},
        {channel, {C::MacAll}, {C::PreAll}, t.readToPreLong},
        {channel, {C::PreAll}, {C::ActAll}, t.rp},
        {pseudo, {C::Refresh}, {C::ActAll}, t.refreshCycle},
        // The banks of one number.
        {channel, {C::ActSame}, {C::ActSame, C::Act, C::Pre, C::PreAll, C::PreSame, C::Refresh}, 2},
        {channel, {C::MacSame}, {C::MacSame}, t.macSame},
        {bank, {C::ActSame}, {C::ActSame}, t.rc},
        {bank, {C::ActSame}, {C::MacSame}, t.rcd},
        {bank, {C::ActSame}, {C::PreSame}, t.ras},
        {bank, {C::MacSame}, {C::PreSame}, t.readToPreLong}, // in every such bank, see issue()
        {bank, {C::PreSame}, {C::ActSame}, t.rp},
        {pseudo, {C::Refresh}, {C::ActSame}, t.refreshCycle},
        // One bank in both pseudo-channels.
        {channel, {C::ActPer}, {C::ActPer, C::Act, C::Pre, C::PreAll, C::PrePer, C::Refresh}, 2},
        {channel, {C::MacPer}, {C::MacPer}, t.burst},
        {rank, {C::MacPer}, {C::MacPer}, t.ccdShort},
        {group, {C::MacPer}, {C::MacPer}, t.ccdLong},
        {bank, {C::ActPer}, {C::ActPer}, t.rc},
        {bank, {C::ActPer}, {C::MacPer}, t.rcd},
        {bank, {C::ActPer}, {C::PrePer}, t.ras},
        {bank, {C::MacPer}, {C::PrePer}, t.readToPreLong},
        {bank, {C::PrePer}, {C::ActPer}, t.rp},
        {pseudo, {C::Refresh}, {C::ActPer}, t.refreshCycle},
        // Moves between buffers share the data path with host accesses.
        {pseudo, moves, moves, t.burst},
        {rank, moves, moves, t.ccdShort},
        {group, moves, moves, t.ccdLong},
        // Host accesses.
        {channel, {C::Act}, {C::Act, C::Pre, C::PreAll, C::PreSame, C::Refresh}, 2},
        {pseudo, {C::Read}, {C::Read}, t.burst},
        {pseudo, {C::Write}, {C::Write}, t.burst},
        {pseudo, {C::PreAll}, {C::Act}, t.rp},
        {pseudo, {C::Refresh}, {C::Act}, t.refreshCycle},
        {rank, {C::Act}, {C::Act}, t.rrdShort},
        {rank, {C::Act}, {C::Act}, t.faw, true},
        {rank, {C::Read}, {C::Read}, t.ccdShort},
        {rank, {C::Write}, {C::Write}, t.ccdShort},
        {rank, {C::Read}, {C::Write}, t.readLatency + t.burst + 2 - t.writeLatency},
        {rank, {C::Write}, {C::Read}, writeDone + t.wtrShort},
        {group, {C::Read}, {C::Read}, t.ccdLong},
        {group, {C::Write}, {C::Write}, t.ccdLong},
        {group, {C::Write}, {C::Read}, writeDone + t.wtrLong},
        {group, {C::Act}, {C::Act}, t.rrdLong},
        {bank, {C::Act}, {C::Act}, t.rc},
        {bank, {C::Act}, {C::Read, C::Write}, t.rcd},
        {bank, {C::Act}, {C::Pre}, t.ras},
        {bank, {C::Pre}, {C::Act}, t.rp},
        {bank, {C::Read}, {C::Pre}, t.readToPreLong},
        {bank, {C::Write}, {C::Pre}, writeDone + t.writeRecovery},
        // What the table says below the channel about PREA and REFab is never looked at (scopeOf) and left
        // out.
    };
}

constexpr int kPseudoBit = 32; ///< In a bank number.

} // namespace

AttAccRules::AttAccRules(const AttAccTiming& timing) {
    for (const Constraint& constraint : constraints(timing))
        for (const AttAccCommand after : constraint.after) {
            if (constraint.level > scopeOf(after))
                continue;
            Levels& levels = checks[std::size_t(after)];
            if (std::find(levels.of.begin(), levels.of.begin() + levels.count, constraint.level) ==
                levels.of.begin() + levels.count)
                levels.of[levels.count++] = constraint.level;
            for (const AttAccCommand before : constraint.before)
                effects[std::size_t(before)].push_back(
                    {after, constraint.level, constraint.ticks, constraint.fourth});
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
