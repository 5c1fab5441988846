// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/slices.h"

namespace pim::ir {

namespace {

Attributes sliceAttributes(const std::vector<Offset>& offsets, const Shape& sizes, Shape strides,
                           std::vector<std::int64_t> segments) {
    std::vector<std::int64_t> constants;
    std::int64_t open = 0;
    for (const Offset& offset : offsets) {
        constants.push_back(offset.value.valid() ? kDynamicOffset : offset.constant);
        open += offset.value.valid();
    }
    if (strides.empty())
        strides.assign(sizes.size(), 1);
    segments.insert(segments.end(), {open, 0, 0});
    return {{"operand_segment_sizes", ints(std::move(segments), Scalar::I32)},
            {"static_offsets", ints(std::move(constants))},
            {"static_sizes", ints(sizes)},
            {"static_strides", ints(std::move(strides))}};
}

void appendOpen(std::vector<ValueId>& operands, const std::vector<Offset>& offsets) {
    for (const Offset& offset : offsets)
        if (offset.value.valid())
            operands.push_back(offset.value);
}

/// The dimensions [0, rank) as one group.
Attribute oneGroup(std::int64_t rank) {
    std::vector<Attribute> group;
    for (std::int64_t d = 0; d < rank; ++d)
        group.push_back(integer(d));
    return {std::vector<Attribute>{{std::move(group)}}};
}

} // namespace

ValueId extractSlice(Builder& to, ValueId whole, const std::vector<Offset>& offsets, const Shape& sizes,
                     const Shape& strides, const Shape& extents) {
    std::vector<ValueId> operands{whole};
    appendOpen(operands, offsets);
    const Type type = Type::tensor(extents.empty() ? sizes : extents, *to.module().type(whole).element());
    return to.result(to.create("tensor.extract_slice", operands, {&type, 1},
                               sliceAttributes(offsets, sizes, strides, {1})));
}

ValueId insertSlice(Builder& to, ValueId part, ValueId whole, const std::vector<Offset>& offsets,
                    const Shape& sizes) {
    std::vector<ValueId> operands{part, whole};
    appendOpen(operands, offsets);
    const Type type = to.module().type(whole);
    return to.result(
        to.create("tensor.insert_slice", operands, {&type, 1}, sliceAttributes(offsets, sizes, {}, {1, 1})));
}

ValueId reshape(Builder& to, ValueId tensor, const Shape& extents) {
    const Type type = to.module().type(tensor);
    if (type.extents() == extents)
        return tensor;
    const Type flat = Type::tensor({type.count()}, *type.element());
    if (type.rank() != 1)
        tensor = type.rank() == 0 ? to.value("tensor.expand_shape", {tensor}, flat,
                                             {{"reassociation", {std::vector<Attribute>{}}}})
                                  : to.value("tensor.collapse_shape", {tensor}, flat,
                                             {{"reassociation", oneGroup(type.rank())}});
    if (extents.size() == 1)
        return tensor;
    const Type shaped = Type::tensor(extents, *type.element());
    if (extents.empty())
        return to.value("tensor.collapse_shape", {tensor}, shaped,
                        {{"reassociation", {std::vector<Attribute>{}}}});
    return to.value("tensor.expand_shape", {tensor}, shaped,
                    {{"reassociation", oneGroup(static_cast<std::int64_t>(extents.size()))}});
}

} // namespace pim::ir
