// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tasklet/c_code.h"

#include "backends/upmem/dpu/isa.h"
#include "backends/upmem/tasklet/c_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim::upmem {
namespace {

/// What the statements need of headers, globals and helpers.
struct CNeeds {
    bool dma = false, barrier = false, mutex = false, handshake = false, readAll = false, unroll = false;
    std::set<int> variables, changed, mutexes; ///< Variables that are used; those that get another value.
    std::set<int> retyped;                     ///< Pointers to elements of another size than the buffer's.
};

bool isByte(Element type) {
    return bytesOf(type) == 1;
}

class CWriter {
public:
    CWriter(const TaskletCode& code, std::span<const std::int64_t> sizes, int tasklets)
        : m_code(code), m_sizes(sizes), m_tasklets(tasklets), m_expressions(code, sizes, m_names) {}

    CCode run(const std::string& origin);

private:
    using Kind = Statement::Kind;

    // Beforehand.
    void look(const std::vector<Statement>& list);
    void lookAt(int node);
    void nameGlobals();

    // Parts of the file.
    void top(const std::string& origin);
    void sizeMacros();
    void arrayMacros();
    void buffers();
    void helpers();
    void mainFunction();

    // Statements.
    void statements(const std::vector<Statement>& list);
    void statement(const Statement& s);
    void declare(const Statement& s);
    void set(const Statement& s);
    void store(const Statement& s);
    void transfer(const Statement& s);
    void range(const Statement& s);
    void when(const Statement& s);
    void inBraces(const std::string& head, const std::vector<Statement>& body, bool mayBePlain = true);
    bool isPlainBody(const std::vector<Statement>& body) const;
    bool changesIn(int node, const std::vector<Statement>& body) const;
    bool reads(int node, int variable) const;
    std::string change(const std::string& what, int value, const std::function<bool(int)>& isWhat) const;

    void line(const std::string& text = {}) {
        const std::string indented = text.empty() ? text : std::string(std::size_t(m_depth) * 4, ' ') + text;
        for (std::string& piece : wrappedC(indented)) {
            m_lines.push_back(std::move(piece));
            m_statementOfLine.push_back(text.empty() ? -1 : m_statement);
        }
    }
    std::string text(int node) const { return m_expressions.text(node); }

