// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Values of zoo weights as a stream of bytes: the same seed and name give the same bytes on every machine.
#include "core/graph/graph.h"

#include <functional>
#include <span>

namespace pim::zoo {

/// How a tensor is filled. Random values are uniform in center +- spread.
struct Fill {
    enum class Kind : std::uint8_t {
        Random,
        CausalMask, ///< [.., rows, columns]: 0 up to the diagonal, spread above it.
        RotaryCos,  ///< [positions, head]: cos(position * 10000^(-2 (i mod head/2) / head))
        RotarySin,
    };
    Kind kind = Kind::Random;
    double center = 0;
    double spread = 0;
};

using ByteSink = std::function<Result<void>(std::span<const std::byte>)>;

/// Hands the elements of one tensor to \p sink in pieces of at most 1 MiB, row-major, little-endian. F32 and
/// F16 only.
Result<void> streamValues(const Fill& fill, DataType type, const Shape& shape, std::uint64_t seed,
                          std::string_view tensorName, const ByteSink& sink);

} // namespace pim::zoo
