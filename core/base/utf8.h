// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Text in UTF-8: where its characters end, how much room they take, and their small letters, as the tables of utf8proc
/// have it. A byte that is no UTF-8 is a character of its own, one column wide.
#include <cstddef>
#include <string>
#include <string_view>

namespace pim {

/// Bytes of the code point that \p text begins with; 0 where it is empty or begins with no UTF-8.
std::size_t codePointBytes(std::string_view text);
/// Bytes of what a person takes for the first character, with its accents and joined signs; 0 for no text.
std::size_t characterBytes(std::string_view text);
/// Code points.
std::size_t codePoints(std::string_view text);
/// Columns of a terminal or a table: two for an East Asian sign, none for an accent.
std::size_t columnsOf(std::string_view text);

/// As many characters from the start as have room in \p most bytes.
std::string_view withinBytes(std::string_view text, std::size_t most);
/// As many characters from the start, or before the end, as have room in \p most columns.
std::string_view withinColumns(std::string_view text, std::size_t most);
std::string_view lastColumns(std::string_view text, std::size_t most);

/// With small letters for capitals, of any script.
std::string lowerCase(std::string_view text);

} // namespace pim
