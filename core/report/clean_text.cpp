// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/clean_text.h"

#include "core/base/utf8.h"

#include <cstdint>

namespace pim {

std::string cleanText(std::string_view text) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = codePointBytes(text);
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
