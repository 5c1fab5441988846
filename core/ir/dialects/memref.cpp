// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/dialects.h"
#include "core/ir/interpret.h"
#include "core/ir/scalar_bytes.h"

#include <fmt/format.h>

namespace pim::ir {

namespace {

Result<std::int64_t> place(Interpreter& at, const Operation& op, const Array& array, std::size_t first) {
    const auto indices = at.indices(op, first, op.operandCount - first);
    for (std::size_t d = 0; d < indices.size(); ++d)
        if (indices[d] < 0 || indices[d] >= array.extents[d])
            return fail(ErrorCode::InvalidFile, fmt::format("index {} of dimension {} is outside of 0 to {}",
                                                            indices[d], d, array.extents[d] - 1));
    return array.at(indices);
}

Result<void> verifyAccess(const Module& module, const Operation& op) {
    const std::size_t memory = op.def->name == "memref.load" ? 0 : 1;
    const std::int64_t rank = module.type(module.operand(op, memory)).rank();
    if (op.operandCount - memory - 1 != static_cast<std::size_t>(rank))
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} indices for {} dimensions", op.operandCount - memory - 1, rank));
    for (std::size_t n = memory + 1; n < op.operandCount; ++n)
        if (!module.type(module.operand(op, n)).isScalar(Scalar::Index))
            return fail(ErrorCode::InvalidFile, fmt::format("operand {} is no index", n));
    return {};
}

Result<void> runAlloc(Interpreter& at, const Operation& op) {
    const Type& type = at.module().type(op.firstResult);
    at.set(op, Array::make(*type.element(), type.extents()));
    return {};
}

Result<void> runLoad(Interpreter& at, const Operation& op) {
    const Array& array = at.array(op, 0);
    PIM_TRY(const std::int64_t position, place(at, op, array, 1));
    Cell& cell = at.cell(op.firstResult);
    if (isFloat(array.element))
        cell.f = loadReal(array.bytesAt(position), array.element);
    else
        cell.i = loadInt(array.bytesAt(position), array.element);
    return {};
}

Result<void> runStore(Interpreter& at, const Operation& op) {
    Array& array = at.array(op, 1);
    PIM_TRY(const std::int64_t position, place(at, op, array, 2));
    if (isFloat(array.element))
        storeReal(array.bytesAt(position), array.element, at.operand(op, 0).f);
    else
        storeInt(array.bytesAt(position), array.element, at.index(op, 0));
    return {};
}

Result<void> runCopy(Interpreter& at, const Operation& op) {
    const Array from = at.array(op, 0).compact();
    Array& to = at.array(op, 1);
    const auto size = static_cast<std::size_t>(bytesOf(to.element));
    const std::byte* next = from.bytes->data();
    forEachPosition(to, [&](std::int64_t position) {
        std::memcpy(to.bytesAt(position), next, size);
        next += size;
    });
    return {};
}

constexpr OpDef kMemrefOps[] = {
    {"memref.alloc", "Memory, zeroed by the interpreter.", "-> &T[*]", nullptr, runAlloc},
    {"memref.dealloc", "Gives memory back.", "&T[*] ->", nullptr,
     [](Interpreter&, const Operation&) { return Result<void>(); }},
    {"memref.load", "One element.", "&T[*], any* -> T", verifyAccess, runLoad},
    {"memref.store", "Writes one element.", "T, &T[*], any* ->", verifyAccess, runStore},
    {"memref.copy", "All elements of one memory into another.", "&T[*S], &T[*S] ->", nullptr, runCopy},
};

} // namespace

const Dialect& memrefDialect() {
    static constexpr Dialect kMemrefDialect{"memref", "Memory, as in MLIR.", kMemrefOps};
    return kMemrefDialect;
}

} // namespace pim::ir
