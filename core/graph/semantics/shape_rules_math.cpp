// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/shape_rules.h"

#include "core/graph/file/onnx_model.h"
#include "core/graph/semantics/scale_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::shapes {

namespace {

R broadcastAll(OpContext& c, DataType type) {
    c.setType(0, type);
    Shape result;
    for (std::size_t i = 0; i < c.inputs(); ++i) {
        if (!c.has(i))
            continue;
        const Shape* shape = c.shape(i);
        if (!shape)
            return {};
        PIM_TRY(result, c.broadcast(result, *shape));
    }
    return c.set(0, type, std::move(result));
}

/// Shape with the masked axes reduced to 1 or removed.
Shape reduced(const Shape& shape, const std::vector<bool>& mask, bool keepDims) {
    Shape result;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (!mask[i])
            result.push_back(shape[i]);
        else if (keepDims)
            result.push_back(1);
    return result;
}

/// \param quantized type of the numbers that the scales belong to
R checkScales(const OpContext& c, DataType quantized) {
    if (c.has(2) && quantized != DataType::Unknown && c.dtype(2) != DataType::Unknown &&
        c.dtype(2) != quantized)
        return c.bad(fmt::format("its zero point is {}, its numbers are {}: both have to be of one type",
                                 name(c.dtype(2)), name(quantized)),
                     "export the model again");
    if (c.shape(0) && c.shape(1))
        if (const auto places = ScalePlaces::of(c.op, *c.shape(0), *c.shape(1)); !places)
            return c.bad(places.error().message, places.error().hint);
    const auto count = [&](std::size_t input) { return elementCount(*c.shape(input)).value_or(0); };
    if (c.has(2) && c.shape(1) && c.shape(2) && *c.shape(1) != *c.shape(2) &&
        (count(1) != 1 || count(2) != 1))
        return c.bad(
            fmt::format("its zero point has the shape {}, its scale {}: both have to be of one shape",
                        shapeText(*c.shape(2)), shapeText(*c.shape(1))),
            "export the model again");
    return {};
}

} // namespace

R same(OpContext& c) {
    for (std::size_t i = 0; i < c.outputs(); ++i) {
        c.setType(i, c.dtype(0));
        if (const Shape* shape = c.shape(0))
            PIM_CHECK(c.set(i, c.dtype(0), *shape));
    }
    return {};
}

R sameFirst(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    return shape ? c.set(0, c.dtype(0), *shape) : R();
}

R likeFirst(OpContext& c) {
    const DataType asked = file::dataTypeFromOnnx(c.op.intAttribute("dtype", 0));
    const DataType type = asked != DataType::Unknown ? asked : c.dtype(0);
    c.setType(0, type);
    const Shape* shape = c.shape(0);
    return shape ? c.set(0, type, *shape) : R();
}

R sameBool(OpContext& c) {
    c.setType(0, DataType::Bool);
    const Shape* shape = c.shape(0);
    return shape ? c.set(0, DataType::Bool, *shape) : R();
}

R elementwise(OpContext& c) {
    // Before operator set 7 the second operand was aligned by an `axis` attribute; the result is like the
    // first.
    if (c.op.attribute("broadcast") || c.op.attribute("axis"))
        return sameFirst(c);
    return broadcastAll(c, c.dtype(0));
}

R compare(OpContext& c) {
    if (c.op.attribute("broadcast"))
        return sameBool(c);
    return broadcastAll(c, DataType::Bool);
}

R where(OpContext& c) {
    return broadcastAll(c, c.dtype(1));
}

R cast(OpContext& c) {
    // CastLike takes the type of its second input.
    const DataType type = c.has(1) ? c.dtype(1) : file::dataTypeFromOnnx(c.op.intAttribute("to", 0));
    c.setType(0, type);
    const Shape* shape = c.shape(0);
    return shape ? c.set(0, type, *shape) : R();
}

R dropout(OpContext& c) {
    PIM_CHECK(sameFirst(c));
    const DataType mask = c.opset >= 10 ? DataType::Bool : c.dtype(0);
    c.setType(1, mask);
    const Shape* shape = c.shape(0);
    return shape ? c.set(1, mask, *shape) : R();
}

