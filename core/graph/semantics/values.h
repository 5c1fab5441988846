// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Computes the value of an op whose inputs are constants: shape arithmetic while shapes are inferred, folded
/// weights when somebody asks for their bytes. A reference, not fast.
#include "core/graph/graph.h"

#include <functional>
#include <span>

namespace pim {

/// A dense tensor with its elements: little-endian, row-major.
struct Value {
    DataType dtype = DataType::Unknown;
    Shape shape;
    std::shared_ptr<const std::vector<std::byte>> bytes; ///< Null for an input left out.

    std::int64_t count() const { return elementCount(shape).value_or(0); }
};

/// Elements as 64-bit integers (fractions cut off) or doubles. Empty for types that are no numbers.
std::vector<std::int64_t> intsOf(std::span<const std::byte> bytes, DataType type);
std::vector<double> realsOf(std::span<const std::byte> bytes, DataType type);
std::vector<std::byte> bytesFromInts(const std::vector<std::int64_t>& values, DataType type);
std::vector<std::byte> bytesFromReals(const std::vector<double>& values, DataType type);

/// The nearest number that \p type, with fractions, has; those of single and double precision as they are.
/// \param saturates what is too large becomes the largest number, in types of 8 bits
double roundedTo(DataType type, double value, bool saturates = true);

/// Can evaluate() compute this operator?
bool canEvaluate(const Op& op);

/// \param outputs type and shape of each output, as inferred.
/// \returns the bytes of each output, or nullopt where these types are not handled.
std::optional<std::vector<std::vector<std::byte>>> evaluate(const Op& op, std::span<const Value> inputs,
                                                            std::span<const Value> outputs);

} // namespace pim
