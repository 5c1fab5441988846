// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tasklet/code.h"

#include "backends/upmem/dpu/isa.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace pim::upmem {
namespace {

struct ElementInfo {
    int bytes;
    bool isSigned;
    std::string_view cName;
};
constexpr std::array<ElementInfo, 8> kElements{{{1, true, "int8_t"},
                                                {1, false, "uint8_t"},
                                                {2, true, "int16_t"},
                                                {2, false, "uint16_t"},
                                                {4, true, "int32_t"},
                                                {4, false, "uint32_t"},
                                                {8, true, "int64_t"},
                                                {8, false, "uint64_t"}}};

/// Arithmetic is of 32 bits at least, of 64 where one side is, unsigned where both are or a side is a place.
Element arithmeticType(const ValueNode& a, const ValueNode& b) {
    const bool wide = bytesOf(a.type) == 8 || bytesOf(b.type) == 8;
    const bool positive = (!isSigned(a.type) || a.kind == ValueKind::Constant) &&
                          (!isSigned(b.type) || b.kind == ValueKind::Constant) &&
                          !(a.kind == ValueKind::Constant && b.kind == ValueKind::Constant);
    return wide ? (positive ? Element::U64 : Element::I64) : (positive ? Element::U32 : Element::I32);
}

TaskletValue binary(ValueKind kind, TaskletValue a, TaskletValue b) {
    TaskletCode& code = a.code();
    const ValueNode left = code.node(a.node()), right = code.node(b.node());
    ValueNode made{kind, arithmeticType(left, right), false, a.node(), b.node(), 0};
    if (left.isPointer || right.isPointer) {
        made.isPointer = true;
        made.type = left.isPointer ? left.type : right.type;
    }
    const auto is = [](const ValueNode& n, std::int64_t number) {
        return n.kind == ValueKind::Constant && n.number == number;
    };
    if ((kind == ValueKind::Mul || kind == ValueKind::Div) && is(right, 1))
        return a;
    if (kind == ValueKind::Mul && is(left, 1))
        return b;
    if (left.kind == ValueKind::Constant && right.kind == ValueKind::Constant) {
        const int folded = code.makeNode(made);
        return code.constant(code.evaluate(folded, {}));
    }
    return {code, code.makeNode(made)};
}

Condition compared(TaskletValue a, Condition::Relation relation, TaskletValue b) {
    return {a.node(), b.node(), relation};
}

std::int64_t apply(ValueKind kind, std::int64_t a, std::int64_t b) {
    switch (kind) {
    case ValueKind::Add:
        return a + b;
    case ValueKind::Sub:
        return a - b;
    case ValueKind::Mul:
        return a * b;
    case ValueKind::Div:
        return b != 0 ? a / b : 0;
    case ValueKind::Mod:
        return b != 0 ? a % b : 0;
    case ValueKind::And:
        return a & b;
    case ValueKind::Or:
        return a | b;
    case ValueKind::Xor:
        return a ^ b;
    case ValueKind::ShiftLeft:
        return a << (b & 31);
    case ValueKind::ShiftRight:
        return a >> (b & 31);
    case ValueKind::Min:
        return std::min(a, b);
    case ValueKind::Max:
        return std::max(a, b);
    default:
        return 0;
    }
}

} // namespace

int bytesOf(Element type) {
    return kElements[std::size_t(type)].bytes;
}
bool isSigned(Element type) {
    return kElements[std::size_t(type)].isSigned;
}
std::string_view cName(Element type) {
    return kElements[std::size_t(type)].cName;
}

