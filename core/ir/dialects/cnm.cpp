// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/cnm_ops.h"
#include "core/ir/dialects/dialects.h"
#include "core/ir/dialects/element_ops.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::ir {

namespace cnm {

namespace {

const Type& operandType(const Module& module, const Operation& op, std::size_t n) {
    return module.type(module.operand(op, n));
}

bool isUpmem(const Operation& op) {
    return op.def->name.starts_with("upmem.");
}

} // namespace

Result<void> verifyWorkgroup(const Module& module, const Operation& op) {
    const Shape& extents = module.type(op.firstResult).extents();
    if (extents.empty() || std::ranges::any_of(extents, [](std::int64_t e) { return e < 1; }))
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} has no units", module.type(op.firstResult).text()));
    return {};
}

Result<void> verifyAlloc(const Module& module, const Operation& op) {
    const Type& group = operandType(module, op, 0);
    const Type& type = module.type(op.firstResult);
    const std::string_view form = isUpmem(op) ? "upmem.mram" : "cnm.buffer";
    if (!type.isDialect(form) || !type.element() || type.extents().empty() ||
        type.body().on != group.extents())
        return fail(ErrorCode::InvalidFile,
                    fmt::format("its result is {}, expected a {} on {}", type.text(), form, group.text()));
    if (type.body().space < 0 || type.body().space > static_cast<int>(group.extents().size()))
        return fail(ErrorCode::InvalidFile,
                    fmt::format("level {} is not within 0 to {}", type.body().space, group.extents().size()));
    return {};
}

/// Indices of the unit, one for each dimension of the workgroup, then its buffers.
Result<void> verifyLaunch(const Module& module, const Operation& op) {
    const Region& body = module.regionOf(op);
    const Shape& group = operandType(module, op, 0).extents();
    if (body.argumentCount != group.size() + op.operandCount - 1)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("its region has {} arguments, expected {} indices and {} buffers",
                                body.argumentCount, group.size(), op.operandCount - 1));
    for (std::uint32_t a = 0; a < body.argumentCount; ++a) {
        const Type& given = module.type(Module::argument(body, a));
        Type wanted = Type::index();
        if (a >= group.size()) {
            const Type& buffer = operandType(module, op, a - group.size() + 1);
            if (buffer.body().on != group)
                return fail(ErrorCode::InvalidFile,
                            fmt::format("{} lies on another workgroup", buffer.text()));
            wanted = Type::memref(buffer.extents(), *buffer.element());
        }
        if (given != wanted)
            return fail(ErrorCode::InvalidFile, fmt::format("argument {} of its region is {}, expected {}", a,
                                                            given.text(), wanted.text()));
    }
    const std::string_view end = isUpmem(op) ? "upmem.end" : "cnm.end";
    if (module.operation(body.operations.back()).def->name != end)
        return fail(ErrorCode::InvalidFile, fmt::format("its region ends with {}", end));
    return {};
}

Result<void> runLaunch(Interpreter& at, const Operation& op) {
    const Module& module = at.module();
    const Region& body = module.regionOf(op);
    const Shape& group = operandType(module, op, 0).extents();
    for (std::int64_t unit = 0; unit < unitsOf(group); ++unit) {
        std::int64_t rest = unit;
        for (std::size_t d = group.size(); d-- > 0; rest /= group[d])
            at.cell(Module::argument(body, static_cast<std::uint32_t>(d))).i = rest % group[d];
        for (std::uint32_t n = 1; n < op.operandCount; ++n) {
            const auto& buffers = at.object<Buffers>(op, n);
            const Type& type = buffers.type;
            const std::int64_t copy = unit / (unitsOf(group) / copiesOf(type));
            Array view = buffers.array;
            view.extents = type.extents();
            view.strides.assign(view.extents.size(), 1);
            for (std::size_t d = view.extents.size(); d-- > 1;)
                view.strides[d - 1] = view.strides[d] * view.extents[d];
            view.offset = copy * buffers.pitch;
            at.cell(Module::argument(body, static_cast<std::uint32_t>(group.size()) + n - 1)).array =
                std::move(view);
        }
        PIM_TRY([[maybe_unused]] const Operation* end, at.run(body));
    }
    return {};
}

Result<void> runAlloc(Interpreter& at, const Operation& op) {
    at.set(op, makeBuffers(at.module().type(op.firstResult)));
    return {};
}

Result<void> nothing(Interpreter&, const Operation&) {
    return {};
}

