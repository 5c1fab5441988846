// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/affine.h"

#include <algorithm>

namespace pim::ir {

namespace {

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

/// How tightly an operator binds; what stands inside a tighter one needs parentheses.
int bindingOf(AffineKind kind) {
    switch (kind) {
    case AffineKind::Add:
        return 1;
    case AffineKind::Mul:
    case AffineKind::Mod:
    case AffineKind::FloorDiv:
    case AffineKind::CeilDiv:
        return 2;
    default:
        return 3;
    }
}

const char* signOf(AffineKind kind) {
    switch (kind) {
    case AffineKind::Add:
        return " + ";
    case AffineKind::Mul:
        return " * ";
    case AffineKind::Mod:
        return " mod ";
    case AffineKind::FloorDiv:
        return " floordiv ";
    case AffineKind::CeilDiv:
        return " ceildiv ";
    default:
        return "";
    }
}

bool isConstant(const AffineExpr& expr, std::int64_t value) {
    return expr.kind() == AffineKind::Constant && expr.value() == value;
}

} // namespace

AffineExpr AffineExpr::constant(std::int64_t value) {
    AffineExpr expr;
    expr.m_node = std::make_shared<const Node>(Node{AffineKind::Constant, value, {}});
    return expr;
}

AffineExpr AffineExpr::dim(int index) {
    AffineExpr expr;
    expr.m_node = std::make_shared<const Node>(Node{AffineKind::Dim, index, {}});
    return expr;
}

AffineExpr AffineExpr::binary(AffineKind kind, AffineExpr left, AffineExpr right) {
    AffineExpr expr;
    expr.m_node = std::make_shared<const Node>(Node{kind, 0, {std::move(left), std::move(right)}});
    return expr;
}

std::int64_t AffineExpr::at(std::span<const std::int64_t> dims) const {
    switch (kind()) {
    case AffineKind::Constant:
        return value();
    case AffineKind::Dim:
        return dims[static_cast<std::size_t>(value())];
    case AffineKind::Add:
        return left().at(dims) + right().at(dims);
    case AffineKind::Mul:
        return left().at(dims) * right().at(dims);
    case AffineKind::Mod: {
        const std::int64_t a = left().at(dims), b = right().at(dims);
        return a - floorDivide(a, b) * b;
    }
    case AffineKind::FloorDiv:
        return floorDivide(left().at(dims), right().at(dims));
    case AffineKind::CeilDiv:
        return -floorDivide(-left().at(dims), right().at(dims));
    }
    return 0;
}

int AffineExpr::highestDim() const {
    if (kind() == AffineKind::Dim)
        return static_cast<int>(value());
    if (kind() == AffineKind::Constant)
        return -1;
    return std::max(left().highestDim(), right().highestDim());
}

void AffineExpr::print(std::string& out, int binding) const {
    if (kind() == AffineKind::Constant || kind() == AffineKind::Dim) {
        out += kind() == AffineKind::Dim ? "d" : "";
        out += std::to_string(value());
        return;
    }
    const int own = bindingOf(kind());
    out += own < binding ? "(" : "";
    left().print(out, own);
    out += signOf(kind());
    right().print(out, own + 1); // operators group to the left
    out += own < binding ? ")" : "";
}

bool operator==(const AffineExpr& a, const AffineExpr& b) {
    if (a.m_node == b.m_node)
        return true;
    if (a.kind() != b.kind() || a.value() != b.value())
        return false;
    return !a.m_node || !b.m_node || a.m_node->children == b.m_node->children;
}

AffineExpr operator+(const AffineExpr& a, const AffineExpr& b) {
    if (isConstant(b, 0))
        return a;
    return isConstant(a, 0) ? b : AffineExpr::binary(AffineKind::Add, a, b);
}

AffineExpr operator*(const AffineExpr& a, std::int64_t factor) {
    if (factor == 1)
        return a;
    if (a.kind() == AffineKind::Constant)
        return AffineExpr::constant(a.value() * factor);
    return factor == 0 ? AffineExpr() : AffineExpr::binary(AffineKind::Mul, a, AffineExpr::constant(factor));
}

AffineExpr mod(const AffineExpr& a, std::int64_t divisor) {
    return divisor == 1 ? AffineExpr()
                        : AffineExpr::binary(AffineKind::Mod, a, AffineExpr::constant(divisor));
}

AffineExpr floorDiv(const AffineExpr& a, std::int64_t divisor) {
    return divisor == 1 ? a : AffineExpr::binary(AffineKind::FloorDiv, a, AffineExpr::constant(divisor));
}

std::vector<std::int64_t> AffineMap::operator()(std::span<const std::int64_t> at) const {
    std::vector<std::int64_t> indices;
    indices.reserve(results.size());
    for (const AffineExpr& result : results)
        indices.push_back(result.at(at));
    return indices;
}

void AffineMap::print(std::string& out) const {
    out += "affine_map<(";
    for (int d = 0; d < dims; ++d)
        out += (d ? ", d" : "d") + std::to_string(d);
    out += ") -> (";
    for (std::size_t r = 0; r < results.size(); ++r) {
        out += r ? ", " : "";
        results[r].print(out);
    }
    out += ")>";
}

std::string AffineMap::text() const {
    std::string out;
    print(out);
    return out;
}

} // namespace pim::ir