TaskletValue operator+(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::Add, a, b);
}
TaskletValue operator-(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::Sub, a, b);
}
TaskletValue operator*(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::Mul, a, b);
}
TaskletValue operator/(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::Div, a, b);
}
TaskletValue operator%(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::Mod, a, b);
}
TaskletValue operator&(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::And, a, b);
}
TaskletValue operator|(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::Or, a, b);
}
TaskletValue operator^(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::Xor, a, b);
}
TaskletValue operator<<(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::ShiftLeft, a, b);
}
TaskletValue operator>>(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::ShiftRight, a, b);
}
TaskletValue operator+(TaskletValue a, std::int64_t b) {
    return a + a.code().constant(b);
}
TaskletValue operator-(TaskletValue a, std::int64_t b) {
    return a - a.code().constant(b);
}
TaskletValue operator*(TaskletValue a, std::int64_t b) {
    return a * a.code().constant(b);
}
TaskletValue operator/(TaskletValue a, std::int64_t b) {
    return a / a.code().constant(b);
}
TaskletValue operator%(TaskletValue a, std::int64_t b) {
    return a % a.code().constant(b);
}
TaskletValue operator&(TaskletValue a, std::int64_t b) {
    return a & a.code().constant(b);
}
TaskletValue operator<<(TaskletValue a, std::int64_t b) {
    return a << a.code().constant(b);
}
TaskletValue operator>>(TaskletValue a, std::int64_t b) {
    return a >> a.code().constant(b);
}
TaskletValue min(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::Min, a, b);
}
TaskletValue max(TaskletValue a, TaskletValue b) {
    return binary(ValueKind::Max, a, b);
}
TaskletValue max(TaskletValue a, std::int64_t b) {
    return max(a, a.code().constant(b));
}
TaskletValue widen(TaskletValue a) {
    const Element type = isSigned(a.code().node(a.node()).type) ? Element::I64 : Element::U64;
    return {a.code(), a.code().makeNode({ValueKind::Widen, type, false, a.node()})};
}
TaskletValue narrow(TaskletValue a) {
    const Element type = isSigned(a.code().node(a.node()).type) ? Element::I32 : Element::U32;
    return {a.code(), a.code().makeNode({ValueKind::Narrow, type, false, a.node()})};
}
TaskletValue ones(TaskletValue a) {
    return {a.code(), a.code().makeNode({ValueKind::Ones, Element::I32, false, a.node()})};
}

TaskletValue signedQuotient(TaskletValue a, TaskletValue b) {
    TaskletCode& code = a.code();
    const TaskletValue signA = code.variable("sign_a", Element::U32, a >> 31),
                       signB = code.variable("sign_b", Element::U32, b >> 31);
    const TaskletValue sizeA = code.variable("size_a", Element::U32, (a ^ signA) - signA),
                       sizeB = code.variable("size_b", Element::U32, (b ^ signB) - signB);
    const TaskletValue sign = code.variable("sign", Element::U32, signA ^ signB);
    return code.variable("quotient", Element::I32, ((sizeA / sizeB) ^ sign) - sign);
}

Condition operator==(TaskletValue a, TaskletValue b) {
    return compared(a, Condition::Relation::Equal, b);
}
Condition operator!=(TaskletValue a, TaskletValue b) {
    return compared(a, Condition::Relation::NotEqual, b);
}
Condition operator<(TaskletValue a, TaskletValue b) {
    return compared(a, Condition::Relation::Less, b);
}
Condition operator>=(TaskletValue a, TaskletValue b) {
    return compared(a, Condition::Relation::NotLess, b);
}
Condition operator==(TaskletValue a, std::int64_t b) {
    return a == a.code().constant(b);
}
Condition operator!=(TaskletValue a, std::int64_t b) {
    return a != a.code().constant(b);
}
Condition operator<(TaskletValue a, std::int64_t b) {
    return a < a.code().constant(b);
}
Condition operator>=(TaskletValue a, std::int64_t b) {
    return a >= a.code().constant(b);
}

// ---- Values ----

int TaskletCode::makeNode(ValueNode node) {
    m_nodes.push_back(node);
    return int(m_nodes.size()) - 1;
}

TaskletValue TaskletCode::constant(std::int64_t number) {
    return value(makeNode({ValueKind::Constant, Element::I32, false, -1, -1, number}));
}

TaskletValue TaskletCode::size(std::string name, std::string meaning) {
    m_sizes.push_back({std::move(name), std::move(meaning)});
    return value(makeNode({ValueKind::Size, Element::U32, false, -1, -1, std::ssize(m_sizes) - 1}));
}

