// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the text form of a flow:
//
//   flow      = "cim-flow 1"  "network" fields  tensor*  op*  piece*  block*
//   tensor    = "tensor" number fields      op = "op" number fields      piece = "piece" number fields
//   numbers from 0 on block     = "parallel" string "{" operator* "}" operator  = "CM.switch" "(" ("TOM" |
//   "TOC") "," "[" arrays "]" ")"  |  word fields          words: see fields.h fields    = "(" [key "=" value
//   ("," key "=" value)*] ")"            each key at most once, in any order value     = number | string |
//   word | number "/" number | number "+" number ["/" number "x" number]
//             | "[" [number ("," number)*] "]" | "[" arrays "]"
//   arrays    = [range ("," range)*]        range = number ["-" number]
//   string    = '"' … '"' with \" \\ and \xHH       white space separates, # starts a comment to the end of
//   the line
//
// Blocks do not nest, so no text can exhaust the stack.
#include "backends/dual_mode/flow/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace pim {
namespace {

bool isWordChar(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

class Parser {
public:
    Parser(std::string_view text, std::string_view fileName) : m_text(text), m_fileName(fileName) {}

    Result<DualModeFlow> parse() {
        if (word() != "cim" || !take('-') || word() != "flow")
            return error("the text does not start with \"cim-flow\"");
        PIM_TRY(const std::int64_t version, number());
        if (version != 1)
            return error(fmt::format("the text has version {}, this program reads version 1", version));
        PIM_CHECK(expectWord("network"));
        PIM_CHECK(arguments());
        flow_text::header(*this, m_flow);
        PIM_CHECK(endArguments());
        PIM_CHECK(table("tensor", m_flow.tensors));
        PIM_CHECK(table("op", m_flow.ops));
        PIM_CHECK(table("piece", m_flow.pieces));
        while (!atEnd())
            PIM_CHECK(block());
        if (auto checked = checkFlow(m_flow); !checked) {
            Error wrong = std::move(checked).error();
            wrong.where = fmt::format("{}: {}", m_fileName, wrong.where);
            return tl::unexpected<Error>(std::move(wrong));
        }
        return std::move(m_flow);
    }

    // ---- what fields() calls; the first error is kept and returned by endArguments() ----

    void field(std::string_view key, std::string& value) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(value, string());
            return {};
        });
    }
    void field(std::string_view key, std::int64_t& value) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(value, number());
            return {};
        });
    }
    void field(std::string_view key, int& value) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(value, smallNumber());
            return {};
        });
    }
    void field(std::string_view key, bool& value) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(const std::int64_t given, number());
            if (given != 0 && given != 1)
                return error(fmt::format("found {}, expected 0 or 1", given));
            value = given == 1;
            return {};
        });
    }
    template <class Tag>
    void field(std::string_view key, Id<Tag>& id) {
        field(key, id.value);
    }
    void field(std::string_view key, FlowTensorKind& kind) { choice(key, flow_text::kTensorKinds, kind); }
    void field(std::string_view key, SumRole& role) { choice(key, flow_text::kSumRoles, role); }
    void field(std::string_view key, FlowPace& pace) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(pace.lead, number());
            PIM_CHECK(expect('/'));
            PIM_TRY(pace.of, number());
            return {};
        });
    }
    void field(std::string_view key, ByteRuns& runs) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(runs.begin, number());
            PIM_CHECK(expect('+'));
            PIM_TRY(runs.run, number());
            if (take('/')) {
                PIM_TRY(runs.stride, number());
                PIM_CHECK(expect('x'));
                PIM_TRY(runs.count, number());
            }
            return {};
        });
    }
    void field(std::string_view key, ArrayList& list) {
        read(key, [&]() -> Result<void> { return arrays(list); });
    }
    template <class Number>
    void field(std::string_view key, std::vector<Number>& numbers) {
        read(key, [&]() -> Result<void> {
            PIM_CHECK(expect('['));
            if (take(']'))
                return {};
            do {
                if constexpr (std::is_same_v<Number, int>) {
                    PIM_TRY(const int value, smallNumber());
                    numbers.push_back(value);
                } else {
                    PIM_TRY(const std::int64_t value, number());
                    numbers.push_back(value);
                }
            } while (take(','));
            return expect(']');
        });
    }
    void range(std::string_view key, std::int64_t& begin, std::int64_t& length) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(begin, number());
            PIM_CHECK(expect('+'));
            PIM_TRY(length, number());
            return {};
        });
    }

