// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

namespace pim {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::int64_t saturatingMul(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? kMost : sum;
}

void count(const std::vector<ProgramItem>& items, std::int64_t turns, std::vector<std::int64_t>& counts) {
    for (const ProgramItem& item : items) {
        if (!item.body.empty()) {
            count(item.body, saturatingMul(turns, std::max<std::int64_t>(item.repeat, 0)), counts);
        } else {
            PIM_ASSERT(item.command.opcode < counts.size(), "a command names an opcode of its program");
            auto& one = counts[item.command.opcode];
            one = saturatingAdd(one, turns);
        }
    }
}

bool isIdentifier(std::string_view text) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !text.empty() && letter(text.front()) &&
           std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// A name for a loop inside the loops of \p scope: its own if usable, else i0, i1, … by depth.
std::string loopVariable(const std::string& wanted, const std::vector<std::string>& scope) {
    const auto taken = [&scope](const std::string& variable) {
        return std::ranges::find(scope, variable) != scope.end();
    };
    if (isIdentifier(wanted) && !taken(wanted))
        return wanted;
    std::string variable = fmt::format("i{}", scope.size());
    while (taken(variable))
        variable += "_";
    return variable;
}

void canonicalizeItems(std::vector<ProgramItem>& items, std::vector<std::string>& scope) {
    for (ProgramItem& item : items) {
        if (!item.body.empty()) {
            item.command = {};
            item.strides.clear();
            item.variable = loopVariable(item.variable, scope);
            scope.push_back(item.variable);
            canonicalizeItems(item.body, scope);
            scope.pop_back();
            continue;
        }
        item.repeat = 1;
        item.variable.clear();
        const bool moves = std::ranges::any_of(item.strides, [](const auto& row) {
            return std::ranges::any_of(row, [](std::int64_t stride) { return stride != 0; });
        });
        item.strides.resize(moves ? scope.size() : 0);
        for (auto& row : item.strides)
            row.resize(item.command.operands.size());
    }
}

class Writer {
public:
    explicit Writer(const Program& program) : m_program(program) {}

    std::string write() {
        m_text = "pim-program 1\n";
        line("op {}", quoted(m_program.op));
        line("target {}", quoted(m_program.target));
        line("draft {}", quoted(m_program.draft));
        std::set<std::string> names;
        for (const Opcode& opcode : m_program.opcodes) {
            PIM_ASSERT(isIdentifier(opcode.name) && names.insert(opcode.name).second,
                       "opcodes have names of their own");
            PIM_ASSERT(std::ranges::all_of(opcode.operands, isIdentifier), "operands have names");
            line("opcode {}({}) {}", opcode.name, fmt::join(opcode.operands, ", "), quoted(opcode.meaning));
        }
        for (const Phase& phase : m_program.phases) {
            open("phase {} {{", quoted(phase.name));
            for (const Stream& stream : phase.streams) {
                open("stream {} {{", quoted(stream.unit));
                items(stream.items);
                close();
            }
            close();
        }
        return std::move(m_text);
    }

private:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        m_text.append(m_depth * 2, ' ');
        fmt::format_to(std::back_inserter(m_text), format, std::forward<Args>(args)...);
        m_text += '\n';
    }
    template <class... Args>
    void open(fmt::format_string<Args...> format, Args&&... args) {
        line(format, std::forward<Args>(args)...);
        ++m_depth;
    }
    void close() {
        --m_depth;
        line("}}");
    }

    static std::string quoted(std::string_view text) {
        std::string result = "\"";
        for (const char c : text) {
            if (c == '"' || c == '\\')
                (result += '\\') += c;
            else if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7f)
                result += fmt::format("\\x{:02x}", byte);
            else
                result += c;
        }
        return result += '"';
    }

    void items(const std::vector<ProgramItem>& list) {
        for (const ProgramItem& item : list) {
            if (item.body.empty()) {
                command(item);
                continue;
            }
            PIM_ASSERT(item.repeat >= 1, "a loop turns at least once");
            m_scope.push_back(loopVariable(item.variable, m_scope));
            open("loop {} {} {{", m_scope.back(), item.repeat);
            items(item.body);
            close();
            m_scope.pop_back();
        }
    }

    void command(const ProgramItem& item) {
        PIM_ASSERT(item.command.opcode < m_program.opcodes.size(),
                   "a command names an opcode of its program");
        const Opcode& opcode = m_program.opcodes[item.command.opcode];
        PIM_ASSERT(item.command.operands.size() == opcode.operands.size(),
                   "a command has the operands of its opcode");
        m_text.append(m_depth * 2, ' ');
        m_text += opcode.name;
        for (std::size_t i = 0; i < opcode.operands.size(); ++i) {
            fmt::format_to(std::back_inserter(m_text), " {}=", opcode.operands[i]);
            sum(item, i);
        }
        m_text += '\n';
    }

    /// Operand \p i: its value plus stride * variable for each loop that moves it.
    void sum(const ProgramItem& item, std::size_t i) {
        bool empty = true;
        if (item.command.operands[i] != 0) {
            fmt::format_to(std::back_inserter(m_text), "{}", item.command.operands[i]);
            empty = false;
        }
        for (std::size_t k = 0; k < item.strides.size() && k < m_scope.size(); ++k) {
            const std::int64_t stride = i < item.strides[k].size() ? item.strides[k][i] : 0;
            if (stride == 0)
                continue;
            m_text += stride < 0 ? "-" : empty ? "" : "+";
            const auto magnitude =
                stride < 0 ? ~static_cast<std::uint64_t>(stride) + 1 : static_cast<std::uint64_t>(stride);
            if (magnitude != 1)
                fmt::format_to(std::back_inserter(m_text), "{}*", magnitude);
            m_text += m_scope[k];
            empty = false;
        }
        if (empty)
            m_text += '0';
    }

    const Program& m_program;
    std::string m_text;
    std::size_t m_depth = 0;
    std::vector<std::string> m_scope; ///< Variables of the enclosing loops.
};

} // namespace

std::map<std::string, std::int64_t> commandCounts(const Program& program) {
    std::vector<std::int64_t> counts(program.opcodes.size());
    for (const Phase& phase : program.phases)
        for (const Stream& stream : phase.streams)
            count(stream.items, 1, counts);
    std::map<std::string, std::int64_t> byName;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0)
            byName[program.opcodes[i].name] = counts[i];
    return byName;
}

void canonicalize(Program& program) {
    std::vector<std::string> scope;
    for (Phase& phase : program.phases)
        for (Stream& stream : phase.streams)
            canonicalizeItems(stream.items, scope);
}

std::string programText(const Program& program) {
    return Writer(program).write();
}

} // namespace pim
