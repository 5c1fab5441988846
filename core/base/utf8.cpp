// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace pim {

namespace {

struct CodePoint {
    utf8proc_int32_t value = -1; ///< -1: no UTF-8.
    std::size_t bytes = 1;
};

bool isAscii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}

/// \p text is not empty.
CodePoint first(std::string_view text) {
    if (isAscii(text[0])) // nearly all there is
        return {text[0], 1};
    CodePoint point;
    const auto read = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &point.value);
    return read > 0 ? CodePoint{point.value, static_cast<std::size_t>(read)} : CodePoint();
}

std::size_t columnsOf(const CodePoint& point) {
    return point.value < 0 ? 1 : static_cast<std::size_t>(std::max(0, utf8proc_charwidth(point.value)));
}

} // namespace

std::size_t codePointBytes(std::string_view text) {
    if (text.empty())
        return 0;
    const CodePoint point = first(text);
    return point.value < 0 ? 0 : point.bytes;
}

std::size_t characterBytes(std::string_view text) {
    if (text.empty())
        return 0;
    CodePoint last = first(text);
    std::size_t bytes = last.bytes;
    for (utf8proc_int32_t state = 0; last.value >= 0 && bytes < text.size();) {
        if (last.value < 0x80 && last.value != '\r' && isAscii(text[bytes])) // nothing joins those
            break;
        const CodePoint next = first(text.substr(bytes));
        if (next.value < 0 || utf8proc_grapheme_break_stateful(last.value, next.value, &state))
            break;
        bytes += next.bytes;
        last = next;
    }
    return bytes;
}

std::size_t codePoints(std::string_view text) {
    std::size_t count = 0;
    for (; !text.empty(); ++count)
        text.remove_prefix(first(text).bytes);
    return count;
}

std::size_t columnsOf(std::string_view text) {
    std::size_t columns = 0;
    while (!text.empty()) {
        const CodePoint point = first(text);
        columns += columnsOf(point);
        text.remove_prefix(point.bytes);
    }
    return columns;
}

std::string_view withinBytes(std::string_view text, std::size_t most) {
    std::size_t end = 0;
    while (end < text.size()) {
        const std::size_t next = end + characterBytes(text.substr(end));
        if (next > most)
            break;
        end = next;
    }
    return text.substr(0, end);
}

std::string_view withinColumns(std::string_view text, std::size_t most) {
    std::size_t end = 0;
    for (std::size_t columns = 0; end < text.size();) {
        const std::string_view character = text.substr(end, characterBytes(text.substr(end)));
        columns += columnsOf(character);
        if (columns > most)
            break;
        end += character.size();
    }
    return text.substr(0, end);
}

std::string_view lastColumns(std::string_view text, std::size_t most) {
    for (std::size_t columns = columnsOf(text); columns > most;) {
        const std::string_view character = text.substr(0, characterBytes(text));
        columns -= columnsOf(character);
        text.remove_prefix(character.size());
    }
    return text;
}

std::string lowerCase(std::string_view text) {
    std::string small;
    small.reserve(text.size());
    while (!text.empty()) {
        const CodePoint point = first(text);
        const utf8proc_int32_t lower = point.value < 0 ? -1 : utf8proc_tolower(point.value);
        std::array<utf8proc_uint8_t, 4> bytes{};
        if (lower == point.value)
            small += text.substr(0, point.bytes);
        else
            small.append(reinterpret_cast<const char*>(bytes.data()),
                         static_cast<std::size_t>(utf8proc_encode_char(lower, bytes.data())));
        text.remove_prefix(point.bytes);
    }
    return small;
}

} // namespace pim
