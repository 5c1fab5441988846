// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// BF16 (the upper half of IEEE 754 binary32) by bit pattern, rounded to nearest, ties to even, subnormals
/// kept.
#include <bit>
#include <cstdint>

namespace pim {

using BfloatBits = std::uint16_t;

inline float bfloatToFloat(BfloatBits bits) {
    return std::bit_cast<float>(std::uint32_t(bits) << 16);
}

inline BfloatBits floatToBfloat(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffff) > 0x7f800000) // not a number: stays one, whatever of its bits is cut off
        return static_cast<BfloatBits>(bits >> 16 | 0x40);
    return static_cast<BfloatBits>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

} // namespace pim
