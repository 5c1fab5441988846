// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/cinm_ops.h"
#include "core/ir/dialects/dialects.h"
#include "core/ir/dialects/element_ops.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::ir {

namespace {

const Type& operandType(const Module& module, const Operation& op, std::size_t n) {
    return module.type(module.operand(op, n));
}

Result<void> oneOf(const Operation& op, std::string_view attribute,
                   std::initializer_list<std::string_view> names) {
    const std::string_view value = textOr(op, attribute, {});
    if (std::ranges::find(names, value) != names.end())
        return {};
    return fail(ErrorCode::InvalidFile, fmt::format("'{}' is \"{}\"", attribute, value), {},
                fmt::format("there are {}", fmt::join(names, ", ")));
}

/// A tensor and a tensor of the same shape, or a scalar for all elements.
Result<void> verifyBinary(const Module& module, const Operation& op) {
    const Type &left = operandType(module, op, 0), &right = operandType(module, op, 1);
    if (right != left && !right.isScalar(*left.element()))
        return fail(ErrorCode::InvalidFile, fmt::format("operand 1 is {}, expected {} or {}", right.text(),
                                                        left.text(), name(*left.element())));
    return {};
}

Result<void> integersOnly(const Module& module, const Operation& op) {
    if (isFloat(*operandType(module, op, 0).element()))
        return fail(ErrorCode::InvalidFile,
                    fmt::format("has no meaning for {}", operandType(module, op, 0).text()));
    return {};
}

Result<void> verifyLogic(const Module& module, const Operation& op) {
    PIM_CHECK(integersOnly(module, op));
    return verifyBinary(module, op);
}

Result<void> verifyTranspose(const Module& module, const Operation& op) {
    const auto perms = intsOf(op, "perms");
    const Shape &from = operandType(module, op, 0).extents(), &to = module.type(op.firstResult).extents();
    std::vector<bool> seen(from.size());
    bool good = perms.size() == from.size() && to.size() == from.size();
    for (std::size_t d = 0; good && d < perms.size(); ++d) {
        good = perms[d] >= 0 && perms[d] < static_cast<std::int64_t>(from.size()) &&
               !seen[static_cast<std::size_t>(perms[d])] && to[d] == from[static_cast<std::size_t>(perms[d])];
        if (good)
            seen[static_cast<std::size_t>(perms[d])] = true;
    }
    if (!good)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("perms {} do not make {} of {}", shapeText({perms.begin(), perms.end()}),
                                shapeText(to), shapeText(from)));
    return {};
}

Result<void> verifyHistogram(const Module& module, const Operation& op) {
    PIM_CHECK(integersOnly(module, op));
    const std::int64_t depth = integerOr(op, "depth", 0);
    if (depth < 0 || depth > 31)
        return fail(ErrorCode::InvalidFile, fmt::format("depth {} is not within 0 to 31 bits", depth));
    return {};
}

Result<void> verifyTopK(const Module& module, const Operation& op) {
    const std::int64_t k = module.type(op.firstResult).count(), n = operandType(module, op, 0).extents()[0];
    if (k > n)
        return fail(ErrorCode::InvalidFile, fmt::format("asks for {} of {}", k, n));
    return {};
}

Result<void> verifySimSearch(const Module& module, const Operation& op) {
    PIM_CHECK(oneOf(op, "metric", {"dot", "cos", "l2"}));
    if (textOr(op, "metric", {}) == "cos" && !isFloat(*operandType(module, op, 0).element()))
        return fail(ErrorCode::InvalidFile, "the cosine is no whole number", {}, "use \"dot\" or \"l2\"");
    return verifyTopK(module, op);
}

Result<void> verifyMerge(const Module&, const Operation& op) {
    PIM_CHECK(oneOf(op, "op", {"add", "mul", "min", "max"}));
    return oneOf(op, "dir", {"horizontal", "vertical"});
}

Result<void> verifyKind(const Module& module, const Operation& op) {
    PIM_CHECK(oneOf(op, "op", {"add", "mul", "min", "max", "and", "or", "xor"}));
    return isLogic(*elementOpFromName(textOr(op, "op", {}))) ? integersOnly(module, op) : Result<void>();
}

