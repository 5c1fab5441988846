// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Fixed-point numbers with an exponent: real = q * 2^exponent, q signed and of a given width. Rounding is to
/// the nearest, ties to even, and saturates; sums in accumulators wrap, so that they do not depend on their
/// order.
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pim::fixed {

inline std::int64_t largest(int bits) {
    return (std::int64_t(1) << (bits - 1)) - 1;
}

/// Smallest exponent with which numbers up to \p largestReal fit \p bits; that of 1 for 0.
inline int exponentFor(double largestReal, int bits) {
    const auto limit = double(largest(bits));
    if (!(largestReal > 0) || !std::isfinite(largestReal))
        return 1 - bits;
    int exponent = std::ilogb(largestReal) - bits;
    while (std::ldexp(limit, exponent) < largestReal)
        ++exponent;
    return exponent;
}

/// q for \p real; 0 for what is no number.
inline std::int64_t fromReal(double real, int exponent, int bits) {
    const double q = std::nearbyint(std::ldexp(real, -exponent));
    const auto limit = double(largest(bits));
    return std::isnan(q) ? 0 : std::int64_t(std::clamp(q, -limit - 1, limit));
}

/// fromReal() for many numbers of one exponent; the same results.
class Rounding {
public:
    Rounding(int exponent, int bits)
        : m_factor(std::ldexp(1.0, -exponent)), m_most(double(largest(bits))), m_least(-m_most - 1) {}
    std::int64_t operator()(double real) const {
        // Adding 1.5 * 2^52 leaves no bits for fractions, so the sum is rounded to even as nearbyint() does.
        constexpr double kNoFractions = 0x1.8p52;
        const double inside = std::clamp(real * m_factor, m_least, m_most); // not a number stays so
        return real == real ? std::int64_t((inside + kNoFractions) - kNoFractions) : 0;
    }

private:
    double m_factor, m_most, m_least;
};

/// Two's complement of \p bits.
inline std::int64_t wrap(std::int64_t value, int bits) {
    if (bits >= 64)
        return value;
    return std::int64_t(std::uint64_t(value) << (64 - bits)) >> (64 - bits);
}

} // namespace pim::fixed
