// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Points of many dimensions on the plane in which they spread most: their first two principal components. [Pearson 1901]
/// Flow: sub-vectors -> principalPlane -> Plane -> at() of sub-vectors and centroids -> pictures.
#include "core/base/result.h"

#include <array>
#include <span>
#include <vector>

namespace pim::lut {

struct Plane {
    std::vector<double> mean;                ///< [length]
    std::array<std::vector<double>, 2> axes; ///< [length], of length 1; of zeros where points do not spread.
    std::array<double, 2> variance{};        ///< Along the axes, mean of squares.
    double allVariance = 0;                  ///< Of all dimensions together.

    double share(std::size_t axis) const { return allVariance > 0 ? variance[axis] / allVariance : 0; }
    std::array<double, 2> at(std::span<const float> point) const;
};

/// Eigenvectors of the covariance by power iteration (Golub and Van Loan, Matrix Computations, section 7.3.1), the largest first; the
/// first component of each that is not zero is positive, so that a picture does not turn over. Costs length x points a step.
/// \param points [count, length]. Errors: Usage for no points, or lengths that do not divide them.
Result<Plane> principalPlane(std::span<const float> points, std::int64_t length);

} // namespace pim::lut
