// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A number from a text that is nothing else: no blank, no sign but '-', nothing behind it. The same in every locale.
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

namespace pim {

/// Nothing if \p text is no number or one that does not fit. \p base only for whole numbers.
template <class Number, class... Base>
std::optional<Number> parseNumber(std::string_view text, Base... base) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base...);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Greater than 0, at most \p most.
template <class Number>
std::optional<Number> parsePositive(std::string_view text, Number most = std::numeric_limits<Number>::max()) {
    const std::optional<Number> number = parseNumber<Number>(text);
    return number && *number > 0 && *number <= most ? number : std::nullopt;
}

} // namespace pim
