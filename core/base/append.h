// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Long texts of many short lines: a format string for each of millions of numbers would take most of the
/// time.
#include <array>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace pim {

/// Adds \p parts to \p text, one after the other: texts, characters, whole numbers.
template <class... Parts>
void append(std::string& text, const Parts&... parts) {
    const auto one = [&text](const auto& part) {
        using Part = std::remove_cvref_t<decltype(part)>;
        if constexpr (std::same_as<Part, char>) {
            text += part;
        } else if constexpr (std::integral<Part>) {
            std::array<char, 24> digits;
            text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), part).ptr);
        } else {
            text += std::string_view(part);
        }
    };
    (one(parts), ...);
}

} // namespace pim
