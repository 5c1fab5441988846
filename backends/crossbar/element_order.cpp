// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/element_order.h"

#include "core/graph/semantics/values.h"
#include "core/graph/weights.h"

#include <array>
#include <cstring>
#include <limits>

namespace pim {
namespace {

constexpr std::string_view kReshapes[] = {"Reshape",   "Flatten",  "Squeeze",
                                          "Unsqueeze", "Identity", "Dropout"};

} // namespace

ElementOrder recognisedOrder(std::vector<std::int32_t> from, const PixelMap& map) {
    ElementOrder held;
    if (std::ssize(from) == map.elements())
        for (const auto order : {ElementOrder::Order::Linear, ElementOrder::Order::Planar}) {
            held.order = order;
            bool same = true;
            for (std::size_t i = 0; same && i < from.size(); ++i)
                same = from[i] == held.at(std::int64_t(i), map);
            if (same)
                return held;
        }
    held.order = ElementOrder::Order::Explicit;
    held.from = std::make_shared<const std::vector<std::int32_t>>(std::move(from));
    return held;
}

std::optional<HeldTensor> movedBy(const Graph& graph, const Op& op, std::size_t output,
                                  const HeldTensor& held, const PixelMap& map) {
    for (const std::string_view type : kReshapes)
        if (op.type == type && op.domain.empty())
            return held;
    if (op.opClass != OpClass::Movement || !op.domain.empty() || !canEvaluate(op))
        return std::nullopt;
    for (std::size_t i = 1; i < op.inputs.size();
         ++i) // seen before any element is: caches of keys have millions
        if (op.inputs[i].valid() &&
            !(graph.tensor(op.inputs[i]).isConstant() && graph.tensor(op.inputs[i]).shape))
            return std::nullopt;
    // The op itself says where elements go: it is run on their numbers, counted from 1 so that 0 means a zero.
    const Shape& shape = *graph.tensor(op.inputs[0]).shape;
    const auto count = elementCount(shape);
    if (!count || *count > std::numeric_limits<std::int32_t>::max() / 2)
        return std::nullopt;
    std::vector<std::byte> numbers(std::size_t(*count) * sizeof(std::int32_t));
    for (std::int64_t i = 0; i < *count; ++i) {
        const auto number = std::int32_t(held.at(i, map) + 1);
        std::memcpy(numbers.data() + std::size_t(i) * sizeof number, &number, sizeof number);
    }
    std::vector<Value> inputs{
        {DataType::I32, shape, std::make_shared<const std::vector<std::byte>>(std::move(numbers))}};
    for (std::size_t i = 1; i < op.inputs.size(); ++i) {
        Value& value = inputs.emplace_back();
        if (!op.inputs[i].valid())
            continue;
        const Tensor& tensor = graph.tensor(op.inputs[i]);
        auto bytes = readConstant(tensor);
        if (!bytes)
            return std::nullopt;
        value = {tensor.dtype, *tensor.shape,
                 std::make_shared<const std::vector<std::byte>>(std::move(*bytes))};
        if (op.type == "Pad" && i == 2) { // the value that is padded with
            for (const double real : realsOf(*value.bytes, value.dtype))
                if (real != 0)
                    return std::nullopt;
            value = {};
        }
    }
    if (op.type == "Pad" && op.stringAttribute("mode", "constant") != "constant")
        return std::nullopt;
    std::vector<Value> outputs;
    for (const TensorId id : op.outputs)
        outputs.push_back(id.valid() && graph.tensor(id).shape
                              ? Value{DataType::I32, *graph.tensor(id).shape, nullptr}
                              : Value{DataType::I32, {}, nullptr});
    const auto made = evaluate(op, inputs, outputs);
    if (!made || output >= made->size())
        return std::nullopt;
    const std::vector<std::byte>& moved = (*made)[output];
    std::vector<std::int32_t> from(moved.size() / sizeof(std::int32_t));
    std::memcpy(from.data(), moved.data(), from.size() * sizeof(std::int32_t));
    for (std::int32_t& number : from)
        --number;
    return HeldTensor{recognisedOrder(std::move(from), map), held.layer};
}

std::optional<PixelMap> mapOf(const Shape& shape) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    std::int64_t pixels = 1;
    if (shape.size() == 4) {
        if (shape[0] != 1 || shape[1] * shape[2] * shape[3] > kMost)
            return std::nullopt;
        return PixelMap{int(shape[2]), int(shape[3]), int(shape[1])};
    }
    for (std::size_t i = 0; i + 1 < shape.size(); ++i)
        pixels *= shape[i];
    const std::int64_t channels = shape.empty() ? 1 : shape.back();
    if (pixels * channels > kMost)
        return std::nullopt;
    return PixelMap{int(pixels), 1, int(channels)};
}

HeldTensor::Order orderOf(const Shape& shape) {
    return shape.size() == 4 ? HeldTensor::Order::Planar : HeldTensor::Order::Linear;
}

} // namespace pim
