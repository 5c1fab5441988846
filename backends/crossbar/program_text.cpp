// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Programs of crossbar cores as text and back. What repeats is written once, as a loop whose operands move
/// by a stride.
#include "backends/crossbar/instruction.h"
#include "core/base/append.h"
#include "core/base/line_reader.h"
#include "core/base/parallel.h"
#include "core/base/text_scanner.h"
#include "core/hardware/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pim {
namespace {

using Field = std::uint32_t CrossbarInstruction::*;
constexpr std::array<Field, 6> kFields{&CrossbarInstruction::dst,   &CrossbarInstruction::src1,
                                       &CrossbarInstruction::src2,  &CrossbarInstruction::length,
                                       &CrossbarInstruction::index, &CrossbarInstruction::peer};
constexpr std::array<std::string_view, 6> kFieldNames{"dst", "src1", "src2", "length", "index", "peer"};
/// What it is called where an instruction says it besides its operands.
std::string_view fieldName(CrossbarOpcode opcode, std::size_t field) {
    if (opcode == CrossbarOpcode::Copy && kFieldNames[field] == "src2")
        return "apart";
    if (opcode == CrossbarOpcode::Copy && kFieldNames[field] == "peer")
        return "pieces";
    return kFieldNames[field];
}

/// An operand in the text: its letter and its field. g array group, r local memory, m global memory, t
/// transfer, c core.
struct Operand {
    char letter = 0;
    Field field = nullptr;
};
using I = CrossbarInstruction;

std::span<const Operand> operandsFor(CrossbarOpcode opcode, VectorOp vec) {
    static constexpr std::array<Operand, 5> kMvm{
        {{'g', &I::index}, {'r', &I::dst}, {'r', &I::src1}, {0, &I::length}, {0, &I::src2}}};
    static constexpr std::array<Operand, 3> kUnary{{{'r', &I::dst}, {'r', &I::src1}, {0, &I::length}}};
    static constexpr std::array<Operand, 4> kBinary{
        {{'r', &I::dst}, {'r', &I::src1}, {'r', &I::src2}, {0, &I::length}}};
    static constexpr std::array<Operand, 3> kWrite{{{'r', &I::dst}, {0, &I::length}, {0, &I::src2}}};
    static constexpr std::array<Operand, 3> kLoad{{{'r', &I::dst}, {'m', &I::src1}, {0, &I::length}}};
    static constexpr std::array<Operand, 3> kStore{{{'m', &I::dst}, {'r', &I::src1}, {0, &I::length}}};
    static constexpr std::array<Operand, 4> kSend{
        {{'t', &I::index}, {'c', &I::peer}, {'r', &I::src1}, {0, &I::length}}};
    static constexpr std::array<Operand, 4> kRecv{
        {{'t', &I::index}, {'c', &I::peer}, {'r', &I::dst}, {0, &I::length}}};
    switch (opcode) {
    case CrossbarOpcode::Mvm:
        return kMvm;
    case CrossbarOpcode::Vec:
        return takesTwo(vec) ? std::span<const Operand>(kBinary) : std::span<const Operand>(kUnary);
    case CrossbarOpcode::Copy:
        return kUnary;
    case CrossbarOpcode::Write:
        return kWrite;
    case CrossbarOpcode::Load:
        return kLoad;
    case CrossbarOpcode::Store:
        return kStore;
    case CrossbarOpcode::Send:
        return kSend;
    case CrossbarOpcode::Recv:
        return kRecv;
    }
    return {};
}

/// Same but for operands?
bool sameKind(const I& a, const I& b) {
    return a.opcode == b.opcode && a.vec == b.vec && a.stage == b.stage && a.flags == b.flags &&
           a.layer == b.layer;
}

/// What \p step adds to each operand of \p one; arithmetic wraps, as addresses do.
I strideOf(const I& one, const I& step) {
    I stride{};
    for (const Field field : kFields)
        stride.*field = step.*field - one.*field;
    return stride;
}

bool continues(const I& first, const I& stride, std::uint32_t times, const I& there) {
    return sameKind(first, there) && std::ranges::all_of(kFields, [&](Field field) {
               return there.*field == first.*field + times * (stride.*field);
           });
}

// ------------------------------------------------------------------------------------------------ writing

constexpr std::size_t kLongestBody = 8; // instructions of a loop that are looked for

/// Of one core.
class Writer {
public:
    explicit Writer(const CrossbarProgram& program) : m_program(program) {}

