// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Inner loops of look-ups in the widest vectors the machine has. Every machine gives the same numbers: sums run in one order, nothing
/// is fused.
#include <cstdint>
#include <vector>

namespace pim::lut {

/// Centroids of one codebook beside each other, [length][centroids], so that all distances are one loop.
template <class Number>
struct TurnedBook {
    const Number* values = nullptr;
    std::int64_t length = 0, centroids = 0;
};

/// Squared distances of \p point [length] to all centroids; \returns the index of the least, the lowest of equal ones.
std::int64_t nearest(const TurnedBook<double>& book, const double* point, double* distances);
/// The same in float32, but a centroid is taken over an earlier one only if it is closer by more than \p margin.
std::int64_t nearest(const TurnedBook<float>& book, const float* point, float* distances, float margin);

/// sums[f] += row[f] for each of \p count rows of \p features, in their order.
void addRows(const float* const* rows, std::int64_t count, std::int64_t features, double* sums);
void addRows(const float* const* rows, std::int64_t count, std::int64_t features, float* sums);
void addRows(const std::int8_t* const* rows, std::int64_t count, std::int64_t features, std::int32_t* sums);
/// to[f] += from[f].
void addRow(const float* from, std::int64_t features, float* to);

/// Factors of a step of Adam. [Kingma, Ba 2015]
struct AdamStep {
    float factor = 0; ///< Rate, with the corrections of both means.
    float mean = 0.9F, square = 0.999F, tiny = 1e-12F;
};
/// Means, squares and parameters of \p count elements after \p gradient.
struct AdamState {
    float* mean = nullptr;
    float* square = nullptr;
    float* parameters = nullptr;
};
void adam(const AdamStep& step, const float* gradient, std::int64_t count, const AdamState& state);

} // namespace pim::lut
