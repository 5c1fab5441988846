// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Time of something many share (a bus, a memory), given away in any order: who asks later for an earlier
/// time gets what is left of it.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace pim {

class SharedTime {
public:
    /// Takes the first \p length ns that are free from \p ns on; when they are over.
    double take(double ns, double length) {
        if (length <= 0)
            return ns;
        double left = length, end = ns;
        for (std::size_t slot = free(std::size_t(ns / kSlotNs)); left > 0; slot = free(slot)) {
            const double used = std::min(left, m_left[slot]);
            m_left[slot] -= used;
            left -= used;
            end = double(slot + 1) * kSlotNs - m_left[slot];
            if (m_left[slot] <= 0)
                m_next[slot] = slot + 1;
        }
        return std::max(end, ns + length);
    }

private:
    static constexpr double kSlotNs = 256;

    /// First slot from \p slot on that has time left.
    std::size_t free(std::size_t slot) {
        for (;;) {
            while (slot >= m_next.size()) {
                m_next.push_back(m_next.size());
                m_left.push_back(kSlotNs);
            }
            if (m_next[slot] == slot)
                return slot;
            if (const std::size_t after = m_next[slot]; after < m_next.size())
                m_next[slot] = m_next[after]; // shorter ways for those who come later
            slot = m_next[slot];
        }
    }

    std::vector<std::size_t> m_next; ///< [slot] itself, or a later one if nothing is left of it.
    std::vector<double> m_left;      ///< [slot] ns.
};

} // namespace pim
