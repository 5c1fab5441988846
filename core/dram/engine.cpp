// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/engine.h"

#include <algorithm>

namespace pim {
namespace {

/// The highest level whose nodes hold as many banks: constraints kept at either are the same.
int canonicalLevel(const DramDevice& device, int level) {
    while (level > 0 && device.banksUnder(level - 1) == device.banksUnder(level))
        --level;
    return level;
}

} // namespace

DramEngine::DramEngine(const DramDevice& device, const std::vector<bool>& used)
    : m_banks(device.bankCount()), m_stride(std::size_t(device.bankCount())), m_bankLevel(device.bankLevel),
      m_commands(device.commands), m_effects(device.commands.size()),
      m_ready(device.commands.size() * m_stride, 0), m_open(m_stride, kDramNoRow) {
    for (int level = 0; level <= m_bankLevel; ++level)
        m_under.push_back(device.banksUnder(level));
    const auto isUsed = [&](int command) { return used.empty() || used[std::size_t(command)]; };
    for (const DramConstraint& row : device.constraints)
        for (const int before : row.before)
            for (const int after : row.after) {
                const int level = std::min(row.level, m_bankLevel);
                if (!isUsed(before) || !isUsed(after) || row.ticks <= 0 ||
                    level > m_commands[std::size_t(after)].checkedTo)
                    continue;
                Effect effect{level, after, row.ticks, row.window, row.siblings, -1, -1};
                if (row.siblings) {
                    if (level == 0 || device.levels[std::size_t(level)].count == 1)
                        continue; // nobody beside it
                } else {
                    effect.level = canonicalLevel(device, level);
                }
                if (row.window > 1) {
                    const int nodes = m_banks / m_under[std::size_t(effect.level)];
                    effect.history = int(m_history.size());
                    effect.ring = int(m_ring.size());
                    m_history.resize(m_history.size() + std::size_t(nodes * row.window), kDramNever);
                    m_ring.resize(m_ring.size() + std::size_t(nodes), 0);
                }
                m_effects[std::size_t(before)].push_back(effect);
            }
    // A wait that another one of the same command implies in every bank it reaches costs time and changes
    // nothing.
    for (std::vector<Effect>& effects : m_effects) {
        const auto implied = [&](const Effect& weak, const Effect& strong) {
            return &weak != &strong && weak.window == 1 && strong.window == 1 && !weak.siblings &&
                   !strong.siblings && weak.after == strong.after && strong.level <= weak.level &&
                   strong.ticks >= weak.ticks &&
                   (strong.level != weak.level || strong.ticks != weak.ticks || &strong < &weak);
        };
        std::vector<Effect> kept;
        for (const Effect& weak : effects)
            if (std::none_of(effects.begin(), effects.end(),
                             [&](const Effect& strong) { return implied(weak, strong); }))
                kept.push_back(weak);
        effects = std::move(kept);
    }
}

DramBanks DramEngine::banksAt(int level, int bank) const {
    const int under = m_under[std::size_t(std::min(level, m_bankLevel))];
    return {bank - bank % under, 1, under};
}

DramBanks DramEngine::banksOf(int command, int bank) const {
    const DramCommand& row = m_commands[std::size_t(command)];
    if (row.repeatedOver < 0)
        return banksAt(row.level, bank);
    const int stride = m_under[std::size_t(row.repeatedOver)];
    return {bank % stride, stride, m_banks / stride};
}

DramTick DramEngine::earliestAll(int command, int bank) const {
    const DramBanks banks = banksOf(command, bank);
    const DramTick* ready = readyRow(command);
    DramTick latest = 0;
    for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride)
        latest = std::max(latest, ready[b]);
    return latest;
}

bool DramEngine::anyOpen(const DramBanks& banks) const {
    for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride)
        if (m_open[std::size_t(b)] != kDramNoRow)
            return true;
    return false;
}

void DramEngine::keepBack(int after, int first, int count, DramTick until) {
    DramTick* ready = m_ready.data() + std::size_t(after) * m_stride + std::size_t(first);
    for (int i = 0; i < count; ++i)
        ready[i] = ready[i] < until ? until : ready[i];
}

void DramEngine::apply(const Effect& effect, int firstBank, DramTick now) {
    const int under = m_under[std::size_t(effect.level)];
    const int node = firstBank / under;
    const int first = node * under;
    if (effect.window > 1) {
        // The ring holds the last `window` issues; the oldest of them, this one included, is what counts.
        int& position = m_ring[std::size_t(effect.ring + node)];
        DramTick* ring = m_history.data() + effect.history + node * effect.window;
        ring[position] = now;
        position = position + 1 == effect.window ? 0 : position + 1;
        if (ring[position] != kDramNever)
            keepBack(effect.after, first, under, ring[position] + effect.ticks);
        return;
    }
    if (!effect.siblings) {
        keepBack(effect.after, first, under, now + effect.ticks);
        return;
    }
    const int around = m_under[std::size_t(effect.level - 1)];
    const int start = first - first % around;
    keepBack(effect.after, start, first - start, now + effect.ticks);
    keepBack(effect.after, first + under, start + around - first - under, now + effect.ticks);
}

void DramEngine::issue(int command, int bank, std::int64_t row, DramTick now) {
    const DramCommand& issued = m_commands[std::size_t(command)];
    const DramBanks banks = banksOf(command, bank);
    if (banks.count == 1) {
        for (const Effect& effect : m_effects[std::size_t(command)])
            apply(effect, bank, now);
    } else {
        for (const Effect& effect : m_effects[std::size_t(command)]) {
            // Once for every node of the level that holds an addressed bank; their banks are in order.
            const int under = m_under[std::size_t(effect.level)];
            int last = -1;
            for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride)
                if (b / under != last) {
                    last = b / under;
                    apply(effect, b, now);
                }
        }
    }
    if (issued.row == DramRowEffect::Opens || issued.row == DramRowEffect::Closes) {
        const std::int64_t state = issued.row == DramRowEffect::Opens ? row : kDramNoRow;
        for (int i = 0, b = banks.first; i < banks.count; ++i, b += banks.stride)
            m_open[std::size_t(b)] = state;
    }
}

} // namespace pim
