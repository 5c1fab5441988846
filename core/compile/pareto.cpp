// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/pareto.h"

#include "core/base/result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pim {
namespace {

/// Of two rows that differ.
bool beats(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return x <= y; });
}

} // namespace

std::vector<bool> paretoFront(const std::vector<std::vector<double>>& figures) {
    std::vector<std::size_t> order;
    for (std::size_t p = 0; p < figures.size(); ++p)
        if (std::ranges::none_of(figures[p], [](double value) { return std::isnan(value); }))
            order.push_back(p);
    std::ranges::sort(order, {}, [&](std::size_t p) -> const std::vector<double>& { return figures[p]; });
    std::vector<bool> onFront(figures.size());
    // In this order a point can be beaten only by an earlier one, and with two figures only by the last that was not.
    std::vector<std::size_t> front;
    for (const std::size_t p : order) {
        const std::vector<double>& row = figures[p];
        const auto asked = static_cast<std::ptrdiff_t>(
            row.size() <= 2 ? std::min<std::size_t>(1, front.size()) : front.size());
        // From the latest on: neighbours in the order are alike.
        const bool isBeaten = std::any_of(front.rbegin(), front.rbegin() + asked, [&](std::size_t other) {
            return figures[other] != row && beats(figures[other], row);
        });
        if (isBeaten)
            continue;
        onFront[p] = true;
        if (front.empty() || figures[front.back()] != row)
            front.push_back(p);
    }
    return onFront;
}

std::vector<bool> paretoFront(std::span<const double> x, std::span<const double> y) {
    PIM_ASSERT(x.size() == y.size(), "every point has both figures");
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double low = kInfinity, high = -kInfinity;
    for (const double value : x)
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    // Strips of x: a point is beaten by any that lies in an earlier strip and is not above it.
    constexpr std::size_t kStrips = 4096;
    const double scale = high > low ? double(kStrips - 1) / (high - low) : 0;
    const auto stripOf = [&](double value) {
        return static_cast<std::size_t>(std::clamp((value - low) * scale, 0.0, double(kStrips - 1)));
    };
    const auto isPoint = [&](std::size_t p) { return std::isfinite(x[p]) && std::isfinite(y[p]); };
    std::vector<double> least(kStrips + 1, kInfinity); // of all strips before
    for (std::size_t p = 0; p < x.size(); ++p)
        if (isPoint(p))
            least[stripOf(x[p]) + 1] = std::min(least[stripOf(x[p]) + 1], y[p]);
    for (std::size_t strip = 1; strip <= kStrips; ++strip)
        least[strip] = std::min(least[strip], least[strip - 1]);
    struct Near {
        double x, y;
        std::size_t point;
    };
    std::vector<Near> near; // side by side: a front may have all points
    for (std::size_t p = 0; p < x.size(); ++p)
        if (isPoint(p) && y[p] < least[stripOf(x[p])])
            near.push_back({x[p], y[p], p});
    std::ranges::sort(near, {}, [](const Near& at) { return std::pair(at.x, at.y); });
    std::vector<bool> onFront(x.size());
    const Near* last = nullptr; // on the front
    for (const Near& at : near)
        if (!last || at.y < last->y || (at.x == last->x && at.y == last->y)) {
            onFront[at.point] = true;
            last = &at;
        }
    return onFront;
}

} // namespace pim
