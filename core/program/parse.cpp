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
#include "core/base/text_scanner.h"
#include "core/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxOpcodes = std::numeric_limits<std::uint16_t>::max();

class Parser {
public:
    Parser(std::string_view text, std::string_view fileName) : m_scan(text, fileName) {}

    Result<Program> parse() {
        PIM_CHECK(m_scan.expectWord("pim-program"));
        PIM_TRY(const std::uint64_t version, m_scan.number());
        if (version != 1)
            return m_scan.error(
                fmt::format("the text has version {}, this program reads version 1", version));
        PIM_CHECK(m_scan.expectWord("op"));
        PIM_TRY(m_program.op, m_scan.string());
        PIM_CHECK(m_scan.expectWord("target"));
        PIM_TRY(m_program.target, m_scan.string());
        PIM_CHECK(m_scan.expectWord("draft"));
        PIM_TRY(m_program.draft, m_scan.string());
        while (m_scan.peekWord() == "opcode")
            PIM_CHECK(opcode());
        while (m_scan.peekWord() == "phase")
            PIM_CHECK(phase());
        if (!m_scan.atEnd())
            return m_scan.unexpected("\"phase\" or the end of the text");
        return std::move(m_program);
    }

private:
    Result<std::string> identifier(std::string_view what) {
        const auto word = m_scan.word();
        if (word.empty())
            return m_scan.unexpected(what);
        return std::string(word);
    }

    // ---- grammar ----

    Result<void> opcode() {
        PIM_CHECK(m_scan.expectWord("opcode"));
        Opcode one;
        PIM_TRY(one.name, identifier("the name of an opcode"));
        if (one.name == "loop")
            return m_scan.error("\"loop\" cannot be an opcode");
        if (findOpcode(one.name) != m_program.opcodes.size())
            return m_scan.error(fmt::format("the opcode \"{}\" was declared before", one.name));
        if (m_program.opcodes.size() == kMaxOpcodes)
            return m_scan.error(fmt::format("there are more than {} opcodes", kMaxOpcodes));
        PIM_CHECK(m_scan.expect('('));
        if (!m_scan.take(')')) {
            do {
                PIM_TRY(std::string operand, identifier("the name of an operand"));
                one.operands.push_back(std::move(operand));
            } while (m_scan.take(','));
            PIM_CHECK(m_scan.expect(')'));
        }
        PIM_TRY(one.meaning, m_scan.string());
        m_index[one.name] = m_program.opcodes.size();
        m_program.opcodes.push_back(std::move(one));
        return {};
    }

    Result<void> phase() {
        PIM_CHECK(m_scan.expectWord("phase"));
        Phase one;
        PIM_TRY(one.name, m_scan.string());
        PIM_CHECK(m_scan.expect('{'));
        while (!m_scan.take('}')) {
            PIM_CHECK(m_scan.expectWord("stream"));
            Stream stream;
            PIM_TRY(stream.unit, m_scan.string());
            PIM_CHECK(m_scan.expect('{'));
            PIM_CHECK(items(stream.items));
            one.streams.push_back(std::move(stream));
        }
        m_program.phases.push_back(std::move(one));
        return {};
    }

    /// Up to and including the closing brace.
    Result<void> items(std::vector<ProgramItem>& list) {
        while (!m_scan.take('}')) {
            ProgramItem item;
            PIM_CHECK(m_scan.peekWord() == "loop" ? loop(item) : command(item));
            list.push_back(std::move(item));
        }
        return {};
    }