    std::string write(std::size_t core, std::size_t groups) {
        append(m_text, "core ", core, ", local ",
               core < m_program.localPeak.size() ? m_program.localPeak[core] : 0, '\n');
        writeGroups(core, groups);
        return std::move(m_text);
    }

private:
    std::span<const I> groupOf(std::size_t core, std::size_t group) const {
        const auto& ends = m_program.groupEnds[core];
        const std::size_t begin = group == 0 ? 0 : ends[group - 1];
        return std::span(m_program.cores[core]).subspan(begin, ends[group] - begin);
    }

    void writeGroups(std::size_t core, std::size_t groups) {
        for (std::size_t group = 0; group < groups;) {
            const std::size_t alike = groupsAlike(core, group, groups);
            const std::span<const I> body = groupOf(core, group);
            if (alike < 2) {
                m_text += "group\n";
                writeBody(body);
                ++group;
                continue;
            }
            const std::span<const I> next = groupOf(core, group + 1);
            append(m_text, "loop ", alike, " groups {\n");
            for (std::size_t i = 0; i < body.size(); ++i)
                writeOne(body[i], strideOf(body[i], next[i]));
            m_text += "}\n";
            group += alike;
        }
    }

    /// How many groups from \p group on are one with strides.
    std::size_t groupsAlike(std::size_t core, std::size_t group, std::size_t groups) const {
        if (group + 1 == groups)
            return 1;
        const std::span<const I> first = groupOf(core, group), second = groupOf(core, group + 1);
        if (first.size() != second.size())
            return 1;
        std::size_t alike = 1;
        for (; group + alike < groups; ++alike) {
            const std::span<const I> there = groupOf(core, group + alike);
            if (there.size() != first.size())
                break;
            bool same = true;
            for (std::size_t i = 0; same && i < first.size(); ++i)
                same = continues(first[i], strideOf(first[i], second[i]), std::uint32_t(alike), there[i]);
            if (!same)
                break;
        }
        return alike;
    }

    void writeBody(std::span<const I> body) {
        for (std::size_t at = 0; at < body.size();) {
            std::size_t length = 1, times = 1, saved = 0;
            for (std::size_t tried = 1; tried <= kLongestBody && at + 2 * tried <= body.size(); ++tried) {
                const std::size_t repeats = repeatsOf(body, at, tried);
                if (repeats * tried > tried + 2 + saved) {
                    saved = repeats * tried - tried - 2;
                    length = tried;
                    times = repeats;
                }
            }
            if (times == 1) {
                writeOne(body[at], {});
                ++at;
                continue;
            }
            append(m_text, "loop ", times, " {\n");
            for (std::size_t i = at; i < at + length; ++i)
                writeOne(body[i], strideOf(body[i], body[i + length]));
            m_text += "}\n";
            at += length * times;
        }
    }

    static std::size_t repeatsOf(std::span<const I> body, std::size_t at, std::size_t length) {
        std::size_t repeats = 1;
        for (; at + (repeats + 1) * length <= body.size(); ++repeats)
            for (std::size_t i = at; i < at + length; ++i)
                if (!continues(body[i], strideOf(body[i], body[i + length]), std::uint32_t(repeats),
                               body[i + repeats * length]))
                    return repeats;
        return repeats;
    }

    void writeOne(const I& one, const I& stride) {
        append(m_text, "  ", name(one.opcode));
        if (one.opcode == CrossbarOpcode::Vec || one.vec != VectorOp::None)
            append(m_text, '.', name(one.vec));
        const std::span<const Operand> operands = operandsFor(one.opcode, one.vec);
        const char* comma = " ";
        for (const Operand& operand : operands) {
            m_text += comma;
            comma = ", ";
            if (operand.letter != 0)
                m_text += operand.letter;
            writeNumber(one.*operand.field, stride.*operand.field);
        }
        for (std::size_t f = 0; f < kFields.size(); ++f) {
            if (one.*kFields[f] == 0 && stride.*kFields[f] == 0)
                continue;
            if (std::ranges::any_of(operands, [&](const Operand& o) { return o.field == kFields[f]; }))
                continue;
            append(m_text, comma, fieldName(one.opcode, f), '=');
            writeNumber(one.*kFields[f], stride.*kFields[f]);
        }
        append(m_text, " [", one.layer, ' ', name(one.stage),
               (one.flags & I::kWideSource) != 0 ? " widein" : "",
               (one.flags & I::kWideResult) != 0 ? " wideout" : "", "]\n");
    }

    void writeNumber(std::uint32_t value, std::uint32_t stride) {
        append(m_text, value);
        if (stride != 0)
            append(m_text, std::int32_t(stride) > 0 ? "+" : "", std::int32_t(stride));
    }

