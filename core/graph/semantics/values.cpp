// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/values.h"

#include "core/base/bfloat16.h"
#include "core/base/half_float.h"
#include "core/base/small_float.h"
#include "core/graph/semantics/scale_places.h"
#include "core/graph/semantics/shape_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace pim {

namespace {

using Bytes = std::vector<std::byte>;
using Inputs = std::span<const Value>;

/// Null for a type that is none of them.
const SmallFloat* smallFloat(DataType type) {
    switch (type) {
    case DataType::F8E4M3:
        return &kE4M3;
    case DataType::F8E4M3Fnuz:
        return &kE4M3Fnuz;
    case DataType::F8E5M2:
        return &kE5M2;
    case DataType::F8E5M2Fnuz:
        return &kE5M2Fnuz;
    case DataType::F4E2M1:
        return &kE2M1;
    default:
        return nullptr;
    }
}

/// Held in bits that C++ has no type for.
bool isBitPattern(DataType type) {
    return type == DataType::F16 || type == DataType::BF16 || smallFloat(type);
}

template <class T>
T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

template <class T>
void store(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof(T));
}

/// Calls f with a value of the C++ type that holds \p type; those of isBitPattern() are handled by the callers.
template <class F>
bool withType(DataType type, F&& f) {
    switch (type) {
    case DataType::F32:
        f(float());
        return true;
    case DataType::F64:
        f(double());
        return true;
    case DataType::I8:
    case DataType::I4:
        f(std::int8_t());
        return true;
    case DataType::U8:
    case DataType::U4:
    case DataType::Bool:
        f(std::uint8_t());
        return true;
    case DataType::I16:
        f(std::int16_t());
        return true;
    case DataType::U16:
        f(std::uint16_t());
        return true;
    case DataType::I32:
        f(std::int32_t());
        return true;
    case DataType::U32:
        f(std::uint32_t());
        return true;
    case DataType::I64:
        f(std::int64_t());
        return true;
    case DataType::U64:
        f(std::uint64_t());
        return true;
    default:
        return false;
    }
}

/// Of numbers of 4 bits the lower half counts, as of wider ones their lower bits.
Bytes keptBits(Bytes bytes, DataType type) {
    if (type == DataType::I4 || type == DataType::U4)
        for (std::byte& each : bytes) {
            const auto half = std::to_integer<unsigned>(each) & 15;
            each = static_cast<std::byte>(type == DataType::I4 && half > 7 ? half | 0xf0 : half);
        }
    return bytes;
}

/// Fractions cut off, out of range clamped, NaN 0: C++ leaves these open.
std::int64_t toInt(double v) {
    if (std::isnan(v))
        return 0;
    if (v >= 9.2233720368547748e18)
        return std::numeric_limits<std::int64_t>::max();
    if (v <= -9.2233720368547758e18)
        return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(v);
}

// --- element-wise
// -----------------------------------------------------------------------------------------------

std::vector<std::int64_t> stridesOf(const Shape& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        strides[i - 1] = strides[i] * shape[i];
    return strides;
}

/// Calls visit(linear output index, linear source index) for every output element; the source index is the
/// sum of base and coordinate times step, so one walk serves transpose, slice, expand, broadcast, ….
template <class F>
void walk(const Shape& shape, std::int64_t base, const std::vector<std::int64_t>& steps, F&& visit) {
    const std::int64_t count = elementCount(shape).value_or(0);
    std::vector<std::int64_t> at(shape.size(), 0);
    std::int64_t source = base;
    for (std::int64_t i = 0; i < count; ++i) {
        visit(static_cast<std::size_t>(i), static_cast<std::size_t>(source));
        for (std::size_t d = shape.size(); d-- > 0;) {
            source += steps[d];
            if (++at[d] < shape[d])
                break;
            source -= steps[d] * shape[d];
            at[d] = 0;
        }
    }
}

/// Steps through \p from while walking \p to, to which it broadcasts.
std::vector<std::int64_t> broadcastSteps(const Shape& from, const Shape& to) {
    const auto strides = stridesOf(from);
    std::vector<std::int64_t> steps(to.size(), 0);
    for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i] != 1)
            steps[to.size() - from.size() + i] = strides[i];
    return steps;
}

/// \tparam Element as many bytes as an element has.
template <class Element>
void pickRows(const std::byte* from, std::byte* to, const Shape& shape, std::int64_t base,
              const std::vector<std::int64_t>& steps) {
    const auto length = shape.empty() ? 1 : std::size_t(shape.back());
    const std::int64_t step = shape.empty() ? 1 : steps.back();
    const auto rank = shape.empty() ? 0 : std::ptrdiff_t(shape.size()) - 1;
    const Shape rows(shape.begin(), shape.begin() + rank);
    walk(rows, base, {steps.begin(), steps.begin() + rank}, [&](std::size_t row, std::size_t source) {
        const std::byte* const first = from + source * sizeof(Element);
        std::byte* const out = to + row * length * sizeof(Element);
        if (step == 1)
            std::memcpy(out, first, length * sizeof(Element));
        else
            for (std::size_t i = 0; i < length; ++i)
                std::memcpy(out + i * sizeof(Element),
                            first + std::int64_t(i) * step * std::int64_t(sizeof(Element)), sizeof(Element));
    });
}

