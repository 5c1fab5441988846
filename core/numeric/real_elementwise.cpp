// SPDX-License-Identifier: GPL-3.0-or-later
// One output element from one element of each input.
#include "core/base/parallel.h"
#include "core/graph/semantics/scale_places.h"
#include "core/numeric/real_ops.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_map>

namespace pim::numeric {

namespace {

constexpr std::size_t kChunk = 1 << 16;

template <class F>
Value mapReals(const RealCall& call, F f) {
    Fresh<float> out(DataType::F32, call.out[0].shape);
    const auto in = call.reals(0);
    const std::size_t count = std::min(in.size(), out.data.size());
    parallelFor((count + kChunk - 1) / kChunk, call.threads, [&](std::size_t chunk) {
        const std::size_t end = std::min(count, (chunk + 1) * kChunk);
        for (std::size_t i = chunk * kChunk; i < end; ++i)
            out.data[i] = f(in[i]);
    });
    return out.value;
}

using Unary = float (*)(float);

Unary findUnary(const Op& op) {
    static const std::unordered_map<std::string, Unary> table{
        {"Abs", [](float x) { return std::fabs(x); }},
        {"Acos", [](float x) { return std::acos(x); }},
        {"Acosh", [](float x) { return std::acosh(x); }},
        {"Asin", [](float x) { return std::asin(x); }},
        {"Asinh", [](float x) { return std::asinh(x); }},
        {"Atan", [](float x) { return std::atan(x); }},
        {"Atanh", [](float x) { return std::atanh(x); }},
        {"Ceil", [](float x) { return std::ceil(x); }},
        {"Cos", [](float x) { return std::cos(x); }},
        {"Cosh", [](float x) { return std::cosh(x); }},
        {"Erf", [](float x) { return std::erf(x); }},
        {"Exp", [](float x) { return std::exp(x); }},
        {"Floor", [](float x) { return std::floor(x); }},
        {"HardSwish", [](float x) { return x * std::max(0.0F, std::min(1.0F, x / 6.0F + 0.5F)); }},
        {"Log", [](float x) { return std::log(x); }},
        {"Mish", [](float x) { return x * std::tanh(softplus(x)); }},
        {"Neg", [](float x) { return -x; }},
        {"Reciprocal", [](float x) { return 1.0F / x; }},
        {"Relu", [](float x) { return std::max(x, 0.0F); }},
        {"Round", [](float x) { return std::nearbyint(x); }},
        {"Sigmoid", sigmoid},
        {"Silu", [](float x) { return x * sigmoid(x); }},
        {"Sign", [](float x) { return std::isnan(x) ? x : static_cast<float>((x > 0) - (x < 0)); }},
        {"Sin", [](float x) { return std::sin(x); }},
        {"Sinh", [](float x) { return std::sinh(x); }},
        {"Softplus", softplus},
        {"Softsign", [](float x) { return x / (1.0F + std::fabs(x)); }},
        {"Sqrt", [](float x) { return std::sqrt(x); }},
        {"Tan", [](float x) { return std::tan(x); }},
        {"Tanh", [](float x) { return std::tanh(x); }},
    };
    const bool microsoft = op.domain == "com.microsoft";
    if ((op.type == "Gelu" && op.stringAttribute("approximate", "none") != "tanh") ||
        (microsoft && op.type == "BiasGelu"))
        return [](float x) { return 0.5F * x * (1.0F + std::erf(x * std::numbers::sqrt2_v<float> * 0.5F)); };
    if (op.type == "Gelu" ||
        (microsoft && op.type == "FastGelu")) // 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
        return [](float x) {
            return 0.5F * x * (1.0F + std::tanh(0.7978845608F * (x + 0.044715F * x * x * x)));
        };
    const auto it = table.find(op.type);
    return it == table.end() || microsoft ? nullptr : it->second;
}

/// Operators with numbers for attributes.
RealAnswer runParametric(const RealCall& call) {
    const Op& op = call.op;
    const auto number = [&](const char* key, double fallback) {
        return static_cast<float>(op.floatAttribute(key, fallback));
    };
    const float alpha = number("alpha", 0), beta = number("beta", 0), gamma = number("gamma", 0);
    if (op.type == "LeakyRelu")
        return single(mapReals(call, [a = number("alpha", 0.01)](float x) { return x < 0 ? a * x : x; }));
    if (op.type == "Elu")
        return single(
            mapReals(call, [a = number("alpha", 1)](float x) { return x < 0 ? a * std::expm1(x) : x; }));
    if (op.type == "Celu")
        return single(
            mapReals(call, [a = number("alpha", 1)](float x) { return x < 0 ? a * std::expm1(x / a) : x; }));
    if (op.type == "Selu") {
        const float a = op.attribute("alpha") ? alpha : 1.67326319F,
                    s = op.attribute("gamma") ? gamma : 1.05070102F;
        return single(mapReals(call, [a, s](float x) { return s * (x < 0 ? a * std::expm1(x) : x); }));
    }
    if (op.type == "HardSigmoid") {
        const float a = number("alpha", 0.2), b = op.attribute("beta") ? beta : 0.5F;
        return single(mapReals(call, [a, b](float x) { return std::clamp(a * x + b, 0.0F, 1.0F); }));
    }
    if (op.type == "Shrink")
        return single(mapReals(call, [l = number("lambd", 0.5), b = number("bias", 0)](float x) {
            return x < -l ? x + b : x > l ? x - b : 0.0F;
        }));
    if (op.type == "ThresholdedRelu")
        return single(mapReals(call, [a = number("alpha", 1)](float x) { return x > a ? x : 0.0F; }));
    if (op.type == "Clip") {
        const auto limit = [&](std::size_t i, const char* key, float fallback) {
            if (call.real(i) && !call.reals(i).empty())
                return call.reals(i)[0];
            return op.attribute(key) ? number(key, 0) : fallback;
        };
        const float low = limit(1, "min", std::numeric_limits<float>::lowest());
        const float high = limit(2, "max", std::numeric_limits<float>::max());
        return single(mapReals(call, [low, high](float x) { return std::min(std::max(x, low), high); }));
    }
    if (op.type == "Cast" ||
        op.type == "CastLike") { // narrow types are held as F32, of numbers that they have
        if (call.type == DataType::F32 || call.type == DataType::F64)
            return single(reshaped(call.in[0], call.out[0].shape));
        return single(
            mapReals(call, [type = call.type, saturates = op.intAttribute("saturate", 1) != 0](float x) {
                return static_cast<float>(roundedTo(type, static_cast<double>(x), saturates));
            }));
    }
    return std::nullopt;
}

/// Do numbers have a property?
template <class F>
RealAnswer test(const RealCall& call, F f) {
    Fresh<std::uint8_t> out(DataType::Bool, call.out[0].shape);
    const auto in = call.reals(0);
    for (std::size_t i = 0; i < std::min(in.size(), out.data.size()); ++i)
        out.data[i] = f(in[i]) ? 1 : 0;
    return single(out.value);
}

/// Whole numbers from the least to the largest that a type has.
std::pair<double, double> rangeOf(DataType type) {
    const bool isHalf = type == DataType::I4 || type == DataType::U4;
    const bool isSigned =
        type == DataType::I8 || type == DataType::I16 || type == DataType::I4 || type == DataType::I32;
    const double range = isHalf ? 16 : std::ldexp(1.0, static_cast<int>(bytesOf(type)) * 8),
                 low = isSigned ? -range / 2 : 0;
    return {low, low + range - 1};
}

/// round(x / scale) + zero point, ties to even, cut to what the type has. [ONNX operator QuantizeLinear]
RealAnswer quantizeLinear(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    if (!call.real(1) || bytesOf(call.type) > 2)
        return std::nullopt;
    const auto places = ScalePlaces::of(call.op, shape, call.in[1].shape);
    const auto scales = call.reals(1);
    const auto zeros = call.has(2) ? realsOf(*call.in[2].bytes, call.in[2].dtype) : std::vector<double>();
    const auto values = call.reals(0);
    if (!places || (scales.empty() && !values.empty()) || (!zeros.empty() && zeros.size() != scales.size()))
        return std::nullopt;
    const bool isReal = isRealType(call.type), saturates = call.op.intAttribute("saturate", 1) != 0;
    const auto [low, high] = rangeOf(call.type);
    std::vector<double> results;
    results.reserve(values.size());
    for (const float x : values) {
        const std::size_t place = (*places)(results.size());
        const double zero = zeros.empty() ? 0 : zeros[place];
        const float scaled = x / scales[place];
        results.push_back(isReal ? roundedTo(call.type, static_cast<double>(scaled) + zero, saturates)
                                 : std::clamp(static_cast<double>(std::nearbyint(scaled)) + zero, low, high));
    }
    const DataType held = call.out[0].dtype;
    return single(
        Value{held, shape, std::make_shared<const std::vector<std::byte>>(bytesFromReals(results, held))});
}

struct Elements {
    std::span<const float> values;
    const Shape& shape;
};

/// Both repeated to \p shape.
template <class F>
void zip(const Elements& left, const Elements& right, const Shape& shape, std::span<float> out, int threads,
         F f) {
    const std::span<const float> a = left.values, b = right.values;
    const auto count = out.size();
    if (left.shape == shape && right.shape == shape) {
        parallelFor((count + kChunk - 1) / kChunk, threads, [&](std::size_t chunk) {
            const std::size_t end = std::min(count, (chunk + 1) * kChunk);
            for (std::size_t i = chunk * kChunk; i < end; ++i)
                out[i] = f(a[i], b[i]);
        });
        return;
    }
    const auto stepsA = stepsTo(left.shape, shape), stepsB = stepsTo(right.shape, shape);
    const std::size_t rank = shape.size();
    const std::int64_t inner = rank ? shape[rank - 1] : 1;
    const std::int64_t innerA = rank ? stepsA[rank - 1] : 0, innerB = rank ? stepsB[rank - 1] : 0;
    std::vector<std::int64_t> at(rank, 0);
    std::int64_t ia = 0, ib = 0;
    for (std::size_t i = 0; i < count; i += static_cast<std::size_t>(inner)) {
        float* to = out.data() + i;
        const float *pa = a.data() + ia, *pb = b.data() + ib;
        if (innerA == 1 && innerB == 1)
            for (std::int64_t j = 0; j < inner; ++j)
                to[j] = f(pa[j], pb[j]);
        else if (innerA == 1)
            for (std::int64_t j = 0; j < inner; ++j)
                to[j] = f(pa[j], *pb);
        else
            for (std::int64_t j = 0; j < inner; ++j)
                to[j] = f(pa[j * innerA], pb[j * innerB]);
        for (std::size_t d = rank > 0 ? rank - 1 : 0; d-- > 0;) {
            ia += stepsA[d];
            ib += stepsB[d];
            if (++at[d] < shape[d])
                break;
            ia -= stepsA[d] * shape[d];
            ib -= stepsB[d] * shape[d];
            at[d] = 0;
        }
    }
}

template <class F>
RealAnswer fold(const RealCall& call, F f) {
    const Shape& shape = call.out[0].shape;
    Value left = call.in[0];
    if (call.in.size() == 1)
        return single(reshaped(left, shape));
    for (std::size_t i = 1; i < call.in.size(); ++i) { // Sum, Max, Min and Mean take any number
        if (!call.real(i))
            return std::nullopt;
        Fresh<float> out(DataType::F32, shape);
        zip({elements<float>(left), left.shape}, {call.reals(i), call.in[i].shape}, shape, out.data,
            call.threads, f);
        left = out.value;
    }
    return single(std::move(left));
}

RealAnswer runBinary(const RealCall& call) {
    const std::string& type = call.op.type;
    if (type == "Add" || type == "Sum")
        return fold(call, [](float a, float b) { return a + b; });
    if (type == "Sub")
        return fold(call, [](float a, float b) { return a - b; });
    if (type == "Mul")
        return fold(call, [](float a, float b) { return a * b; });
    if (type == "Div")
        return fold(call, [](float a, float b) { return a / b; });
    if (type == "Max")
        return fold(call, [](float a, float b) {
            return std::isnan(a) ? a : a < b || std::isnan(b) ? b : a;
        });
    if (type == "Min")
        return fold(call, [](float a, float b) {
            return std::isnan(a) ? a : b < a || std::isnan(b) ? b : a;
        });
    if (type == "PRelu")
        return fold(call, [](float a, float b) { return a < 0 ? a * b : a; });
    if (type == "Pow" && call.has(1)) {
        if (!call.real(1)) {
            RealCall reals = call;
            std::vector<Value> in{call.in[0], call.in[1]};
            in[1].bytes = std::make_shared<const std::vector<std::byte>>(
                bytesFromReals(realsOf(*in[1].bytes, in[1].dtype), DataType::F32));
            in[1].dtype = DataType::F32;
            reals.in = in;
            return runBinary(reals);
        }
        return fold(call, [](float a, float b) { return b == 2.0F ? a * a : std::pow(a, b); });
    }
    if (type == "Mean") {
        auto sum = fold(call, [](float a, float b) { return a + b; });
        if (!sum)
            return sum;
        RealCall scale = call;
        scale.in = *sum;
        return single(mapReals(scale, [n = static_cast<float>(call.in.size())](float x) { return x / n; }));
    }
    return std::nullopt;
}

} // namespace

RealAnswer runElementwise(const RealCall& call) {
    if (call.out.empty() || !call.real(0))
        return std::nullopt;
    if (call.op.domain.empty() && call.op.type == "IsNaN")
        return test(call, [](float x) { return std::isnan(x); });
    if (call.op.domain.empty() && call.op.type == "IsInf")
        return test(call, [negative = call.op.intAttribute("detect_negative", 1) != 0,
                           positive = call.op.intAttribute("detect_positive", 1) != 0](float x) {
            return std::isinf(x) && (x < 0 ? negative : positive);
        });
    if (call.op.domain.empty() && call.op.type == "QuantizeLinear")
        return quantizeLinear(call);
    if (call.out[0].dtype != DataType::F32)
        return std::nullopt;
    if (call.op.domain == "com.microsoft" && call.op.type == "QuickGelu")
        return single(mapReals(call, [a = static_cast<float>(call.op.floatAttribute("alpha", 1.702))](
                                         float x) { return x * sigmoid(a * x); }));
    const bool hasBias = call.op.domain == "com.microsoft" && call.has(1);
    const RealAnswer sum = hasBias ? fold(call, [](float a, float b) { return a + b; }) : std::nullopt;
    if (hasBias && sum) { // of BiasGelu and FastGelu
        RealCall plain = call;
        plain.in = *sum;
        return runElementwise(plain);
    }
    if (const Unary f = findUnary(call.op))
        return single(call.op.type == "Relu" ? mapReals(call, [](float x) { return std::max(x, 0.0F); })
                                             : mapReals(call, f));
    if (!call.op.domain.empty())
        return std::nullopt;
    if (auto answer = runParametric(call))
        return answer;
    return runBinary(call);
}

} // namespace pim::numeric
