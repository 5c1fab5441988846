// SPDX-License-Identifier: GPL-3.0-or-later
// Elements chosen by their size or by a number: TopK, OneHot, EyeLike, ReverseSequence; and what brings numbers to 8 bits as they come.
#include "core/numeric/real_ops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace pim::numeric {
namespace {

std::vector<double> numbersOf(const Value& value) {
    return realsOf(*value.bytes, value.dtype);
}
Value valueOf(const std::vector<double>& numbers, const Value& like) {
    return {like.dtype, like.shape,
            std::make_shared<const std::vector<std::byte>>(bytesFromReals(numbers, like.dtype))};
}
Value wholeValueOf(const std::vector<std::int64_t>& numbers, const Value& like) {
    return {like.dtype, like.shape,
            std::make_shared<const std::vector<std::byte>>(bytesFromInts(numbers, like.dtype))};
}

/// The largest or smallest along an axis, in order; of equal ones the first comes first.
template <class Number>
RealAnswer topOf(const RealCall& call, const std::vector<Number>& in,
                 Value (*made)(const std::vector<Number>&, const Value&)) {
    const Shape &shape = call.in[0].shape, &wanted = call.out[0].shape;
    const std::size_t axis = axisIndex(call.op.intAttribute("axis", -1), shape.size());
    if (axis >= shape.size() || wanted.size() != shape.size() || wanted[axis] > shape[axis])
        return std::nullopt;
    const AxisSplit s = splitAt(shape, axis);
    const bool largest = call.op.intAttribute("largest", 1) != 0;
    const std::int64_t count = wanted[axis];
    std::vector<Number> values(static_cast<std::size_t>(call.out[0].count()));
    std::vector<std::int64_t> places(values.size()), order(static_cast<std::size_t>(s.extent));
    for (std::int64_t o = 0; o < s.outer; ++o)
        for (std::int64_t j = 0; j < s.inner; ++j) {
            const auto at = [&](std::int64_t i) {
                return in[static_cast<std::size_t>((o * s.extent + i) * s.inner + j)];
            };
            std::iota(order.begin(), order.end(), 0);
            std::partial_sort(order.begin(), order.begin() + count, order.end(),
                              [&](std::int64_t a, std::int64_t b) {
                                  const Number x = at(a), y = at(b);
                                  if (x != y && x == x && y == y)
                                      return largest ? x > y : x < y;
                                  // What is not a number comes last.
                                  return (x == x) != (y == y) ? x == x : a < b;
                              });
            for (std::int64_t i = 0; i < count; ++i) {
                const auto to = static_cast<std::size_t>((o * count + i) * s.inner + j);
                places[to] = order[static_cast<std::size_t>(i)];
                values[to] = at(places[to]);
            }
        }
    std::vector<Value> results{made(values, call.out[0])};
    if (call.out.size() > 1 && call.out[1].dtype == DataType::I64)
        results.push_back(wholeValueOf(places, call.out[1]));
    return results;
}

RealAnswer topK(const RealCall& call) {
    if (!call.real(0))
        return topOf<std::int64_t>(call, call.ints(0), wholeValueOf);
    return topOf<double>(call, numbersOf(call.in[0]), valueOf);
}

RealAnswer oneHot(const RealCall& call) {
    const Shape &indices = call.in[0].shape, &shape = call.out[0].shape;
    const std::size_t axis = axisIndex(call.op.intAttribute("axis", -1), indices.size() + 1);
    if (!call.has(1) || !call.has(2) || call.in[2].count() != 2 || shape.size() != indices.size() + 1 ||
        axis >= shape.size() || call.in[2].dtype != call.out[0].dtype)
        return std::nullopt;
    const AxisSplit s = splitAt(shape, axis);
    if (s.outer * s.inner != call.in[0].count())
        return std::nullopt;
    const auto width = static_cast<std::size_t>(bytesOf(call.out[0].dtype));
    std::vector<std::byte> bytes(static_cast<std::size_t>(call.out[0].count()) * width);
    const auto chosen = numbersOf(call.in[0]);
    for (std::size_t i = 0; i < bytes.size() / width; ++i) {
        const auto inner = static_cast<std::int64_t>(i) % s.inner,
                   at = static_cast<std::int64_t>(i) / s.inner % s.extent,
                   outer = static_cast<std::int64_t>(i) / s.inner / s.extent;
        const double number = std::trunc(chosen[static_cast<std::size_t>(outer * s.inner + inner)]);
        const bool isOn = number == static_cast<double>(at) ||
                          number + static_cast<double>(s.extent) == static_cast<double>(at);
        std::memcpy(bytes.data() + i * width, call.in[2].bytes->data() + (isOn ? width : 0), width);
    }
    return single(
        {call.out[0].dtype, shape, std::make_shared<const std::vector<std::byte>>(std::move(bytes))});
}

RealAnswer eyeLike(const RealCall& call) {
    const Shape& shape = call.out[0].shape;
    if (shape.size() != 2)
        return std::nullopt;
    const std::int64_t shift = call.op.intAttribute("k", 0);
    std::vector<double> numbers(static_cast<std::size_t>(call.out[0].count()), 0.0);
    for (std::int64_t row = 0; row < shape[0]; ++row)
        if (row + shift >= 0 && row + shift < shape[1])
            numbers[static_cast<std::size_t>(row * shape[1] + row + shift)] = 1;
    return single(valueOf(numbers, call.out[0]));
}

/// The first so many elements of each sequence turned round.
RealAnswer reverseSequence(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    const std::size_t time = axisIndex(call.op.intAttribute("time_axis", 0), shape.size()),
                      batch = axisIndex(call.op.intAttribute("batch_axis", 1), shape.size());
    const auto lengths = call.ints(1);
    if (time > 1 || batch > 1 || time == batch || shape.size() < 2 || std::ssize(lengths) != shape[batch])
        return std::nullopt;
    const auto width = static_cast<std::size_t>(bytesOf(call.in[0].dtype) * splitAt(shape, 1).inner);
    std::vector<std::byte> bytes(call.in[0].bytes->size());
    for (std::int64_t b = 0; b < shape[batch]; ++b) {
        const std::int64_t length = lengths[static_cast<std::size_t>(b)];
        if (length < 0 || length > shape[time])
            return std::nullopt;
        for (std::int64_t t = 0; t < shape[time]; ++t) {
            const auto place = [&](std::int64_t step) {
                return static_cast<std::size_t>(time == 0 ? step * shape[1] + b : b * shape[1] + step) *
                       width;
            };
            std::memcpy(bytes.data() + place(t),
                        call.in[0].bytes->data() + place(t < length ? length - 1 - t : t), width);
        }
    }
    return single(
        {call.in[0].dtype, shape, std::make_shared<const std::vector<std::byte>>(std::move(bytes))});
}

/// The range of the numbers, 0 included, in 256 steps. [ONNX operator DynamicQuantizeLinear]
RealAnswer dynamicQuantize(const RealCall& call) {
    const auto in = call.reals(0);
    if (in.empty() || call.out.size() != 3 ||
        std::ranges::any_of(in, [](float x) { return !std::isfinite(x); }))
        return std::nullopt;
    const float low = std::min(0.0F, *std::ranges::min_element(in)),
                high = std::max(0.0F, *std::ranges::max_element(in));
    const float scale = low == high ? 1.0F : (high - low) / 255.0F;
    const float zero = std::nearbyint(std::clamp(-low / scale, 0.0F, 255.0F));
    std::vector<std::int64_t> numbers;
    numbers.reserve(in.size());
    for (const float x : in)
        numbers.push_back(
            static_cast<std::int64_t>(std::clamp(std::nearbyint(x / scale) + zero, 0.0F, 255.0F)));
    return std::vector<Value>{wholeValueOf(numbers, call.out[0]),
                              valueOf({static_cast<double>(scale)}, call.out[1]),
                              wholeValueOf({static_cast<std::int64_t>(zero)}, call.out[2])};
}

} // namespace

RealAnswer runSelection(const RealCall& call) {
    const std::string& type = call.op.type;
    if (!call.op.domain.empty() || call.out.empty() || !call.has(0))
        return std::nullopt;
    if (type == "TopK")
        return topK(call);
    if (type == "OneHot")
        return oneHot(call);
    if (type == "EyeLike")
        return eyeLike(call);
    if (type == "ReverseSequence")
        return reverseSequence(call);
    if (type == "DynamicQuantizeLinear" && call.real(0))
        return dynamicQuantize(call);
    return std::nullopt;
}

} // namespace pim::numeric
