// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core_numeric/operator_cases.h"

#include "core/base/split_mix.h"
#include "core/graph/file/onnx_model.h"
#include "tests/core_graph/onnx_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <set>

namespace pim::test {

namespace {

using Dims = std::vector<std::int64_t>;
using Types = std::vector<DataType>;
using enum DataType;

struct Operand {
    DataType type = F32;
    Dims dims;
    std::vector<double> values; ///< Empty: made up.
    bool isConstant = false;
    bool isAbsent = false;
};

Operand in(Dims dims, DataType type = F32) {
    return {type, std::move(dims), {}, false, false};
}
Operand weights(Dims dims, DataType type = F32) {
    return {type, std::move(dims), {}, true, false};
}
Operand ints(const Dims& values, DataType type = I64) {
    return {type, {std::ssize(values)}, {values.begin(), values.end()}, true, false};
}
Operand scalar(double value, DataType type = F32) {
    return {type, {}, {value}, true, false};
}
Operand list(std::vector<double> values, DataType type = F32) {
    const Dims dims{std::ssize(values)};
    return {type, dims, std::move(values), true, false};
}
Operand given(Operand operand) { // not a constant
    operand.isConstant = false;
    return operand;
}
Operand absent() {
    return {F32, {}, {}, false, true};
}

bool isSigned(DataType type) {
    return type == I8 || type == I16 || type == I32 || type == I64 || isRealType(type);
}

/// Multiples of 1/8 from -4 to 4, whole numbers from -5 to 5 or 0 to 9: sums of them are exact, and there are ties.
double madeUp(DataType type, std::uint64_t& state) {
    const double fraction = nextFraction(state);
    if (type == Bool)
        return fraction < 0.5 ? 0 : 1;
    if (isRealType(type))
        return std::floor(fraction * 65) / 8 - 4;
    return isSigned(type) ? std::floor(fraction * 11) - 5 : std::floor(fraction * 10);
}

Value valueOf(const Operand& operand, std::uint64_t& state) {
    std::vector<double> values = operand.values;
    if (values.empty())
        for (std::int64_t i = 0; i < elementCount(operand.dims).value_or(0); ++i)
            values.push_back(madeUp(operand.type, state));
    std::vector<std::byte> bytes;
    if (isRealType(operand.type)) {
        bytes = bytesFromReals(values, operand.type);
    } else {
        std::vector<std::int64_t> numbers;
        for (const double v : values)
            numbers.push_back(static_cast<std::int64_t>(v));
        bytes = bytesFromInts(numbers, operand.type);
    }
    return {operand.type, operand.dims, std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
}

std::string textOf(const AttributeSpec& value) {
    if (const auto* list = std::get_if<Dims>(&value))
        return fmt::format("{}", *list);
    if (const auto* reals = std::get_if<std::vector<double>>(&value))
        return fmt::format("{}", *reals);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value))
        return fmt::format("{}", fmt::join(*texts, ","));
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    if (const auto* real = std::get_if<double>(&value))
        return fmt::format("{}", *real);
    return fmt::format("{}", std::get<std::int64_t>(value));
}

class Cases {
public:
    Cases() = default;
    /// Only those of these names, as models of another operator set.
    Cases(const std::set<std::string>& names, std::int64_t opset) : m_only(names), m_opset(opset) {}

    /// \param note  what the operands do not say
    void add(const std::string& type, std::int64_t opset, const std::vector<Operand>& operands,
             const Attributes& attributes = {}, const std::string& note = {}, int outputs = 1,
             const std::string& domain = {});
    /// The result of a type that ONNX Runtime hands out to nobody is brought to single precision.
    void addNarrow(const std::string& type, std::int64_t opset, const std::vector<Operand>& operands,
                   const Attributes& attributes, DataType result);

