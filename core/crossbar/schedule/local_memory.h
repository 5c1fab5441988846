// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Heap of one core's local memory: first fit, neighbours merge. [PIMCOMP §VII-B]
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace pim {

class LocalMemory {
public:
    static constexpr std::uint32_t kFull = 0xffffffff;

    /// \p capacity in elements.
    explicit LocalMemory(std::uint32_t capacity) : m_capacity(capacity) { m_free.emplace(0, capacity); }

    /// Address of \p elements; kFull where there is no room.
    std::uint32_t take(std::uint32_t elements) {
        for (auto at = m_free.begin(); at != m_free.end(); ++at) {
            if (at->second < elements)
                continue;
            const std::uint32_t address = at->first, left = at->second - elements;
            m_free.erase(at);
            if (left > 0)
                m_free.emplace(address + elements, left);
            m_used += elements;
            m_peak = std::max(m_peak, address + elements);
            return address;
        }
        return kFull;
    }
    void give(std::uint32_t address, std::uint32_t elements) {
        m_used -= elements;
        auto next = m_free.lower_bound(address);
        if (next != m_free.end() && address + elements == next->first) {
            elements += next->second;
            next = m_free.erase(next);
        }
        if (next != m_free.begin()) {
            const auto before = std::prev(next);
            if (before->first + before->second == address) {
                before->second += elements;
                return;
            }
        }
        m_free.emplace(address, elements);
    }
    std::uint32_t used() const { return m_used; }
    std::uint32_t peak() const { return m_peak; } ///< End of the highest address ever taken.
    std::uint32_t capacity() const { return m_capacity; }

private:
    std::map<std::uint32_t, std::uint32_t> m_free; ///< Begin -> elements.
    std::uint32_t m_capacity, m_used = 0, m_peak = 0;
};

} // namespace pim