Bytes pick(const Value& from, const Shape& shape, std::int64_t base, const std::vector<std::int64_t>& steps) {
    const auto element = static_cast<std::size_t>(bytesOf(from.dtype));
    Bytes result(static_cast<std::size_t>(elementCount(shape).value_or(0)) * element);
    if (result.empty())
        return result;
    const auto rows = element == 1   ? pickRows<std::uint8_t>
                      : element == 2 ? pickRows<std::uint16_t>
                      : element == 4 ? pickRows<std::uint32_t>
                      : element == 8 ? pickRows<std::uint64_t>
                                     : pickRows<std::array<std::byte, 16>>; // complex numbers of two doubles
    rows(from.bytes->data(), result.data(), shape, base, steps);
    return result;
}

using IntUnary = std::int64_t (*)(std::int64_t);
using RealUnary = double (*)(double);
using IntBinary = std::int64_t (*)(std::int64_t, std::int64_t);
using RealBinary = double (*)(double, double);

// Integers wrap around as the operators do on every machine; through unsigned, where that is defined.
std::int64_t wrapAdd(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrapSub(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t wrapMul(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
std::int64_t divide(std::int64_t a, std::int64_t b) {
    return b == 0 ? 0 : b == -1 ? wrapSub(0, a) : a / b;
}
std::int64_t modulo(std::int64_t a, std::int64_t b) { // sign of the divisor, as in Python
    if (b == 0 || b == -1)
        return 0;
    const std::int64_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
std::int64_t remainder(std::int64_t a, std::int64_t b) { // sign of the dividend, as in C
    return b == 0 || b == -1 ? 0 : a % b;
}
std::int64_t shiftLeft(std::int64_t a, std::int64_t b) {
    return b < 0 || b > 63 ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
}
std::int64_t shiftRight(std::int64_t a, std::int64_t b) {
    return b < 0 || b > 63 ? 0 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) >> b);
}
std::int64_t power(std::int64_t a, std::int64_t b) {
    std::int64_t result = 1;
    for (int i = 0; b > 0 && i < 64; ++i, b >>= 1, a = wrapMul(a, a))
        if (b & 1)
            result = wrapMul(result, a);
    return result;
}

struct BinaryFact {
    IntBinary ints;
    RealBinary reals;
};

const BinaryFact* findBinary(const Op& op) {
    static const std::unordered_map<std::string, BinaryFact> table{
        {"Add", {wrapAdd, [](double a, double b) { return a + b; }}},
        {"Sub", {wrapSub, [](double a, double b) { return a - b; }}},
        {"Mul", {wrapMul, [](double a, double b) { return a * b; }}},
        {"Div", {divide, [](double a, double b) { return a / b; }}},
        {"Mod", {modulo, [](double a, double b) { return std::fmod(a, b); }}},
        {"Mod fmod", {remainder, [](double a, double b) { return std::fmod(a, b); }}},
        {"BitShift LEFT", {shiftLeft, nullptr}},
        {"BitShift RIGHT", {shiftRight, nullptr}},
        {"BitwiseAnd", {[](std::int64_t a, std::int64_t b) { return a & b; }, nullptr}},
        {"BitwiseOr", {[](std::int64_t a, std::int64_t b) { return a | b; }, nullptr}},
        {"BitwiseXor", {[](std::int64_t a, std::int64_t b) { return a ^ b; }, nullptr}},
        {"PRelu",
         {[](std::int64_t a, std::int64_t b) { return a < 0 ? wrapMul(a, b) : a; },
          [](double a, double b) { return a < 0 ? a * b : a; }}},
        {"Pow", {power, [](double a, double b) { return std::pow(a, b); }}},
        {"Min",
         {[](std::int64_t a, std::int64_t b) { return std::min(a, b); },
          [](double a, double b) { return std::isnan(a)            ? a
                                          : b < a || std::isnan(b) ? b
                                                                   : a; }}},
        {"Max",
         {[](std::int64_t a, std::int64_t b) { return std::max(a, b); },
          [](double a, double b) { return std::isnan(a)            ? a
                                          : a < b || std::isnan(b) ? b
                                                                   : a; }}},
        {"Sum", {wrapAdd, [](double a, double b) { return a + b; }}},
        {"Equal",
         {[](std::int64_t a, std::int64_t b) -> std::int64_t { return a == b; },
          [](double a, double b) -> double { return a == b; }}},
        {"Less",
         {[](std::int64_t a, std::int64_t b) -> std::int64_t { return a < b; },
          [](double a, double b) -> double { return a < b; }}},
        {"LessOrEqual",
         {[](std::int64_t a, std::int64_t b) -> std::int64_t { return a <= b; },
          [](double a, double b) -> double { return a <= b; }}},
        {"Greater",
         {[](std::int64_t a, std::int64_t b) -> std::int64_t { return a > b; },
          [](double a, double b) -> double { return a > b; }}},
        {"GreaterOrEqual",
         {[](std::int64_t a, std::int64_t b) -> std::int64_t { return a >= b; },
          [](double a, double b) -> double { return a >= b; }}},
        {"And", {[](std::int64_t a, std::int64_t b) -> std::int64_t { return a && b; }, nullptr}},
        {"Or", {[](std::int64_t a, std::int64_t b) -> std::int64_t { return a || b; }, nullptr}},
        {"Xor", {[](std::int64_t a, std::int64_t b) -> std::int64_t { return !a != !b; }, nullptr}},
    };
    const std::string& type = op.type;
    const auto it = table.find(type == "BitShift" ? type + " " + op.stringAttribute("direction", "")
                               : type == "Mod" && op.intAttribute("fmod", 0) != 0 ? type + " fmod"
                                                                                  : type);
    return it == table.end() ? nullptr : &it->second;
}

struct UnaryFact {
    IntUnary ints;
    RealUnary reals;
};

const UnaryFact* findUnary(const std::string& type) {
    static const std::unordered_map<std::string, UnaryFact> table{
        {"Neg", {[](std::int64_t a) { return wrapSub(0, a); }, [](double a) { return -a; }}},
        {"Abs",
         {[](std::int64_t a) { return a < 0 ? wrapSub(0, a) : a; }, [](double a) { return std::fabs(a); }}},
        {"Not", {[](std::int64_t a) -> std::int64_t { return !a; }, nullptr}},
        {"Sign",
         {[](std::int64_t a) -> std::int64_t { return (a > 0) - (a < 0); },
          [](double a) -> double { return std::isnan(a) ? a : (a > 0) - (a < 0); }}},
        {"BitwiseNot", {[](std::int64_t a) { return ~a; }, nullptr}},
        {"Floor", {nullptr, [](double a) { return std::floor(a); }}},
        {"Ceil", {nullptr, [](double a) { return std::ceil(a); }}},
        {"Round", {nullptr, [](double a) { return std::nearbyint(a); }}},
        {"Sqrt", {nullptr, [](double a) { return std::sqrt(a); }}},
        {"Reciprocal", {nullptr, [](double a) { return 1 / a; }}},
        {"Exp", {nullptr, [](double a) { return std::exp(a); }}},
        {"Log", {nullptr, [](double a) { return std::log(a); }}},
        {"Sin", {nullptr, [](double a) { return std::sin(a); }}},
        {"Cos", {nullptr, [](double a) { return std::cos(a); }}},
        {"Tanh", {nullptr, [](double a) { return std::tanh(a); }}},
        {"Erf", {nullptr, [](double a) { return std::erf(a); }}},
        {"Sigmoid", {nullptr, [](double a) { return 1 / (1 + std::exp(-a)); }}},
        {"Relu",
         {[](std::int64_t a) { return std::max(a, std::int64_t(0)); },
          [](double a) { return std::max(a, 0.0); }}},
    };
    const auto it = table.find(type);
    return it == table.end() ? nullptr : &it->second;
}

std::optional<Bytes> binary(const BinaryFact& fact, Inputs in, const Value& out) {
    const bool anyReal =
        std::any_of(in.begin(), in.end(), [](const Value& v) { return isRealType(v.dtype); });
    const auto count = static_cast<std::size_t>(out.count());
    const auto fold = [&](auto read, auto write, auto function) -> std::optional<Bytes> {
        if (!function)
            return std::nullopt;
        auto left = read(*in[0].bytes, in[0].dtype);
        Shape leftShape = in[0].shape;
        if (in.size() == 1)
            return write(left, out.dtype);
        for (std::size_t k = 1; k < in.size(); ++k) { // Min, Max and Sum take any number
            const auto right = read(*in[k].bytes, in[k].dtype);
            decltype(left) result(count);
            walk(out.shape, 0, broadcastSteps(leftShape, out.shape),
                 [&](std::size_t to, std::size_t i) { result[to] = left[i]; });
            walk(out.shape, 0, broadcastSteps(in[k].shape, out.shape),
                 [&](std::size_t to, std::size_t i) { result[to] = function(result[to], right[i]); });
            left = std::move(result);
            leftShape = out.shape;
        }
        return write(left, out.dtype);
    };
    return anyReal ? fold(realsOf, bytesFromReals, fact.reals) : fold(intsOf, bytesFromInts, fact.ints);
}

std::optional<Bytes> unary(const UnaryFact& fact, const Value& in, const Value& out) {
    if (isRealType(in.dtype)) {
        if (!fact.reals)
            return std::nullopt;
        auto values = realsOf(*in.bytes, in.dtype);
        std::transform(values.begin(), values.end(), values.begin(), fact.reals);
        return bytesFromReals(values, out.dtype);
    }
    if (!fact.ints)
        return std::nullopt;
    auto values = intsOf(*in.bytes, in.dtype);
    std::transform(values.begin(), values.end(), values.begin(), fact.ints);
    return bytesFromInts(values, out.dtype);
}

// --- everything else, one function an operator
// ------------------------------------------------------------------

using Evaluator = std::optional<std::vector<Bytes>> (*)(const Op&, Inputs, std::span<const Value> out);
using Answer = std::optional<std::vector<Bytes>>;

std::int64_t axisOf(std::int64_t value, std::size_t rank) {
    return value < 0 ? value + static_cast<std::int64_t>(rank) : value;
}

Answer one(Bytes bytes) {
    std::vector<Bytes> list;
    list.push_back(std::move(bytes));
    return list;
}

Answer copy(const Op&, Inputs in, std::span<const Value> out) {
    std::vector<Bytes> list{*in[0].bytes};
    for (std::size_t i = 1; i < out.size(); ++i) // mask of Dropout: everything kept
        list.push_back(bytesFromInts(std::vector<std::int64_t>(static_cast<std::size_t>(out[i].count()), 1),
                                     out[i].dtype));
    return list;
}

Answer shapeValue(const Op& op, Inputs in, std::span<const Value> out) {
    const auto rank = static_cast<std::int64_t>(in[0].shape.size());
    const std::int64_t start =
        std::clamp(axisOf(op.intAttribute("start", 0), in[0].shape.size()), std::int64_t(0), rank);
    const auto first = in[0].shape.begin() + start;
    return one(bytesFromInts({first, first + out[0].count()}, DataType::I64));
}

Answer sizeValue(const Op&, Inputs in, std::span<const Value>) {
    return one(bytesFromInts({in[0].count()}, DataType::I64));
}

Answer cast(const Op&, Inputs in, std::span<const Value> out) {
    const DataType from = in[0].dtype, to = out[0].dtype;
    if (bytesOf(from) == 0 || bytesOf(to) == 0)
        return std::nullopt;
    if (to == DataType::Bool) {
        const auto values = realsOf(*in[0].bytes, from);
        std::vector<std::int64_t> flags(values.size());
        std::transform(values.begin(), values.end(), flags.begin(), [](double v) { return v != 0; });
        return one(bytesFromInts(flags, to));
    }
    if (isRealType(from) || isRealType(to))
        return one(bytesFromReals(realsOf(*in[0].bytes, from), to));
    return one(bytesFromInts(intsOf(*in[0].bytes, from), to));
}

Answer constantOfShape(const Op& op, Inputs, std::span<const Value> out) {
    const auto count = static_cast<std::size_t>(out[0].count());
    if (isRealType(out[0].dtype))
        return one(bytesFromReals(std::vector<double>(count, op.floatAttribute("value", 0)), out[0].dtype));
    return one(bytesFromInts(std::vector<std::int64_t>(count, op.intAttribute("value", 0)), out[0].dtype));
}

Answer range(const Op&, Inputs in, std::span<const Value> out) {
    const auto count = static_cast<std::size_t>(out[0].count());
    if (isRealType(in[0].dtype)) {
        std::vector<double> values(count);
        const double start = realsOf(*in[0].bytes, in[0].dtype)[0],
                     delta = realsOf(*in[2].bytes, in[2].dtype)[0];
        for (std::size_t i = 0; i < count; ++i)
            values[i] = start + static_cast<double>(i) * delta;
        return one(bytesFromReals(values, out[0].dtype));
    }
    std::vector<std::int64_t> values(count);
    std::int64_t next = intsOf(*in[0].bytes, in[0].dtype)[0];
    const std::int64_t delta = intsOf(*in[2].bytes, in[2].dtype)[0];
    for (auto& v : values) {
        v = next;
        next = wrapAdd(next, delta);
    }
    return one(bytesFromInts(values, out[0].dtype));
}

Answer transpose(const Op& op, Inputs in, std::span<const Value> out) {
    const std::size_t rank = in[0].shape.size();
    std::vector<std::int64_t> reversed(rank);
    for (std::size_t i = 0; i < rank; ++i)
        reversed[i] = static_cast<std::int64_t>(rank - 1 - i);
    const auto order = op.intsAttribute("perm", reversed);
    const auto strides = stridesOf(in[0].shape);
    std::vector<std::int64_t> steps;
    for (const std::int64_t from : order)
        steps.push_back(strides[static_cast<std::size_t>(from)]);
    return one(pick(in[0], out[0].shape, 0, steps));
}

Answer expand(const Op&, Inputs in, std::span<const Value> out) {
    return one(pick(in[0], out[0].shape, 0, broadcastSteps(in[0].shape, out[0].shape)));
}

Answer tile(const Op&, Inputs in, std::span<const Value> out) {
    const auto strides = stridesOf(in[0].shape);
    const auto outStrides = stridesOf(out[0].shape);
    const auto element = static_cast<std::size_t>(bytesOf(in[0].dtype));
    Bytes result(static_cast<std::size_t>(out[0].count()) * element);
    for (std::int64_t i = 0; i < out[0].count(); ++i) {
        std::int64_t source = 0;
        for (std::size_t d = 0; d < strides.size(); ++d)
            source += i / outStrides[d] % out[0].shape[d] % in[0].shape[d] * strides[d];
        std::memcpy(result.data() + static_cast<std::size_t>(i) * element,
                    in[0].bytes->data() + static_cast<std::size_t>(source) * element, element);
    }
    return one(std::move(result));
}

Answer slice(const Op& op, Inputs in, std::span<const Value> out) {
    // The shape rule knows how starts, ends and axes are read; ask it through a graph of these inputs.
    Graph graph;
    Op probe = op;
    probe.inputs.clear();
    for (std::size_t i = 0; i < in.size(); ++i) {
        Tensor t;
        t.dtype = in[i].dtype;
        t.shape = in[i].shape;
        t.constant = in[i].bytes;
        probe.inputs.push_back(in[i].bytes ? TensorId(static_cast<std::int64_t>(i)) : TensorId());
        graph.tensors.push_back(std::move(t));
    }
    const auto ranges = shapes::sliceRanges(OpContext(graph, probe, 17));
    if (!ranges || !*ranges)
        return std::nullopt;
    const auto strides = stridesOf(in[0].shape);
    std::int64_t base = 0;
    std::vector<std::int64_t> steps;
    for (std::size_t d = 0; d < strides.size(); ++d) {
        const auto& r = (**ranges)[d];
        base += r.start * strides[d];
        steps.push_back(wrapMul(r.step, strides[d]));
    }
    return one(pick(in[0], out[0].shape, base, steps));
}

Answer concat(const Op& op, Inputs in, std::span<const Value> out) {
    const auto axis = static_cast<std::size_t>(axisOf(op.intAttribute("axis", 1), out[0].shape.size()));
    std::int64_t outer = 1;
    for (std::size_t d = 0; d < axis; ++d)
        outer *= out[0].shape[d];
    Bytes result;
    for (std::int64_t o = 0; o < outer; ++o)
        for (const Value& part : in) {
            const std::size_t run = part.bytes->size() / static_cast<std::size_t>(outer);
            const auto from =
                part.bytes->begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(o) * run);
            result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(run));
        }
    return one(std::move(result));
}

