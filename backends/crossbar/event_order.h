// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The order of time among the cores of a chip: what each of them has to come, few things in order, and which
/// comes first. For who follows a program event by event: profiler, schedule, search. Nanoseconds.
#include <cstddef>
#include <limits>
#include <vector>

namespace pim {

/// Few things in order. Most that come belong at the end, as steps do that are numbered as they come and
/// events whose times only grow: so that costs nothing. What belongs elsewhere moves those behind it.
template <class Item>
class OrderedRun {
public:
    bool empty() const { return m_begin == m_items.size(); }
    const Item& first() const { return m_items[m_begin]; }
    void add(const Item& item) {
        std::size_t at = m_items.size();
        m_items.push_back(item);
        for (; at > m_begin && item < m_items[at - 1]; --at)
            m_items[at] = m_items[at - 1];
        m_items[at] = item;
    }
    void removeFirst() {
        ++m_begin;
        if (m_begin == m_items.size()) {
            m_items.clear();
            m_begin = 0;
        } else if (m_begin >= kMostGone && 2 * m_begin > m_items.size()) {
            m_items.erase(m_items.begin(), m_items.begin() + std::ptrdiff_t(m_begin));
            m_begin = 0;
        }
    }

private:
    static constexpr std::size_t kMostGone = 16;
    std::vector<Item> m_items;
    std::size_t m_begin = 0; ///< What is before it is gone.
};

/// Of some things, cores mostly, the one whose time comes first, the first of those of the same time: a tree of winners, so
/// that a new time costs a path towards the root and nothing is left over from old ones.
class FirstInTime {
public:
    static constexpr double kNever = std::numeric_limits<double>::infinity();
    explicit FirstInTime(int count) {
        std::size_t leaves = 1;
        for (; leaves < std::size_t(count); leaves *= kWays)
            m_inner += leaves;
        m_turns.resize(m_inner + leaves);
        for (std::size_t i = m_turns.size(); i-- > 0;)
            m_turns[i].number = i < m_inner ? m_turns[kWays * i + 1].number : int(i - m_inner);
    }
    double ns() const { return m_turns[0].ns; }
    int number() const { return m_turns[0].number; }
    void set(int number, double ns) {
        std::size_t i = m_inner + std::size_t(number);
        m_turns[i].ns = ns;
        while (i > 0) {
            i = (i - 1) / kWays;
            // Who wins is as good as random, so nothing here jumps for it.
            const Turn* const below = &m_turns[kWays * i + 1];
            const std::size_t left = below[1].ns < below[0].ns, right = 2 + (below[3].ns < below[2].ns);
            const Turn winner = below[below[right].ns < below[left].ns ? right : left];
            if (int(m_turns[i].number == winner.number) & int(m_turns[i].ns == winner.ns))
                return;
            m_turns[i] = winner;
        }
    }

private:
    static constexpr std::size_t kWays = 4;
    struct Turn {
        double ns = kNever;
        int number = 0;
    };
    std::size_t m_inner = 0;   ///< Nodes above the things themselves.
    std::vector<Turn> m_turns; ///< The root is 0, below i are 4 i + 1 to 4 i + 4, the last are the things.
};

} // namespace pim
