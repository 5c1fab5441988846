// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/linear_price.h"

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

using Matrix = std::array<PriceTerms, kPriceTerms>;

/// Solves a symmetric positive definite system by elimination.
PriceTerms solve(Matrix a, PriceTerms b) {
    for (std::size_t k = 0; k < kPriceTerms; ++k)
        for (std::size_t i = k + 1; i < kPriceTerms; ++i) {
            const double factor = a[i][k] / a[k][k];
            for (std::size_t j = k; j < kPriceTerms; ++j)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    PriceTerms x{};
    for (std::size_t k = kPriceTerms; k-- > 0;) {
        double rest = b[k];
        for (std::size_t j = k + 1; j < kPriceTerms; ++j)
            rest -= a[k][j] * x[j];
        x[k] = rest / a[k][k];
    }
    return x;
}

} // namespace

LinearPrice LinearPrice::fit(std::span<const PriceTerms> terms, std::span<const double> simulatedNs) {
    const PriceTerms formula = LinearPrice().weights();
    // Columns are brought to one size, so that the pull is as strong on each.
    PriceTerms size{};
    for (std::size_t s = 0; s < terms.size(); ++s)
        for (std::size_t k = 0; k < kPriceTerms; ++k)
            size[k] += std::pow(terms[s][k] / simulatedNs[s], 2);
    for (double& one : size)
        one = one > 0 ? std::sqrt(one) : 1;
    Matrix a{};
    PriceTerms b{};
    for (std::size_t s = 0; s < terms.size(); ++s) {
        PriceTerms row;
        double missing = 1; // what the formula leaves of 100 %
        for (std::size_t k = 0; k < kPriceTerms; ++k) {
            row[k] = terms[s][k] / simulatedNs[s] / size[k];
            missing -= formula[k] * terms[s][k] / simulatedNs[s];
        }
        for (std::size_t i = 0; i < kPriceTerms; ++i) {
            b[i] += row[i] * missing;
            for (std::size_t j = 0; j < kPriceTerms; ++j)
                a[i][j] += row[i] * row[j];
        }
    }
    constexpr double kPull = 1e-4;
    for (std::size_t k = 0; k < kPriceTerms; ++k)
        a[k][k] += kPull;
    PriceTerms weights = solve(a, b);
    for (std::size_t k = 0; k < kPriceTerms; ++k)
        weights[k] = formula[k] + weights[k] / size[k];
    return LinearPrice(weights);
}

double LinearPrice::ns(const PriceTerms& terms) const {
    double sum = 0;
    for (std::size_t k = 0; k < kPriceTerms; ++k)
        sum += m_weights[k] * terms[k];
    const double formula = terms[0] + terms[1] + terms[2] + terms[3];
    return std::clamp(sum, formula / 4, formula * 4);
}

} // namespace pim
