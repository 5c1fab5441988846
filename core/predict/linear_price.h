// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A price whose parts are weighed as measured: sum of weight * term over the parts of the formula and counts
/// of bursts. What is systematically off (a latency counted that is hidden, an overlap the formula does not
/// know) goes into the weights, so that the trees have only the rest to learn. Flow: terms with simulated
/// times -> [LinearPrice] -> ns.
#include "core/drafts/opwise.h"

#include <array>
#include <span>
#include <string_view>

namespace pim {

/// Four parts of the price, a constant, and for the output and three inputs: bursts of a tile, of a group, of
/// all cores.
inline constexpr std::size_t kPriceTerms = 5 + 4 * 3;
using PriceTerms = std::array<double, kPriceTerms>;

class LinearPrice {
public:
    LinearPrice() : m_weights{1, 1, 1, 1} {} ///< The formula as it is.
    explicit LinearPrice(const PriceTerms& weights) : m_weights(weights) {}
    /// Least squares of the relative error, with a slight pull to the formula: few samples change little.
    static LinearPrice fit(std::span<const PriceTerms> terms, std::span<const double> simulatedNs);

    /// At least a quarter of the formula and at most four times it: weights are no guide far from what they
    /// were learned on.
    double ns(const PriceTerms& terms) const;
    const PriceTerms& weights() const { return m_weights; }

private:
    PriceTerms m_weights;
};

} // namespace pim
