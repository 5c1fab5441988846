// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/exporter_quantized.h"

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

using Written = std::optional<file::RawFunction>;

/// Where an operand, its scale and its zero point are among the inputs.
struct QuantizedInput {
    std::size_t values, scale, zero;
};

/// (values - zero) * scale. \param axis along which there may be several scales.
ValueName fractions(FunctionWriter& w, const QuantizedInput& in, std::int64_t axis = 0) {
    std::vector<ValueName> inputs{w.input(in.values), w.input(in.scale)};
    if (w.has(in.zero))
        inputs.push_back(w.input(in.zero));
    return w.op("DequantizeLinear", std::move(inputs), {{"axis", axis}});
}

/// Back to whole numbers of the type of the zero point, or of \p type where there is none.
ValueName wholeNumbers(FunctionWriter& w, const ValueName& x, std::size_t scale, std::size_t zero,
                       DataType type) {
    return w.op("QuantizeLinear", {x, w.input(scale), w.has(zero) ? w.input(zero) : w.scalar(0, type)},
                {{"axis", std::int64_t(0)}});
}

/// One scale, or one for each line of \p axis.
bool isScale(const FunctionWriter& w, std::size_t input) {
    return w.has(input) && w.rank(input) < 2;
}

std::vector<std::int64_t> channelsFirst(std::size_t rank) {
    std::vector<std::int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin() + 1, order.end() - 1, order.end());
    return order;
}
std::vector<std::int64_t> channelsLast(std::size_t rank) {
    std::vector<std::int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
    return order;
}

/// \p make is given the operand with its channels in the second place, where the standard's operators want them.
template <class Make>
ValueName amongChannels(FunctionWriter& w, const ValueName& x, const Make& make) {
    const std::size_t rank = w.rank(0);
    if (w.integer("channels_last", 0) == 0)
        return make(x);
    return rank < 3 ? ValueName()
                    : w.transpose(make(w.transpose(x, channelsFirst(rank))), channelsLast(rank));
}

/// Operands of one scale each: [a, scale, zero, b, scale, zero, scale, zero].
Written quantizedBinary(FunctionWriter w, const char* type) {
    if (!isScale(w, 1) || !isScale(w, 4))
        return std::nullopt;
    const ValueName result = w.op(type, {fractions(w, {0, 1, 2}), fractions(w, {3, 4, 5})});
    w.setOutput(0, wholeNumbers(w, result, 6, 7, w.dtype(0)));
    return w.take();
}

/// [x, scale, zero, scale, zero]; \p make computes with fractions.
template <class Make>
Written quantizedUnary(FunctionWriter w, const Make& make) {
    if (!isScale(w, 1))
        return std::nullopt;
    const ValueName result = make(w, fractions(w, {0, 1, 2}));
    if (result.empty())
        return std::nullopt;
    w.setOutput(0, wholeNumbers(w, result, 3, 4, w.dtype(0)));
    return w.take();
}

/// Along the last axis, where all operator sets mean the same.
ValueName quantizedSoftmax(FunctionWriter& w, const ValueName& x) {
    const Shape* shape = w.shape(0);
    if (!shape || shape->empty())
        return {};
    const auto rank = std::ssize(*shape);
    std::int64_t axis = w.integer("axis", -1);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return {};
    const auto alongLast = [&](const ValueName& lines, std::int64_t last) {
        return w.op("Softmax", {lines}, {{"axis", last}});
    };
    if (axis == rank - 1)
        return alongLast(x, axis);
    if (w.integer("opset", 13) < 13) // over all axes from there on
        return w.reshape(alongLast(w.op("Flatten", {x}, {{"axis", axis}}), 1), *shape);
    std::vector<std::int64_t> order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[static_cast<std::size_t>(axis)], order.back());
    return w.transpose(alongLast(w.transpose(x, order), rank - 1), order);
}

/// [x, scale, zero, weights, scale, zero, scale, zero, bias]
Written quantizedConv(FunctionWriter w) {
    if (!isScale(w, 1) || !isScale(w, 4))
        return std::nullopt;
    std::vector<ValueName> inputs{ValueName(), fractions(w, {3, 4, 5})};
    if (w.has(8)) // whole numbers in units of a product
        inputs.push_back(w.op("DequantizeLinear", {w.input(8), w.op("Mul", {w.input(1), w.input(4)})},
                              {{"axis", std::int64_t(0)}}));
    const ValueName result = amongChannels(w, fractions(w, {0, 1, 2}), [&](const ValueName& x) {
        inputs[0] = x;
        return w.op("Conv", inputs, w.attributesBut({"channels_last"}));
    });
    if (result.empty())
        return std::nullopt;
    w.setOutput(0, wholeNumbers(w, result, 6, 7, w.dtype(0)));
    return w.take();
}