Answer split(const Op& op, Inputs in, std::span<const Value> out) {
    const auto axis = static_cast<std::size_t>(axisOf(op.intAttribute("axis", 0), in[0].shape.size()));
    const auto strides = stridesOf(in[0].shape);
    std::vector<Bytes> parts;
    std::int64_t start = 0;
    for (const Value& part : out) {
        parts.push_back(pick(in[0], part.shape, start * strides[axis], strides));
        start += part.shape[axis];
    }
    return parts;
}

Answer gather(const Op& op, Inputs in, std::span<const Value> out) {
    const auto axis = static_cast<std::size_t>(axisOf(op.intAttribute("axis", 0), in[0].shape.size()));
    const auto strides = stridesOf(in[0].shape);
    const std::int64_t extent = in[0].shape[axis];
    const auto run = static_cast<std::size_t>(strides[axis] * bytesOf(in[0].dtype));
    const std::size_t block = run * static_cast<std::size_t>(extent);
    Bytes result;
    result.reserve(static_cast<std::size_t>(out[0].count() * bytesOf(in[0].dtype)));
    if (block == 0)
        return one(std::move(result));
    const auto indices = intsOf(*in[1].bytes, in[1].dtype);
    for (std::size_t o = 0; o < in[0].bytes->size() / block; ++o)
        for (const std::int64_t index : indices) {
            const std::int64_t i = axisOf(index, static_cast<std::size_t>(extent));
            if (i < 0 || i >= extent)
                return std::nullopt;
            const auto from = in[0].bytes->begin() +
                              static_cast<std::ptrdiff_t>(o * block + static_cast<std::size_t>(i) * run);
            result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(run));
        }
    return one(std::move(result));
}

