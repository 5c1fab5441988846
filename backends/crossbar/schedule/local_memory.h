// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Heap of one core's local memory: first fit, neighbours merge. [PIMCOMP §VII-B]
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace pim {

class LocalMemory {
public:
    static constexpr std::uint32_t kFull = 0xffffffff;

    /// \p capacity in elements.
    explicit LocalMemory(std::uint32_t capacity) : m_free{{0, capacity}}, m_capacity(capacity) {}

    /// Address of \p elements; kFull where there is no room.
    std::uint32_t take(std::uint32_t elements) {
        for (auto at = m_free.begin(); at != m_free.end(); ++at) {
            if (at->elements < elements)
                continue;
            const std::uint32_t address = at->begin;
            at->begin += elements;
            at->elements -= elements;
            if (at->elements == 0)
                m_free.erase(at);
            m_used += elements;
            m_peak = std::max(m_peak, address + elements);
            return address;
        }
        return kFull;
    }
    void give(std::uint32_t address, std::uint32_t elements) {
        m_used -= elements;
        const auto next = std::ranges::lower_bound(m_free, address, {}, &Gap::begin);
        const bool joinsNext = next != m_free.end() && address + elements == next->begin;
        if (next != m_free.begin()) {
            const auto before = std::prev(next);
            if (before->begin + before->elements == address) {
                before->elements += elements + (joinsNext ? next->elements : 0);
                if (joinsNext)
                    m_free.erase(next);
                return;
            }
        }
        if (joinsNext)
            *next = {address, elements + next->elements};
        else
            m_free.insert(next, {address, elements});
    }
    std::uint32_t used() const { return m_used; }
    std::uint32_t peak() const { return m_peak; } ///< End of the highest address ever taken.
    std::uint32_t capacity() const { return m_capacity; }

private:
    struct Gap {
        std::uint32_t begin = 0, elements = 0;
    };
    std::vector<Gap> m_free; ///< In the order of addresses.
    std::uint32_t m_capacity, m_used = 0, m_peak = 0;
};

} // namespace pim
