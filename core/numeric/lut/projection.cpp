// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/lut/projection.h"

#include "core/base/split_mix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::lut {
namespace {

constexpr double kNothing = 1e-9; ///< Of what has length 1.

/// Points less their mean, [count, size]. Their covariance is only ever multiplied by: as a matrix it would be large for long points.
struct Spread {
    std::size_t count = 0, size = 0;
    std::vector<double> points;

    /// Covariance x vector.
    std::vector<double> times(const std::vector<double>& vector) const {
        std::vector<double> product(size);
        for (std::size_t p = 0; p < count; ++p) {
            const double* const point = points.data() + p * size;
            double along = 0;
            for (std::size_t i = 0; i < size; ++i)
                along += point[i] * vector[i];
            for (std::size_t i = 0; i < size; ++i)
                product[i] += along * point[i] / double(count);
        }
        return product;
    }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// Takes out what lies along \p axis, of length 1 or 0, and makes the rest of length 1; of zeros if it was nothing beside \p scale.
void normalise(std::vector<double>& vector, const std::vector<double>& axis, double scale) {
    const double along = dot(vector, axis);
    for (std::size_t i = 0; i < vector.size(); ++i)
        vector[i] -= along * axis[i];
    const double length = std::sqrt(dot(vector, vector));
    for (double& part : vector)
        part = length > kNothing * scale ? part / length : 0;
}

/// The direction of most variance that is at right angles to \p other.
std::vector<double> mainAxis(const Spread& spread, const std::vector<double>& other, double all) {
    constexpr int kMostSteps = 300;
    constexpr double kSettled = 1e-14; // of the variance; directions are then known to a ten-millionth
    std::uint64_t random = 1;          // a fixed start that is at right angles to nothing
    std::vector<double> axis(spread.size);
    for (double& part : axis)
        part = nextFraction(random) - 0.5;
    normalise(axis, other, 0);
    double before = 0;
    for (int i = 0; i < kMostSteps; ++i) {
        std::vector<double> next = spread.times(axis);
        const double variance = dot(axis, next);
        normalise(next, other, all);
        axis = std::move(next);
        if (std::abs(variance - before) <= kSettled * all)
            break;
        before = variance;
    }
    return axis;
}

void pointUp(std::vector<double>& axis) {
    const auto first = std::ranges::find_if(axis, [](double part) { return std::abs(part) > kNothing; });
    if (first != axis.end() && *first < 0)
        for (double& part : axis)
            part = -part;
}

} // namespace

std::array<double, 2> Plane::at(std::span<const float> point) const {
    std::array<double, 2> found{};
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
        for (std::size_t i = 0; i < axes[axis].size(); ++i)
            found[axis] += axes[axis][i] * (double(point[i]) - mean[i]);
    return found;
}

Result<Plane> principalPlane(std::span<const float> points, std::int64_t length) {
    if (length < 1 || points.empty() || std::ssize(points) % length != 0)
        return fail(ErrorCode::Usage, fmt::format("{} values are no points of {}", points.size(), length));
    const auto size = static_cast<std::size_t>(length), count = points.size() / size;
    Plane plane;
    plane.mean.resize(size);
    for (std::size_t i = 0; i < points.size(); ++i)
        plane.mean[i % size] += double(points[i]) / double(count);
    Spread spread{count, size, std::vector<double>(points.size())};
    for (std::size_t i = 0; i < points.size(); ++i) {
        spread.points[i] = double(points[i]) - plane.mean[i % size];
        plane.allVariance += spread.points[i] * spread.points[i] / double(count);
    }
    plane.axes[0] = mainAxis(spread, std::vector<double>(size), plane.allVariance);
    plane.axes[1] = mainAxis(spread, plane.axes[0], plane.allVariance);
    for (std::size_t axis = 0; axis < plane.axes.size(); ++axis) {
        plane.variance[axis] = dot(plane.axes[axis], spread.times(plane.axes[axis]));
        pointUp(plane.axes[axis]);
    }
    return plane;
}

} // namespace pim::lut