Answer where(const Op&, Inputs in, std::span<const Value> out) {
    if (in[0].dtype != DataType::Bool || in[1].dtype != in[2].dtype)
        return std::nullopt;
    const auto condition = pick(in[0], out[0].shape, 0, broadcastSteps(in[0].shape, out[0].shape));
    auto result = pick(in[1], out[0].shape, 0, broadcastSteps(in[1].shape, out[0].shape));
    const auto other = pick(in[2], out[0].shape, 0, broadcastSteps(in[2].shape, out[0].shape));
    const auto element = static_cast<std::size_t>(bytesOf(in[1].dtype));
    for (std::size_t i = 0; i < condition.size(); ++i)
        if (condition[i] == std::byte(0))
            std::memcpy(result.data() + i * element, other.data() + i * element, element);
    return one(std::move(result));
}

Answer clip(const Op& op, Inputs in, std::span<const Value> out) {
    auto values = realsOf(*in[0].bytes, in[0].dtype);
    const auto limit = [&](std::size_t i, const char* name, double fallback) {
        return in.size() > i && in[i].bytes && !in[i].bytes->empty() ? realsOf(*in[i].bytes, in[i].dtype)[0]
                                                                     : op.floatAttribute(name, fallback);
    };
    const double low = limit(1, "min", -std::numeric_limits<double>::infinity());
    const double high = limit(2, "max", std::numeric_limits<double>::infinity());
    for (double& v : values)
        v = std::min(std::max(v, low), high);
    return one(bytesFromReals(values, out[0].dtype));
}