private:
    // ---- characters ----

    void skipSpace() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '#')
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            else if (c == ' ' || c == '\t' || c == '\r' || c == '\n')
                ++m_at;
            else
                break;
        }
        m_token = m_at;
    }
    bool atEnd() {
        skipSpace();
        return m_at == m_text.size();
    }
    bool take(char c) {
        if (atEnd() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    std::string_view peekWord() {
        skipSpace();
        std::size_t end = m_at;
        while (end < m_text.size() && isWordChar(m_text[end]))
            ++end;
        return m_text.substr(m_at, end - m_at);
    }
    std::string_view word() {
        const std::string_view found = peekWord();
        m_at += found.size();
        return found;
    }

    // ---- errors ----

    tl::unexpected<Error> error(std::string message) const {
        const auto before = m_text.substr(0, m_token);
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const auto lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        const auto column =
            std::count_if(before.begin() + std::ptrdiff_t(lineStart), before.end(), [](char c) {
                return (static_cast<unsigned char>(c) & 0xc0) != 0x80; // not inside a UTF-8 character
            });
        return fail(ErrorCode::InvalidFile, std::move(message),
                    fmt::format("{}:{}:{}", m_fileName, line, column + 1));
    }
    tl::unexpected<Error> unexpected(std::string_view wanted) {
        std::string found = "the end of the text";
        if (!atEnd()) {
            const auto byte = static_cast<unsigned char>(m_text[m_at]);
            if (const auto one = peekWord(); !one.empty())
                found = fmt::format("\"{}\"", one.substr(0, 40));
            else
                found = byte > 0x20 && byte < 0x7f ? fmt::format("'{}'", m_text[m_at])
                                                   : fmt::format("byte 0x{:02x}", byte);
        }
        return error(fmt::format("found {}, expected {}", found, wanted));
    }

    // ---- tokens ----

    Result<void> expect(char c) {
        if (!take(c))
            return unexpected(fmt::format("'{}'", c));
        return {};
    }
    Result<void> expectWord(std::string_view wanted) {
        if (peekWord() != wanted)
            return unexpected(fmt::format("\"{}\"", wanted));
        m_at += wanted.size();
        return {};
    }
    Result<std::int64_t> number() {
        if (atEnd() || !isDigit(m_text[m_at]))
            return unexpected("a number");
        std::int64_t value = 0;
        const auto [end, status] =
            std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (status != std::errc() || value > flow_text::kMaxNumber)
            return error(fmt::format("the number is greater than {}", flow_text::kMaxNumber));
        m_at = static_cast<std::size_t>(end - m_text.data());
        return value;
    }
    Result<int> smallNumber() {
        PIM_TRY(const std::int64_t value, number());
        if (value > std::numeric_limits<int>::max())
            return error(fmt::format("{} is greater than {}", value, std::numeric_limits<int>::max()));
        return static_cast<int>(value);
    }
    Result<std::string> string() {
        if (!take('"'))
            return unexpected("a text in double quotes");
        std::string value;
        for (;;) {
            if (m_at == m_text.size() || m_text[m_at] == '\n')
                return error("the text in double quotes is not closed");
            const char c = m_text[m_at++];
            if (c == '"')
                return value;
            if (c != '\\') {
                value += c;
                continue;
            }
            const char escaped = m_at < m_text.size() ? m_text[m_at] : '\0';
            unsigned byte = 0;
            if (escaped == '"' || escaped == '\\') {
                value += escaped;
                ++m_at;
            } else if (escaped == 'x' && m_at + 3 <= m_text.size() &&
                       std::from_chars(m_text.data() + m_at + 1, m_text.data() + m_at + 3, byte, 16).ptr ==
                           m_text.data() + m_at + 3) {
                value += static_cast<char>(byte);
                m_at += 3;
            } else {
                m_token = m_at - 1;
                return error("found an unknown escape, expected \\\", \\\\ or \\xHH");
            }
        }
    }
    Result<void> arrays(ArrayList& list) {
        PIM_CHECK(expect('['));
        if (take(']'))
            return {};
        do {
            PIM_TRY(const int first, smallNumber());
            int last = first;
            if (take('-')) {
                PIM_TRY(last, smallNumber());
                if (last < first)
                    return error(fmt::format("the range {}-{} goes backwards", first, last));
            }
            // Kept in canonical form: neighbours are one range.
            if (!list.ranges.empty() && list.ranges.back().last + std::int64_t(1) == first)
                list.ranges.back().last = last;
            else
                list.ranges.push_back({first, last});
        } while (take(','));
        return expect(']');
    }

    // ---- fields ----

    struct Argument {
        std::string_view key;
        std::size_t at; ///< Of the value.
        bool used = false;
    };

    /// "(" key "=" value, … ")": notes where the values stand; fields() reads them afterwards.
    Result<void> arguments() {
        m_arguments.clear();
        m_failed.reset();
        PIM_CHECK(expect('('));
        if (!take(')')) {
            do {
                const std::string_view key = peekWord();
                if (key.empty())
                    return unexpected("a key");
                for (const Argument& other : m_arguments)
                    if (other.key == key)
                        return error(fmt::format("\"{}\" stands there twice", key));
                m_at += key.size();
                PIM_CHECK(expect('='));
                skipSpace();
                m_arguments.push_back({key, m_at});
                PIM_CHECK(skipValue());
            } while (take(','));
            PIM_CHECK(expect(')'));
        }
        m_after = m_at;
        return {};
    }
    Result<void> skipValue() {
        if (!atEnd() && m_text[m_at] == '"')
            return string().map([](auto&&) {});
        if (take('[')) {
            m_at = std::min(m_text.find(']', m_at), m_text.size());
            return expect(']');
        }
        while (!atEnd() && m_text[m_at] != ',' && m_text[m_at] != ')' && m_text[m_at] != '(' &&
               m_text[m_at] != '=')
            ++m_at;
        return {};
    }
    template <class Read>
    void read(std::string_view key, Read&& readValue) {
        for (Argument& argument : m_arguments)
            if (argument.key == key && !m_failed) {
                argument.used = true;
                m_at = argument.at;
                Result<void> done = readValue();
                if (done && !atEnd() && m_text[m_at] != ',' && m_text[m_at] != ')')
                    done = unexpected("',' or ')'");
                if (!done)
                    m_failed = std::move(done).error();
            }
    }
    template <std::size_t N, class Enum>
    void choice(std::string_view key, const std::string_view (&words)[N], Enum& value) {
        read(key, [&]() -> Result<void> {
            const std::string_view given = peekWord();
            for (std::size_t i = 0; i < N; ++i)
                if (words[i] == given) {
                    value = static_cast<Enum>(i);
                    m_at += given.size();
                    return {};
                }
            return unexpected(fmt::format("one of {}", fmt::join(words, ", ")));
        });
    }
    Result<void> endArguments() {
        if (m_failed)
            return tl::unexpected<Error>(*std::exchange(m_failed, std::nullopt));
        for (const Argument& argument : m_arguments)
            if (!argument.used) {
                m_token = static_cast<std::size_t>(argument.key.data() - m_text.data());
                return error(fmt::format("nothing here has the field \"{}\"", argument.key.substr(0, 40)));
            }
        m_at = m_after;
        return {};
    }

    // ---- grammar ----

    template <class T>
    Result<void> table(std::string_view what, std::vector<T>& entries) {
        while (peekWord() == what) {
            m_at += what.size();
            PIM_TRY(const std::int64_t given, number());
            if (given != std::int64_t(entries.size()))
                return error(fmt::format("found {} {}, expected {} {}", what, given, what, entries.size()));
            PIM_CHECK(arguments());
            flow_text::fields(*this, entries.emplace_back());
            PIM_CHECK(endArguments());
        }
        return {};
    }
    Result<void> block() {
        if (peekWord() != "parallel")
            return unexpected("\"parallel\" or the end of the text");
        word();
        FlowBlock& one = m_flow.blocks.emplace_back();
        PIM_TRY(one.name, string());
        PIM_CHECK(expect('{'));
        while (!take('}')) {
            const std::string_view what = peekWord();
            FlowOperator& o = one.operators.emplace_back();
            if (what == "CM.switch") {
                word();
                PIM_CHECK(expect('('));
                const std::string_view to = peekWord();
                if (to != "TOM" && to != "TOC")
                    return unexpected("\"TOM\" or \"TOC\"");
                word();
                o.kind = to == "TOM" ? FlowKind::SwitchToMemory : FlowKind::SwitchToCompute;
                PIM_CHECK(expect(','));
                skipSpace();
                PIM_CHECK(arrays(o.arrays));
                PIM_CHECK(expect(')'));
                continue;
            }
            const auto kind = std::find_if(std::begin(flow_text::kKinds), std::end(flow_text::kKinds),
                                           [&](const auto& known) { return known.word == what; });
            if (kind == std::end(flow_text::kKinds))
                return unexpected(what == "parallel" ? "an operator (blocks do not nest)"
                                                     : "an operator or '}'");
            word();
            o.kind = kind->kind;
            PIM_CHECK(arguments());
            flow_text::fields(*this, o);
            PIM_CHECK(endArguments());
        }
        return {};
    }

    std::string_view m_text;
    std::string_view m_fileName;
    std::size_t m_at = 0;    ///< Cursor.
    std::size_t m_token = 0; ///< Where the token last looked at starts: errors point there.
    std::size_t m_after = 0; ///< Behind the statement being read.
    std::vector<Argument> m_arguments;
    std::optional<Error> m_failed;
    DualModeFlow m_flow;
};

} // namespace

Result<DualModeFlow> parseFlow(std::string_view text, std::string_view fileName) {
    return Parser(text, fileName).parse();
}

} // namespace pim
