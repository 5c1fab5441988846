// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Whole numbers of JSON documents from outside. nlohmann-json gives any number as any type, which is undefined where it does not fit (1e30 as an
/// int); these throw std::out_of_range, to be caught where the document is read. For any of its document types.
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace pim {

template <class Number, class Json>
Number wholeNumber(const Json& value) {
    if (value.is_number_unsigned()) {
        if (const auto whole = value.template get<std::uint64_t>(); std::in_range<Number>(whole))
            return static_cast<Number>(whole);
    } else if (value.is_number_integer()) {
        if (const auto whole = value.template get<std::int64_t>(); std::in_range<Number>(whole))
            return static_cast<Number>(whole);
    }
    throw std::out_of_range(value.dump().substr(0, 40) + " is no whole number that is possible there");
}

/// Of an object, where it has one of that name.
template <class Number, class Json>
Number wholeNumber(const Json& object, const char* name, Number otherwise) {
    const auto found = object.find(name);
    return found == object.end() ? otherwise : wholeNumber<Number>(*found);
}

template <class Number, class Json>
std::vector<Number> wholeNumbers(const Json& list) {
    std::vector<Number> numbers;
    for (const auto& value : list)
        numbers.push_back(wholeNumber<Number>(value));
    return numbers;
}

} // namespace pim
