// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every tasklet of a DPU runs for one launch, as structured statements over typed values: the one description of a kernel from
/// which its instructions (program.h), its price (program.h) and its C code (c_code.h) are made.
///
/// Sizes are named and get their values later, so that one description serves all drafts of a kernel: an expression of sizes and
/// constants alone is *static*, a number once the sizes are known.
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace pim::upmem {

/// Of the WRAM, for buffers; the rest is taken by stacks and runtime. [PIM-DL artifact 87aee67: 48 KB less 656 B]
constexpr std::int64_t kBufferWramBytes = 49'152 - 656;

enum class Element : std::uint8_t { I8, U8, I16, U16, I32, U32, I64, U64 };
int bytesOf(Element type);
bool isSigned(Element type);
std::string_view cName(Element type); ///< "int8_t"

enum class ValueKind : std::uint8_t {
    Constant,
    Size,     ///< A named one.
    Me,       ///< Id of the tasklet.
    Variable, ///< A register of the tasklet.
    Copy,     ///< Number of the copy of an unrolled body, a constant in each.
    Wram,     ///< First byte of a buffer that all tasklets share.
    Mram,     ///< First byte of an array, counted from the beginning of the MRAM.
    Load,     ///< Element \p right of what \p left points to, in WRAM.
    Widen,    ///< To 64 bits, the sign kept.
    Narrow,   ///< The low 32 bits.
    Ones,     ///< How many bits of 32 are set.
    Add,
    Sub,
    Mul,
    Div, ///< Unsigned.
    Mod, ///< Unsigned.
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Min,
    Max
};

struct ValueNode {
    ValueKind kind = ValueKind::Constant;
    Element type = Element::I32;
    bool isPointer = false; ///< Into WRAM, to elements of the type.
    int left = -1, right = -1;
    std::int64_t number = 0; ///< The constant, or the position of what is named.
};

class TaskletCode;

/// An expression of a TaskletCode, which must outlive it.
class TaskletValue {
public:
    TaskletValue(TaskletCode& code, int node) : m_code(&code), m_node(node) {}
    int node() const { return m_node; }
    TaskletCode& code() const { return *m_code; }

private:
    TaskletCode* m_code;
    int m_node;
};
TaskletValue operator+(TaskletValue a, TaskletValue b);
TaskletValue operator-(TaskletValue a, TaskletValue b);
TaskletValue operator*(TaskletValue a, TaskletValue b);
TaskletValue operator/(TaskletValue a, TaskletValue b);
TaskletValue operator%(TaskletValue a, TaskletValue b);
TaskletValue operator&(TaskletValue a, TaskletValue b);
TaskletValue operator|(TaskletValue a, TaskletValue b);
TaskletValue operator^(TaskletValue a, TaskletValue b);
TaskletValue operator<<(TaskletValue a, TaskletValue b);
TaskletValue operator>>(TaskletValue a, TaskletValue b); ///< Arithmetic for signed values.
TaskletValue operator+(TaskletValue a, std::int64_t b);
TaskletValue operator-(TaskletValue a, std::int64_t b);
TaskletValue operator*(TaskletValue a, std::int64_t b);
TaskletValue operator/(TaskletValue a, std::int64_t b);
TaskletValue operator%(TaskletValue a, std::int64_t b);
TaskletValue operator&(TaskletValue a, std::int64_t b);
TaskletValue operator<<(TaskletValue a, std::int64_t b);
TaskletValue operator>>(TaskletValue a, std::int64_t b);
TaskletValue min(TaskletValue a, TaskletValue b);
TaskletValue max(TaskletValue a, TaskletValue b);
TaskletValue max(TaskletValue a, std::int64_t b);
TaskletValue widen(TaskletValue a);
TaskletValue narrow(TaskletValue a);
TaskletValue ones(TaskletValue a); ///< Bits that are set, of 32.
/// Rounded toward 0, of 32 bits; the least number divided by -1 is itself. Nothing may be divided by 0.
TaskletValue signedQuotient(TaskletValue a, TaskletValue b);

/// A comparison of 32-bit values, signed if both are.
struct Condition {
    enum class Relation : std::uint8_t { Equal, NotEqual, Less, NotLess };
    int left = -1, right = -1;
    Relation relation = Relation::Equal;
};
Condition operator==(TaskletValue a, TaskletValue b);
Condition operator!=(TaskletValue a, TaskletValue b);
Condition operator<(TaskletValue a, TaskletValue b);
Condition operator>=(TaskletValue a, TaskletValue b);
Condition operator==(TaskletValue a, std::int64_t b);
Condition operator!=(TaskletValue a, std::int64_t b);
Condition operator<(TaskletValue a, std::int64_t b);
Condition operator>=(TaskletValue a, std::int64_t b);

struct Statement {
    enum class Kind : std::uint8_t {
        Comment,  ///< \p text, on a line of its own.
        Declare,  ///< Variable \p variable begins as \p a.
        Set,      ///< Variable \p variable becomes \p a.
        Store,    ///< Element \p b of pointer \p a becomes \p c.
        DmaRead,  ///< \p c bytes from MRAM \p b to WRAM \p a; at most 2048.
        DmaWrite, ///< \p c bytes from WRAM \p a to MRAM \p b; at most 2048.
        ReadAll,  ///< As DmaRead, any static number of bytes, piece by piece.
        Count,    ///< The body, \p a times (static, at least once).
        Range,    ///< Variable \p variable from \p a, while below \p b, in steps of \p c (static).
        While,    ///< The body as long as the condition holds.
        Unrolled, ///< \p number copies of the body, one behind the other.
        If,       ///< The body where the condition holds, else \p otherwise.
        Barrier,
        Lock,    ///< Mutex \p number.
        Unlock,  ///< Mutex \p number.
        WaitFor, ///< Until tasklet \p a notifies, which waits until somebody waits for it.
        Notify
    };
    Kind kind = Kind::Comment;
    int id = 0; ///< In the order in which statements are written.
    std::string text;
    int variable = -1;
    int a = -1, b = -1, c = -1;
    Condition condition;
    std::int64_t number = 0;
    /// Loops whose turns only the data tells: how often the body is run, static. An If: in how many of \p number cases.
    int expected = -1;
    std::vector<Statement> body, otherwise;
};

class TaskletCode {
public:
    struct Size {
        std::string name, meaning;
    };
    struct Variable {
        std::string name;
        Element type = Element::I32;
        bool isPointer = false;
    };
    struct Buffer {
        std::string name, meaning;
        Element type = Element::I8;
        int elements = -1;      ///< Static.
        bool ofTasklet = false; ///< Each tasklet has one of its own.
        bool ofHost = false;    ///< The host reads and writes it by name between launches.
    };
    struct Array {
        std::string name, meaning;
        Element type = Element::I8;
        int bytes = -1; ///< Static, a multiple of 8. Arrays lie one behind the other.
    };

    explicit TaskletCode(std::string name) : m_name(std::move(name)) {}
    TaskletCode(const TaskletCode&) = delete; // values point to it
    TaskletCode& operator=(const TaskletCode&) = delete;

    // ---- Values ----
    TaskletValue constant(std::int64_t number);
    /// \param name as a macro of C: "CHUNK_BYTES".
    TaskletValue size(std::string name, std::string meaning);
    TaskletValue me();
    TaskletValue array(std::string name, Element type, TaskletValue bytes, std::string meaning);
    TaskletValue shared(std::string name, Element type, TaskletValue elements, std::string meaning,
                        bool ofHost = false);
    /// A buffer of the tasklet's own.
    TaskletValue own(std::string name, Element type, TaskletValue elements, std::string meaning);
    TaskletValue load(TaskletValue pointer, TaskletValue index);
    TaskletValue load(TaskletValue pointer, std::int64_t index = 0);
    /// The same place as a pointer to other elements, \p bytes further on.
    TaskletValue pointer(std::string name, Element type, TaskletValue start);
    TaskletValue variable(std::string name, Element type, TaskletValue start);

    // ---- Statements ----
    void comment(std::string text);
    void set(TaskletValue variable, TaskletValue value);
    void add(TaskletValue variable, TaskletValue value) { set(variable, variable + value); }
    void store(TaskletValue pointer, TaskletValue index, TaskletValue value);
    void store(TaskletValue pointer, std::int64_t index, TaskletValue value);
    void read(TaskletValue wram, TaskletValue mram, TaskletValue bytes);
    void write(TaskletValue wram, TaskletValue mram, TaskletValue bytes);
    void readAll(TaskletValue wram, TaskletValue mram, TaskletValue bytes);
    void count(TaskletValue times, const std::function<void()>& body);
    /// \param turns static; needed where the bounds are not.
    void range(std::string name, TaskletValue from, TaskletValue to, TaskletValue step,
               const std::function<void(TaskletValue)>& body);
    void range(std::string name, TaskletValue from, TaskletValue to, TaskletValue step, TaskletValue turns,
               const std::function<void(TaskletValue)>& body);
    void loopWhile(Condition condition, TaskletValue turns, const std::function<void()>& body);
    void unrolled(std::int64_t copies, const std::function<void(TaskletValue)>& body);
    /// \param cases in one of so many the body is expected to run.
    void when(Condition condition, const std::function<void()>& body,
              const std::function<void()>& otherwise = {}, std::int64_t cases = 2);
    void barrier();
    void lock(int mutex);
    void unlock(int mutex);
    void waitFor(TaskletValue tasklet);
    void notify();

    // ---- For those who read it ----
    const std::string& name() const { return m_name; }
    const std::vector<ValueNode>& nodes() const { return m_nodes; }
    const ValueNode& node(int n) const { return m_nodes[std::size_t(n)]; }
    const std::vector<Size>& sizes() const { return m_sizes; }
    const std::vector<Variable>& variables() const { return m_variables; }
    const std::vector<Buffer>& buffers() const { return m_buffers; }
    const std::vector<Array>& arrays() const { return m_arrays; }
    const std::vector<Statement>& statements() const { return m_statements; }
    int mutexes() const { return m_mutexes; }
    int statementCount() const { return m_nextId; }
    bool isStatic(int node) const;
    /// Of a static expression. \param sizes one each of sizes().
    std::int64_t evaluate(int node, std::span<const std::int64_t> sizes) const;
    /// Where an array begins in MRAM; arrays().size(): where all end.
    std::int64_t arrayOffset(std::size_t array, std::span<const std::int64_t> sizes) const;
    /// ErrorCode::Unsupported: WRAM or MRAM cannot hold its buffers and arrays; InvalidKernel: an array or a DMA of an impossible size.
    Result<void> checkSizes(std::span<const std::int64_t> sizes, int tasklets) const;
    /// Of a buffer in WRAM, for \p tasklets.
    std::int64_t bufferBytes(std::size_t buffer, std::span<const std::int64_t> sizes, int tasklets) const;

    int makeNode(ValueNode node);

private:
    Statement& append(Statement::Kind kind);
    void inside(std::vector<Statement>& body, const std::function<void()>& write);
    TaskletValue value(int node) { return {*this, node}; }

    std::string m_name;
    std::vector<ValueNode> m_nodes;
    std::vector<Size> m_sizes;
    std::vector<Variable> m_variables;
    std::vector<Buffer> m_buffers;
    std::vector<Array> m_arrays;
    std::vector<Statement> m_statements;
    std::vector<Statement>* m_here = &m_statements;
    int m_nextId = 0, m_mutexes = 0;
};

} // namespace pim::upmem
