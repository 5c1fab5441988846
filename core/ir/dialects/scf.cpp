// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/dialects.h"
#include "core/ir/interpret.h"

#include <fmt/format.h>

namespace pim::ir {

namespace {

Result<void> sameTypes(const Module& module, const Operation& op, const Region& region) {
    const Operation& end = module.operation(region.operations.back());
    if (end.def->name != "scf.yield")
        return fail(ErrorCode::InvalidFile, "its regions end with scf.yield");
    bool same = end.operandCount == op.resultCount;
    for (std::uint32_t r = 0; same && r < op.resultCount; ++r)
        same = module.type(module.operand(end, r)) == module.type(Module::result(op, r));
    if (!same)
        return fail(ErrorCode::InvalidFile, "what its scf.yield gives has not the types of its results");
    return {};
}

Result<void> verifyFor(const Module& module, const Operation& op) {
    const Region& body = module.regionOf(op);
    if (op.operandCount != 3 + op.resultCount || body.argumentCount != 1 + op.resultCount)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("carries {} values into {} arguments and {} results", op.operandCount - 3,
                                std::int64_t{body.argumentCount} - 1, op.resultCount));
    bool same = module.type(Module::argument(body, 0)).isScalar(Scalar::Index);
    for (std::uint32_t r = 0; same && r < op.resultCount; ++r)
        same = module.type(module.operand(op, 3 + r)) == module.type(Module::result(op, r)) &&
               module.type(Module::argument(body, 1 + r)) == module.type(Module::result(op, r));
    if (!same)
        return fail(ErrorCode::InvalidFile,
                    "its arguments are an index and what it carries, of the same types");
    return sameTypes(module, op, body);
}

Result<void> verifyIf(const Module& module, const Operation& op) {
    for (std::uint32_t r = 0; r < op.regionCount; ++r) {
        if (module.regionOf(op, r).argumentCount != 0)
            return fail(ErrorCode::InvalidFile, "its regions take no arguments");
        PIM_CHECK(sameTypes(module, op, module.regionOf(op, r)));
    }
    return {};
}

/// The array of a value that is used for nothing else is handed on, so that a loop can change it in place.
Cell handOver(Interpreter& at, const Operation& op, std::size_t n) {
    Cell& from = at.operand(op, n);
    if (!at.module().type(at.module().operand(op, n)).isTensor())
        return from;
    Cell cell;
    cell.array = at.take(op, n);
    return cell;
}

Result<void> runFor(Interpreter& at, const Operation& op) {
    const Region& body = at.module().regionOf(op);
    const std::int64_t begin = at.index(op, 0), end = at.index(op, 1), step = at.index(op, 2);
    if (step < 1)
        return fail(ErrorCode::InvalidFile, fmt::format("the step is {}, expected 1 or more", step));
    std::vector<Cell> carried(op.resultCount);
    for (std::uint32_t r = 0; r < op.resultCount; ++r)
        carried[r] = handOver(at, op, 3 + r);
    for (std::int64_t i = begin; i < end; i += step) {
        at.cell(Module::argument(body, 0)).i = i;
        for (std::uint32_t r = 0; r < op.resultCount; ++r)
            at.cell(Module::argument(body, 1 + r)) = std::move(carried[r]);
        PIM_TRY(const Operation* last, at.run(body));
        for (std::uint32_t r = 0; r < op.resultCount; ++r)
            carried[r] = handOver(at, *last, r);
    }
    for (std::uint32_t r = 0; r < op.resultCount; ++r)
        at.cell(Module::result(op, r)) = std::move(carried[r]);
    return {};
}

Result<void> runIf(Interpreter& at, const Operation& op) {
    PIM_TRY(const Operation* last, at.run(at.module().regionOf(op, at.index(op, 0) ? 0 : 1)));
    for (std::uint32_t r = 0; r < op.resultCount; ++r)
        at.cell(Module::result(op, r)) = handOver(at, *last, r);
    return {};
}

constexpr OpDef kScfOps[] = {
    {"scf.for", "A counted loop that may carry values around.", "index, index, index, any* -> any*",
     verifyFor, runFor, 1},
    {"scf.if", "The first region where the condition holds, else the second.", "i1 -> any*", verifyIf, runIf,
     2},
    {"scf.yield", "Ends a region with the values it gives.", "any* ->", nullptr, nullptr, 0, true},
};

} // namespace

const Dialect& scfDialect() {
    static constexpr Dialect kScfDialect{"scf", "Loops and conditions, as in MLIR.", kScfOps};
    return kScfDialect;
}

} // namespace pim::ir
