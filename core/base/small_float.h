// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Floating-point numbers of 8 and 4 bits by bit pattern: FLOAT8 as E4M3FN, E4M3FNUZ, E5M2, E5M2FNUZ [Micikevicius et al. 2022, FP8
/// formats for deep learning; Noune et al. 2022, 8-bit numerical formats], FLOAT4E2M1 [OCP Microscaling formats 1.0]. Rounded to
/// nearest, ties to even; what is too large, and what is not a number, as onnx/docs/technical/float8.md and float4.md say.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pim {

struct SmallFloat {
    int exponentBits, mantissaBits, bias;
    std::uint8_t largest;        ///< Bits of the largest number.
    std::uint8_t notANumber;     ///< One of the patterns that are none.
    bool hasInfinity, hasNan;    ///< Infinity is the pattern after the largest.
    bool hasNegativeZero = true; ///< Else that pattern is the one that is not a number.

    constexpr int signShift() const { return exponentBits + mantissaBits; }
};

constexpr SmallFloat kE4M3{4, 3, 7, 0x7e, 0x7f, false, true, true};
constexpr SmallFloat kE4M3Fnuz{4, 3, 8, 0x7f, 0x80, false, true, false};
constexpr SmallFloat kE5M2{5, 2, 15, 0x7b, 0x7f, true, true, true};
constexpr SmallFloat kE5M2Fnuz{5, 2, 16, 0x7f, 0x80, false, true, false};
constexpr SmallFloat kE2M1{2, 1, 1, 0x7, 0x7, false, false, true};

inline float smallToFloat(const SmallFloat& f, std::uint8_t bits) {
    const int magnitude = bits & ((1 << f.signShift()) - 1), exponent = magnitude >> f.mantissaBits,
              mantissa = magnitude & ((1 << f.mantissaBits) - 1);
    const bool isNegative = (bits >> f.signShift() & 1) != 0;
    if (!f.hasNegativeZero && isNegative && magnitude == 0)
        return std::numeric_limits<float>::quiet_NaN();
    float value = 0;
    if (magnitude > f.largest)
        value = f.hasInfinity && magnitude == f.largest + 1 ? std::numeric_limits<float>::infinity()
                                                            : std::numeric_limits<float>::quiet_NaN();
    else if (exponent == 0)
        value = std::ldexp(static_cast<float>(mantissa), 1 - f.bias - f.mantissaBits);
    else
        value = std::ldexp(static_cast<float>(mantissa + (1 << f.mantissaBits)),
                           exponent - f.bias - f.mantissaBits);
    return isNegative ? -value : value;
}

/// \param saturates what is too large becomes the largest number; else infinity, or not a number where there is none.
inline std::uint8_t doubleToSmall(const SmallFloat& f, double value, bool saturates = true) {
    if (std::isnan(value))
        return f.notANumber;
    const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 1 << f.signShift() : 0);
    const double magnitude = std::fabs(value), largest = static_cast<double>(smallToFloat(f, f.largest));
    const int exponent =
        std::max(magnitude > 0 && std::isfinite(magnitude) ? std::ilogb(magnitude) : 0, 1 - f.bias);
    const double step = std::ldexp(1.0, exponent - f.mantissaBits),
                 rounded = std::isfinite(magnitude) ? std::nearbyint(magnitude / step) * step : magnitude;
    if (rounded > largest) {
        if (saturates || !f.hasNan)
            return sign | f.largest;
        return f.hasInfinity ? static_cast<std::uint8_t>(sign | (f.largest + 1)) : f.notANumber;
    }
    if (rounded == 0)
        return f.hasNegativeZero ? sign : 0;
    const int place = std::max(std::ilogb(rounded), 1 - f.bias); // rounding may have reached the next power
    const auto digits = static_cast<int>(std::ldexp(rounded, f.mantissaBits - place));
    const int biased = digits >> f.mantissaBits ? place + f.bias : 0;
    return static_cast<std::uint8_t>(sign | biased << f.mantissaBits |
                                     (digits & ((1 << f.mantissaBits) - 1)));
}

} // namespace pim
