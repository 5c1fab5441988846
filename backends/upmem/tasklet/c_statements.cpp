// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tasklet/c_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim::upmem {
namespace {

bool isByte(Element type) {
    return bytesOf(type) == 1;
}

} // namespace

void CWriter::statements(const std::vector<Statement>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].kind == Kind::Comment && i > 0 && list[i - 1].kind != Kind::Comment)
            line();
        m_statement = list[i].id;
        statement(list[i]);
    }
}

void CWriter::statement(const Statement& s) {
    switch (s.kind) {
    case Kind::Comment:
        return line("// " + commentText(s.text));
    case Kind::Declare:
        return declare(s);
    case Kind::Set:
        return set(s);
    case Kind::Store:
        return store(s);
    case Kind::DmaRead:
    case Kind::DmaWrite:
    case Kind::ReadAll:
        return transfer(s);
    case Kind::Count: {
        m_given.enter();
        const std::string turn = m_given.give("turn");
        inBraces(fmt::format("for (uint32_t {0} = 0; {0} < {1}; ++{0})", turn, text(s.a)), s.body);
        return m_given.leave();
    }
    case Kind::Range:
        return range(s);
    case Kind::While:
        return inBraces(fmt::format("while ({})", m_expressions.condition(s.condition)), s.body);
    case Kind::Unrolled: {
        m_given.enter();
        const std::string copy = m_names.copies[s.id] = m_given.give("k");
        line(fmt::format("UNROLL({})", s.number));
        inBraces(fmt::format("for (uint32_t {0} = 0; {0} < {1}; ++{0})", copy, s.number), s.body);
        return m_given.leave();
    }
    case Kind::If:
        return when(s);
    case Kind::Barrier:
        return line("barrier_wait(&all_tasklets);");
    case Kind::Lock:
        return line(fmt::format("lock({});", m_mutexNames.at(int(s.number))));
    case Kind::Unlock:
        return line(fmt::format("unlock({});", m_mutexNames.at(int(s.number))));
    case Kind::WaitFor:
        return line(fmt::format("handshake_wait_for({});", text(s.a)));
    case Kind::Notify:
        return line("handshake_notify();");
    }
}

void CWriter::declare(const Statement& s) {
    const TaskletCode::Variable& variable = m_code.variables()[std::size_t(s.variable)];
    if (!m_needs.variables.contains(s.variable))
        return;
    std::string value = text(s.a);
    const std::string name = m_given.give(variable.name);
    m_names.variables[s.variable] = name;
    if (!variable.isPointer)
        return line(fmt::format("{}{} {} = {};", m_needs.changed.contains(s.variable) ? "" : "const ",
                                cRegisterName(variable.type), name, value));
    const ValueNode& start = m_code.node(s.a);
    std::string type(cName(variable.type));
    // C must not take what it points to for another object than the buffer is.
    const bool isOther = bytesOf(start.type) != bytesOf(variable.type) && !isByte(variable.type);
    if (isOther || std::ranges::any_of(m_needs.retyped, [&](int other) { return reads(s.a, other); })) {
        m_needs.retyped.insert(s.variable);
        type += " __attribute__((may_alias))";
    }
    if (start.type != variable.type) {
        const bool plain = start.kind == ValueKind::Wram || start.kind == ValueKind::Variable;
        value = plain ? fmt::format("({}*){}", type, value) : fmt::format("({}*)({})", type, value);
    }
    line(fmt::format("{}* {} = {};", type, name, value));
}

/// "x += y" where x becomes x + y.
std::string CWriter::change(const std::string& what, int value,
                            const std::function<bool(int)>& isWhat) const {
    static constexpr std::pair<ValueKind, std::string_view> kChanges[] = {
        {ValueKind::Add, "+"}, {ValueKind::Sub, "-"}, {ValueKind::And, "&"},       {ValueKind::Or, "|"},
        {ValueKind::Xor, "^"}, {ValueKind::Mul, "*"}, {ValueKind::ShiftLeft, "<<"}};
    const ValueNode& n = m_code.node(value);
    const auto* const found =
        std::ranges::find(kChanges, n.kind, &std::pair<ValueKind, std::string_view>::first);
    if (found == std::end(kChanges) || !isWhat(n.left))
        return fmt::format("{} = {};", what, text(value));
    const ValueNode& by = m_code.node(n.right);
    const bool isSum = n.kind == ValueKind::Add || n.kind == ValueKind::Sub;
    if (isSum && by.kind == ValueKind::Constant && (by.number == 1 || by.number == -1))
        return fmt::format("{}{};", (by.number == 1) == (n.kind == ValueKind::Add) ? "++" : "--", what);
    if (n.kind == ValueKind::Add && by.kind == ValueKind::Constant && by.number < 0)
        return fmt::format("{} -= {};", what, -by.number);
    // A narrower side is widened by its own sign, as it is in a sum.
    if (bytesOf(n.type) == 8 && bytesOf(by.type) < 8)
        return fmt::format("{} = {};", what, text(value));
    return fmt::format("{} {}= {};", what, found->second, text(n.right));
}

void CWriter::set(const Statement& s) {
    if (!m_needs.variables.contains(s.variable))
        return;
    line(change(m_names.variables.at(s.variable), s.a, [&](int node) {
        const ValueNode& n = m_code.node(node);
        return n.kind == ValueKind::Variable && n.number == s.variable;
    }));
}

