// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Reads texts of our own languages (programs, flows, kernels): a cursor, the tokens they share, and where in
/// the text something is wrong. Programs have tens of megabytes: nothing is copied, and lines are counted only
/// for an error.
#include "core/base/result.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace pim {

/// Words are letters, digits and '_', and begin with no digit. Some languages allow more.
struct WordForm {
    bool digitFirst = false; ///< "8x8"
    bool dots = false;       ///< "CM.switch"
};

class TextScanner {
public:
    /// \param name what errors call the text: "file", as in `file:line:column`. \p text has to outlive it.
    TextScanner(std::string_view text, std::string_view name, WordForm words = {},
                ErrorCode code = ErrorCode::InvalidFile);

    static bool isLetter(char c) { return (kKinds[static_cast<unsigned char>(c)] & kLetter) != 0; }
    static bool isDigit(char c) { return c >= '0' && c <= '9'; }

    // ---- the cursor: nothing is skipped ----

    std::string_view text() const { return m_text; }
    std::size_t at() const { return m_at; }
    void moveTo(std::size_t at) { m_at = at; }
    void advance(std::size_t characters = 1) { m_at += characters; }
    bool isDone() const { return m_at == m_text.size(); }
    bool isLineDone() const { return isDone() || m_text[m_at] == '\n'; }
    /// '\0' behind the end.
    char peek(std::size_t ahead = 0) const {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    std::string_view restOfLine() const { return m_text.substr(m_at, lineEnd() - m_at); }
    std::size_t lineEnd() const { return std::min(m_text.find('\n', m_at), m_text.size()); }
    /// The word at the cursor, not taken; empty if something else stands there.
    std::string_view wordHere() const {
        std::size_t end = m_at;
        if (end < m_text.size() && isOf(m_first, m_text[end]))
            while (end < m_text.size() && isOf(m_rest, m_text[end]))
                ++end;
        return m_text.substr(m_at, end - m_at);
    }
    enum class Digits : std::uint8_t { None, TooMany, Taken };
    /// Takes the number at the cursor; TooMany, and nothing taken, if \p value cannot hold it.
    Digits takeDigits(std::uint64_t& value);

    // ---- white space ----

    void skipBlanks() { ///< Within the line.
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\r'))
            ++m_at;
    }
    /// Also line ends and comments, from # to the end of the line. Here a token starts.
    void skipSpace() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '#')
                m_at = lineEnd();
            else if (c == ' ' || c == '\n' || c == '\t' || c == '\r')
                ++m_at;
            else
                break;
        }
        m_token = m_at;
    }

    // ---- tokens: white space before them is skipped ----

    bool atEnd() { return skipSpace(), isDone(); }
    char next() { return skipSpace(), peek(); }
    bool take(char c) {
        if (atEnd() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    std::string_view peekWord() { return skipSpace(), wordHere(); }
    std::string_view word() {
        const std::string_view found = peekWord();
        m_at += found.size();
        return found;
    }
    Result<void> expect(char c) {
        if (take(c))
            return {};
        return unexpected(std::string{'\'', c, '\''});
    }
    /// \param word may hold other characters than words do.
    Result<void> expectWord(std::string_view word);
    Result<std::uint64_t> number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
    /// '"' … '"' with \" \\ and \xHH, on one line.
    Result<std::string> string();

    // ---- errors ----

    std::size_t token() const { return m_token; }        ///< Where the last token looked at starts.
    void pointTo(std::size_t token) { m_token = token; } ///< What error() points to.
    tl::unexpected<Error> errorAt(std::size_t at, std::string message, std::string hint = {}) const;
    tl::unexpected<Error> error(std::string message, std::string hint = {}) const {
        return errorAt(m_token, std::move(message), std::move(hint));
    }
    /// "found X, expected \p wanted", at the next token.
    tl::unexpected<Error> unexpected(std::string_view wanted);

private:
    static constexpr std::uint8_t kLetter = 1, kDigit = 2, kDot = 4;
    static constexpr std::array<std::uint8_t, 256> kKinds = [] {
        std::array<std::uint8_t, 256> kinds{};
        for (std::size_t c = 0; c < 26; ++c)
            kinds['a' + c] = kinds['A' + c] = kLetter;
        for (std::size_t c = '0'; c <= '9'; ++c)
            kinds[c] = kDigit;
        kinds['_'] = kLetter;
        kinds['.'] = kDot;
        return kinds;
    }();
    static bool isOf(std::uint8_t kinds, char c) {
        return (kKinds[static_cast<unsigned char>(c)] & kinds) != 0;
    }

    std::string_view m_text;
    std::string m_name;
    ErrorCode m_code;
    std::uint8_t m_first, m_rest; ///< Kinds of characters a word begins with and goes on with.
    std::size_t m_at = 0;
    std::size_t m_token = 0;
};

} // namespace pim
