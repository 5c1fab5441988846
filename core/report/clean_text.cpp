// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/clean_text.h"

#include <cstdint>

namespace pim {

// Well-formed UTF-8: no overlong forms, no surrogates, nothing above U+10FFFF. [Unicode 15, table 3-7]
std::size_t characterLength(std::string_view text) {
    const auto at = [&](std::size_t i) { return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
        return at(i) >= low && at(i) <= high;
    };
    const unsigned first = at(0);
    if (text.empty() || (first >= 0x80 && first < 0xc2) || first > 0xf4)
        return 0;
    if (first < 0x80)
        return 1;
    if (first < 0xe0)
        return follows(1) ? 2 : 0;
    if (first < 0xf0)
        return follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
    return follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3)
               ? 4
               : 0;
}

std::string cleanText(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        const std::string_view character = text.substr(0, length == 0 ? 1 : length);
        const auto first = static_cast<std::uint8_t>(character[0]);
        const bool control = length == 1 && (first < 0x20 ? first != '\n' && first != '\t' : first == 0x7f);
        const bool forbidden = character == "\uFFFE" || character == "\uFFFF";
        clean += length == 0 || control || forbidden ? std::string_view("\uFFFD") : character;
        text.remove_prefix(character.size());
    }
    return clean;
}

} // namespace pim