void CWriter::store(const Statement& s) {
    ValueNode element{ValueKind::Load, m_code.node(s.a).type, false, s.a, s.b, 0};
    const CText pointer = m_expressions.expression(s.a);
    const std::string what = fmt::format(
        "{}[{}]", pointer.binding == CBinding::Primary ? pointer.text : "(" + pointer.text + ")", text(s.b));
    line(change(what, s.c, [&](int node) {
        const ValueNode& n = m_code.node(node);
        return n.kind == ValueKind::Load && n.type == element.type && m_expressions.same(n.left, s.a) &&
               m_expressions.same(n.right, s.b);
    }));
}

void CWriter::transfer(const Statement& s) {
    const std::string mram = "DPU_MRAM_HEAP_POINTER + " + m_expressions.summand(s.b);
    const std::string wram = text(s.a), bytes = text(s.c);
    if (s.kind == Kind::DmaWrite)
        line(fmt::format("mram_write({}, {}, {});", wram, mram, bytes));
    else
        line(fmt::format("{}({}, {}, {});", s.kind == Kind::ReadAll ? "read_all" : "mram_read", mram, wram,
                         bytes));
}

bool CWriter::reads(int node, int variable) const {
    if (node < 0)
        return false;
    const ValueNode& n = m_code.node(node);
    return (n.kind == ValueKind::Variable && n.number == variable) || reads(n.left, variable) ||
           reads(n.right, variable);
}

/// Whether the body may change what the expression is; memory always may.
bool CWriter::changesIn(int node, const std::vector<Statement>& body) const {
    const std::function<bool(int)> loads = [&](int at) {
        return at >= 0 && (m_code.node(at).kind == ValueKind::Load || loads(m_code.node(at).left) ||
                           loads(m_code.node(at).right));
    };
    const std::function<bool(const std::vector<Statement>&)> sets = [&](const std::vector<Statement>& list) {
        return std::ranges::any_of(list, [&](const Statement& s) {
            return (s.kind == Kind::Set && reads(node, s.variable)) || sets(s.body) || sets(s.otherwise);
        });
    };
    return loads(node) || sets(body);
}

void CWriter::range(const Statement& s) {
    const TaskletCode::Variable& variable = m_code.variables()[std::size_t(s.variable)];
    const std::string from = text(s.a);
    std::string to;
    m_given.enter();
    if (m_code.node(s.b).kind != ValueKind::Variable && changesIn(s.b, s.body)) {
        m_given.leave(); // beside the loop
        to = m_given.give(variable.name + "_end");
        line(fmt::format("const uint32_t {} = {};", to, text(s.b)));
        m_given.enter();
    }
    const std::string name = m_given.give(variable.name);
    m_names.variables[s.variable] = name;
    if (to.empty()) {
        // As the comparison it is: the counter has no sign.
        CText end = m_expressions.expression(s.b);
        const bool casts = end.isSigned && !end.neverNegative;
        const bool isLoose = end.binding < (casts ? CBinding::Unary : CBinding::Compare);
        to = fmt::format("{}{}", casts ? "(uint32_t)" : "", isLoose ? "(" + end.text + ")" : end.text);
    }
    const bool byOne = m_code.node(s.c).kind == ValueKind::Constant && m_code.node(s.c).number == 1;
    const std::string step = byOne ? "++" + name : fmt::format("{} += {}", name, text(s.c));
    inBraces(fmt::format("for (uint32_t {0} = {1}; {0} < {2}; {3})", name, from, to, step), s.body);
    m_given.leave();
}

/// One line that needs no braces.
bool CWriter::isPlainBody(const std::vector<Statement>& body) const {
    if (body.size() != 1)
        return false;
    static constexpr Kind kBlocks[] = {Kind::Comment, Kind::Declare,  Kind::Count, Kind::Range,
                                       Kind::While,   Kind::Unrolled, Kind::If};
    return std::ranges::find(kBlocks, body[0].kind) == std::end(kBlocks);
}

void CWriter::inBraces(const std::string& head, const std::vector<Statement>& body, bool mayBePlain) {
    const bool plain = mayBePlain && isPlainBody(body);
    const int statement = m_statement;
    line(head + (plain ? "" : " {"));
    ++m_depth;
    m_given.enter();
    statements(body);
    m_given.leave();
    --m_depth;
    m_statement = statement;
    if (!plain)
        line("}");
}

/// An If that is all of an else stands behind it.
void CWriter::when(const Statement& s) {
    std::vector<const Statement*> chain{&s};
    while (chain.back()->otherwise.size() == 1 && chain.back()->otherwise[0].kind == Kind::If)
        chain.push_back(&chain.back()->otherwise[0]);
    const std::vector<Statement>& last = chain.back()->otherwise;
    const bool plain =
        (last.empty() || isPlainBody(last)) &&
        std::ranges::all_of(chain, [&](const Statement* link) { return isPlainBody(link->body); });
    const auto part = [&](const std::string& head, const std::vector<Statement>& body, bool isFirst) {
        if (!isFirst && !plain) { // behind the brace
            m_lines.pop_back();
            m_statementOfLine.pop_back();
        }
        inBraces((isFirst ? "" : plain ? "else " : "} else ") + head, body, plain);
    };
    for (const Statement* link : chain) {
        m_statement = link->id;
        part(fmt::format("if ({})", m_expressions.condition(link->condition)), link->body, link == &s);
    }
    if (!last.empty()) {
        const std::string head = plain ? "else" : "} else";
        if (!plain) {
            m_lines.pop_back();
            m_statementOfLine.pop_back();
        }
        inBraces(head, last, plain);
    }
}

} // namespace pim::upmem