namespace {

Result<void> verifyContract(const Module&, const Operation& op) {
    const std::string_view metric = textOr(op, "metric", "dot");
    if (metric != "dot" && metric != "l2")
        return fail(ErrorCode::InvalidFile, fmt::format("'metric' is \"{}\", there are dot, l2", metric));
    return {};
}

Result<void> verifyMap(const Module& module, const Operation& op) {
    const std::string_view kind = textOr(op, "op", {});
    const Type &in = operandType(module, op, 0), &out = operandType(module, op, op.operandCount - 1);
    const bool unary = kind == "copy" || kind == "not" || kind == "popCount";
    if (!unary && !elementOpFromName(kind))
        return fail(ErrorCode::InvalidFile, fmt::format("there is no op \"{}\"", kind));
    if (op.operandCount != (unary ? 2U : 3U) || in != out)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("\"{}\" takes {} and gives one of the same type", kind,
                                unary ? "a memory" : "a memory and another or a scalar"));
    if (!unary && operandType(module, op, 1) != in && !operandType(module, op, 1).isScalar(*in.element()))
        return fail(ErrorCode::InvalidFile,
                    fmt::format("operand 1 is {}, expected {} or {}", operandType(module, op, 1).text(),
                                in.text(), name(*in.element())));
    const auto found = elementOpFromName(kind);
    if (isFloat(*in.element()) && kind != "copy" && (unary || isLogic(*found)))
        return fail(ErrorCode::InvalidFile, fmt::format("\"{}\" has no meaning for {}", kind, in.text()));
    return {};
}

Result<void> verifyFold(const Module& module, const Operation& op) {
    const auto kind = elementOpFromName(textOr(op, "op", {}));
    if (!kind || *kind == ElementOp::Sub || *kind == ElementOp::Div)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("elements are not folded by \"{}\"", textOr(op, "op", {})));
    if (isLogic(*kind) && isFloat(*operandType(module, op, 0).element()))
        return fail(ErrorCode::InvalidFile, "has no meaning for fractions");
    return {};
}

Result<void> verifyTopK(const Module& module, const Operation& op) {
    if (operandType(module, op, 1).count() > operandType(module, op, 0).count())
        return fail(ErrorCode::InvalidFile,
                    fmt::format("asks for {} of {}", operandType(module, op, 1).count(),
                                operandType(module, op, 0).count()));
    return {};
}

Result<void> wholeOnly(const Module& module, const Operation& op) {
    if (isFloat(*operandType(module, op, 0).element()))
        return fail(ErrorCode::InvalidFile, "has no meaning for fractions");
    return {};
}

constexpr OpDef kCnmOps[] = {
    {"cnm.workgroup", "Processing units of a device, as a grid whose last dimensions are closest together.",
     "-> !cnm.workgroup", verifyWorkgroup, nothing},
    {"cnm.alloc",
     "A buffer for each unit; at level n, one for all units that differ in the last n dimensions alone.",
     "!cnm.workgroup -> any", verifyAlloc, runAlloc},
    {"cnm.scatter",
     "Elements of a tensor into buffers: 'map' leads from unit, position and offsets to the element; outside "
     "of the "
     "tensor lies 'padding'.",
     "T[*], !cnm.buffer, any* ->", verifyScatter, runScatter},
    {"cnm.gather", "Buffers into a tensor, by 'map'; positions outside of it are left out.",
     "!cnm.buffer, T[*], any* -> any", verifyGather, runGather},
    {"cnm.launch", "All units run the region, each on its own buffers.",
     "!cnm.workgroup, !cnm.buffer* -> !cnm.token", verifyLaunch, runLaunch, 1},
    {"cnm.wait", "Until what was launched has ended.", "!cnm.token* ->", nullptr, nothing},
    {"cnm.free", "Gives the units back.", "!cnm.workgroup ->", nullptr, nothing},
    {"cnm.end", "Ends what a unit runs.", "->", nullptr, nullptr, 0, true},
    {"cnm.contract",
     "C[m,n] += sum over k of A[a+m,k] B[b+n,k], from rows a and b on; 'fresh': C begins at 0; metric "
     "\"l2\": "
     "squares of differences.",
     "&T[P,K], &T[Q,K], &T[M,N], index, index ->", verifyContract, runContract},
    {"cnm.map", "Elements one by one: the last operand becomes 'op' of the others.", "&T[*], any* ->",
     verifyMap, runMap},
    {"cnm.fold", "Each row folded into one element.", "&T[N,L], &T[N] ->", verifyFold, runFold},
    {"cnm.scan", "Every element of a row folded with all before it; the third operand becomes the totals.",
     "&T[N,L], &T[N,L], &T[N] ->", verifyFold, runScan},
    {"cnm.histogram", "How often each value occurs; values of 'depth' bits are spread over the bins.",
     "&T[N], &i32[B] ->", wholeOnly, runHistogram},
    {"cnm.topk", "The largest elements of a buffer, descending, and where they stand in it.",
     "&T[N], &T[K], &i32[K] ->", verifyTopK, runTopK},
    {"cnm.majority", "For each bit, what most of 'rows' elements of a row of the memory have.",
     "&T[M,N], &T[M] ->", wholeOnly, runMajority},
};

} // namespace

} // namespace cnm

const Dialect& cnmDialect() {
    static constexpr Dialect kCnmDialect{"cnm",
                                         "Work spread over processing units with memories of their own: "
                                         "Table 2 of the CINM paper (ASPLOS 2025).",
                                         cnm::kCnmOps};
    return kCnmDialect;
}

} // namespace pim::ir
