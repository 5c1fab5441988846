// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/op_facts.h"
#include "core/graph/semantics/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim::shapes {

namespace {

std::ptrdiff_t at(std::size_t i) {
    return static_cast<std::ptrdiff_t>(i);
}

} // namespace

R shapeOf(OpContext& c) {
    c.setType(0, DataType::I64);
    const Shape* shape = c.shape(0);
    if (!shape)
        return {};
    const auto rank = static_cast<std::int64_t>(shape->size());
    const auto clamped = [rank](std::int64_t v) {
        return std::clamp(v < 0 ? v + rank : v, std::int64_t(0), rank);
    };
    const std::int64_t start = clamped(c.op.intAttribute("start", 0)),
                       end = clamped(c.op.intAttribute("end", rank));
    return c.set(0, DataType::I64, {std::max(end - start, std::int64_t(0))});
}

R sizeOf(OpContext& c) {
    return c.set(0, DataType::I64, {});
}

R reshape(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    const auto wanted = c.intsFrom("shape", 1);
    if (!shape || !wanted || !*wanted)
        return {};
    const bool zeroCopies = c.op.intAttribute("allowzero", 0) == 0;
    PIM_TRY(const std::int64_t total, elementCount(*shape));
    Shape result = **wanted;
    std::optional<std::size_t> open;
    Wide rest = 1;
    const auto shown = [&] { return fmt::format("[{}]", fmt::join(**wanted, ", ")); };
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (result[i] == 0 && zeroCopies) {
            if (i >= shape->size())
                return c.bad(fmt::format("it reshapes {} to {}: there is no extent {} to copy",
                                         shapeText(*shape), shown(), i));
            result[i] = (*shape)[i];
        }
        if (result[i] < -1 || (result[i] == -1 && open))
            return c.bad(fmt::format("it reshapes {} to {}: at most one extent may be -1, none smaller",
                                     shapeText(*shape), shown()));
        if (result[i] == -1)
            open = i;
        else
            rest = std::min(rest * result[i], Wide(1) << 60);
    }
    if (open && rest > 0 && total % rest == 0)
        result[*open] = static_cast<std::int64_t>(total / rest);
    else if (open && rest == 0 && total == 0)
        result[*open] = 0;
    const auto count = elementCount(result);
    if (!count || *count != total)
        return c.bad(fmt::format("it reshapes {} ({} elements) to {}", shapeText(*shape), total, shown()),
                     "bind the dynamic dimensions to values that belong together");
    return c.set(0, c.dtype(0), std::move(result));
}

R flatten(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    if (!shape)
        return {};
    const auto rank = static_cast<std::int64_t>(shape->size());
    std::int64_t axis = c.op.intAttribute("axis", 1);
    if (axis < -rank || axis > rank)
        return c.bad(fmt::format("its axis {} is outside [-{}, {}]", axis, rank, rank));
    axis = axis < 0 ? axis + rank : axis;
    PIM_TRY(const std::int64_t outer, elementCount(Shape(shape->begin(), shape->begin() + axis)));
    PIM_TRY(const std::int64_t inner, elementCount(Shape(shape->begin() + axis, shape->end())));
    return c.set(0, c.dtype(0), {outer, inner});
}

R transpose(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    if (!shape)
        return {};
    std::vector<std::int64_t> reversed(shape->size());
    for (std::size_t i = 0; i < reversed.size(); ++i)
        reversed[i] = static_cast<std::int64_t>(reversed.size() - 1 - i);
    const auto order = c.op.intsAttribute("perm", reversed);
    std::vector<bool> seen(shape->size(), false);
    Shape result;
    for (const std::int64_t from : order) {
        const auto index = static_cast<std::size_t>(from);
        if (from < 0 || index >= seen.size() || seen[index])
            break;
        seen[index] = true;
        result.push_back((*shape)[index]);
    }
    if (result.size() != shape->size() || order.size() != shape->size())
        return c.bad(fmt::format("its permutation [{}] does not fit the shape {}", fmt::join(order, ", "),
                                 shapeText(*shape)));
    return c.set(0, c.dtype(0), std::move(result));
}