Answer reduce(const Op& op, Inputs in, std::span<const Value> out) {
    const Shape& shape = in[0].shape;
    std::vector<bool> mask(shape.size(), true);
    const auto axes =
        in.size() > 1 && in[1].bytes ? intsOf(*in[1].bytes, in[1].dtype) : op.intsAttribute("axes", {});
    if (!axes.empty()) {
        mask.assign(shape.size(), false);
        for (const std::int64_t a : axes)
            mask[static_cast<std::size_t>(axisOf(a, shape.size()))] = true;
    } else if (op.intAttribute("noop_with_empty_axes", 0) != 0) {
        return one(*in[0].bytes);
    }
    // Steps through the output while walking the input: 0 along reduced axes.
    std::vector<std::int64_t> steps(shape.size(), 0);
    std::int64_t stride = 1, reducedCount = 1;
    for (std::size_t d = shape.size(); d-- > 0;)
        if (mask[d]) {
            reducedCount *= shape[d];
        } else {
            steps[d] = stride;
            stride *= shape[d];
        }
    const bool isMin = op.type == "ReduceMin", isMax = op.type == "ReduceMax",
               isProduct = op.type == "ReduceProd";
    const auto run = [&](auto values, auto write) {
        using T = typename decltype(values)::value_type;
        std::vector<T> result(static_cast<std::size_t>(out[0].count()), isProduct ? T(1) : T(0));
        std::vector<bool> seen(result.size(), false);
        walk(shape, 0, steps, [&](std::size_t i, std::size_t to) {
            const T v = values[i];
            if constexpr (std::is_same_v<T, double>)
                result[to] = isProduct           ? result[to] * v
                             : !(isMin || isMax) ? result[to] + v
                             : !seen[to]         ? v
                             : isMin             ? std::min(result[to], v)
                                                 : std::max(result[to], v);
            else
                result[to] = isProduct           ? wrapMul(result[to], v)
                             : !(isMin || isMax) ? wrapAdd(result[to], v)
                             : !seen[to]         ? v
                             : isMin             ? std::min(result[to], v)
                                                 : std::max(result[to], v);
            seen[to] = true;
        });
        if (op.type == "ReduceMean" && reducedCount > 0)
            for (T& v : result)
                v /= static_cast<T>(reducedCount);
        return one(write(result, out[0].dtype));
    };
    return isRealType(in[0].dtype) ? run(realsOf(*in[0].bytes, in[0].dtype), bytesFromReals)
                                   : run(intsOf(*in[0].bytes, in[0].dtype), bytesFromInts);
}

