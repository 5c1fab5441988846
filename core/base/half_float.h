// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// FP16 (IEEE 754 binary16) by bit pattern: every operation rounded to nearest, ties to even, subnormals
/// kept. Sums and products go through float, whose 24 bits are enough for the second rounding to do no harm
/// (24 >= 2*11 + 2).
#include <bit>
#include <cmath>
#include <cstdint>

namespace pim {

using HalfBits = std::uint16_t;

inline float halfToFloat(HalfBits half) {
    const std::uint32_t sign = std::uint32_t(half & 0x8000) << 16;
    const std::uint32_t rest = half & 0x7fff;
    if (rest >= 0x7c00) // infinity, not a number
        return std::bit_cast<float>(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest >= 0x0400)
        return std::bit_cast<float>(sign | ((rest << 13) + ((127u - 15u) << 23)));
    const float small = static_cast<float>(rest) * 0x1p-24f; // subnormal or zero, exact
    return sign ? -small : small;
}

inline HalfBits floatToHalf(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<HalfBits>(bits >> 16 & 0x8000);
    const std::uint32_t rest = bits & 0x7fffffff;
    if (rest >= 0x7f800000)
        return static_cast<HalfBits>(sign | (rest > 0x7f800000 ? 0x7e00 : 0x7c00));
    if (rest >= 0x477ff000) // 65520 and above round to infinity
        return static_cast<HalfBits>(sign | 0x7c00);
    if (rest >= 0x38800000) { // normal: add half of the last place, less one where it is even
        const std::uint32_t rounded = rest + 0xfff + (rest >> 13 & 1);
        return static_cast<HalfBits>(sign | ((rounded - ((127u - 15u) << 23)) >> 13));
    }
    // Subnormal: adding 0.5 moves the last place of the half to the last of the float, which rounds.
    const float shifted = std::bit_cast<float>(rest) + 0.5f;
    return static_cast<HalfBits>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000));
}

/// Rounded once: by way of the nearest float a number close to a tie would be rounded twice.
inline HalfBits doubleToHalf(double value) {
    const auto nearest = static_cast<float>(value);
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    // Round to odd: what is not exact ends in a 1 and lies on no tie of the halves.
    if (static_cast<double>(nearest) != value && (bits & 1) == 0 && !std::isnan(value))
        bits += std::abs(static_cast<double>(nearest)) < std::abs(value) ? 1 : -1;
    return floatToHalf(std::bit_cast<float>(bits));
}

inline HalfBits halfAdd(HalfBits a, HalfBits b) {
    return floatToHalf(halfToFloat(a) + halfToFloat(b));
}
inline HalfBits halfMul(HalfBits a, HalfBits b) {
    return floatToHalf(halfToFloat(a) * halfToFloat(b));
}

} // namespace pim
