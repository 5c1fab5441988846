// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/dialects.h"
#include "core/ir/interpret.h"
#include "core/ir/scalar_bytes.h"
#include "core/ir/slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace pim::ir {

namespace {

/// What a slice takes of a tensor: one entry for each of its dimensions.
struct Slice {
    Shape offsets, sizes, strides;
};

/// Where the offsets that are operands begin.
std::size_t firstOffset(const Operation& op) {
    return op.def->name == "tensor.extract_slice" ? 1 : 2;
}

Result<void> verifySlice(const Module& module, const Operation& op) {
    const bool extract = op.def->name == "tensor.extract_slice";
    const Type& whole = module.type(module.operand(op, extract ? 0 : 1));
    const Type& part = extract ? module.type(op.firstResult) : module.type(module.operand(op, 0));
    const auto offsets = intsOf(op, "static_offsets"), sizes = intsOf(op, "static_sizes"),
               strides = intsOf(op, "static_strides");
    const auto rank = static_cast<std::size_t>(whole.rank());
    if (offsets.size() != rank || sizes.size() != rank || strides.size() != rank)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("has not {} static_offsets, static_sizes and static_strides each", rank));
    const auto open = std::ranges::count(offsets, kDynamicOffset);
    if (static_cast<std::size_t>(open) + firstOffset(op) != op.operandCount)
        return fail(ErrorCode::InvalidFile, fmt::format("{} offsets are operands, but {} are open",
                                                        op.operandCount - firstOffset(op), open));
    for (std::size_t n = firstOffset(op); n < op.operandCount; ++n)
        if (!module.type(module.operand(op, n)).isScalar(Scalar::Index))
            return fail(ErrorCode::InvalidFile, fmt::format("operand {} is no index", n));
    std::int64_t count = 1;
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t begin = offsets[d] == kDynamicOffset ? 0 : offsets[d];
        if (begin < 0 || strides[d] < 1 || sizes[d] < 1 || sizes[d] > whole.extents()[d] ||
            begin > whole.extents()[d] - 1 || (sizes[d] - 1) > (whole.extents()[d] - 1 - begin) / strides[d])
            return fail(ErrorCode::InvalidFile,
                        fmt::format("takes {} by {} from {} on of dimension {}, which has {}", sizes[d],
                                    strides[d], begin, d, whole.extents()[d]));
        count *= sizes[d];
    }
    Shape wanted, kept;
    std::ranges::copy_if(sizes, std::back_inserter(wanted), [](std::int64_t s) { return s != 1; });
    std::ranges::copy_if(part.extents(), std::back_inserter(kept), [](std::int64_t s) { return s != 1; });
    if (wanted != kept || part.rank() > whole.rank())
        return fail(
            ErrorCode::InvalidFile,
            fmt::format("the slice of {} is no {}", shapeText({sizes.begin(), sizes.end()}), part.text()));
    return {};
}

/// The slice as a view of \p whole.
Result<Array> view(Interpreter& at, const Operation& op, Array whole) {
    const auto offsets = intsOf(op, "static_offsets"), sizes = intsOf(op, "static_sizes"),
               strides = intsOf(op, "static_strides");
    std::size_t next = firstOffset(op);
    for (std::size_t d = 0; d < offsets.size(); ++d) {
        const std::int64_t begin = offsets[d] == kDynamicOffset ? at.index(op, next++) : offsets[d];
        if (begin < 0 || begin + (sizes[d] - 1) * strides[d] >= whole.extents[d])
            return fail(ErrorCode::InvalidFile,
                        fmt::format("takes {} from {} on of dimension {}, which has {}", sizes[d], begin, d,
                                    whole.extents[d]));
        whole.offset += begin * whole.strides[d];
        whole.extents[d] = sizes[d];
        whole.strides[d] *= strides[d];
    }
    return whole;
}

Result<void> runExtractSlice(Interpreter& at, const Operation& op) {
    PIM_TRY(Array part, view(at, op, at.array(op, 0)));
    // Copied at once: a view would keep the whole from being changed in place.
    const Shape extents = at.module().type(op.firstResult).extents();
    Array copy = Array::make(part.element, extents);
    const auto size = static_cast<std::size_t>(bytesOf(part.element));
    std::byte* to = copy.bytes->data();
    forEachRun(part, [&](std::int64_t position, std::int64_t count) {
        std::memcpy(to, part.bytesAt(position), size * static_cast<std::size_t>(count));
        to += size * static_cast<std::size_t>(count);
    });
    at.set(op, std::move(copy));
    return {};
}

Result<void> runInsertSlice(Interpreter& at, const Operation& op) {
    Array whole = at.take(op, 1);
    const Array part = at.array(op, 0).compact();
    PIM_TRY(Array to, view(at, op, whole));
    const auto size = static_cast<std::size_t>(bytesOf(part.element));
    const std::byte* next = part.bytes->data();
    forEachRun(to, [&](std::int64_t position, std::int64_t count) {
        std::memcpy(to.bytesAt(position), next, size * static_cast<std::size_t>(count));
        next += size * static_cast<std::size_t>(count);
    });
    at.set(op, std::move(whole));
    return {};
}

/// Of a single element: behind the tensor, and the element where one is written.
std::size_t firstIndex(const Operation& op) {
    return op.def->name == "tensor.extract" ? 1 : 2;
}

