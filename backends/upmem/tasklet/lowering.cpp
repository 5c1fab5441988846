// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tasklet/lowering.h"

#include <fmt/format.h>

namespace pim::upmem {

using Relation = Condition::Relation;

// ---- Instructions ----

VirtualInstruction& Lowering::emit(VirtualInstruction in) {
    in.statement = m_statement;
    in.nest = m_nest;
    return out.code.emplace_back(std::move(in));
}

void Lowering::op(DpuOp op, RegisterNumber rc, RegisterNumber ra, RegisterNumber rb) {
    VirtualInstruction in;
    in.op = op;
    in.rc = rc;
    in.ra = ra;
    in.rb = rb;
    in.useImm = false;
    emit(std::move(in));
}

void Lowering::op(DpuOp op, RegisterNumber rc, RegisterNumber ra, Immediate imm) {
    VirtualInstruction in;
    in.op = op;
    in.rc = rc;
    in.ra = ra;
    in.imm = std::move(imm);
    emit(std::move(in));
}

void Lowering::op(DpuOp operation, RegisterNumber rc, RegisterNumber ra, const Operand& b) {
    if (b.isImmediate)
        op(operation, rc, ra, b.immediate);
    else
        op(operation, rc, ra, b.reg);
}

void Lowering::move(RegisterNumber rc, RegisterNumber ra) {
    op(DpuOp::Or, rc, ra, plain(0));
}

void Lowering::label(int label) {
    VirtualInstruction in;
    in.kind = Kind::Label;
    in.label = label;
    emit(in);
}

void Lowering::jump(int label) {
    VirtualInstruction in;
    in.op = DpuOp::Jump;
    in.condition = DpuCondition::Always;
    in.label = label;
    emit(in);
}

void Lowering::jumpIf(const Condition& condition, bool holds, int label) {
    const ValueNode &left = m_code.node(condition.left), &right = m_code.node(condition.right);
    const bool isSignedBoth =
        isSigned(left.type) && isSigned(right.type) && !left.isPointer && !right.isPointer;
    const RegisterNumber a = evaluate(condition.left);
    const Operand b = operand(condition.right);
    VirtualInstruction in;
    in.op = DpuOp::Sub;
    in.ra = a;
    in.rb = b.isImmediate ? kNoRegister : b.reg;
    in.useImm = b.isImmediate;
    in.imm = b.immediate;
    in.label = label;
    const bool equality = condition.relation == Relation::Equal || condition.relation == Relation::NotEqual;
    const bool positive =
        (condition.relation == Relation::Equal || condition.relation == Relation::Less) == holds;
    if (equality)
        in.condition = positive ? DpuCondition::Equal : DpuCondition::NotEqual;
    else if (isSignedBoth)
        in.condition = positive ? DpuCondition::Less : DpuCondition::NotLess;
    else
        in.condition = positive ? DpuCondition::LessUnsigned : DpuCondition::NotLessUnsigned;
    emit(std::move(in));
}

RegisterNumber Lowering::fresh(bool pair) {
    out.isPair.push_back(pair);
    return kVirtual + 2 * (int(out.isPair.size()) - 1);
}

void Lowering::unsupported(std::string what) {
    if (!m_wrong)
        m_wrong = Error{
            ErrorCode::Unsupported, fmt::format("DPU code has no form for {}", what), m_code.name(), {}};
}

// ---- Statements ----

Result<void> Lowering::run() {
    statements(m_code.statements());
    m_statement = -1;
    VirtualInstruction end;
    end.op = DpuOp::Exit;
    emit(end);
    if (m_wrong)
        return tl::unexpected<Error>(*m_wrong);
    return {};
}

void Lowering::statements(const std::vector<Statement>& list) {
    for (const Statement& s : list) {
        m_statement = s.id;
        statement(s);
    }
}

void Lowering::inNest(Nest nest, const std::vector<Statement>& body) {
    nest.parent = m_nest;
    nests.push_back(nest);
    const int before = std::exchange(m_nest, int(nests.size()) - 1), statementBefore = m_statement;
    statements(body);
    m_nest = before;
    m_statement = statementBefore;
}

void Lowering::statement(const Statement& s) {
    VirtualInstruction in;
    switch (s.kind) {
    case Statement::Kind::Comment:
        return;
    case Statement::Kind::Declare:
    case Statement::Kind::Set:
        return declareOrSet(s);
    case Statement::Kind::Store:
        return store(s);
    case Statement::Kind::DmaRead:
    case Statement::Kind::DmaWrite:
        return dma(s);
    case Statement::Kind::ReadAll:
        return readAll(s);
    case Statement::Kind::Count:
        return count(s);
    case Statement::Kind::Range:
        return range(s);
    case Statement::Kind::While:
        return loopWhile(s);
    case Statement::Kind::Unrolled:
        return unrolled(s);
    case Statement::Kind::If:
        return when(s);
    case Statement::Kind::Barrier:
        in.kind = Kind::Barrier;
        break;
    case Statement::Kind::Lock:
        in.kind = Kind::Acquire;
        in.imm = plain(s.number);
        break;
    case Statement::Kind::Unlock:
        in.op = DpuOp::Release;
        in.imm = plain(s.number);
        break;
    case Statement::Kind::WaitFor:
        in.kind = Kind::WaitFor;
        in.ra = evaluate(s.a);
        break;
    case Statement::Kind::Notify:
        in.kind = Kind::Notify;
        break;
    }
    emit(std::move(in));
}

void Lowering::declareOrSet(const Statement& s) {
    const TaskletCode::Variable& variable = m_code.variables()[std::size_t(s.variable)];
    const bool wide = !variable.isPointer && bytesOf(variable.type) == 8;
    auto found = m_variables.find(s.variable);
    if (found == m_variables.end())
        found = m_variables.emplace(s.variable, fresh(wide)).first;
    if (wide)
        evaluatePair(s.a, found->second);
    else
        evaluate(s.a, found->second);
}

void Lowering::store(const Statement& s) {
    static constexpr std::array<DpuOp, 8> kStores{DpuOp::Sb, DpuOp::Sb, DpuOp::Sh, DpuOp::Sh,
                                                  DpuOp::Sw, DpuOp::Sw, DpuOp::Sd, DpuOp::Sd};
    const Element type = m_code.node(s.a).type;
    const RegisterNumber what = bytesOf(type) == 8 ? evaluatePair(s.c) : evaluate(s.c);
    auto [base, offset] = place(s.a, s.b, bytesOf(type));
    op(kStores[std::size_t(type)], what, base, std::move(offset));
}

void Lowering::dma(const Statement& s) {
    const RegisterNumber wram = evaluate(s.a), mram = evaluate(s.b);
    VirtualInstruction in;
    in.op = s.kind == Statement::Kind::DmaRead ? DpuOp::Ldma : DpuOp::Sdma;
    in.ra = wram;
    in.rb = mram;
    in.useImm = false;
    Dma made{m_nest, -1, 8, true};
    if (m_code.isStatic(s.c)) {
        in.imm.terms.push_back({1, s.c});
        made.bytes = s.c;
    } else {
        in.rc = evaluate(s.c);
        const ValueNode& n = m_code.node(s.c);
        if (n.kind == ValueKind::Min) // a whole block but for the last
            made.bytes = m_code.isStatic(n.right) ? n.right : m_code.isStatic(n.left) ? n.left : -1;
    }
    emit(std::move(in));
    dmas.push_back(made);
}

void Lowering::readAll(const Statement& s) {
    const RegisterNumber wram = fresh(), mram = fresh(), rest = fresh(), piece = fresh();
    evaluate(s.a, wram);
    evaluate(s.b, mram);
    evaluate(s.c, rest);
    dmas.push_back({m_nest, s.c, 0, false});
    nests.push_back({m_nest, s.expected, 1});
    const int before = std::exchange(m_nest, int(nests.size()) - 1);
    const int again = freshLabel(), last = freshLabel();
    label(again);
    move(piece, rest);
    VirtualInstruction compare;
    compare.op = DpuOp::Sub;
    compare.ra = piece;
    compare.imm = plain(kMostDmaBytes);
    compare.condition = DpuCondition::LessUnsigned;
    compare.label = last;
    emit(std::move(compare));
    op(DpuOp::Or, piece, kNoRegister, plain(kMostDmaBytes));
    label(last);
    VirtualInstruction in;
    in.op = DpuOp::Ldma;
    in.rc = piece;
    in.ra = wram;
    in.rb = mram;
    in.useImm = false;
    emit(std::move(in));
    dmas.push_back({m_nest, -1, 0, true});
    op(DpuOp::Add, wram, wram, piece);
    op(DpuOp::Add, mram, mram, piece);
    VirtualInstruction next;
    next.op = DpuOp::Sub;
    next.rc = next.ra = rest;
    next.rb = piece;
    next.useImm = false;
    next.condition = DpuCondition::NotZero;
    next.label = again;
    emit(std::move(next));
    m_nest = before;
}

void Lowering::count(const Statement& s) {
    if (const auto times = immediateOf(s.a); times && times->isPlain() && times->constant == 1)
        return inNest({-1, s.expected, 1}, s.body);
    const RegisterNumber left = fresh();
    evaluate(s.a, left);
    const int again = freshLabel();
    label(again);
    nests.push_back({m_nest, s.expected, 1});
    const int before = std::exchange(m_nest, int(nests.size()) - 1), statementBefore = m_statement;
    statements(s.body);
    m_statement = statementBefore;
    VirtualInstruction next;
    next.op = DpuOp::Add;
    next.rc = next.ra = left;
    next.imm = plain(-1);
    next.condition = DpuCondition::NotZero;
    next.label = again;
    emit(std::move(next));
    m_nest = before;
}

void Lowering::range(const Statement& s) {
    const RegisterNumber at = fresh();
    m_variables[s.variable] = at;
    evaluate(s.a, at);
    Operand end = operand(s.b);
    if (!end.isImmediate &&
        m_code.node(s.b).kind != ValueKind::Variable) { // kept: it is looked at in every turn
        const RegisterNumber kept = fresh();
        move(kept, end.reg);
        end.reg = kept;
    }
    const auto compare = [&](DpuCondition condition, int label) -> VirtualInstruction& {
        VirtualInstruction in;
        in.op = DpuOp::Sub;
        in.ra = at;
        in.rb = end.isImmediate ? kNoRegister : end.reg;
        in.useImm = end.isImmediate;
        in.imm = end.immediate;
        in.condition = condition;
        in.label = label;
        return emit(std::move(in));
    };
    const int again = freshLabel(), done = freshLabel();
    compare(DpuCondition::NotLessUnsigned, done);
    label(again);
    nests.push_back({m_nest, s.expected, 1});
    const int before = std::exchange(m_nest, int(nests.size()) - 1);
    const int statementBefore = m_statement;
    statements(s.body);
    m_statement = statementBefore;
    op(DpuOp::Add, at, at, *immediateOf(s.c));
    compare(DpuCondition::LessUnsigned, again);
    m_nest = before;
    label(done);
}

void Lowering::loopWhile(const Statement& s) {
    const int again = freshLabel(), done = freshLabel();
    jumpIf(s.condition, false, done);
    label(again);
    nests.push_back({m_nest, s.expected, 1});
    const int before = std::exchange(m_nest, int(nests.size()) - 1);
    const int statementBefore = m_statement;
    statements(s.body);
    m_statement = statementBefore;
    jumpIf(s.condition, true, again);
    m_nest = before;
    label(done);
}

void Lowering::unrolled(const Statement& s) {
    for (std::int64_t copy = 0; copy < s.number; ++copy) {
        m_copies[s.id] = copy;
        statements(s.body);
    }
}

void Lowering::when(const Statement& s) {
    const int otherwise = freshLabel(), done = freshLabel();
    const double share = s.number > 0 ? 1.0 / double(s.number) : 1;
    jumpIf(s.condition, false, otherwise);
    inNest({-1, -1, share}, s.body);
    if (!s.otherwise.empty())
        jump(done);
    label(otherwise);
    if (!s.otherwise.empty())
        inNest({-1, -1, 1 - share}, s.otherwise);
    label(done);
}

} // namespace pim::upmem
