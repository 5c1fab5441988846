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
        while (ns / m_slotNs >= kMostSlots)
            coarsen();
        for (std::size_t slot = free(std::size_t(ns / m_slotNs)); left > 0; slot = free(slot)) {
            const double used = std::min(left, m_left[slot]);
            m_left[slot] -= used;
            left -= used;
            end = double(slot + 1) * m_slotNs - m_left[slot];
            if (m_left[slot] <= 0)
                m_next[slot] = slot + 1;
        }
        return std::max(end, ns + length);
    }

    std::size_t slotCount() const { return m_left.size(); } ///< That are kept.

private:
    static constexpr double kMostSlots = 1 << 18; // 67 ms of 256 ns; who takes longer is not asked so exactly

    /// Two slots become one.
    void coarsen() {
        if (m_left.size() % 2 != 0)
            m_left.push_back(m_slotNs);
        m_slotNs *= 2;
        const std::size_t pairs = m_left.size() / 2;
        for (std::size_t slot = 0; slot < pairs; ++slot)
            m_left[slot] = m_left[2 * slot] + m_left[2 * slot + 1];
        m_left.resize(pairs);
        m_next.resize(pairs);
        for (std::size_t slot = 0; slot < pairs; ++slot)
            m_next[slot] = m_left[slot] > 0 ? slot : slot + 1;
    }

    /// First slot from \p slot on that has time left.
    std::size_t free(std::size_t slot) {
        for (;;) {
            if (double(slot) >= kMostSlots) {
                coarsen();
                slot /= 2;
            }
            while (slot >= m_next.size()) {
                m_next.push_back(m_next.size());
                m_left.push_back(m_slotNs);
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
    double m_slotNs = 256;
};

} // namespace pim
