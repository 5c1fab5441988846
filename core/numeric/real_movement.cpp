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
                if (mode == "wrap" && x[d] > 0)
                    i = (i % x[d] + x[d]) % x[d];
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

/// Nearest neighbour only.
RealAnswer resize(const RealCall& call) {
    const Shape &x = call.in[0].shape, &y = call.out[0].shape;
    const std::string mode = call.op.stringAttribute("mode", "nearest");
    const bool old = call.op.type == "Upsample" || call.opset < 11;
    const std::string where =
        call.op.stringAttribute("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
    const std::string rounding =
        call.op.stringAttribute("nearest_mode", old ? "floor" : "round_prefer_floor");
    if (mode != "nearest" || x.size() != y.size() ||
        (where != "asymmetric" && where != "half_pixel" && where != "align_corners"))
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
    for (std::size_t d = 0; d < x.size(); ++d)
        for (std::int64_t i = 0; i < y[d]; ++i) {
            const double o = static_cast<double>(i);
            double at = o / scales[d];
            if (where == "half_pixel")
                at = (o + 0.5) / scales[d] - 0.5;
            else if (where == "align_corners")
                at = y[d] > 1 ? o * static_cast<double>(x[d] - 1) / static_cast<double>(y[d] - 1) : 0;
            const double chosen = rounding == "floor"               ? std::floor(at)
                                  : rounding == "ceil"              ? std::ceil(at)
                                  : rounding == "round_prefer_ceil" ? std::floor(at + 0.5)
                                                                    : std::ceil(at - 0.5);
            sources[d].push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(chosen), 0, x[d] - 1) *
                                 strides[d]);
        }
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
    if (type == "ScatterND" || type == "ScatterElements" || type == "Scatter")
        return scatter(call);
    return std::nullopt;
}

} // namespace pim::numeric
