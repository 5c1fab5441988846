// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Two numbers into one: what the ops over tensors and the scalar ops share. Integers wrap at the width of
/// their type, as on every machine here.
#include "core/base/result.h"
#include "core/ir/type.h"

#include <optional>
#include <string_view>

namespace pim::ir {

enum class ElementOp : std::uint8_t { Add, Sub, Mul, Div, Min, Max, And, Or, Xor };
/// "add", "sub", …
std::optional<ElementOp> elementOpFromName(std::string_view name);
std::string_view name(ElementOp op);
inline bool isLogic(ElementOp op) {
    return op >= ElementOp::And;
}

/// Error::InvalidFile for a division by zero.
Result<std::int64_t> apply(ElementOp op, std::int64_t a, std::int64_t b, Scalar type);
double apply(ElementOp op, double a, double b); ///< Not for logic.
/// x op neutral = x. Not for Sub and Div.
std::int64_t neutralInt(ElementOp op, Scalar type);
double neutralReal(ElementOp op);

} // namespace pim::ir