/// [a, scale, zero, b, scale, zero, scale, zero]
Written quantizedMatMul(FunctionWriter w) {
    if (!isScale(w, 1) || !isScale(w, 4))
        return std::nullopt;
    const ValueName result = w.op("MatMul", {fractions(w, {0, 1, 2}, -2), fractions(w, {3, 4, 5}, -1)});
    w.setOutput(0, wholeNumbers(w, result, 6, 7, w.dtype(0)));
    return w.take();
}

/// [a, scale, zero, b, scale, zero, bias, scale, zero]; without the last two the result stays fractions.
Written quantizedGemm(FunctionWriter w) {
    if (!isScale(w, 1) || !isScale(w, 4))
        return std::nullopt;
    const std::int64_t columns = w.integer("transB", 0) != 0 ? 0 : 1;
    std::vector<ValueName> inputs{fractions(w, {0, 1, 2}), fractions(w, {3, 4, 5}, columns)};
    Attributes attributes = w.attributesBut({});
    if (w.has(6)) { // whole numbers in units of a product
        const ValueName bias = w.op("Cast", {w.input(6)}, {{"to", file::onnxFromDataType(w.dtype(1))}});
        inputs.push_back(w.op("Mul", {bias, w.op("Mul", {w.input(1), w.input(4)})}));
        attributes.emplace_back("beta", w.real("alpha", 1));
    }
    const ValueName result = w.op("Gemm", std::move(inputs), std::move(attributes));
    w.setOutput(0, w.has(7) ? wholeNumbers(w, result, 7, 8, w.dtype(0)) : result);
    return w.take();
}

/// [scale, zero, then for each part x, scale, zero]
Written quantizedConcat(FunctionWriter w) {
    std::vector<ValueName> parts;
    for (std::size_t i = 2; w.has(i); i += 3) {
        if (!isScale(w, i + 1))
            return std::nullopt;
        parts.push_back(fractions(w, {i, i + 1, i + 2}));
    }
    if (parts.empty())
        return std::nullopt;
    w.setOutput(0, wholeNumbers(w, w.concat(std::move(parts), w.integer("axis", 0)), 0, 1, w.dtype(2)));
    return w.take();
}

/// [condition, x, scale, zero, y, scale, zero, scale, zero]
Written quantizedWhere(FunctionWriter w) {
    if (!isScale(w, 2) || !isScale(w, 5))
        return std::nullopt;
    const ValueName result = w.op("Where", {w.input(0), fractions(w, {1, 2, 3}), fractions(w, {4, 5, 6})});
    w.setOutput(0, wholeNumbers(w, result, 7, 8, w.dtype(1)));
    return w.take();
}

Written quantizedProduct(FunctionWriter& w, const ValueName& a, const QuantizedInput& b, std::size_t bias) {
    ValueName result = w.op("MatMul", {a, fractions(w, b, -1)});
    if (w.has(bias))
        result = w.op("Add", {result, w.input(bias)});
    w.setOutput(0, result);
    return w.take();
}

/// [a, b, scale of a, of b, zero of a, of b, bias]
Written matMulToFractions(FunctionWriter w) {
    if (!isScale(w, 2) || !isScale(w, 3))
        return std::nullopt;
    return quantizedProduct(w, fractions(w, {0, 2, 4}, -1), {1, 3, 5}, 6);
}

/// [a, b, scale, zero, bias]: a is brought to 8 bits as it comes.
Written matMulOfFractions(FunctionWriter w) {
    if (!isScale(w, 2))
        return std::nullopt;
    const auto whole = w.ops("DynamicQuantizeLinear", {w.input(0)}, 3);
    return quantizedProduct(w, w.op("DequantizeLinear", whole), {1, 2, 3}, 4);
}

/// [x, weights, bias, scale of x, of weights, mask, zero of x, of weights, past]
Written quantizedAttention(FunctionWriter w) {
    if (!isScale(w, 3) || !isScale(w, 4) || !w.has(2))
        return std::nullopt;
    std::vector<ValueName> inputs{fractions(w, {0, 3, 6}), fractions(w, {1, 4, 7}, 1), w.input(2), w.input(5),
                                  w.input(8)};
    while (inputs.back().empty())
        inputs.pop_back();
    const std::size_t results = w.node().outputs.size();
    const auto made = w.ops("Attention", std::move(inputs), results, w.attributesBut({}), "com.microsoft");
    for (std::size_t i = 0; i < results; ++i)
        w.setOutput(i, made[i]);
    return w.take();
}

