// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_scanner.h"

#include "core/base/utf8.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>

namespace pim {

TextScanner::TextScanner(std::string_view text, std::string_view name, WordForm words, ErrorCode code)
    : m_text(text), m_name(name), m_code(code),
      m_first(std::uint8_t(kLetter | (words.digitFirst ? kDigit : 0) | (words.dots ? kDot : 0))),
      m_rest(m_first | kDigit) {}

TextScanner::Digits TextScanner::takeDigits(std::uint64_t& value) {
    const char* const begin = m_text.data() + m_at;
    const auto [end, status] = std::from_chars(begin, m_text.data() + m_text.size(), value);
    if (end == begin)
        return Digits::None;
    if (status != std::errc())
        return Digits::TooMany;
    m_at += static_cast<std::size_t>(end - begin);
    return Digits::Taken;
}

Result<void> TextScanner::expectWord(std::string_view word) {
    skipSpace();
    if (m_text.substr(m_at, word.size()) != word || isOf(m_rest, peek(word.size())))
        return unexpected(fmt::format("\"{}\"", word));
    m_at += word.size();
    return {};
}

Result<std::uint64_t> TextScanner::number(std::uint64_t most) {
    skipSpace();
    std::uint64_t value = 0;
    const Digits digits = takeDigits(value);
    if (digits == Digits::None)
        return unexpected("a number");
    if (digits == Digits::TooMany || value > most)
        return error(most == std::numeric_limits<std::uint64_t>::max()
                         ? std::string("the number does not fit into 64 bits")
                         : fmt::format("the number is greater than {}", most));
    return value;
}

Result<std::string> TextScanner::string() {
    if (!take('"'))
        return unexpected("a text in double quotes");
    std::string value;
    for (;;) {
        if (isLineDone())
            return error("the text in double quotes is not closed");
        const char c = m_text[m_at++];
        if (c == '"')
            return value;
        if (c != '\\') {
            value += c;
            continue;
        }
        const char escaped = peek();
        unsigned byte = 0;
        if (escaped == '"' || escaped == '\\') {
            value += escaped;
            ++m_at;
        } else if (escaped == 'x' && m_at + 3 <= m_text.size() &&
                   std::from_chars(&m_text[m_at + 1], &m_text[m_at] + 3, byte, 16).ptr == &m_text[m_at] + 3) {
            value += static_cast<char>(byte);
            m_at += 3;
        } else {
            return errorAt(m_at - 1, "found an unknown escape, expected \\\", \\\\ or \\xHH");
        }
    }
}

tl::unexpected<Error> TextScanner::errorAt(std::size_t at, std::string message, std::string hint) const {
    const std::string_view before = m_text.substr(0, at);
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto column = codePoints(before.substr(before.rfind('\n') + 1)) + 1;
    return fail(m_code, std::move(message), fmt::format("{}:{}:{}", m_name, line, column), std::move(hint));
}

tl::unexpected<Error> TextScanner::unexpected(std::string_view wanted) {
    std::string found = "the end of the text";
    if (!atEnd()) {
        const auto byte = static_cast<unsigned char>(peek());
        if (const std::string_view one = wordHere(); !one.empty())
            found = fmt::format("\"{}\"", one.substr(0, 40));
        else
            found =
                byte > 0x20 && byte < 0x7f ? fmt::format("'{}'", peek()) : fmt::format("byte 0x{:02x}", byte);
    }
    return error(fmt::format("found {}, expected {}", found, wanted));
}

} // namespace pim