    const CrossbarProgram& m_program;
    std::string m_text;
};

// ------------------------------------------------------------------------------------------------ reading

// Beyond these no such program is known, and loops could ask for any amount of memory. So that a short text cannot ask for as much as
// a long one, what all loops unfold to is bound by its length too.
constexpr std::uint64_t kMostCores = 1'000'000, kMostGroups = 10'000'000, kMostInstructions = 200'000'000;
constexpr std::uint64_t kInstructionsOfAnyText = 8'000'000, kInstructionsAByte = 1500;

class Parser {
public:
    explicit Parser(std::string_view text)
        : m_scan(text, "program", {.digitFirst = true}),
          m_most(std::min(kMostInstructions, kInstructionsOfAnyText + kInstructionsAByte * text.size())) {}

    Result<CrossbarProgram> parse() {
        PIM_CHECK(parseHeader());
        while (nextLine())
            PIM_CHECK(parseLine());
        PIM_CHECK(endCore());
        if (m_core + 1 != int(m_program.cores.size()))
            return wrong(fmt::format("the text ends after core {}, the first line says {} cores", m_core,
                                     m_program.cores.size()));
        return std::move(m_program);
    }

private:
    /// An instruction and what each round of its loop adds.
    struct Strided {
        I one, stride;
    };

    tl::unexpected<Error> wrong(std::string message, std::string hint = {}) const {
        return m_scan.errorAt(m_scan.at(), std::move(message), std::move(hint));
    }
    tl::unexpected<Error> tooMany() const {
        return wrong(fmt::format("the program has more than {} instructions, the most that {} bytes may "
                                 "unfold to",
                                 m_most, m_scan.text().size()),
                     "let its loops go round less often");
    }
    tl::unexpected<Error> notFound(std::string_view wanted) const {
        return wrong(fmt::format("expected {}, found \"{}\"", wanted, shownText(m_scan.restOfLine())));
    }

    /// Moves to the next line that is neither empty nor a comment; stays on the last one if there is none.
    bool nextLine() {
        while (m_nextLine < m_scan.text().size()) {
            m_scan.moveTo(m_nextLine);
            m_nextLine = m_scan.lineEnd() + 1;
            m_scan.skipBlanks();
            if (!m_scan.isLineDone() && m_scan.peek() != '#')
                return true;
        }
        return false;
    }
    bool atWord(std::string_view word) {
        if (m_scan.wordHere() != word)
            return false;
        m_scan.advance(word.size());
        m_scan.skipBlanks();
        return true;
    }
    bool atSymbol(char symbol) {
        if (m_scan.peek() != symbol)
            return false;
        m_scan.advance();
        m_scan.skipBlanks();
        return true;
    }
    Result<void> expect(std::string_view what) {
        const bool isWord = TextScanner::isLetter(what[0]);
        if (isWord ? atWord(what) : atSymbol(what[0]))
            return {};
        return notFound(fmt::format("\"{}\"", what));
    }
    Result<void> expectEnd() {
        if (m_scan.isLineDone())
            return {};
        return wrong(fmt::format("\"{}\" is too much", shownText(m_scan.restOfLine())));
    }
    Result<std::uint64_t> number(std::uint64_t most) {
        std::uint64_t value = 0;
        const std::size_t start = m_scan.at();
        const auto digits = m_scan.takeDigits(value);
        if (digits == TextScanner::Digits::None)
            return notFound("a number");
        if (digits == TextScanner::Digits::TooMany || value > most)
            return m_scan.errorAt(start, fmt::format("the number must be at most {}", most));
        return value;
    }

    Result<void> parseHeader() {
        if (!nextLine())
            return wrong("the text is empty");
        for (const std::string_view word : {"crossbar", "program", ","})
            PIM_CHECK(expect(word));
        PIM_TRY(const std::uint64_t cores, number(kMostCores));
        m_scan.skipBlanks();
        for (const std::string_view word : {"cores", ","})
            PIM_CHECK(expect(word));
        PIM_TRY(m_groups, number(kMostGroups));
        m_scan.skipBlanks();
        for (const std::string_view word : {"groups", ",", "accumulators", "of"})
            PIM_CHECK(expect(word));
        PIM_TRY(const std::uint64_t elements, number(64));
        if (elements == 0)
            return wrong("an accumulator takes at least 1 element");
        if (cores * m_groups > m_most)
            return wrong(fmt::format("{} cores of {} groups are more than {}", cores, m_groups, m_most));
        m_program.accumulatorElements = int(elements);
        m_program.cores.resize(cores);
        m_program.groupEnds.resize(cores);
        m_program.localPeak.resize(cores);
        return expectEnd();
    }

