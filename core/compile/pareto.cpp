// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/pareto.h"

#include <algorithm>
#include <cmath>

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

} // namespace pim
