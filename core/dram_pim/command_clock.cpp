// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram_pim/command_clock.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

CommandClock::CommandClock(const DramDevice& device, const std::vector<bool>& used)
    : m_nodes(device), m_asked(device.commands.size()),
      m_memories(device.commands.size()), m_reasons{"bus", "data", "refresh"} {
    for (const DramConstraint& row : device.constraints)
        for (const int before : row.before)
            for (const int after : row.after)
                if (used[std::size_t(before)] && used[std::size_t(after)] && row.ticks > 0 &&
                    row.level <= device.commands[std::size_t(after)].checkedTo)
                    addRow(device, row, before, after);
}

void CommandClock::addRow(const DramDevice& device, const DramConstraint& row, int before, int after) {
    if (row.siblings && device.levels[std::size_t(row.level)].count == 1)
        return; // nobody beside it
    const DramCommand& asked = device.commands[std::size_t(after)];
    const bool repeated = asked.repeatedOver >= 0;
    // from this level up it addresses whole nodes
    const int whole = repeated ? asked.repeatedOver : asked.level;
    int level = row.level;
    bool wide = false;
    if (row.window == 1 && level > whole && !repeated)
        level = whole; // all nodes below: the last issue to any of them, siblings or not
    else if (row.window == 1 && level <= whole && repeated && !row.siblings)
        level = 0;
    else
        wide = repeated || row.siblings || level > whole;
    const int memory = memoryOf(device.commands[std::size_t(before)], before, level, row.window, row.ticks);
    const Memory& of = m_memories[std::size_t(before)][std::size_t(memory)];
    const Look look{of.first, of.size, level, row.ticks, reasonOf(device, row, before, after)};
    if (wide) {
        m_asked[std::size_t(after)].wide.push_back({look, row.siblings});
        return;
    }
    // Of rows that look at the same memory the longest counts.
    std::vector<Look>& looks = m_asked[std::size_t(after)].looks;
    const auto same = std::find_if(looks.begin(), looks.end(),
                                   [&](const Look& other) { return other.first == look.first; });
    if (same == looks.end())
        looks.push_back(look);
    else if (same->ticks < look.ticks)
        *same = look;
}

int CommandClock::memoryOf(const DramCommand& command, int before, int level, int window, DramTick reach) {
    std::vector<Memory>& memories = m_memories[std::size_t(before)];
    auto found = std::find_if(memories.begin(), memories.end(), [&](const Memory& memory) {
        return memory.level == level && memory.size == window;
    });
    if (found == memories.end()) {
        memories.push_back({int(m_times.size()), window, level,
                            window == 1 && command.repeatedOver < 0 && level <= command.level});
        found = memories.end() - 1;
        m_times.resize(m_times.size() + std::size_t(m_nodes.count(level) * window), kLongAgo);
        m_reach.resize(m_times.size(), 0);
    }
    for (int i = 0; i < m_nodes.count(level) * window; ++i) {
        DramTick& longest = m_reach[std::size_t(found->first + i)];
        longest = std::max(longest, reach);
    }
    return int(found - memories.begin());
}

int CommandClock::reasonOf(const DramDevice& device, const DramConstraint& row, int before, int after) {
    const DramCommand& first = device.commands[std::size_t(before)];
    if (first.refreshes)
        return kRefresh;
    const std::string text = fmt::format(
        "{}{} -> {} {}{}", row.window > 1 ? fmt::format("{} ", row.window) : "", first.name,
        device.commands[std::size_t(after)].name, row.ticks, row.text.empty() ? "" : " (" + row.text + ")");
    const auto found = std::find(m_reasons.begin(), m_reasons.end(), text);
    if (found != m_reasons.end())
        return int(found - m_reasons.begin());
    m_reasons.push_back(text);
    return int(m_reasons.size()) - 1;
}

void CommandClock::askWide(int command, int bank, Ready& latest) const {
    const auto ask = [&](const Look& look, int node) {
        const DramTick tick = m_times[std::size_t(look.first + node * look.size)] + look.ticks;
        if (tick > latest.tick)
            latest = {tick, look.reason};
    };
    for (const WideLook& wide : m_asked[std::size_t(command)].wide) {
        const int level = wide.look.level;
        const DramNodeSet nodes = m_nodes.touched(command, bank, level);
        for (int i = 0, node = nodes.first; i < nodes.count; ++i, node += nodes.stride) {
            if (!wide.siblings) {
                ask(wide.look, node);
                continue;
            }
            const int brothers = m_nodes.under(level - 1) / m_nodes.under(level);
            for (int brother = node - node % brothers; brother < node - node % brothers + brothers; ++brother)
                if (brother != node)
                    ask(wide.look, brother);
        }
    }
}

void CommandClock::issue(int command, int bank, DramTick now) {
    for (const Memory& memory : m_memories[std::size_t(command)]) {
        if (memory.one) {
            m_times[std::size_t(memory.first + m_nodes.of(memory.level, bank))] = now;
            continue;
        }
        const DramNodeSet nodes = m_nodes.touched(command, bank, memory.level);
        DramTick* node = m_times.data() + memory.first + nodes.first * memory.size;
        for (int i = 0; i < nodes.count; ++i, node += nodes.stride * memory.size) {
            for (int k = 1; k < memory.size; ++k)
                node[k - 1] = node[k];
            node[memory.size - 1] = now;
        }
    }
}

void CommandClock::save(DramTick now, DramTick* into) const {
    for (std::size_t i = 0; i < m_times.size(); ++i)
        into[i] = m_times[i] + m_reach[i] > now ? m_times[i] - now : kLongAgo;
}

void CommandClock::restore(DramTick now, const DramTick* from) {
    for (std::size_t i = 0; i < m_times.size(); ++i)
        m_times[i] = from[i] == kLongAgo ? kLongAgo : from[i] + now;
}

} // namespace pim