    Result<void> parseLine() {
        if (atWord("core"))
            return parseCore();
        if (m_core < 0)
            return wrong("expected \"core\"");
        if (atWord("group"))
            return openGroup();
        if (atWord("loop"))
            return openLoop();
        return atSymbol('}') ? closeLoop() : parseInstruction();
    }

    Result<void> parseCore() {
        PIM_CHECK(endCore());
        PIM_TRY(const std::uint64_t core, number(kMostCores));
        if (core != std::uint64_t(m_core + 1) || core >= m_program.cores.size())
            return wrong(fmt::format("core {} comes where core {} of {} is due", core, m_core + 1,
                                     m_program.cores.size()));
        m_scan.skipBlanks();
        for (const std::string_view word : {",", "local"})
            PIM_CHECK(expect(word));
        PIM_TRY(const std::uint64_t peak, number(~std::uint32_t(0)));
        m_core = int(core);
        m_program.localPeak[core] = std::uint32_t(peak);
        return expectEnd();
    }

    Result<void> endCore() {
        if (m_loop)
            return wrong("the loop is not closed", "put \"}\" behind its last instruction");
        if (m_core < 0)
            return {};
        endGroup();
        auto& ends = m_program.groupEnds[std::size_t(m_core)];
        if (ends.size() != m_groups)
            return wrong(
                fmt::format("core {} has {} groups, the first line says {}", m_core, ends.size(), m_groups));
        return {};
    }
    void endGroup() {
        if (m_groupOpen)
            m_program.groupEnds[std::size_t(m_core)].push_back(std::uint32_t(stream().size()));
        m_groupOpen = false;
    }
    Result<void> openGroup() {
        if (m_loop)
            return wrong("a group begins within a loop");
        endGroup();
        m_groupOpen = true;
        return expectEnd();
    }

    Result<void> openLoop() {
        if (m_loop)
            return wrong("a loop lies within a loop");
        PIM_TRY(const std::uint64_t times, number(kMostInstructions));
        m_scan.skipBlanks();
        m_loopOfGroups = atWord("groups");
        PIM_CHECK(expect("{"));
        if (m_loopOfGroups)
            endGroup();
        else if (!m_groupOpen)
            return wrong("an instruction comes before the first group");
        m_loop = times;
        m_body.clear();
        return expectEnd();
    }

    Result<void> closeLoop() {
        if (!m_loop)
            return wrong("\"}\" closes nothing");
        const std::uint64_t groups =
            m_program.groupEnds[std::size_t(m_core)].size() + (m_loopOfGroups ? *m_loop : 0);
        if (m_count + *m_loop * m_body.size() > m_most)
            return tooMany();
        if (groups > m_groups)
            return wrong(
                fmt::format("core {} has {} groups, the first line says {}", m_core, groups, m_groups));
        if (const std::size_t size = stream().size() + *m_loop * m_body.size(); size > stream().capacity())
            stream().reserve(std::max(size, stream().capacity() + stream().capacity() / 2));
        for (std::uint64_t time = 0; time < *m_loop && (m_loopOfGroups || !m_body.empty()); ++time) {
            for (const Strided& strided : m_body) {
                I one = strided.one;
                for (const Field field : kFields)
                    one.*field += std::uint32_t(time) * (strided.stride.*field);
                stream().push_back(one);
            }
            if (m_loopOfGroups)
                m_program.groupEnds[std::size_t(m_core)].push_back(std::uint32_t(stream().size()));
        }
        m_count += *m_loop * m_body.size();
        m_loop.reset();
        return expectEnd();
    }

    Result<void> parseInstruction() {
        if (!m_groupOpen && !(m_loop && m_loopOfGroups))
            return wrong("an instruction comes before the first group");
        Strided strided;
        PIM_CHECK(parseOpcode(strided.one));
        bool first = true;
        for (const Operand& operand : operandsFor(strided.one.opcode, strided.one.vec)) {
            if (!first)
                PIM_CHECK(expect(","));
            first = false;
            if (operand.letter != 0 && m_scan.peek() != operand.letter)
                return notFound(fmt::format("\"{}\" and a number", operand.letter));
            m_scan.advance(operand.letter != 0 ? 1 : 0);
            PIM_CHECK(parseValue(strided, operand.field));
        }
        while (atSymbol(','))
            PIM_CHECK(parseExtra(strided));
        PIM_CHECK(parseTail(strided.one));
        if (m_loop) {
            m_body.push_back(strided);
            return {};
        }
        if (++m_count > m_most)
            return tooMany();
        stream().push_back(strided.one);
        return {};
    }