R batchNorm(OpContext& c) {
    PIM_CHECK(sameFirst(c));
    const Shape* shape = c.shape(0);
    if (!shape)
        return {};
    const std::int64_t channels = shape->size() > 1 ? (*shape)[1] : 1;
    for (std::size_t i = 1; i < c.inputs(); ++i)
        if (const Shape* s = c.shape(i);
            s && *s != Shape{channels} && elementCount(*s).value_or(0) != channels)
            return c.bad(fmt::format("its input {} has the shape {}, but its data {} has {} channels", i,
                                     shapeText(*s), shapeText(*shape), channels));
    for (std::size_t i = 1; i < c.outputs(); ++i)
        PIM_CHECK(c.set(i, c.dtype(std::min<std::size_t>(i, c.inputs() - 1)), {channels}));
    return {};
}

R layerNorm(OpContext& c) {
    PIM_CHECK(sameFirst(c));
    const Shape* shape = c.shape(0);
    if (!shape || c.outputs() < 2)
        return {};
    PIM_TRY(const std::size_t axis, c.axis(c.op.intAttribute("axis", -1), shape->size()));
    Shape statistics = *shape;
    std::fill(statistics.begin() + static_cast<std::ptrdiff_t>(axis), statistics.end(), 1);
    for (std::size_t i = 1; i < c.outputs(); ++i)
        PIM_CHECK(c.set(i, DataType::F32, statistics));
    return {};
}

R reduce(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    const auto axes = c.intsFrom("axes", 1);
    if (!shape || !axes)
        return {};
    std::vector<bool> mask(shape->size(), true);
    if (*axes && !(*axes)->empty()) {
        PIM_TRY(mask, c.axisMask(**axes, shape->size()));
    } else if (c.op.intAttribute("noop_with_empty_axes", 0) != 0) {
        mask.assign(shape->size(), false);
    }
    return c.set(0, c.dtype(0), reduced(*shape, mask, c.op.intAttribute("keepdims", 1) != 0));
}

R argReduce(OpContext& c) {
    c.setType(0, DataType::I64);
    const Shape* shape = c.shape(0);
    if (!shape)
        return {};
    PIM_TRY(const auto mask, c.axisMask({c.op.intAttribute("axis", 0)}, shape->size()));
    return c.set(0, DataType::I64, reduced(*shape, mask, c.op.intAttribute("keepdims", 1) != 0));
}

R topK(OpContext& c) {
    c.setType(0, c.dtype(0));
    c.setType(1, DataType::I64);
    const Shape* shape = c.shape(0);
    const auto k = c.intsFrom("k", 1);
    if (!shape || !k || !*k || (*k)->empty())
        return {};
    PIM_TRY(const std::size_t axis, c.axis(c.op.intAttribute("axis", -1), shape->size()));
    const std::int64_t count = (*k)->front();
    if (count < 0 || count > (*shape)[axis])
        return c.bad(fmt::format("it asks for the top {} of {}", count, (*shape)[axis]));
    Shape result = *shape;
    result[axis] = count;
    PIM_CHECK(c.set(0, c.dtype(0), result));
    return c.set(1, DataType::I64, std::move(result));
}

R quantize(OpContext& c) {
    const DataType asked = file::dataTypeFromOnnx(c.op.intAttribute("output_dtype", 0));
    const DataType type = c.has(2) ? c.dtype(2) : asked != DataType::Unknown ? asked : DataType::U8;
    c.setType(0, type);
    PIM_CHECK(checkScales(c, type));
    const Shape* shape = c.shape(0);
    return shape ? c.set(0, type, *shape) : R();
}

R dequantize(OpContext& c) {
    const DataType asked = file::dataTypeFromOnnx(c.op.intAttribute("output_dtype", 0));
    const DataType type = asked != DataType::Unknown ? asked : c.dtype(1);
    c.setType(0, type);
    PIM_CHECK(checkScales(c, c.dtype(0)));
    const Shape* shape = c.shape(0);
    return shape ? c.set(0, type, *shape) : R();
}

R unpacked(OpContext& c) {
    return c.set(0, c.dtype(1), {c.op.intAttribute("K", 0), c.op.intAttribute("N", 0)});
}

R dynamicQuantize(OpContext& c) {
    const Shape* shape = c.shape(0);
    c.setType(0, DataType::U8);
    if (shape)
        PIM_CHECK(c.set(0, DataType::U8, *shape));
    PIM_CHECK(c.set(1, DataType::F32, {}));
    return c.set(2, DataType::U8, {});
}

} // namespace pim::shapes
