// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pim {

namespace {

struct TypeFact {
    DataType type;
    std::string_view name;
    std::int64_t bytes;
    bool isReal = false;
};

constexpr std::array kTypes{
    TypeFact{DataType::Unknown, "unknown", 0},
    TypeFact{DataType::F32, "f32", 4, true},
    TypeFact{DataType::F16, "f16", 2, true},
    TypeFact{DataType::BF16, "bf16", 2, true},
    TypeFact{DataType::F64, "f64", 8, true},
    TypeFact{DataType::I8, "i8", 1},
    TypeFact{DataType::U8, "u8", 1},
    TypeFact{DataType::I16, "i16", 2},
    TypeFact{DataType::U16, "u16", 2},
    TypeFact{DataType::I32, "i32", 4},
    TypeFact{DataType::U32, "u32", 4},
    TypeFact{DataType::I64, "i64", 8},
    TypeFact{DataType::U64, "u64", 8},
    TypeFact{DataType::Bool, "bool", 1},
    TypeFact{DataType::String, "string", 0},
    TypeFact{DataType::Complex64, "c64", 8},
    TypeFact{DataType::Complex128, "c128", 16},
    TypeFact{DataType::I4, "i4", 1},
    TypeFact{DataType::U4, "u4", 1},
    TypeFact{DataType::F8E4M3, "f8e4m3", 1, true},
    TypeFact{DataType::F8E4M3Fnuz, "f8e4m3fnuz", 1, true},
    TypeFact{DataType::F8E5M2, "f8e5m2", 1, true},
    TypeFact{DataType::F8E5M2Fnuz, "f8e5m2fnuz", 1, true},
    TypeFact{DataType::F4E2M1, "f4e2m1", 1, true},
};

const TypeFact& factOf(DataType type) {
    const auto index = static_cast<std::size_t>(type);
    return kTypes[index < kTypes.size() ? index : 0];
}

std::int64_t addSaturating(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

} // namespace

std::string_view name(DataType type) {
    return factOf(type).name;
}

std::optional<DataType> dataTypeFromName(std::string_view name) {
    const auto it =
        std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeFact& f) { return f.name == name; });
    return it == kTypes.end() ? std::nullopt : std::optional(it->type);
}

std::int64_t bytesOf(DataType type) {
    return factOf(type).bytes;
}

bool isRealType(DataType type) {
    return factOf(type).isReal;
}

std::int64_t storedBytes(DataType type, std::int64_t count) {
    const bool inPairs = type == DataType::I4 || type == DataType::U4 || type == DataType::F4E2M1;
    return inPairs ? count / 2 + count % 2 : count * bytesOf(type);
}

bool isStatic(const Shape& shape) {
    return std::all_of(shape.begin(), shape.end(), [](std::int64_t d) { return d >= 0; });
}

std::string shapeText(const Shape& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += i ? ", " : "";
        text += shape[i] < 0 ? "?" : std::to_string(shape[i]);
    }
    return text + "]";
}

Result<std::int64_t> elementCount(const Shape& shape) {
    // An extent of 0 makes the product 0 whatever the others are; still, the others must be sane.
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) {
        if (extent < 0)
            return fail(ErrorCode::InvalidModel, "the shape " + shapeText(shape) + " has an unknown extent");
        if (__builtin_mul_overflow(count, extent, &count))
            return fail(ErrorCode::InvalidModel,
                        "the shape " + shapeText(shape) + " has more than 2^63 elements");
    }
    return count;
}

std::optional<std::int64_t> Tensor::bytes() const {
    const std::int64_t element = bytesOf(dtype);
    if (!shape || element == 0)
        return std::nullopt;
    const auto count = elementCount(*shape);
    std::int64_t total = 0;
    if (!count || __builtin_mul_overflow(*count, element, &total))
        return std::nullopt;
    return storedBytes(dtype, *count);
}

std::int64_t Tensor::bytesAtRest(std::int64_t unpacked) const {
    const auto count = packedBits > 0 && shape ? elementCount(*shape) : Result<std::int64_t>(0);
    if (!count || *count == 0)
        return unpacked;
    const double packed = std::ceil(static_cast<double>(*count) * packedBits / 8);
    return packed < static_cast<double>(unpacked) ? static_cast<std::int64_t>(packed) : unpacked;
}

