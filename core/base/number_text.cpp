// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace pim {
namespace {

/// Four significant digits; whole numbers below the first prefix stay whole.
std::string scaled(double value, double base, const auto& units) {
    if (!std::isfinite(value))
        return fmt::format("{} {}", value, units[0]);
    std::size_t unit = 0;
    // 999.95 would be printed as "1000": move on to the next prefix before rounding makes a fifth digit.
    while (unit + 1 < units.size() && std::abs(value) >= base * 0.99995) {
        value /= base;
        ++unit;
    }
    const std::string_view suffix = units[unit];
    const std::string_view space = suffix.empty() ? "" : " ";
    if (unit == 0 && value == std::round(value))
        return fmt::format("{:.0f}{}{}", value, space, suffix);
    const double magnitude = std::abs(value);
    if (magnitude < 0.1) // three decimals would leave nothing of it
        return fmt::format("{:.4g}{}{}", value, space, suffix);
    const int decimals = magnitude >= 999.95 ? 0 : magnitude >= 99.995 ? 1 : magnitude >= 9.9995 ? 2 : 3;
    return fmt::format("{:.{}f}{}{}", value, decimals, space, suffix);
}

} // namespace

std::string timeText(double ns) {
    static constexpr std::array<std::string_view, 4> kUnits{"ns", "µs", "ms", "s"};
    return scaled(ns, 1000, kUnits);
}

std::string energyText(double pj) {
    static constexpr std::array<std::string_view, 5> kUnits{"pJ", "nJ", "µJ", "mJ", "J"};
    return scaled(pj, 1000, kUnits);
}

std::string bytesText(double bytes) {
    static constexpr std::array<std::string_view, 6> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    return scaled(bytes, 1024, kUnits);
}

std::string bandwidthText(double bytesPerNs) {
    static constexpr std::array<std::string_view, 5> kUnits{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    return scaled(bytesPerNs * 1e9, 1000, kUnits);
}

std::string countText(double count) {
    static constexpr std::array<std::string_view, 6> kUnits{"", "k", "M", "G", "T", "P"};
    return scaled(count, 1000, kUnits);
}

std::string ratioText(double ratio) {
    return fmt::format("{:.{}f}×", ratio, ratio >= 100 ? 0 : ratio >= 10 ? 1 : 2);
}

std::string percentText(double fraction) {
    return fmt::format("{:.1f} %", fraction * 100);
}

std::string exactText(std::int64_t value) {
    std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) {
        at -= 3;
        digits.insert(at, "\u2009");
    }
    return digits;
}

} // namespace pim
