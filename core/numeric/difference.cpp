// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
        if (std::isfinite(number))
            squares += double(number) * number;
        else
            ++result.notFinite;
    const double count = std::max(1.0, double(result.elements - result.notFinite));
    result.rms = std::sqrt(squares / count);
    const auto wrong = [&](std::size_t i) {
        if (result.wrong++ > 0)
            return;
        result.first = static_cast<std::int64_t>(i);
        result.firstValue = double(values[i]);
        result.firstReference = double(reference[i]);
    };
    for (std::size_t i = 0; i < reference.size(); ++i) {
        if (!std::isfinite(reference[i])) {
            if (std::isfinite(values[i]))
                wrong(i);
            continue;
        }
        const double difference = std::isfinite(values[i]) ? std::abs(double(values[i]) - reference[i])
                                                           : std::numeric_limits<double>::infinity();
        const double scale = result.rms + std::abs(double(reference[i]));
        const double relative = scale > 0 ? difference / scale : difference;
        differences += difference * difference;
        sum += difference;
        relatives += relative;
        if (relative > tolerance)
            wrong(i);
        if (relative > result.maxRelative) {
            result.maxRelative = relative;
            result.worst = static_cast<std::int64_t>(i);
        }
        result.maxAbsolute = std::max(result.maxAbsolute, difference);
    }
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

double relativeErrorOf(std::span<const Value> values, std::span<const Value> references) {
    double differences = 0, squares = 0;
    for (std::size_t i = 0; i < std::min(values.size(), references.size()); ++i) {
        if (values[i].dtype != DataType::F32 || references[i].dtype != DataType::F32)
            continue;
        const auto made = elements<float>(values[i]), wanted = elements<float>(references[i]);
        for (std::size_t k = 0; k < std::min(made.size(), wanted.size()); ++k) {
            if (!std::isfinite(wanted[k]))
                continue;
            const double difference = std::isfinite(made[k]) ? double(made[k]) - double(wanted[k])
                                                             : std::numeric_limits<double>::infinity();
            differences += difference * difference;
            squares += double(wanted[k]) * double(wanted[k]);
        }
    }
    return differences > 0 ? std::sqrt(differences / squares) : 0;
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
