// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/lines.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace pim {
namespace {

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

std::string_view trimmed(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
}

/// The word up to the next space; \p line moves behind it.
std::string_view takeWord(std::string_view& line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line = trimmed(line.substr(end));
    return word;
}

std::int64_t numberIn(std::string_view text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::string quoted(std::string_view text) {
    const std::size_t begin = text.find('"'), end = text.rfind('"');
    return begin == std::string_view::npos || end <= begin
               ? std::string()
               : std::string(text.substr(begin + 1, end - begin - 1));
}

struct Loop {
    std::string variable;
    std::int64_t turns = 1;
};

/// "32+i0+4*i1", "-1": a sum of a number and variables, each with a factor in front.
OperandRange rangeOf(std::string_view name, std::string_view sum, const std::vector<Loop>& loops) {
    OperandRange range{std::string(name)};
    while (!sum.empty()) {
        const std::size_t end = std::min(sum.find_first_of("+-", 1), sum.size());
        std::string_view term = sum.substr(0, end);
        sum = sum.substr(end);
        const std::int64_t sign = term.front() == '-' ? -1 : 1;
        if (term.front() == '+' || term.front() == '-')
            term.remove_prefix(1);
        const std::size_t star = term.find('*');
        const std::string_view variable = star == std::string_view::npos ? term : term.substr(star + 1);
        const auto loop = std::find_if(loops.rbegin(), loops.rend(),
                                       [&](const Loop& each) { return each.variable == variable; });
        if (loop == loops.rend()) {
            const std::int64_t value = sign * numberIn(term);
            range.first += value;
            range.low += value;
            range.high += value;
            continue;
        }
        const std::int64_t reach =
            sign * (star == std::string_view::npos ? 1 : numberIn(term)) * (loop->turns - 1);
        (reach < 0 ? range.low : range.high) += reach;
    }
    return range;
}

} // namespace

const OperandRange* ProgramLine::operand(std::string_view name) const {
    const auto found = std::find_if(operands.begin(), operands.end(),
                                    [&](const OperandRange& each) { return each.name == name; });
    return found == operands.end() ? nullptr : &*found;
}

std::vector<ProgramLine> programLines(std::string_view text) {
    std::vector<ProgramLine> lines;
    const bool isProgram = text.starts_with("pim-program ");
    std::string phase, unit;
    std::vector<Loop> loops;
    std::vector<ProgramLine::Kind> open;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view rest = trimmed(text.substr(0, end));
        text = text.substr(std::min(end + 1, text.size()));
        ProgramLine& line = lines.emplace_back();
        if (!isProgram || rest.empty())
            continue;
        if (rest == "}" && !open.empty()) {
            if (open.back() == ProgramLine::Kind::Loop)
                loops.pop_back();
            else
                (open.back() == ProgramLine::Kind::Phase ? phase : unit).clear();
            open.pop_back();
            continue;
        }
        for (const Loop& loop : loops)
            if (__builtin_mul_overflow(line.turns, loop.turns, &line.turns))
                line.turns = kEndless;
        const std::string_view word = takeWord(rest);
        if (rest.ends_with('{')) {
            line.kind = word == "phase"    ? ProgramLine::Kind::Phase
                        : word == "stream" ? ProgramLine::Kind::Stream
                                           : ProgramLine::Kind::Loop;
            open.push_back(line.kind);
            if (word == "phase")
                phase = quoted(rest);
            else if (word == "stream")
                unit = quoted(rest);
            else {
                const std::string_view variable = takeWord(rest);
                loops.push_back({std::string(variable), std::max<std::int64_t>(1, numberIn(rest))});
            }
        } else if (!unit.empty()) {
            line.kind = ProgramLine::Kind::Command;
            line.opcode = word;
            while (!rest.empty()) {
                const std::string_view operand = takeWord(rest);
                const std::size_t equals = operand.find('=');
                if (equals != std::string_view::npos && equals + 1 < operand.size())
                    line.operands.push_back(
                        rangeOf(operand.substr(0, equals), operand.substr(equals + 1), loops));
            }
        }
        line.phase = phase;
        line.unit = unit;
    }
    return lines;
}

} // namespace pim
