// SPDX-License-Identifier: GPL-3.0-or-later
// Reads what text(DpuProgram) writes:
//
//   program     = "dpu" word  instruction*
//   instruction = place  operation  [operand ("," operand)*]  ["," condition "@" place]
//   operand     = register | pair | constant | number
//
// Places count from 0; white space separates, # starts a comment to the end of the line.
#include "backends/upmem/dpu/isa.h"

#include "core/base/text_scanner.h"

#include <fmt/format.h>

namespace pim::upmem {
namespace {

class Parser {
public:
    explicit Parser(std::string_view text) : m_scan(text, "program", {}, ErrorCode::InvalidKernel) {}

    Result<DpuProgram> parse() {
        PIM_CHECK(m_scan.expectWord("dpu"));
        m_program.name = std::string(m_scan.word());
        if (m_program.name.empty())
            return m_scan.unexpected("the name of the program");
        while (!m_scan.atEnd())
            PIM_CHECK(instruction());
        m_program.notes.resize(m_program.code.size());
        PIM_CHECK(check(m_program));
        return std::move(m_program);
    }

private:
    Result<void> instruction() {
        PIM_TRY(const std::uint64_t place, m_scan.number());
        if (place != m_program.code.size())
            return m_scan.error(fmt::format("instruction {} is due here", m_program.code.size()));
        if (place >= std::size_t(kMaxInstructions))
            return m_scan.error(fmt::format("more than {} instructions", kMaxInstructions));
        const std::string_view word = m_scan.word();
        const auto op = dpuOpNamed(word);
        if (!op)
            return m_scan.error(fmt::format("there is no instruction \"{}\"", word));
        DpuInstruction in;
        in.op = *op;
        bool first = true;
        const DpuOperands operands = operandsOf(*op);
        if (operands.result)
            PIM_CHECK(registerInto(in.rc, first));
        if (operands.first)
            PIM_CHECK(registerInto(in.ra, first));
        if (operands.second)
            PIM_CHECK(second(in, operands.constant));
        if (operands.constant) {
            PIM_CHECK(m_scan.expect(','));
            PIM_CHECK(number(in.imm));
        }
        if (first ? isCondition() : m_scan.take(','))
            PIM_CHECK(condition(in));
        m_program.code.push_back(in);
        return {};
    }
    bool isCondition() { return dpuConditionNamed(m_scan.peekWord()).has_value(); }
    Result<void> comma(bool& first) {
        if (first) {
            first = false;
            return {};
        }
        return m_scan.expect(',');
    }
    Result<void> registerInto(DpuReg& into, bool& first) {
        PIM_CHECK(comma(first));
        const std::string_view word = m_scan.word();
        const auto found = dpuRegNamed(word);
        if (!found)
            return m_scan.error(fmt::format("\"{}\" is no register", word));
        into = *found;
        return {};
    }
    Result<void> second(DpuInstruction& in, bool onlyRegister) {
        PIM_CHECK(m_scan.expect(','));
        if (const auto found = dpuRegNamed(m_scan.peekWord())) {
            m_scan.word();
            in.rb = *found;
            in.useImm = false;
            return {};
        }
        if (onlyRegister)
            return m_scan.unexpected("a register");
        return number(in.imm);
    }
    Result<void> number(std::int32_t& into) {
        const bool negative = m_scan.take('-');
        PIM_TRY(const std::uint64_t value, m_scan.number(std::uint64_t(1) << 31));
        if (!negative && value > 0x7fffffffU)
            return m_scan.error("the number does not fit into 32 bits");
        into = static_cast<std::int32_t>(negative ? -std::int64_t(value) : std::int64_t(value));
        return {};
    }
    Result<void> condition(DpuInstruction& in) {
        const std::string_view word = m_scan.word();
        const auto found = dpuConditionNamed(word);
        if (!found)
            return m_scan.error(fmt::format("there is no condition \"{}\"", word));
        in.condition = *found;
        PIM_CHECK(m_scan.expect('@'));
        PIM_TRY(const std::uint64_t place, m_scan.number(kMaxInstructions - 1));
        in.target = static_cast<std::uint16_t>(place);
        return {};
    }

    TextScanner m_scan;
    DpuProgram m_program;
};

} // namespace

Result<DpuProgram> parseDpuProgram(std::string_view text) {
    return Parser(text).parse();
}

} // namespace pim::upmem
