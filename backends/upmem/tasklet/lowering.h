// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Statements of a TaskletCode as instructions over virtual registers. Used by program.cpp alone.
#include "backends/upmem/tasklet/code.h"
#include "backends/upmem/tasklet/registers.h"

#include <array>
#include <map>
#include <optional>

namespace pim::upmem {

/// Loops that an instruction stands in: how often it is run is the product of the turns on the way out.
struct Nest {
    int parent = -1;
    int turns = -1;   ///< Static expression; -1: once.
    double share = 1; ///< Of an If: in how many cases.
};

class Lowering {
public:
    explicit Lowering(const TaskletCode& code) : m_code(code) {}
    Result<void> run();

    VirtualCode out;
    std::vector<Nest> nests{Nest{}};
    /// Bytes of the DMAs, by place of the instruction: static expressions (-1: tells \p constant).
    struct Dma {
        int nest = 0;
        int bytes = -1;
        double constant = 0;
        bool counts = true; ///< As a DMA; bytes of pieces are counted once for all.
    };
    std::vector<Dma> dmas;

private:
    using Kind = VirtualInstruction::Kind;
    struct Operand {
        bool isImmediate = true;
        Immediate immediate;
        RegisterNumber reg = kNoRegister;
    };

    // Statements.
    void statements(const std::vector<Statement>& list);
    void statement(const Statement& s);
    void declareOrSet(const Statement& s);
    void store(const Statement& s);
    void dma(const Statement& s);
    void readAll(const Statement& s);
    void count(const Statement& s);
    void range(const Statement& s);
    void loopWhile(const Statement& s);
    void unrolled(const Statement& s);
    void when(const Statement& s);
    void inNest(Nest nest, const std::vector<Statement>& body);

    // Values.
    std::optional<Immediate> immediateOf(int node) const;
    /// Into \p into if that is a register; else wherever it lies.
    RegisterNumber evaluate(int node, RegisterNumber into = kNoRegister);
    RegisterNumber evaluatePair(int node, RegisterNumber into = kNoRegister);
    Operand operand(int node);
    RegisterNumber load(const ValueNode& n, RegisterNumber into);
    RegisterNumber binary(const ValueNode& n, RegisterNumber into);
    RegisterNumber multiply(const ValueNode& n, RegisterNumber into);
    RegisterNumber multiplyHalfWords(RegisterNumber a, RegisterNumber b, RegisterNumber into);
    RegisterNumber divide(const ValueNode& n, RegisterNumber into);
    RegisterNumber extreme(const ValueNode& n, RegisterNumber into);
    RegisterNumber sharedPlace(const ValueNode& n, RegisterNumber into);
    RegisterNumber pairOperation(const ValueNode& n, RegisterNumber into);
    /// Base register and offset of an element in WRAM.
    std::pair<RegisterNumber, Immediate> place(int pointer, int index, int bytes);
    /// What of \p index is only known when it runs (-1: nothing), and the constant rest, in elements.
    std::pair<int, Immediate> splitIndex(int index) const;
    bool isWide(int node) const;
    /// Bits of the factor's own type, and whether it has a sign; 32 where nothing narrower is known.
    std::pair<int, bool> widthOf(int node) const;

    /// Of a factor or dividend, about: numbers of tasklets are small.
    int bitsOf(int node) const;

    // Instructions.
    VirtualInstruction& emit(VirtualInstruction in);
    void op(DpuOp op, RegisterNumber rc, RegisterNumber ra, RegisterNumber rb);
    void op(DpuOp op, RegisterNumber rc, RegisterNumber ra, Immediate imm);
    void op(DpuOp op, RegisterNumber rc, RegisterNumber ra, const Operand& b);
    void move(RegisterNumber rc, RegisterNumber ra);
    void label(int label);
    void jump(int label);
    void jumpIf(const Condition& condition, bool holds, int label);
    int freshLabel() { return out.labels++; }
    RegisterNumber fresh(bool pair = false);
    RegisterNumber orFresh(RegisterNumber into) { return into == kNoRegister ? fresh() : into; }
    void unsupported(std::string what);

    const TaskletCode& m_code;
    std::map<int, RegisterNumber> m_variables;
    std::map<std::int64_t, std::int64_t> m_copies; ///< By id of the unrolled statement.
    int m_nest = 0, m_statement = -1;
    std::optional<Error> m_wrong;
};

/// constant, or a sum with others
Immediate plain(std::int64_t constant);
Immediate sum(Immediate a, const Immediate& b, std::int64_t factor = 1);

} // namespace pim::upmem