R squeeze(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    const auto axes = c.intsFrom("axes", 1);
    if (!shape || !axes)
        return {};
    std::vector<bool> mask(shape->size());
    for (std::size_t i = 0; i < mask.size(); ++i)
        mask[i] = (*shape)[i] == 1;
    if (*axes) {
        PIM_TRY(mask, c.axisMask(**axes, shape->size()));
    }
    Shape result;
    for (std::size_t i = 0; i < mask.size(); ++i) {
        if (mask[i] && (*shape)[i] != 1)
            return c.bad(fmt::format("it removes axis {} of {}, whose extent is not 1", i, shapeText(*shape)),
                         "bind the dynamic dimensions to values that belong together");
        if (!mask[i])
            result.push_back((*shape)[i]);
    }
    return c.set(0, c.dtype(0), std::move(result));
}

R unsqueeze(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    const auto axes = c.intsFrom("axes", 1);
    if (!shape || !axes || !*axes)
        return {};
    PIM_TRY(const auto mask, c.axisMask(**axes, shape->size() + (*axes)->size()));
    Shape result;
    std::size_t next = 0;
    for (const bool isNew : mask) {
        if (!isNew && next >= shape->size())
            return c.bad(fmt::format("its axes [{}] name one place twice", fmt::join(**axes, ", ")));
        result.push_back(isNew ? 1 : (*shape)[next++]);
    }
    return c.set(0, c.dtype(0), std::move(result));
}

R concat(OpContext& c) {
    c.setType(0, c.dtype(0));
    Shape result;
    std::size_t axis = 0;
    for (std::size_t i = 0; i < c.inputs(); ++i) {
        const Shape* shape = c.shape(i);
        if (!shape)
            return {};
        if (i == 0) {
            PIM_TRY(axis, c.axis(c.op.intAttribute("axis", 1), shape->size()));
            result = *shape;
            continue;
        }
        bool fits = shape->size() == result.size();
        for (std::size_t d = 0; fits && d < result.size(); ++d)
            fits = d == axis || (*shape)[d] == result[d];
        if (!fits)
            return c.bad(
                fmt::format("it joins {} and {} along axis {}", shapeText(result), shapeText(*shape), axis),
                "bind the dynamic dimensions to values that belong together");
        PIM_TRY(result[axis], c.extent(Wide(result[axis]) + (*shape)[axis]));
    }
    return c.set(0, c.dtype(0), std::move(result));
}

R split(OpContext& c) {
    for (std::size_t i = 0; i < c.outputs(); ++i)
        c.setType(i, c.dtype(0));
    const Shape* shape = c.shape(0);
    const auto sizes = c.intsFrom("split", 1);
    if (!shape || !sizes || c.outputs() == 0)
        return {};
    PIM_TRY(const std::size_t axis, c.axis(c.op.intAttribute("axis", 0), shape->size()));
    const auto parts = static_cast<std::int64_t>(c.outputs());
    const std::int64_t whole = (*shape)[axis];
    std::vector<std::int64_t> extents;
    if (*sizes && !(*sizes)->empty()) {
        extents = **sizes;
    } else { // equal parts, the last one may be smaller
        const std::int64_t each = (whole + parts - 1) / parts;
        for (std::int64_t i = 0; i < parts; ++i)
            extents.push_back(std::clamp(whole - i * each, std::int64_t(0), each));
    }
    Wide sum = 0;
    for (const std::int64_t extent : extents)
        sum += extent;
    if (static_cast<std::int64_t>(extents.size()) != parts || sum != whole)
        return c.bad(fmt::format("it splits axis {} of {} into [{}] for {} outputs", axis, shapeText(*shape),
                                 fmt::join(extents, ", "), parts));
    for (std::size_t i = 0; i < extents.size(); ++i) {
        Shape result = *shape;
        result[axis] = extents[i];
        PIM_CHECK(c.set(i, c.dtype(0), std::move(result)));
    }
    return {};
}

