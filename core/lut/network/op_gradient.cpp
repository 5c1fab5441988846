// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/op_gradient.h"

#include "core/lut/network/product_gradient.h"
#include "core/numeric/real_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace pim::lut {
namespace {

struct Call {
    const Graph& graph;
    const Op& op;
    const TapeStep& step;
    std::span<const float> output; ///< Gradient.
    const std::vector<bool>& wanted;

    std::span<const float> in(std::size_t i) const { return elements<float>(step.inputs[i]); }
    std::span<const float> out() const { return elements<float>(step.outputs[0]); }
    bool wants(std::size_t i) const { return i < wanted.size() && wanted[i]; }
    Gradients none() const { return Gradients(step.inputs.size()); }
};

tl::unexpected<Error> unknown(const Op& op, std::string_view why = "its gradient is not known here") {
    return fail(ErrorCode::Unsupported, std::string(why),
                fmt::format("{}{}{} \"{}\"", op.domain, op.domain.empty() ? "" : "::", op.type, op.name),
                "method=refit needs no gradients");
}

/// Derivative of f at x, f(x) being y; null for an operator that is none of these.
using Slope = float (*)(float x, float y);

Slope slopeOf(const Op& op) {
    constexpr float kDensity =
        std::numbers::inv_sqrtpi_v<float> * std::numbers::sqrt2_v<float> / 2; // 1 / sqrt(2 pi)
    static const std::map<std::string, Slope, std::less<>> table = {
        {"Abs", [](float x, float) { return static_cast<float>((x > 0) - (x < 0)); }},
        {"Erf", [](float x, float) { return 2 * std::numbers::inv_sqrtpi_v<float> * std::exp(-x * x); }},
        {"Exp", [](float, float y) { return y; }},
        {"Log", [](float x, float) { return 1 / x; }},
        {"Neg", [](float, float) { return -1.0F; }},
        {"Reciprocal", [](float, float y) { return -y * y; }},
        {"Relu", [](float x, float) { return x > 0 ? 1.0F : 0.0F; }},
        {"Sigmoid", [](float, float y) { return y * (1 - y); }},
        {"Silu",
         [](float x, float y) {
             const float s = 1 / (1 + std::exp(-x));
             return s + y * (1 - s);
         }},
        {"Softplus", [](float x, float) { return 1 / (1 + std::exp(-x)); }},
        {"Sqrt", [](float, float y) { return 0.5F / y; }},
        {"Tanh", [](float, float y) { return 1 - y * y; }},
        {"Sin", [](float x, float) { return std::cos(x); }},
        {"Cos", [](float x, float) { return -std::sin(x); }},
        {"Clip", [](float x, float y) { return x == y ? 1.0F : 0.0F; }},
        {"LeakyRelu", [](float x, float y) { return x == 0 ? 1.0F : y / x; }},
        {"HardSwish",
         [](float x, float) {
             return x <= -3 ? 0.0F : x >= 3 ? 1.0F : x / 3 + 0.5F;
         }}, // x min(max(x/6+1/2, 0), 1)
    };
    if (op.type == "Gelu" || op.type == "FastGelu") {
        if (op.type == "FastGelu" || op.stringAttribute("approximate", "none") == "tanh")
            return [](float x, float) {
                constexpr float kA = 0.7978845608F, kB = 0.044715F; // as real_elementwise.cpp
                const float t = std::tanh(kA * (x + kB * x * x * x));
                return 0.5F * (1 + t) + 0.5F * x * (1 - t * t) * kA * (1 + 3 * kB * x * x);
            };
        return [](float x, float y) { // y / x is what x was multiplied by
            return (std::abs(x) > 1e-3F ? y / x : 0.5F + kDensity * x) +
                   x * kDensity * std::exp(-0.5F * x * x);
        };
    }
    const auto it = table.find(op.type);
    return it == table.end() ? nullptr : it->second;
}

/// Sums what broadcasting repeated: gradients of shape \p from to those of shape \p to.
std::vector<float> summedTo(std::span<const float> gradient, const Shape& from, const Shape& to) {
    if (from == to)
        return {gradient.begin(), gradient.end()};
    std::vector<float> sums(static_cast<std::size_t>(elementCount(to).value_or(0)));
    numeric::forBroadcast(to, from, [&](std::size_t i, std::size_t into) { sums[into] += gradient[i]; });
    return sums;
}

/// Elements of \p value repeated to the shape of the output.
std::vector<float> repeated(const Value& value, const Shape& to) {
    const auto from = elements<float>(value);
    std::vector<float> all(static_cast<std::size_t>(elementCount(to).value_or(0)));
    numeric::forBroadcast(value.shape, to, [&](std::size_t i, std::size_t source) { all[i] = from[source]; });
    return all;
}

/// Slopes with respect to one operand of a binary op, from both operands and the result.
using Partial = float (*)(float a, float b, float y);

Result<Gradients> binary(const Call& call, Partial left, Partial right) {
    if (call.step.inputs.size() != 2 || call.step.inputs[0].dtype != DataType::F32)
        return unknown(call.op);
    const Shape& shape = call.step.outputs[0].shape;
    Gradients made = call.none();
    Value other = call.step.inputs[1];
    if (other.dtype != DataType::F32) // such as the exponent of Pow
        other = Value{DataType::F32, other.shape,
                      std::make_shared<const std::vector<std::byte>>(
                          bytesFromReals(realsOf(*other.bytes, other.dtype), DataType::F32))};
    const std::vector<float> a = repeated(call.step.inputs[0], shape), b = repeated(other, shape);
    const auto y = call.out();
    std::vector<float> gradient(a.size());
    for (std::size_t i = 0; i < 2; ++i) {
        const Partial slope = i == 0 ? left : right;
        if (!call.wants(i))
            continue;
        if (!slope)
            return unknown(call.op, "its second operand is not constant");
        for (std::size_t e = 0; e < gradient.size(); ++e)
            gradient[e] = call.output[e] * slope(a[e], b[e], y[e]);
        made[i] = summedTo(gradient, shape, call.step.inputs[i].shape);
    }
    return made;
}

Result<Gradients> sums(const Call& call, bool mean) {
    Gradients made = call.none();
    const float factor = mean ? 1 / static_cast<float>(call.step.inputs.size()) : 1;
    for (std::size_t i = 0; i < made.size(); ++i)
        if (call.wants(i)) {
            made[i] = summedTo(call.output, call.step.outputs[0].shape, call.step.inputs[i].shape);
            for (float& value : made[i])
                value *= factor;
        }
    return made;
}

Result<Gradients> softmax(const Call& call) {
    const Shape& shape = call.step.inputs[0].shape;
    const auto opset = call.graph.source.opsets.find("");
    const bool old = opset != call.graph.source.opsets.end() && opset->second < 13;
    const std::size_t axis = numeric::axisIndex(call.op.intAttribute("axis", old ? 1 : -1), shape.size());
    numeric::AxisSplit s = numeric::splitAt(shape, axis);
    if (old) // everything from the axis on is one row
        s = {s.outer, s.extent * s.inner, 1};
    Gradients made = call.none();
    auto& to = made[0];
    to.resize(call.output.size());
    const auto y = call.out();
    for (std::int64_t o = 0; o < s.outer; ++o)
        for (std::int64_t i = 0; i < s.inner; ++i) {
            const std::int64_t base = o * s.extent * s.inner + i;
            double sum = 0;
            for (std::int64_t e = 0; e < s.extent; ++e) {
                const auto at = static_cast<std::size_t>(base + e * s.inner);
                sum += double(y[at]) * double(call.output[at]);
            }
            for (std::int64_t e = 0; e < s.extent; ++e) {
                const auto at = static_cast<std::size_t>(base + e * s.inner);
                to[at] = y[at] * (call.output[at] - static_cast<float>(sum));
            }
        }
    return made;
}

/// LayerNorm over the trailing axes: with h = (x - mean) / deviation and g = gradient * factor,
/// dx = (g - mean(g) - h mean(g h)) / deviation. [Ba, Kiros, Hinton 2016] Without centring (RmsNorm) mean(g) is left out.
Result<Gradients> normalization(const Call& call, bool centred) {
    if (call.wants(1) || call.wants(2))
        return unknown(call.op, "its factors are not constant");
    const Shape& shape = call.step.inputs[0].shape;
    std::size_t first = numeric::axisIndex(call.op.intAttribute("axis", -1), shape.size());
    if (const auto axes = call.op.intsAttribute("axes", {}); !axes.empty())
        first = numeric::axisIndex(*std::ranges::min_element(axes), shape.size());
    std::size_t length = 1;
    for (std::size_t d = first; d < shape.size(); ++d)
        length *= static_cast<std::size_t>(shape[d]);
    const double epsilon = call.op.floatAttribute("epsilon", 1e-5);
    const bool scaled = call.step.inputs.size() > 1 && call.step.inputs[1].bytes;
    const auto factor = scaled ? call.in(1) : std::span<const float>();
    const auto x = call.in(0);
    Gradients made = call.none();
    made[0].resize(x.size());
    const auto n = static_cast<double>(length);
    std::vector<double> h(length), g(length);
    for (std::size_t row = 0; row + length <= x.size(); row += length) {
        double mean = 0, square = 0, sumG = 0, sumGh = 0;
        for (std::size_t i = 0; i < length && centred; ++i)
            mean += double(x[row + i]) / n;
        for (std::size_t i = 0; i < length; ++i)
            square += (double(x[row + i]) - mean) * (double(x[row + i]) - mean) / n;
        const double inverse = 1 / std::sqrt(square + epsilon);
        for (std::size_t i = 0; i < length; ++i) {
            h[i] = (double(x[row + i]) - mean) * inverse;
            g[i] = double(call.output[row + i]) * (scaled ? double(factor[i % factor.size()]) : 1.0);
            sumG += centred ? g[i] / n : 0;
            sumGh += g[i] * h[i] / n;
        }
        for (std::size_t i = 0; i < length; ++i)
            made[0][row + i] = static_cast<float>((g[i] - sumG - h[i] * sumGh) * inverse);
    }
    return made;
}

Result<Gradients> reduction(const Call& call) {
    const Shape& shape = call.step.inputs[0].shape;
    std::vector<std::int64_t> axes = call.op.intsAttribute("axes", {});
    if (call.step.inputs.size() > 1 && call.step.inputs[1].bytes)
        axes = intsOf(*call.step.inputs[1].bytes, call.step.inputs[1].dtype);
    if (call.op.type == "GlobalAveragePool")
        for (std::size_t d = 2; d < shape.size(); ++d)
            axes.push_back(static_cast<std::int64_t>(d));
    Shape kept = shape;
    double count = 1;
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (axes.empty() || std::ranges::any_of(axes, [&](std::int64_t axis) {
                return numeric::axisIndex(axis, shape.size()) == d;
            })) {
            count *= static_cast<double>(shape[d]);
            kept[d] = 1;
        }
    if (axes.empty() && call.op.intAttribute("noop_with_empty_axes", 0) != 0) {
        kept = shape;
        count = 1;
    }
    const Value gradient{DataType::F32, kept,
                         std::make_shared<const std::vector<std::byte>>(std::as_bytes(call.output).begin(),
                                                                        std::as_bytes(call.output).end())};
    Gradients made = call.none();
    made[0] = repeated(gradient, shape);
    if (call.op.type != "ReduceSum")
        for (float& value : made[0])
            value = static_cast<float>(double(value) / count);
    return made;
}

Result<Gradients> chosen(const Call& call) { // Where(condition, a, b)
    const Shape& shape = call.step.outputs[0].shape;
    const Value& condition = call.step.inputs[0];
    if (bytesOf(condition.dtype) != 1 || call.wants(0))
        return unknown(call.op);
    Gradients made = call.none();
    for (const std::size_t i : {1U, 2U}) {
        if (!call.wants(i))
            continue;
        std::vector<float> gradient(call.output.begin(), call.output.end());
        numeric::forBroadcast(condition.shape, shape, [&](std::size_t e, std::size_t from) {
            if (((*condition.bytes)[from] != std::byte{0}) != (i == 1))
                gradient[e] = 0;
        });
        made[i] = summedTo(gradient, shape, call.step.inputs[i].shape);
    }
    return made;
}

Result<Gradients> arithmetic(const Call& call) {
    const std::string& type = call.op.type;
    if (type == "Add" || type == "Sum" || type == "Mean")
        return sums(call, type == "Mean");
    if (type == "Sub")
        return binary(
            call, [](float, float, float) { return 1.0F; }, [](float, float, float) { return -1.0F; });
    if (type == "Mul")
        return binary(
            call, [](float, float b, float) { return b; }, [](float a, float, float) { return a; });
    if (type == "Div")
        return binary(
            call, [](float, float b, float) { return 1 / b; },
            [](float, float b, float y) { return -y / b; });
    if (type == "Max" || type == "Min")
        return binary(
            call, [](float a, float, float y) { return a == y ? 1.0F : 0.0F; },
            [](float a, float b, float y) { return b == y && a != y ? 1.0F : 0.0F; });
    if (type == "Pow")
        return binary(
            call, [](float a, float b, float) { return b == 2.0F ? 2 * a : b * std::pow(a, b - 1); },
            nullptr);
    return unknown(call.op);
}

} // namespace

