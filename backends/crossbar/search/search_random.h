// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Numbers that a seed decides alone: the same on every machine and library, unlike
/// std::uniform_int_distribution.
#include <cstdint>
#include <random>

namespace pim {

class SearchRandom {
public:
    explicit SearchRandom(std::uint64_t seed) : m_engine(seed) {}
    int below(int count) { return int(m_engine() % std::uint64_t(count)); }
    double unit() { return double(m_engine() >> 11) * 0x1.0p-53; }

private:
    std::mt19937_64 m_engine;
};

} // namespace pim
