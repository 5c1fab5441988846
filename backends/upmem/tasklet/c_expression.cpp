// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tasklet/c_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace pim::upmem {
namespace {

/// Keywords of C11, and what the headers declare that generated code includes.
constexpr std::string_view kTakenInC[] = {"auto",
                                          "break",
                                          "case",
                                          "char",
                                          "const",
                                          "continue",
                                          "default",
                                          "do",
                                          "double",
                                          "else",
                                          "enum",
                                          "extern",
                                          "float",
                                          "for",
                                          "goto",
                                          "if",
                                          "inline",
                                          "int",
                                          "long",
                                          "register",
                                          "restrict",
                                          "return",
                                          "short",
                                          "signed",
                                          "sizeof",
                                          "static",
                                          "struct",
                                          "switch",
                                          "typedef",
                                          "union",
                                          "unsigned",
                                          "void",
                                          "volatile",
                                          "while",
                                          "asm",
                                          "typeof",
                                          "main",
                                          "me",
                                          "mram_read",
                                          "mram_write",
                                          "mem_alloc",
                                          "mem_reset",
                                          "barrier_wait",
                                          "mutex_lock",
                                          "mutex_unlock",
                                          "handshake_wait_for",
                                          "handshake_notify",
                                          "read_all",
                                          "all_tasklets",
                                          "tasklet_id",
                                          "NR_TASKLETS",
                                          "NR_DPUS",
                                          "DPU_BINARY",
                                          "UNROLL",
                                          "lock",
                                          "unlock",
                                          "PRAGMA",
                                          "WRAM_FOR_BUFFERS",
                                          "DPU_MRAM_HEAP_POINTER",
                                          "BARRIER_INIT",
                                          "MUTEX_INIT",
                                          "NULL",
                                          "stdin",
                                          "stdout",
                                          "stderr",
                                          "errno",
                                          "EOF",
                                          "unix",
                                          "linux"};

struct COperator {
    ValueKind kind;
    std::string_view sign;
    CBinding binding;
};
constexpr COperator kOperators[] = {
    {ValueKind::Add, "+", CBinding::Sum},
    {ValueKind::Sub, "-", CBinding::Sum},
    {ValueKind::Mul, "*", CBinding::Product},
    {ValueKind::Div, "/", CBinding::Product},
    {ValueKind::Mod, "%", CBinding::Product},
    {ValueKind::And, "&", CBinding::And},
    {ValueKind::Or, "|", CBinding::Or},
    {ValueKind::Xor, "^", CBinding::Xor},
    {ValueKind::ShiftLeft, "<<", CBinding::Shift},
    {ValueKind::ShiftRight, ">>", CBinding::Shift},
};
const COperator& operatorOf(ValueKind kind) {
    const auto* const found = std::ranges::find(kOperators, kind, &COperator::kind);
    PIM_ASSERT(found != std::end(kOperators), "the value is an operation with two sides");
    return *found;
}

CText constantText(std::int64_t number) {
    using Limits32 = std::numeric_limits<std::int32_t>;
    CText made;
    made.neverNegative = number >= 0;
    made.text = fmt::format("{}", number);
    if (number == Limits32::max())
        made.text = "INT32_MAX";
    else if (number == Limits32::min())
        made.text = "INT32_MIN";
    else if (number < Limits32::min() || number > std::numeric_limits<std::uint32_t>::max())
        made.text += "LL", made.bits = 64;
    else if (number > Limits32::max())
        made.text += "u", made.isSigned = false;
    if (number < 0 && made.text[0] == '-')
        made.binding = CBinding::Unary;
    return made;
}

bool isBitwise(CBinding binding) {
    return binding == CBinding::And || binding == CBinding::Or || binding == CBinding::Xor ||
           binding == CBinding::Shift;
}

} // namespace

std::string cNumber(std::int64_t number) {
    return constantText(number).text;
}

std::string_view cRegisterName(Element type) {
    if (bytesOf(type) == 8)
        return cName(type);
    return cName(isSigned(type) ? Element::I32 : Element::U32);
}