Result<Gradients> inputGradients(const Graph& graph, const TapeStep& step, std::span<const float> output,
                                 const std::vector<bool>& wanted, int threads) {
    const Op& op = graph.op(step.op);
    const Call call{graph, op, step, output, wanted};
    PIM_TRY(const auto forms, matrixForms(graph, step.op));
    if (!forms.empty())
        return productGradients(graph, step, output, wanted, threads);
    if (const Slope slope = slopeOf(op)) {
        if (!call.wants(0))
            return unknown(op);
        Gradients made = call.none();
        const auto x = call.in(0), y = call.out();
        made[0].resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            made[0][i] = output[i] * slope(x[i], y[i]);
        return made;
    }
    const std::string& type = op.type;
    if (type == "Softmax")
        return softmax(call);
    if (type == "LayerNorm" || type == "LayerNormalization")
        return normalization(call, true);
    if (type == "RmsNorm" || type == "RMSNormalization" || type == "SimplifiedLayerNormalization")
        return normalization(call, false);
    if (type == "ReduceMean" || type == "ReduceSum" || type == "GlobalAveragePool")
        return reduction(call);
    if (type == "Where")
        return chosen(call);
    return arithmetic(call);
}

bool onlyMoves(const Op& op) {
    static const std::set<std::string, std::less<>> types = {
        "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout", "Transpose", "Slice",
        "Gather",  "Split",   "Concat",  "Expand",    "Tile",     "Pad",     "Cast"};
    return op.domain.empty() && types.contains(op.type);
}

