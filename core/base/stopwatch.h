// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How long a piece of work took, by the clock on the wall.
#include <chrono>

namespace pim {

class Stopwatch {
public:
    /// Since it was made, or since the last lap().
    double milliseconds() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_start).count();
    }
    /// The same, and begins anew.
    double lap() {
        const double ms = milliseconds();
        m_start = std::chrono::steady_clock::now();
        return ms;
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace pim