TaskletValue TaskletCode::me() {
    return value(makeNode({ValueKind::Me, Element::U32}));
}

TaskletValue TaskletCode::array(std::string name, Element type, TaskletValue bytes, std::string meaning) {
    m_arrays.push_back({std::move(name), std::move(meaning), type, bytes.node()});
    return value(makeNode({ValueKind::Mram, Element::U32, false, -1, -1, std::ssize(m_arrays) - 1}));
}

TaskletValue TaskletCode::shared(std::string name, Element type, TaskletValue elements, std::string meaning,
                                 bool ofHost) {
    m_buffers.push_back({std::move(name), std::move(meaning), type, elements.node(), false, ofHost});
    return value(makeNode({ValueKind::Wram, type, true, -1, -1, std::ssize(m_buffers) - 1}));
}

TaskletValue TaskletCode::own(std::string name, Element type, TaskletValue elements, std::string meaning) {
    m_buffers.push_back({name, std::move(meaning), type, elements.node(), true, false});
    const TaskletValue all =
        value(makeNode({ValueKind::Wram, type, true, -1, -1, std::ssize(m_buffers) - 1}));
    return pointer("my_" + name, type, all);
}

TaskletValue TaskletCode::load(TaskletValue pointer, TaskletValue index) {
    PIM_ASSERT(node(pointer.node()).isPointer, "what is loaded through is a pointer");
    return value(makeNode({ValueKind::Load, node(pointer.node()).type, false, pointer.node(), index.node()}));
}

TaskletValue TaskletCode::load(TaskletValue pointer, std::int64_t index) {
    return load(pointer, constant(index));
}

TaskletValue TaskletCode::pointer(std::string name, Element type, TaskletValue start) {
    m_variables.push_back({std::move(name), type, true});
    Statement& made = append(Statement::Kind::Declare);
    made.variable = int(m_variables.size()) - 1;
    made.a = start.node();
    return value(makeNode({ValueKind::Variable, type, true, -1, -1, made.variable}));
}

TaskletValue TaskletCode::variable(std::string name, Element type, TaskletValue start) {
    m_variables.push_back({std::move(name), type, false});
    Statement& made = append(Statement::Kind::Declare);
    made.variable = int(m_variables.size()) - 1;
    made.a = start.node();
    return value(makeNode({ValueKind::Variable, type, false, -1, -1, made.variable}));
}

// ---- Statements ----

Statement& TaskletCode::append(Statement::Kind kind) {
    Statement& made = m_here->emplace_back();
    made.kind = kind;
    made.id = m_nextId++;
    return made;
}

void TaskletCode::inside(std::vector<Statement>& body, const std::function<void()>& write) {
    // Written apart and moved in: the vector that holds the statement may grow meanwhile.
    std::vector<Statement> written;
    std::vector<Statement>* const before = std::exchange(m_here, &written);
    write();
    m_here = before;
    body = std::move(written);
}

void TaskletCode::comment(std::string text) {
    append(Statement::Kind::Comment).text = std::move(text);
}

void TaskletCode::set(TaskletValue variable, TaskletValue value) {
    const ValueNode& named = node(variable.node());
    PIM_ASSERT(named.kind == ValueKind::Variable, "only variables are set");
    Statement& made = append(Statement::Kind::Set);
    made.variable = int(named.number);
    made.a = value.node();
}

void TaskletCode::store(TaskletValue pointer, TaskletValue index, TaskletValue value) {
    PIM_ASSERT(node(pointer.node()).isPointer, "what is stored through is a pointer");
    Statement& made = append(Statement::Kind::Store);
    made.a = pointer.node();
    made.b = index.node();
    made.c = value.node();
}

void TaskletCode::store(TaskletValue pointer, std::int64_t index, TaskletValue value) {
    store(pointer, constant(index), value);
}

void TaskletCode::read(TaskletValue wram, TaskletValue mram, TaskletValue bytes) {
    Statement& made = append(Statement::Kind::DmaRead);
    made.a = wram.node();
    made.b = mram.node();
    made.c = bytes.node();
}