Answer nonZero(const Op&, Inputs in, std::span<const Value> out) {
    const auto values = realsOf(*in[0].bytes, in[0].dtype);
    const auto strides = stridesOf(in[0].shape);
    const auto count = static_cast<std::size_t>(out[0].shape[1]);
    std::vector<std::int64_t> result(strides.size() * count);
    std::size_t found = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] == 0)
            continue;
        for (std::size_t d = 0; d < strides.size(); ++d)
            result[d * count + found] = static_cast<std::int64_t>(i) / strides[d] % in[0].shape[d];
        ++found;
    }
    return one(bytesFromInts(result, DataType::I64));
}

Answer cumSum(const Op& op, Inputs in, std::span<const Value> out) {
    if (in[1].count() != 1)
        return std::nullopt;
    const auto axis =
        static_cast<std::size_t>(axisOf(intsOf(*in[1].bytes, in[1].dtype)[0], in[0].shape.size()));
    if (axis >= in[0].shape.size())
        return std::nullopt;
    const bool reverse = op.intAttribute("reverse", 0) != 0, exclusive = op.intAttribute("exclusive", 0) != 0;
    const auto values = realsOf(*in[0].bytes, in[0].dtype);
    std::vector<double> sums(values.size());
    const auto stride = static_cast<std::size_t>(stridesOf(in[0].shape)[axis]),
               extent = static_cast<std::size_t>(in[0].shape[axis]);
    for (std::size_t k = 0; k < values.size(); ++k) {
        const std::size_t i = reverse ? values.size() - 1 - k : k, before = reverse ? i + stride : i - stride;
        const std::size_t at = i / stride % extent;
        const bool first = at == (reverse ? extent - 1 : 0);
        sums[i] = (first ? 0 : sums[before]) + (!exclusive ? values[i] : first ? 0 : values[before]);
    }
    return one(bytesFromReals(sums, out[0].dtype));
}

Answer trilu(const Op& op, Inputs in, std::span<const Value>) {
    const Shape& shape = in[0].shape;
    if (shape.size() < 2)
        return std::nullopt;
    const std::int64_t k =
        in.size() > 1 && in[1].bytes && in[1].count() == 1 ? intsOf(*in[1].bytes, in[1].dtype)[0] : 0;
    const bool upper = op.intAttribute("upper", 1) != 0;
    const auto element = static_cast<std::size_t>(bytesOf(in[0].dtype));
    Bytes result = *in[0].bytes;
    const std::int64_t columns = shape.back(), rows = shape[shape.size() - 2];
    for (std::int64_t i = 0; i < in[0].count(); ++i) {
        const Wide offset = Wide(i % columns) - i / columns % rows;
        if (upper ? offset < k : offset > k)
            std::memset(result.data() + static_cast<std::size_t>(i) * element, 0, element);
    }
    return one(std::move(result));
}

/// Weight (input 0 = weight, 1 = scale, 2 = variance; output channels on axis 0) and bias (0 = bias, 1 =
/// scale, 2 = variance, 3 = mean, 4 = shift) of a convolution with the BatchNorm behind it folded in: w' = w
/// * s / sqrt(var + eps), b' = (b - mean) * s / sqrt(var + eps) + shift (Ioffe and Szegedy 2015, Algorithm
/// 1).
Answer foldedBatchNorm(const Op& op, Inputs in, std::span<const Value> out) {
    const bool isBias = op.type == "FoldedBias";
    auto values = in[0].bytes ? realsOf(*in[0].bytes, in[0].dtype)
                              : std::vector<double>(static_cast<std::size_t>(out[0].count()), 0.0);
    const auto scale = realsOf(*in[1].bytes, in[1].dtype), variance = realsOf(*in[2].bytes, in[2].dtype);
    const auto mean = isBias ? realsOf(*in[3].bytes, in[3].dtype) : std::vector<double>();
    const auto shift = isBias ? realsOf(*in[4].bytes, in[4].dtype) : std::vector<double>();
    const double epsilon = op.floatAttribute("epsilon", 1e-5);
    const std::size_t channels = scale.size();
    // Weights are [group][input][channel of the group][run]; those of a Conv are a group a channel.
    const auto groups = std::size_t(op.intAttribute("groups", 1)),
               run = std::size_t(op.intAttribute("run", 1));
    if (variance.size() != channels || (isBias && (mean.size() != channels || shift.size() != channels)) ||
        channels < 1 || groups < 1 || run < 1 || channels % groups != 0 ||
        values.size() % (channels * run) != 0)
        return std::nullopt;
    const std::size_t ofGroup = channels / groups, group = values.size() / groups;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t c = i / group * ofGroup + i / run % ofGroup;
        const double factor = scale[c] / std::sqrt(variance[c] + epsilon);
        values[i] = isBias ? (values[i] - mean[c]) * factor + shift[c] : values[i] * factor;
    }
    return one(bytesFromReals(values, out[0].dtype));
}

/// (x - zero point) * scale: weights of quantised models. [ONNX operator DequantizeLinear]
Answer dequantized(const Op& op, Inputs in, std::span<const Value> out) {
    if (in.size() < 2 || !in[1].bytes)
        return std::nullopt;
    const auto places = ScalePlaces::of(op, in[0].shape, in[1].shape);
    const auto scale = realsOf(*in[1].bytes, in[1].dtype);
    const bool hasZero = in.size() > 2 && in[2].bytes;
    const auto zero = hasZero ? realsOf(*in[2].bytes, in[2].dtype) : std::vector<double>(scale.size(), 0.0);
    auto values = realsOf(*in[0].bytes, in[0].dtype);
    if (!places || zero.size() != scale.size() || (scale.empty() && !values.empty()))
        return std::nullopt;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t place = (*places)(i);
        values[i] = (values[i] - zero[place]) * scale[place];
    }
    return one(bytesFromReals(values, out[0].dtype));
}

