// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tasklet/lowering.h"

#include <bit>

namespace pim::upmem {

Immediate plain(std::int64_t constant) {
    Immediate made;
    made.constant = constant;
    return made;
}

Immediate sum(Immediate a, const Immediate& b, std::int64_t factor) {
    a.constant += b.constant * factor;
    for (const Immediate::Term& term : b.terms)
        a.terms.push_back({term.factor * factor, term.node});
    if (a.wram < 0)
        a.wram = b.wram;
    if (a.mram < 0)
        a.mram = b.mram;
    return a;
}

namespace {

constexpr int kBitsOfId = 3; ///< Of the number of a tasklet, on average.

Immediate scaled(const Immediate& a, std::int64_t factor) {
    return sum(plain(0), a, factor);
}

std::optional<DpuOp> simpleOp(ValueKind kind, bool isSigned) {
    switch (kind) {
    case ValueKind::Add:
        return DpuOp::Add;
    case ValueKind::Sub:
        return DpuOp::Sub;
    case ValueKind::And:
        return DpuOp::And;
    case ValueKind::Or:
        return DpuOp::Or;
    case ValueKind::Xor:
        return DpuOp::Xor;
    case ValueKind::ShiftLeft:
        return DpuOp::Lsl;
    case ValueKind::ShiftRight:
        return isSigned ? DpuOp::Asr : DpuOp::Lsr;
    default:
        return std::nullopt;
    }
}

bool commutes(ValueKind kind) {
    return kind == ValueKind::Add || kind == ValueKind::And || kind == ValueKind::Or ||
           kind == ValueKind::Xor || kind == ValueKind::Mul || kind == ValueKind::Min ||
           kind == ValueKind::Max;
}

} // namespace

bool Lowering::isWide(int node) const {
    const ValueNode& n = m_code.node(node);
    return !n.isPointer && bytesOf(n.type) == 8;
}

std::optional<Immediate> Lowering::immediateOf(int node) const {
    const ValueNode& n = m_code.node(node);
    const auto staticTerm = [node] {
        Immediate made;
        made.terms.push_back({1, node});
        return made;
    };
    switch (n.kind) {
    case ValueKind::Constant:
        return plain(n.number);
    case ValueKind::Copy:
        return plain(m_copies.at(n.number));
    case ValueKind::Size:
        return staticTerm();
    case ValueKind::Mram: {
        Immediate made;
        made.mram = int(n.number);
        return made;
    }
    case ValueKind::Wram: {
        if (m_code.buffers()[std::size_t(n.number)].ofTasklet)
            return std::nullopt;
        Immediate made;
        made.wram = int(n.number);
        return made;
    }
    case ValueKind::Add:
    case ValueKind::Sub: {
        const auto a = immediateOf(n.left), b = immediateOf(n.right);
        if (!a || !b || ((a->wram >= 0 || a->mram >= 0) && (b->wram >= 0 || b->mram >= 0)))
            return std::nullopt;
        const std::int64_t scale =
            n.isPointer && m_code.node(n.left).isPointer ? bytesOf(m_code.node(n.left).type) : 1;
        return sum(*a, *b, n.kind == ValueKind::Add ? scale : -scale);
    }
    case ValueKind::Mul: {
        const auto a = immediateOf(n.left), b = immediateOf(n.right);
        if (a && b && b->isPlain())
            return scaled(*a, b->constant);
        if (a && b && a->isPlain())
            return scaled(*b, a->constant);
        break;
    }
    default:
        break;
    }
    return m_code.isStatic(node) ? std::optional(staticTerm()) : std::nullopt;
}

Lowering::Operand Lowering::operand(int node) {
    if (auto known = immediateOf(node))
        return {true, std::move(*known), kNoRegister};
    return {false, {}, evaluate(node)};
}

std::pair<int, bool> Lowering::widthOf(int node) const {
    const ValueNode& n = m_code.node(node);
    if (n.isPointer)
        return {32, false};
    if (n.kind == ValueKind::Load || n.kind == ValueKind::Variable)
        return {bytesOf(n.type) * 8, isSigned(n.type)};
    if (n.kind == ValueKind::Constant && n.number >= -128 && n.number < 128)
        return {8, true};
    return {32, isSigned(n.type)};
}

RegisterNumber Lowering::evaluate(int node, RegisterNumber into) {
    const ValueNode n = m_code.node(node);
    if (isWide(node)) {
        unsupported("a value of 64 bits where one of 32 is wanted");
        return kNoRegister;
    }
    if (const auto known = immediateOf(node)) {
        if (known->isPlain() && known->constant == 0 && into == kNoRegister)
            return kNoRegister; // the constant register
        const RegisterNumber rc = orFresh(into);
        op(DpuOp::Or, rc, kNoRegister, *known);
        return rc;
    }
    const auto there = [&](RegisterNumber at) {
        if (into == kNoRegister)
            return at;
        if (into != at)
            move(into, at);
        return into;
    };
    switch (n.kind) {
    case ValueKind::Me:
        return there(int(DpuReg::Id));
    case ValueKind::Variable:
        return there(m_variables.at(int(n.number)));
    case ValueKind::Wram:
        return sharedPlace(n, into);
    case ValueKind::Load:
        return load(n, into);
    case ValueKind::Narrow:
        return isWide(n.left) ? there(evaluatePair(n.left)) : evaluate(n.left, into);
    case ValueKind::Widen:
        unsupported("a value widened where one of 32 bits is wanted");
        return kNoRegister;
    case ValueKind::Ones: {
        const RegisterNumber a = evaluate(n.left), rc = orFresh(into);
        op(DpuOp::Cao, rc, a, plain(0));
        return rc;
    }
    case ValueKind::Mul:
        return multiply(n, into);
    case ValueKind::Div:
    case ValueKind::Mod:
        return divide(n, into);
    case ValueKind::Min:
    case ValueKind::Max:
        return extreme(n, into);
    default:
        return binary(n, into);
    }
}

/// First byte of the buffer of this tasklet.
RegisterNumber Lowering::sharedPlace(const ValueNode& n, RegisterNumber into) {
    const TaskletCode::Buffer& buffer = m_code.buffers()[std::size_t(n.number)];
    Immediate bytes;
    bytes.terms.push_back({bytesOf(buffer.type), buffer.elements});
    op(DpuOp::Or, 0, kNoRegister, bytes);
    op(DpuOp::Or, 1, int(DpuReg::Id), plain(0));
    VirtualInstruction call;
    call.kind = Kind::Multiply;
    call.factorBits = kBitsOfId;
    emit(call);
    Immediate begin;
    begin.wram = int(n.number);
    const RegisterNumber rc = orFresh(into);
    op(DpuOp::Add, rc, 0, begin);
    return rc;
}

std::pair<int, Immediate> Lowering::splitIndex(int index) const {
    if (auto known = immediateOf(index))
        return {-1, std::move(*known)};
    const ValueNode& n = m_code.node(index);
    if (n.kind == ValueKind::Add && !n.isPointer) {
        if (const auto known = immediateOf(n.right)) {
            auto [rest, offset] = splitIndex(n.left);
            return {rest, sum(std::move(offset), *known)};
        }
        if (const auto known = immediateOf(n.left)) {
            auto [rest, offset] = splitIndex(n.right);
            return {rest, sum(std::move(offset), *known)};
        }
    }
    return {index, plain(0)};
}

std::pair<RegisterNumber, Immediate> Lowering::place(int pointer, int index, int bytes) {
    auto [moving, offset] = splitIndex(index);
    Immediate at = scaled(offset, bytes);
    RegisterNumber base = kNoRegister;
    if (const auto known = immediateOf(pointer))
        at = sum(std::move(at), *known);
    else
        base = evaluate(pointer);
    if (moving < 0)
        return {base, std::move(at)};
    const RegisterNumber element = evaluate(moving);
    const int shift = std::countr_zero(unsigned(bytes));
    if (base == kNoRegister && shift == 0)
        return {element, std::move(at)};
    const RegisterNumber address = fresh();
    if (base == kNoRegister)
        op(DpuOp::Lsl, address, element, plain(shift));
    else if (shift == 0)
        op(DpuOp::Add, address, base, element);
    else {
        VirtualInstruction in;
        in.op = DpuOp::LslAdd;
        in.rc = address;
        in.ra = base;
        in.rb = element;
        in.useImm = false;
        in.imm = plain(shift);
        emit(in);
    }
    return {address, std::move(at)};
}

RegisterNumber Lowering::load(const ValueNode& n, RegisterNumber into) {
    static constexpr std::array<DpuOp, 8> kLoads{DpuOp::Lb, DpuOp::Lbu, DpuOp::Lh, DpuOp::Lhu,
                                                 DpuOp::Lw, DpuOp::Lw,  DpuOp::Ld, DpuOp::Ld};
    auto [base, offset] = place(n.left, n.right, bytesOf(n.type));
    const bool wide = bytesOf(n.type) == 8;
    const RegisterNumber rc = into == kNoRegister ? fresh(wide) : into;
    op(kLoads[std::size_t(n.type)], rc, base, std::move(offset));
    return rc;
}

RegisterNumber Lowering::binary(const ValueNode& n, RegisterNumber into) {
    const auto simple = simpleOp(n.kind, isSigned(m_code.node(n.left).type));
    PIM_ASSERT(simple, "the operation has an instruction");
    int left = n.left, right = n.right;
    if (immediateOf(left) && commutes(n.kind) && !n.isPointer)
        std::swap(left, right);
    const bool isStep = n.isPointer && m_code.node(n.left).isPointer && (n.kind == ValueKind::Add);
    if (isStep) { // counted in elements
        auto [base, offset] = place(n.left, n.right, bytesOf(m_code.node(n.left).type));
        const RegisterNumber rc = orFresh(into);
        op(DpuOp::Add, rc, base, std::move(offset));
        return rc;
    }
    // A sum with a product by a power of two is one instruction.
    const RegisterNumber a = evaluate(left);
    if (n.kind == ValueKind::Add && !immediateOf(right)) {
        const ValueNode& r = m_code.node(right);
        if (r.kind == ValueKind::ShiftLeft)
            if (const auto by = immediateOf(r.right); by && by->isPlain()) {
                VirtualInstruction in;
                in.op = DpuOp::LslAdd;
                in.ra = a;
                in.rb = evaluate(r.left);
                in.useImm = false;
                in.imm = *by;
                in.rc = orFresh(into);
                const RegisterNumber rc = in.rc;
                emit(std::move(in));
                return rc;
            }
    }
    const Operand b = operand(right);
    const RegisterNumber rc = orFresh(into);
    op(*simple, rc, a, b);
    return rc;
}

/// a_l b_l + 256 (a_h b_l + b_h a_l) + 65536 a_h b_h of signed half words, seven instructions. [UPMEM SDK, __mulhi3]
RegisterNumber Lowering::multiplyHalfWords(RegisterNumber a, RegisterNumber b, RegisterNumber into) {
    const RegisterNumber low = fresh(), cross = fresh(), other = fresh(), high = fresh(), middle = fresh();
    op(DpuOp::MulU8, low, a, b);
    op(DpuOp::MulShUl, cross, a, b);
    op(DpuOp::MulShUl, other, b, a);
    op(DpuOp::Add, cross, cross, other);
    op(DpuOp::MulShSh, high, a, b);
    const auto shiftAdd = [this](RegisterNumber rc, RegisterNumber ra, RegisterNumber rb) {
        VirtualInstruction in;
        in.op = DpuOp::LslAdd;
        in.rc = rc;
        in.ra = ra;
        in.rb = rb;
        in.useImm = false;
        in.imm = plain(8);
        emit(std::move(in));
    };
    shiftAdd(middle, cross, high);
    const RegisterNumber rc = orFresh(into);
    shiftAdd(rc, low, middle);
    return rc;
}

int Lowering::bitsOf(int node) const {
    const ValueNode& n = m_code.node(node);
    if (n.kind == ValueKind::Me)
        return kBitsOfId;
    const bool part = n.kind == ValueKind::Div || n.kind == ValueKind::Mod;
    return part ? bitsOf(n.left) : VirtualInstruction().factorBits;
}

RegisterNumber Lowering::multiply(const ValueNode& n, RegisterNumber into) {
    int left = n.left, right = n.right;
    if (immediateOf(left))
        std::swap(left, right);
    if (const auto by = immediateOf(right);
        by && by->isPlain() && by->constant > 0 && std::has_single_bit(std::uint64_t(by->constant))) {
        const RegisterNumber a = evaluate(left), rc = orFresh(into);
        op(DpuOp::Lsl, rc, a, plain(std::countr_zero(std::uint64_t(by->constant))));
        return rc;
    }
    const auto [leftBits, leftSigned] = widthOf(left);
    const auto [rightBits, rightSigned] = widthOf(right);
    const RegisterNumber a = evaluate(left);
    if (leftBits == 8 && rightBits == 8 && leftSigned == rightSigned) {
        const Operand b = operand(right);
        const RegisterNumber rc = orFresh(into);
        op(leftSigned ? DpuOp::MulS8 : DpuOp::MulU8, rc, a, b);
        return rc;
    }
    if (leftBits <= 16 && rightBits <= 16 && leftSigned && rightSigned)
        return multiplyHalfWords(a, evaluate(right), into);
    const Operand b = operand(right);
    move(0, a);
    op(DpuOp::Or, 1, b.isImmediate ? kNoRegister : b.reg, b.isImmediate ? b.immediate : plain(0));
    VirtualInstruction call;
    call.kind = Kind::Multiply;
    call.factorBits = bitsOf(left);
    emit(call);
    const RegisterNumber rc = orFresh(into);
    move(rc, 0);
    return rc;
}

RegisterNumber Lowering::divide(const ValueNode& n, RegisterNumber into) {
    const bool rest = n.kind == ValueKind::Mod;
    if (const auto by = immediateOf(n.right);
        by && by->isPlain() && by->constant > 0 && std::has_single_bit(std::uint64_t(by->constant))) {
        const RegisterNumber a = evaluate(n.left), rc = orFresh(into);
        if (rest)
            op(DpuOp::And, rc, a, plain(by->constant - 1));
        else
            op(DpuOp::Lsr, rc, a, plain(std::countr_zero(std::uint64_t(by->constant))));
        return rc;
    }
    const RegisterNumber a = evaluate(n.left);
    const Operand b = operand(n.right);
    move(0, a);
    op(DpuOp::Or, 1, b.isImmediate ? kNoRegister : b.reg, b.isImmediate ? b.immediate : plain(0));
    VirtualInstruction call;
    call.kind = Kind::Divide;
    call.factorBits = bitsOf(n.left);
    emit(call);
    out.divides = true;
    const RegisterNumber rc = orFresh(into);
    move(rc, rest ? 1 : 0);
    return rc;
}

/// The one, unless the other is beyond it.
RegisterNumber Lowering::extreme(const ValueNode& n, RegisterNumber into) {
    int left = n.left, right = n.right;
    if (immediateOf(left))
        std::swap(left, right);
    const RegisterNumber a = evaluate(left);
    const Operand b = operand(right);
    const RegisterNumber rc = fresh(); // not the place of the result, which may be one of the two
    move(rc, a);
    const bool isSignedBoth = isSigned(m_code.node(left).type) && isSigned(m_code.node(right).type);
    VirtualInstruction compare;
    compare.op = DpuOp::Sub;
    compare.ra = rc;
    compare.rb = b.isImmediate ? kNoRegister : b.reg;
    compare.useImm = b.isImmediate;
    compare.imm = b.immediate;
    const bool keepsLess = n.kind == ValueKind::Min;
    compare.condition = keepsLess ? (isSignedBoth ? DpuCondition::Less : DpuCondition::LessUnsigned)
                                  : (isSignedBoth ? DpuCondition::NotLess : DpuCondition::NotLessUnsigned);
    compare.label = freshLabel();
    const int done = compare.label;
    emit(std::move(compare));
    op(DpuOp::Or, rc, b.isImmediate ? kNoRegister : b.reg, b.isImmediate ? b.immediate : plain(0));
    label(done);
    if (into == kNoRegister)
        return rc;
    move(into, rc);
    return into;
}

RegisterNumber Lowering::evaluatePair(int node, RegisterNumber into) {
    const ValueNode n = m_code.node(node);
    const auto pair = [&] { return into == kNoRegister ? fresh(true) : into; };
    if (!isWide(node) || (n.kind == ValueKind::Widen && !isWide(n.left))) {
        const int narrow = isWide(node) ? n.left : node;
        const RegisterNumber a = evaluate(narrow), rc = pair();
        if (isSigned(m_code.node(narrow).type))
            op(DpuOp::Asr, rc + 1, a, plain(31));
        else
            op(DpuOp::Or, rc + 1, kNoRegister, plain(0));
        move(rc, a);
        return rc;
    }
    switch (n.kind) {
    case ValueKind::Widen:
        return evaluatePair(n.left, into);
    case ValueKind::Load:
        return load(n, into);
    case ValueKind::Variable: {
        const RegisterNumber at = m_variables.at(int(n.number));
        if (into == kNoRegister || into == at)
            return at;
        move(into, at);
        move(into + 1, at + 1);
        return into;
    }
    default:
        return pairOperation(n, into);
    }
}

RegisterNumber Lowering::pairOperation(const ValueNode& n, RegisterNumber into) {
    const auto simple = simpleOp(n.kind, isSigned(n.type));
    if (!simple || n.kind == ValueKind::ShiftLeft || n.kind == ValueKind::ShiftRight) {
        unsupported("this operation on 64 bits");
        return fresh(true);
    }
    const RegisterNumber a = evaluatePair(n.left);
    const auto known = immediateOf(n.right);
    const DpuOp upper = n.kind == ValueKind::Add   ? DpuOp::AddC
                        : n.kind == ValueKind::Sub ? DpuOp::SubC
                                                   : *simple;
    const RegisterNumber rc = into == kNoRegister ? fresh(true) : into;
    if (known && known->isPlain()) {
        op(*simple, rc, a, plain(std::int32_t(known->constant)));
        op(upper, rc + 1, a + 1, plain(known->constant < 0 ? -1 : 0));
        return rc;
    }
    const RegisterNumber b = evaluatePair(n.right);
    op(*simple, rc, a, b);
    op(upper, rc + 1, a + 1, b + 1);
    return rc;
}

} // namespace pim::upmem