Result<std::optional<std::vector<SliceRange>>> sliceRanges(const OpContext& c) {
    const Shape* shape = c.shape(0);
    const auto starts = c.intsFrom("starts", 1), ends = c.intsFrom("ends", 2);
    const auto axes = c.intsFrom("axes", 3), steps = c.intsFrom("steps", 4);
    if (!shape || !starts || !*starts || !ends || !*ends || !axes || !steps)
        return std::nullopt;
    std::vector<SliceRange> ranges;
    for (const std::int64_t extent : *shape)
        ranges.push_back({0, extent, 1});
    const std::size_t n = (*starts)->size();
    if ((*ends)->size() != n || (*axes && (*axes)->size() != n) || (*steps && (*steps)->size() != n))
        return c.bad(fmt::format("it has {} starts, {} ends and {} axes", n, (*ends)->size(),
                                 *axes ? (*axes)->size() : n));
    for (std::size_t i = 0; i < n; ++i) {
        PIM_TRY(const std::size_t axis,
                c.axis(*axes ? (**axes)[i] : static_cast<std::int64_t>(i), shape->size()));
        const std::int64_t extent = (*shape)[axis], step = *steps ? (**steps)[i] : 1;
        if (step == 0 || step == std::numeric_limits<std::int64_t>::min())
            return c.bad(fmt::format("its step is {}", step));
        if (extent == 0) {
            ranges[axis] = {0, 0, step};
            continue;
        }
        // Clamping as the operator defines it; the sums cannot overflow because negative numbers get extent
        // added.
        const auto place = [&](std::int64_t v, std::int64_t low, std::int64_t high) {
            return std::clamp(v < 0 ? v + extent : v, low, high);
        };
        const std::int64_t start =
            step > 0 ? place((**starts)[i], 0, extent) : place((**starts)[i], 0, extent - 1);
        const std::int64_t end =
            step > 0 ? place((**ends)[i], 0, extent) : place((**ends)[i], -1, extent - 1);
        const Wide distance = step > 0 ? Wide(end) - start : Wide(start) - end;
        const Wide stride = step > 0 ? Wide(step) : -Wide(step);
        ranges[axis] = {start, distance > 0 ? static_cast<std::int64_t>((distance + stride - 1) / stride) : 0,
                        step};
    }
    return ranges;
}

R slice(OpContext& c) {
    c.setType(0, c.dtype(0));
    PIM_TRY(const auto ranges, sliceRanges(c));
    if (!ranges)
        return {};
    Shape result;
    for (const SliceRange& range : *ranges)
        result.push_back(range.count);
    return c.set(0, c.dtype(0), std::move(result));
}

R gather(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape *data = c.shape(0), *indices = c.shape(1);
    if (!data || !indices)
        return {};
    PIM_TRY(const std::size_t axis, c.axis(c.op.intAttribute("axis", 0), data->size()));
    if (const auto values = c.ints(1))
        for (const std::int64_t v : *values)
            if (v < -(*data)[axis] || v >= (*data)[axis])
                return c.bad(
                    fmt::format("it takes element {} of axis {}, which has {}", v, axis, (*data)[axis]));
    Shape result(data->begin(), data->begin() + at(axis));
    result.insert(result.end(), indices->begin(), indices->end());
    result.insert(result.end(), data->begin() + at(axis) + 1, data->end());
    return c.set(0, c.dtype(0), std::move(result));
}

R gatherElements(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* indices = c.shape(1);
    return indices ? c.set(0, c.dtype(0), *indices) : R();
}

R gatherNd(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape *data = c.shape(0), *indices = c.shape(1);
    if (!data || !indices)
        return {};
    const std::int64_t batch = c.op.intAttribute("batch_dims", 0);
    const std::int64_t depth = indices->empty() ? 0 : indices->back();
    if (indices->empty() || batch < 0 || batch >= static_cast<std::int64_t>(indices->size()) ||
        depth > static_cast<std::int64_t>(data->size()) - batch)
        return c.bad(
            fmt::format("its indices {} do not fit its data {}", shapeText(*indices), shapeText(*data)));
    Shape result(indices->begin(), indices->end() - 1);
    result.insert(result.end(), data->begin() + batch + depth, data->end());
    return c.set(0, c.dtype(0), std::move(result));
}

