// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the text form of a program:
//
//   program = "pim-program 1"  "op" string  "target" string  "draft" string  opcode*  phase*
//   opcode  = "opcode" name "(" [name ("," name)*] ")" string            operands and what it does
//   phase   = "phase" string "{" stream* "}"
//   stream  = "stream" string "{" item* "}"
//   item    = "loop" name number "{" item+ "}"  |  name (name "=" sum)*  operands in the order of the opcode
//   sum     = ["-"] term (("+" | "-") term)*      term = number | [number "*"] name of an enclosing loop
//   string  = '"' … '"' with \" \\ and \xHH       white space separates, # starts a comment to the end of the
//   line
#include "core/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace pim {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxOpcodes = std::numeric_limits<std::uint16_t>::max();

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

class Parser {
public:
    Parser(std::string_view text, std::string_view fileName) : m_text(text), m_fileName(fileName) {}

    Result<Program> parse() {
        PIM_CHECK(expectWord("pim-program"));
        PIM_TRY(const std::uint64_t version, number());
        if (version != 1)
            return error(fmt::format("the text has version {}, this program reads version 1", version));
        PIM_CHECK(expectWord("op"));
        PIM_TRY(m_program.op, string());
        PIM_CHECK(expectWord("target"));
        PIM_TRY(m_program.target, string());
        PIM_CHECK(expectWord("draft"));
        PIM_TRY(m_program.draft, string());
        while (peekWord() == "opcode")
            PIM_CHECK(opcode());
        while (peekWord() == "phase")
            PIM_CHECK(phase());
        if (!atEnd())
            return unexpected("\"phase\" or the end of the text");
        return std::move(m_program);
    }

private:
    // ---- characters ----

