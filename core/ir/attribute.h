// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is known of an op when it is compiled: numbers, names, maps, constants.
#include "core/ir/affine.h"
#include "core/ir/type.h"

#include <variant>

namespace pim::ir {

struct UnitAttribute { ///< Its presence says it all.
    friend bool operator==(const UnitAttribute&, const UnitAttribute&) = default;
};
struct IntegerAttribute {
    std::int64_t value = 0;
    Scalar type = Scalar::I64; ///< I1: `true`, `false`.
    friend bool operator==(const IntegerAttribute&, const IntegerAttribute&) = default;
};
struct FloatAttribute {
    double value = 0; ///< Compared by its bits: a NaN equals itself.
    Scalar type = Scalar::F64;
    friend bool operator==(const FloatAttribute& a, const FloatAttribute& b);
};
struct SymbolAttribute {
    std::string name; ///< Without the @.
    friend bool operator==(const SymbolAttribute&, const SymbolAttribute&) = default;
};
/// `array<i64: 1, 2>`
struct IntsAttribute {
    std::vector<std::int64_t> values;
    Scalar type = Scalar::I64;
    friend bool operator==(const IntsAttribute&, const IntsAttribute&) = default;
};
/// `dense<0> : tensor<4xi32>` where all elements are the same, else `dense<"0x…"> : tensor<4xi8>`.
struct DenseAttribute {
    Type type;                    ///< A tensor.
    std::vector<std::byte> bytes; ///< Little-endian; those of one element (all are the same), or of all.
    bool isSplat() const { return static_cast<std::int64_t>(bytes.size()) == bytesOf(*type.element()); }
    friend bool operator==(const DenseAttribute&, const DenseAttribute&) = default;
};

struct Attribute {
    std::variant<UnitAttribute, IntegerAttribute, FloatAttribute, std::string, SymbolAttribute, Type,
                 AffineMap, IntsAttribute, DenseAttribute, std::vector<Attribute>>
        value;

    void print(std::string& out) const;
    std::string text() const;
    friend bool operator==(const Attribute&, const Attribute&) = default;
};

struct NamedAttribute {
    std::string name;
    Attribute value;
    friend bool operator==(const NamedAttribute&, const NamedAttribute&) = default;
};
/// In the order of their names, each once.
using Attributes = std::vector<NamedAttribute>;

Attribute unit();
Attribute integer(std::int64_t value, Scalar type = Scalar::I64);
Attribute real(double value, Scalar type);
Attribute text(std::string value);
Attribute ints(std::vector<std::int64_t> values, Scalar type = Scalar::I64);
Attribute texts(const std::vector<std::string>& values);
Attribute affine(AffineMap value);
/// All elements are \p value (rounded to the element type).
Attribute splat(const Type& tensor, double value);

/// A quoted string; anything but printable ASCII as \XX.
void printQuoted(std::string& out, std::string_view text);

} // namespace pim::ir