std::vector<std::string> wrappedC(const std::string& line) {
    constexpr std::size_t kColumns = 110;
    std::vector<std::string> made;
    std::vector<std::size_t> open; // columns of parentheses
    std::string rest = line;
    while (rest.size() > kColumns && rest.find("//") == std::string::npos) {
        const std::size_t indent = open.empty() ? rest.find('(') : open.back() + 1;
        std::size_t at = rest.rfind(", ", kColumns - 1);
        if (at == std::string::npos || at <= indent)
            at = rest.rfind(" + ", kColumns - 2);
        if (at == std::string::npos || at <= indent)
            break;
        const std::size_t end = rest[at] == ',' ? at + 1 : at + 2;
        for (std::size_t i = 0; i < end; ++i) {
            if (rest[i] == '(')
                open.push_back(i);
            else if (rest[i] == ')' && !open.empty())
                open.pop_back();
        }
        made.push_back(rest.substr(0, end));
        rest = std::string(open.empty() ? indent : open.back() + 1, ' ') + rest.substr(end + 1);
    }
    made.push_back(rest);
    return made;
}

// ---- Names ----

CNames::CNames() : m_scopes(1) {
    for (const std::string_view taken : kTakenInC)
        m_scopes[0].emplace(taken);
}

bool CNames::isTaken(const std::string& name) const {
    return std::ranges::any_of(m_scopes, [&](const auto& scope) { return scope.contains(name); });
}

std::string CNames::give(std::string_view wanted) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::string name;
    for (const char c : wanted)
        name += isLetter(c) || isDigit(c) ? c : '_';
    if (name.empty() || !isLetter(name[0]) || name[0] == '_') // those belong to the compiler
        name = "x" + name;
    std::string given = name;
    for (int i = 2; isTaken(given); ++i)
        given = fmt::format("{}_{}", name, i);
    m_scopes.back().insert(given);
    return given;
}

// ---- Expressions ----

/// Parentheses where C would bind otherwise, and where compilers ask for them.
std::string CExpressions::inside(const CText& text, CBinding binding, bool isRight, ValueKind kind) {
    bool needed = text.binding < binding;
    if (text.binding == binding && isRight)
        needed = !(kind == text.kind && !text.isRounded &&
                   (kind == ValueKind::Add || kind == ValueKind::Mul || kind == ValueKind::And ||
                    kind == ValueKind::Or || kind == ValueKind::Xor)) &&
                 !(kind == ValueKind::Add && text.kind == ValueKind::Sub);
    if (isBitwise(binding) && text.binding < CBinding::Unary)
        needed = text.binding != binding || text.kind != kind || isRight;
    return needed ? "(" + text.text + ")" : text.text;
}

CText CExpressions::as(CText text, bool isSigned, int bits) {
    if (text.bits == bits && (text.isSigned == isSigned || text.neverNegative))
        return text;
    if (text.bits < bits && (text.isSigned == isSigned || text.neverNegative) && !text.text.empty())
        return text; // C widens it as meant
    const std::string_view name =
        bits == 64 ? (isSigned ? "int64_t" : "uint64_t") : (isSigned ? "int32_t" : "uint32_t");
    text.text = fmt::format("({}){}", name, inside(text, CBinding::Unary));
    text.binding = CBinding::Unary;
    text.isSigned = isSigned;
    text.bits = bits;
    return text;
}

bool CExpressions::same(int a, int b) const {
    if (a == b || a < 0 || b < 0)
        return a == b;
    const ValueNode &x = m_code.node(a), &y = m_code.node(b);
    return x.kind == y.kind && x.type == y.type && x.number == y.number && same(x.left, y.left) &&
           same(x.right, y.right);
}