Result<Gradients> movedGradients(const Graph& graph, const TapeStep& step, std::span<const float> output,
                                 const std::vector<bool>& wanted, MovementMaps& maps) {
    const Op& op = graph.op(step.op);
    constexpr std::int64_t kMostNumbered = 1 << 24; // whole numbers that float32 tells apart
    std::vector<std::int64_t> begin;                // number of the first element of every input
    std::int64_t all = 1;                           // 0 is nobody's: what padding puts in
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
        begin.push_back(all);
        all += wanted[i] ? step.inputs[i].count() : 0;
    }
    if (all > kMostNumbered)
        return fail(ErrorCode::Unsupported,
                    fmt::format("it moves {} elements, {} can be followed", all, kMostNumbered), op.name,
                    "take smaller batches");
    auto& map = maps[step.op.value];
    if (map.empty()) {
        std::vector<Value> inputs = step.inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (inputs[i].dtype != DataType::F32)
                continue;
            Fresh<float> numbers(DataType::F32, inputs[i].shape);
            for (std::size_t e = 0; e < numbers.data.size() && wanted[i]; ++e)
                numbers.data[e] = static_cast<float>(begin[i] + static_cast<std::int64_t>(e));
            inputs[i] = numbers.value;
        }
        PIM_TRY(const auto moved, runRealOp(graph, step.op, inputs, 1));
        for (const Value& value : moved) // Split has several outputs, one after the other
            for (const float number : elements<float>(value))
                map.push_back(static_cast<std::int32_t>(number));
    }
    Gradients made(step.inputs.size());
    std::vector<float> to(static_cast<std::size_t>(all));
    if (map.size() != output.size())
        return unknown(op);
    for (std::size_t i = 0; i < map.size(); ++i)
        to[static_cast<std::size_t>(map[i])] += output[i];
    for (std::size_t i = 0; i < made.size(); ++i)
        if (wanted[i])
            made[i].assign(to.begin() + begin[i], to.begin() + begin[i] + step.inputs[i].count());
    return made;
}

} // namespace pim::lut
