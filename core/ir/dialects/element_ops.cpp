// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/element_ops.h"

#include "core/ir/scalar_bytes.h"

#include <algorithm>
#include <array>
#include <limits>

namespace pim::ir {

namespace {

constexpr std::array<std::string_view, 9> kNames{"add", "sub", "mul", "div", "min",
                                                 "max", "and", "or",  "xor"};

/// Wraps instead of overflowing.
std::int64_t unsignedly(ElementOp op, std::int64_t a, std::int64_t b) {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    return static_cast<std::int64_t>(op == ElementOp::Add ? x + y : op == ElementOp::Sub ? x - y : x * y);
}

} // namespace

std::optional<ElementOp> elementOpFromName(std::string_view name) {
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end())
        return std::nullopt;
    return static_cast<ElementOp>(found - kNames.begin());
}

std::string_view name(ElementOp op) {
    return kNames[static_cast<std::size_t>(op)];
}

Result<std::int64_t> apply(ElementOp op, std::int64_t a, std::int64_t b, Scalar type) {
    switch (op) {
    case ElementOp::Add:
    case ElementOp::Sub:
    case ElementOp::Mul:
        return wrapped(unsignedly(op, a, b), type);
    case ElementOp::Div:
        if (b == 0)
            return fail(ErrorCode::InvalidFile, "divides by zero");
        return wrapped(b == -1 ? unsignedly(ElementOp::Sub, 0, a) : a / b, type);
    case ElementOp::Min:
        return std::min(a, b);
    case ElementOp::Max:
        return std::max(a, b);
    case ElementOp::And:
        return a & b;
    case ElementOp::Or:
        return a | b;
    case ElementOp::Xor:
        return a ^ b;
    }
    return 0;
}

double apply(ElementOp op, double a, double b) {
    switch (op) {
    case ElementOp::Add:
        return a + b;
    case ElementOp::Sub:
        return a - b;
    case ElementOp::Mul:
        return a * b;
    case ElementOp::Div:
        return a / b;
    case ElementOp::Min:
        return std::min(a, b);
    default:
        return std::max(a, b);
    }
}

std::int64_t neutralInt(ElementOp op, Scalar type) {
    const int bits = type == Scalar::I1 ? 1 : static_cast<int>(bytesOf(type)) * 8;
    const std::int64_t most =
        static_cast<std::int64_t>(std::numeric_limits<std::uint64_t>::max() >> (65 - bits));
    switch (op) {
    case ElementOp::Mul:
        return 1;
    case ElementOp::Min:
        return type == Scalar::I1 ? 1 : most;
    case ElementOp::Max:
        return type == Scalar::I1 ? 0 : -most - 1;
    case ElementOp::And:
        return wrapped(-1, type);
    default:
        return 0;
    }
}

double neutralReal(ElementOp op) {
    switch (op) {
    case ElementOp::Mul:
        return 1;
    case ElementOp::Min:
        return std::numeric_limits<double>::infinity();
    case ElementOp::Max:
        return -std::numeric_limits<double>::infinity();
    default:
        return 0;
    }
}

} // namespace pim::ir