void TaskletCode::write(TaskletValue wram, TaskletValue mram, TaskletValue bytes) {
    Statement& made = append(Statement::Kind::DmaWrite);
    made.a = wram.node();
    made.b = mram.node();
    made.c = bytes.node();
}

void TaskletCode::readAll(TaskletValue wram, TaskletValue mram, TaskletValue bytes) {
    PIM_ASSERT(isStatic(bytes.node()), "how much is read in pieces is known when code is made");
    Statement& made = append(Statement::Kind::ReadAll);
    made.a = wram.node();
    made.b = mram.node();
    made.c = bytes.node();
    made.expected = ((bytes + (kMostDmaBytes - 1)) / kMostDmaBytes).node();
}

void TaskletCode::count(TaskletValue times, const std::function<void()>& body) {
    PIM_ASSERT(isStatic(times.node()), "how often is known when code is made");
    Statement made;
    made.kind = Statement::Kind::Count;
    made.id = m_nextId++;
    made.a = made.expected = times.node();
    inside(made.body, body);
    m_here->push_back(std::move(made));
}

void TaskletCode::range(std::string name, TaskletValue from, TaskletValue to, TaskletValue step,
                        const std::function<void(TaskletValue)>& body) {
    const TaskletValue length = to - from + step - 1;
    range(std::move(name), from, to, step, length / step, body);
}

void TaskletCode::range(std::string name, TaskletValue from, TaskletValue to, TaskletValue step,
                        TaskletValue turns, const std::function<void(TaskletValue)>& body) {
    PIM_ASSERT(isStatic(step.node()) && isStatic(turns.node()), "step and expected turns are static");
    m_variables.push_back({std::move(name), Element::U32, false});
    Statement made;
    made.kind = Statement::Kind::Range;
    made.id = m_nextId++;
    made.variable = int(m_variables.size()) - 1;
    made.a = from.node();
    made.b = to.node();
    made.c = step.node();
    made.expected = turns.node();
    const TaskletValue at =
        value(makeNode({ValueKind::Variable, Element::U32, false, -1, -1, made.variable}));
    inside(made.body, [&] { body(at); });
    m_here->push_back(std::move(made));
}

void TaskletCode::loopWhile(Condition condition, TaskletValue turns, const std::function<void()>& body) {
    PIM_ASSERT(isStatic(turns.node()), "expected turns are static");
    Statement made;
    made.kind = Statement::Kind::While;
    made.id = m_nextId++;
    made.condition = condition;
    made.expected = turns.node();
    inside(made.body, body);
    m_here->push_back(std::move(made));
}

void TaskletCode::unrolled(std::int64_t copies, const std::function<void(TaskletValue)>& body) {
    Statement made;
    made.kind = Statement::Kind::Unrolled;
    made.id = m_nextId++;
    made.number = copies;
    const TaskletValue copy = value(makeNode({ValueKind::Copy, Element::U32, false, -1, -1, made.id}));
    inside(made.body, [&] { body(copy); });
    m_here->push_back(std::move(made));
}

void TaskletCode::when(Condition condition, const std::function<void()>& body,
                       const std::function<void()>& otherwise, std::int64_t cases) {
    Statement made;
    made.kind = Statement::Kind::If;
    made.id = m_nextId++;
    made.condition = condition;
    made.number = cases;
    inside(made.body, body);
    if (otherwise)
        inside(made.otherwise, otherwise);
    m_here->push_back(std::move(made));
}

void TaskletCode::barrier() {
    append(Statement::Kind::Barrier);
}
void TaskletCode::lock(int mutex) {
    m_mutexes = std::max(m_mutexes, mutex + 1);
    append(Statement::Kind::Lock).number = mutex;
}
void TaskletCode::unlock(int mutex) {
    append(Statement::Kind::Unlock).number = mutex;
}
void TaskletCode::waitFor(TaskletValue tasklet) {
    append(Statement::Kind::WaitFor).a = tasklet.node();
}
void TaskletCode::notify() {
    append(Statement::Kind::Notify);
}

// ---- Static values ----