    void skipSpace() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '#') {
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
                ++m_at;
            } else {
                break;
            }
        }
        m_token = m_at;
    }
    bool atEnd() {
        skipSpace();
        return m_at == m_text.size();
    }
    char peek() { return atEnd() ? '\0' : m_text[m_at]; }
    bool take(char c) {
        if (atEnd() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    /// The name at the cursor, not taken; empty if something else stands there.
    std::string_view peekWord() {
        skipSpace();
        std::size_t end = m_at;
        if (end < m_text.size() && isLetter(m_text[end]))
            while (end < m_text.size() && (isLetter(m_text[end]) || isDigit(m_text[end])))
                ++end;
        return m_text.substr(m_at, end - m_at);
    }

    // ---- errors ----

    tl::unexpected<Error> error(std::string message, std::string hint = {}) {
        // Lines are counted only when something is wrong.
        const auto before = m_text.substr(0, m_token);
        const auto lineNumber = std::ranges::count(before, '\n') + 1;
        const auto lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
        const auto column = std::ranges::count_if(before.substr(lineStart),
                                                  [](char c) {
                                                      return (static_cast<unsigned char>(c) & 0xc0) !=
                                                             0x80; // not inside a UTF-8 character
                                                  }) +
                            1;
        return fail(ErrorCode::InvalidFile, std::move(message),
                    fmt::format("{}:{}:{}", m_fileName, lineNumber, column), std::move(hint));
    }
    std::string found() {
        if (atEnd())
            return "the end of the text";
        if (const auto word = peekWord(); !word.empty())
            return fmt::format("\"{}\"", word.substr(0, 40));
        const auto byte = static_cast<unsigned char>(m_text[m_at]);
        return byte > 0x20 && byte < 0x7f ? fmt::format("'{}'", m_text[m_at])
                                          : fmt::format("byte 0x{:02x}", byte);
    }
    tl::unexpected<Error> unexpected(std::string_view wanted) {
        const std::string what = found();
        return error(fmt::format("found {}, expected {}", what, wanted));
    }

    // ---- tokens ----

    Result<void> expect(char c) {
        if (!take(c))
            return unexpected(fmt::format("'{}'", c));
        return {};
    }
    Result<void> expectWord(std::string_view word) {
        skipSpace();
        // "pim-program" holds a '-', so compare text and not a name.
        const char after = m_at + word.size() < m_text.size() ? m_text[m_at + word.size()] : ' ';
        if (m_text.substr(m_at, word.size()) != word || isLetter(after) || isDigit(after))
            return unexpected(fmt::format("\"{}\"", word));
        m_at += word.size();
        return {};
    }
    Result<std::string> identifier(std::string_view what) {
        const auto word = peekWord();
        if (word.empty())
            return unexpected(what);
        m_at += word.size();
        return std::string(word);
    }
    Result<std::uint64_t> number() {
        if (!isDigit(peek()))
            return unexpected("a number");
        std::uint64_t value = 0;
        const char* const begin = m_text.data() + m_at;
        const auto [end, status] = std::from_chars(begin, m_text.data() + m_text.size(), value);
        if (status != std::errc())
            return error("the number does not fit into 64 bits");
        m_at += static_cast<std::size_t>(end - begin);
        return value;
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
            if (escaped == '"' || escaped == '\\') {
                value += escaped;
                ++m_at;
                continue;
            }
            unsigned byte = 0;
            const char* const digits = m_text.data() + m_at + 1;
            if (escaped != 'x' || m_at + 3 > m_text.size() ||
                std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2)
                return m_token = m_at - 1, error("found an unknown escape, expected \\\", \\\\ or \\xHH");
            value += static_cast<char>(byte);
            m_at += 3;
        }
    }

    // ---- grammar ----

    Result<void> opcode() {
        PIM_CHECK(expectWord("opcode"));
        Opcode one;
        PIM_TRY(one.name, identifier("the name of an opcode"));
        if (one.name == "loop")
            return error("\"loop\" cannot be an opcode");
        if (findOpcode(one.name) != m_program.opcodes.size())
            return error(fmt::format("the opcode \"{}\" was declared before", one.name));
        if (m_program.opcodes.size() == kMaxOpcodes)
            return error(fmt::format("there are more than {} opcodes", kMaxOpcodes));
        PIM_CHECK(expect('('));
        if (!take(')')) {
            do {
                PIM_TRY(std::string operand, identifier("the name of an operand"));
                one.operands.push_back(std::move(operand));
            } while (take(','));
            PIM_CHECK(expect(')'));
        }
        PIM_TRY(one.meaning, string());
        m_index[one.name] = m_program.opcodes.size();
        m_program.opcodes.push_back(std::move(one));
        return {};
    }

    Result<void> phase() {
        PIM_CHECK(expectWord("phase"));
        Phase one;
        PIM_TRY(one.name, string());
        PIM_CHECK(expect('{'));
        while (!take('}')) {
            PIM_CHECK(expectWord("stream"));
            Stream stream;
            PIM_TRY(stream.unit, string());
            PIM_CHECK(expect('{'));
            PIM_CHECK(items(stream.items));
            one.streams.push_back(std::move(stream));
        }
        m_program.phases.push_back(std::move(one));
        return {};
    }

    /// Up to and including the closing brace.
    Result<void> items(std::vector<ProgramItem>& list) {
        while (!take('}')) {
            ProgramItem item;
            PIM_CHECK(peekWord() == "loop" ? loop(item) : command(item));
            list.push_back(std::move(item));
        }
        return {};
    }

    Result<void> loop(ProgramItem& item) {
        if (m_scope.size() == kMaxDepth)
            return error(fmt::format("loops are nested deeper than {}", kMaxDepth));
        PIM_CHECK(expectWord("loop"));
        PIM_TRY(item.variable, identifier("the name of a loop variable"));
        if (std::ranges::find(m_scope, item.variable) != m_scope.end())
            return error(fmt::format("the loop variable \"{}\" is used by an enclosing loop", item.variable));
        PIM_TRY(const std::uint64_t repeat, number());
        if (repeat < 1 || repeat > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return error(fmt::format("a loop of {} turns, allowed are 1 to 2^63-1", repeat));
        item.repeat = static_cast<std::int64_t>(repeat);
        PIM_CHECK(expect('{'));
        m_scope.push_back(item.variable);
        PIM_CHECK(items(item.body));
        m_scope.pop_back();
        if (item.body.empty())
            return error("the loop has no command in it");
        return {};
    }

    Result<void> command(ProgramItem& item) {
        const auto word = peekWord();
        if (word.empty())
            return unexpected("a command, \"loop\" or '}'");
        const std::size_t position = findOpcode(word);
        if (position == m_program.opcodes.size()) {
            std::vector<std::string> known;
            for (std::size_t i = 0; i < std::min<std::size_t>(m_program.opcodes.size(), 20); ++i)
                known.push_back(m_program.opcodes[i].name);
            return error(fmt::format("there is no opcode \"{}\"", word.substr(0, 40)),
                         fmt::format("declared are {}", fmt::join(known, ", ")));
        }
        m_at += word.size();
        item.command.opcode = static_cast<std::uint16_t>(position);
        const auto& operands = m_program.opcodes[position].operands;
        item.command.operands.resize(operands.size());
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (peekWord() != operands[i])
                return unexpected(fmt::format("the operand \"{}\"", operands[i]));
            m_at += operands[i].size();
            PIM_CHECK(expect('='));
            PIM_CHECK(sum(item, i));
        }
        return {};
    }

    Result<void> sum(ProgramItem& item, std::size_t operand) {
        bool negative = take('-');
        do {
            PIM_CHECK(term(item, operand, negative));
            negative = false;
            if (take('-'))
                negative = true;
            else if (!take('+'))
                return {};
        } while (true);
    }

    Result<void> term(ProgramItem& item, std::size_t operand, bool negative) {
        std::uint64_t magnitude = 1;
        bool hasVariable = true;
        skipSpace();
        const std::size_t start = m_token;
        if (isDigit(peek())) {
            PIM_TRY(magnitude, number());
            hasVariable = take('*');
        }
        std::int64_t* place = &item.command.operands[operand];
        if (hasVariable) {
            const auto word = peekWord();
            if (word.empty())
                return unexpected("a number or a loop variable");
            const auto variable = std::ranges::find(m_scope, word);
            if (variable == m_scope.end())
                return error(
                    fmt::format("\"{}\" is not the variable of an enclosing loop", word.substr(0, 40)));
            m_at += word.size();
            if (magnitude == 0)
                return {};
            if (item.strides.empty())
                item.strides.assign(m_scope.size(), std::vector<std::int64_t>(item.command.operands.size()));
            place = &item.strides[static_cast<std::size_t>(variable - m_scope.begin())][operand];
        }
        m_token = start;
        constexpr auto kMostMagnitude = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (magnitude > kMostMagnitude + (negative ? 1 : 0))
            return error("the number does not fit into 64 bits");
        const auto value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
        if (__builtin_add_overflow(*place, value, place))
            return error("the sum does not fit into 64 bits");
        return {};
    }

    std::size_t findOpcode(std::string_view name) const {
        const auto at = m_index.find(name);
        return at == m_index.end() ? m_program.opcodes.size() : at->second;
    }

    std::string_view m_text;
    std::string m_fileName;
    std::size_t m_at = 0;
    std::size_t m_token = 0; ///< Where the last token looked at starts; what errors point to.
    Program m_program;
    std::map<std::string, std::size_t, std::less<>> m_index; ///< Opcodes by name.
    std::vector<std::string> m_scope;                        ///< Variables of the enclosing loops.
};

} // namespace

Result<Program> parseProgram(std::string_view text, std::string_view fileName) {
    auto program = Parser(text, fileName).parse();
    // Terms that cancel out ("row=i0-i0") leave strides of 0.
    if (program)
        canonicalize(*program);
    return program;
}

} // namespace pim
