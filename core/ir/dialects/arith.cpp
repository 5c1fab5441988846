// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/dialects.h"
#include "core/ir/dialects/element_ops.h"
#include "core/ir/interpret.h"
#include "core/ir/scalar_bytes.h"

#include <fmt/format.h>

namespace pim::ir {

namespace {

Scalar elementOf(Interpreter& at, const Operation& op) {
    return *at.module().type(op.firstResult).element();
}

Result<void> verifyConstant(const Module& module, const Operation& op) {
    const Attribute* value = findAttribute(op, "value");
    const Type& type = module.type(op.firstResult);
    bool fits = false;
    if (const auto* whole = value ? std::get_if<IntegerAttribute>(&value->value) : nullptr)
        fits = type.isScalar(whole->type);
    else if (const auto* fraction = value ? std::get_if<FloatAttribute>(&value->value) : nullptr)
        fits = type.isScalar(fraction->type);
    else if (const auto* dense = value ? std::get_if<DenseAttribute>(&value->value) : nullptr)
        fits = type == dense->type;
    if (!fits)
        return fail(ErrorCode::InvalidFile, fmt::format("its attribute 'value' is no {}", type.text()));
    return {};
}

Result<void> runConstant(Interpreter& at, const Operation& op) {
    const auto& value = findAttribute(op, "value")->value;
    if (const auto* whole = std::get_if<IntegerAttribute>(&value)) {
        at.set(op, whole->value);
    } else if (const auto* fraction = std::get_if<FloatAttribute>(&value)) {
        at.cell(op.firstResult).f = fraction->value;
    } else {
        const auto& dense = std::get<DenseAttribute>(value);
        Array array = Array::make(*dense.type.element(), dense.type.extents());
        for (std::size_t b = 0; b < array.bytes->size(); b += dense.bytes.size())
            std::memcpy(array.bytes->data() + b, dense.bytes.data(), dense.bytes.size());
        at.set(op, std::move(array));
    }
    return {};
}

template <ElementOp kOp>
Result<void> runInt(Interpreter& at, const Operation& op) {
    PIM_TRY(const std::int64_t value, apply(kOp, at.index(op, 0), at.index(op, 1), elementOf(at, op)));
    at.set(op, value);
    return {};
}

template <ElementOp kOp>
Result<void> runReal(Interpreter& at, const Operation& op) {
    std::byte bytes[8];
    storeReal(bytes, elementOf(at, op), apply(kOp, at.operand(op, 0).f, at.operand(op, 1).f));
    at.cell(op.firstResult).f = loadReal(bytes, elementOf(at, op));
    return {};
}

Result<void> runRemainder(Interpreter& at, const Operation& op) {
    const std::int64_t divisor = at.index(op, 1);
    if (divisor == 0)
        return fail(ErrorCode::InvalidFile, "divides by zero");
    at.set(op, divisor == -1 ? 0 : at.index(op, 0) % divisor);
    return {};
}

Result<void> runShift(Interpreter& at, const Operation& op) {
    const std::int64_t by = at.index(op, 1);
    const std::int64_t bits = bytesOf(elementOf(at, op)) * 8;
    if (by < 0 || by >= bits)
        return fail(ErrorCode::InvalidFile, fmt::format("shifts by {}, beyond 0 to {}", by, bits - 1));
    const std::int64_t value = at.index(op, 0);
    const bool left = op.def->name == "arith.shli";
    at.set(op, left ? wrapped(static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << by),
                              elementOf(at, op))
                    : value >> by);
    return {};
}

Result<void> runCast(Interpreter& at, const Operation& op) {
    at.set(op, wrapped(at.index(op, 0), elementOf(at, op)));
    return {};
}

Result<void> verifyCompare(const Module&, const Operation& op) {
    const std::int64_t predicate = integerOr(op, "predicate", -1);
    if (predicate < 0 || predicate > 9)
        return fail(ErrorCode::InvalidFile, fmt::format("predicate {} is not within 0 to 9", predicate));
    return {};
}

/// Predicates as MLIR numbers them: eq ne slt sle sgt sge ult ule ugt uge.
Result<void> runCompare(Interpreter& at, const Operation& op) {
    const std::int64_t a = at.index(op, 0), b = at.index(op, 1);
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    const bool holds[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, x<y, x <= y, x> y, x >= y};
    at.set(op, std::int64_t{holds[integerOr(op, "predicate", 0)]});
    return {};
}

Result<void> runSelect(Interpreter& at, const Operation& op) {
    at.cell(op.firstResult) = at.operand(op, at.index(op, 0) ? 1 : 2);
    return {};
}

constexpr OpDef kArithOps[] = {
    {"arith.constant", "A number, or a tensor of numbers, known when the program is made.", "-> any",
     verifyConstant, runConstant},
    {"arith.addi", "Sum of integers.", "T, T -> T", nullptr, runInt<ElementOp::Add>},
    {"arith.subi", "Difference of integers.", "T, T -> T", nullptr, runInt<ElementOp::Sub>},
    {"arith.muli", "Product of integers.", "T, T -> T", nullptr, runInt<ElementOp::Mul>},
    {"arith.divsi", "Quotient of integers, rounded toward zero.", "T, T -> T", nullptr,
     runInt<ElementOp::Div>},
    {"arith.remsi", "Remainder of that quotient.", "T, T -> T", nullptr, runRemainder},
    {"arith.minsi", "The smaller of two integers.", "T, T -> T", nullptr, runInt<ElementOp::Min>},
    {"arith.maxsi", "The larger of two integers.", "T, T -> T", nullptr, runInt<ElementOp::Max>},
    {"arith.andi", "Bits set in both.", "T, T -> T", nullptr, runInt<ElementOp::And>},
    {"arith.ori", "Bits set in either.", "T, T -> T", nullptr, runInt<ElementOp::Or>},
    {"arith.xori", "Bits set in one alone.", "T, T -> T", nullptr, runInt<ElementOp::Xor>},
    {"arith.shli", "Bits moved up.", "T, T -> T", nullptr, runShift},
    {"arith.shrsi", "Bits moved down, the sign kept.", "T, T -> T", nullptr, runShift},
    {"arith.addf", "Sum.", "T, T -> T", nullptr, runReal<ElementOp::Add>},
    {"arith.subf", "Difference.", "T, T -> T", nullptr, runReal<ElementOp::Sub>},
    {"arith.mulf", "Product.", "T, T -> T", nullptr, runReal<ElementOp::Mul>},
    {"arith.divf", "Quotient.", "T, T -> T", nullptr, runReal<ElementOp::Div>},
    {"arith.minf", "The smaller.", "T, T -> T", nullptr, runReal<ElementOp::Min>},
    {"arith.maxf", "The larger.", "T, T -> T", nullptr, runReal<ElementOp::Max>},
    {"arith.index_cast", "An index as an integer, or back.", "T -> U", nullptr, runCast},
    {"arith.extsi", "An integer in a wider type.", "T -> U", nullptr, runCast},
    {"arith.trunci", "The low bits of an integer.", "T -> U", nullptr, runCast},
    {"arith.cmpi", "Does a relation hold between two integers?", "T, T -> i1", verifyCompare, runCompare},
    {"arith.select", "The second operand where the first holds, else the third.", "i1, T, T -> T", nullptr,
     runSelect},
};

} // namespace

const Dialect& arithDialect() {
    static constexpr Dialect kArithDialect{"arith", "Numbers, as in MLIR.", kArithOps};
    return kArithDialect;
}

} // namespace pim::ir