CText CExpressions::expression(int node) const {
    const ValueNode& n = m_code.node(node);
    CText made;
    made.kind = n.kind;
    switch (n.kind) {
    case ValueKind::Constant:
        return constantText(n.number);
    case ValueKind::Size:
        made.text = m_names.sizes[std::size_t(n.number)];
        made.neverNegative = m_sizes[std::size_t(n.number)] >= 0;
        return made;
    case ValueKind::Me:
        made.text = m_names.me;
        made.isSigned = false;
        return made;
    case ValueKind::Variable:
        made.text = m_names.variables.at(int(n.number));
        made.isSigned = isSigned(n.type) && !n.isPointer;
        made.bits = !n.isPointer && bytesOf(n.type) == 8 ? 64 : 32;
        return made;
    case ValueKind::Copy:
        made.text = m_names.copies.at(n.number);
        made.isSigned = false;
        return made;
    case ValueKind::Wram:
        made.text = m_names.buffers[std::size_t(n.number)];
        if (m_code.buffers()[std::size_t(n.number)].ofTasklet)
            made.text += fmt::format("[{}]", m_names.me);
        return made;
    case ValueKind::Mram:
        made.text = m_names.arrays[std::size_t(n.number)];
        made.neverNegative = true;
        return made;
    case ValueKind::Load:
        return load(n);
    case ValueKind::Widen:
        made = expression(n.left);
        if (made.bits == 32) {
            made = as(made, isSigned(n.type), 32);
            made.text = fmt::format("({}){}", cName(n.type), inside(made, CBinding::Unary));
            made.binding = CBinding::Unary;
            made.bits = 64;
            made.isSigned = isSigned(n.type);
        }
        return made;
    case ValueKind::Narrow:
        return as(expression(n.left), isSigned(n.type), 32);
    case ValueKind::Ones: // one instruction: cao
        made.text = fmt::format("__builtin_popcount({})", as(expression(n.left), false, 32).text);
        made.neverNegative = true;
        return made;
    case ValueKind::Min:
    case ValueKind::Max:
        return extreme(n, m_code.isStatic(node));
    default:
        return binary(n, node);
    }
}

std::string CExpressions::place(const CText& text) const {
    return inside(text, CBinding::Primary);
}

CText CExpressions::load(const ValueNode& n) const {
    CText made;
    made.kind = ValueKind::Load;
    made.text = fmt::format("{}[{}]", place(expression(n.left)), text(n.right));
    made.bits = bytesOf(n.type) == 8 ? 64 : 32;
    made.isSigned = isSigned(n.type) || bytesOf(n.type) < 4; // small ones become int
    made.neverNegative = !isSigned(n.type) && bytesOf(n.type) < 4;
    made.usedBits = bytesOf(n.type) * 8;
    return made;
}

CText CExpressions::extreme(const ValueNode& n, bool isStatic) const {
    CText made, left = expression(n.left), right = expression(n.right);
    made.kind = n.kind;
    if (isStatic) { // constant for the compiler too
        made.text = fmt::format("{} {} {} ? {} : {}", inside(left, CBinding::Compare),
                                n.kind == ValueKind::Min ? "<" : ">", inside(right, CBinding::Compare),
                                inside(left, CBinding::Or), inside(right, CBinding::Or));
        made.binding = CBinding::Choice;
        made.neverNegative = left.neverNegative && right.neverNegative;
        return made;
    }
    made.isSigned = isSignedNode(n.left) && isSignedNode(n.right);
    const std::string helper =
        fmt::format("{}_{}32", n.kind == ValueKind::Min ? "min" : "max", made.isSigned ? "i" : "u");
    m_names.helpers.insert(helper);
    made.text = fmt::format("{}({}, {})", helper, left.text, right.text);
    return made;
}