    std::vector<ModelCase> all;

private:
    std::set<std::string> m_names, m_only;
    std::int64_t m_opset = 0; ///< 0: that of each case.
    std::string m_back;       ///< Operator behind the one that is tried.
};

/// As a file has them.
std::string storedAs(const Value& value) {
    std::string bytes(reinterpret_cast<const char*>(value.bytes->data()), value.bytes->size());
    if (storedBytes(value.dtype, 2) != 1)
        return bytes;
    std::string pairs((bytes.size() + 1) / 2, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i)
        pairs[i / 2] = static_cast<char>(pairs[i / 2] | (bytes[i] & 15) << (i % 2 * 4));
    return pairs;
}

void Cases::addNarrow(const std::string& type, std::int64_t opset, const std::vector<Operand>& operands,
                      const Attributes& attributes, DataType result) {
    m_back = isRealType(result) ? "Cast" : "DequantizeLinear";
    add(type, opset, operands, attributes, "to " + std::string(pim::name(result)));
    m_back.clear();
}

std::string valuesText(const Operand& operand) {
    if (!operand.isConstant)
        return {};
    return operand.values.empty() || operand.values.size() > 8
               ? "c"
               : fmt::format("={}", fmt::join(operand.values, ","));
}

void Cases::add(const std::string& type, std::int64_t opset, const std::vector<Operand>& operands,
                const Attributes& attributes, const std::string& note, int outputs,
                const std::string& domain) {
    ModelCase made;
    made.name = fmt::format("{}{}{} {}", domain, domain.empty() ? "" : "::", type, opset);
    for (const Operand& operand : operands)
        if (!operand.isAbsent)
            made.name += fmt::format(" {}{}{}", pim::name(operand.type), operand.dims, valuesText(operand));
    for (const auto& [key, value] : attributes)
        made.name += fmt::format(" {}={}", key, textOf(value));
    made.name += (note.empty() ? "" : ", ") + note;
    std::uint64_t state = m_names.size() + 1;
    if (!m_names.insert(made.name).second || // two loops of the enumeration meet
        (!m_only.empty() && !m_only.contains(made.name)))
        return;
    OnnxBuilder model(m_opset > 0 ? m_opset : opset);
    if (!domain.empty())
        model.domain(domain, 1);
    std::vector<std::string> inputs, results;
    for (const Operand& operand : operands) {
        if (operand.isAbsent) {
            inputs.emplace_back();
            continue;
        }
        inputs.push_back(fmt::format("x{}", inputs.size()));
        const auto onnxType = static_cast<int>(file::onnxFromDataType(operand.type));
        Value value = valueOf(operand, state);
        if (operand.isConstant) {
            model.constant(inputs.back(), operand.dims, onnxType, storedAs(value));
        } else {
            model.input(inputs.back(), {operand.dims.begin(), operand.dims.end()}, onnxType);
            made.inputs.emplace_back(inputs.back(), std::move(value));
        }
    }
    for (int i = 0; i < outputs; ++i) {
        results.push_back(fmt::format("{}{}", m_back.empty() ? "y" : "z", i));
        if (m_back.empty())
            model.output(results.back());
    }
    if (!m_back.empty()) {
        model.output("y0").scalar("one", 1);
        if (m_back == "Cast")
            model.node(m_back, {"z0"}, {"y0"}, {{"to", std::int64_t(1)}});
        else
            model.node(m_back, {"z0", "one"}, {"y0"});
    }
    made.onnx = model.node(type, inputs, results, attributes, "", domain).bytes();
    all.push_back(std::move(made));
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
/// Of every kind there is; large ones where exp overflows.
const std::vector<double> kSpecial{0,    -0.0,  1,    -1,    0.5,  -0.5,      1.5,        2.5,
                                   -2.5, 1e-20, 0.25, 100,   -100, 1e30,      -1e30,      3.75,
                                   -7.5, 6,     -3,   1e-7F, 20,   kInfinity, -kInfinity, kNan};
const Types kReals{F32, F64};
const Types kSigned{F32, F64, I8, I16, I32, I64};
const Types kNumbers{F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};

/// In double precision without those whose function single precision cannot tell: what is computed here is that.
Operand special(DataType type) {
    return given(list(type == F64 ? std::vector<double>{0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.25, 3.75, -7.5,
                                                        6, -3, 20, kInfinity, -kInfinity, kNan}
                                  : kSpecial,
                      type));
}

void addUnary(Cases& cases) {
    for (const char* type :
         {"Abs",      "Acos",     "Acosh",       "Asin",      "Asinh",     "Atan",
          "Atanh",    "Ceil",     "Cos",         "Cosh",      "Erf",       "Exp",
          "Floor",    "IsInf",    "IsNaN",       "Log",       "Neg",       "Reciprocal",
          "Relu",     "Round",    "Sigmoid",     "Sign",      "Sin",       "Sinh",
          "Softplus", "Softsign", "Sqrt",        "Tan",       "Tanh",      "Elu",
          "Selu",     "Celu",     "HardSigmoid", "HardSwish", "LeakyRelu", "ThresholdedRelu",
          "Shrink",   "Hardmax"})
        for (const DataType real : kReals) {
            cases.add(type, 17, {special(real)}, {}, "special");
            cases.add(type, 17, {in({2, 3}, real)});
            cases.add(type, 17, {in({}, real)});
            cases.add(type, 17, {in({2, 0}, real)});
        }
    for (const char* type : {"Abs", "Neg", "Sign", "Relu"})
        for (const DataType number : kNumbers)
            if (!isRealType(number) && (isSigned(number) || std::string_view(type) != "Neg"))
                cases.add(type, 17, {in({2, 5}, number)});
    cases.add("Not", 17, {in({2, 3}, Bool)});
    for (const DataType whole : {I8, I32, U8, U16, U32, U64, I64, I16})
        cases.add("BitwiseNot", 18, {in({2, 3}, whole)});
    cases.add("Mish", 18, {special(F32)}, {}, "special");
    for (const char* form : {"none", "tanh"})
        cases.add("Gelu", 20, {special(F32)}, {{"approximate", std::string(form)}}, "special");
    for (const double alpha : {0.0, 0.3, 2.0, -0.5}) {
        for (const char* type : {"Elu", "LeakyRelu", "ThresholdedRelu"})
            cases.add(type, 17, {special(F32)}, {{"alpha", alpha}}, "special");
        if (alpha != 0)
            cases.add("Celu", 17, {special(F32)}, {{"alpha", alpha}}, "special");
        cases.add("Selu", 17, {special(F32)}, {{"alpha", alpha}, {"gamma", 1.5}}, "special");
        cases.add("HardSigmoid", 17, {special(F32)}, {{"alpha", alpha}, {"beta", 0.25}}, "special");
        cases.add("Shrink", 17, {special(F32)}, {{"lambd", 0.75}, {"bias", alpha}}, "special");
    }
    for (const std::int64_t negative : {0, 1})
        for (const std::int64_t positive : {0, 1})
            cases.add("IsInf", 17, {special(F32)},
                      {{"detect_negative", negative}, {"detect_positive", positive}}, "special");
    for (const char* type : {"Gelu", "FastGelu", "QuickGelu"})
        cases.add(type, 17, {special(F32)}, {}, "special", 1, "com.microsoft");
    cases.add("QuickGelu", 17, {special(F32)}, {{"alpha", 0.7}}, "special", 1, "com.microsoft");
    cases.add("FastGelu", 17, {in({2, 4}), in({4})}, {}, "", 1, "com.microsoft");
    cases.add("BiasGelu", 17, {in({2, 4}), in({4})}, {}, "", 1, "com.microsoft");
}

void addClip(Cases& cases) {
    cases.add("Clip", 6, {special(F32)}, {}, "special");
    cases.add("Clip", 6, {special(F32)}, {{"min", -1.5}}, "special");
    cases.add("Clip", 6, {special(F32)}, {{"max", 2.0}}, "special");
    cases.add("Clip", 6, {special(F32)}, {{"min", -1.5}, {"max", 2.0}}, "special");
    for (const DataType type : {F32, F64, I8, U8, I32, U32, I64, U64}) {
        const double low = isSigned(type) ? -2 : 2;
        for (const bool constant : {true, false}) {
            const auto bound = [&](double v) { return constant ? scalar(v, type) : given(scalar(v, type)); };
            const std::string note = constant ? "" : "bounds given";
            cases.add("Clip", 13, {in({12}, type), bound(low), bound(3)}, {}, note);
            cases.add("Clip", 13, {in({12}, type), bound(low)}, {}, note);
            cases.add("Clip", 13, {in({12}, type), absent(), bound(3)}, {}, note);
            cases.add("Clip", 13, {in({12}, type), bound(3), bound(low)}, {}, note + " the wrong way round");
        }
        cases.add("Clip", 13, {in({12}, type)});
    }
    cases.add("Clip", 13, {special(F32), scalar(-1), scalar(2)}, {}, "special");
}

const std::vector<std::pair<Dims, Dims>> kBroadcasts{
    {{2, 3}, {2, 3}}, {{2, 3}, {3}},       {{3}, {2, 3}},    {{2, 1}, {1, 3}}, {{2, 3}, {}},
    {{}, {2, 3}},     {{2, 1, 3}, {4, 1}}, {{0, 3}, {1, 3}}, {{1}, {1, 1, 1}}, {{2, 3, 1, 2}, {3, 2, 1}}};

void addBinary(Cases& cases) {
    for (const char* type : {"Add", "Sub", "Mul", "Max", "Min", "Equal", "Less", "LessOrEqual", "Greater",
                             "GreaterOrEqual", "Sum", "Mean", "PRelu"}) {
        const bool realOnly = std::string_view(type) == "Sum" || std::string_view(type) == "Mean";
        for (const auto& [a, b] : kBroadcasts)
            cases.add(type, 17, {in(a), in(b)});
        for (const DataType number : realOnly ? kReals : kNumbers)
            cases.add(type, 17, {in({3, 4}, number), in({4}, number)});
        if (std::string_view(type) != "PRelu")
            cases.add(type, 17, {special(F32), scalar(0.5)}, {}, "special");
    }
    for (const char* type : {"Max", "Min"}) {
        cases.add(type, 17, {special(F32), scalar(kNan)}, {}, "special");
        cases.add(type, 17, {scalar(kNan), special(F32)}, {}, "special, not a number first");
    }
    for (const char* type : {"Max", "Min", "Sum", "Mean"})
        for (const std::size_t count : {1, 3, 4}) {
            std::vector<Operand> operands;
            for (std::size_t i = 0; i < count; ++i)
                operands.push_back(in(i % 2 ? Dims{3} : Dims{2, 3}));
            cases.add(type, 13, operands);
        }
    const auto divisors = [](DataType type) {
        return isSigned(type) ? list({1, -2, 3, -1, 5, -4}, type) : list({1, 2, 3, 9, 5, 4}, type);
    };
    for (const DataType number : kNumbers) {
        cases.add("Div", 17, {in({3, 6}, number), given(divisors(number))});
        if (!isRealType(number))
            cases.add("Mod", 17, {in({3, 6}, number), given(divisors(number))});
        cases.add("Mod", 17, {in({3, 6}, number), given(divisors(number))}, {{"fmod", std::int64_t(1)}});
    }
    cases.add("Div", 17, {special(F32), scalar(0)}, {}, "special");
    for (const auto& [a, b] : kBroadcasts)
        cases.add("Div", 17, {in(a), given(in(b))}, {}, "any");
    for (const double exponent : {0.0, 1.0, 2.0, 3.0, 0.5, -1.0, -0.5, 2.5})
        cases.add("Pow", 17, {special(F32), scalar(exponent)}, {}, "special");
    for (const DataType base : {F32, F64, I32, I64})
        for (const DataType exponent : {F32, F64, I32, I64})
            cases.add("Pow", 17, {in({8}, base), given(list({0, 1, 2, 3, 2, 3, 1, 2}, exponent))});
    for (const char* type : {"And", "Or", "Xor", "Equal"})
        for (const auto& [a, b] : kBroadcasts)
            cases.add(type, 17, {in(a, Bool), in(b, Bool)});
    for (const char* type : {"BitwiseAnd", "BitwiseOr", "BitwiseXor"})
        for (const DataType whole : {I8, I32, U8, U64})
            cases.add(type, 18, {in({2, 3}, whole), in({3}, whole)});
    for (const char* direction : {"LEFT", "RIGHT"})
        for (const DataType whole : {U8, U32, U64})
            cases.add("BitShift", 17, {in({6}, whole), given(list({0, 1, 2, 3, 4, 5}, whole))},
                      {{"direction", std::string(direction)}});
    for (const DataType number : {F32, F64, I32, I64, U8, Bool})
        for (const auto& [a, b] : kBroadcasts)
            if (number == F32 || a.size() == 2)
                cases.add("Where", 17, {in(a, Bool), in(b, number), in(a, number)});
    cases.add("Where", 17, {in({2, 1}, Bool), in({3}), in({4, 1, 1})});
}

void addCasts(Cases& cases) {
    const Types types{F32, F64, F16, I8, U8, I16, U16, I32, U32, I64, U64, Bool};
    for (const DataType from : types)
        for (const DataType to : types) {
            const auto onnxType = static_cast<std::int64_t>(file::onnxFromDataType(to));
            std::vector<double> values{0, 1};
            if (from != Bool)
                values.insert(values.end(), {2, 5, 100, 7});
            if (isSigned(from) && isSigned(to))
                values.insert(values.end(), {-1, -3, -100});
            if (isRealType(from) && to != Bool)
                values.insert(values.end(), {0.5, 1.5, 2.5, 2.75, 99.875});
            if (isRealType(from) && isSigned(to))
                values.insert(values.end(), {-0.5, -1.5, -2.75});
            if (isRealType(from) && to == Bool)
                values.insert(values.end(), {0.25, -3, kNan});
            cases.add("Cast", 13, {given(list(values, from))}, {{"to", onnxType}});
            if (from == F32)
                cases.add("CastLike", 15, {given(list(values, from)), weights({2}, to)});
        }
    const auto f16 = static_cast<std::int64_t>(file::onnxFromDataType(F16)),
               f32 = static_cast<std::int64_t>(file::onnxFromDataType(F32));
    cases.add("Cast", 13, {given(list({65504, 65520, 1e-8, 6e-8, 1e-4, 0.1, 1.0009765625, 2049}))},
              {{"to", f16}}, "rounded");
    cases.add("Cast", 13, {given(list({300, 16777217, -16777217, 4294967297, 9007199254740992}, I64))},
              {{"to", f32}}, "rounded");
    cases.add("Cast", 13, {given(list({300, -1, 128, 257, -129}, I64))},
              {{"to", static_cast<std::int64_t>(file::onnxFromDataType(I8))}}, "cut");
    cases.add("Cast", 13, {given(list({300, -1, 128, 257, -129}, I64))},
              {{"to", static_cast<std::int64_t>(file::onnxFromDataType(U8))}}, "cut");
}

void addReductions(Cases& cases) {
    const std::vector<Dims> axes{{}, {0}, {1}, {2}, {-1}, {0, 2}, {1, 2}, {0, 1, 2}, {-2, -3}};
    for (const char* name : {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1",
                             "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp"}) {
        const std::string type = name;
        const auto operand = [&](Dims dims, DataType number) {
            if (type != "ReduceLogSum") // of positive numbers
                return in(std::move(dims), number);
            Operand made = in(dims, number);
            for (std::int64_t i = 0; i < elementCount(dims).value_or(0); ++i)
                made.values.push_back(double(1 + i * 7 % 11));
            return made;
        };
        for (const std::int64_t keep : {0, 1})
            for (const Dims& which : axes) {
                Attributes plain{{"keepdims", keep}};
                Attributes old = plain;
                if (!which.empty())
                    old.emplace_back("axes", which);
                if (type != "ReduceSum")
                    cases.add(type, 13, {operand({2, 3, 4}, F32)}, old);
                else
                    cases.add(type, 11, {operand({2, 3, 4}, F32)}, old);
                const std::int64_t opset = type == "ReduceSum" ? 13 : 18;
                cases.add(type, opset,
                          which.empty() ? std::vector{operand({2, 3, 4}, F32)}
                                        : std::vector{operand({2, 3, 4}, F32), ints(which)},
                          plain);
            }
        const std::int64_t opset = type == "ReduceSum" ? 13 : 18;
        cases.add(type, opset, {operand({2, 3}, F32)}, {{"noop_with_empty_axes", std::int64_t(1)}});
        cases.add(type, opset, {operand({2, 3}, F32), ints({})}, {{"noop_with_empty_axes", std::int64_t(1)}});
        cases.add(type, opset, {operand({2, 3}, F32), ints({})});
        cases.add(type, opset, {operand({}, F32)});
        cases.add(type, opset, {operand({5}, F32), ints({0})}, {{"keepdims", std::int64_t(0)}});
        for (const DataType number : {F64, I32, I64, I8, U8})
            cases.add(type, opset, {operand({3, 4}, number), ints({1})});
        if (type != "ReduceMax" && type != "ReduceMin" && type != "ReduceMean") // which nothing has
            cases.add(type, opset, {operand({2, 0}, F32), ints({1})}, {}, "of nothing");
    }
    for (const char* type : {"ReduceMax", "ReduceMin"}) {
        cases.add(type, 20, {in({3, 4}, Bool), ints({1})});
        cases.add(type, 18, {special(F32)}, {}, "special");
    }
    for (const char* type : {"ReduceSum", "ReduceLogSumExp"})
        cases.add(type, 18, {given(list({100, 101, 99.5}))}, {}, "large");
    for (const char* type : {"ArgMax", "ArgMin"})
        for (const std::int64_t axis : {0, 1, 2, -1, -3})
            for (const std::int64_t keep : {0, 1})
                for (const std::int64_t last : {0, 1})
                    cases.add(type, 13, {in({2, 5, 3}, I32)},
                              {{"axis", axis}, {"keepdims", keep}, {"select_last_index", last}});
    for (const char* type : {"ArgMax", "ArgMin"}) {
        for (const DataType number : {F32, F64, I8, U8, I32, I64})
            cases.add(type, 13, {in({2, 6}, number)}, {{"axis", std::int64_t(1)}});
        cases.add(type, 13, {in({4, 2})});
    }
    for (const DataType number : {F32, F64, I32, I64})
        for (const std::int64_t exclusive : {0, 1})
            for (const std::int64_t reverse : {0, 1})
                for (const double axis : {0., 1., -1.})
                    cases.add("CumSum", 14, {in({3, 4}, number), scalar(axis, I32)},
                              {{"exclusive", exclusive}, {"reverse", reverse}});
    for (const char* type : {"Softmax", "LogSoftmax", "Hardmax"})
        for (const std::int64_t opset : {11, 13}) {
            for (const std::int64_t axis : {0, 1, 2, -1, -2})
                cases.add(type, opset, {in({2, 3, 4})}, {{"axis", axis}});
            cases.add(type, opset, {in({2, 3, 4})});
            cases.add(type, opset, {in({2, 3}, F64)});
            cases.add(type, opset, {given(list({-kInfinity, 1, 2, 800}))}, {{"axis", std::int64_t(0)}},
                      "special");
        }
}

void addWindows(Cases& cases) {
    using Pads = std::vector<Dims>;
    for (const char* padding : {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"})
        for (const Dims& strides : {Dims{1, 1}, Dims{2, 2}, Dims{2, 1}, Dims{3, 2}})
            for (const Dims& dilations : {Dims{1, 1}, Dims{2, 1}}) {
                // ONNX Runtime pads as if nothing was dilated, or refuses to; the standard says ceil(extent / stride).
                if (std::string_view(padding).starts_with("SAME") && dilations[0] > 1)
                    continue;
                const Attributes attributes{
                    {"auto_pad", std::string(padding)}, {"strides", strides}, {"dilations", dilations}};
                cases.add("Conv", 11, {in({1, 2, 5, 4}), weights({3, 2, 3, 2})}, attributes);
                Attributes pool = attributes;
                pool.emplace_back("kernel_shape", Dims{2, 3});
                cases.add("MaxPool", 12, {in({1, 2, 5, 5})}, pool);
                cases.add("AveragePool", 19, {in({1, 2, 5, 5})}, pool);
                pool.emplace_back("count_include_pad", std::int64_t(1));
                cases.add("AveragePool", 19, {in({1, 2, 5, 5})}, pool);
            }
    for (const Dims& pads : Pads{{0, 0, 0, 0}, {1, 1, 1, 1}, {0, 1, 2, 0}, {2, 0, 0, 1}}) {
        for (const std::int64_t group : {1, 2, 4})
            for (const bool bias : {false, true}) {
                std::vector<Operand> operands{in({2, 4, 5, 4}), weights({4, 4 / group, 3, 2})};
                if (bias)
                    operands.push_back(weights({4}));
                cases.add("Conv", 11, operands, {{"pads", pads}, {"group", group}, {"strides", Dims{2, 1}}});
            }
        for (const std::int64_t ceil : {0, 1})
            for (const Dims& strides : {Dims{1, 1}, Dims{2, 3}}) {
                const Attributes attributes{
                    {"kernel_shape", Dims{3, 3}}, {"pads", pads}, {"ceil_mode", ceil}, {"strides", strides}};
                cases.add("MaxPool", 12, {in({1, 2, 6, 5})}, attributes, "", 2);
                cases.add("AveragePool", 19, {in({1, 2, 6, 5})}, attributes);
                Attributes included = attributes;
                included.emplace_back("count_include_pad", std::int64_t(1));
                cases.add("AveragePool", 19, {in({1, 2, 6, 5})}, included);
                for (const std::int64_t p : {1, 2, 3}) {
                    Attributes power = attributes;
                    power.emplace_back("p", p);
                    cases.add("LpPool", 18, {in({1, 2, 6, 5})}, power);
                }
            }
    }
    for (const std::int64_t order : {0, 1})
        cases.add("MaxPool", 12, {in({2, 2, 4, 4})},
                  {{"kernel_shape", Dims{2, 2}}, {"storage_order", order}, {"strides", Dims{2, 2}}}, "", 2);
    for (const DataType number : {F64, I8, U8})
        cases.add("MaxPool", 12, {in({1, 1, 4, 4}, number)}, {{"kernel_shape", Dims{2, 2}}});
    for (const char* type : {"MaxPool", "AveragePool", "LpPool"}) {
        cases.add(type, 11, {in({2, 3, 7})},
                  {{"kernel_shape", Dims{3}}, {"strides", Dims{2}}, {"pads", Dims{1, 0}}});
        cases.add(type, 11, {in({1, 2, 3, 4, 3})},
                  {{"kernel_shape", Dims{2, 3, 2}}, {"strides", Dims{1, 2, 1}}});
    }
    cases.add("Conv", 11, {in({2, 3, 7}), weights({2, 3, 3})}, {{"pads", Dims{1, 0}}, {"strides", Dims{2}}});
    cases.add("Conv", 11, {in({1, 2, 3, 4, 3}), weights({2, 2, 2, 2, 2})});
    cases.add("Conv", 11, {in({1, 2, 4, 4}), in({3, 2, 3, 3}), in({3})}, {}, "weights given");
    cases.add("Conv", 11, {in({1, 2, 4, 4}, F64), weights({3, 2, 3, 3}, F64)});
    cases.add("Conv", 11, {in({1, 2, 4, 4}), weights({3, 2, 3, 3})}, {{"kernel_shape", Dims{3, 3}}});
    for (const Dims& strides : {Dims{1, 1}, Dims{2, 3}})
        for (const Dims& pads : Pads{{0, 0, 0, 0}, {1, 0, 0, 1}, {1, 1, 1, 1}})
            for (const Dims& dilations : {Dims{1, 1}, Dims{2, 1}})
                for (const std::int64_t group : {1, 2}) {
                    Attributes attributes{
                        {"strides", strides}, {"pads", pads}, {"dilations", dilations}, {"group", group}};
                    cases.add("ConvTranspose", 11, {in({1, 2, 3, 3}), weights({2, 2, 3, 2})}, attributes);
                    if (strides[0] > 1) {
                        attributes.emplace_back("output_padding", Dims{1, 2});
                        cases.add("ConvTranspose", 11,
                                  {in({1, 2, 3, 3}), weights({2, 2, 3, 2}), weights({2 * group})},
                                  attributes);
                    }
                }
    for (const char* padding : {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"})
        for (const Dims& shape : {Dims{}, Dims{6, 7}, Dims{7, 8}}) {
            Attributes attributes{{"strides", Dims{2, 2}}, {"auto_pad", std::string(padding)}};
            if (!shape.empty())
                attributes.emplace_back("output_shape", shape);
            cases.add("ConvTranspose", 11, {in({1, 2, 3, 3}), weights({2, 2, 3, 3})}, attributes);
        }
    cases.add("ConvTranspose", 11, {in({1, 2, 5}), weights({2, 3, 3})}, {{"strides", Dims{2}}});
    for (const char* type : {"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"})
        for (const Dims& dims : {Dims{2, 3, 4}, Dims{2, 3, 4, 2}, Dims{1, 2, 2, 3, 2}})
            cases.add(type, 11, {in(dims)});
    for (const std::int64_t size : {1, 3, 4, 5})
        cases.add("LRN", 13, {in({1, 5, 2, 2})},
                  {{"size", size}, {"alpha", 0.5}, {"beta", 0.6}, {"bias", 1.5}});
    cases.add("LRN", 13, {in({1, 4, 2, 2})}, {{"size", std::int64_t(3)}});
}

void addNorms(Cases& cases) {
    const auto positive = [](std::int64_t count) { // a variance
        std::vector<double> values;
        for (std::int64_t i = 0; i < count; ++i)
            values.push_back(0.5 + double(i));
        return list(values);
    };
    for (const Dims& dims : {Dims{2, 3}, Dims{2, 3, 4}, Dims{2, 3, 2, 2}, Dims{1, 3, 2, 2, 2}}) {
        cases.add("BatchNormalization", 15,
                  {in(dims), weights({3}), weights({3}), weights({3}), positive(3)});
        cases.add("BatchNormalization", 9, {in(dims), weights({3}), weights({3}), weights({3}), positive(3)},
                  {{"epsilon", 0.1}});
        if (dims.size() > 2)
            cases.add("InstanceNormalization", 6, {in(dims), weights({3}), weights({3})},
                      {{"epsilon", 0.01}});
    }
    cases.add("BatchNormalization", 15, {in({2, 3, 2}), in({3}), in({3}), in({3}), given(positive(3))}, {},
              "all given");
    for (const std::int64_t groups : {1, 2, 4})
        for (const Dims& dims : {Dims{2, 4, 3}, Dims{1, 4, 2, 2}})
            cases.add("GroupNormalization", 21, {in(dims), weights({4}), weights({4})},
                      {{"num_groups", groups}});
    for (const std::int64_t groups : {1, 2})
        cases.add("GroupNormalization", 18, {in({2, 4, 3}), weights({groups}), weights({groups})},
                  {{"num_groups", groups}});
    for (const std::int64_t axis : {0, 1, 2, -1, -2}) {
        const Dims whole{2, 3, 4};
        const Dims part(whole.begin() + (axis < 0 ? axis + 3 : axis), whole.end());
        for (const bool bias : {true, false}) {
            std::vector<Operand> operands{in(whole), weights(part)};
            if (bias)
                operands.push_back(weights(part));
            cases.add("LayerNormalization", 17, operands, {{"axis", axis}});
        }
        cases.add("LayerNormalization", 17, {in(whole), weights(part)}, {{"axis", axis}, {"epsilon", 0.25}},
                  "", 3);
        cases.add("RMSNormalization", 23, {in(whole), weights(part)}, {{"axis", axis}});
        cases.add("SimplifiedLayerNormalization", 17, {in(whole), weights(part)}, {{"axis", axis}});
    }
    for (const std::int64_t p : {1, 2})
        for (const std::int64_t axis : {0, 1, -1})
            cases.add("LpNormalization", 13, {in({2, 3, 4})}, {{"p", p}, {"axis", axis}});
    cases.add("MeanVarianceNormalization", 13, {in({2, 3, 2, 2})});
    cases.add("MeanVarianceNormalization", 13, {in({2, 3, 2, 2})}, {{"axes", Dims{1}}});
}

void addProducts(Cases& cases) {
    const std::vector<std::pair<Dims, Dims>> shapes{{{3, 4}, {4, 2}},       {{4}, {4, 2}},
                                                    {{3, 4}, {4}},          {{4}, {4}},
                                                    {{2, 3, 4}, {4, 2}},    {{3, 4}, {2, 4, 2}},
                                                    {{2, 3, 4}, {2, 4, 2}}, {{2, 1, 3, 4}, {3, 4, 2}},
                                                    {{2, 3, 4}, {1, 4, 2}}, {{1, 2, 3, 4}, {2, 1, 4, 2}},
                                                    {{2, 3, 4}, {4}},       {{4}, {2, 4, 3}}};
    for (const auto& [a, b] : shapes) {
        cases.add("MatMul", 13, {in(a), in(b)});
        cases.add("MatMul", 13, {in(a), weights(b)});
        cases.add("MatMul", 13, {weights(a), in(b)});
    }
    for (const DataType number : {F64, I32, U32, I64, U64})
        cases.add("MatMul", 13, {in({3, 4}, number), in({4, 2}, number)});
    for (const std::int64_t ta : {0, 1})
        for (const std::int64_t tb : {0, 1})
            for (const double alpha : {1.0, 0.5})
                for (const Dims& c :
                     {Dims{-1}, Dims{}, Dims{1}, Dims{2}, Dims{1, 2}, Dims{3, 1}, Dims{3, 2}}) {
                    std::vector<Operand> operands{in(ta ? Dims{4, 3} : Dims{3, 4}),
                                                  weights(tb ? Dims{2, 4} : Dims{4, 2})};
                    if (c != Dims{-1})
                        operands.push_back(weights(c));
                    cases.add("Gemm", 13, operands,
                              {{"transA", ta}, {"transB", tb}, {"alpha", alpha}, {"beta", alpha * 3}});
                }
    cases.add("Gemm", 13, {in({3, 4}), in({4, 2}), in({3, 2})}, {}, "all given");
    cases.add("Gemm", 13, {in({3, 4}, F64), weights({4, 2}, F64)});
    for (const DataType a : {U8, I8})
        for (const DataType b : {U8, I8}) {
            cases.add("MatMulInteger", 10, {in({3, 4}, a), weights({4, 2}, b)});
            cases.add("MatMulInteger", 10, {in({3, 4}, a), weights({4, 2}, b), scalar(2, a), scalar(1, b)});
            cases.add("ConvInteger", 10, {in({1, 2, 4, 4}, a), weights({2, 2, 3, 3}, b)});
        }
    const std::vector<std::pair<const char*, std::vector<Operand>>> sums{
        {"ij,jk->ik", {in({3, 4}), in({4, 2})}},
        {"bij,bjk->bik", {in({2, 3, 4}), in({2, 4, 2})}},
        {"ij->ji", {in({3, 4})}},
        {"ii->i", {in({3, 3})}},
        {"ii", {in({3, 3})}},
        {"ij,ij->", {in({3, 4}), in({3, 4})}},
        {"i,j->ij", {in({3}), in({4})}},
        {"bhid,bhjd->bhij", {in({2, 2, 3, 4}), in({2, 2, 5, 4})}},
        {"bshd,hde->bse", {in({2, 3, 2, 4}), weights({2, 4, 5})}},
        {"ab,bc,cd->ad", {in({2, 3}), in({3, 4}), in({4, 2})}},
        {"ij,jk", {in({3, 4}), in({4, 2})}},
        {"ba", {in({3, 4})}},
        {"...ij,...jk->...ik", {in({2, 3, 4}), in({2, 4, 2})}},
        {"b...,b...->...", {in({2, 3, 4}), in({2, 3, 4})}},
        {"i j , j k -> i k", {in({3, 4}), in({4, 2})}},
        {"bnij,bnj->bni", {in({1, 2, 3, 4}), in({1, 2, 4})}}};
    for (const auto& [equation, operands] : sums)
        cases.add("Einsum", 12, operands, {{"equation", std::string(equation)}});
    cases.add("MatMulInteger", 10,
              {in({2, 3, 4}, U8), weights({4, 2}, I8), scalar(2, U8), list({1, -3}, I8)});
    cases.add("MatMulInteger", 10, {in({2, 3, 4}, U8), in({2, 4, 2}, U8), scalar(2, U8), scalar(7, U8)});
    cases.add("ConvInteger", 10,
              {in({1, 4, 5, 4}, U8), weights({4, 2, 3, 3}, U8), scalar(5, U8), scalar(3, U8)},
              {{"group", std::int64_t(2)}, {"pads", Dims{1, 1, 1, 1}}, {"strides", Dims{2, 1}}});
}

void addQuantization(Cases& cases) {
    for (const DataType number : {U8, I8}) {
        const double zero = number == U8 ? 100 : -3;
        const Operand input = given(list({0, 1, 5, 7, 100, 120, 3, 2}, number));
        cases.add("DequantizeLinear", 13, {input, scalar(0.5)});
        cases.add("DequantizeLinear", 13, {input, scalar(0.5), scalar(zero, number)});
        cases.add("DequantizeLinear", 13,
                  {in({2, 3, 2}, number), list({0.5, 0.25, 2}), list({zero, 1, 2}, number)},
                  {{"axis", std::int64_t(1)}});
        cases.add("DequantizeLinear", 13,
                  {in({2, 3}, number), list({0.5, 0.25, 2}), list({zero, 1, 2}, number)},
                  {{"axis", std::int64_t(-1)}});
        const Operand reals = given(list({0, 0.25, 0.75, -0.25, -1.25, 3.7, 1000, -1000, 0.1}));
        cases.add("QuantizeLinear", 13, {reals, scalar(0.5), scalar(zero, number)});
        cases.add("QuantizeLinear", 13, {in({2, 3, 2}), list({0.5, 0.25, 2}), list({zero, 1, 2}, number)},
                  {{"axis", std::int64_t(1)}});
    }
    cases.add("QuantizeLinear", 13, {in({7}), scalar(0.25)});
    cases.add("DequantizeLinear", 13, {in({2, 3}, I32), scalar(0.5)});
    cases.add("DynamicQuantizeLinear", 11, {in({3, 4})}, {}, "", 3);
    cases.add("DynamicQuantizeLinear", 11, {given(list({1, 2, 3}))}, {}, "", 3);
    cases.add("DynamicQuantizeLinear", 11, {given(list({0, 0}))}, {}, "", 3);
    cases.add("DynamicQuantizeLinear", 11, {given(list({-3, -1.25, -0.5}))}, {}, "", 3);
}

const Types kSmallReals{F8E4M3, F8E4M3Fnuz, F8E5M2, F8E5M2Fnuz};

/// A type of 4 or 8 bits in full: whatever number a pattern of bits stands for.
Operand allOf(DataType type) {
    const bool isHalf = storedBytes(type, 2) == 1;
    std::vector<std::byte> bytes;
    for (int i = 0; i < (isHalf ? 16 : 256); ++i)
        bytes.push_back(static_cast<std::byte>(type == I4 && i > 7 ? i - 16 : i));
    return list(realsOf(bytes, type), type);
}

/// Borders between numbers of 8 bits, what is too large for them, and what is none. ONNX Runtime 1.30 makes the largest number of 480 as
/// E4M3 and none of 61441 as E5M2 where nothing saturates, of which the standard makes no number and infinity: those are left out.
Operand borders(bool saturates) {
    std::vector<double> values{0,       -0.0,      1,          -1,      448,     464,     465,       480,
                               240,     248,       249,        57344,   61440,   61441,   65536,     1e9,
                               -1e9,    kInfinity, -kInfinity, kNan,    0x1p-9,  0x1p-10, 0x1.8p-10, 0x1p-11,
                               0x1p-16, 0x1p-17,   0x1.8p-17,  0x1p-18, 0x1p-19, -0x1p-30};
    if (!saturates)
        std::erase_if(values, [](double v) { return v == 480 || (v > 57344 && v < 65536); });
    for (int i = 0; i < 40; ++i) // ties and their neighbours
        values.push_back((i % 2 ? -1 : 1) * std::ldexp(16 + i, i % 13 - 8) / 16);
    return given(list(values));
}

void addNarrowTypes(Cases& cases) {
    for (const DataType type : kSmallReals) {
        const auto onnxType = static_cast<std::int64_t>(file::onnxFromDataType(type));
        cases.add("Cast", 19, {allOf(type)}, {{"to", std::int64_t(1)}}, "all there are");
        cases.add("DequantizeLinear", 19, {allOf(type), scalar(0.5), scalar(0, type)});
        for (const std::int64_t saturate : {1, 0}) {
            cases.addNarrow("Cast", 19, {borders(saturate != 0)}, {{"to", onnxType}, {"saturate", saturate}},
                            type);
            cases.addNarrow("QuantizeLinear", 19, {borders(saturate != 0), scalar(2), scalar(0, type)},
                            {{"saturate", saturate}}, type);
        }
        cases.add("DequantizeLinear", 21, {weights({3, 4}, type), list({0.5, 2, 1}), list({0, 0, 0}, type)},
                  {{"axis", std::int64_t(0)}});
    }
    for (const DataType type : {I4, U4}) {
        const double zero = type == I4 ? -3 : 5;
        const Attributes blocks{{"axis", std::int64_t(1)}, {"block_size", std::int64_t(2)}};
        cases.add("DequantizeLinear", 21, {allOf(type), scalar(0.5)});
        cases.add("DequantizeLinear", 21, {weights({3, 5}, type), scalar(0.5), scalar(zero, type)});
        cases.add("DequantizeLinear", 21,
                  {weights({3, 5}, type), list({0.5, 2, 0.25}), list({zero, 1, 2}, type)},
                  {{"axis", std::int64_t(0)}});
        cases.add("DequantizeLinear", 21,
                  {weights({2, 4, 3}, type), weights({2, 2, 3}), weights({2, 2, 3}, type)}, blocks);
        cases.add("DequantizeLinear", 21, {weights({3, 5}, type), weights({3, 3}), weights({3, 3}, type)},
                  blocks);
        const Operand reals = given(list({0, 0.25, 0.75, -0.25, -1.25, 3.7, 1000, -1000, 0.1}));
        cases.addNarrow("QuantizeLinear", 21, {reals, scalar(0.5), scalar(zero, type)}, {}, type);
        cases.addNarrow("QuantizeLinear", 21, {in({3, 5}), list({0.5, 2, 0.25}), list({zero, 1, 2}, type)},
                        {{"axis", std::int64_t(0)}}, type);
        cases.addNarrow("QuantizeLinear", 21,
                        {in({2, 4}), list({0.5, 2, 0.25, 1}), list({zero, 1, 2, 0}, type)},
                        {{"axis", std::int64_t(1)}}, type);
    }
    for (const DataType type : {I8, U8, I16, U16}) {
        const Attributes blocks{{"axis", std::int64_t(0)}, {"block_size", std::int64_t(3)}};
        const Operand scales{F32, {2, 2}, {0.5, 2, 0.25, 1}, true, false};
        cases.add("DequantizeLinear", 21, {in({6, 2}, type), scales, weights({2, 2}, type)}, blocks);
        cases.add("DequantizeLinear", 21, {in({6, 2}, type), scales}, blocks);
        cases.add("QuantizeLinear", 21, {in({6, 2}), scales, weights({2, 2}, type)}, blocks);
        cases.add("QuantizeLinear", 21, {in({4, 2}), scalar(0.25)},
                  {{"output_dtype", static_cast<std::int64_t>(file::onnxFromDataType(type))}});
    }
}

/// Operators of ONNX Runtime's quantiser in QOperator format.
void addQuantizedOperators(Cases& cases) {
    const std::string domain = "com.microsoft";
    for (const DataType type : {U8, I8}) {
        const auto zero = [type](double value) { return scalar(type == U8 ? value : value - 6, type); };
        const Operand a = scalar(0.37), b = scalar(0.21), y = scalar(0.73);
        const auto add = [&](const char* op, const std::vector<Operand>& operands,
                             const Attributes& attributes = {}, const std::string& note = {}) {
            cases.add(op, 13, operands, attributes, note, 1, domain);
        };
        for (const char* op : {"QLinearAdd", "QLinearMul"}) {
            for (const auto& [left, right] : kBroadcasts)
                if (elementCount(left).value_or(0) > 0)
                    add(op, {in(left, type), a, zero(3), in(right, type), b, zero(5), y, zero(4)});
            add(op, {in({3, 7}, type), a, zero(3), weights({7}, type), b, zero(5), y, zero(4)});
            add(op, {in({2, 4}, type), a, absent(), in({2, 4}, type), b, absent(), y, absent()});
        }
        add("QLinearSigmoid", {in({3, 7}, type), a, zero(3), scalar(1. / 256), zero(0)});
        for (const double alpha : {0.01, 0.3})
            add("QLinearLeakyRelu", {in({3, 7}, type), a, zero(5), b, zero(4)}, {{"alpha", alpha}});
        for (const std::int64_t last : {0, 1}) {
            const Dims picture = last ? Dims{2, 5, 4, 3} : Dims{2, 3, 5, 4};
            add("QLinearGlobalAveragePool", {in(picture, type), a, zero(3), b, zero(4)},
                {{"channels_last", last}});
            add("QLinearAveragePool", {in(picture, type), a, zero(3), b, zero(4)},
                {{"kernel_shape", Dims{2, 2}}, {"strides", Dims{2, 1}}, {"channels_last", last}});
            for (const std::int64_t counts : {0, 1})
                add("QLinearAveragePool", {in(picture, type), a, zero(3), b, zero(4)},
                    {{"kernel_shape", Dims{3, 3}},
                     {"pads", Dims{1, 1, 1, 1}},
                     {"count_include_pad", counts},
                     {"channels_last", last}});
        }
        add("QLinearAveragePool", {in({1, 2, 7}, type), a, zero(3), b, zero(4)},
            {{"kernel_shape", Dims{2}}, {"strides", Dims{2}}, {"ceil_mode", std::int64_t(1)}});
        for (const std::int64_t axis : {0, 1, -1})
            add("QLinearConcat",
                {y, zero(4), in({2, 3}, type), a, zero(3), in({2, 3}, type), b, zero(5),
                 weights({2, 3}, type), y, zero(4)},
                {{"axis", axis}});
        for (const std::int64_t opset : {11, 13})
            for (const std::int64_t axis : {1, 2, -1})
                add("QLinearSoftmax",
                    {in({2, 3, 4}, type), a, zero(3), scalar(1. / 256), zero(type == U8 ? 0 : -122)},
                    {{"axis", axis}, {"opset", opset}});
        add("QLinearReduceMean", {in({2, 3, 4}, type), a, zero(3), b, zero(4)}, {{"axes", Dims{1}}});
        add("QLinearWhere",
            {in({2, 3}, Bool), in({2, 3}, type), a, zero(3), in({3}, type), b, zero(5), y, zero(4)});
        for (const std::int64_t transposed : {0, 1}) {
            const Dims w = transposed ? Dims{5, 4} : Dims{4, 5};
            const Attributes attributes{{"transB", transposed}};
            const Operand bias = list({1, -20, 30, -4, 5}, I32), scales = list({0.5, 0.25, 1, 2, 0.125}),
                          zeros = list({1, 2, 3, 0, 1}, type);
            add("QGemm", {in({3, 4}, type), a, zero(3), weights(w, type), b, zero(5), bias, y, zero(4)},
                attributes);
            add("QGemm", {in({3, 4}, type), a, zero(3), weights(w, type), b, zero(5), absent(), y, zero(4)},
                attributes);
            add("QGemm", {in({3, 4}, type), a, zero(3), weights(w, type), b, zero(5), bias}, attributes);
            add("QGemm", {in({3, 4}, type), a, zero(3), weights(w, type), scales, zeros, bias, y, zero(4)},
                attributes);
        }
        add("QGemm",
            {in({4, 3}, type), a, zero(3), weights({4, 5}, type), b, zero(5), weights({5}, I32), y, zero(4)},
            {{"transA", std::int64_t(1)}, {"alpha", 0.5}});
        add("DynamicQuantizeMatMul", {in({3, 4}), weights({4, 5}, type), b});
        add("DynamicQuantizeMatMul", {in({2, 3, 4}), weights({4, 5}, type), b, zero(5), weights({5})});
        add("DynamicQuantizeMatMul",
            {in({3, 4}), weights({4, 2}, type), list({0.5, 0.25}), list({1, 2}, type)});
        for (const DataType left : {U8, I8}) {
            add("MatMulIntegerToFloat", {in({3, 4}, left), weights({4, 5}, type), a, b});
            add("MatMulIntegerToFloat", {in({2, 3, 4}, left), weights({4, 2}, type), a, list({0.5, 0.25}),
                                         scalar(3, left), list({1, 2}, type), weights({2})});
            cases.add("QLinearMatMul", 13,
                      {in({3, 4}, left), a, scalar(3, left), weights({4, 5}, type), b, zero(5), y,
                       scalar(4, left)});
            cases.add("QLinearMatMul", 13,
                      {in({2, 3, 4}, left), a, scalar(3, left), weights({4, 2}, type), list({0.5, 0.25}),
                       list({1, 2}, type), y, scalar(4, left)});
            for (const std::int64_t groups : {1, 2}) {
                const Operand w = weights({4, 4 / groups, 3, 3}, type);
                const Attributes attributes{{"pads", Dims{1, 1, 1, 1}}, {"group", groups}};
                cases.add("QLinearConv", 10,
                          {in({1, 4, 5, 4}, left), a, scalar(3, left), w, b, zero(5), scalar(9.7),
                           scalar(4, left), list({1, -20, 30, -4}, I32)},
                          attributes);
                cases.add("QLinearConv", 10,
                          {in({1, 4, 5, 4}, left), a, scalar(3, left), w, list({0.5, 0.25, 1, 2}),
                           list({0, 0, 0, 0}, type), scalar(9.7), scalar(4, left)},
                          attributes);
            }
            const Operand packed = weights({8, 24}, type), bias = weights({24});
            for (const std::int64_t causal : {0, 1})
                add("QAttention",
                    {in({2, 5, 8}, left), packed, bias, scalar(0.05), scalar(0.02), absent(), scalar(3, left),
                     zero(5)},
                    {{"num_heads", std::int64_t(2)}, {"unidirectional", causal}});
            cases.add("QAttention", 13,
                      {in({2, 3, 8}, left), packed, bias, scalar(0.05), scalar(0.02), absent(),
                       scalar(3, left), zero(5), in({2, 2, 2, 4, 4})},
                      {{"num_heads", std::int64_t(2)}, {"unidirectional", std::int64_t(1)}}, "", 2, domain);
        }
        add("DequantizeLinear", {in({3, 4}, type), a, zero(3)});
        add("DequantizeLinear", {in({3, 4}, type), list({0.5, 0.25, 1}), list({1, 2, 3}, type)},
            {{"axis", std::int64_t(0)}});
        add("QuantizeLinear", {in({3, 4}), a, zero(3)});
        add("QuantizeLinear", {in({3, 4}), list({0.5, 0.25, 1}), list({1, 2, 3}, type)},
            {{"axis", std::int64_t(0)}});
        add("NhwcMaxPool", {in({1, 5, 4, 3}, type)}, {{"kernel_shape", Dims{2, 2}}});
    }
    for (const DataType type : {I16, U16}) {
        cases.add("DequantizeLinear", 13, {in({3, 4}, type), scalar(0.37), scalar(3, type)}, {}, "", 1,
                  domain);
        cases.add("QuantizeLinear", 13, {in({3, 4}), scalar(0.37), scalar(3, type)}, {}, "", 1, domain);
    }
}

/// What onnxruntime-genai writes: keys shared by heads, with all that a cache and a window bring.
void addGroupQueries(Cases& cases) {
    const std::int64_t heads = 4, groups = 2, width = 16;
    for (const std::int64_t past : {0, 5})
        for (const std::int64_t queries : {1, 3})
            for (const bool packed : {false, true})
                for (const bool turned : {false, true})
                    for (const int form : {0, 1, 2, 3, 4}) {
                        // Several tokens behind a cache: one sequence.
                        const std::int64_t batch = past > 0 && queries > 1 ? 1 : 2;
                        const double total = double(past + queries);
                        std::vector<Operand> operands;
                        if (packed)
                            operands = {in({batch, queries, (heads + 2 * groups) * width}), absent(),
                                        absent()};
                        else
                            operands = {in({batch, queries, heads * width}),
                                        in({batch, queries, groups * width}),
                                        in({batch, queries, groups * width})};
                        const Operand cache = past > 0 ? in({batch, groups, past, width}) : absent();
                        operands.insert(operands.end(), {cache, cache, list({total - 1, total - 1}, I32),
                                                         scalar(total, I32)});
                        operands[5].values.resize(static_cast<std::size_t>(batch));
                        operands[5].dims = {batch};
                        const Operand turns = turned ? weights({16, width / 2}) : absent();
                        operands.insert(operands.end(), {turns, turns});
                        Attributes attributes{{"num_heads", heads},
                                              {"kv_num_heads", groups},
                                              {"do_rotary", std::int64_t(turned)},
                                              {"scale", 0.25}};
                        if (form == 1)
                            attributes.emplace_back("smooth_softmax", std::int64_t(1));
                        if (form == 2)
                            attributes.emplace_back("local_window_size", std::int64_t(2));
                        if (form == 3)
                            attributes.insert(attributes.end(),
                                              {{"softcap", 2.0}, {"local_window_size", std::int64_t(4)}});
                        if (form == 4)
                            operands.insert(operands.end(), {absent(), absent(), list({0.5, -1, 2, 0})});
                        cases.add("GroupQueryAttention", 17, operands, attributes, "", 3, "com.microsoft");
                    }
}

/// Operators that language models brought into the standard.
void addLanguageModels(Cases& cases) {
    cases.add("RMSNormalization", 23, {in({2, 3, 8}), weights({8})});
    cases.add("RMSNormalization", 23, {in({2, 3, 8}), weights({3, 8})},
              {{"axis", std::int64_t(1)}, {"epsilon", 0.25}});
    for (const std::int64_t interleaved : {0, 1}) {
        const Attributes attributes{{"interleaved", interleaved}};
        cases.add("RotaryEmbedding", 23,
                  {in({2, 2, 3, 8}), weights({6, 4}), weights({6, 4}),
                   Operand{I64, {2, 3}, {0, 1, 2, 3, 5, 4}, true, false}},
                  attributes);
        cases.add("RotaryEmbedding", 23, {in({2, 2, 3, 8}), weights({2, 3, 4}), weights({2, 3, 4})},
                  attributes);
    }
    for (const std::int64_t causal : {0, 1}) {
        const Attributes attributes{{"is_causal", causal}};
        cases.add("Attention", 23, {in({2, 2, 3, 8}), in({2, 2, 3, 8}), in({2, 2, 3, 4})}, attributes);
        cases.add("Attention", 23, {in({2, 4, 3, 8}), in({2, 2, 3, 8}), in({2, 2, 3, 8})}, attributes,
                  "heads share keys");
    }
    for (const std::int64_t past : {0, 4})
        for (const std::int64_t causal : {0, 1}) {
            std::vector<Operand> operands{in({2, 3, 8}), weights({8, 24}), weights({24})};
            if (past > 0)
                operands.insert(operands.end(), {absent(), in({2, 2, 2, past, 4})});
            cases.add("Attention", 17, operands, {{"num_heads", std::int64_t(2)}, {"unidirectional", causal}},
                      "", past > 0 ? 2 : 1, "com.microsoft");
        }
    cases.add("Attention", 23, {in({2, 2, 3, 8}), in({2, 2, 5, 8}), in({2, 2, 5, 8}), in({3, 5})},
              {{"softcap", 2.0}});
}

/// Weights of 2, 4 and 8 bits in blocks.
void addBlockedProducts(Cases& cases) {
    const std::int64_t n = 6;
    for (const std::int64_t bits : {2, 4, 8})
        for (const std::int64_t k : {32, 80})
            for (const std::int64_t block : {16, 32}) {
                const std::int64_t blocks = (k + block - 1) / block, zeroBytes = (blocks * bits + 7) / 8;
                const Attributes attributes{{"K", k}, {"N", n}, {"bits", bits}, {"block_size", block}};
                const Operand b = weights({n, blocks, block * bits / 8}, U8), scales = weights({n, blocks});
                const auto add = [&](std::vector<Operand> more, const std::string& note = {}) {
                    more.insert(more.begin(), {in({3, k}), b, scales});
                    cases.add("MatMulNBits", 17, more, attributes, note, 1, "com.microsoft");
                };
                Operand order{I32, {k}, {}, true, false};
                for (std::int64_t i = 0; i < k; ++i)
                    order.values.push_back(double(i * 7 % blocks));
                add({});
                add({weights({n, zeroBytes}, U8)}, "zeros");
                add({weights({n, blocks})}, "zeros with fractions");
                add({absent(), order}, "an order");
                add({weights({n, zeroBytes}, U8), order}, "zeros and an order");
                add({absent(), absent(), weights({n})}, "a bias");
            }
}

void addShapes(Cases& cases) {
    for (const DataType type : {F32, F64, I8, I32, I64, U8, Bool}) {
        cases.add("Reshape", 14, {in({2, 3, 4}, type), ints({4, -1})});
        cases.add("Flatten", 13, {in({2, 3, 4}, type)});
        cases.add("Transpose", 13, {in({2, 3, 4}, type)});
        cases.add("Identity", 14, {in({2, 3}, type)});
        cases.add("Squeeze", 13, {in({2, 1, 3}, type), ints({1})});
        cases.add("Unsqueeze", 13, {in({2, 3}, type), ints({1})});
        cases.add("Concat", 13, {in({2, 3}, type), in({1, 3}, type)}, {{"axis", std::int64_t(0)}});
        cases.add("Slice", 13, {in({4, 5}, type), ints({1}), ints({4}), ints({1})});
        cases.add("Gather", 13, {in({4, 3}, type), ints({2, 0})});
        cases.add("GatherElements", 13, {in({3, 2}, type), Operand{I64, {2, 2}, {0, 2, 1, 0}, true, false}});
        cases.add("GatherND", 13, {in({3, 2}, type), Operand{I64, {2, 1}, {2, 0}, true, false}});
        cases.add("Expand", 13, {in({2, 1}, type), ints({3, 1, 4})});
        cases.add("Tile", 13, {in({2, 3}, type), ints({2, 2})});
        cases.add("Pad", 18, {in({2, 3}, type), ints({1, 0, 0, 2})});
        cases.add("Split", 13, {in({4, 2}, type)}, {}, "", 2);
        cases.add("Shape", 15, {in({2, 3, 4}, type)});
        cases.add("Size", 13, {in({2, 3, 4}, type)});
        cases.add("Trilu", 14, {in({3, 4}, type)});
        cases.add("DepthToSpace", 13, {in({1, 4, 2, 2}, type)}, {{"blocksize", std::int64_t(2)}});
        cases.add("ScatterElements", 18,
                  {in({3, 3}, type), Operand{I64, {2, 2}, {0, 2, 1, 0}, true, false}, in({2, 2}, type)});
        cases.add("ScatterND", 18,
                  {in({4, 3}, type), Operand{I64, {2, 1}, {3, 0}, true, false}, in({2, 3}, type)});
        cases.add("NonZero", 13, {in({3, 4}, type)});
        cases.add("Resize", 13, {in({1, 1, 2, 2}, type), absent(), list({1, 1, 2, 3})});
    }
    for (const Dims& to :
         {Dims{0, 12}, Dims{-1}, Dims{2, -1, 2}, Dims{0, 0, 4}, Dims{24}, Dims{1, 2, 3, 4, 1}})
        cases.add("Reshape", 14, {in({2, 3, 4}), ints(to)});
    cases.add("Reshape", 14, {in({0, 3}), ints({3, 0})}, {{"allowzero", std::int64_t(1)}});
    for (const std::int64_t axis : {0, 1, 2, 3, -1, -3})
        cases.add("Flatten", 13, {in({2, 3, 4})}, {{"axis", axis}});
    for (const Dims& order :
         {Dims{0, 1, 2}, Dims{0, 2, 1}, Dims{1, 0, 2}, Dims{1, 2, 0}, Dims{2, 0, 1}, Dims{2, 1, 0}})
        cases.add("Transpose", 13, {in({2, 3, 4})}, {{"perm", order}});
    cases.add("Transpose", 13, {in({2, 1, 3, 2, 2})}, {{"perm", Dims{4, 1, 0, 3, 2}}});
    for (const Dims& axes : {Dims{0}, Dims{-1}, Dims{0, 2}, Dims{2, 0}})
        cases.add("Squeeze", 13, {in({1, 3, 1}), ints(axes)});
    cases.add("Squeeze", 13, {in({1, 3, 1})});
    cases.add("Squeeze", 11, {in({1, 3, 1})}, {{"axes", Dims{0, -1}}});
    for (const Dims& axes : {Dims{0}, Dims{-1}, Dims{0, 3}, Dims{3, 0}, Dims{1, 2}})
        cases.add("Unsqueeze", 13, {in({2, 3}), ints(axes)});
    cases.add("Unsqueeze", 11, {in({2, 3})}, {{"axes", Dims{1, -1}}});
    for (const std::int64_t axis : {0, 1, 2, -1, -3})
        for (const std::size_t count : {1, 2, 3}) {
            std::vector<Operand> operands;
            for (std::size_t i = 0; i < count; ++i) {
                Dims dims{2, 3, 2};
                dims[static_cast<std::size_t>(axis < 0 ? axis + 3 : axis)] = std::int64_t(i) + 1;
                operands.push_back(i == 1 ? weights(dims) : in(dims));
            }
            cases.add("Concat", 13, operands, {{"axis", axis}});
        }
    cases.add("Concat", 13, {in({2, 0}), in({2, 3})}, {{"axis", std::int64_t(1)}});
    for (const std::int64_t axis : {0, 1, -1}) {
        cases.add("Split", 13, {in({4, 4})}, {{"axis", axis}}, "", 2);
        cases.add("Split", 13, {in({4, 4}), ints({1, 3})}, {{"axis", axis}}, "", 2);
        cases.add("Split", 13, {in({4, 4}), ints({0, 3, 1})}, {{"axis", axis}}, "", 3);
        cases.add("Split", 11, {in({4, 4})}, {{"axis", axis}, {"split", Dims{3, 1}}}, "", 2);
        cases.add("Split", 18, {in({4, 4})}, {{"axis", axis}, {"num_outputs", std::int64_t(3)}}, "", 3);
    }
    cases.add("Split", 18, {in({7})}, {{"num_outputs", std::int64_t(3)}}, "", 3);
}

void addSlices(Cases& cases) {
    struct Range {
        Dims starts, ends, axes, steps;
    };
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const auto& [starts, ends, axes, steps] :
         {Range{{1}, {3}, {0}, {1}}, Range{{0, 1}, {4, 5}, {0, 1}, {2, 3}}, Range{{-1}, {-5}, {1}, {-1}},
          Range{{-1}, {std::numeric_limits<int>::min()}, {1}, {-2}}, Range{{4}, {0}, {-1}, {-3}},
          Range{{1}, {most}, {1}, {1}}, Range{{-100}, {100}, {1}, {1}}, Range{{3}, {1}, {0}, {1}},
          Range{{0, 0}, {2, 2}, {1, 0}, {1, 1}}, Range{{100}, {-100}, {1}, {-1}}}) {
        cases.add("Slice", 13, {in({4, 5}), ints(starts), ints(ends), ints(axes), ints(steps)});
        cases.add(
            "Slice", 13,
            {in({4, 5}, I64), given(ints(starts)), given(ints(ends)), given(ints(axes)), given(ints(steps))},
            {}, fmt::format("given {} {} {} {}", starts, ends, axes, steps));
    }
    cases.add("Slice", 13, {in({4, 5}), ints({1, 1}), ints({3, 4})});
    cases.add("Slice", 13, {in({4, 5}), ints({1, 1}, I32), ints({3, 4}, I32), ints({0, 1}, I32)});
    cases.add("Slice", 9, {in({4, 5})},
              {{"starts", Dims{1, -3}}, {"ends", Dims{100, -1}}, {"axes", Dims{0, 1}}});
    for (const std::int64_t axis : {0, 1, 2, -1, -2})
        for (const DataType index : {I32, I64})
            for (const Dims& dims : {Dims{}, Dims{2}, Dims{2, 3}, Dims{0}}) {
                Operand indices{index, dims, {}, true, false};
                for (std::int64_t i = 0; i < elementCount(dims).value_or(0); ++i)
                    indices.values.push_back(double((i * 5 + 1) % 4 - 2));
                if (!indices.values.empty() || dims == Dims{0})
                    cases.add("Gather", 13, {in({2, 3, 4}), axis == 2 ? given(indices) : indices},
                              {{"axis", axis}});
            }
    for (const std::int64_t axis : {0, 1, -1}) {
        const Operand indices{I64, {2, 2}, {0, -1, 1, 0}, true, false};
        cases.add("GatherElements", 13, {in({3, 3}), indices}, {{"axis", axis}});
        for (const char* reduction : {"none", "add", "mul", "max", "min"})
            cases.add("ScatterElements", 18, {in({3, 3}), indices, in({2, 2})},
                      {{"axis", axis}, {"reduction", std::string(reduction)}});
    }
    cases.add("ScatterElements", 18, {in({2, 3}), Operand{I64, {1, 3}, {1, 1, 1}, true, false}, in({1, 3})},
              {{"axis", std::int64_t(1)}, {"reduction", std::string("add")}}, "the same one again");
    cases.add("Scatter", 9, {in({3, 3}), Operand{I64, {2, 2}, {0, 2, 1, 0}, true, false}, in({2, 2})},
              {{"axis", std::int64_t(1)}});
    for (const char* reduction : {"none", "add", "mul", "max", "min"}) {
        cases.add("ScatterND", 18, {in({4, 3}), Operand{I64, {2, 1}, {3, 0}, true, false}, in({2, 3})},
                  {{"reduction", std::string(reduction)}});
        cases.add("ScatterND", 18, {in({4, 3}), Operand{I64, {2, 2}, {3, -1, 0, 1}, true, false}, in({2})},
                  {{"reduction", std::string(reduction)}});
    }
    cases.add("GatherND", 13, {in({2, 3, 4}), Operand{I64, {2, 2}, {0, 1, 1, -1}, true, false}});
    cases.add("GatherND", 13, {in({2, 3, 4}), Operand{I64, {2, 1}, {1, 2}, true, false}},
              {{"batch_dims", std::int64_t(1)}});
    for (const char* mode : {"constant", "reflect", "edge", "wrap"}) {
        const std::int64_t opset = std::string_view(mode) == "wrap" ? 19 : 18;
        const Attributes attributes{{"mode", std::string(mode)}};
        cases.add("Pad", opset, {in({3, 4}), ints({1, 2, 2, 0})}, attributes);
        cases.add("Pad", opset, {in({2, 3, 4}), ints({0, 0, 2, 0, 1, 1})}, attributes);
        cases.add("Pad", opset, {in({3, 4}), ints({1, 2}), absent(), ints({1})}, attributes);
        cases.add("Pad", opset, {in({3, 4}), ints({1, 0, 0, 2}), absent(), ints({-1, 0})}, attributes);
        cases.add("Pad", opset, {in({3, 4}), ints({-1, 0, 1, -2})}, attributes);
        if (std::string_view(mode) != "wrap")
            cases.add("Pad", 2, {in({3, 4})}, {{"mode", std::string(mode)}, {"pads", Dims{0, 1, 1, 2}}});
    }
    cases.add("Pad", 18, {in({3, 4}), ints({1, 2, 2, 0}), scalar(7.5)});
    cases.add("Pad", 18, {in({3, 4}, I64), ints({1, 2, 2, 0}), scalar(7, I64)});
    cases.add("Pad", 2, {in({3, 4})}, {{"pads", Dims{0, 1, 1, 2}}, {"value", 2.5}});
    for (const Dims& to : {Dims{3, 1, 4}, Dims{2, 4}, Dims{1, 1}, Dims{1, 2, 4}})
        cases.add("Expand", 13, {in({2, 1}), ints(to)});
    for (const Dims& times : {Dims{1, 3}, Dims{2, 1}, Dims{0, 1}})
        cases.add("Tile", 13, {in({2, 3}), ints(times)});
    for (const char* mode : {"DCR", "CRD"})
        for (const Dims& dims : {Dims{1, 4, 2, 3}, Dims{2, 9, 1, 2}})
            cases.add("DepthToSpace", 13, {in(dims)},
                      {{"mode", std::string(mode)}, {"blocksize", std::int64_t(dims[1] == 4 ? 2 : 3)}});
    cases.add("SpaceToDepth", 13, {in({1, 2, 4, 6})}, {{"blocksize", std::int64_t(2)}});
    for (const std::int64_t upper : {0, 1})
        for (const double k : {-5., -1., 0., 1., 2., 7.})
            cases.add("Trilu", 14, {in({2, 3, 4}), scalar(k, I64)}, {{"upper", upper}});
    for (const auto& [start, end] :
         {std::pair<std::int64_t, std::int64_t>{0, 2}, {1, 100}, {-2, -1}, {2, 1}, {-100, 100}})
        cases.add("Shape", 15, {in({2, 3, 4})}, {{"start", start}, {"end", end}});
    for (const DataType number : {F32, F64, I32, I64, I16}) {
        cases.add("Range", 11, {scalar(1, number), scalar(8, number), scalar(3, number)});
        cases.add("Range", 11, {scalar(4, number), scalar(-3, number), scalar(-2, number)});
        cases.add("Range", 11, {scalar(4, number), scalar(4, number), scalar(1, number)});
    }
    cases.add("Range", 11, {scalar(0.5), scalar(2.25), scalar(0.25)});
    cases.add("ConstantOfShape", 9, {ints({2, 3})});
    for (const std::int64_t shift : {1, 0, -2, 7})
        for (const DataType type : {F32, I64})
            cases.add("EyeLike", 9, {in({3, 4}, type)}, {{"k", shift}});
    cases.add("EyeLike", 9, {in({3, 4}, I32)}, {{"dtype", std::int64_t(1)}});
    cases.add("TopK", 11, {in({3, 5}), ints({2})}, {}, "", 2);
    for (const DataType type : {F32, I32, I64})
        for (const std::int64_t axis : {0, 1, -1})
            for (const std::int64_t largest : {0, 1})
                cases.add("TopK", 11, {in({2, 6, 3}, type), ints({2})},
                          {{"axis", axis}, {"largest", largest}}, "", 2);
    cases.add("TopK", 11, {given(list({kInfinity, 1, -kInfinity, 1, 0, -0.0, 3, kInfinity})), ints({7})}, {},
              "", 2);
    cases.add("OneHot", 11, {given(ints({0, 2, -1})), scalar(4, I64), list({0, 1})});
    for (const std::int64_t axis : {0, 1, 2, -2})
        cases.add(
            "OneHot", 11,
            {given(Operand{I64, {2, 3}, {0, 3, -1, 4, -4, -5}, false, false}), scalar(4, I64), list({-1, 5})},
            {{"axis", axis}});
    cases.add("OneHot", 11, {given(ints({0, 2, 1}, I32)), scalar(3, I32), list({7, 9}, I32)});
    cases.add("OneHot", 11, {given(list({0, 2, 1})), scalar(3), list({7, 9}, I64)});
    cases.add("Dropout", 13, {in({2, 3})});
    cases.add("Dropout", 13, {in({2, 3})}, {}, "", 2);
    cases.add("ReverseSequence", 10, {in({4, 3}), ints({1, 2, 4})});
    cases.add("ReverseSequence", 10, {in({3, 4, 2}), ints({1, 2, 4})},
              {{"time_axis", std::int64_t(1)}, {"batch_axis", std::int64_t(0)}});
    cases.add("ReverseSequence", 10, {in({4, 3, 2}, I64), ints({0, 2, 3})});
    cases.add("Compress", 11, {in({3, 2}), list({1, 0, 1}, Bool)}, {{"axis", std::int64_t(0)}});
}

void addResizes(Cases& cases) {
    for (const char* place :
         {"half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners", "half_pixel_symmetric"}) {
        const std::int64_t opset = std::string_view(place) == "half_pixel_symmetric" ? 19 : 13;
        for (const char* nearest : {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}) {
            const Attributes attributes{{"mode", std::string("nearest")},
                                        {"coordinate_transformation_mode", std::string(place)},
                                        {"nearest_mode", std::string(nearest)}};
            cases.add("Resize", opset, {in({1, 1, 3, 4}), absent(), list({1, 1, 2, 1.5})}, attributes);
            cases.add("Resize", opset, {in({1, 1, 3, 4}), absent(), list({1, 1, 0.6, 0.5})}, attributes);
            cases.add("Resize", opset, {in({1, 1, 3, 4}), absent(), absent(), ints({1, 1, 5, 3})},
                      attributes);
            if (std::string_view(place) !=
                "half_pixel_symmetric") // where a place falls on a border, and rounding decides
                cases.add("Resize", opset, {in({1, 1, 3, 4}), absent(), absent(), ints({1, 1, 1, 7})},
                          attributes);
        }
        for (const char* mode : {"linear", "cubic"})
            cases.add("Resize", opset, {in({1, 1, 3, 4}), absent(), list({1, 1, 2, 1.5})},
                      {{"mode", std::string(mode)}, {"coordinate_transformation_mode", std::string(place)}});
    }
    cases.add("Resize", 10, {in({1, 1, 2, 3}), list({1, 1, 2, 2})}, {{"mode", std::string("nearest")}});
    cases.add("Upsample", 9, {in({1, 1, 2, 3}), list({1, 1, 2, 3})}, {{"mode", std::string("nearest")}});
    cases.add("Upsample", 9, {in({1, 1, 2, 3}), list({1, 1, 2, 3})}, {{"mode", std::string("linear")}});
}

/// Weights that leave gates half open: multiples of 1/32 up to a half.
Operand halfOpen(const Dims& dims) {
    Operand made = weights(dims);
    for (std::int64_t i = 0; i < elementCount(dims).value_or(0); ++i)
        made.values.push_back(static_cast<double>((i * 11 + i / 7 * 5 + std::ssize(dims)) % 33 - 16) / 32);
    return made;
}

void addRecurrent(Cases& cases) {
    using Names = std::vector<std::string>;
    using Reals = std::vector<double>;
    const std::int64_t steps = 4, batch = 3, inputs = 5, hidden = 2;
    for (const auto& [type, gates] : {std::pair("RNN", 1), std::pair("GRU", 3), std::pair("LSTM", 4)}) {
        const bool isLstm = gates == 4;
        const auto operands = [&, gates = gates](std::int64_t directions, int count) {
            std::vector<Operand> all{in({steps, batch, inputs}),
                                     halfOpen({directions, gates * hidden, inputs}),
                                     halfOpen({directions, gates * hidden, hidden}),
                                     halfOpen({directions, 2 * gates * hidden}),
                                     ints({4, 1, 3}, I32),
                                     halfOpen({directions, batch, hidden}),
                                     halfOpen({directions, batch, hidden}),
                                     halfOpen({directions, 3 * hidden})};
            all.resize(std::size_t(std::min(count, isLstm ? 8 : 6)));
            return all;
        };
        const auto add = [&, type = type](const std::vector<Operand>& all, const std::string& direction,
                                          const Attributes& more = {}, int results = 2) {
            Attributes attributes{{"hidden_size", hidden}, {"direction", direction}};
            attributes.insert(attributes.end(), more.begin(), more.end());
            cases.add(type, 7, all, attributes, results == 2 ? "" : fmt::format("{} results", results),
                      results);
        };
        for (const char* direction : {"forward", "reverse", "bidirectional"}) {
            const std::int64_t directions = std::string_view(direction) == "bidirectional" ? 2 : 1;
            for (int count = 3; count <= (isLstm ? 8 : 6); ++count)
                add(operands(directions, count), direction);
            auto unequal = operands(directions, 6); // a sample without a step
            unequal[4] = ints({2, 0, 4}, I32);
            add(unequal, direction, {}, isLstm ? 3 : 2);
            unequal[4] = absent();
            add(unequal, direction, {}, isLstm ? 3 : 2);
            add(operands(directions, 4), direction, {{"clip", 0.5}});
            if (gates == 3)
                for (int count = 3; count <= 6; ++count)
                    add(operands(directions, count), direction, {{"linear_before_reset", std::int64_t(1)}});
            if (isLstm)
                add(operands(directions, 4), direction, {{"input_forget", std::int64_t(1)}});
        }
        const std::size_t functions = gates == 1 ? 1 : gates == 3 ? 2 : 3;
        for (const char* name : {"Relu", "Tanh", "Sigmoid", "Affine", "LeakyRelu", "ThresholdedRelu",
                                 "ScaledTanh", "HardSigmoid", "Elu", "Softsign", "Softplus"})
            for (std::size_t place = 0; place < functions; ++place) {
                Names names(functions, "Tanh");
                names[place] = name;
                // Without numbers of its own ONNX Runtime takes 0 for these, the standard what the operators of these names have.
                if (!std::set<std::string_view>{"Affine", "ThresholdedRelu", "ScaledTanh"}.contains(name))
                    add(operands(1, 4), "forward", {{"activations", names}});
                add(operands(1, 4), "forward",
                    {{"activations", names},
                     {"activation_alpha", Reals{0.75}},
                     {"activation_beta", Reals{0.25}}});
            }
        Names both(2 * functions, "HardSigmoid");
        both.back() = "Elu";
        add(operands(2, 4), "bidirectional",
            {{"activations", both}, {"activation_alpha", Reals{0.3, 0.6}}, {"activation_beta", Reals{0.1}}});
        cases.add(type, 7, {in({2, 1, 3}, F64), weights({1, gates, 3}, F64), weights({1, gates, 1}, F64)},
                  {{"hidden_size", std::int64_t(1)}});
        auto batchFirst = operands(1, 4);
        batchFirst[0] = in({batch, steps, inputs});
        cases.add(type, 14, batchFirst, {{"hidden_size", hidden}, {"layout", std::int64_t(1)}}, "", 2);
    }
}

} // namespace

static std::vector<ModelCase> filled(Cases cases) {
    for (const auto add :
         {addUnary, addClip, addBinary, addCasts, addReductions, addWindows, addNorms, addProducts,
          addQuantization, addNarrowTypes, addQuantizedOperators, addGroupQueries, addBlockedProducts,
          addLanguageModels, addShapes, addSlices, addResizes, addRecurrent})
        add(cases);
    return std::move(cases.all);
}

std::vector<ModelCase> operatorCases() {
    return filled({});
}

std::vector<ModelCase> operatorCases(const std::set<std::string>& names, std::int64_t opset) {
    return filled({names, opset});
}

} // namespace pim::test
