// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/pareto.h"

#include "core/base/result.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
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

std::vector<std::size_t> paretoFrontInOrder(std::span<const double> x, std::span<const double> y) {
    PIM_ASSERT(x.size() == y.size(), "every point has both figures");
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double low = kInfinity, high = -kInfinity;
    for (const double value : x)
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    // Strips of x: a point is beaten by any that lies in an earlier strip and is not above it.
    constexpr std::uint16_t kStrips = 4096;
    const double scale = high > low ? double(kStrips - 1) / (high - low) : 0;
    std::vector<std::uint16_t> strips(x.size(), kStrips); // of no point
    std::vector<double> least(kStrips + 1, kInfinity);    // of all strips before
    for (std::size_t p = 0; p < x.size(); ++p)
        if (std::isfinite(x[p]) && std::isfinite(y[p])) {
            strips[p] = static_cast<std::uint16_t>(std::min((x[p] - low) * scale, double(kStrips - 1)));
            double& its = least[strips[p] + std::size_t{1}];
            its = std::min(its, y[p]);
        }
    for (std::size_t strip = 1; strip <= kStrips; ++strip)
        least[strip] = std::min(least[strip], least[strip - 1]);
    struct Near {
        double x, y;
        std::size_t point;
        bool operator<(const Near& other) const {
            return x != other.x ? x < other.x : y != other.y ? y < other.y : point < other.point;
        }
    };
    std::vector<std::size_t> points; // that are near
    std::vector<std::size_t> ends(kStrips + 1);
    for (std::size_t p = 0; p < x.size(); ++p)
        if (strips[p] < kStrips && y[p] < least[strips[p]]) {
            points.push_back(p);
            ++ends[strips[p] + std::size_t{1}];
        }
    for (std::size_t strip = 1; strip <= kStrips; ++strip)
        ends[strip] += ends[strip - 1];
    std::vector<Near> near(points.size()); // side by side, as a front may have all points
    std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
    for (const std::size_t p : points)
        near[next[strips[p]]++] = {x[p], y[p], p};
    std::vector<std::size_t> front;
    const Near* last = nullptr; // on the front
    for (std::size_t strip = 0; strip < kStrips; ++strip) {
        const auto its = std::span(near).subspan(ends[strip], ends[strip + 1] - ends[strip]);
        std::ranges::sort(its, std::less<>());
        for (const Near& at : its)
            if (!last || at.y < last->y || (at.x == last->x && at.y == last->y)) {
                front.push_back(at.point);
                last = &at;
            }
    }
    return front;
}

} // namespace pim