CText CExpressions::binary(const ValueNode& n, int node) const {
    const COperator& op = operatorOf(n.kind);
    CText left = expression(n.left), right = expression(n.right);
    CText made;
    made.kind = n.kind;
    made.binding = op.binding;
    if (n.isPointer) {
        PIM_ASSERT(m_code.node(n.left).isPointer && n.kind == ValueKind::Add,
                   "a place in WRAM is a pointer and elements from there on");
        made.isSigned = false;
        const ValueNode& step = m_code.node(n.right);
        made.text = step.kind == ValueKind::Constant && step.number < 0
                        ? fmt::format("{} - {}", left.text, -step.number)
                        : fmt::format("{} + {}", left.text, inside(right, CBinding::Sum, true));
        return made;
    }
    const bool isShift = op.binding == CBinding::Shift,
               isQuotient = n.kind == ValueKind::Div || n.kind == ValueKind::Mod;
    const bool wide = bytesOf(n.type) == 8;
    if (wide) { // C widens an operand by its own sign
        left = as(left, isSignedNode(n.left), left.bits);
        right = isShift ? right : as(right, isSignedNode(n.right), right.bits);
    }
    const bool staysInt = left.isSigned && right.isSigned;
    if (n.kind == ValueKind::ShiftRight)
        left = as(left, isSignedNode(n.left), left.bits);
    else if (isQuotient && staysInt && !(left.neverNegative && right.neverNegative))
        left = as(left, false, 32);
    else if (!isSigned(n.type) && left.isSigned && !m_code.isStatic(n.left) &&
             (n.kind == ValueKind::ShiftLeft ||
              (n.kind == ValueKind::Mul && right.isSigned && left.usedBits + right.usedBits > 31 &&
               !m_code.isStatic(n.right)))) {
        left.neverNegative = false; // an int would overflow
        left = as(left, false, 32);
    }
    if (n.kind == ValueKind::Sub && m_code.node(n.left).kind == ValueKind::Constant &&
        m_code.node(n.left).number == 0) {
        made = right;
        made.text = right.text[0] == '-' ? "-(" + right.text + ")" : "-" + inside(right, CBinding::Unary);
        made.binding = CBinding::Unary;
        made.neverNegative = false;
        return made;
    }
    std::string_view sign = op.sign;
    std::string second = inside(right, op.binding, true, n.kind);
    const ValueNode& last = m_code.node(n.right);
    if (n.kind == ValueKind::Add && last.kind == ValueKind::Constant && last.number < 0 &&
        last.number > std::numeric_limits<std::int32_t>::min()) {
        sign = "-";
        second = fmt::format("{}", -last.number);
    }
    if (n.kind == ValueKind::And && last.kind == ValueKind::Constant && last.number < 0 && !wide)
        second = fmt::format("~{}u", -(last.number + 1));
    if (n.kind == ValueKind::ShiftLeft && left.kind == ValueKind::Constant && left.isSigned &&
        !isSigned(n.type) && !wide)
        left.text += "u"; // bit 31 is no sign
    made.text = fmt::format("{} {} {}", inside(left, op.binding, false, n.kind), sign, second);
    made.isRounded = isQuotient || (op.binding == CBinding::Product && left.isRounded);
    made.bits = isShift ? left.bits : std::max(left.bits, right.bits);
    made.isSigned =
        isShift ? left.isSigned
                : (left.isSigned || left.bits < made.bits) && (right.isSigned || right.bits < made.bits);
    made.neverNegative = m_code.isStatic(node)
                             ? m_code.evaluate(node, m_sizes) >= 0
                             : left.neverNegative && right.neverNegative && n.kind != ValueKind::Sub &&
                                   n.kind != ValueKind::ShiftLeft && n.kind != ValueKind::Mul;
    return made;
}

std::string CExpressions::condition(const Condition& condition) const {
    static constexpr std::array<std::string_view, 4> kSigns{"==", "!=", "<", ">="};
    CText left = expression(condition.left), right = expression(condition.right);
    if (!m_code.node(condition.left).isPointer) {
        const bool isSignedBoth = isSignedNode(condition.left) && isSignedNode(condition.right);
        left = as(left, isSignedBoth, left.bits);
        right = as(right, isSignedBoth, right.bits);
    }
    return fmt::format("{} {} {}", inside(left, CBinding::Compare), kSigns[std::size_t(condition.relation)],
                       inside(right, CBinding::Compare));
}

} // namespace pim::upmem