bool TaskletCode::isStatic(int at) const {
    const ValueNode& n = node(at);
    switch (n.kind) {
    case ValueKind::Constant:
    case ValueKind::Size:
        return true;
    case ValueKind::Me:
    case ValueKind::Variable:
    case ValueKind::Copy:
    case ValueKind::Wram:
    case ValueKind::Mram:
    case ValueKind::Load:
        return false;
    case ValueKind::Widen:
    case ValueKind::Narrow:
    case ValueKind::Ones:
        return isStatic(n.left);
    default:
        return isStatic(n.left) && isStatic(n.right);
    }
}

std::int64_t TaskletCode::evaluate(int at, std::span<const std::int64_t> sizes) const {
    const ValueNode& n = node(at);
    switch (n.kind) {
    case ValueKind::Constant:
        return n.number;
    case ValueKind::Size:
        return sizes[std::size_t(n.number)];
    case ValueKind::Widen:
    case ValueKind::Narrow:
        return evaluate(n.left, sizes);
    case ValueKind::Ones:
        return std::popcount(std::uint32_t(evaluate(n.left, sizes)));
    default:
        PIM_ASSERT(n.left >= 0 && n.right >= 0, "the expression is static");
        return apply(n.kind, evaluate(n.left, sizes), evaluate(n.right, sizes));
    }
}

std::int64_t TaskletCode::arrayOffset(std::size_t array, std::span<const std::int64_t> sizes) const {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < array; ++i)
        at += (evaluate(m_arrays[i].bytes, sizes) + 7) / 8 * 8;
    return at;
}

std::int64_t TaskletCode::bufferBytes(std::size_t buffer, std::span<const std::int64_t> sizes,
                                      int tasklets) const {
    const Buffer& b = m_buffers[buffer];
    const std::int64_t each = (evaluate(b.elements, sizes) * bytesOf(b.type) + 7) / 8 * 8;
    return b.ofTasklet ? each * tasklets : each;
}

Result<void> TaskletCode::checkSizes(std::span<const std::int64_t> sizes, int tasklets) const {
    PIM_ASSERT(sizes.size() == m_sizes.size(), "every size has a value");
    if (tasklets < 1 || tasklets > kMaxTasklets)
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} tasklets; a DPU has 1 to {}", tasklets, kMaxTasklets), m_name,
                    "use up to 24; 11 keep the pipeline full");
    std::int64_t wram = 0;
    for (std::size_t i = 0; i < m_buffers.size(); ++i) {
        const std::int64_t bytes = bufferBytes(i, sizes, tasklets);
        if (bytes <= 0)
            return fail(ErrorCode::InvalidKernel,
                        fmt::format("its buffer {} has {} bytes", m_buffers[i].name, bytes), m_name);
        if (m_buffers[i].ofTasklet &&
            evaluate(m_buffers[i].elements, sizes) * bytesOf(m_buffers[i].type) % 8 != 0)
            return fail(
                ErrorCode::InvalidKernel,
                fmt::format("buffer {} has {} elements of {} B; those of tasklets are multiples of 8 B",
                            m_buffers[i].name, evaluate(m_buffers[i].elements, sizes),
                            bytesOf(m_buffers[i].type)),
                m_name);
        wram += bytes;
    }
    if (wram > kBufferWramBytes)
        return fail(
            ErrorCode::Unsupported,
            fmt::format("buffers of {} tasklets take {} B of WRAM, {} B are free beside stacks and runtime",
                        tasklets, wram, kBufferWramBytes),
            m_name, "use smaller tiles or fewer tasklets");
    for (const Array& array : m_arrays)
        if (const std::int64_t bytes = evaluate(array.bytes, sizes); bytes <= 0)
            return fail(ErrorCode::InvalidKernel, fmt::format("its array {} has {} bytes", array.name, bytes),
                        m_name);
    if (const std::int64_t mram = arrayOffset(m_arrays.size(), sizes); mram > kMramBytes)
        return fail(ErrorCode::Unsupported,
                    fmt::format("its arrays take {} B of MRAM, a DPU has {} B", mram, kMramBytes), m_name,
                    "use more DPUs");
    return {};
}

} // namespace pim::upmem
