// SPDX-License-Identifier: GPL-3.0-or-later
// Elements change place. Works on elements of any width, so that quantised tensors move without being
// touched. What is not here is computed by evaluate() of core/graph.
#include "core/graph/semantics/op_facts.h"
#include "core/numeric/real_ops.h"

#include <cmath>
#include <cstring>

namespace pim::numeric {

namespace {

/// Copies the source element of every output element; a negative source leaves the fill in place.
template <class Source>
Value moved(const Value& in, const Shape& shape, const std::vector<std::byte>& fill, Source source) {
    const auto width = static_cast<std::size_t>(bytesOf(in.dtype));
    Fresh<std::byte> out(in.dtype, [&] {
        Shape wide = shape;
        wide.push_back(static_cast<std::int64_t>(width));
        return wide;
    }());
    out.value.shape = shape;
    std::vector<std::int64_t> at(shape.size(), 0);
    for (std::size_t i = 0; i < out.data.size() / width; ++i) {
        const std::int64_t from = source(at);
        if (from >= 0)
            std::memcpy(out.data.data() + i * width,
                        in.bytes->data() + static_cast<std::size_t>(from) * width, width);
        else if (fill.size() == width)
            std::memcpy(out.data.data() + i * width, fill.data(), width);
        for (std::size_t d = shape.size(); d-- > 0;) {
            if (++at[d] < shape[d])
                break;
            at[d] = 0;
        }
    }
    return out.value;
}

std::vector<std::int64_t> rowMajor(const Shape& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

RealAnswer pad(const RealCall& call) {
    const Shape &x = call.in[0].shape, &y = call.out[0].shape;
    const std::string mode = call.op.stringAttribute("mode", "constant");
    std::vector<std::int64_t> begin(x.size(), 0);
    for (std::size_t d = 0; d < x.size();
         ++d) { // the extents tell the sum of both sides, the operand the first
        const auto pads = call.has(1) ? call.ints(1) : call.op.intsAttribute("pads", {});
        const auto axes = call.has(3) ? call.ints(3) : std::vector<std::int64_t>();
        if (axes.empty()) {
            if (pads.size() != 2 * x.size())
                return std::nullopt;
            begin[d] = pads[d];
        } else {
            for (std::size_t i = 0; i < axes.size() && i < pads.size(); ++i)
                if (axisIndex(axes[i], x.size()) == d)
                    begin[d] = pads[i];
        }
    }
    if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
        return std::nullopt;
    std::vector<std::byte> fill;
    if (call.has(2) && call.in[2].dtype == call.in[0].dtype)
        fill = *call.in[2].bytes;
    else if (call.in[0].dtype == DataType::F32)
        fill = bytesFromReals({call.op.floatAttribute("value", 0)}, DataType::F32);
    const auto strides = rowMajor(x);
    return single(moved(call.in[0], y, fill, [&](const std::vector<std::int64_t>& at) {
        std::int64_t from = 0;
        for (std::size_t d = 0; d < x.size(); ++d) {
            std::int64_t i = at[d] - begin[d];
            if (i < 0 || i >= x[d]) {
                if (mode == "constant")
                    return std::int64_t(-1);
                const std::int64_t first = std::max<std::int64_t>(-begin[d], 0); // of what is not cut off
                if (const std::int64_t left = std::min(x[d], y[d] - begin[d]) - first;
                    mode == "wrap" && left > 0)
                    i = first + ((i - first) % left + left) % left;
                if (mode == "reflect")
                    i = i < 0 ? -i : 2 * (x[d] - 1) - i;
                i = std::clamp<std::int64_t>(i, 0, x[d] - 1);
            }
            from += i * strides[d];
        }
        return from;
    }));
}

RealAnswer depthAndSpace(const RealCall& call, bool toSpace) {
    const Shape &x = call.in[0].shape, &y = call.out[0].shape;
    const std::int64_t b = call.op.intAttribute("blocksize", 1);
    if (x.size() != 4 || y.size() != 4 || b < 1)
        return std::nullopt;
    const bool columnRow = call.op.stringAttribute("mode", "DCR") == "CRD";
    const auto strides = rowMajor(x);
    return single(moved(call.in[0], y, {}, [&](const std::vector<std::int64_t>& at) {
        std::int64_t c = 0, h = 0, w = 0;
        if (toSpace) {
            const std::int64_t block = at[2] % b * b + at[3] % b;
            c = columnRow ? at[1] * b * b + block : block * y[1] + at[1];
            h = at[2] / b;
            w = at[3] / b;
        } else {
            const std::int64_t block = at[1] / x[1];
            c = at[1] % x[1];
            h = at[2] * b + block / b;
            w = at[3] * b + block % b;
        }
        return at[0] * strides[0] + c * strides[1] + h * strides[2] + w;
    }));
}

struct Tap {
    std::int64_t from = 0;
    double weight = 1;
};
using Taps = std::vector<std::vector<Tap>>; ///< What each place of the result along an axis is made of.

/// Of the two neighbours, or of four by the cubic of Keys with the parameter \p a (ONNX operator Resize). Places outside
/// are those at the border.
std::vector<Tap> tapsAt(double at, std::int64_t extent, bool cubic, double a) {
    const double floor = std::floor(at), t = at - floor;
    const auto first = static_cast<std::int64_t>(floor);
    const auto inside = [&](std::int64_t i) { return std::clamp<std::int64_t>(i, 0, extent - 1); };
    if (!cubic)
        return {{inside(first), 1 - t}, {inside(first + 1), t}};
    const auto near = [&](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
    const auto far = [&](double x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
    return {{inside(first - 1), far(t + 1)},
            {inside(first), near(t)},
            {inside(first + 1), near(1 - t)},
            {inside(first + 2), far(2 - t)}};
}

/// One axis after the other: the weights of all of them are products.
Value interpolated(const Value& in, const Shape& to, const std::vector<Taps>& taps) {
    Shape shape = in.shape;
    std::vector<double> values = realsOf(*in.bytes, in.dtype);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (taps[d].empty())
            continue;
        const AxisSplit s = splitAt(shape, d);
        std::vector<double> next(static_cast<std::size_t>(s.outer * to[d] * s.inner));
        for (std::int64_t o = 0; o < s.outer; ++o)
            for (std::int64_t i = 0; i < to[d]; ++i)
                for (const Tap& tap : taps[d][static_cast<std::size_t>(i)])
                    for (std::int64_t j = 0; j < s.inner; ++j)
                        next[static_cast<std::size_t>((o * to[d] + i) * s.inner + j)] +=
                            tap.weight *
                            values[static_cast<std::size_t>((o * s.extent + tap.from) * s.inner + j)];
        values = std::move(next);
        shape[d] = to[d];
    }
    return {in.dtype, to, std::make_shared<const std::vector<std::byte>>(bytesFromReals(values, in.dtype))};
}

RealAnswer resize(const RealCall& call) {
    const Shape &x = call.in[0].shape, &y = call.out[0].shape;
    const std::string mode = call.op.stringAttribute("mode", "nearest");
    const bool old = call.op.type == "Upsample" || call.opset < 11;
    const std::string where =
        call.op.stringAttribute("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
    const std::string rounding =
        call.op.stringAttribute("nearest_mode", old ? "floor" : "round_prefer_floor");
    const bool nearest = mode == "nearest", symmetric = where == "half_pixel_symmetric";
    if (x.size() != y.size() || (where != "asymmetric" && where != "half_pixel" &&
                                 where != "pytorch_half_pixel" && where != "align_corners" && !symmetric))
        return std::nullopt;
    if (!nearest &&
        ((mode != "linear" && mode != "cubic") || call.in[0].dtype != DataType::F32 ||
         call.op.intAttribute("antialias", 0) != 0 || call.op.intAttribute("exclude_outside", 0) != 0))
        return std::nullopt;
    std::vector<double> scales;
    const std::size_t operand = old ? 1 : 2;
    if (call.real(operand) && call.reals(operand).size() == x.size())
        scales.assign(call.reals(operand).begin(), call.reals(operand).end());
    for (std::size_t d = scales.size(); d < x.size(); ++d)
        scales.push_back(static_cast<double>(y[d]) / static_cast<double>(x[d]));
    if (const auto same = sameScale(call.op, x, call.ints(3)))
        for (std::size_t d = 0; d < x.size(); ++d)
            if (x[d] != y[d])
                scales[d] = *same;
    const auto strides = rowMajor(x);
    std::vector<std::vector<std::int64_t>> sources(x.size());
    std::vector<Taps> taps(x.size());
    for (std::size_t d = 0; d < x.size(); ++d)
        for (std::int64_t i = 0; i < y[d]; ++i) {
            const double o = static_cast<double>(i);
            double at = o / scales[d];
            if (where == "half_pixel" || (where == "pytorch_half_pixel" && y[d] > 1) || symmetric)
                at = (o + 0.5) / scales[d] - 0.5;
            else if (where == "pytorch_half_pixel")
                at = 0;
            if (symmetric) { // so that what is cut off is the same on both sides
                const double half = static_cast<double>(x[d]) / 2;
                at += half * (1 - static_cast<double>(y[d]) / (scales[d] * static_cast<double>(x[d])));
            }
            if (where == "align_corners")
                at = y[d] > 1 ? o * static_cast<double>(x[d] - 1) / static_cast<double>(y[d] - 1) : 0;
            if (!nearest) {
                if (x[d] != y[d] || scales[d] != 1)
                    taps[d].push_back(
                        tapsAt(at, x[d], mode == "cubic", call.op.floatAttribute("cubic_coeff_a", -0.75)));
                continue;
            }
            const double chosen = rounding == "floor"               ? std::floor(at)
                                  : rounding == "ceil"              ? std::ceil(at)
                                  : rounding == "round_prefer_ceil" ? std::floor(at + 0.5)
                                                                    : std::ceil(at - 0.5);
            sources[d].push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(chosen), 0, x[d] - 1) *
                                 strides[d]);
        }
    if (!nearest)
        return single(interpolated(call.in[0], y, taps));
    return single(moved(call.in[0], y, {}, [&](const std::vector<std::int64_t>& at) {
        std::int64_t from = 0;
        for (std::size_t d = 0; d < x.size(); ++d)
            from += sources[d][static_cast<std::size_t>(at[d])];
        return from;
    }));
}

/// Elements, or with ScatterND whole slices, of the data are replaced by updates, or both are combined.
RealAnswer scatter(const RealCall& call) {
    const Shape &x = call.in[0].shape, &updates = call.in[2].shape;
    const std::string how = call.op.stringAttribute("reduction", "none");
    const auto size = static_cast<std::size_t>(bytesOf(call.in[0].dtype));
    if (!call.has(1) || !call.has(2) || call.in[2].dtype != call.in[0].dtype || size == 0 ||
        (how != "none" && call.in[0].dtype != DataType::F32))
        return std::nullopt;
    auto bytes = *call.in[0].bytes;
    const std::vector<std::byte>& from = *call.in[2].bytes;
    const auto put = [&](std::int64_t to, std::int64_t update) {
        std::byte* place = bytes.data() + static_cast<std::size_t>(to) * size;
        const std::byte* source = from.data() + static_cast<std::size_t>(update) * size;
        if (how == "none") {
            std::memcpy(place, source, size);
            return;
        }
        float there = 0, given = 0;
        std::memcpy(&there, place, size);
        std::memcpy(&given, source, size);
        there = how == "add"   ? there + given
                : how == "mul" ? there * given
                : how == "max" ? std::max(there, given)
                               : std::min(there, given);
        std::memcpy(place, &there, size);
    };
    const auto indices = call.ints(1);
    const auto strides = rowMajor(x);
    if (call.op.type == "ScatterND") {
        const Shape& tuples = call.in[1].shape;
        const std::size_t depth = tuples.empty() ? 0 : static_cast<std::size_t>(tuples.back());
        if (depth == 0 || depth > x.size())
            return std::nullopt;
        const std::int64_t slice = strides[depth - 1],
                           count = std::ssize(indices) / static_cast<std::int64_t>(depth);
        if (count * slice * static_cast<std::int64_t>(size) != std::ssize(from))
            return std::nullopt;
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t to = 0;
            for (std::size_t d = 0; d < depth; ++d) {
                std::int64_t index = indices[static_cast<std::size_t>(i) * depth + d];
                index += index < 0 ? x[d] : 0;
                if (index < 0 || index >= x[d])
                    return std::nullopt;
                to += index * strides[d];
            }
            for (std::int64_t j = 0; j < slice; ++j)
                put(to + j, i * slice + j);
        }
    } else {
        const std::size_t axis = axisIndex(call.op.intAttribute("axis", 0), x.size());
        if (axis >= x.size() || updates.size() != x.size() ||
            std::ssize(indices) * static_cast<std::int64_t>(size) != std::ssize(from))
            return std::nullopt;
        const auto inner = rowMajor(updates);
        for (std::int64_t i = 0; i < std::ssize(indices); ++i) {
            std::int64_t to = 0;
            for (std::size_t d = 0; d < x.size(); ++d) {
                std::int64_t index = i / inner[d] % updates[d];
                if (d == axis) {
                    index = indices[static_cast<std::size_t>(i)];
                    index += index < 0 ? x[d] : 0;
                }
                if (index < 0 || index >= x[d])
                    return std::nullopt;
                to += index * strides[d];
            }
            put(to, i);
        }
    }
    return single({call.in[0].dtype, x, std::make_shared<const std::vector<std::byte>>(std::move(bytes))});
}

/// Each index stands for the one of its own place along the axis.
RealAnswer gatherElements(const RealCall& call) {
    const Shape &x = call.in[0].shape, &y = call.out[0].shape;
    const std::size_t axis = axisIndex(call.op.intAttribute("axis", 0), x.size());
    const auto indices = call.ints(1);
    if (axis >= x.size() || y.size() != x.size() || std::ssize(indices) != elementCount(y).value_or(-1))
        return std::nullopt;
    for (std::size_t d = 0; d < x.size(); ++d)
        if (d != axis && y[d] > x[d])
            return std::nullopt;
    for (const std::int64_t i : indices)
        if (i < -x[axis] || i >= x[axis])
            return std::nullopt;
    const auto strides = rowMajor(x);
    std::size_t next = 0;
    return single(moved(call.in[0], y, {}, [&](const std::vector<std::int64_t>& at) {
        std::int64_t from = 0;
        for (std::size_t d = 0; d < x.size(); ++d)
            from += at[d] * strides[d];
        const std::int64_t index = indices[next++];
        return from + ((index < 0 ? index + x[axis] : index) - at[axis]) * strides[axis];
    }));
}

/// The last axis of the indices points into the axes behind the batches.
RealAnswer gatherNd(const RealCall& call) {
    const Shape &x = call.in[0].shape, &tuples = call.in[1].shape, &y = call.out[0].shape;
    const auto batches = static_cast<std::size_t>(call.op.intAttribute("batch_dims", 0));
    const std::size_t depth = tuples.empty() ? 0 : static_cast<std::size_t>(tuples.back());
    if (depth == 0 || batches >= tuples.size() || batches + depth > x.size() || !call.has(1))
        return std::nullopt;
    const auto indices = call.ints(1);
    const auto strides = rowMajor(x);
    std::int64_t slice = 1, wrong = 0;
    for (std::size_t d = batches + depth; d < x.size(); ++d)
        slice *= x[d];
    std::int64_t i = 0;
    Value result = moved(call.in[0], y, {}, [&](const std::vector<std::int64_t>& at) {
        const auto tuple = static_cast<std::size_t>(i / slice) * depth;
        std::int64_t from = i++ % slice;
        for (std::size_t d = 0; d < batches; ++d)
            from += at[d] * strides[d];
        for (std::size_t d = 0; d < depth; ++d) {
            const std::int64_t extent = x[batches + d], index = indices[tuple + d];
            wrong += index < -extent || index >= extent;
            from += std::clamp<std::int64_t>(index < 0 ? index + extent : index, 0, extent - 1) *
                    strides[batches + d];
        }
        return from;
    });
    return wrong > 0 ? std::nullopt : single(std::move(result));
}

} // namespace

RealAnswer runMovement(const RealCall& call) {
    const std::string& type = call.op.type;
    if (!call.op.domain.empty() || !call.has(0) || call.out.empty())
        return std::nullopt;
    if (type == "Reshape" || type == "Flatten" || type == "Squeeze" || type == "Unsqueeze" ||
        type == "Identity")
        return single(reshaped(call.in[0], call.out[0].shape));
    if (type == "Dropout" && (call.out.size() == 1 || call.out[1].dtype == DataType::Unknown))
        return single(reshaped(call.in[0], call.out[0].shape));
    if (type == "Pad")
        return pad(call);
    if (type == "DepthToSpace" || type == "SpaceToDepth")
        return depthAndSpace(call, type == "DepthToSpace");
    if (type == "Resize" || type == "Upsample")
        return resize(call);
    if (type == "GatherElements" && call.has(1))
        return gatherElements(call);
    if (type == "GatherND")
        return gatherNd(call);
    if (type == "ScatterND" || type == "ScatterElements" || type == "Scatter")
        return scatter(call);
    return std::nullopt;
}

} // namespace pim::numeric
