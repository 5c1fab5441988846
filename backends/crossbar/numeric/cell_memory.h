// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Memory of a core or chip while a program runs, element by element. It knows which elements were written,
/// and which are the further elements of an accumulator, so that reading what is not there is found.
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace pim {

template <class Number>
class CellMemory {
public:
    /// \param limit elements at most; 0: none.
    explicit CellMemory(std::int64_t limit = 0) : m_limit(limit) {}

    bool fits(std::uint64_t address, std::uint64_t count) const {
        return m_limit == 0 || address + count <= std::uint64_t(m_limit);
    }
    std::int64_t limit() const { return m_limit; }
    std::size_t used() const { return m_cells.size(); }

    /// First position of \p count that was never written; -1 if all are there.
    std::int64_t firstMissing(std::uint64_t address, std::uint64_t count) const {
        for (std::uint64_t i = 0; i < count; ++i)
            if (address + i >= m_cells.size() || isEmpty(m_cells[address + i]))
                return std::int64_t(i);
        return -1;
    }
    /// Values that take \p width elements each. False where one is missing, or is no value of that width.
    bool read(std::uint64_t address, std::span<Number> values, int width) const {
        if (address + values.size() * std::size_t(width) > m_cells.size())
            return false;
        const Number *from = m_cells.data() + address, *end = m_cells.data() + m_cells.size();
        for (std::size_t i = 0; i < values.size(); ++i, from += width) {
            const bool wide = from + 1 < end && isFurther(from[1]);
            if (isEmpty(*from) || isFurther(*from) || wide != (width > 1))
                return false;
            values[i] = *from;
        }
        return true;
    }
    void write(std::uint64_t address, std::span<const Number> values, int width) {
        const std::uint64_t end = address + values.size() * std::size_t(width);
        if (end > m_cells.size())
            m_cells.resize(std::max<std::size_t>(end, m_cells.size() + m_cells.size() / 2), empty());
        Number* to = m_cells.data() + address;
        for (const Number value : values) {
            *to++ = value;
            for (int i = 1; i < width; ++i)
                *to++ = further();
        }
        if (end < m_cells.size() && isFurther(*to)) // the rest of an accumulator whose head is gone
            *to = empty();
    }
    /// Is the value at \p address an accumulator?
    bool isWide(std::uint64_t address) const {
        return address + 1 < m_cells.size() && isFurther(m_cells[address + 1]);
    }

private:
    // Marks are numbers nobody computes: of reals two of the NaNs that no arithmetic gives, told by their bits, as
    // programs may well compute a NaN.
    static constexpr bool kReal = std::is_floating_point_v<Number>;
    static constexpr std::uint64_t kEmptyBits = 0x7ff4'0000'0000'0e11, kFurtherBits = 0x7ff4'0000'0000'0e12;
    static Number mark(std::uint64_t bits, Number whole) {
        if constexpr (kReal)
            return std::bit_cast<Number>(bits);
        else
            return whole;
    }
    static bool isMark(Number value, Number mark) {
        if constexpr (kReal)
            return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(mark);
        else
            return value == mark;
    }
    static Number empty() { return mark(kEmptyBits, std::numeric_limits<Number>::min()); }
    static Number further() { return mark(kFurtherBits, std::numeric_limits<Number>::min() + 1); }
    static bool isEmpty(Number value) { return isMark(value, empty()); }
    static bool isFurther(Number value) { return isMark(value, further()); }

    std::vector<Number> m_cells;
    std::int64_t m_limit;
};

} // namespace pim
