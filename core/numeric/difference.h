// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How far numbers are from those they are held against. Where the reference is NaN or infinite, anything that is not finite is
/// right, since which of them it is depends on the order of a sum; no error counts such elements.
#include "core/numeric/element_access.h"

#include <span>
#include <string>

namespace pim {

struct NumericDifference {
    Shape shape;                          ///< Of the tensor; one extent where it is not known.
    std::int64_t elements = 0, wrong = 0; ///< Wrong: beyond the tolerance, or not a number.
    std::int64_t notFinite = 0;           ///< Elements of the reference that are NaN or infinite.
    double maxAbsolute = 0, meanAbsolute = 0;
    double maxRelative = 0, meanRelative = 0; ///< |difference| / (rms + |reference|)
    double relativeRms = 0;                   ///< sqrt(sum of squared differences / sum of squares)
    double rms = 0;                           ///< Of the reference.
    double tolerance = 0;                     ///< Of maxRelative.
    std::int64_t worst = -1;                  ///< Element of maxRelative.
    std::int64_t first = -1; ///< First wrong element; -1: none, or another number of elements.
    double firstValue = 0, firstReference = 0;
    bool ok() const { return wrong == 0; }
    /// "element [0, 3] is 1.5 instead of 2"; empty if all are right.
    std::string firstText() const;
};

NumericDifference differenceOf(std::span<const float> values, std::span<const float> reference,
                               double tolerance);
/// The same for numbers of any type.
NumericDifference differenceOf(const Value& values, const Value& reference, double tolerance);

/// sqrt(sum of squared differences / sum of squares) over all F32 values that both lists have at a place; infinite where only
/// the reference is 0 throughout.
double relativeErrorOf(std::span<const Value> values, std::span<const Value> references);

/// Where element \p flat of a tensor is: [0, 3].
Shape indexOf(std::int64_t flat, const Shape& shape);

} // namespace pim
