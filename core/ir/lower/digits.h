// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Bit slicing: an integer of b bytes as b signed bytes, for cells of 8 bits. value = sum of digit[i] 256^i modulo 256^b with
/// digits in [-128, 127], so that signed cells multiply them; a product modulo 256^b is the sum of digit[i] digit[j]
/// 256^(i+j) over i + j < b: 10 products of bytes for 32 bits, put together by shift and add. (CINM, section 4: "INT32 by bit
/// slicing"; digits with a sign instead of a correction term are our choice, they need no more cells.)
#include "core/ir/type.h"

namespace pim::ir {

/// Bytes of an integer type: its digits.
inline std::int64_t digitsOf(Scalar element) {
    return bytesOf(element);
}
/// Products of digits that a product modulo the width of the type takes.
inline std::int64_t digitProducts(std::int64_t digits) {
    return digits * (digits + 1) / 2;
}

inline std::int64_t digitAt(std::int64_t value, std::int64_t digit) {
    auto rest = static_cast<std::uint64_t>(value);
    for (; digit > 0; --digit)
        rest = (rest - static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(rest)})) >> 8;
    return static_cast<std::int8_t>(rest);
}

} // namespace pim::ir