R pad(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    const auto pads = c.intsFrom(c.op.attribute("paddings") ? "paddings" : "pads", 1);
    const auto axes = c.intsFrom("axes", 3);
    if (!shape || !pads || !*pads || !axes)
        return {};
    std::vector<std::size_t> where;
    if (*axes) {
        for (const std::int64_t a : **axes) {
            PIM_TRY(const std::size_t axis, c.axis(a, shape->size()));
            where.push_back(axis);
        }
    } else {
        for (std::size_t i = 0; i < shape->size(); ++i)
            where.push_back(i);
    }
    if ((*pads)->size() != 2 * where.size())
        return c.bad(fmt::format("it has {} pads for {} axes; two per axis are needed", (*pads)->size(),
                                 where.size()));
    Shape result = *shape;
    for (std::size_t i = 0; i < where.size(); ++i) {
        PIM_TRY(result[where[i]],
                c.extent(Wide(result[where[i]]) + (**pads)[i] + (**pads)[i + where.size()]));
    }
    return c.set(0, c.dtype(0), std::move(result));
}

R expand(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    const auto wanted = c.ints(1);
    if (!shape || !wanted)
        return {};
    PIM_TRY(Shape result, c.broadcast(*shape, *wanted));
    return c.set(0, c.dtype(0), std::move(result));
}

R tile(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    const auto repeats = c.ints(1);
    if (!shape || !repeats)
        return {};
    if (repeats->size() != shape->size())
        return c.bad(fmt::format("it has {} repeats for the shape {}", repeats->size(), shapeText(*shape)));
    Shape result;
    for (std::size_t i = 0; i < shape->size(); ++i) {
        PIM_TRY(const std::int64_t extent, c.extent(Wide((*shape)[i]) * (*repeats)[i]));
        result.push_back(extent);
    }
    return c.set(0, c.dtype(0), std::move(result));
}

R constantOfShape(OpContext& c) {
    const DataType type =
        dataTypeFromName(c.op.stringAttribute("value_type", "f32")).value_or(DataType::Unknown);
    c.setType(0, type);
    const auto wanted = c.ints(0);
    return wanted ? c.set(0, type, *wanted) : R();
}

R range(OpContext& c) {
    c.setType(0, c.dtype(0));
    const auto start = c.reals(0), limit = c.reals(1), delta = c.reals(2);
    if (!start || !limit || !delta || start->size() != 1 || limit->size() != 1 || delta->size() != 1)
        return {};
    if (delta->front() == 0)
        return c.bad("its step is 0");
    const double count = std::ceil((limit->front() - start->front()) / delta->front());
    if (!(count < 1e15))
        return c.bad(
            fmt::format("it counts from {} to {} by {}", start->front(), limit->front(), delta->front()));
    return c.set(0, c.dtype(0), {static_cast<std::int64_t>(std::max(count, 0.0))});
}