/// Weights [N, blocks, bytes of a block] with scales [N, blocks] as [K, N]. Numbers of 2 and 4 bits lie lower bits first, zeros packed like
/// them in whole bytes a row, 2^(bits - 1) where there are none; the block whose scale a row has may be given, [K].
/// [MatMulNBits in docs/ContribOperators.md of ONNX Runtime 1.20]
Answer unpacked(const Op& op, Inputs in, std::span<const Value> out) {
    const std::int64_t k = op.intAttribute("K", 0), n = op.intAttribute("N", 0),
                       bits = op.intAttribute("bits", 4), block = op.intAttribute("block_size", 32);
    constexpr std::int64_t kMost = std::int64_t{1} << 30; // of each: no product of two is beyond 64 bits
    if (k < 1 || k > kMost || n < 1 || n > kMost || block < 16 || block > (1 << 16) ||
        (bits != 2 && bits != 4 && bits != 8) || in[0].dtype != DataType::U8 ||
        (in.size() > 2 && in[2].dtype != DataType::Unknown && !in[2].bytes) ||
        (in.size() > 3 && in[3].dtype != DataType::Unknown && !in[3].bytes))
        return std::nullopt;
    const std::int64_t blocks = (k + block - 1) / block, blockBytes = block * bits / 8,
                       zeroBytes = (blocks * bits + 7) / 8, inByte = 8 / bits;
    const auto scales = realsOf(*in[1].bytes, in[1].dtype);
    const bool hasZeros = in.size() > 2 && in[2].bytes, isOrdered = in.size() > 3 && in[3].bytes;
    const bool realZeros = hasZeros && isRealType(in[2].dtype);
    const auto zeros = hasZeros ? realsOf(*in[2].bytes, in[2].dtype) : std::vector<double>();
    const auto order = isOrdered ? intsOf(*in[3].bytes, in[3].dtype) : std::vector<std::int64_t>();
    if (in[0].count() != n * blocks * blockBytes || std::ssize(scales) != n * blocks ||
        (hasZeros && std::ssize(zeros) != n * (realZeros ? blocks : zeroBytes)) ||
        (isOrdered && std::ssize(order) < k) || // it may be as long as whole blocks are
        std::ranges::any_of(order, [&](std::int64_t part) { return part < 0 || part >= blocks; }))
        return std::nullopt;
    const auto number = [&](std::int64_t byte, std::int64_t place) { // of the bytes of a row
        return byte >> place % inByte * bits & ((1 << bits) - 1);
    };
    std::vector<double> values(static_cast<std::size_t>(k * n));
    for (std::int64_t column = 0; column < n; ++column)
        for (std::int64_t row = 0; row < k; ++row) {
            const std::int64_t inside = row % block,
                               part = isOrdered ? order[static_cast<std::size_t>(row)] : row / block;
            const auto at = static_cast<std::size_t>(column * blocks + part);
            const auto byte = std::int64_t((*in[0].bytes)[static_cast<std::size_t>(
                (column * blocks + row / block) * blockBytes + inside / inByte)]);
            double zero = double(std::int64_t{1} << (bits - 1));
            if (realZeros)
                zero = zeros[at];
            else if (hasZeros)
                zero = double(number(
                    std::int64_t(zeros[static_cast<std::size_t>(column * zeroBytes + part / inByte)]), part));
            values[static_cast<std::size_t>(row * n + column)] =
                (double(number(byte, inside)) - zero) * scales[at];
        }
    return one(bytesFromReals(values, out[0].dtype));
}

Evaluator findEvaluator(const std::string& type) {
    static const std::unordered_map<std::string, Evaluator> table{
        {"Identity", copy},
        {"Dropout", copy},
        {"Reshape", copy},
        {"Flatten", copy},
        {"Squeeze", copy},
        {"Unsqueeze", copy},
        {"Shape", shapeValue},
        {"Size", sizeValue},
        {"Cast", cast},
        {"CastLike", cast},
        {"ConstantOfShape", constantOfShape},
        {"Range", range},
        {"Transpose", transpose},
        {"Expand", expand},
        {"Tile", tile},
        {"Slice", slice},
        {"Concat", concat},
        {"Split", split},
        {"Gather", gather},
        {"Where", where},
        {"Clip", clip},
        {"ReduceSum", reduce},
        {"ReduceMean", reduce},
        {"ReduceMin", reduce},
        {"ReduceMax", reduce},
        {"ReduceProd", reduce},
        {"NonZero", nonZero},
        {"CumSum", cumSum},
        {"Trilu", trilu},
        {"FoldedWeight", foldedBatchNorm},
        {"FoldedBias", foldedBatchNorm},
        {"DequantizeLinear", dequantized},
        {"Unpacked", unpacked},
    };
    const auto it = table.find(type);
    return it == table.end() ? nullptr : it->second;
}

} // namespace

std::vector<std::int64_t> intsOf(std::span<const std::byte> bytes, DataType type) {
    std::vector<std::int64_t> values;
    if (isBitPattern(type)) {
        for (const double v : realsOf(bytes, type))
            values.push_back(toInt(v));
        return values;
    }
    withType(type, [&](auto sample) {
        using T = decltype(sample);
        values.resize(bytes.size() / sizeof(T));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const T v = load<T>(bytes.data() + i * sizeof(T));
            if constexpr (std::is_floating_point_v<T>)
                values[i] = toInt(v);
            else
                values[i] = static_cast<std::int64_t>(v);
        }
    });
    return values;
}