Result<void> verifyElement(const Module& module, const Operation& op) {
    const std::int64_t rank = module.type(module.operand(op, firstIndex(op) - 1)).rank();
    if (op.operandCount != static_cast<std::size_t>(rank) + firstIndex(op))
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} indices for {} dimensions", op.operandCount - firstIndex(op), rank));
    return {};
}

/// Where the indices of an op lead in \p array.
Result<std::int64_t> placeOf(Interpreter& at, const Operation& op, const Array& array) {
    const auto indices = at.indices(op, firstIndex(op), array.extents.size());
    for (std::size_t d = 0; d < indices.size(); ++d)
        if (indices[d] < 0 || indices[d] >= array.extents[d])
            return fail(ErrorCode::InvalidFile, fmt::format("index {} of dimension {} is outside of 0 to {}",
                                                            indices[d], d, array.extents[d] - 1));
    return array.at(indices);
}

Result<void> runExtract(Interpreter& at, const Operation& op) {
    const Array& array = at.array(op, 0);
    PIM_TRY(const std::int64_t place, placeOf(at, op, array));
    Cell& cell = at.cell(op.firstResult);
    if (isFloat(array.element))
        cell.f = loadReal(array.bytesAt(place), array.element);
    else
        cell.i = loadInt(array.bytesAt(place), array.element);
    return {};
}

Result<void> runInsert(Interpreter& at, const Operation& op) {
    Array array = at.take(op, 1);
    PIM_TRY(const std::int64_t place, placeOf(at, op, array));
    if (isFloat(array.element))
        storeReal(array.bytesAt(place), array.element, at.operand(op, 0).f);
    else
        storeInt(array.bytesAt(place), array.element, at.index(op, 0));
    at.set(op, std::move(array));
    return {};
}

Result<void> runEmpty(Interpreter& at, const Operation& op) {
    const Type& type = at.module().type(op.firstResult);
    at.set(op, Array::make(*type.element(), type.extents()));
    return {};
}

/// `reassociation = [[0, 1], [2]]`: which dimensions of the longer shape are one of the shorter.
Result<void> verifyReshape(const Module& module, const Operation& op) {
    const bool collapse = op.def->name == "tensor.collapse_shape";
    const Type &from = module.type(module.operand(op, 0)), &to = module.type(op.firstResult);
    const Shape &longer = (collapse ? from : to).extents(), &shorter = (collapse ? to : from).extents();
    const Attribute* attribute = findAttribute(op, "reassociation");
    const auto* groups = attribute ? std::get_if<std::vector<Attribute>>(&attribute->value) : nullptr;
    if (!groups || groups->size() != shorter.size())
        return fail(
            ErrorCode::InvalidFile,
            fmt::format("'reassociation' has not one list for each of {} dimensions", shorter.size()));
    std::int64_t next = 0;
    for (std::size_t g = 0; g < groups->size(); ++g) {
        const auto* group = std::get_if<std::vector<Attribute>>(&(*groups)[g].value);
        std::int64_t product = 1;
        for (std::size_t i = 0; group && i < group->size(); ++i) {
            const auto* dim = std::get_if<IntegerAttribute>(&(*group)[i].value);
            if (!dim || dim->value != next || next >= static_cast<std::int64_t>(longer.size()))
                return fail(ErrorCode::InvalidFile,
                            "'reassociation' does not name every dimension once, in order");
            product *= longer[static_cast<std::size_t>(next++)];
        }
        if (!group || product != shorter[g])
            return fail(
                ErrorCode::InvalidFile,
                fmt::format("dimension {} has {} elements, those it stands for {}", g, shorter[g], product));
    }
    if (groups->empty() ? Type::tensor(longer, Scalar::I8).count() != 1
                        : next != static_cast<std::int64_t>(longer.size()))
        return fail(ErrorCode::InvalidFile, "'reassociation' leaves dimensions out");
    return {};
}

Result<void> runReshape(Interpreter& at, const Operation& op) {
    Array array = at.array(op, 0).compact();
    Array shaped = Array::make(array.element, {});
    shaped.extents = at.module().type(op.firstResult).extents();
    shaped.strides.assign(shaped.extents.size(), 1);
    for (std::size_t d = shaped.extents.size(); d-- > 1;)
        shaped.strides[d - 1] = shaped.strides[d] * shaped.extents[d];
    shaped.bytes = array.bytes;
    at.set(op, std::move(shaped));
    return {};
}

constexpr OpDef kTensorOps[] = {
    {"tensor.empty", "A tensor whose elements do not matter; zeros when run.", "-> T[*]", nullptr, runEmpty},
    {"tensor.extract", "One element.", "T[*], index* -> T", verifyElement, runExtract},
    {"tensor.insert", "A tensor with one element replaced.", "T, T[*S], index* -> T[*S]", verifyElement,
     runInsert},
    {"tensor.extract_slice", "A part of a tensor: offsets, sizes, strides.", "T[*], any* -> T[*]",
     verifySlice, runExtractSlice},
    {"tensor.insert_slice", "A tensor with a part of it replaced.", "T[*], T[*A], any* -> T[*A]", verifySlice,
     runInsertSlice},
    {"tensor.collapse_shape", "The same elements with neighbouring dimensions made one.", "T[*] -> T[*]",
     verifyReshape, runReshape},
    {"tensor.expand_shape", "The same elements with a dimension split into several.", "T[*] -> T[*]",
     verifyReshape, runReshape},
};

} // namespace

const Dialect& tensorDialect() {
    static constexpr Dialect kTensorDialect{"tensor", "Tensors by parts, as in MLIR.", kTensorOps};
    return kTensorDialect;
}

} // namespace pim::ir