    const TaskletCode& m_code;
    std::span<const std::int64_t> m_sizes;
    int m_tasklets;
    CNames m_given;
    CExpressionNames m_names;
    CExpressions m_expressions;
    CNeeds m_needs;
    std::map<int, std::string> m_mutexNames;
    std::vector<std::string> m_lines;
    std::vector<int> m_statementOfLine;
    int m_depth = 0, m_statement = -1;
};

// ---- Beforehand ----

void CWriter::lookAt(int node) {
    if (node < 0)
        return;
    const ValueNode& n = m_code.node(node);
    if (n.kind == ValueKind::Variable)
        m_needs.variables.insert(int(n.number));
    lookAt(n.left);
    lookAt(n.right);
}

void CWriter::look(const std::vector<Statement>& list) {
    for (const Statement& s : list) {
        for (const int node : {s.a, s.b, s.c, s.condition.left, s.condition.right})
            lookAt(node);
        m_needs.dma |= s.kind == Kind::DmaRead || s.kind == Kind::DmaWrite || s.kind == Kind::ReadAll;
        m_needs.readAll |= s.kind == Kind::ReadAll;
        m_needs.barrier |= s.kind == Kind::Barrier;
        m_needs.handshake |= s.kind == Kind::WaitFor || s.kind == Kind::Notify;
        m_needs.unroll |= s.kind == Kind::Unrolled;
        if (s.kind == Kind::Lock || s.kind == Kind::Unlock)
            m_needs.mutexes.insert(int(s.number));
        if (s.kind == Kind::Set)
            m_needs.changed.insert(s.variable);
        look(s.body);
        look(s.otherwise);
    }
}

void CWriter::nameGlobals() {
    for (const TaskletCode::Size& size : m_code.sizes())
        m_names.sizes.push_back(m_given.give(size.name));
    for (const TaskletCode::Array& array : m_code.arrays())
        m_names.arrays.push_back(m_given.give(cOffsetName(array)));
    for (const TaskletCode::Buffer& buffer : m_code.buffers())
        m_names.buffers.push_back(m_given.give(buffer.name));
    for (const int mutex : m_needs.mutexes)
        m_mutexNames[mutex] =
            m_given.give(m_needs.mutexes.size() == 1 ? "mutex" : fmt::format("mutex_{}", mutex));
    m_names.me = "tasklet_id";
}

// ---- Parts of the file ----

/// Text on one line of a comment, whatever is in it.
std::string commentText(std::string_view text) {
    std::string made;
    for (const char c : text)
        made += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    while (!made.empty() && made.back() == '\\') // would take the next line in
        made.pop_back();
    return made;
}

void CWriter::top(const std::string& origin) {
    line("// " + commentText(m_code.name()) + ": what every tasklet of a DPU runs.");
    if (!origin.empty())
        line("// " + commentText(origin));
    line(fmt::format("// Build: dpu-upmem-dpurte-clang -O2 -DNR_TASKLETS={} FILE.c -o FILE", m_tasklets));
    const std::pair<bool, std::string_view> headers[] = {
        {m_needs.barrier, "barrier.h"},        {true, "defs.h"},
        {m_needs.handshake, "handshake.h"},    {m_needs.dma, "mram.h"},
        {!m_needs.mutexes.empty(), "mutex.h"}, {true, "stdint.h"}};
    for (const auto& [needed, header] : headers)
        if (needed)
            line(fmt::format("#include <{}>", header));
}

void CWriter::sizeMacros() {
    std::size_t width = 0;
    std::vector<std::string> made;
    for (std::size_t i = 0; i < m_sizes.size(); ++i) {
        made.push_back(fmt::format("#define {} {}", m_names.sizes[i], m_sizes[i]));
        width = std::max(width, made.back().size());
    }
    if (!made.empty())
        line();
    for (std::size_t i = 0; i < made.size(); ++i) {
        const std::string meaning = commentText(m_code.sizes()[i].meaning);
        line(meaning.empty() ? made[i] : fmt::format("{:<{}} // {}", made[i], width, meaning));
    }
}

void CWriter::arrayMacros() {
    if (m_code.arrays().empty())
        return;
    line();
    line("// Arrays in MRAM, bytes from the heap's beginning.");
    std::size_t width = 0;
    std::vector<std::string> made;
    for (std::size_t i = 0; i < m_code.arrays().size(); ++i) {
        made.push_back(fmt::format("#define {} {}", m_names.arrays[i], m_code.arrayOffset(i, m_sizes)));
        width = std::max(width, made.back().size());
    }
    for (std::size_t i = 0; i < made.size(); ++i) {
        const TaskletCode::Array& array = m_code.arrays()[i];
        const std::int64_t bytes = m_code.evaluate(array.bytes, m_sizes);
        const std::string meaning = commentText(array.meaning);
        line(fmt::format("{:<{}} // {}[{}]{}{}", made[i], width, cName(array.type),
                         bytes / bytesOf(array.type), meaning.empty() ? "" : ": ", meaning));
    }
}

void CWriter::buffers() {
    line();
    line(fmt::format("_Static_assert(NR_TASKLETS == {}, \"the sizes above are for this many tasklets\");",
                     m_tasklets));
    std::string sum;
    for (std::size_t i = 0; i < m_code.buffers().size(); ++i) {
        const TaskletCode::Buffer& buffer = m_code.buffers()[i];
        if (i == 0)
            line();
        const std::string meaning = commentText(buffer.meaning);
        line(fmt::format("{} __dma_aligned {} {}{}[{}];{}{}", buffer.ofHost ? "__host" : "static",
                         cName(buffer.type), m_names.buffers[i], buffer.ofTasklet ? "[NR_TASKLETS]" : "",
                         text(buffer.elements), meaning.empty() ? "" : " // ", meaning));
        sum += fmt::format("{}sizeof {}", i == 0 ? "" : " + ", m_names.buffers[i]);
    }
    if (!sum.empty()) {
        line(fmt::format("#define WRAM_FOR_BUFFERS {} // of {}; stacks and runtime take the rest",
                         kBufferWramBytes, kWramBytes));
        line(fmt::format("_Static_assert({} <= WRAM_FOR_BUFFERS, \"use smaller tiles or fewer tasklets\");",
                         sum));
    }
    if (m_needs.barrier || !m_mutexNames.empty())
        line();
    if (m_needs.barrier)
        line("BARRIER_INIT(all_tasklets, NR_TASKLETS)");
    for (const auto& [mutex, name] : m_mutexNames)
        line(fmt::format("MUTEX_INIT({})", name));
}

void CWriter::helpers() {
    if (m_needs.unroll) {
        line();
        line("#define PRAGMA(text) _Pragma(#text)");
        line("#ifdef __clang__");
        line("#define UNROLL(times) PRAGMA(unroll times)");
        line("#else");
        line("#define UNROLL(times) PRAGMA(GCC unroll times)");
        line("#endif");
    }
    if (!m_mutexNames.empty()) {
        line();
        line("// What a lock guards is not kept in registers across it.");
        line("static inline void lock(mutex_id_t id) {");
        line("    mutex_lock(id);");
        line("    __asm__ volatile(\"\" ::: \"memory\");");
        line("}");
        line();
        line("static inline void unlock(mutex_id_t id) {");
        line("    __asm__ volatile(\"\" ::: \"memory\");");
        line("    mutex_unlock(id);");
        line("}");
    }
    for (const std::string& name : m_names.helpers) {
        const std::string_view type = name[4] == 'i' ? "int32_t" : "uint32_t";
        line();
        line(fmt::format("static inline {} {}({} a, {} b) {{", type, name, type, type));
        line(fmt::format("    return a {} b ? a : b;", name.starts_with("min") ? '<' : '>'));
        line("}");
    }
    if (m_needs.readAll) {
        line();
        line(fmt::format("// In pieces: a DMA moves up to {} bytes.", kMostDmaBytes));
        line("static void read_all(const __mram_ptr void* from, void* to, uint32_t bytes) {");
        line(fmt::format("    for (uint32_t done = 0; done < bytes; done += {})", kMostDmaBytes));
        line(fmt::format("        mram_read(from + done, (uint8_t*)to + done, bytes - done < {0} ? bytes - "
                         "done : {0});",
                         kMostDmaBytes));
        line("}");
    }
}

void CWriter::mainFunction() {
    line("int main(void) {");
    ++m_depth;
    m_given.enter();
    statements(m_code.statements());
    m_given.leave();
    m_statement = -1;
    line("return 0;");
    --m_depth;
    line("}");
}

CCode CWriter::run(const std::string& origin) {
    look(m_code.statements());
    nameGlobals();
    // What main() needs is known once it is written; it stands last.
    mainFunction();
    std::vector<std::string> mainLines = std::exchange(m_lines, {});
    std::vector<int> mainStatements = std::exchange(m_statementOfLine, {});
    top(origin);
    sizeMacros();
    arrayMacros();
    buffers();
    helpers();
    line();
    const auto names = [](const std::string& text) {
        const std::size_t at = text.find("tasklet_id");
        return at != std::string::npos && text.find("//") > at;
    };
    const bool asksWho = std::ranges::any_of(mainLines, names);
    for (std::size_t i = 0; i < mainLines.size(); ++i) {
        m_statement = mainStatements[i];
        line(mainLines[i]);
        if (i == 0 && asksWho)
            line("    const uint32_t tasklet_id = me();");
    }
    CCode made;
    for (const std::string& text : m_lines)
        made.text += text + "\n";
    made.statementOfLine = std::move(m_statementOfLine);
    return made;
}

// ---- Statements ----

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

} // namespace

std::string cOffsetName(const TaskletCode::Array& array) {
    std::string made;
    for (const char c : array.name)
        made += c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    return made + "_OFFSET";
}

Result<CCode> cCode(const TaskletCode& code, std::span<const std::int64_t> sizes, int tasklets,
                    const std::string& origin) {
    PIM_CHECK(code.checkSizes(sizes, tasklets));
    return CWriter(code, sizes, tasklets).run(origin);
}

} // namespace pim::upmem