std::vector<double> realsOf(std::span<const std::byte> bytes, DataType type) {
    std::vector<double> values;
    if (const SmallFloat* small = smallFloat(type)) {
        for (const std::byte bits : bytes)
            values.push_back(smallToFloat(*small, std::to_integer<std::uint8_t>(bits)));
        return values;
    }
    if (type == DataType::F16 || type == DataType::BF16) {
        values.resize(bytes.size() / 2);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto bits = load<std::uint16_t>(bytes.data() + i * 2);
            values[i] = type == DataType::F16 ? halfToFloat(bits) : bfloatToFloat(bits);
        }
        return values;
    }
    withType(type, [&](auto sample) {
        using T = decltype(sample);
        values.resize(bytes.size() / sizeof(T));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<double>(load<T>(bytes.data() + i * sizeof(T)));
    });
    return values;
}

std::vector<std::byte> bytesFromInts(const std::vector<std::int64_t>& values, DataType type) {
    if (isBitPattern(type))
        return bytesFromReals(std::vector<double>(values.begin(), values.end()), type);
    Bytes bytes;
    withType(type, [&](auto sample) {
        using T = decltype(sample);
        bytes.resize(values.size() * sizeof(T));
        for (std::size_t i = 0; i < values.size(); ++i)
            store(bytes.data() + i * sizeof(T), static_cast<T>(values[i]));
    });
    return keptBits(std::move(bytes), type);
}

std::vector<std::byte> bytesFromReals(const std::vector<double>& values, DataType type) {
    Bytes bytes;
    if (const SmallFloat* small = smallFloat(type)) {
        for (const double value : values)
            bytes.push_back(static_cast<std::byte>(doubleToSmall(*small, value)));
        return bytes;
    }
    if (type == DataType::F16 || type == DataType::BF16) {
        bytes.resize(values.size() * 2);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::uint16_t bits = type == DataType::F16 ? doubleToHalf(values[i])
                                                             : floatToBfloat(static_cast<float>(values[i]));
            store(bytes.data() + i * 2, bits);
        }
        return bytes;
    }
    withType(type, [&](auto sample) {
        using T = decltype(sample);
        bytes.resize(values.size() * sizeof(T));
        for (std::size_t i = 0; i < values.size(); ++i) {
            if constexpr (std::is_floating_point_v<T>)
                store(bytes.data() + i * sizeof(T), static_cast<T>(values[i]));
            else
                store(bytes.data() + i * sizeof(T), static_cast<T>(toInt(values[i])));
        }
    });
    return keptBits(std::move(bytes), type);
}

double roundedTo(DataType type, double value, bool saturates) {
    if (const SmallFloat* small = smallFloat(type))
        return static_cast<double>(smallToFloat(*small, doubleToSmall(*small, value, saturates)));
    return type == DataType::F32 || type == DataType::F64 || !isRealType(type)
               ? value
               : realsOf(bytesFromReals({value}, type), type).front();
}

bool canEvaluate(const Op& op) {
    return (op.domain.empty() || op.domain == "pim") &&
           (findEvaluator(op.type) || findBinary(op) || findUnary(op.type));
}

std::optional<std::vector<std::vector<std::byte>>> evaluate(const Op& op, std::span<const Value> inputs,
                                                            std::span<const Value> outputs) {
    if (outputs.empty() || inputs.empty() || !canEvaluate(op))
        return std::nullopt;
    for (const Value& v : outputs)
        if (bytesOf(v.dtype) == 0)
            return std::nullopt;
    for (const Value& v : inputs)
        if (v.bytes && (bytesOf(v.dtype) == 0 ||
                        static_cast<std::int64_t>(v.bytes->size()) != v.count() * bytesOf(v.dtype)))
            return std::nullopt;
    const auto given = [&](std::size_t n) {
        return inputs.size() >= n &&
               std::all_of(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(n),
                           [](const Value& v) { return v.bytes != nullptr; });
    };
    if (const auto* fact = findBinary(op)) {
        auto bytes = given(inputs.size()) ? binary(*fact, inputs, outputs[0]) : std::nullopt;
        return bytes ? one(std::move(*bytes)) : std::nullopt;
    }
    if (const auto* fact = findUnary(op.type)) {
        auto bytes = given(1) ? unary(*fact, inputs[0], outputs[0]) : std::nullopt;
        return bytes ? one(std::move(*bytes)) : std::nullopt;
    }
    // Shape and Size look at no element; the others need their leading operands.
    static const std::unordered_map<std::string, std::size_t> needed{
        {"Shape", 0}, {"Size", 0},   {"ConstantOfShape", 0}, {"Range", 3},      {"Gather", 2},
        {"Where", 3}, {"CumSum", 2}, {"FoldedWeight", 3},    {"FoldedBias", 0}, {"Unpacked", 2}};
    const auto it = needed.find(op.type);
    if (!given(op.type == "Concat" ? inputs.size() : it == needed.end() ? 1 : it->second))
        return std::nullopt;
    if (op.type == "FoldedBias" &&
        !(inputs.size() >= 5 && inputs[1].bytes && inputs[2].bytes && inputs[3].bytes && inputs[4].bytes))
        return std::nullopt;
    auto result = findEvaluator(op.type)(op, inputs, outputs);
    // A result of the wrong size would be read past its end later; rather no value than that.
    for (std::size_t i = 0; result && i < outputs.size(); ++i)
        if (i >= result->size() ||
            static_cast<std::int64_t>((*result)[i].size()) != outputs[i].count() * bytesOf(outputs[i].dtype))
            return std::nullopt;
    return result;
}

} // namespace pim
