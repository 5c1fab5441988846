// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/difference.h"

#include <fmt/format.h>

#include <cmath>

namespace pim {
namespace {

template <class Number>
NumericDifference compared(std::span<const Number> values, std::span<const Number> reference, Shape shape,
                           double tolerance) {
    NumericDifference result;
    result.shape = std::move(shape);
    result.elements = std::ssize(reference);
    result.tolerance = tolerance;
    if (values.size() != reference.size()) {
        result.wrong = result.elements;
        return result;
    }
    double squares = 0, differences = 0, sum = 0, relatives = 0;
    for (const Number number : reference)
        squares += double(number) * number;
    result.rms = reference.empty() ? 0 : std::sqrt(squares / double(reference.size()));
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double difference = std::abs(double(values[i]) - reference[i]);
        const double scale = result.rms + std::abs(double(reference[i]));
        const double relative = scale > 0 ? difference / scale : difference;
        differences += difference * difference;
        sum += difference;
        relatives += relative;
        if (!(relative <= tolerance) && result.wrong++ == 0) {
            result.first = static_cast<std::int64_t>(i);
            result.firstValue = double(values[i]);
            result.firstReference = double(reference[i]);
        }
        if (!(relative <= result.maxRelative)) { // a number that is none comes here as well
            result.maxRelative = relative;
            result.worst = static_cast<std::int64_t>(i);
        }
        result.maxAbsolute = std::max(result.maxAbsolute, difference);
    }
    const double count = std::max(1.0, double(reference.size()));
    result.meanAbsolute = sum / count;
    result.meanRelative = relatives / count;
    result.relativeRms = squares > 0 ? std::sqrt(differences / squares) : std::sqrt(differences);
    return result;
}

} // namespace

std::string NumericDifference::firstText() const {
    if (first < 0)
        return wrong == 0 ? std::string() : "another number of elements";
    return fmt::format("element {} is {:.9g} instead of {:.9g}", shapeText(indexOf(first, shape)), firstValue,
                       firstReference);
}

NumericDifference differenceOf(std::span<const float> values, std::span<const float> reference,
                               double tolerance) {
    return compared(values, reference, {std::ssize(reference)}, tolerance);
}

NumericDifference differenceOf(const Value& values, const Value& reference, double tolerance) {
    if (values.dtype == DataType::F32 && reference.dtype == DataType::F32)
        return compared(elements<float>(values), elements<float>(reference), reference.shape, tolerance);
    const auto numbers = [](const Value& value) {
        return value.bytes ? realsOf(*value.bytes, value.dtype) : std::vector<double>();
    };
    return compared<double>(numbers(values), numbers(reference), reference.shape, tolerance);
}

Shape indexOf(std::int64_t flat, const Shape& shape) {
    Shape index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        const std::int64_t extent = std::max<std::int64_t>(shape[d], 1);
        index[d] = flat % extent;
        flat /= extent;
    }
    return index;
}

} // namespace pim