/// Dimensions that a reduction folds; all of them where none are named.
Result<void> verifyReduce(const Module& module, const Operation& op) {
    PIM_CHECK(verifyKind(module, op));
    Shape kept = operandType(module, op, 0).extents();
    const auto dimensions = intsOf(op, "dimensions");
    if (dimensions.empty())
        kept.clear();
    for (std::size_t d = dimensions.size(); d-- > 0;) {
        if (dimensions[d] < 0 || dimensions[d] >= static_cast<std::int64_t>(kept.size()) ||
            (d > 0 && dimensions[d - 1] >= dimensions[d]))
            return fail(ErrorCode::InvalidFile,
                        fmt::format("dimensions {} are not some of 0 to {}, ascending",
                                    shapeText({dimensions.begin(), dimensions.end()}),
                                    operandType(module, op, 0).rank() - 1));
        kept.erase(kept.begin() + dimensions[d]);
    }
    if (kept != module.type(op.firstResult).extents())
        return fail(ErrorCode::InvalidFile, fmt::format("the result is {}, expected shape {}",
                                                        module.type(op.firstResult).text(), shapeText(kept)));
    return {};
}

Result<void> verifyScan(const Module& module, const Operation& op) {
    PIM_CHECK(verifyKind(module, op));
    const std::int64_t rank = operandType(module, op, 0).rank(), dimension = integerOr(op, "dimension", 0);
    if (dimension < 0 || dimension >= rank)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("dimension {} is not within 0 to {}", dimension, rank - 1));
    return {};
}

using namespace cinm;

constexpr OpDef kCinmOps[] = {
    {"cinm.add", "Sum of two tensors, or of a tensor and a scalar.", "T[*S], any -> T[*S]", verifyBinary,
     runBinary},
    {"cinm.sub", "Difference of two tensors, or of a tensor and a scalar.", "T[*S], any -> T[*S]",
     verifyBinary, runBinary},
    {"cinm.mul", "Product element by element, or with a scalar.", "T[*S], any -> T[*S]", verifyBinary,
     runBinary},
    {"cinm.div", "Quotient element by element; integers are rounded toward zero.", "T[*S], any -> T[*S]",
     verifyBinary, runBinary},
    {"cinm.min", "The smaller of two elements.", "T[*S], any -> T[*S]", verifyBinary, runBinary},
    {"cinm.max", "The larger of two elements.", "T[*S], any -> T[*S]", verifyBinary, runBinary},
    {"cinm.and", "Bits set in both.", "T[*S], any -> T[*S]", verifyLogic, runBinary},
    {"cinm.or", "Bits set in either.", "T[*S], any -> T[*S]", verifyLogic, runBinary},
    {"cinm.xor", "Bits set in one alone.", "T[*S], any -> T[*S]", verifyLogic, runBinary},
    {"cinm.not", "All bits turned over.", "T[*S] -> T[*S]", integersOnly, runNot},
    {"cinm.gemv", "Matrix times vector.", "T[M,K], T[K] -> T[M]", nullptr, runGemm},
    {"cinm.gemm", "Matrix times matrix; a third operand is added.", "T[M,K], T[K,N], T[M,N]? -> T[M,N]",
     nullptr, runGemm},
    {"cinm.transpose", "Dimensions in another order: dimension i of the result is perms[i] of the operand.",
     "T[*] -> T[*]", verifyTranspose, runTranspose},
    {"cinm.histogram", "How often each value occurs; values of 'depth' bits are spread over the bins.",
     "T[*] -> i32[B]", verifyHistogram, runHistogram},
    {"cinm.majority", "For each bit of a column, the value most rows have; 0 where as many have either.",
     "T[N,M] -> T[M]", integersOnly, runMajority},
    {"cinm.topk", "The largest elements, descending, and where they stand; of equals the first comes first.",
     "T[N] -> T[K], i32[K]", verifyTopK, runTopK},
    {"cinm.simSearch", "The rows of a table most like a query, and where they stand.",
     "T[N,D], T[D] -> T[K], i32[K]", verifySimSearch, runSimSearch},
    {"cinm.mergePartial", "Partial results of tiles put together element by element.",
     "T[*S], T[*S] -> T[*S]", verifyMerge, runBinary},
    {"cinm.popCount", "How many bits are set in each element.", "T[*S] -> T[*S]", integersOnly, runPopCount},
    {"cinm.reduce", "Elements along dimensions folded into one.", "T[*] -> T[*]", verifyReduce, runReduce},
    {"cinm.scan", "Every element folded with all before it along a dimension.", "T[*S] -> T[*S]", verifyScan,
     runScan},
};
static_assert(std::size(kCinmOps) == 21); // CINM, Table 1

} // namespace

const Dialect& cinmDialect() {
    static constexpr Dialect kCinmDialect{
        "cinm", "Linear algebra over tensors, for every machine: Table 1 of the CINM paper (ASPLOS 2025).",
        kCinmOps};
    return kCinmDialect;
}

} // namespace pim::ir