R resize(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* shape = c.shape(0);
    if (!shape)
        return {};
    // Upsample and Resize-10: (X, scales); Resize-11 and later: (X, roi, scales, sizes).
    const bool old = c.op.type == "Upsample" || c.opset < 11;
    std::vector<std::size_t> where;
    const auto axes = c.op.intsAttribute("axes", {});
    for (std::size_t i = 0; i < (axes.empty() ? shape->size() : axes.size()); ++i) {
        PIM_TRY(const std::size_t axis,
                c.axis(axes.empty() ? static_cast<std::int64_t>(i) : axes[i], shape->size()));
        where.push_back(axis);
    }
    Shape result = *shape;
    if (!old && c.has(3)) {
        const auto sizes = c.ints(3);
        if (!sizes)
            return {};
        if (sizes->size() != where.size())
            return c.bad(fmt::format("it has {} sizes for the shape {}", sizes->size(), shapeText(*shape)));
        const auto same = sameScale(c.op, *shape, *sizes);
        for (std::size_t i = 0; i < where.size(); ++i)
            result[where[i]] = same ? static_cast<std::int64_t>(
                                          std::floor(*same * static_cast<double>((*shape)[where[i]]) + 0.5))
                                    : (*sizes)[i];
        return c.set(0, c.dtype(0), std::move(result));
    }
    std::vector<double> scales;
    if (const auto* list = c.op.attribute("scales"); list && std::get_if<std::vector<double>>(list))
        scales = std::get<std::vector<double>>(*list);
    else if (const auto given = c.reals(old ? 1 : 2))
        scales = *given;
    else
        return {};
    if (scales.size() != where.size())
        return c.bad(fmt::format("it has {} scales for the shape {}", scales.size(), shapeText(*shape)));
    for (std::size_t i = 0; i < where.size(); ++i) {
        const double extent = std::floor(static_cast<double>(result[where[i]]) * scales[i]);
        if (!(extent >= 0 && extent < 1e15))
            return c.bad(fmt::format("its scale {} is not possible", scales[i]));
        result[where[i]] = static_cast<std::int64_t>(extent);
    }
    return c.set(0, c.dtype(0), std::move(result));
}

R depthToSpace(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* x = c.shape(0);
    const std::int64_t b = c.op.intAttribute("blocksize", 0);
    if (!x)
        return {};
    if (x->size() != 4 || b < 1 || b > (1 << 20) || (*x)[1] % (b * b) != 0)
        return c.bad(fmt::format("its block size {} does not fit its input {}", b, shapeText(*x)));
    PIM_TRY(const std::int64_t h, c.extent(Wide((*x)[2]) * b));
    PIM_TRY(const std::int64_t w, c.extent(Wide((*x)[3]) * b));
    return c.set(0, c.dtype(0), {(*x)[0], (*x)[1] / (b * b), h, w});
}

R spaceToDepth(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* x = c.shape(0);
    const std::int64_t b = c.op.intAttribute("blocksize", 0);
    if (!x)
        return {};
    if (x->size() != 4 || b < 1 || b > (1 << 20) || (*x)[2] % b != 0 || (*x)[3] % b != 0)
        return c.bad(fmt::format("its block size {} does not fit its input {}", b, shapeText(*x)));
    PIM_TRY(const std::int64_t channels, c.extent(Wide((*x)[1]) * b * b));
    return c.set(0, c.dtype(0), {(*x)[0], channels, (*x)[2] / b, (*x)[3] / b});
}

R oneHot(OpContext& c) {
    c.setType(0, c.dtype(2));
    const Shape* indices = c.shape(0);
    const auto depth = c.ints(1);
    if (!indices || !depth || depth->size() != 1)
        return {};
    PIM_TRY(const std::size_t axis, c.axis(c.op.intAttribute("axis", -1), indices->size() + 1));
    Shape result = *indices;
    result.insert(result.begin() + at(axis), depth->front());
    return c.set(0, c.dtype(2), std::move(result));
}

R nonZero(OpContext& c) {
    c.setType(0, DataType::I64);
    const Shape* shape = c.shape(0);
    const auto values = c.reals(0);
    if (!shape || !values)
        return {}; // the number of elements depends on data
    const auto count = std::count_if(values->begin(), values->end(), [](double v) { return v != 0; });
    return c.set(0, DataType::I64, {static_cast<std::int64_t>(shape->size()), count});
}

R fromShapeAttribute(OpContext& c) {
    c.setType(0, DataType::F32);
    const auto* list = c.op.attribute("shape");
    return list && std::get_if<std::vector<std::int64_t>>(list)
               ? c.set(0, DataType::F32, std::get<std::vector<std::int64_t>>(*list))
               : R();
}

} // namespace pim::shapes