    Result<void> loop(ProgramItem& item) {
        if (m_scope.size() == kMaxDepth)
            return m_scan.error(fmt::format("loops are nested deeper than {}", kMaxDepth));
        PIM_CHECK(m_scan.expectWord("loop"));
        PIM_TRY(item.variable, identifier("the name of a loop variable"));
        if (std::ranges::find(m_scope, item.variable) != m_scope.end())
            return m_scan.error(
                fmt::format("the loop variable \"{}\" is used by an enclosing loop", item.variable));
        PIM_TRY(const std::uint64_t repeat, m_scan.number());
        if (repeat < 1 || repeat > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return m_scan.error(fmt::format("a loop of {} turns, allowed are 1 to 2^63-1", repeat));
        item.repeat = static_cast<std::int64_t>(repeat);
        PIM_CHECK(m_scan.expect('{'));
        m_scope.push_back(item.variable);
        PIM_CHECK(items(item.body));
        m_scope.pop_back();
        if (item.body.empty())
            return m_scan.error("the loop has no command in it");
        return {};
    }

    Result<void> command(ProgramItem& item) {
        const auto word = m_scan.peekWord();
        if (word.empty())
            return m_scan.unexpected("a command, \"loop\" or '}'");
        const std::size_t position = findOpcode(word);
        if (position == m_program.opcodes.size()) {
            std::vector<std::string> known;
            for (std::size_t i = 0; i < std::min<std::size_t>(m_program.opcodes.size(), 20); ++i)
                known.push_back(m_program.opcodes[i].name);
            return m_scan.error(fmt::format("there is no opcode \"{}\"", word.substr(0, 40)),
                                fmt::format("declared are {}", fmt::join(known, ", ")));
        }
        m_scan.advance(word.size());
        item.command.opcode = static_cast<std::uint16_t>(position);
        const auto& operands = m_program.opcodes[position].operands;
        item.command.operands.resize(operands.size());
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (m_scan.peekWord() != operands[i])
                return m_scan.unexpected(fmt::format("the operand \"{}\"", operands[i]));
            m_scan.advance(operands[i].size());
            PIM_CHECK(m_scan.expect('='));
            PIM_CHECK(sum(item, i));
        }
        return {};
    }

    Result<void> sum(ProgramItem& item, std::size_t operand) {
        bool negative = m_scan.take('-');
        do {
            PIM_CHECK(term(item, operand, negative));
            negative = false;
            if (m_scan.take('-'))
                negative = true;
            else if (!m_scan.take('+'))
                return {};
        } while (true);
    }

    Result<void> term(ProgramItem& item, std::size_t operand, bool negative) {
        std::uint64_t magnitude = 1;
        bool hasVariable = true;
        const bool hasNumber = TextScanner::isDigit(m_scan.next());
        const std::size_t start = m_scan.token();
        if (hasNumber) {
            PIM_TRY(magnitude, m_scan.number());
            hasVariable = m_scan.take('*');
        }
        std::int64_t* place = &item.command.operands[operand];
        if (hasVariable) {
            const auto word = m_scan.peekWord();
            if (word.empty())
                return m_scan.unexpected("a number or a loop variable");
            const auto variable = std::ranges::find(m_scope, word);
            if (variable == m_scope.end())
                return m_scan.error(
                    fmt::format("\"{}\" is not the variable of an enclosing loop", word.substr(0, 40)));
            m_scan.advance(word.size());
            if (magnitude == 0)
                return {};
            if (item.strides.empty())
                item.strides.assign(m_scope.size(), std::vector<std::int64_t>(item.command.operands.size()));
            place = &item.strides[static_cast<std::size_t>(variable - m_scope.begin())][operand];
        }
        m_scan.pointTo(start);
        constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (magnitude > kMost + (negative ? 1 : 0))
            return m_scan.error("the number does not fit into 64 bits");
        const auto value = static_cast<std::int64_t>(negative ? ~magnitude + 1 : magnitude);
        if (__builtin_add_overflow(*place, value, place))
            return m_scan.error("the sum does not fit into 64 bits");
        return {};
    }

    std::size_t findOpcode(std::string_view name) const {
        const auto at = m_index.find(name);
        return at == m_index.end() ? m_program.opcodes.size() : at->second;
    }

    TextScanner m_scan;
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
