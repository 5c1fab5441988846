// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Random numbers that are the same on every machine and with every standard library: splitmix64 (Steele, Lea and Flood 2014;
/// public domain code by S. Vigna, https://prng.di.unimi.it/splitmix64.c).
#include <cstdint>

namespace pim {

inline std::uint64_t nextRandom(std::uint64_t& state) {
    std::uint64_t z = state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// In [0, 1), 53 bits.
inline double nextFraction(std::uint64_t& state) {
    return static_cast<double>(nextRandom(state) >> 11) * 0x1p-53;
}

} // namespace pim