/// Those of the standard once were here; without an axis there is one scale.
Written ofTheStandard(FunctionWriter w) {
    std::vector<ValueName> inputs{w.input(0), w.input(1)};
    if (w.has(2))
        inputs.push_back(w.input(2));
    w.setOutput(0, w.op(w.node().type, std::move(inputs), w.attributesBut({})));
    return w.take();
}

Written maxPoolOfLines(FunctionWriter w) {
    const std::size_t rank = w.rank(0);
    if (rank < 3)
        return std::nullopt;
    const ValueName x = w.transpose(w.input(0), channelsFirst(rank));
    w.setOutput(0, w.transpose(w.op("MaxPool", {x}, w.attributesBut({})), channelsLast(rank)));
    return w.take();
}

Written quantizedSame(FunctionWriter w, const char* type) {
    return quantizedUnary(std::move(w), [type](FunctionWriter& inner, const ValueName& x) {
        return inner.op(type, {x}, inner.attributesBut({}));
    });
}
Written quantizedPool(FunctionWriter w, const char* type) {
    return quantizedUnary(std::move(w), [type](FunctionWriter& inner, const ValueName& x) {
        return amongChannels(inner, x, [&](const ValueName& picture) {
            return inner.op(type, {picture}, inner.attributesBut({"channels_last"}));
        });
    });
}
/// Axes became an input: both forms would be needed, for operator sets up to 17 and from then on.
Written quantizedMean(FunctionWriter w) {
    const Shape* shape = w.shape(0);
    const auto* given = w.node().attribute("axes");
    const auto* axes =
        given && given->value ? std::get_if<std::vector<std::int64_t>>(&*given->value) : nullptr;
    if (!shape || !axes)
        return std::nullopt;
    std::int64_t count = 1;
    const auto rank = std::ssize(*shape);
    for (const std::int64_t axis : *axes) {
        if (axis < -rank || axis >= rank)
            return std::nullopt;
        count *= (*shape)[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
    }
    if (count < 1)
        return std::nullopt;
    return quantizedUnary(std::move(w), [&](FunctionWriter& inner, const ValueName& x) {
        const ValueName sum =
            inner.op("ReduceSum", {x, inner.ints(*axes)}, {{"keepdims", inner.integer("keepdims", 1)}});
        return inner.scaled(sum, 1 / static_cast<double>(count), inner.dtype(1));
    });
}

} // namespace

const std::map<std::string_view, QuantizedWriter>& quantizedWriters() {
    static const std::map<std::string_view, QuantizedWriter> all{
        {"QLinearConv", quantizedConv},
        {"QLinearMatMul", quantizedMatMul},
        {"com.microsoft::DequantizeLinear", ofTheStandard},
        {"com.microsoft::DynamicQuantizeMatMul", matMulOfFractions},
        {"com.microsoft::MatMulIntegerToFloat", matMulToFractions},
        {"com.microsoft::NhwcMaxPool", maxPoolOfLines},
        {"com.microsoft::QAttention", quantizedAttention},
        {"com.microsoft::QGemm", quantizedGemm},
        {"com.microsoft::QLinearAdd", [](FunctionWriter w) { return quantizedBinary(std::move(w), "Add"); }},
        {"com.microsoft::QLinearAveragePool",
         [](FunctionWriter w) { return quantizedPool(std::move(w), "AveragePool"); }},
        {"com.microsoft::QLinearConcat", quantizedConcat},
        {"com.microsoft::QLinearConv", quantizedConv},
        {"com.microsoft::QLinearGlobalAveragePool",
         [](FunctionWriter w) { return quantizedPool(std::move(w), "GlobalAveragePool"); }},
        {"com.microsoft::QLinearLeakyRelu",
         [](FunctionWriter w) { return quantizedSame(std::move(w), "LeakyRelu"); }},
        {"com.microsoft::QLinearMul", [](FunctionWriter w) { return quantizedBinary(std::move(w), "Mul"); }},
        {"com.microsoft::QLinearReduceMean", quantizedMean},
        {"com.microsoft::QLinearSigmoid",
         [](FunctionWriter w) { return quantizedSame(std::move(w), "Sigmoid"); }},
        {"com.microsoft::QLinearSoftmax",
         [](FunctionWriter w) { return quantizedUnary(std::move(w), quantizedSoftmax); }},
        {"com.microsoft::QLinearWhere", quantizedWhere},
        {"com.microsoft::QuantizeLinear", ofTheStandard},
    };
    return all;
}

} // namespace pim
