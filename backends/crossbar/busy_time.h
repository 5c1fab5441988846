// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Nanoseconds in which something shared is taken, as intervals: memory grows with the gaps, not with the
/// time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>

namespace pim {

class BusyTime {
public:
    /// Takes the first \p count free nanoseconds from \p from on, in several pieces if it must be.
    /// \returns the distance from \p from to the end of the last one taken. Amortised O(log gaps).
    std::int64_t take(std::int64_t from, std::int64_t count) {
        if (count <= 0)
            return 0;
        auto next = m_busy.upper_bound(from);
        std::int64_t begin = from, at = from;
        if (next != m_busy.begin())
            if (const auto before = std::prev(next); before->second >= from) {
                begin = before->first;
                at = before->second;
                next = m_busy.erase(before);
            }
        while (true) {
            const std::int64_t gap = (next == m_busy.end() ? kNever : next->first) - at;
            if (count < gap) {
                at += count;
                break;
            }
            count -= gap; // the gap is full, what follows joins
            const std::int64_t filled = next->first;
            at = next->second;
            next = m_busy.erase(next);
            if (count == 0) {
                m_busy.emplace_hint(next, begin, at);
                return filled - from;
            }
        }
        m_busy.emplace_hint(next, begin, at);
        return at - from;
    }
    std::size_t intervals() const { return m_busy.size(); }

private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 2;
    std::map<std::int64_t, std::int64_t> m_busy; ///< begin -> end; no two touch.
};

} // namespace pim