std::string attributeText(const Attribute& value) {
    struct Visitor {
        std::string operator()(std::int64_t v) const { return std::to_string(v); }
        std::string operator()(double v) const { return fmt::format("{}", v); }
        std::string operator()(const std::string& v) const { return v; }
        std::string operator()(const std::vector<std::int64_t>& v) const {
            return fmt::format("[{}]", fmt::join(v, ", "));
        }
        std::string operator()(const std::vector<double>& v) const {
            return fmt::format("[{}]", fmt::join(v, ", "));
        }
        std::string operator()(const std::vector<std::string>& v) const {
            return fmt::format("[{}]", fmt::join(v, ", "));
        }
        std::string operator()(const AttributeGraph& v) const {
            return fmt::format("graph of {} nodes", v.nodes);
        }
    };
    return std::visit(Visitor{}, value);
}

std::string_view name(OpClass opClass) {
    switch (opClass) {
    case OpClass::MatMul:
        return "matmul";
    case OpClass::Conv:
        return "conv";
    case OpClass::Attention:
        return "attention";
    case OpClass::Elementwise:
        return "elementwise";
    case OpClass::Reduction:
        return "reduction";
    case OpClass::Softmax:
        return "softmax";
    case OpClass::Normalize:
        return "normalize";
    case OpClass::Pool:
        return "pool";
    case OpClass::Movement:
        return "movement";
    case OpClass::Other:
        break;
    }
    return "other";
}

const Attribute* Op::attribute(std::string_view key) const {
    const auto it = attributes.find(std::string(key));
    return it == attributes.end() ? nullptr : &it->second;
}

std::int64_t Op::intAttribute(std::string_view key, std::int64_t fallback) const {
    const auto* value = attribute(key);
    const auto* number = value ? std::get_if<std::int64_t>(value) : nullptr;
    return number ? *number : fallback;
}

double Op::floatAttribute(std::string_view key, double fallback) const {
    const auto* value = attribute(key);
    if (const auto* number = value ? std::get_if<double>(value) : nullptr)
        return *number;
    if (const auto* number = value ? std::get_if<std::int64_t>(value) : nullptr)
        return static_cast<double>(*number);
    return fallback;
}

std::string Op::stringAttribute(std::string_view key, std::string fallback) const {
    const auto* value = attribute(key);
    const auto* text = value ? std::get_if<std::string>(value) : nullptr;
    return text ? *text : fallback;
}

std::vector<std::int64_t> Op::intsAttribute(std::string_view key, std::vector<std::int64_t> fallback) const {
    const auto* value = attribute(key);
    const auto* list = value ? std::get_if<std::vector<std::int64_t>>(value) : nullptr;
    return list ? *list : fallback;
}

OpId Graph::findOp(std::string_view opName) const {
    const auto it = std::find_if(ops.begin(), ops.end(), [&](const Op& o) { return o.name == opName; });
    return it == ops.end() ? OpId() : OpId(it - ops.begin());
}

std::vector<OpId> Graph::predecessors(OpId id) const {
    std::vector<OpId> found;
    for (const TensorId input : op(id).inputs) {
        const OpId producer = input.valid() ? tensor(input).producer : OpId();
        if (producer.valid() && std::find(found.begin(), found.end(), producer) == found.end())
            found.push_back(producer);
    }
    return found;
}

std::vector<OpId> Graph::successors(OpId id) const {
    std::vector<OpId> found;
    for (const TensorId output : op(id).outputs)
        if (output.valid())
            found.insert(found.end(), tensor(output).consumers.begin(), tensor(output).consumers.end());
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

OpWork Graph::totalWork() const {
    OpWork total;
    total.known = true;
    for (const Op& o : ops) {
        total.known = total.known && o.work.known;
        total.macs = addSaturating(total.macs, o.work.macs);
        total.otherOps = addSaturating(total.otherOps, o.work.otherOps);
        total.bytesRead = addSaturating(total.bytesRead, o.work.bytesRead);
        total.bytesWritten = addSaturating(total.bytesWritten, o.work.bytesWritten);
        total.weightBytes = addSaturating(total.weightBytes, o.work.weightBytes);
    }
    return total;
}

std::int64_t Graph::missingWeightTensors() const {
    return std::count_if(tensors.begin(), tensors.end(),
                         [](const Tensor& t) { return t.data && !t.data->present; });
}

} // namespace pim