    Result<void> parseOpcode(I& one) {
        const std::string_view word = m_scan.wordHere();
        for (int opcode = 0; opcode <= int(CrossbarOpcode::Recv); ++opcode) {
            if (word != name(CrossbarOpcode(opcode)))
                continue;
            one.opcode = CrossbarOpcode(opcode);
            m_scan.advance(word.size());
            if (m_scan.peek() == '.') {
                m_scan.advance();
                const std::string_view op = m_scan.wordHere();
                const auto vec = vectorOpNamed(op);
                if (!vec)
                    return wrong(fmt::format("unknown vector operation \"{}\"", shownText(op)));
                one.vec = *vec;
                m_scan.advance(op.size());
            } else if (one.opcode == CrossbarOpcode::Vec) {
                return wrong("vec names no operation", "write vec.add, vec.relu, …");
            }
            m_scan.skipBlanks();
            return {};
        }
        std::vector<std::string> known;
        for (int opcode = 0; opcode <= int(CrossbarOpcode::Recv); ++opcode)
            known.emplace_back(name(CrossbarOpcode(opcode)));
        return wrong(
            fmt::format("unknown instruction \"{}\"", shownText(word.empty() ? m_scan.restOfLine() : word)),
            didYouMean(shownText(word), known));
    }

    Result<void> parseValue(Strided& strided, Field field) {
        PIM_TRY(const std::uint64_t value, number(~std::uint32_t(0)));
        strided.one.*field = std::uint32_t(value);
        if (m_scan.peek() == '+' || m_scan.peek() == '-') {
            if (!m_loop)
                return wrong("a stride stands outside of a loop");
            const bool minus = m_scan.peek() == '-';
            m_scan.advance();
            PIM_TRY(const std::uint64_t stride, number(std::uint64_t(1) << 31));
            strided.stride.*field = minus ? std::uint32_t(0) - std::uint32_t(stride) : std::uint32_t(stride);
        }
        m_scan.skipBlanks();
        return {};
    }

    Result<void> parseExtra(Strided& strided) {
        for (std::size_t f = 0; f < kFields.size(); ++f)
            if (atWord(fieldName(strided.one.opcode, f))) {
                PIM_CHECK(expect("="));
                return parseValue(strided, kFields[f]);
            }
        return notFound("a field");
    }

    /// "[4 main wideout]"
    Result<void> parseTail(I& one) {
        PIM_CHECK(expect("["));
        PIM_TRY(const std::uint64_t layer, number(~std::uint32_t(0)));
        one.layer = std::uint32_t(layer);
        m_scan.skipBlanks();
        const std::string_view word = m_scan.wordHere();
        bool found = false;
        for (int stage = 0; !found && stage <= int(CrossbarStage::Output); ++stage)
            if ((found = word == name(CrossbarStage(stage))))
                one.stage = CrossbarStage(stage);
        if (!found)
            return wrong(fmt::format("unknown stage \"{}\"", shownText(word)));
        m_scan.advance(word.size());
        m_scan.skipBlanks();
        if (atWord("widein"))
            one.flags |= I::kWideSource;
        if (atWord("wideout"))
            one.flags |= I::kWideResult;
        PIM_CHECK(expect("]"));
        return expectEnd();
    }

    std::vector<I>& stream() { return m_program.cores[std::size_t(m_core)]; }

    TextScanner m_scan;
    std::uint64_t m_most;       ///< Instructions, and groups of all cores.
    std::size_t m_nextLine = 0; ///< Where it begins.
    CrossbarProgram m_program;
    std::uint64_t m_groups = 0, m_count = 0;
    int m_core = -1;
    bool m_groupOpen = false, m_loopOfGroups = false;
    std::optional<std::uint64_t> m_loop; ///< Rounds of the loop that is open.
    std::vector<Strided> m_body;
};

} // namespace

std::string crossbarText(const CrossbarProgram& program) {
    const std::size_t groups = program.groupEnds.empty() ? 0 : program.groupEnds[0].size();
    std::vector<std::string> cores(program.cores.size());
    parallelFor(cores.size(), 0,
                [&](std::size_t core) { cores[core] = Writer(program).write(core, groups); });
    std::string text;
    append(text, "crossbar program, ", program.cores.size(), " cores, ", groups, " groups, accumulators of ",
           program.accumulatorElements, '\n');
    std::size_t length = text.size();
    for (const std::string& core : cores)
        length += core.size();
    text.reserve(length);
    for (std::string& core : cores)
        text += std::exchange(core, {});
    return text;
}

Result<CrossbarProgram> parseCrossbarText(std::string_view text) {
    return Parser(text).parse();
}

} // namespace pim
