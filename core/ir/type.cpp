// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/type.h"

#include <array>

namespace pim::ir {

namespace {

struct ScalarFacts {
    std::string_view name;
    std::int64_t bytes;
    bool isFloat;
    DataType dataType;
};
constexpr std::array<ScalarFacts, 10> kScalars{{
    {"index", 8, false, DataType::Unknown},
    {"i1", 1, false, DataType::Bool},
    {"i8", 1, false, DataType::I8},
    {"i16", 2, false, DataType::I16},
    {"i32", 4, false, DataType::I32},
    {"i64", 8, false, DataType::I64},
    {"f16", 2, true, DataType::F16},
    {"bf16", 2, true, DataType::BF16},
    {"f32", 4, true, DataType::F32},
    {"f64", 8, true, DataType::F64},
}};
const ScalarFacts& facts(Scalar scalar) {
    return kScalars[static_cast<std::size_t>(scalar)];
}

void printList(std::string& out, const std::vector<Type>& types) {
    out += '(';
    for (std::size_t i = 0; i < types.size(); ++i) {
        out += i ? ", " : "";
        types[i].print(out);
    }
    out += ')';
}

void printDialect(std::string& out, const Type::Body& body) {
    out += '!';
    out += body.dialectName;
    if (body.extents.empty() && !body.element)
        return;
    out += '<';
    printExtents(out, body.extents);
    if (body.element)
        out += name(*body.element);
    else
        out.pop_back();
    if (!body.on.empty()) {
        out += " on ";
        printExtents(out, body.on);
        out.pop_back();
    }
    if (body.space != 0)
        out += ", level " + std::to_string(body.space);
    out += '>';
}

} // namespace

std::string_view name(Scalar scalar) {
    return facts(scalar).name;
}
std::int64_t bytesOf(Scalar scalar) {
    return facts(scalar).bytes;
}
bool isFloat(Scalar scalar) {
    return facts(scalar).isFloat;
}
DataType dataTypeOf(Scalar scalar) {
    return facts(scalar).dataType;
}

std::optional<Scalar> scalarFromName(std::string_view name) {
    for (std::size_t i = 0; i < kScalars.size(); ++i)
        if (kScalars[i].name == name)
            return static_cast<Scalar>(i);
    return std::nullopt;
}

std::optional<Scalar> scalarOf(DataType type) {
    if (type == DataType::Unknown)
        return std::nullopt;
    for (std::size_t i = 0; i < kScalars.size(); ++i)
        if (kScalars[i].dataType == type)
            return static_cast<Scalar>(i);
    return std::nullopt;
}

void printExtents(std::string& out, const Shape& extents) {
    for (const std::int64_t extent : extents) {
        out += std::to_string(extent);
        out += 'x';
    }
}

Type Type::scalar(Scalar scalar) {
    static const auto kBodies = [] {
        std::array<std::shared_ptr<const Body>, kScalars.size()> bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i)
            bodies[i] = std::make_shared<const Body>(
                Body{.form = TypeForm::Scalar, .element = static_cast<Scalar>(i)});
        return bodies;
    }();
    Type type;
    type.m_body = kBodies[static_cast<std::size_t>(scalar)];
    return type;
}

Type Type::tensor(Shape extents, Scalar element) {
    Type type;
    type.m_body = std::make_shared<const Body>(
        Body{.form = TypeForm::Tensor, .element = element, .extents = std::move(extents)});
    return type;
}

Type Type::memref(Shape extents, Scalar element, int space) {
    Type type;
    type.m_body = std::make_shared<const Body>(
        Body{.form = TypeForm::MemRef, .element = element, .extents = std::move(extents), .space = space});
    return type;
}

Type Type::function(std::vector<Type> inputs, std::vector<Type> results) {
    Body body{.form = TypeForm::Function};
    body.inputs = std::move(inputs);
    body.results = std::move(results);
    Type type;
    type.m_body = std::make_shared<const Body>(std::move(body));
    return type;
}

Type Type::dialect(std::string name, Shape extents, std::optional<Scalar> element, Shape on, int level) {
    Type type;
    type.m_body = std::make_shared<const Body>(Body{.form = TypeForm::Dialect,
                                                    .element = element,
                                                    .extents = std::move(extents),
                                                    .space = level,
                                                    .dialectName = std::move(name),
                                                    .on = std::move(on)});
    return type;
}

const Type::Body& Type::body() const {
    static const Body kNone;
    return m_body ? *m_body : kNone;
}

std::int64_t Type::count() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents())
        count *= extent;
    return count;
}

std::int64_t Type::bytes() const {
    return element() ? count() * bytesOf(*element()) : 0;
}

void Type::print(std::string& out) const {
    const Body& type = body();
    switch (type.form) {
    case TypeForm::None:
        out += "none";
        break;
    case TypeForm::Scalar:
        out += name(*type.element);
        break;
    case TypeForm::Tensor:
    case TypeForm::MemRef:
        out += isTensor() ? "tensor<" : "memref<";
        printExtents(out, type.extents);
        out += name(*type.element);
        if (type.space != 0)
            out += ", " + std::to_string(type.space);
        out += '>';
        break;
    case TypeForm::Function:
        printList(out, type.inputs);
        out += " -> ";
        printList(out, type.results);
        break;
    case TypeForm::Dialect:
        printDialect(out, type);
        break;
    }
}

std::string Type::text() const {
    std::string out;
    print(out);
    return out;
}

bool operator==(const Type& a, const Type& b) {
    if (a.m_body == b.m_body)
        return true;
    const Type::Body &x = a.body(), &y = b.body();
    return x.form == y.form && x.element == y.element && x.extents == y.extents && x.space == y.space &&
           x.dialectName == y.dialectName && x.on == y.on && x.inputs == y.inputs && x.results == y.results;
}

} // namespace pim::ir
